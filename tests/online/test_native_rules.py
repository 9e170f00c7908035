"""Native rules by name: their parameters, what they keep by name, and what a file may hold of it."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

from hedgerow import _core, online
from tests.persistence.kinds import SPARSE, kinds

ON_WEIGHTS = {
    name: kind.model
    for name, kind in kinds()["weights"].items()
    if isinstance(kind.model, online.base.OnlineClassifier)
}


def test_every_rule_is_the_rule_of_a_public_learner(monkeypatch):
    asked = set()

    def record(name, *rest):
        asked.add(name)
        return makers[len(rest)](name, *rest)

    makers = {1: _core.kernel_rule, 2: _core.linear_rule}
    monkeypatch.setattr(_core, "kernel_rule", record)
    monkeypatch.setattr(_core, "linear_rule", record)
    for row in online.LEARNERS:
        row.make()._rule(1, 0)
    assert asked == {*_core.kernel_rules(), *_core.linear_rules()}


@pytest.mark.parametrize(
    ("name", "parameters", "words"),
    [
        ("arow", {"regularization": 1.0}, "arow needs the parameter bias"),
        ("arow", {"regularization": "one", "bias": True}, "regularization of arow must be a number"),
        ("arow", {"regularization": 1, "bias": 1}, "bias of arow must be true or false"),
        ("arow", {"regularization": 1, "bias": True, "C": 1}, "arow has no parameter C"),
        ("arrow", {}, "there is no rule arrow"),
        (
            "scw",
            {"variant": "SCW", "C": 1.0, "phi": 1.0, "bias": True},
            "variant must be one of SCW-I, SCW-II; got SCW",
        ),
    ],
)
def test_parameters_are_checked_by_name(name, parameters, words):
    with pytest.raises(ValueError, match=words):
        _core.linear_rule(name, None, parameters)


def test_whole_numbers_of_numpy():
    assert _core.kernel_rule("stoptron", {"budget": np.int64(3)})
    with pytest.raises(ValueError, match="budget of stoptron must be a whole number"):
        _core.kernel_rule("stoptron", {"budget": 3.5})


def test_state_has_names():
    model = online.AROW(bias=True, averaging="average").fit(*SPARSE.fit)
    _, arrays = model._to_state()
    of_first = {name.removeprefix("function0.") for name in arrays if name.startswith("function0.")}
    cell = {"weight", "offset", "variance"}
    assert of_first == {"size", "features", "steps", *cell, *(f"bias.{name}" for name in cell)}
    assert arrays["function0.steps"] == [len(SPARSE.fit[1])]
    weights = arrays["function0.weight"] + arrays["function0.offset"] / arrays["function0.steps"]
    np.testing.assert_allclose(model.coef_[0, arrays["function0.features"]], weights)


@pytest.mark.parametrize("name", ON_WEIGHTS)
def test_what_a_file_may_hold(name):
    """Arrays of the right length, finite numbers, features that there are; else an error names the array."""
    model = clone(ON_WEIGHTS[name]).fit(*SPARSE.fit)
    description, arrays = model._to_state()
    wrong: list[tuple[str, Any]] = [("width", [-1]), ("width", [2**40]), ("seen", [-1]), ("mistakes", [-1])]
    for array, values in arrays.items():
        if array.startswith("function"):
            wrong.append((array, values[1:] if len(values) else [0] * 3))
            if values.dtype == np.float64 and len(values):
                wrong += [(array, np.append(values[1:], bad)) for bad in (np.nan, np.inf)]
        if array.endswith(".features") and len(values):
            wrong += [(array, np.append(values[:-1], bad)) for bad in (-2, 2**30)]
        if array.endswith(".size"):
            wrong += [(array, [bad]) for bad in (-1, 1, 2**40)]
    for array, values in wrong:
        changed = {**arrays, array: np.asarray(values, dtype=arrays[array].dtype)}
        prefix = array.removesuffix(array.rsplit(".", 1)[-1])
        with pytest.raises(ValueError, match=re.escape(prefix or array)):
            clone(model)._from_state(description, changed)
