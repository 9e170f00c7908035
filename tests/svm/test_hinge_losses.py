"""Hinge losses along lines, against plain numpy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import minimize_scalar

from hedgerow import _core

SIZES = (0, 1, 12, 4096, 30_000)  # some with several blocks


def example(n: int, random: Any) -> tuple[Any, Any, Any, Any]:
    """Labels, costs and two functions; rounded, so that many values are equal or on the margin."""
    y = random.choice([-1.0, 1.0], size=n)
    costs = random.uniform(0, 2, size=n) * (random.random(n) > 0.1)
    return y, costs, *random.normal(size=(2, n)).round(1)


@pytest.mark.parametrize("n", SIZES)
def test_sums_and_members(n: int) -> None:
    y, costs, values, _ = example(n, np.random.default_rng(n))
    losses = _core.HingeLosses(y, costs)
    assert_allclose(losses.sum(values), costs @ np.maximum(0, 1 - y * values), rtol=1e-12)
    members = losses.within_margin(values)
    assert members.dtype == bool
    assert_array_equal(members, (y * values <= 1) & (costs > 0))
    some = np.arange(n) % 3 == 0
    assert_allclose(losses.sum_over(some, values), costs[some] @ (1 - y * values)[some], rtol=1e-9)


@pytest.mark.parametrize("n", SIZES)
def test_combinations(n: int) -> None:
    functions = list(np.random.default_rng(n).normal(size=(4, n)))
    multipliers = [0.5, -2.0, 0.0, 1e-3]
    found = _core.combine(functions, multipliers, n)
    assert_allclose(found, np.array(multipliers) @ np.array(functions), rtol=1e-12, atol=1e-12)
    assert_array_equal(_core.combine([], [], n), np.zeros(n))


@pytest.mark.parametrize("trial", range(200))
def test_best_step(trial: int) -> None:
    random = np.random.default_rng(trial)
    y, costs, start, end = example(int(random.integers(0, 40)), random)
    start *= (1, 20)[trial % 2]  # steps far beyond the end
    curvature, slope = random.uniform(0.1, 2) * (1, 0.05)[trial % 2], random.normal()
    losses = _core.HingeLosses(y, costs)

    def height(step: float) -> float:
        return curvature * step**2 / 2 + slope * step + losses.sum(start + step * (end - start))

    step = losses.best_step(curvature, slope, start, end)
    best = minimize_scalar(height, bounds=(0, 100), method="bounded", options={"xatol": 1e-10}).x
    assert step >= 0
    assert height(step) <= min(height(best), height(0.0)) + 1e-9


def test_steps_that_have_no_end() -> None:
    losses = _core.HingeLosses(np.ones(1), np.ones(1))
    # The loss is 0 from step 1 on.
    assert losses.best_step(0.0, -0.5, np.zeros(1), np.ones(1)) == 2.0**30
    assert losses.best_step(0.0, 0.5, np.zeros(1), np.ones(1)) == 1.0
    assert losses.best_step(0.0, 1.0, np.zeros(1), np.ones(1)) == 0.0


def test_lengths_are_checked() -> None:
    y = np.ones(3)
    with pytest.raises(ValueError, match="expected 3 values, got 2"):
        _core.HingeLosses(y, np.ones(2))
    losses = _core.HingeLosses(y, y)
    for call in (losses.sum, losses.within_margin):
        with pytest.raises(ValueError, match="expected 3 values, got 4"):
            call(np.ones(4))
    with pytest.raises(ValueError, match="expected 3 values, got 1"):
        losses.best_step(1.0, 1.0, y, np.ones(1))
    with pytest.raises(ValueError, match="as many multipliers as functions"):
        _core.combine([y], [], 3)
