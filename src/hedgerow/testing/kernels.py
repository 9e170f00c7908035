"""What every kernel promises."""

from __future__ import annotations

import pickle
from collections.abc import Collection
from typing import Any

import numpy as np
from sklearn.base import clone

from hedgerow.kernels import Kernel, Normalized
from hedgerow.kernels.base import Matrix, inverse_root
from hedgerow.kernels.batches import as_collection, number_of
from hedgerow.models import Expansion
from hedgerow.online import Perceptron
from hedgerow.testing.contracts import Contracts, contract, expect, expect_close, take, unchanged

ROUNDING = 1e-9


def check_kernel(kernel: Kernel, X: Any, *, skip: Collection[str] = ()) -> None:
    """Check the contracts of a kernel, on example items.

    The kernel is symmetric, positive semi-definite and the same whatever else is computed with it; it can be cloned,
    pickled, normalised, added and multiplied; bad parameters are refused by name; learners get the same values. An
    AssertionError lists the contracts that do not hold, with the numbers.

    Parameters
    ----------
    kernel : Kernel
    X : collection of at least four items
        Some that differ, of every kind that there is: empty ones too, if these are allowed.
    skip : names of contracts, optional
        Those that the kernel need not keep, such as ``"positive_semi_definite"``.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow.kernels import Sigmoid, SubsetTree
    >>> from hedgerow.testing import check_kernel
    >>> trees = ["(S (NP a) (VP b))", "(S (NP a) (NP c))", "(S (NP d) (VP b))", "(NP d)"]
    >>> check_kernel(SubsetTree(decay=0.3), trees)
    >>> check_kernel(Sigmoid(), np.array([[0.0], [1.0], [2.0], [3.0]]))
    Traceback (most recent call last):
    AssertionError: Sigmoid() breaks 1 contract:
    - positive_semi_definite (No eigenvalue of a matrix of kernel values is negative.): the eigenvalues are from -0.1...
    """
    if not isinstance(kernel, Kernel):
        raise TypeError(f"kernel must be a hedgerow kernel, got {kernel!r}")
    KernelContracts(kernel, X).run(skip)


class KernelContracts(Contracts):
    """The contracts of one kernel, on some items."""

    def __init__(self, kernel: Kernel, X: Any) -> None:
        super().__init__(kernel)
        self.kernel = kernel
        self.X = X
        self.n = number_of(as_collection(X))
        if self.n < 4:
            raise ValueError(f"X must have at least four items, got {self.n}")
        self.K = kernel(X)
        self.half = self.n // 2

    def use(self, thing: Any) -> None:
        thing(self.X)

    @property
    def _parts(self) -> tuple[Any, Any]:
        return take(self.X, range(self.half)), take(self.X, range(self.half, self.n))

    # -- values ---------------------------------------------------------------------------------------------

    @contract
    def repeatable(self) -> None:
        """Another call gives the same values, and changes neither the kernel nor the items."""
        before = repr(self.kernel)
        with unchanged("the collection of items", self.X):
            expect_close("K", self.kernel(self.X), self.K)
        expect(repr(self.kernel) == before, "a parameter was changed")

    @contract
    def symmetric(self) -> None:
        """K(x, z) = K(z, x)."""
        expect_close("the transpose of K", self.K.T, self.K, ROUNDING)

    @contract
    def positive_semi_definite(self) -> None:
        """No eigenvalue of a matrix of kernel values is negative."""
        values = np.linalg.eigvalsh(self.K)
        expect(
            values[0] >= -ROUNDING * values[-1],
            f"the eigenvalues are from {values[0]:.6g} to {values[-1]:.6g}",
        )

    @contract
    def diagonal(self) -> None:
        """diag(X) is the diagonal of K."""
        expect_close("diag(X)", self.kernel.diag(self.X), np.diag(self.K), ROUNDING)

    @contract
    def blocks(self) -> None:
        """A value depends on its two items only, not on what else is in the collections."""
        first, second = self._parts
        expect_close(
            "K(first half, second half)",
            self.kernel(first, second),
            self.K[: self.half, self.half :],
            ROUNDING,
        )
        expect_close("K(second half)", self.kernel(second), self.K[self.half :, self.half :], ROUNDING)
        backwards = take(self.X, range(self.n - 1, -1, -1))
        expect_close("K of the items backwards", self.kernel(backwards), self.K[::-1, ::-1], ROUNDING)

    @contract
    def nothing(self) -> None:
        """No items give matrices without rows or columns."""
        none = take(self.X, np.zeros(0, dtype=np.int64))
        for K, shape in ((self.kernel(none), (0, 0)), (self.kernel(self.X, none), (self.n, 0))):
            expect(K.shape == shape, f"a matrix has the shape {K.shape}, expected {shape}")
        expect(self.kernel.diag(none).shape == (0,), "diag of no items is not empty")

    @contract
    def precision(self) -> None:
        """Single precision keeps five digits."""
        single = self.kernel(self.X, dtype=np.float32)
        expect(single.dtype == np.float32, f"with dtype=numpy.float32 K has the dtype {single.dtype}")
        expect_close("K in single precision", single.astype(np.float64), self.K, 1e-5)

    # -- combinations ---------------------------------------------------------------------------------------

    @contract
    def normalised(self) -> None:
        """Normalized divides by the square roots of the self-kernels."""
        roots = inverse_root(np.diag(self.K))
        expected = self.K * np.outer(roots, roots)
        expect_close("Normalized(kernel)", Normalized(self.kernel)(self.X), expected, ROUNDING)
        ones = (roots > 0).astype(np.float64)
        expect_close("diag of Normalized(kernel)", Normalized(self.kernel).diag(self.X), ones, ROUNDING)

    @contract
    def combinations(self) -> None:
        """Sums, products and multiples are those of the values."""
        kernel, K = self.kernel, self.K
        for words, combined, expected in (
            ("kernel + 2 * kernel", kernel + 2 * kernel, 3 * K),
            ("kernel * kernel", kernel * kernel, K * K),
        ):
            expect_close(words, combined(self.X), expected, ROUNDING)
            expect_close(f"diag of {words}", combined.diag(self.X), np.diag(expected), ROUNDING)

    # -- copies ---------------------------------------------------------------------------------------------

    @contract
    def copies(self) -> None:
        """Clones and what comes out of a pickle give the same values."""
        for words, copy in (
            ("a clone", clone(self.kernel)),
            ("a pickle", pickle.loads(pickle.dumps(self.kernel))),
        ):
            expect_close(f"K of {words}", copy(self.X), self.K)

    # -- learners -------------------------------------------------------------------------------------------

    @contract
    def expansions(self) -> None:
        """Learners see the same values: expansions over the items score like K times their coefficients."""
        coefficients = np.random.default_rng(0).normal(size=self.n)
        normalized = Normalized(self.kernel)
        for words, kernel, K in (
            ("", self.kernel, self.K),
            (" of Normalized", normalized, normalized(self.X)),
        ):
            expansion = Expansion(kernel)
            expansion.add(self.X, coefficients)
            for kind, f in (("an expansion", expansion), ("its copy", pickle.loads(pickle.dumps(expansion)))):
                scores = f.decision_function(self.X)[:, 0]
                scale = np.abs(K) @ np.abs(coefficients)
                expect_close(
                    f"{kind}{words}", scores / _safe(scale), K @ coefficients / _safe(scale), ROUNDING
                )

    @contract
    def learning(self) -> None:
        """A perceptron adds the examples that it would add by K."""
        y = np.where(np.random.default_rng(1).permutation(self.n) % 2 == 0, 1.0, -1.0)
        model = Perceptron(self.kernel).fit(self.X, y)
        alpha = np.zeros(self.n)
        for i in range(self.n):
            margin, scale = y[i] * (self.K[i] @ alpha), np.abs(self.K[i]) @ np.abs(alpha)
            added = i in model.support_
            expect(
                margin <= ROUNDING * scale if added else margin >= -ROUNDING * scale,
                f"example {i} was {'' if added else 'not '}added, at a margin of {margin:.6g}",
            )
            alpha[i] = y[i] * added
        expect_close("the coefficients", model.dual_coef_[0], alpha[model.support_])


def _safe(scale: Matrix) -> Matrix:
    return np.where(scale > 0, scale, 1.0)
