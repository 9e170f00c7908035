"""Support vector machines by others: plain numpy, scikit-learn and a generic solver of quadratic programs."""

from __future__ import annotations

import numpy as np
import piqp
from sklearn.svm import SVC

from hedgerow import _core


def solve(
    kernel, y, C, *, bias=True, squared=False, tol=1e-6, max_iter=-1, shrinking=True, start=None, threads=1
):
    """The native solver; the kernel is a matrix or an SvmKernel, C a number or one for each example."""
    if isinstance(kernel, np.ndarray):
        kernel = _core.SvmKernel.from_gram(np.ascontiguousarray(kernel))
    y = np.asarray(y)
    upper = np.broadcast_to(np.asarray(C, dtype=float), y.shape).copy()
    return _core.solve_svm(
        kernel, y.astype(np.int8), upper, bias, squared, tol, max_iter, shrinking, start, threads
    )


class Dual:
    """What a solution with coefficients beta is worth, by the formulas."""

    def __init__(self, K, y, C, beta, *, bias=True, squared=False):
        self.K, self.y, self.beta = np.asarray(K, dtype=float), np.asarray(y), beta
        self.C = np.broadcast_to(np.asarray(C, dtype=float), self.y.shape)
        self.bias, self.squared = bias, squared
        self.present = self.C > 0
        self.ridge = np.zeros(len(self.y))
        if squared:
            self.ridge[self.present] = 1 / (2 * self.C[self.present])

    @property
    def gradient(self):
        return self.y - self.K @ self.beta - self.ridge * self.beta

    @property
    def objective(self):
        return np.abs(self.beta).sum() - (self.beta @ self.K @ self.beta + self.ridge @ self.beta**2) / 2

    def primal(self, b):
        slack = np.maximum(0, 1 - self.y * (self.K @ self.beta + b))
        return self.beta @ self.K @ self.beta / 2 + self.C @ (slack**2 if self.squared else slack)

    @property
    def violation(self):
        """How far the gradient is from that of a solution."""
        alpha = self.y * self.beta
        below = np.full(len(alpha), True) if self.squared else alpha < self.C
        grows = np.where(self.y > 0, below, alpha > 0) & self.present
        shrinks = np.where(self.y > 0, alpha > 0, below) & self.present
        highest = self.gradient[grows].max(initial=-np.inf)
        lowest = self.gradient[shrinks].min(initial=np.inf)
        return max(highest - lowest, 0.0) if self.bias else max(highest, -lowest, 0.0)

    def assert_feasible(self):
        alpha = self.y * self.beta
        assert np.isfinite(alpha).all()
        assert (alpha >= 0).all()
        assert (alpha[~self.present] == 0).all()
        if not self.squared:
            assert (alpha <= self.C).all()
        if self.bias:
            assert abs(self.beta.sum()) <= 1e-9 * np.abs(self.beta).sum()


def assert_solves(solution, K, y, C, *, bias=True, squared=False, tol=1e-6):
    """Feasible, optimal within tol, and right in what it says of itself."""
    dual = Dual(K, y, C, solution.coefficients, bias=bias, squared=squared)
    dual.assert_feasible()
    # Numpy's own rounding, where coefficients are large.
    rounding = 1e-13 * (1 + np.abs(dual.K).max(initial=0) * np.abs(dual.beta).sum())
    assert solution.converged
    assert not solution.interrupted
    assert solution.violation <= tol
    assert abs(solution.violation - dual.violation) <= rounding + 1e-3 * tol
    size = 1 + np.abs(dual.beta).sum() + abs(dual.objective)
    assert abs(solution.objective - dual.objective) <= rounding * size
    primal = dual.primal(solution.bias)
    assert abs(solution.primal - primal) <= (rounding + 1e-6) * (1 + abs(primal))
    assert solution.gap == solution.primal - solution.objective
    if not bias:
        assert solution.bias == 0


def sklearn_solution(K, y, C, tol=1e-6):
    """Coefficients and bias that scikit-learn finds."""
    y = np.asarray(y)
    weights = np.broadcast_to(np.asarray(C, dtype=float), y.shape).copy()
    model = SVC(C=1.0, kernel="precomputed", tol=tol).fit(K, y, sample_weight=weights)
    beta = np.zeros(len(y))
    beta[model.support_] = model.dual_coef_[0]
    return beta, model.intercept_[0]


def quadratic_program(K, y, C, *, bias, squared):
    """Coefficients that a generic solver finds, in the same signed variables."""
    dual = Dual(K, y, C, np.zeros(len(y)), bias=bias, squared=squared)
    n = len(y)
    bound = np.full(n, np.inf) if squared else dual.C
    program = piqp.DenseSolver()
    program.settings.eps_abs = program.settings.eps_rel = 1e-11
    program.settings.check_duality_gap = True
    program.setup(
        P=np.asfortranarray(dual.K + np.diag(dual.ridge)),
        c=-dual.y.astype(float),
        A=np.ones((1, n), order="F") if bias else None,
        b=np.zeros(1) if bias else None,
        x_l=np.where(dual.y > 0, 0.0, -bound),
        x_u=np.where(dual.y > 0, bound, 0.0),
    )
    assert program.solve() == piqp.PIQP_SOLVED
    return np.asarray(program.result.x)


def optimum(K, y, C, *, bias=True, squared=False):
    """The best dual objective, which is the best primal objective too."""
    beta = quadratic_program(K, y, C, bias=bias, squared=squared)
    return Dual(K, y, C, beta, bias=bias, squared=squared).objective
