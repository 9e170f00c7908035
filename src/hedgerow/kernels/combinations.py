"""Kernels made of kernels: normalised, weighted, added, multiplied, on a column of Records."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import numpy as np

from hedgerow import _core
from hedgerow.checks import Positive
from hedgerow.data import Records
from hedgerow.data.frames import frame_column, is_frame
from hedgerow.kernels.base import Kernel, Matrix, Term, check_finite, inverse_root, out_of_range
from hedgerow.threads import resolve


class _Wrapper(Kernel):
    """A kernel around another, which does all that a subclass does not do differently."""

    kernel: Kernel

    def _check_params(self) -> None:
        super()._check_params()
        _check_kernel("kernel", self.kernel)

    def _prepare(self, X: Any) -> Any:
        return self.kernel._prepare(X)

    def _gram(self, X: Any, Y: Any, dtype: np.dtype[Any], n_jobs: int) -> Matrix:
        return self.kernel._gram(X, Y, dtype, n_jobs)

    def _diag(self, X: Any) -> Matrix:
        return self.kernel._diag(X)

    def _normalized_gram(self, X: Any, Y: Any, dtype: np.dtype[Any], n_jobs: int) -> Matrix:
        return self.kernel._normalized_gram(X, Y, dtype, n_jobs)

    def _normalized_diag(self, X: Any) -> Matrix:
        return self.kernel._normalized_diag(X)

    def _model(self, normalized: bool = False) -> _core.KernelModel:
        return self.kernel._model(normalized)

    def _items(self, X: Any) -> _core.Items:
        return self.kernel._items(X)

    def _from_items(self, items: Any) -> Any:
        return self.kernel._from_items(items)

    @property
    def _has_fragments(self) -> bool:
        return self.kernel._has_fragments

    @property
    def _has_features(self) -> bool:
        return self.kernel._has_features

    def _terms(self, items: Any, column: str = "") -> Iterator[Term]:
        yield from self.kernel._terms(items, column)


class Normalized(_Wrapper):
    """``K(x, y) / sqrt(K(x, x) K(y, y))``: every item has length 1; 0 where a self-kernel is 0.

    Parameters
    ----------
    kernel : Kernel

    Examples
    --------
    >>> from hedgerow.kernels import Normalized, SubsetTree
    >>> Normalized(SubsetTree())(["(NP (D a) (N dog))", "(NP (D a) (N cat))"]).round(3)
    array([[1.   , 0.606],
           [0.606, 1.   ]])
    """

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel

    def _leaves(self, normalized: bool = False) -> list[tuple[Kernel, bool]]:
        return self.kernel._leaves(normalized=True)

    # Normalising twice changes nothing, so nothing else differs.
    def _gram(self, X: Any, Y: Any, dtype: np.dtype[Any], n_jobs: int) -> Matrix:
        return self.kernel._normalized_gram(X, Y, dtype, n_jobs)

    def _diag(self, X: Any) -> Matrix:
        return self.kernel._normalized_diag(X)

    def _model(self, normalized: bool = False) -> _core.KernelModel:
        return self.kernel._model(normalized=True)

    def _index(self, ranking: str) -> _core.TreeIndex:
        self._check_params()
        return self.kernel._index("normalized")

    @property
    def _is_normalized(self) -> bool:
        return True

    @property
    def _skips_children(self) -> bool:
        return self.kernel._skips_children

    def _terms(self, items: Any, column: str = "") -> Iterator[Term]:
        if not (self.kernel._has_fragments or self.kernel._has_features):
            yield Term(self, items, np.ones(len(items)), column)  # there is nothing to take apart
            return
        factors = self._inverse_norms(items)
        for term in self.kernel._terms(items, column):
            yield term.scaled(factors)

    def _inverse_norms(self, items: Any) -> Matrix:
        """1 / sqrt(K(x, x)), or 0 where that is 0, of each item."""
        try:
            squares = self.kernel._model().self_kernel_batch(items, resolve(None))
        except OverflowError:
            raise out_of_range() from None
        ones = self._model().self_kernel_batch(items, resolve(None))
        if (squares[ones > 0] == 0).any():
            raise out_of_range()
        return inverse_root(squares)


class OnColumn(_Wrapper):
    """A kernel on one column of `Records`; ``kernel.on("name")`` makes it.

    Parameters
    ----------
    kernel : Kernel
    column : str
        The name of the column.

    Examples
    --------
    >>> from hedgerow import Records
    >>> from hedgerow.kernels import RBF, SubsetTree
    >>> records = Records(parse=["(NP (D a) (N dog))", "(NP (D a) (N cat))"], length=[[1.0], [2.0]])
    >>> kernel = SubsetTree(decay=1.0).on("parse") + RBF(gamma=1.0).on("length")
    >>> kernel(records).round(3)
    array([[7.   , 3.368],
           [3.368, 7.   ]])
    """

    def __init__(self, kernel: Kernel, column: str) -> None:
        self.kernel = kernel
        self.column = column

    def _check_params(self) -> None:
        super()._check_params()
        if not isinstance(self.column, str):
            raise TypeError(f"column must be the name of a column, got {self.column!r}")

    def _prepare(self, X: Any) -> Any:
        if isinstance(X, Records):
            return self.kernel._prepare(X[self.column])
        if is_frame(X):
            return self.kernel._prepare(frame_column(X, self.column))
        raise TypeError(
            f"a kernel on the column {self.column!r} takes Records or a data frame, got a {type(X).__name__}"
        )

    def __repr__(self) -> str:
        return f"{_grouped(self.kernel, Sum, Product, Weighted)}.on({self.column!r})"

    @property
    def _column(self) -> str:
        return self.column

    def _from_items(self, items: Any) -> Any:
        return Records({self.column: self.kernel._from_items(items)})

    def _terms(self, items: Any, column: str = "") -> Iterator[Term]:
        yield from self.kernel._terms(items, self.column)


class Weighted(_Wrapper):
    """A positive number times a kernel; ``0.6 * kernel`` makes it.

    Parameters
    ----------
    kernel : Kernel
    weight : float
        The factor, above 0.

    Examples
    --------
    >>> from hedgerow.kernels import Linear
    >>> (0.5 * Linear())([[1.0, 2.0]])
    array([[2.5]])
    """

    def __init__(self, kernel: Kernel, weight: Positive) -> None:
        self.kernel = kernel
        self.weight = weight

    def __repr__(self) -> str:
        return f"{float(self.weight)!r} * {_grouped(self.kernel, Sum, Product, Weighted)}"

    # Normalising cancels the weight.
    def _gram(self, X: Any, Y: Any, dtype: np.dtype[Any], n_jobs: int) -> Matrix:
        K = self.kernel._gram(X, Y, dtype, n_jobs)
        with np.errstate(over="ignore"):
            K *= dtype.type(self.weight)
        return check_finite(K)

    def _diag(self, X: Any) -> Matrix:
        with np.errstate(over="ignore"):
            return self.weight * self.kernel._diag(X)

    def _model(self, normalized: bool = False) -> _core.KernelModel:
        model = self.kernel._model(normalized)
        return model if normalized else _core.WeightedModel(model, self.weight)

    def _terms(self, items: Any, column: str = "") -> Iterator[Term]:
        for term in self.kernel._terms(items, column):
            yield term.scaled(np.sqrt(self.weight))


class _Pair(Kernel):
    """Two kernels on the same items."""

    _operation: ClassVar[np.ufunc]

    def __init__(self, left: Kernel, right: Kernel) -> None:
        self.left = left
        self.right = right

    def _check_params(self) -> None:
        _check_kernel("left", self.left)
        _check_kernel("right", self.right)

    def _prepare(self, X: Any) -> Any:
        return self.left._prepare(X), self.right._prepare(X)

    def _gram(self, X: Any, Y: Any, dtype: np.dtype[Any], n_jobs: int) -> Matrix:
        other = (None, None) if Y is None else Y
        K = self.left._gram(X[0], other[0], dtype, n_jobs)
        with np.errstate(over="ignore"):
            self._operation(K, self.right._gram(X[1], other[1], dtype, n_jobs), out=K)
        return check_finite(K)

    def _diag(self, X: Any) -> Matrix:
        with np.errstate(over="ignore", invalid="ignore"):
            diagonal: Matrix = self._operation(self.left._diag(X[0]), self.right._diag(X[1]))
        return diagonal

    def _items(self, X: Any) -> _core.Items:
        return _core.PairItems(self.left._items(X[0]), self.right._items(X[1]))

    def _from_items(self, items: Any) -> Any:
        """Records of all columns in use; of kernels on whole items what these are; else both parts."""
        left, right = self.left._from_items(items.left), self.right._from_items(items.right)
        if isinstance(left, Records) and isinstance(right, Records):
            return Records({name: part[name] for part in (left, right) for name in part.columns})
        # Given the same items, kernels of one kind see the same.
        return left if type(left) is type(right) else (left, right)


class Sum(_Pair):
    """The sum of two kernels; ``left + right`` makes it.

    Parameters
    ----------
    left, right : Kernel

    Examples
    --------
    >>> from hedgerow.kernels import Linear, Polynomial
    >>> (Linear() + Polynomial(degree=2))([[1.0, 2.0]])
    array([[41.]])
    """

    _operation = np.add

    def __repr__(self) -> str:
        return f"{self.left!r} + {_grouped(self.right, Sum)}"

    def _native_model(self) -> _core.KernelModel:
        return _core.SumModel(self.left._model(), self.right._model())

    @property
    def _has_fragments(self) -> bool:
        return self.left._has_fragments or self.right._has_fragments

    @property
    def _has_features(self) -> bool:
        return self.left._has_features or self.right._has_features

    def _terms(self, items: Any, column: str = "") -> Iterator[Term]:
        yield from self.left._terms(items.left, column)
        yield from self.right._terms(items.right, column)


class Product(_Pair):
    """The product of two kernels; ``left * right`` makes it.

    Parameters
    ----------
    left, right : Kernel

    Examples
    --------
    >>> from hedgerow.kernels import Linear, Polynomial
    >>> (Linear() * Polynomial(degree=2))([[1.0, 2.0]])
    array([[180.]])
    """

    _operation = np.multiply

    def __repr__(self) -> str:
        return f"{_grouped(self.left, Sum)} * {_grouped(self.right, Sum, Product, Weighted)}"

    def _model(self, normalized: bool = False) -> _core.KernelModel:
        return _core.ProductModel(self.left._model(normalized), self.right._model(normalized))

    # The normalised product is the product of the normalised, whose values are never too large.
    def _normalized_gram(self, X: Any, Y: Any, dtype: np.dtype[Any], n_jobs: int) -> Matrix:
        other = (None, None) if Y is None else Y
        K = self.left._normalized_gram(X[0], other[0], dtype, n_jobs)
        K *= self.right._normalized_gram(X[1], other[1], dtype, n_jobs)
        return K

    def _normalized_diag(self, X: Any) -> Matrix:
        return self.left._normalized_diag(X[0]) * self.right._normalized_diag(X[1])


def only_column(records: Records, kind: str, accepts: Callable[[Any], bool]) -> Any:
    """The one column that ``accepts`` takes, for a kernel that was not told which; an error names the columns."""
    fitting = [name for name in records.columns if accepts(records[name])]
    if len(fitting) != 1:
        count = "no" if not fitting else "more than one"
        raise ValueError(
            f"the Records have {count} {kind} column; choose one of the columns "
            f'{", ".join(map(repr, records.columns))} with kernel.on("name")'
        )
    return records[fitting[0]]


def _grouped(kernel: Kernel, *weaker: type[Kernel]) -> str:
    """The kernel as part of an expression, in parentheses where that binds it less."""
    return f"({kernel!r})" if isinstance(kernel, weaker) else repr(kernel)


def _check_kernel(name: str, kernel: object) -> None:
    if not isinstance(kernel, Kernel):
        raise TypeError(f"{name} must be a hedgerow kernel, got {kernel!r}")
    kernel._check_params()
