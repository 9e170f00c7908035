"""All trees of a sentence by a grammar, and random treebanks: slow and readable."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise, product

import numpy as np

from hedgerow.data.brackets import BracketRules, brackets_of
from hedgerow.data.parse_nodes import trees_of
from hedgerow.structured.grammar.restoration import TreeWriter
from hedgerow.structured.grammar.rules import CHAIN, ROOT_CHAIN, RULE, WORD
from hedgerow.structured.grammar.sentences import sentences_of
from hedgerow.structured.grammar.spans import shape_of
from hedgerow.structured.grammar.words import signatures


def random_tree(rng, n_words, labels="ABC", tags="xy", words="uvw", unary=0.3, root="TOP", arity=4):
    """A bracketed tree: nodes have up to so many children, and unary nodes on top at random."""

    def chain(text):
        while rng.random() < unary:
            text = f"({rng.choice(list(labels))} {text})"
        return text

    def grow(n):
        if n == 1:
            return chain(f"({rng.choice(list(tags))} {rng.choice(list(words))})")
        k = int(rng.integers(2, min(n, arity) + 1))
        cuts = [0, *sorted(rng.choice(range(1, n), k - 1, replace=False)), n]
        children = [grow(b - a) for a, b in pairwise(cuts)]
        return chain(f"({rng.choice(list(labels))} {' '.join(children)})")

    tree = grow(n_words)
    return f"({root} {tree})" if root else tree


def span_names(problem, x, y):
    """What the span features of a tree are called, one template and node after the other."""
    book = problem.book_
    tokens, words = sentences_of([x], problem.input == "tags")[0]
    derivation = book.derive(next(iter(trees_of([y], "y"))), [problem.kinds_[token] for token in tokens])
    symbols, rules, chains = list(book.symbols), list(book.rules), list(book.chains)

    def form_of(place, form):
        if not 0 <= place < len(tokens):
            return "<none>"
        if form == "tag":
            return (
                tokens[place]
                if problem.input == "tags"
                else problem.spans_.tags[problem.kinds_[tokens[place]]]
            )
        if form == "word":
            kinds = problem.spans_.kinds
            name = next(kind for kind, number in kinds.numbers.items() if number == kinds[words[place]])
            return f"<{name.strip()}>" if name.startswith(" ") else name.strip()
        return signatures(words[place])[0].strip() if form == "ending" else shape_of(words[place])

    def seen(part, begin, end):
        if part == "length":
            return f"length {end - begin}" if end - begin < 6 else "length 6-7"
        place, form = part.split(":")
        places = {"before": [begin - 1], "first": [begin], "last": [end - 1], "after": [end]}
        looked = places.get(place, range(begin, end))
        return f"{place} {form} " + " ".join(form_of(k, form) for k in looked) if len(looked) <= 5 else None

    def name(symbol):
        return symbol.label + ("|" if symbol.kind == "marker" else "")

    stack, nodes, word = [], [], 0
    for kind, number in [*derivation.steps, (ROOT_CHAIN, -1)]:
        if kind == WORD:
            stack.append((word, word + 1))
            word += 1
            above = [number] if book.lexical else []
        elif kind == RULE:
            right, left = stack.pop(), stack.pop()
            stack.append((left[0], right[1]))
            above = [rules[number][0]]
        else:
            above = (chains[number] if kind == CHAIN else derivation.root)[:-1]
        nodes += [(name(symbols[s]), *stack[-1]) for s in above]
    for label, begin, end in nodes:
        for template in problem.spans_.templates:
            parts = [seen(part, begin, end) for part in template.split("+")]
            if None not in parts:
                yield f"{label} over {', '.join(parts)}"


class TooMany(Exception):
    pass


def all_trees(problem, x, limit=150):
    """Every tree that the grammar of a bound problem has for the sentence of a tree, in brackets.

    None when some part of the sentence has more trees than the limit.
    """
    book = problem.book_
    tokens, words = sentences_of([x], problem.input == "tags")[0]
    kinds = [problem.kinds_[token] for token in tokens]
    rules = {}
    for number, (parent, left, right) in enumerate(book.rules):
        rules.setdefault(parent, []).append((number, left, right))
    chains = list(book.chains)
    memo = {}

    def bases(i, j, symbol):
        key = (i, j, symbol)
        if key not in memo:
            if j - i == 1:
                memo[key] = [((WORD, symbol),)] if (kinds[i], symbol) in book.words else []
            else:
                memo[key] = [
                    (*left, *right, (RULE, number))
                    for number, a, b in rules.get(symbol, [])
                    for k in range(i + 1, j)
                    for left, right in product(tops(i, k, a), tops(k, j, b))
                ]
                if len(memo[key]) > limit:
                    raise TooMany
        return memo[key]

    def tops(i, j, symbol):
        return [*bases(i, j, symbol)] + [
            (*steps, (CHAIN, number))
            for number, chain in enumerate(chains)
            if chain[0] == symbol
            for steps in bases(i, j, chain[-1])
        ]

    writer = TreeWriter(book)
    n = len(tokens)
    try:
        for chain, number in book.root_chains().items():
            for steps in bases(0, n, chain[-1]):
                done = (*steps, (ROOT_CHAIN, number))
                writer.write([kind for kind, _ in done], [k for _, k in done], words)
    except TooMany:
        return None
    return writer.forest().to_brackets()


def best_scores(problem, x, weights):
    """The best score of all trees for a sentence by their numbers of matched and of all brackets.

    Matched are brackets of the tree x, whose sentence is parsed.
    """
    book = problem.book_
    nodes = next(iter(trees_of([x], "x")))
    truth = brackets_of(nodes, BracketRules(problem.uncounted))
    tokens = sentences_of([x], problem.input == "tags")[0].tokens
    kinds = [problem.kinds_[token] for token in tokens]
    symbols = list(book.symbols)
    n = len(tokens)

    def counted(symbol):
        return symbols[symbol].kind == "node" and symbols[symbol].label not in problem.uncounted

    def matches(i, j, labels):
        here = Counter({label: count for (label, a, b), count in truth.items() if (a, b) == (i, j)})
        return (here & Counter(labels)).total()

    def put(table, key, score):
        table[key] = max(score, table.get(key, -np.inf))

    def on_top(i, j, chain, table, out):
        """A chain upon its base, whose own bracket is counted already."""
        base = [symbols[chain[-1]].label] if counted(chain[-1]) else []
        labels = [symbols[s].label for s in chain[:-1] if counted(s)]
        added = matches(i, j, base + labels) - matches(i, j, base)
        weight = sum(weights[book.unaries[pair]] for pair in pairwise(chain))
        for (m, t), score in table.items():
            put(out, (m + added, t + len(labels)), score + weight)

    tops, bases = {}, {}
    for length in range(1, n + 1):
        for i in range(n - length + 1):
            j = i + length
            if length == 1:
                for (kind, tag), feature in book.words.items():
                    if kind == kinds[i]:
                        bases[i, j, tag] = {(0, 0): weights[feature] if feature >= 0 else 0.0}
            for (parent, left, right), feature in book.rules.items():
                own = int(counted(parent))
                match = matches(i, j, [symbols[parent].label]) if own else 0
                for k in range(i + 1, j):
                    for (m, t), a in tops.get((i, k, left), {}).items():
                        for (u, v), b in tops.get((k, j, right), {}).items():
                            out = bases.setdefault((i, j, parent), {})
                            put(out, (m + u + match, t + v + own), a + b + weights[feature])
            for s in range(len(symbols)):
                if (i, j, s) in bases:
                    tops[i, j, s] = dict(bases[i, j, s])
            for chain in book.chains:
                if (i, j, chain[-1]) in bases:
                    on_top(i, j, chain, bases[i, j, chain[-1]], tops.setdefault((i, j, chain[0]), {}))
    whole = {}
    for chain in book.root_chains():
        on_top(0, n, chain, bases.get((0, n, chain[-1]), {}), whole)
    return whole
