"""Rows say what there is; classes say all else."""

from __future__ import annotations

import importlib
import re
from typing import Any

import pytest

from hedgerow import registry
from hedgerow.kernels import RBF, SubsetTree
from hedgerow.online import RDA
from hedgerow.parameters import check_parameters, parameters_of

ROWS = {
    f"{kind}:{name}": row
    for kind in ("learners", "kernels", "problems")
    for name, row in getattr(registry, kind)().items()
}


PUBLIC = [
    value
    for module in ("kernels", "models", "online", "svm", "structured", "model_selection")
    for name in importlib.import_module(f"hedgerow.{module}").__all__
    if hasattr(value := getattr(importlib.import_module(f"hedgerow.{module}"), name), "get_params")
]


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_a_row_tells_what_it_is_for(row: registry.Row) -> None:
    assert row.purpose.endswith(".")


@pytest.mark.parametrize("cls", PUBLIC)
def test_parameters_have_a_type_and_a_help(cls: Any) -> None:
    for parameter in parameters_of(cls).values():
        assert parameter.types or parameter.choices, parameter.name
        assert parameter.help, parameter.name
        assert not re.match(r"(float|int|bool|str|\{)", parameter.help), (
            f"{parameter.name} has no text of its own"
        )


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_rows_are_of_public_classes(row: registry.Row) -> None:
    package = importlib.import_module(".".join(row.cls.__module__.split(".")[:2]))
    assert row.cls.__name__ in package.__all__


def test_a_name_settles_parameters() -> None:
    row = registry.learners()["vrda"]
    assert "update" not in row.parameters
    assert "update" in registry.learners()["rda"].parameters
    learner = row.make(l1=0.5)
    assert isinstance(learner, RDA)
    assert (learner.update, learner.l1) == ("mistakes", 0.5)


def test_capabilities_are_asked_of_classes() -> None:
    learners = registry.learners()
    assert [name for name, row in learners.items() if row.batch] == ["svm", "cutting-plane", "pcfg"]
    assert [name for name, row in learners.items() if row.on_kernels and row.on_weights] == [
        "perceptron",
        "pa",
        "romma",
    ]
    grammar, sequence = (registry.problems()[name] for name in ("grammar", "sequence"))
    assert grammar.takes(learners["pcfg"])
    assert not sequence.takes(learners["pcfg"])
    assert sequence.takes(learners["structured-svm"])
    assert not sequence.takes(learners["pa"])
    assert {row.data_kind for row in registry.kernels().values()} == {"tree", "vector", "text"}


def test_a_parameter_is_documented_where_the_docstring_points() -> None:
    documented = registry.learners()["perceptron"].parameters["epochs"].help
    assert documented.startswith("Passes over the data")
    assert registry.learners()["rda"].parameters["epochs"].help == documented


def test_flags_must_be_true_or_false() -> None:
    check_parameters(SubsetTree(bag_of_words=True))
    check_parameters(RBF())
    with pytest.raises(TypeError, match="bag_of_words must be True or False, got 1"):
        check_parameters(SubsetTree(bag_of_words=1))  # type: ignore[arg-type]


def test_types_that_only_a_function_knows_are_left_alone() -> None:
    class Local: ...

    class Own(RBF):
        def __init__(self, thing: Local | None = None) -> None:
            super().__init__()
            self.thing = thing

    check_parameters(Own())
    assert parameters_of(Own)["thing"].default is None
