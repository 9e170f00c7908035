"""What is recorded of learning: columns as attributes."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

from hedgerow.data import CandidateLists
from hedgerow.models import Trace
from hedgerow.online import Perceptron, Reranker
from hedgerow.structured import Multiclass, StructuredPerceptron, StructuredSVM
from hedgerow.svm import CuttingPlaneSVC

X, Y = np.array([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0], [0.0, 2.0]]), np.array(["a", "b", "b", "a"])
LISTS = CandidateLists([2, 2], features=X, grades=[0, 1, 1, 0])


def test_columns_are_attributes():
    trace = Trace({"examples": [1, 2, 4], "seconds": [0, 1, 1]})
    assert (trace.examples.dtype, trace.seconds.dtype) == (np.int64, np.float64)
    assert (len(trace), trace.columns) == (3, ("examples", "seconds"))
    assert trace.to_dict() == {"examples": [1, 2, 4], "seconds": [0.0, 1.0, 1.0]}
    assert repr(trace) == "Trace(examples, seconds; 3 entries)"
    for other in (copy.deepcopy(trace), pickle.loads(pickle.dumps(trace))):
        assert other.to_dict() == trace.to_dict()


def test_columns_that_are_not_there():
    trace = Trace({"examples": [1], "mistakes": [0]})
    assert not hasattr(trace, "f1")
    with pytest.raises(AttributeError, match="no column 'f1'; it has examples, mistakes"):
        _ = trace.f1


def test_empty():
    assert len(Trace({})) == 0


@pytest.mark.parametrize(
    ("model", "columns"),
    [
        (Perceptron(trace_every=2).fit(X, Y), "examples mistakes errors updates f1 support l1_norm seconds"),
        (
            Reranker(Perceptron(), trace_every=1).fit(LISTS),
            "examples mistakes errors updates support l1_norm seconds",
        ),
        (StructuredPerceptron(Multiclass()).fit(X, Y), "examples mistakes loss seconds"),
        (
            CuttingPlaneSVC().fit(X, Y),
            "function iteration objective dual_objective violation support seconds",
        ),
        (
            StructuredSVM(Multiclass()).fit(X, Y),
            "iteration objective dual_objective certificate constraints seconds",
        ),
    ],
)
def test_whoever_learns_records_in_one_form(model, columns):
    assert isinstance(model.trace_, Trace)
    assert model.trace_.columns == tuple(columns.split())
    assert len(model.trace_) > 0
