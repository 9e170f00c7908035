"""An index of trees, in the form of scikit-learn's neighbours."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Annotated, Any, Literal, NamedTuple, Self

import numpy as np
from scipy import sparse

from hedgerow import _core
from hedgerow.checks import Bounds, check_choice, check_number, check_whole
from hedgerow.data import Forest, FormatError
from hedgerow.kernels.base import Kernel, Matrix
from hedgerow.kernels.precomputed import check_kernel
from hedgerow.locks import reads, writes
from hedgerow.models.native_estimator import NativeEstimator
from hedgerow.neighbors.shared_fragments import SharedFragment, shared_fragments
from hedgerow.persistence import load, save
from hedgerow.threads import resolve

_ANY = 2**63 - 1
_ROUNDING = 4e-15


class _Found(NamedTuple):
    begin: Matrix  # where the neighbours of each tree start
    numbers: Matrix
    values: Matrix  # distances or similarities
    compared: int  # pairs of trees


@dataclass(eq=False, repr=False)
class TreeIndex(NativeEstimator):
    """Finds the nearest neighbours of trees under a tree kernel, exactly.

    Lists of trees by groups of fragments bound what two trees can share, as search engines do with words, so that most
    trees are never looked at. What is found equals what a full row of kernel values would give, in the same order; of
    trees with equal values, the one that was added first comes first. (Rows of `SubPath` depend in their last digits on
    the other trees, so there the order may differ where values are equal but for rounding.)

    Trees are numbered as they come, from 0 on. The numbers of removed trees are not used again.

    Parameters
    ----------
    kernel : SubTree, SubsetTree, PartialTree or SubPath, or `Normalized` of one of these
    measure : {"distance", "similarity"}, default="distance"
        What is returned, and what "near" means. The distance is that of the kernel's feature space,
        ``sqrt(k(x, x) + k(y, y) - 2 k(x, y))``, with a normalised kernel ``sqrt(2 - 2 k(x, y))``; the smallest come
        first. The similarity is the kernel's value itself, which tells far trees apart where distances are all alike;
        the largest come first.
    n_neighbors : int, default=5
        How many neighbours `kneighbors` finds when it is not told.
    radius : float, default=1.0
        How far away those may be that `radius_neighbors` finds when it is not told: the largest distance, or the
        smallest similarity.
    n_jobs : int or None, default=None
        Threads; see `hedgerow.set_n_jobs`. Results do not depend on it.

    Attributes
    ----------
    n_samples_fit_ : int
        Trees that the index holds.
    numbers_ : array
        The numbers of these trees.

    Examples
    --------
    >>> from hedgerow.kernels import Normalized, SubsetTree
    >>> from hedgerow.neighbors import TreeIndex
    >>> trees = ["(S (NP Mary) (VP sings))", "(S (NP John) (VP sleeps))", "(NP (D the) (N dog))"]
    >>> index = TreeIndex(Normalized(SubsetTree()), measure="similarity").fit(trees)
    >>> similarities, numbers = index.kneighbors(["(S (NP Mary) (VP sleeps))"], 2)
    >>> similarities.round(2).tolist(), numbers.tolist()
    ([[0.61, 0.61]], [[0, 1]])
    """

    kernel: Kernel
    measure: Literal["distance", "similarity"] = "distance"
    n_neighbors: Annotated[int, Bounds(at_least=1)] = 5
    radius: Annotated[float, Bounds()] = 1.0
    n_jobs: int | None = None

    # -- trees ----------------------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any = None) -> Self:
        """Index these trees and no others."""
        native = self._make_native()
        native.add(self._items(X), resolve(self.n_jobs))
        with self._lock.writing:
            self._native = native
        return self

    @writes
    def add(self, X: Any) -> Matrix:
        """Index further trees, and return their numbers."""
        native = self._fitted()
        first = native.slots
        native.add(self._items(X), resolve(self.n_jobs))
        return np.arange(first, native.slots)

    @writes
    def remove(self, numbers: Any) -> Self:
        """Remove the trees with these numbers; an IndexError, before any is removed, if one is not there."""
        self._fitted().remove(_whole_numbers(numbers))
        return self

    def __len__(self) -> int:
        return len(self._fitted())

    @property
    def n_samples_fit_(self) -> int:
        """Trees that the index holds."""
        return len(self)

    @property
    def numbers_(self) -> Matrix:
        """The numbers of the trees that the index holds, in order."""
        numbers: Matrix = self._fitted().numbers()
        return numbers

    def trees(self, numbers: Any) -> Forest:
        """The trees with these numbers."""
        return Forest._wrap(self._fitted().trees(_whole_numbers(numbers)).forest)

    # -- neighbours -----------------------------------------------------------------------------------------

    @reads
    def kneighbors(self, X: Any = None, n_neighbors: int | None = None, return_distance: bool = True) -> Any:
        """The nearest trees of each tree.

        Parameters
        ----------
        X : trees, optional
            By default the trees of the index, which are not their own neighbours.
        n_neighbors : int, optional
            By default the constructor's.
        return_distance : bool, default=True

        Returns
        -------
        distances : array of (n_queries, n_neighbors)
            Or similarities: see ``measure``. Only if ``return_distance``.
        numbers : array of (n_queries, n_neighbors)
            The numbers of the neighbours, the nearest first.
        """
        most = self.n_neighbors if n_neighbors is None else n_neighbors
        check_whole("n_neighbors", most, at_least=1)
        there = len(self) - (X is None)
        if most > there:
            raise ValueError(
                f"Expected n_neighbors <= n_samples_fit, but n_neighbors = {most}, n_samples_fit = {len(self)}"
                + (", and a tree is not its own neighbour" if X is None else "")
            )
        found = self._find(X, most, -np.inf, np.inf)
        numbers = found.numbers.reshape(-1, most)
        return (found.values.reshape(-1, most), numbers) if return_distance else numbers

    @reads
    def radius_neighbors(
        self, X: Any = None, radius: float | None = None, return_distance: bool = True
    ) -> Any:
        """The trees that are near enough to each tree, the nearest first.

        Parameters
        ----------
        X : trees, optional
            By default the trees of the index, which are not their own neighbours.
        radius : float, optional
            The largest distance, or the smallest similarity; by default the constructor's.
        return_distance : bool, default=True

        Returns
        -------
        distances : array of (n_queries,), each an array
            Or similarities: see ``measure``. Only if ``return_distance``.
        numbers : array of (n_queries,), each an array
        """
        found = self._within(X, radius)
        numbers = _pieces(found.begin, found.numbers)
        return (_pieces(found.begin, found.values), numbers) if return_distance else numbers

    @reads
    def kneighbors_graph(
        self,
        X: Any = None,
        n_neighbors: int | None = None,
        mode: Literal["connectivity", "distance"] = "connectivity",
    ) -> Any:
        """The nearest trees as a sparse matrix of queries by numbers: 1, or with ``mode="distance"`` the measure."""
        check_choice("mode", mode, ("connectivity", "distance"))
        values, numbers = self.kneighbors(X, n_neighbors)
        n, most = numbers.shape
        data = values.ravel() if mode == "distance" else np.ones(n * most)
        begin = np.arange(0, n * most + 1, most) if n else np.zeros(1, dtype=np.intp)
        return sparse.csr_matrix((data, numbers.ravel(), begin), shape=(n, self._fitted().slots))

    @reads
    def explain_pair(self, a: Any, b: Any, n_largest: int = 10) -> list[SharedFragment]:
        """The fragments that two trees share, heaviest first, with their places in both.

        Parameters
        ----------
        a, b : trees, or numbers of trees of the index
        n_largest : int, default=10

        Examples
        --------
        >>> from hedgerow.kernels import SubsetTree
        >>> from hedgerow.neighbors import TreeIndex
        >>> index = TreeIndex(SubsetTree(decay=0.5)).fit(["(S (NP Mary) (VP sings))"])
        >>> for shared in index.explain_pair(0, "(S (NP John) (VP sings))"):
        ...     print(f"{shared.weight:.2f} {shared.tree}", shared.places)
        0.50 (VP sings) ((3,), (3,))
        0.50 (S NP VP) ((4,), (4,))
        0.25 (S NP (VP sings)) ((4,), (4,))
        """
        check_whole("n_largest", n_largest, at_least=1)
        return shared_fragments(self.kernel, self._one(a), self._one(b), n_largest)

    def _one(self, tree: Any) -> Forest:
        if isinstance(tree, int | np.integer):
            return self.trees([int(tree)])
        forest = tree if isinstance(tree, Forest) else Forest(tree if isinstance(tree, list) else [tree])
        if len(forest) != 1:
            raise ValueError(f"explain_pair takes two trees, got {len(forest)} in place of one")
        return forest

    def _within(self, X: Any, radius: float | None) -> _Found:
        limit = self.radius if radius is None else radius
        check_number("radius", limit)
        if self.measure == "similarity":
            return self._find(X, _ANY, limit, np.inf)
        if limit < 0:
            raise ValueError(f"radius must be at least 0 for distances, got {limit}")
        # A little more natively, since roots are rounded; then what is within the radius as it is returned.
        wider = limit * (1 + 1e-9) + 1e-7
        found = self._find(X, _ANY, 1 - wider**2 / 2 if self._normalized else -np.inf, wider)
        near = found.values <= limit
        kept = np.concatenate([[0], np.cumsum(near)])
        return _Found(kept[found.begin], found.numbers[near], found.values[near], found.compared)

    @reads
    def _near(self, numbers: Matrix, similarity: float) -> _Found:
        """The trees with at least this similarity to trees of the index."""
        native = self._fitted()
        begin, found, scores, _, compared = native.neighbors_of(
            numbers, _ANY, similarity, np.inf, resolve(self.n_jobs)
        )
        return _Found(begin, found, scores, compared)

    def _find(self, X: Any, most: int, least: float, radius: float) -> _Found:
        native, jobs = self._fitted(), resolve(self.n_jobs)
        if X is None:
            answer = native.neighbors_of(native.numbers(), most, least, radius, jobs)
        else:
            answer = native.neighbors(self._items(X), most, least, radius, jobs)
        begin, numbers, scores, selves, compared = answer
        if self.measure == "similarity":
            return _Found(begin, numbers, scores, compared)
        own = np.repeat(np.full(len(selves), 2.0) if self._normalized else selves, np.diff(begin))
        squares = own - (2 * scores if self._normalized else scores)
        squares[squares < _ROUNDING * own] = 0.0  # equal trees, but for rounding
        return _Found(begin, numbers, np.sqrt(squares), compared)

    # -- the native index -----------------------------------------------------------------------------------

    @property
    def _normalized(self) -> bool:
        return self.kernel._is_normalized

    def _items(self, X: Any) -> _core.Items:
        items: _core.Items = self.kernel._items(self.kernel._prepare(X))
        return items

    def _make_native(self) -> _core.TreeIndex:
        self._check_params()
        return self.kernel._index("kernel" if self.measure == "similarity" else "distance")

    def _take_native(self, arrays: dict[str, Any]) -> None:
        native = self._make_native()
        native.load(arrays, resolve(self.n_jobs))
        self._native = native

    def _check_params(self) -> None:
        super()._check_params()
        check_kernel(self.kernel, precomputed=False)
        if self.kernel is None:
            raise TypeError("kernel must be a tree kernel, got None")

    # -- files ----------------------------------------------------------------------------------------------

    @reads
    def _to_state(self) -> tuple[dict[str, Any], dict[str, Matrix]]:
        return {}, self._fitted().save()

    def _from_state(self, description: dict[str, Any], arrays: dict[str, Matrix]) -> Self:
        self._take_native(arrays)
        return self

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the index to a file; the same as `hedgerow.save`."""
        save(self, path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> TreeIndex:
        """Read an index that `save` wrote; a FormatError for any other file."""
        index = load(path)
        if not isinstance(index, cls):
            raise FormatError(f"a {type(index).__name__}, not a TreeIndex", path=os.fspath(path))
        return index

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.no_validation = True
        return tags


def _whole_numbers(numbers: Any) -> Matrix:
    given = np.atleast_1d(np.asarray(numbers))
    if given.size and given.dtype.kind not in "iu":
        raise TypeError(f"numbers of trees must be whole, got {given.dtype}")
    if given.ndim != 1:
        raise ValueError(f"numbers of trees must be a list, got {given.ndim} dimensions")
    return np.ascontiguousarray(given, dtype=np.int64)


def _pieces(begin: Matrix, values: Matrix) -> Matrix:
    pieces = np.empty(len(begin) - 1, dtype=object)
    for i in range(len(pieces)):
        pieces[i] = values[begin[i] : begin[i + 1]]
    return pieces
