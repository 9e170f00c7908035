"""The display of cutting-plane rounds, drawn without a screen."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest

from hedgerow.datasets import make_two_gaussians
from hedgerow.inspection import ConvergenceDisplay
from hedgerow.kernels import RBF
from hedgerow.models import Trace
from hedgerow.online import Perceptron
from hedgerow.structured import Multiclass, StructuredSVM
from hedgerow.svm import CuttingPlaneSVC


def make_trace(functions=1, rounds=4):
    n = functions * rounds
    step = np.tile(np.arange(1, rounds + 1), functions)
    return Trace(
        {
            "function": np.repeat(np.arange(functions), rounds),
            "iteration": step,
            "objective": 10.0 + 500.0 / step,
            "dual_objective": 10.0 - 5.0 / step,
            "violation": np.where(step < rounds, 1.0 / step, -0.1),
            "support": 10 * step,
            "seconds": np.arange(n) / 10,
        }
    )


def test_the_panels():
    trace = make_trace()
    display = ConvergenceDisplay.from_trace(trace)
    assert [ax.get_ylabel() for ax in display.axes_] == [
        "Objective (thin: primal)",
        "Violation",
        "Support vectors",
    ]
    assert {ax.get_xlabel() for ax in display.axes_} == {"Round"}
    assert [ax.get_yscale() for ax in display.axes_] == ["linear", "log", "linear"]
    for panel in ("dual_objective", "objective", "support"):
        (line,) = display.lines_[panel]
        np.testing.assert_array_equal(line.get_xdata(), trace.iteration)
        np.testing.assert_array_equal(line.get_ydata(), getattr(trace, panel))
    violations = display.lines_["violation"][0].get_ydata()
    np.testing.assert_array_equal(violations[:3], trace.violation[:3])
    assert np.isnan(violations[3])  # below 0, which the axis cannot show
    low, high = display.axes_[0].get_ylim()
    assert low == 0 < trace.dual_objective.max() < high < trace.objective.max()
    assert display.axes_[0].get_legend() is None


def test_a_choice_of_panels_against_time():
    figure, ax = plt.subplots()
    display = ConvergenceDisplay.from_trace(
        make_trace(), axes=ax, panels="violation", against="seconds", color="red"
    )
    assert display.axes_ == [ax]
    assert display.figure_ is figure
    assert ax.get_xlabel() == "Seconds"
    assert display.lines_["violation"][0].get_xdata().tolist() == [0, 0.1, 0.2, 0.3]
    assert display.lines_["violation"][0].get_color() == "red"


def test_one_line_for_each_function():
    display = ConvergenceDisplay.from_trace(make_trace(functions=3), name="three classes")
    assert [len(lines) for lines in display.lines_.values()] == [3, 3, 3, 3]
    assert len({line.get_color() for line in display.lines_["support"]}) == 1
    assert [text.get_text() for text in display.axes_[0].get_legend().get_texts()] == ["three classes"]


def test_machines():
    X, y = make_two_gaussians(120, random_state=0)
    machines = {
        name: CuttingPlaneSVC(RBF(), sampling=name, tol=0.02, random_state=0, **size).fit(X, y)
        for name, size in ((None, {}), ("uniform", {"sample_size": 30}), ("importance", {"sample_size": 30}))
    }
    named = {str(name): machine for name, machine in machines.items()}
    display = ConvergenceDisplay.from_estimators(named)
    assert len(display.lines_["dual_objective"]) == 3
    assert len(display.lines_["objective"]) == 2  # samples alone do not tell
    assert len({line.get_color() for line in display.lines_["dual_objective"]}) == 3
    tol = display.axes_[1].lines[-1]
    assert set(tol.get_ydata()) == {0.02}
    display.figure_.canvas.draw()
    without_names = ConvergenceDisplay.from_estimators(machines.values(), panels=["support"])
    labels = [text.get_text() for text in without_names.axes_[0].get_legend().get_texts()]
    assert labels == ["CuttingPlaneSVC", "CuttingPlaneSVC (2)", "CuttingPlaneSVC (3)"]
    alone = ConvergenceDisplay.from_estimator(machines[None], axes=display.axes_)
    assert alone.lines_["support"][0].get_color() not in {
        line.get_color() for line in display.lines_["support"]
    }


def test_structured_machines():
    X, y = make_two_gaussians(120, random_state=0)
    machine = StructuredSVM(Multiclass(), tol=0.02).fit(X, y)
    display = ConvergenceDisplay.from_estimator(machine)
    assert [ax.get_ylabel() for ax in display.axes_] == [
        "Objective (thin: primal)",
        "Certificate",
        "Constraints",
    ]
    assert [ax.get_yscale() for ax in display.axes_] == ["linear", "log", "linear"]
    assert set(display.axes_[1].lines[-1].get_ydata()) == {0.02}
    (line,) = display.lines_["constraints"]
    np.testing.assert_array_equal(line.get_ydata(), machine.trace_.constraints)
    both = ConvergenceDisplay.from_estimators([machine, CuttingPlaneSVC(RBF()).fit(X, y)])
    assert [ax.get_ylabel() for ax in both.axes_] == ["Objective (thin: primal)"]
    with pytest.raises(ValueError, match="Perceptron has no trace of rounds"):
        ConvergenceDisplay.from_estimator(Perceptron(trace_every=9).fit(X, y))


def test_errors():
    with pytest.raises(ValueError, match="against must be one of 'iteration', 'seconds', got 'time'"):
        ConvergenceDisplay.from_trace(make_trace(), against="time")
    with pytest.raises(
        ValueError, match="panels must be some of 'dual_objective', 'violation', 'support', got"
    ):
        ConvergenceDisplay.from_trace(make_trace(), panels=["gap"])
    with pytest.raises(ValueError, match="axes must be one for each of 3 panels, got 1"):
        ConvergenceDisplay.from_trace(make_trace(), axes=plt.subplots()[1])
    with pytest.raises(ValueError, match="CuttingPlaneSVC has no trace of rounds: give a fitted"):
        ConvergenceDisplay.from_estimator(CuttingPlaneSVC())
    with pytest.raises(ValueError, match="no trace to draw"):
        ConvergenceDisplay({})
