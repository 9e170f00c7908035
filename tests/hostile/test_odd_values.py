"""Odd values of every parameter of every kind of model: a sensible result, or an error that names the parameter."""

from __future__ import annotations

import re
import reprlib
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from typer.testing import CliRunner

from hedgerow.cli.app import app
from hedgerow.kernels import RBF
from hedgerow.online import Perceptron
from hedgerow.structured import Multiclass, StructuredSVM
from hedgerow.svm import SVC, CuttingPlaneSVC
from tests.hostile.children import each_in_a_child, printed, some_of
from tests.persistence.kinds import Kind, kinds

KINDS = kinds()
NUMBERS: tuple[Any, ...] = (
    *(0, 1, 2, -1, 10**6, 2**31, 2**63, 10**400),
    *(0.0, 0.5, 1.5, 1e-20, 1e20, 1e300, 5e-324, float("inf"), float("-inf"), float("nan")),
    *(True, np.float32(0.1), np.int8(1)),
)
OTHERS: tuple[Any, ...] = (None, "", "nonsense", b"", [], {}, (), [float("nan")], np.zeros(0))
# Large ones are for long runs and large memories, which they get; so do costs that are hard to learn with.
LONG = {"epochs", "max_iter", "n_features"}
# What the error names instead, which follows from it or no longer fits.
BESIDE = {
    "k": ("mismatches", "similarity"),
    "classes": ("labels of spans",),
    "features": ("classes must have at least two labels",),
}
OVERFLOW = "too large for float64|beyond the range of numbers|cannot be learned from"
FITTED = ("coef_", "dual_coef_", "intercept_", "support_")


@dataclass(frozen=True)
class Case:
    """A parameter of a kind of model, with an odd value."""

    group: str
    name: str
    parameter: str
    value: Any

    @property
    def kind(self) -> Kind:
        return KINDS[self.group][self.name]


def cases() -> Iterator[Case]:
    for group, of_group in KINDS.items():
        for name, kind in of_group.items():
            for parameter, default in kind.model.get_params().items():
                if hasattr(default, "get_params"):
                    continue
                for value in (*NUMBERS, *OTHERS):
                    if not _takes_long(parameter.rpartition("__")[2], value):
                        yield Case(group, name, parameter, value)


def _takes_long(parameter: str, value: Any) -> bool:
    if not isinstance(value, int | float):
        return False
    hard = (parameter in ("C", "cost_factor") and 1e5 < value <= 1e20) or (
        parameter == "tol" and 0 < value < 1e-10
    )
    return hard or (parameter in LONG and value > 1000)


def outcome_of(case: Case) -> str:
    """It is "result", "refused", or what is wrong."""
    name = case.parameter.rpartition("__")[2]
    with warnings.catch_warnings(record=True) as caught, printed() as output:
        warnings.simplefilter("always")
        try:
            model = clone(case.kind.model).set_params(**{case.parameter: case.value})
            fault = _fault_of_use(model, case.kind)
        except (ValueError, TypeError) as error:
            named = name in str(error) or any(other in str(error) for other in BESIDE.get(name, ()))
            return "refused" if named and "\n" not in str(error) else f"unclear: {error}"
        except OverflowError as error:
            return "refused" if re.search(OVERFLOW, str(error)) else f"raised: {error!r}"
        except FileNotFoundError as error:
            return "refused" if error.filename == case.value else f"raised: {error!r}"
        except KeyError as error:
            return "refused" if name == "column" and "no column" in str(error) else f"raised: {error!r}"
        except Exception as error:
            return f"raised: {error!r}"
    odd = [str(w.message) for w in caught if not issubclass(w.category, ConvergenceWarning)]
    if odd:
        return f"warned: {odd[0]}"
    if output and name != "verbose":
        return f"printed: {output[0]}"
    return fault or "result"


def _fault_of_use(model: Any, kind: Kind) -> str | None:
    model.fit(*kind.data.fit)
    if kind.goes_on:
        model.partial_fit(*kind.data.more)
    if hasattr(model, "predict"):
        model.predict(kind.data.new)
    found = {name: getattr(model, name, None) for name in FITTED}
    if hasattr(model, "decision_function"):
        found["decision_function"] = model.decision_function(kind.data.new)
    for name, value in found.items():
        numbers = value.data if sparse.issparse(value) else value
        if isinstance(numbers, np.ndarray) and numbers.dtype.kind == "f" and not np.isfinite(numbers).all():
            return f"nonsense: {name} is not finite"
    return None


def faults(some: list[Case]) -> list[str]:
    return [
        f"{case.group} {case.name}, {case.parameter}={reprlib.repr(case.value)}: {outcome}"
        for case, outcome in each_in_a_child(some, outcome_of, seconds=30)
        if outcome not in ("result", "refused")
    ]


SHORT = {
    "weights": ("perceptron-last", "ftrl-last", "truncated-gradient-last", "mbw-last"),
    "expansions": ("forgetron-last", "ahpatron"),
    "kernels": ("polynomial", "pt", "subsequence"),
    "machines": ("svc", "cutting-plane-uniform"),
    "structured": ("sequence-perceptron", "strings-perceptron"),
}


@pytest.mark.parametrize("group", SHORT)
def test_odd_values(group: str) -> None:
    assert faults([case for case in cases() if case.group == group and case.name in SHORT[group]]) == []


@pytest.mark.slow
@pytest.mark.parametrize("group", KINDS)
def test_odd_values_everywhere(group: str) -> None:
    assert faults(some_of(case for case in cases() if case.group == group)) == []


@pytest.mark.slow
@pytest.mark.parametrize("slack", ["linear", "quadratic"])
def test_long_ways_of_multipliers_end(slack: str) -> None:
    model = StructuredSVM(Multiclass(), C=1e15, solver="n-slack", slack=slack)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        model.fit(*KINDS["structured"]["multiclass-n-slack"].data.fit)
    assert model.converged_ == (not said)
    assert np.isfinite(model.coef_).all()


def test_rounding_ends_the_rounds_of_one_slack() -> None:
    model = StructuredSVM(Multiclass(), C=2.0**31)
    with pytest.warns(ConvergenceWarning, match="increase tol"):
        model.fit(*KINDS["structured"]["multiclass-one-slack"].data.fit)
    assert np.isfinite(model.coef_).all()


@pytest.mark.parametrize("learner", [SVC, CuttingPlaneSVC])
@pytest.mark.parametrize("parameter", ["C", "cost_factor"])
@pytest.mark.parametrize("value", [1e300, 5e-324, float("inf"), 10**400])
def test_costs_that_no_machine_can_learn_with(learner: Any, parameter: str, value: Any) -> None:
    with pytest.raises(
        ValueError, match=rf"{parameter} must be a number at least 1e-20 and at most 1e\+20, got"
    ):
        learner(**{parameter: value}).fit([[0.0], [1.0]], [0, 1])


@pytest.mark.parametrize(
    "command", ["-C 1e300", "-C 5e-324", "--cost-factor inf", "--tol 0", "--tol nan", "--max-iter 0"]
)
def test_command_line(command: str, tmp_path: Path) -> None:
    (tmp_path / "examples").write_text("1 1:1\n-1 2:1\n", encoding="utf-8")
    arguments = [
        "train",
        tmp_path / "examples",
        "-o",
        tmp_path / "model",
        "--learner",
        "svm",
        *command.split(),
    ]
    result = CliRunner().invoke(app, list(map(str, arguments)))
    assert result.exit_code == 2
    (sentence,) = result.stderr.splitlines()
    assert sentence.startswith("hedgerow: ")
    assert " must be " in sentence
    assert not (tmp_path / "model").exists()


EXAMPLES = [[0.0], [1.0], [2.0], [3.0]]


@pytest.mark.parametrize("learner", [Perceptron(), Perceptron(RBF()), SVC(), CuttingPlaneSVC()])
@pytest.mark.parametrize("odd", [-1.0, float("nan"), float("inf"), 1e300, 5e-324, "a", None])
def test_odd_weights(learner: Any, odd: Any) -> None:
    with pytest.raises(ValueError, match="class_weight"):
        clone(learner).set_params(class_weight={0: odd, 1: 1.0}).fit(EXAMPLES, [0, 1, 0, 1])
    with pytest.raises(ValueError, match="sample_weight"):
        clone(learner).fit(EXAMPLES, [0, 1, 0, 1], sample_weight=[odd, 1.0, 1.0, 1.0])


@pytest.mark.parametrize("learner", [Perceptron(), SVC(), CuttingPlaneSVC()])
def test_weights_that_leave_nothing(learner: Any) -> None:
    with pytest.raises(ValueError, match="class_weight must leave some example a weight"):
        clone(learner).set_params(class_weight={0: 0, 1: 0}).fit(EXAMPLES, [0, 1, 0, 1])
    with pytest.raises(TypeError, match="class_weight must be a mapping"):
        clone(learner).set_params(class_weight=[1, 2]).fit(EXAMPLES, [0, 1, 0, 1])


@pytest.mark.parametrize("labels", [[None, 0, 1, 0], [0, 1, None, "a"]])
def test_labels_that_are_none(labels: Any) -> None:
    position = labels.index(None)
    for learner in (Perceptron(), SVC()):
        with pytest.raises(ValueError, match=f"y has None instead of a label, at position {position}"):
            learner.fit(EXAMPLES, labels)
    with pytest.raises(ValueError, match=f"y has None instead of a label, at position {position}"):
        Perceptron().partial_fit(EXAMPLES, labels, classes=[0, 1])


def test_labels_of_several_types() -> None:
    labels = np.array(["a", 1, "b", "a"], dtype=object)
    with pytest.raises(ValueError, match=r"y has the label 1, which is not one of the classes \['a', 'b'\]"):
        Perceptron().partial_fit(EXAMPLES, labels, classes=["a", "b"])
    Perceptron().partial_fit(EXAMPLES, np.array(["a", "b", "b", "a"], dtype=object), classes=["a", "b"])


@pytest.mark.parametrize("kernel", [None, RBF()])
def test_very_many_classes(kernel: Any) -> None:
    for scheme, functions in (("one-vs-rest", 100_000), ("one-vs-one", 4_999_950_000)):
        model = Perceptron(kernel, multiclass=scheme)
        words = f"100000 classes are too many for multiclass='{scheme}', which makes {functions} functions of them"
        with pytest.raises(ValueError, match=f"{words}; multiclass='codes' makes 167"):
            model.partial_fit(EXAMPLES, range(4), classes=range(100_000))
    model = Perceptron(kernel, multiclass="codes", random_state=0)
    model.partial_fit(EXAMPLES, range(4), classes=range(5_000))
    assert len(np.unique(model._codes, axis=0)) == 5_000
    assert model.predict(EXAMPLES).shape == (4,)


@pytest.mark.filterwarnings("ignore:The number of unique classes")
def test_very_many_classes_of_machines() -> None:
    with pytest.raises(ValueError, match="100000 classes are too many for 100000 examples"):
        SVC().fit(np.zeros((100_000, 1)), np.arange(100_000))


def test_a_grammar_with_a_huge_cost(tmp_path: Path) -> None:
    """It ran out of memory."""
    (tmp_path / "trees").write_text("(S (A a) (B b))\n" * 3, encoding="utf-8")
    command = (
        f"train {tmp_path}/trees -o {tmp_path}/model --problem grammar --learner structured-svm -C 1e300"
    )
    result = CliRunner().invoke(app, command.split())
    assert result.exit_code == 2
    (sentence,) = result.stderr.splitlines()
    assert "'-C': it must be a number" in sentence
