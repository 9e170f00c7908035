"""Block-coordinate Frank-Wolfe against a slow one, its certificate, its average, and streams."""

from __future__ import annotations

import numpy as np
import pytest

from hedgerow import _core
from hedgerow.structured.frank_wolfe import solve
from hedgerow.structured.questions import Violation
from hedgerow.structured.solver import Settings

from .toy_problems import Chains, Vectors, chains, feature_matrix, vectors

CASES = [(Vectors(), *vectors(20)), (Chains(), *chains(15)), (Chains(3), *chains(10, 3))]
SEARCHES = ("margin", "slack", "best_wrong")


def settings(C=0.5, search="margin", epsilon=1e-8, max_iter=None, seed=0, threads=1, **options):
    return Settings(
        C=C,
        slack="linear",
        violation=Violation(search),
        epsilon=epsilon,
        max_iter=max_iter,
        random_state=np.random.RandomState(seed),
        threads=threads,
        options=options,
    )


def run_on(case, chosen):
    problem, X, Y = case
    return solve(problem._bind(X, Y, True), chosen, lambda entry: None)


class SlowFrankWolfe:
    """The same in dense Python: planes (a, h) of each example with coefficients, and every iterate."""

    def __init__(self, case, C, search, patience=10):
        self.C, self.patience = C, patience
        self.all_planes = feature_matrix(*case, search)
        self.w = np.zeros(len(self.all_planes[0][0][0]))
        self.blocks = [[] for _ in self.all_planes]  # lists of [a, h, coefficient, idle]
        self.iterates = []

    def violation(self, plane):
        return plane[1] - self.w @ plane[0]

    def primal(self, w):
        slacks = [max(0.0, *(h - w @ a for a, h in planes)) for planes in self.all_planes]
        return w @ w / 2 + self.C * sum(slacks)

    def dual(self):
        return sum(plane[1] * plane[2] for block in self.blocks for plane in block) - self.w @ self.w / 2

    def visit(self, i):
        block = self.blocks[i]
        found = max(self.all_planes[i], key=self.violation)
        known = max([0.0, *(self.violation(plane) for plane in block)])
        if self.violation(found) > known + 1e-10:
            block.append([*found, 0.0, 0])
        self.correct(block)
        for plane in block:
            plane[3] = 0 if plane[2] > 0 else plane[3] + 1
        block[:] = [plane for plane in block if plane[3] <= self.patience]

    def correct(self, block):
        null = [np.zeros_like(self.w), 0.0, self.C - sum(plane[2] for plane in block), 0]
        planes = [null, *block]
        while True:
            taker = max(planes, key=self.violation)
            giver = min((plane for plane in planes if plane[2] > 0), key=self.violation)
            lead = self.violation(taker) - self.violation(giver)
            if lead < 1e-13:
                break
            direction = taker[0] - giver[0]
            step = min(giver[2], lead / (direction @ direction))
            taker[2] += step
            giver[2] = 0.0 if step == giver[2] else giver[2] - step
            self.w = self.w + step * direction
        self.iterates.append(self.w)


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("case", CASES)
def test_equals_a_slow_version(case, search):
    problem, X, Y = case
    binding = problem._bind(X, Y, True)
    native = _core.FrankWolfe(binding.oracle, binding.space, 0.3, search, True, 2, 0, remainder=1e-13)
    slow = SlowFrankWolfe(case, 0.3, search, patience=2)
    random = np.random.RandomState(1)
    for _ in range(4):
        order = random.permutation(len(X))
        native.visit(order)
        for i in order:
            slow.visit(i)
        order = random.permutation(len(X))
        native.revisit(order)
        for i in order:
            if slow.blocks[i]:
                slow.correct(slow.blocks[i])
    weights = np.arange(1, len(slow.iterates) + 1)
    assert native.visits == len(slow.iterates)
    np.testing.assert_allclose(native.coordinates(), slow.w, atol=1e-9)
    np.testing.assert_allclose(native.dual, slow.dual(), atol=1e-9)
    average = np.average(slow.iterates, axis=0, weights=weights)
    np.testing.assert_allclose(native.average(), average, atol=1e-9)
    np.testing.assert_allclose(native.measure_average(1), slow.primal(average), atol=1e-9)
    primal, dual, gap = native.measure(1)
    np.testing.assert_allclose(primal, slow.primal(slow.w), atol=1e-9)
    np.testing.assert_allclose([dual, gap], [slow.dual(), primal - slow.dual()], atol=1e-9)


@pytest.mark.parametrize("sampling", ["permutation", "gap", "uniform"])
@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("case", CASES)
def test_finds_the_optimum(case, search, sampling):
    """Weights that are feasible for the dual, and as good as it: that is a proof."""
    solution = run_on(case, settings(2.0, search, epsilon=1e-9, sampling=sampling))
    slow = SlowFrankWolfe(case, 2.0, search)
    assert solution.converged
    assert slow.primal(solution.coordinates) == pytest.approx(solution.objective, rel=1e-12)
    assert solution.objective - solution.dual_objective <= 2.0 * len(case[1]) * 1e-9
