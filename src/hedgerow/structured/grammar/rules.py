"""The rules of a grammar as they are met in treebank trees, and trees as derivations by them.

A node with more than two children is made of binary rules. Between them are markers, which remember the node's
label and the children so far: with right branching A -> B C D becomes A -> B A|B and A|B -> C D. With Markov
order h a marker remembers the last h children only, so that children combine in ways that were never seen
together. Chains of unary nodes are kept whole, see the native ``grammar.hpp``; only the root's step stands for
itself, so that any chain may stand below a root that all trees have.

Steps have numbers of their own, features share one numbering: what is met later is appended, and weights of
earlier features keep their places.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from operator import itemgetter
from typing import Any, Literal, NamedTuple

import numpy as np

from hedgerow import _core
from hedgerow.data.parse_nodes import Node
from hedgerow.kernels.base import Matrix
from hedgerow.models.stored import stored, stored_whole

WORD, RULE, CHAIN, ROOT_CHAIN = range(4)
Step = tuple[int, int]  # one of these kinds, and the number of the tag, rule or chain
Symbols = tuple[int, ...]


class Symbol(NamedTuple):
    """What a rule joins: a part of speech, a node, or a marker inside a node."""

    kind: Literal["tag", "node", "marker"]
    label: str
    parent: str = ""  # with parent annotation
    history: Symbols = ()  # of a marker: the children that it remembers


class Derivation(NamedTuple):
    """The steps of a tree in post-order but for the last, which is the root's chain, from the root downward."""

    steps: list[Step]
    root: Symbols


class RuleBook:
    """All rules that were met, with numbers."""

    def __init__(self, branching: str, markov: int | None, parents: bool, lexical: bool):
        self.branching, self.markov, self.parents, self.lexical = branching, markov, parents, lexical
        self.symbols: dict[Symbol, int] = {}
        # Features: of (parent, left, right), where rules are numbered in this order; of (above, below); of a kind of
        # word and a tag, -1 where words are the tags themselves.
        self.rules: dict[tuple[int, int, int], int] = {}
        self.unaries: dict[tuple[int, int], int] = {}
        self.words: dict[tuple[int, int], int] = {}
        self.chains: dict[Symbols, int] = {}  # from the top downward
        self.starts: dict[Symbols, int] = {}  # trees by their root, alone or with the symbol below
        self.n_features = 0
        self._rule_numbers: dict[tuple[int, int, int], int] = {}
        self._growing = True

    # -- from trees -----------------------------------------------------------------------------------------

    def learn(self, nodes: Sequence[Node], word_kinds: Sequence[int]) -> Derivation:
        """Take up the rules of a tree over words of these kinds."""
        steps: list[Step] = []
        done: list[_Part] = []
        for node in nodes:
            symbol = self._enter(self.symbols, self._symbol(node))
            if node.is_tag:
                kind = word_kinds[node.start]
                if (kind, symbol) not in self.words:
                    self.words[kind, symbol] = self._new_feature() if self.lexical else -1
                done.append(_Part([(WORD, symbol)], [symbol]))
            elif node.n_children == 1:
                done[-1].chain.append(symbol)
            else:
                children = done[-node.n_children :]
                del done[-node.n_children :]
                done.append(_Part(self._join(symbol, node, children), [symbol]))
        steps, chain = done[0]
        root = tuple(reversed(chain))
        start = root[:2]
        if start not in self.starts:
            self._check_growing()
            self.starts[start] = 0
        self.starts[start] += self._growing
        self._unary_features(root)
        if len(root) > 2:
            self._enter(self.chains, root[1:])
        return Derivation(steps, root)

    def derive(self, nodes: Sequence[Node], word_kinds: Sequence[int]) -> Derivation:
        """The derivation of a tree; a ValueError when the grammar does not have it."""
        self._growing = False
        try:
            return self.learn(nodes, word_kinds)
        finally:
            self._growing = True

    def features_of(
        self, derivations: Iterable[Derivation], word_kinds: Iterable[Sequence[int]]
    ) -> Iterator[list[int]]:
        """The features of each derivation, as often as they occur."""
        of_rule = list(self.rules.values())
        of_chain = [[self.unaries[pair] for pair in pairwise(chain)] for chain in self.chains]
        for derivation, words in zip(derivations, word_kinds, strict=True):
            kinds = iter(words)
            found = [self.unaries[pair] for pair in pairwise(derivation.root)]
            for kind, number in derivation.steps:
                if kind == WORD:
                    found.append(self.words[next(kinds), number])
                elif kind == RULE:
                    found.append(of_rule[number])
                else:
                    found.extend(of_chain[number])
            yield [feature for feature in found if feature >= 0]

    def _symbol(self, node: Node) -> Symbol:
        if node.is_tag:
            return Symbol("tag", node.label)
        return Symbol("node", node.label, (node.parent or "") if self.parents else "")

    def _enter(self, table: dict[Any, int], key: Any) -> int:
        """The number of something, a new one if needed."""
        if key not in table:
            self._check_growing()
            table[key] = len(table)
        return table[key]

    def _new_feature(self) -> int:
        self._check_growing()
        self.n_features += 1
        return self.n_features - 1

    def _check_growing(self) -> None:
        if not self._growing:
            raise ValueError("the grammar does not have all rules of this tree")

    def _close(self, part: _Part) -> tuple[list[Step], int]:
        """The steps of a finished child, and the symbol at its top."""
        steps, chain = part
        if len(chain) == 1:
            return steps, chain[0]
        key = tuple(reversed(chain))
        self._unary_features(key)
        return [*steps, (CHAIN, self._enter(self.chains, key))], key[0]

    def _unary_features(self, chain: Symbols) -> None:
        for pair in pairwise(chain):
            if pair not in self.unaries:
                self.unaries[pair] = self._new_feature()

    def _join(self, symbol: int, node: Node, parts: list[_Part]) -> list[Step]:
        closed = [self._close(part) for part in parts]
        tops = [top for _, top in closed]
        right = self.branching == "right"
        # Children in the order in which markers remember them, and what each marker on the way is called.
        order = tops if right else tops[::-1]
        kept = len(order) if self.markov is None else self.markov
        above = symbol
        joins: list[Step] = []  # from the outermost inward
        for k in range(len(order) - 1):
            rest = order[k + 1]
            if k < len(order) - 2:
                history = tuple(order[max(k + 1 - kept, 0) : k + 1])
                rest = self._enter(self.symbols, self._symbol(node)._replace(kind="marker", history=history))
            pair = (order[k], rest) if right else (rest, order[k])
            joins.append((RULE, self._rule(above, *pair)))
            above = rest
        if right:
            return [step for steps, _ in closed for step in steps] + joins[::-1]
        steps = list(closed[0][0])
        for (child, _), join in zip(closed[1:], joins[::-1], strict=True):
            steps += [*child, join]
        return steps

    def _rule(self, parent: int, left: int, right: int) -> int:
        key = (parent, left, right)
        if key not in self.rules:
            self._rule_numbers[key] = len(self.rules)
            self.rules[key] = self._new_feature()
        return self._rule_numbers[key]

    def merge(self, other: RuleBook, kinds: Sequence[int]) -> None:
        """Take up what another book has met, as if its trees came next; ``kinds`` are what its kinds are here."""
        symbols: list[int] = []  # what its symbols are here

        def moved(key: Symbols) -> Symbols:
            return tuple(symbols[symbol] for symbol in key)

        for symbol in other.symbols:  # those of a history come before it
            symbols.append(self._enter(self.symbols, symbol._replace(history=moved(symbol.history))))
        # Features share one numbering, in the order in which they were met.
        met: list[tuple[int, dict[Any, int], Any]] = [
            *((feature, self.rules, moved(key)) for key, feature in other.rules.items()),
            *((feature, self.unaries, moved(key)) for key, feature in other.unaries.items()),
            *((feature, self.words, (kinds[k], symbols[tag])) for (k, tag), feature in other.words.items()),
        ]
        for feature, table, key in sorted(met, key=itemgetter(0)):
            if key not in table:
                table[key] = self._new_feature() if feature >= 0 else -1
        self._rule_numbers = {key: number for number, key in enumerate(self.rules)}
        for chain in other.chains:
            self._enter(self.chains, moved(chain))
        for start, count in other.starts.items():
            self.starts[moved(start)] = self.starts.get(moved(start), 0) + count

    def tables(self) -> list[dict[Any, int]]:
        """All that grows by what is met, and only by that."""
        return [self.symbols, self.rules, self.unaries, self.words, self.chains, self._rule_numbers]

    # -- for the parser -------------------------------------------------------------------------------------

    def root_chains(self) -> dict[Symbols, int]:
        """All ways to finish a tree: a root as it is, or above anything that was met below it, chains included."""
        below: dict[int, list[Symbols]] = {}
        for chain in self.chains:
            below.setdefault(chain[0], []).append(chain)
        found: dict[Symbols, int] = {}
        for start in self.starts:
            for chain in [start[1:], *(below.get(start[1], []) if len(start) > 1 else [])]:
                found.setdefault((start[0], *chain), len(found))
        return found

    def bracket_labels(self, uncounted: Iterable[str]) -> tuple[list[int], list[str]]:
        """The numbers of the labels of all symbols, -1 for those that are not brackets, and the labels."""
        uncounted = set(uncounted)
        names: dict[str, int] = {}
        labels = [
            names.setdefault(s.label, len(names)) if s.kind == "node" and s.label not in uncounted else -1
            for s in self.symbols
        ]
        return labels, list(names)

    def native(
        self, uncounted: Iterable[str], n_kinds: int, classes: Sequence[int]
    ) -> tuple[_core.Grammar, dict[Symbols, int]]:
        """The grammar for the parser, and the numbers of root chains; ``classes`` are those of symbols, -1 for none."""
        labels, _ = self.bracket_labels(uncounted)
        roots = self.root_chains()
        kinds: list[list[tuple[int, int]]] = [[] for _ in range(n_kinds)]
        for (kind, tag), feature in self.words.items():
            kinds[kind].append((tag, feature))
        # Words of a kind that training never showed may be anything.
        anything = [(number, -1) for symbol, number in self.symbols.items() if symbol.kind == "tag"]
        kinds = [options or anything for options in kinds]
        tags, tag_begin = packed([[tag for tag, _ in options] for options in kinds])
        features, _ = packed([[feature for _, feature in options] for options in kinds])
        grammar = _core.Grammar(
            np.array(labels, np.int32),
            _table(self.rules, 4).ravel(),
            self._packed_chains(self.chains, labels, classes),
            self._packed_chains(roots, labels, classes),
            tags,
            features,
            tag_begin,
            self.n_features,
        )
        return grammar, roots

    def _packed_chains(
        self, chains: Iterable[Symbols], labels: list[int], classes: Sequence[int]
    ) -> tuple[Matrix, ...]:
        chains = list(chains)
        counted = [[labels[s] for s in chain[:-1] if labels[s] >= 0] for chain in chains]
        features = [[self.unaries[pair] for pair in pairwise(chain)] for chain in chains]
        bases = np.array([chain[-1] for chain in chains], np.int32)
        tops = np.array([chain[0] for chain in chains], np.int32)
        of_nodes = [[classes[s] for s in chain[:-1]] for chain in chains]
        return (bases, tops, *packed(counted), *packed(features), *packed(of_nodes))

    def parents_of_features(self) -> Matrix:
        """The left-hand side of the rule of every feature."""
        parents = np.zeros(self.n_features, np.int64)
        for key, feature in [*self.rules.items(), *self.unaries.items()]:
            parents[feature] = key[0]
        for (_, tag), feature in self.words.items():
            if feature >= 0:
                parents[feature] = tag
        return parents

    # -- copies ---------------------------------------------------------------------------------------------

    def to_state(self, numbers: Matrix) -> tuple[dict[str, Any], dict[str, Matrix]]:
        """A description for JSON, and arrays, where features have these numbers."""
        chains, chain_begin = packed(list(self.chains))
        return (
            {
                "symbols": [[s.kind, s.label, s.parent, list(s.history)] for s in self.symbols],
                "starts": [[list(start), count] for start, count in self.starts.items()],
                "n_features": int(numbers.max(initial=-1)) + 1,
            },
            {
                "rules": _renumbered(_table(self.rules, 4), numbers),
                "unaries": _renumbered(_table(self.unaries, 3), numbers),
                "words": _renumbered(_table(self.words, 3), numbers),
                "chains": chains,
                "chain_begin": chain_begin,
            },
        )

    def from_state(self, description: dict[str, Any], arrays: dict[str, Matrix]) -> None:
        """Take up what another book had met."""
        symbols = [_symbol(*parts) for parts in description["symbols"]]
        self.symbols = {symbol: number for number, symbol in enumerate(symbols)}
        self.starts = {tuple(start): count for start, count in description["starts"]}
        self.n_features = stored_whole(description, "n_features", 0, 2**31 - 1)
        tables = {
            name: stored(arrays, name, np.int32, None, width).tolist()
            for name, width in (("rules", 4), ("unaries", 3), ("words", 3))
        }
        self.rules = {(a, b, c): f for a, b, c, f in tables["rules"]}
        self._rule_numbers = {key: number for number, key in enumerate(self.rules)}
        self.unaries = {(a, b): f for a, b, f in tables["unaries"]}
        self.words = {(a, b): f for a, b, f in tables["words"]}
        chains = stored(arrays, "chains", np.int32, None).tolist()
        begin = stored(arrays, "chain_begin", np.int64, None).tolist()
        if begin != sorted(begin) or begin[:1] != [0] or begin[-1:] != [len(chains)]:
            raise ValueError("chains and chain_begin do not fit together")
        self.chains = {
            tuple(chains[first:last]): number for number, (first, last) in enumerate(pairwise(begin))
        }
        self._check(len(symbols), len(tables["rules"]), len(begin) - 1)

    def _check(self, n_symbols: int, n_rules: int, n_chains: int) -> None:
        """Raise a ValueError unless everything is there once, and made of known symbols and features."""
        if (len(self.symbols), len(self.rules), len(self.chains)) != (n_symbols, n_rules, n_chains):
            raise ValueError("symbols, rules and chains must be there once each")
        for name, keys in (
            ("rules", self.rules),
            ("unaries", self.unaries),
            ("chains", self.chains),
            ("starts", self.starts),
            ("words", [(tag,) for _, tag in self.words]),
        ):
            for key in keys:
                if not key or not all(type(s) is int and 0 <= s < n_symbols for s in key):
                    raise ValueError(f"{name} has an unknown symbol")
        heads = [number for symbol, number in self.symbols.items() if symbol.kind != "marker"]
        if not {child for symbol in self.symbols for child in symbol.history} <= set(heads):
            raise ValueError("symbols remember children that are not there")
        if not all(type(count) is int and count > 0 for count in self.starts.values()):
            raise ValueError("starts must be counts of trees")
        features = [
            *self.rules.values(),
            *self.unaries.values(),
            *(f for f in self.words.values() if f != -1),
        ]
        if not all(0 <= feature < self.n_features for feature in features):
            raise ValueError("rules, unaries and words must have features below n_features")


def _symbol(kind: Any, label: Any, parent: Any, history: Any) -> Symbol:
    if kind not in ("tag", "node", "marker") or type(label) is not str or type(parent) is not str:
        raise ValueError("symbols must have a kind, a label and the label of a parent")
    return Symbol(kind, label, parent, tuple(history))


class _Part(NamedTuple):
    """A child under way: its steps, and its unary nodes from the base upward."""

    steps: list[Step]
    chain: list[int]


def packed(lists: Sequence[Sequence[int]]) -> tuple[Matrix, Matrix]:
    """Lists one after the other, and where each begins."""
    return np.array([item for items in lists for item in items], np.int32), np.cumsum([0, *map(len, lists)])


def _table(numbers: dict[Any, int], width: int) -> Matrix:
    return np.array([(*key, feature) for key, feature in numbers.items()], np.int32).reshape(-1, width)


def _renumbered(table: Matrix, numbers: Matrix) -> Matrix:
    """The table with other numbers of features, where there are any."""
    features = table[:, -1]
    table[:, -1] = np.where(features >= 0, numbers[features] if len(numbers) else -1, -1)
    return table
