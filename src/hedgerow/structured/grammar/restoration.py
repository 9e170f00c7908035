"""Trees from derivations: markers go, chains become unary nodes again."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hedgerow import _core
from hedgerow.data import Forest
from hedgerow.structured.grammar.rules import CHAIN, RULE, WORD, RuleBook


class TreeWriter:
    """Collects the trees that derivations stand for, node by node in post-order."""

    def __init__(self, book: RuleBook) -> None:
        self.symbols = list(book.symbols)
        self.parents = [parent for parent, _, _ in book.rules]
        self.chains = list(book.chains)
        self.roots = list(book.root_chains())
        self.labels: dict[str, int] = {}
        self.ids: list[int] = []
        self.arities: list[int] = []
        self.sizes: list[int] = []
        self._begin = 0

    def node(self, label: str, n_children: int) -> None:
        """A node above the last ones."""
        self.ids.append(self.labels.setdefault(label, len(self.labels)))
        self.arities.append(n_children)

    def end_tree(self) -> None:
        """What was written since the last call is a tree, maybe an empty one."""
        self.sizes.append(len(self.ids) - self._begin)
        self._begin = len(self.ids)

    def write(self, kinds: Sequence[int], ids: Sequence[int], words: Sequence[str]) -> None:
        """One tree over these words, from the steps of its derivation."""
        # How many children of a node the finished parts stand for: markers may hold several.
        children: list[int] = []
        tokens = iter(words)
        for kind, number in zip(kinds, ids, strict=True):
            if kind == WORD:
                self.node(next(tokens), 0)
                self.node(self.symbols[number].label, 1)
                children.append(1)
            elif kind == RULE:
                symbol = self.symbols[self.parents[number]]
                together = children.pop() + children.pop()
                if symbol.kind == "node":
                    self.node(symbol.label, together)
                    together = 1
                children.append(together)
            else:
                chain = self.chains[number] if kind == CHAIN else self.roots[number]
                for above in reversed(chain[:-1]):
                    self.node(self.symbols[above].label, 1)
        self.end_tree()

    def forest(self) -> Forest:
        """All trees."""
        ids, arities = np.array(self.ids, np.int32), np.array(self.arities, np.int32)
        sizes = np.array(self.sizes, np.int64)
        return Forest._wrap(_core.Forest.from_postorder(list(self.labels), ids, arities, sizes))
