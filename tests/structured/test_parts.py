"""Cuts and perceptrons that are taken apart and put together, as learning from shards does."""

from __future__ import annotations

import numpy as np
import pytest

from hedgerow import _core
from tests.structured.tiny_problems import make_tags


def bound(n=8):
    problem, X, Y = make_tags(n=n)
    return problem._bind(X, Y, True).oracle


class TestCut:
    def test_put_together_it_is_the_same(self):
        oracle = bound()
        weights = np.random.RandomState(0).standard_normal(oracle.n_features)
        cut = _core.CutMaker(oracle, "margin", False, 0).from_oracle(weights, 1)
        copy = _core.Cut(cut.indices, cut.values, cut.offset, cut.height)
        cuts = _core.CutSet(_core.Space.plain(), oracle.n_features)
        products = [cuts.add(one) for one in (cut, copy)]
        assert products[1] == [products[0][0]] * 2
        assert np.array_equal(cuts.combine(np.array([1.0, 0.0])), cuts.combine(np.array([0.0, 1.0])))
        assert (copy.offset, copy.height) == (cut.offset, cut.height)

    @pytest.mark.parametrize(
        ("indices", "values", "message"),
        [
            ([0, 1], [1.0], "each index must have a value"),
            ([1, 1], [1.0, 2.0], "increasing"),
            ([2, 1], [1.0, 2.0], "increasing"),
            ([-1, 1], [1.0, 2.0], "not negative"),
        ],
    )
    def test_what_is_no_sparse_vector(self, indices, values, message):
        with pytest.raises(ValueError, match=message):
            _core.Cut(np.array(indices, np.int32), np.array(values), 0.0, 0.0)
        learner = _core.StructuredPerceptron(_core.Space.plain(), 3, "perceptron", 1.0, False)
        with pytest.raises(ValueError, match=message):
            learner.start(np.array(indices, np.int32), np.array(values))


class TestPerceptron:
    @pytest.mark.parametrize("update", ["perceptron", "PA-II"])
    def test_started_it_goes_on_as_if_resumed(self, update):
        oracle = bound()
        weights = np.random.RandomState(0).standard_normal(oracle.n_features)
        started, resumed = (
            _core.StructuredPerceptron(_core.Space.plain(), len(weights), update, 1.0, True) for _ in range(2)
        )
        weights[::2] = 0.0
        indices = np.flatnonzero(weights).astype(np.int32)
        started.start(indices, weights[indices])
        resumed.resume(weights, np.zeros(0), 0)
        for learner in (started, resumed):
            learner.learn(oracle, np.arange(8), 0)
        assert started.updates > 0
        assert np.array_equal(started.coordinates(), resumed.coordinates())
        assert np.array_equal(started.late(), resumed.late())

    def test_some_of_the_weights(self):
        oracle = bound()
        learner = _core.StructuredPerceptron(_core.Space.plain(), oracle.n_features, "perceptron", 1.0, False)
        learner.learn(oracle, np.arange(8), 0)
        places = np.array([3, 0, 10_000], np.int32)
        coordinates, late = learner.at(places)
        assert coordinates.tolist() == [*learner.coordinates()[[3, 0]], 0.0]
        assert late.tolist() == [*learner.late()[[3, 0]], 0.0]
        with pytest.raises(IndexError, match="no coordinate -1"):
            learner.at(np.array([-1], np.int32))
