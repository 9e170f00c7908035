"""The displays of traces, drawn without a screen."""

from __future__ import annotations

import subprocess
import sys
from types import SimpleNamespace

import matplotlib.pyplot as plt
import numpy as np
import pytest

from hedgerow.inspection import OnlinePerformanceDisplay, RuntimeDisplay, SupportGrowthDisplay
from hedgerow.inspection.drawing import COLOURS, line_styles

DISPLAYS = [
    (OnlinePerformanceDisplay, "f1", "Cumulative F1"),
    (SupportGrowthDisplay, "support", "Supports"),
    (RuntimeDisplay, "seconds", "CPU time in seconds"),
]


def make_trace(slope=1.0, n=5):
    examples = np.arange(1, n + 1) * 1000
    return SimpleNamespace(
        examples=examples,
        mistakes=(examples * 0.1 * slope).astype(int),
        f1=np.linspace(0.5, 0.9, n) * slope,
        support=(examples * 0.2 * slope).astype(int),
        seconds=examples * 0.001 * slope,
    )


class Learner:
    def __init__(self, trace):
        self.trace_ = trace


class Budgeted(Learner):
    pass


@pytest.mark.parametrize(("display", "quantity", "label"), DISPLAYS)
class TestEveryDisplay:
    def test_from_trace(self, display, quantity, label):
        trace = make_trace()
        drawn = display.from_trace(trace)
        np.testing.assert_array_equal(drawn.line_.get_xdata(), trace.examples)
        np.testing.assert_array_equal(drawn.line_.get_ydata(), getattr(trace, quantity))
        assert drawn.ax_.get_ylabel() == label
        assert drawn.ax_.get_xlabel() == "Examples seen"
        assert drawn.figure_ is drawn.ax_.figure
        assert drawn.ax_.get_legend() is None

    def test_name_makes_a_legend(self, display, quantity, label):
        drawn = display.from_trace(make_trace(), name="a learner")
        assert [text.get_text() for text in drawn.ax_.get_legend().get_texts()] == ["a learner"]

    def test_from_estimator(self, display, quantity, label):
        assert display.from_estimator(Learner(make_trace())).line_.get_label() == "Learner"
        assert display.from_estimator(Learner(make_trace()), name="mine").line_.get_label() == "mine"

    def test_from_estimators_with_names(self, display, quantity, label):
        slopes = {"one": 1.0, "half": 0.5, "none": 0.0}
        learners = {name: Learner(make_trace(slope)) for name, slope in slopes.items()}
        drawn = display.from_estimators(learners)
        assert [line.get_label() for line in drawn.lines_] == ["one", "half", "none"]
        assert drawn.line_ is drawn.lines_[0]
        for line, learner in zip(drawn.lines_, learners.values(), strict=True):
            np.testing.assert_array_equal(line.get_ydata(), getattr(learner.trace_, quantity))
        assert len({line.get_color() for line in drawn.lines_}) == 3
        assert len({line.get_linestyle() for line in drawn.lines_}) == 3

    def test_from_estimators_without_names(self, display, quantity, label):
        trace = make_trace()
        drawn = display.from_estimators([Learner(trace), Budgeted(trace), Learner(trace), Learner(trace)])
        assert [line.get_label() for line in drawn.lines_] == [
            "Learner",
            "Budgeted",
            "Learner (2)",
            "Learner (3)",
        ]

    def test_given_axes_are_used_and_styles_go_on(self, display, quantity, label):
        figure, ax = plt.subplots()
        first = display.from_trace(make_trace(), name="a", ax=ax)
        second = display.from_trace(make_trace(0.5), name="b", ax=ax)
        assert first.ax_ is second.ax_ is ax
        assert second.figure_ is figure
        assert [line.get_color() for line in ax.lines] == list(COLOURS[:2])
        assert [text.get_text() for text in ax.get_legend().get_texts()] == ["a", "b"]

    def test_line_options(self, display, quantity, label):
        line = display.from_trace(make_trace(), color="red", linewidth=3).line_
        assert (line.get_color(), line.get_linewidth()) == ("red", 3)

    def test_untraced_learner(self, display, quantity, label):
        for learner in (Learner(None), SimpleNamespace()):
            with pytest.raises(ValueError, match="has no trace: set trace_every"):
                display.from_estimator(learner)

    def test_nothing_to_draw(self, display, quantity, label):
        with pytest.raises(ValueError, match="no trace to draw"):
            display.from_estimators([])

    def test_it_renders(self, display, quantity, label, tmp_path):
        drawn = display.from_trace(make_trace(), name="a learner")
        drawn.figure_.savefig(tmp_path / "figure.png")
        drawn.figure_.savefig(tmp_path / "figure.pdf")
        assert (tmp_path / "figure.png").stat().st_size > 5000


class TestMeasures:
    def test_accuracy_and_mistakes(self):
        trace = make_trace()
        accuracy = OnlinePerformanceDisplay.from_trace(trace, measure="accuracy")
        np.testing.assert_allclose(accuracy.line_.get_ydata(), 0.9)
        assert accuracy.ax_.get_ylabel() == "Cumulative accuracy"
        mistakes = OnlinePerformanceDisplay.from_trace(trace, measure="mistakes")
        np.testing.assert_array_equal(mistakes.line_.get_ydata(), trace.mistakes)

    def test_unknown(self):
        with pytest.raises(
            ValueError, match="measure must be 'f1', 'accuracy', 'error' or 'mistakes', got 'auc'"
        ):
            OnlinePerformanceDisplay.from_trace(make_trace(), measure="auc")


def test_many_lines_repeat_no_style():
    assert len({(style["color"], style["linestyle"]) for style in line_styles(42)}) == 42


@pytest.mark.parametrize("display", [SupportGrowthDisplay, RuntimeDisplay])
def test_amounts_start_at_zero(display):
    assert display.from_trace(make_trace()).ax_.get_ylim()[0] == 0


def test_shares_fill_the_axes_but_for_their_beginning():
    trace = make_trace(n=100)
    trace.f1[:3] = 0
    low, high = OnlinePerformanceDisplay.from_trace(trace).ax_.get_ylim()
    assert 0.45 < low < 0.55
    assert 0.9 < high < 0.95


def test_large_counts_have_separators():
    ax = SupportGrowthDisplay.from_trace(make_trace(n=2000)).ax_
    assert ax.xaxis.get_major_formatter()(2_000_000) == "2,000,000"
    assert ax.yaxis.get_major_formatter()(0.25) == "0.25"


def run_without_matplotlib(program):
    hide = "import sys; sys.modules['matplotlib'] = None; sys.modules['matplotlib.pyplot'] = None\n"
    subprocess.run([sys.executable, "-c", hide + program], check=True)


def test_importing_needs_no_matplotlib():
    subprocess.run(
        [sys.executable, "-c", "import sys, hedgerow.inspection; assert 'matplotlib' not in sys.modules"],
        check=True,
    )
    run_without_matplotlib("import hedgerow.inspection")


def test_missing_matplotlib_is_explained():
    run_without_matplotlib(
        "from hedgerow.inspection import RuntimeDisplay\n"
        "try: RuntimeDisplay({'a': None}).plot()\n"
        "except ImportError as error: assert \"pip install 'hedgerow[report]'\" in str(error)\n"
        "else: raise AssertionError\n"
    )


def test_runtime_on_a_logarithmic_axis():
    from hedgerow.kernels import RBF
    from hedgerow.online import Perceptron

    X, y = [[float(i % 3)] for i in range(60)], [i % 2 for i in range(60)]
    trace = Perceptron(RBF(), trace_every=10).fit(X, y).trace_
    display = RuntimeDisplay.from_trace(trace, scale="log")
    low, high = display.ax_.get_ylim()
    assert display.ax_.get_yscale() == "log"
    assert 0 < low <= trace.seconds.min() <= trace.seconds.max() <= high
    with pytest.raises(ValueError, match="scale must be"):
        RuntimeDisplay.from_trace(trace, scale="cubic")
