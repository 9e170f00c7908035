"""Kernels on trees: complete subtrees, subset trees, partial trees and paths."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from hedgerow import _core
from hedgerow.checks import Bounds, Decay, Positive
from hedgerow.data import Forest, Records
from hedgerow.kernels.base import FeatureKernel, Kernel, Matrix, overflow
from hedgerow.kernels.combinations import only_column
from hedgerow.threads import resolve

FragmentSize = Annotated[int, Bounds(at_least=0, at_most=20)]


@dataclass(frozen=True)
class FragmentSearch:
    """How an expansion under a tree kernel is taken apart: native functions of collapsed trees and their weights."""

    kernel: Any  # the native kernel, or its parameter
    best: Callable[..., tuple[Any, ...]]  # finds the fragments with the largest weights or contributions
    node_values: Callable[..., Matrix]  # what the fragments that are rooted in each subtree of an example add
    bounds: Callable[..., Any] | None = (
        None  # makes what the search has to know about trees beforehand, if anything
    )


def _partial_search(kernel: _core.PartialTree) -> FragmentSearch:
    return FragmentSearch(
        kernel, _core.partial_tree_fragments, _core.partial_tree_node_values, _core.PartialTreeGrowth
    )


class _OnTrees(Kernel):
    """A kernel on trees: takes a `Forest`, a list of bracketed strings or of ``nltk.Tree``."""

    data_kind = "tree"

    def _prepare(self, X: Any) -> _core.Forest:
        if isinstance(X, Records):
            X = only_column(X, "tree", lambda column: isinstance(column, Forest))
        forest = X if isinstance(X, Forest) else Forest(X)
        return forest._native

    def _items(self, X: _core.Forest) -> _core.TreeItems:
        return _core.TreeItems(X)

    def _from_items(self, items: _core.TreeItems) -> Forest:
        return Forest._wrap(items.forest)


class TreeKernel(_OnTrees):
    """A kernel over fragments of any size, which are searched and not listed."""

    @property
    def _has_fragments(self) -> bool:
        return True

    @abstractmethod
    def _fragment_search(self) -> FragmentSearch:
        """How fragments are found in expansions."""


class _CollapsedTreeKernel(TreeKernel):
    """A tree kernel whose rows come from the collapsed native index."""

    def _index(self, ranking: str) -> _core.TreeIndex:
        self._check_params()
        return _core.TreeIndex(self._native(), ranking)

    @abstractmethod
    def _native(self) -> _core.SubsetTree | _core.PartialTree:
        """The native kernel with these parameters."""

    def _fill(self, X: Any, Y: Any, dtype: np.dtype[Any], n_jobs: int, normalized: bool) -> Matrix:
        K = np.empty((len(X), len(X if Y is None else Y)), dtype=dtype)
        if not self._native().gram(X, Y, K, normalized, n_jobs):
            raise overflow(dtype)
        return K

    def _gram(self, X: Any, Y: Any, dtype: np.dtype[Any], n_jobs: int) -> Matrix:
        return self._fill(X, Y, dtype, n_jobs, normalized=False)

    def _normalized_gram(self, X: Any, Y: Any, dtype: np.dtype[Any], n_jobs: int) -> Matrix:
        return self._fill(X, Y, dtype, n_jobs, normalized=True)

    def _diag(self, X: Any) -> Matrix:
        return self._native().diagonal(X, False, resolve(None))

    def _normalized_diag(self, X: Any) -> Matrix:
        return self._native().diagonal(X, True, resolve(None))


@dataclass(eq=False, repr=False)
class _FeatureTreeKernel(FeatureKernel, TreeKernel):
    """A tree kernel whose features are listed; the decay is its only parameter."""

    decay: Decay = 0.4


class SubTree(_FeatureTreeKernel):
    """Complete subtrees (ST): the subtrees that two trees share, each down to its leaves.

    A shared subtree counts ``decay`` to the power of its number of internal nodes. Subtrees are shared when
    they are the same throughout: a leaf and an internal node with its label differ.

    Parameters
    ----------
    decay : float, default 0.4
        The factor for every internal node of a subtree, above 0 and at most 1.

    References
    ----------
    S. Vishwanathan and A. Smola, Fast kernels for string and tree matching, 2003.

    Examples
    --------
    >>> from hedgerow.kernels import SubTree
    >>> SubTree(decay=0.5)(["(NP (D a) (N dog))", "(NP (D a) (N cat))"])
    array([[1.125, 0.5  ],
           [0.5  , 1.125]])
    """

    def _features(self, X: Any, Y: Any) -> _core.FeatureTable:
        return _core.subtree_features(X, Y, self.decay)

    def _model(self, normalized: bool = False) -> _core.KernelModel:
        self._check_params()
        return _core.subtree_model(self.decay, normalized)

    def _index(self, ranking: str) -> _core.TreeIndex:
        self._check_params()
        return _core.TreeIndex(self.decay, ranking)

    def _fragment_search(self) -> FragmentSearch:
        return FragmentSearch(self.decay, _core.subtree_fragments, _core.subtree_node_values)


class SubPath(_FeatureTreeKernel):
    """Paths (subpath kernel): the label sequences on the way from any node towards the root.

    A shared path counts ``decay`` to the power of its number of nodes. Time grows almost linearly with the
    number of nodes; in learners, which keep paths one by one, with the sum of their depths.

    Parameters
    ----------
    decay : float, default 0.4
        The factor for every node of a path, above 0 and at most 1.

    References
    ----------
    D. Kimura, T. Kuboyama, T. Shibuya and H. Kashima, A subpath kernel for rooted unordered trees, 2011.

    Examples
    --------
    >>> from hedgerow.kernels import SubPath
    >>> SubPath(decay=1.0)(["(A (B c))"], ["(A (B d))", "(B c)", "(D (A (B c)))"])
    array([[3., 3., 6.]])
    """

    def _features(self, X: Any, Y: Any) -> _core.FeatureTable:
        return _core.path_features(X, Y, self.decay)

    def _model(self, normalized: bool = False) -> _core.KernelModel:
        self._check_params()
        return _core.path_model(self.decay, normalized)

    def _as_partial_tree(self) -> _core.PartialTree:
        """A path is a fragment without siblings."""
        return _core.PartialTree(1.0, self.decay, True, 1, 1.0)

    def _index(self, ranking: str) -> _core.TreeIndex:
        self._check_params()
        return _core.TreeIndex(self._as_partial_tree(), ranking)

    @property
    def _skips_children(self) -> bool:
        return True

    def _fragment_search(self) -> FragmentSearch:
        return _partial_search(self._as_partial_tree())


@dataclass(eq=False, repr=False)
class Fragments(FeatureKernel, _OnTrees):
    """Short fragments: the number of different small pieces that two trees share.

    For large trees, such as programs: under kernels over fragments of any size, every tree resembles only itself,
    because it has so many fragments that no other tree has. A piece counts 1, however large it is and however often it
    occurs. Time grows linearly with the number of nodes. `hedgerow.feature_extraction.FragmentHasher` makes vectors of
    the same pieces, for learners on weights.

    Parameters
    ----------
    subtrees : int, default 3
        Nodes with everything below them, cut off after 1, 2, ... levels, up to this; at most 20, 0 for none.
    paths : int, default 4
        Chains of nodes downwards, of 1, 2, ... nodes, up to this; at most 20, 0 for none.
    leaves : int, default 3
        Neighbouring leaves, 1, 2, ..., up to this; at most 20, 0 for none. Of source code these are tokens.
    siblings : bool, default True
        Two neighbouring children, with their parent.

    Examples
    --------
    >>> from hedgerow.kernels import Fragments
    >>> Fragments(paths=1, leaves=0, siblings=False)(["(NP (D a) (N dog))", "(NP (D a) (N cat))"])
    array([[9., 6.],
           [6., 9.]])
    """

    subtrees: FragmentSize = 3
    paths: FragmentSize = 4
    leaves: FragmentSize = 3
    siblings: bool = True

    @property
    def _pieces(self) -> _core.ShortFragments:
        self._check_params()
        return _core.ShortFragments(self.subtrees, self.paths, self.leaves, self.siblings)

    @property
    def _has_features(self) -> bool:
        return True

    def _features(self, X: Any, Y: Any) -> _core.FeatureTable:
        return self._pieces.features(X, Y)

    def _model(self, normalized: bool = False) -> _core.KernelModel:
        return _core.short_fragment_model(self._pieces, normalized)

    def _check_params(self) -> None:
        super()._check_params()
        if not (self.subtrees or self.paths or self.leaves or self.siblings):
            raise ValueError("all families of fragments are left out; choose at least one")


@dataclass(eq=False, repr=False)
class SubsetTree(_CollapsedTreeKernel):
    """Subset trees (SST): fragments that take all or none of a node's children.

    A shared fragment counts ``decay`` to the power of its number of expanded nodes.

    Parameters
    ----------
    decay : float, default 0.4
        The factor for every expanded node of a fragment, above 0 and at most 1.
    bag_of_words : bool, default False
        Count leaves as features of their own too (SST-bow): each pair of equal leaves adds ``decay``.

    References
    ----------
    M. Collins and N. Duffy, New ranking algorithms for parsing and tagging: kernels over discrete
    structures, and the voted perceptron, 2002.

    Examples
    --------
    >>> from hedgerow.kernels import SubsetTree
    >>> SubsetTree(decay=1.0)(["(NP (D a) (N dog))", "(NP (D a) (N cat))"])
    array([[6., 3.],
           [3., 6.]])
    """

    decay: Decay = 0.4
    bag_of_words: bool = False

    def _native(self) -> _core.SubsetTree:
        return _core.SubsetTree(self.decay, self.bag_of_words)

    def _model(self, normalized: bool = False) -> _core.SubsetTreeModel:
        return _core.SubsetTreeModel(self._native(), normalized)

    def _fragment_search(self) -> FragmentSearch:
        return FragmentSearch(self._native(), _core.subset_tree_fragments, _core.subset_tree_node_values)


@dataclass(eq=False, repr=False)
class PartialTree(_CollapsedTreeKernel):
    """Partial trees (PT): fragments that may leave out any children of a node.

    Parameters
    ----------
    decay : float, default 0.4
        Lambda, above 0 and at most 1: penalises children that are skipped between two others.
    vertical_decay : float, default 0.4
        Mu, above 0 and at most 1: penalises depth.
    lexical : bool, default True
        Whether single nodes count as fragments; False gives the unlexicalised variant, uPT.
    max_length : int, optional
        Longest sequence of children that is matched; any length when not given (SVM-light-TK: 5).
    terminal_factor : float, default 1.0
        Multiplies matches of two leaves. A factor below 1 also holds for a leaf beside an internal node with
        its label, as the kernel would not be positive semi-definite otherwise.

    References
    ----------
    A. Moschitti, Efficient convolution kernels for dependency and constituent syntactic trees, 2006.

    Examples
    --------
    >>> from hedgerow.kernels import PartialTree
    >>> PartialTree(decay=1.0, vertical_decay=1.0)(["(NP (D a) (N dog))"], ["(NP (D a))", "(NP (N dog))"])
    array([[6., 6.]])
    """

    decay: Decay = 0.4
    vertical_decay: Decay = 0.4
    lexical: bool = True
    max_length: Annotated[int, Bounds(at_least=1, at_most=2**31 - 1)] | None = None
    terminal_factor: Positive = 1.0

    def _native(self) -> _core.PartialTree:
        return _core.PartialTree(
            self.decay, self.vertical_decay, self.lexical, self.max_length, self.terminal_factor
        )

    @property
    def _skips_children(self) -> bool:
        return True

    def _model(self, normalized: bool = False) -> _core.PartialTreeModel:
        return _core.PartialTreeModel(self._native(), normalized)

    def _fragment_search(self) -> FragmentSearch:
        return _partial_search(self._native())
