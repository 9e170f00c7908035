"""Kernel: what two items share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import Any, ClassVar, NamedTuple

import numpy as np
from sklearn import get_config

from hedgerow import _core
from hedgerow.parameters import REQUIRED, Estimator, parameters_of
from hedgerow.registry import DataKind
from hedgerow.threads import resolve

Matrix = np.ndarray[Any, np.dtype[Any]]


class Kernel(Estimator):
    """A symmetric, positive semi-definite function of two items.

    Call it on one or two collections of items for a matrix of kernel values. Kernels combine with ``+``,
    ``*`` and a positive number, and ``.on("column")`` applies one to a column of `Records`. Parameters are
    read and set as in scikit-learn (``get_params``, ``set_params``, ``clone``), nested ones too.

    A kernel of your own stores its parameters in ``__init__`` and has a method `compute`, which gives the kernel values
    of all pairs of two collections. All learners and combinations of kernels take it; they call back into Python for
    rows of kernel values, so they are slower than with hedgerow's own kernels. `compute_diag` may give the self-kernels
    faster, ``_check_params`` may refuse bad parameters, and ``_prepare`` may turn a collection of items once into
    what `compute` takes: an array, a sparse matrix, a Forest, Records or a list with as many entries.
    `hedgerow.testing.check_kernel` finds out whether it keeps what kernels promise.

    Examples
    --------
    >>> from hedgerow.kernels import Normalized, PartialTree, SubsetTree
    >>> trees = ["(NP (D a) (N dog))", "(NP (D a) (N cat))"]
    >>> kernel = Normalized(SubsetTree()) + 0.5 * Normalized(PartialTree())
    >>> kernel(trees).round(3)
    array([[1.5  , 0.993],
           [0.993, 1.5  ]])
    >>> kernel.diag(trees)
    array([1.5, 1.5])
    >>> kernel.set_params(left__kernel__decay=0.2).get_params()["left__kernel__decay"]
    0.2

    A kernel of your own, which counts common words, and a learner that uses it:

    >>> from hedgerow.kernels import Kernel
    >>> from hedgerow.online import Perceptron
    >>> class CommonWords(Kernel):
    ...     def compute(self, X, Y):
    ...         return [[len(set(x.split()) & set(y.split())) for y in Y] for x in X]
    >>> texts = ["a dog barks", "a cat sleeps", "the dog runs"]
    >>> Perceptron(Normalized(CommonWords())).fit(texts, ["dog", "cat", "dog"]).predict(["one dog runs"])
    array(['dog'], dtype='<U3')
    """

    data_kind: ClassVar[DataKind | None] = None  # what it compares, where files may hold such

    def __call__(self, X: Any, Y: Any = None, dtype: Any = np.float64, n_jobs: int | None = None) -> Matrix:
        """The kernel values of all pairs: an array of shape (len(X), len(Y)).

        Parameters
        ----------
        X, Y : collections of items; Y is X when it is not given
        dtype : numpy.float64 or numpy.float32
            float64 computes in double precision, float32 in single where that keeps the relative error below
            1e-5, in double elsewhere.
        n_jobs : int, optional
            Number of threads; see `hedgerow.set_n_jobs`. The result does not depend on it.

        Raises
        ------
        OverflowError
            When a value is too large for the dtype; those of a `Normalized` kernel never are, but a sum
            inside needs its terms first: normalise these.
        """
        self._check_params()
        scalar = np.dtype(dtype)
        if scalar not in (np.float64, np.float32):
            raise ValueError(f"dtype must be numpy.float64 or numpy.float32, got {dtype!r}")
        left = self._prepare(X)
        right = None if Y is None or Y is X else self._prepare(Y)
        return self._gram(left, right, scalar, resolve(n_jobs))

    def diag(self, X: Any) -> Matrix:
        """The kernel of each item with itself."""
        self._check_params()
        return check_finite(self._diag(self._prepare(X)))

    # -- what a kernel of your own defines ------------------------------------------------------------------

    def compute(self, X: Any, Y: Any) -> Any:
        """The kernel values of all pairs: an array of shape (len(X), len(Y)).

        Collections are never empty, and as they were given, or as ``_prepare`` has made them: both arrays, CSR
        matrices, Forests, Records or lists.
        """
        raise NotImplementedError(
            f"{type(self).__name__} has no method compute(X, Y), which every kernel needs"
        )

    def compute_diag(self, X: Any) -> Any:
        """The kernel of each item with itself; by default `compute` is asked item by item."""
        items = batches.Batch(X)
        ones = [items.select(np.array([i])).items for i in range(len(items))]
        return [np.asarray(self.compute(one, one)).item() for one in ones]

    # -- what a kernel is made of; those of hedgerow replace these ------------------------------------------

    # Whether features of vectors that no other item has change nothing, as long as lengths do not matter.
    _ignores_unseen: ClassVar[bool] = False

    @property
    def _column(self) -> str | None:
        """The column of Records that it looks at, if it names one."""
        return None

    @property
    def _parts(self) -> dict[str, Kernel]:
        """The kernels among its parameters."""
        own = self.get_params(deep=False)
        return {name: value for name, value in own.items() if isinstance(value, Kernel)}

    def _leaves(self, normalized: bool = False) -> list[tuple[Kernel, bool]]:
        """The kernels that it is made of, each with whether it is normalised."""
        leaves = [leaf for part in self._parts.values() for leaf in part._leaves(normalized)]
        return leaves or [(self, normalized)]

    def _prepare(self, X: Any) -> Any:
        """The items in the form that the other methods take; raises when they are of the wrong kind."""
        return batches.as_collection(X)

    def _gram(self, X: Any, Y: Any, dtype: np.dtype[Any], n_jobs: int) -> Matrix:
        """Kernel values of prepared items, all finite; Y is None for X against itself."""
        Y = X if Y is None else Y
        shape = (batches.number_of(X), batches.number_of(Y))
        values = self.compute(X, Y) if 0 not in shape else np.zeros(shape)
        return self._checked("compute", values, shape).astype(dtype, copy=False)

    def _diag(self, X: Any) -> Matrix:
        """Self-kernels of prepared items, float64."""
        shape = (batches.number_of(X),)
        return self._checked("compute_diag", self.compute_diag(X), shape)

    def _checked(self, method: str, given: Any, shape: tuple[int, ...]) -> Matrix:
        """What a method of the kernel has given, if it is what was asked for."""
        values = np.ascontiguousarray(
            given.toarray() if hasattr(given, "toarray") else given, dtype=np.float64
        )
        if values.shape != shape:
            raise ValueError(
                f"{type(self).__name__}.{method} gave an array of shape {values.shape}, expected {shape}"
            )
        if np.isnan(values).any():
            raise ValueError(f"{type(self).__name__}.{method} gave a value that is not a number")
        return check_finite(values)

    def _normalized_gram(self, X: Any, Y: Any, dtype: np.dtype[Any], n_jobs: int) -> Matrix:
        """``K(x, y) / sqrt(K(x, x) K(y, y))``, 0 where a self-kernel is 0."""
        K = self._gram(X, Y, np.dtype(np.float64), n_jobs)
        left = inverse_root(self._diag(X))
        right = left if Y is None else inverse_root(self._diag(Y))
        for row, factor in zip(K, left, strict=True):
            row *= factor * right  # in this order K stays symmetric to the last bit
        if Y is None:
            np.fill_diagonal(K, (left > 0).astype(np.float64))
        return K.astype(dtype, copy=False)

    def _normalized_diag(self, X: Any) -> Matrix:
        return (self._diag(X) > 0).astype(np.float64)

    # -- expansions: sums over supports, which learners keep natively --------------------------------------

    def _model(self, normalized: bool = False) -> _core.KernelModel:
        """An empty native model of expansions under this kernel, or under the normalised one."""
        model = self._native_model()
        return _core.NormalizedModel(model) if normalized else model

    def _native_model(self) -> _core.KernelModel:
        """That under this kernel, if the native code has none that is normalised already."""
        return _core.CallbackModel(batches.BatchKernel(self))

    def _items(self, X: Any) -> _core.Items:
        """Prepared items in the form that the native model takes."""
        return _core.PythonItems(batches.Batch(X))

    def _from_items(self, items: Any) -> Any:
        """Items of the native model in a form that users know."""
        return items.batch.items

    # -- indices of trees -----------------------------------------------------------------------------------

    def _index(self, ranking: str) -> _core.TreeIndex:
        """An empty native index by this kernel: nearest by "distance", or largest by "kernel"."""
        raise TypeError(
            f"an index takes SubTree, SubsetTree, PartialTree, SubPath, or Normalized of one of these, got {self!r}"
        )

    # -- expansions taken apart, for inspection -------------------------------------------------------------

    @property
    def _is_normalized(self) -> bool:
        """Whether every item has length 1 by construction."""
        return False

    @property
    def _skips_children(self) -> bool:
        """Whether its fragments may leave out some of a node's children."""
        return False

    @property
    def _has_fragments(self) -> bool:
        """Whether some term is a tree kernel, which is a sum over fragments."""
        return False

    @property
    def _has_features(self) -> bool:
        """Whether some term is a dot product: a sum over features of vectors, or over pieces of trees."""
        return False

    @property
    def _pieces(self) -> _core.ShortFragments | None:
        """What lists its features, if these are pieces of trees."""
        return None

    def _terms(self, items: Any, column: str = "") -> Iterator[Term]:
        """The kernels that this one is a sum of, with native items and a factor for each item: the factors of two
        items times the term is what it adds to the kernel."""
        yield Term(self, items, np.ones(len(items)), column)

    # -- combinations ---------------------------------------------------------------------------------------

    def on(self, column: str) -> Kernel:
        """This kernel on the named column of `Records`."""
        return combinations.OnColumn(self, column)

    def __add__(self, other: object) -> Kernel:
        return combinations.Sum(self, other) if isinstance(other, Kernel) else NotImplemented

    def __mul__(self, other: object) -> Kernel:
        if isinstance(other, Kernel):
            return combinations.Product(self, other)
        if isinstance(other, int | float | np.number):
            return combinations.Weighted(self, float(other))
        return NotImplemented

    __rmul__ = __mul__

    def __repr__(self) -> str:
        """The expression that makes it, in Python and for `parse_kernel`; parameters with their defaults are left out,
        as scikit-learn does."""
        kind: Any = type(self)
        changed_only = get_config()["print_changed_only"]
        shown = []
        for name, parameter in parameters_of(kind).items():
            value = getattr(self, name)
            value = value.item() if isinstance(value, np.generic) else value
            if isinstance(value, Kernel) and parameter.default is REQUIRED:
                shown.append(repr(value))
            elif not changed_only or repr(value) != repr(parameter.default):
                shown.append(f"{name}={value!r}")
        return f"{type(self).__name__}({', '.join(shown)})"


class FeatureKernel(Kernel):
    """A kernel whose features are listed natively."""

    @abstractmethod
    def _features(self, X: Any, Y: Any) -> _core.FeatureTable:
        """Features of the items of X, then those of Y unless it is None."""

    def _gram(self, X: Any, Y: Any, dtype: np.dtype[Any], n_jobs: int) -> Matrix:
        K: Matrix = np.empty((len(X), len(X if Y is None else Y)), dtype)
        self._features(X, Y).gram(None if Y is None else len(X), K, n_jobs)
        return check_finite(K)

    def _diag(self, X: Any) -> Matrix:
        return self._features(X, None).diagonal()


class Term(NamedTuple):
    """A kernel that is added to others: its items, a factor for each, and the column that it looks at."""

    kernel: Any
    items: Any
    factors: Matrix
    column: str

    def scaled(self, by: Matrix | float) -> Term:
        return self._replace(factors=by * self.factors)


def inverse_root(diagonal: Matrix) -> Matrix:
    roots = np.sqrt(diagonal)
    return np.divide(1.0, roots, out=np.zeros_like(roots), where=roots > 0)


def check_finite(values: Matrix) -> Matrix:
    """The values, or an OverflowError when one of them is too large for its type."""
    # A finite sum has finite terms; the sum is cheap and the closer look is rarely needed.
    with np.errstate(over="ignore", invalid="ignore"):
        suspicious = not np.isfinite(values.sum())
    if suspicious and not np.isfinite(values).all():
        raise overflow(values.dtype)
    return values


def overflow(dtype: np.dtype[Any]) -> OverflowError:
    return OverflowError(
        f"a kernel value is too large for {dtype}; use Normalized(kernel), smaller parameters (decay, degree, scale, "
        "offset) or, for float32, dtype=numpy.float64"
    )


def out_of_range() -> OverflowError:
    """For sums over fragments."""
    return OverflowError(
        "kernel values of these trees are beyond the range of doubles, so that no fragment of them can be told from "
        "nothing; another decay brings them back"
    )


# These are about kernels, and kernels use them: only one of the two can come first.
from hedgerow.kernels import batches, combinations  # noqa: E402
