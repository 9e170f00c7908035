"""What becomes of parameters of earlier versions."""

from __future__ import annotations

from typing import Any

import pytest

from hedgerow.kernels import Linear
from hedgerow.online import FTRL, Forgetron, Reranker
from hedgerow.persistence.upgrade import upgrade
from hedgerow.persistence.values import decode_object
from hedgerow.structured import Multiclass, SequenceSVC, StructuredPerceptron
from hedgerow.svm import SVC, CuttingPlaneSVC


def upgraded(name: str, **parameters: Any) -> Any:
    manifest = {"class": name, "parameters": parameters, "description": {}}
    upgrade(1, manifest, {})
    return decode_object(manifest)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            ("Forgetron", {"kernel": None, "budget": 3, "shrinking": "basic"}),
            Forgetron(Linear(), 3, shrinking="basic"),
        ),
        (("FTRL", {"alpha": 0.3}), FTRL(learning_rate=0.3)),
        (("CuttingPlaneSVC", {"epsilon": 0.1, "max_rounds": 5}), CuttingPlaneSVC(tol=0.1, max_iter=5)),
        (("SVC", {"loss": "squared_hinge", "max_iter": -1}), SVC(loss="squared-hinge")),
        (("SVC", {"loss": "hinge", "max_iter": 7, "shrinking": False}), SVC(max_iter=7, active_set=False)),
        (("SequenceSVC", {"epsilon": 0.1, "labels": ["a"]}), SequenceSVC(tol=0.1, classes=["a"])),
        (("SequenceSVC", {"transition_features": True}), SequenceSVC(transition_features="all")),
        (("SequenceSVC", {"transition_features": "t"}), SequenceSVC(transition_features=["t"])),
        (("SequenceSVC", {"averaging": False}), SequenceSVC(averaging=None)),
        (("Multiclass", {"cost": "zero-one"}), Multiclass()),
        (("Reranker", {"learner": None, "rivals": "worse"}), Reranker(None, loss="grade")),
        (("StructuredPerceptron", {"update": "PA"}), StructuredPerceptron(variant="PA")),
    ],
)
def test_parameters_of_version_1(old, new):
    name, parameters = old
    assert repr(upgraded(name, **parameters)) == repr(new)
