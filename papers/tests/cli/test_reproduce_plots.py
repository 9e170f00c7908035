"""Plots of experiments as they are drawn."""

from __future__ import annotations

import pytest

from hedgerow_papers.experiments import Line, Plot

pytest.importorskip("matplotlib")

from hedgerow.models import Trace
from hedgerow_papers.cli.plots import COLUMNS, draw_plots, draw_traces, first_tenth
from hedgerow_papers.report.experiment_plots import draw_plot


@pytest.fixture
def ax():
    from matplotlib.figure import Figure

    return Figure().subplots()


def plot(title="A plot", **options):
    return Plot(
        title,
        "x",
        "y",
        (Line("one", {1.0: 2.0, 3.0: 5.0}, joined=False),),
        parameter_scale="linear",
        **options,
    )


@pytest.mark.parametrize("n", [1, COLUMNS, COLUMNS + 1])
def test_all_are_drawn(n):
    svg = draw_plots([plot(f"Plot {i}") for i in range(n)], "svg").decode()
    for i in range(n):
        assert f"<!-- Plot {i} -->" in svg
    assert svg.count("<!-- Plot ") == n


def test_first_tenth_of_a_trace():
    examples = range(5, 205, 5)
    trace = dict.fromkeys(("examples", "mistakes", "f1", "support", "seconds"), examples)
    beginning = first_tenth(Trace(trace))
    assert beginning.examples.tolist() == beginning.support.tolist() == [5, 10, 15, 20]
    assert draw_traces({"Perceptron": trace}, "svg").decode().count("<!-- Cumulative F1 -->") == 2


def test_points_alone(ax):
    draw_plot(plot(), ax)
    (line,) = ax.lines
    assert (line.get_linestyle(), line.get_marker()) == ("None", "o")


def test_diagonal_spans_both_axes(ax):
    draw_plot(plot(diagonal=True), ax)
    _, diagonal = ax.lines
    (x0, y0), (x1, y1) = diagonal.get_xydata()
    assert x0 == y0 <= 1
    assert x1 == y1 >= 5
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["one"]
