"""One tree of a forest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hedgerow import _core

if TYPE_CHECKING:
    from hedgerow.data.forest import Forest


class Tree:
    """One labelled ordered tree, as ``forest[i]`` gives it.

    It is deliberately not a sequence, so that numpy keeps it whole in an object array.

    Parameters
    ----------
    tree : str, Tree or nltk.Tree
        See `Forest`.

    Examples
    --------
    >>> from hedgerow import Forest
    >>> tree = Forest(["(S (NP (D the) (N dog)) (VP (V barks)))"])[0]
    >>> tree.label, tree.n_nodes, tree.leaves()
    ('S', 9, ['the', 'dog', 'barks'])
    >>> tree.children()[1]
    Tree('(VP (V barks))')
    """

    __slots__ = ("_native",)

    _native: _core.Forest  # a forest of this tree only, which may share the vocabulary of a large one

    def __init__(self, tree: Any) -> None:
        from hedgerow.data.forest import single_tree  # a tree and a forest know each other

        self._native = single_tree(tree)

    @classmethod
    def _wrap(cls, native: _core.Forest) -> Tree:
        tree = cls.__new__(cls)
        tree._native = native
        return tree

    @property
    def n_nodes(self) -> int:
        """Number of nodes, leaves included; 0 for an empty tree."""
        return self._native.n_nodes

    @property
    def label(self) -> str | None:
        """The root's label; None for an empty tree."""
        names = self._names()
        return names[-1] if names else None

    def _names(self) -> list[str]:
        """Labels of the nodes in post-order."""
        native = self._native.compact()
        labels = native.labels()
        return [labels[i] for i in native.label_of_node()]

    def leaves(self) -> list[str]:
        """Labels of the leaves, from left to right."""
        return [name for name, arity in zip(self._names(), self._native.arity(), strict=True) if arity == 0]

    def children(self) -> list[Tree]:
        """The subtrees under the root."""
        below = self._native.subtrees_of_root(0)
        return [Tree._wrap(below.select(np.array([i], dtype=np.int64))) for i in range(len(below))]

    def to_brackets(self) -> str:
        """The tree in brackets; see `Forest.to_brackets`."""
        return _forest(self).to_brackets()[0]

    def to_nltk(self) -> Any:
        """The tree as an ``nltk.Tree``."""
        return _forest(self).to_nltk()[0]

    def __str__(self) -> str:
        return _forest(self).to_brackets(replace_space="_")[0]

    def __repr__(self) -> str:
        return f"Tree({str(self)!r})"

    def _repr_html_(self) -> str:
        from hedgerow.data.tree_svg import tree_svg  # which draws trees

        return f'<div style="overflow-x:auto">{tree_svg(self)}</div>'

    def __eq__(self, other: object) -> bool:
        return self._native == other._native if isinstance(other, Tree) else NotImplemented

    def __hash__(self) -> int:
        return hash((tuple(self._names()), self._native.arity().tobytes()))

    def __reduce__(self) -> tuple[Any, ...]:
        return _first_tree, (_forest(self),)


def _forest(tree: Tree) -> Forest:
    from hedgerow.data.forest import Forest

    return Forest._wrap(tree._native)


def _first_tree(forest: Any) -> Tree:
    tree: Tree = forest[0]
    return tree
