"""Solvers on several threads: the same results to the bit, and the optimum."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from hedgerow import _core
from hedgerow.structured import LabelSequence, StructuredSVM


@pytest.fixture(scope="module")
def examples():
    """So many that n-slack finds steps of several at a time."""
    random = np.random.default_rng(0)
    X = [random.normal(size=(3, 4)) for _ in range(400)]
    return X, [(x[:, 0] + 0.5 * random.normal(size=3) > 0).astype(int).tolist() for x in X]


@pytest.mark.parametrize(
    ("solver", "slack"), [("one-slack", "linear"), ("n-slack", "linear"), ("n-slack", "quadratic")]
)
def test_many_examples(examples, solver, slack):
    X, Y = examples
    machine = StructuredSVM(LabelSequence(), 0.1, solver=solver, slack=slack, tol=1e-3)
    one, two, three = (
        machine.set_params(n_jobs=n).fit(X, Y) and (machine.coef_, machine.objective_) for n in (1, 2, 3)
    )
    for coef, objective in (two, three):
        assert_array_equal(coef, one[0])
        assert objective == one[1]
    assert machine.converged_
    gap = machine.objective_ - machine.dual_objective_
    assert -1e-9 <= gap <= (1.01e-3 * 400 * 0.1 if slack == "linear" else 0.1)


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_sums_of_cuts(threads):
    random = np.random.default_rng(0)
    size = 3_000
    rows = np.where(
        random.random((12, size)) < np.linspace(0.6, 0, size) ** 2, random.normal(size=(12, size)), 0
    )
    rows[5] = 0
    cuts = _core.CutSet(_core.Space.plain(), size)
    for k, row in enumerate(rows):
        (indices,) = np.nonzero(row)
        products = cuts.add(_core.Cut(indices.astype(np.int32), row[indices], 0.0, 0.0), threads)
        assert_allclose(products, rows[: k + 1] @ row, atol=1e-12)
    multipliers = np.where(np.arange(12) % 3, random.random(12), 0.0)
    total = cuts.combine(multipliers, threads)
    assert_allclose(total, multipliers @ rows, atol=1e-12)
    assert_array_equal(total, cuts.combine(multipliers, 1))
    assert not np.any(_core.CutSet(_core.Space.plain(), size).combine(np.zeros(0), threads))


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_cuts_of_an_oracle(examples, threads):
    """A cut is the sum of the most violated constraints, asked for one by one."""
    X, Y = examples
    binding = LabelSequence()._bind(X, Y, True)
    w = np.random.default_rng(1).normal(size=binding.oracle.n_features) / 3
    total, offset, height = np.zeros(len(w)), 0.0, 0.0
    for i in range(len(X)):
        indices, values, loss, correct = binding.oracle.find(i, w, "margin")
        violation = 0 if correct else loss - values @ w[indices]
        if violation > 0:
            total[indices] += values
            offset, height = offset + loss, height + violation
    maker = _core.CutMaker(binding.oracle, "margin", False, 5)
    for cut in (maker.from_oracle(w, threads), maker.from_cache(w, threads), maker.from_oracle(w, threads)):
        assert_allclose(np.bincount(cut.indices, cut.values, len(w)), total, atol=1e-12)
        assert (cut.offset, cut.height) == (pytest.approx(offset), pytest.approx(height))
        assert (np.diff(cut.indices) > 0).all()
        assert cut.values.all()
