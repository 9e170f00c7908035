"""Trees from derivations: markers go, chains become unary nodes again."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hedgerow import _core
from hedgerow.data import Forest
from hedgerow.structured.grammar.rules import CHAIN, RULE, WORD, RuleBook


class TreeWriter:
    """Collects trees node by node in post-order."""

    def __init__(self) -> None:
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

    def forest(self) -> Forest:
        """All trees."""
        return Forest._wrap(
            _core.Forest.from_postorder(
                list(self.labels),
                np.array(self.ids, np.int32),
                np.array(self.arities, np.int32),
                np.array(self.sizes, np.int64),
            )
        )


class Restorer:
    """Writes the trees that derivations stand for."""

    def __init__(self, book: RuleBook, writer: TreeWriter):
        self.writer = writer
        self.symbols = list(book.symbols)
        self.parents = [parent for parent, _, _ in book.rules]
        self.chains = list(book.chains)
        self.roots = list(book.root_chains())

    def write(self, kinds: Sequence[int], ids: Sequence[int], words: Sequence[str]) -> None:
        """One tree over these words, from the steps of its derivation."""
        # How many children of a node the finished parts stand for: markers may hold several.
        children: list[int] = []
        word = 0
        for kind, number in zip(kinds, ids, strict=True):
            if kind == WORD:
                self.writer.node(words[word], 0)
                self.writer.node(self.symbols[number].label, 1)
                children.append(1)
                word += 1
            elif kind == RULE:
                symbol = self.symbols[self.parents[number]]
                together = children.pop() + children.pop()
                if symbol.kind == "node":
                    self.writer.node(symbol.label, together)
                    together = 1
                children.append(together)
            else:
                chain = self.chains[number] if kind == CHAIN else self.roots[number]
                for above in reversed(chain[:-1]):
                    self.writer.node(self.symbols[above].label, 1)
        self.writer.end_tree()
