"""All trees of a sentence by a grammar, and random treebanks: slow and readable."""

from __future__ import annotations

from itertools import pairwise, product

from hedgerow.structured.grammar.restoration import Restorer, TreeWriter
from hedgerow.structured.grammar.rules import CHAIN, ROOT_CHAIN, RULE, WORD
from hedgerow.structured.grammar.sentences import sentences_of


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

    writer = TreeWriter()
    restorer = Restorer(book, writer)
    n = len(tokens)
    try:
        for chain, number in book.root_chains().items():
            for steps in bases(0, n, chain[-1]):
                done = (*steps, (ROOT_CHAIN, number))
                restorer.write([kind for kind, _ in done], [k for _, k in done], words)
    except TooMany:
        return None
    return writer.forest().to_brackets()
