"""What ``hedgerow reproduce --plot`` draws."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any

from hedgerow.inspection import OnlinePerformanceDisplay, RuntimeDisplay, SupportGrowthDisplay
from hedgerow.models import Trace
from hedgerow_papers.experiments import Plot
from hedgerow_papers.report.experiment_plots import draw_plot

COLUMNS = 4  # of plots


def draw_traces(traces: Mapping[str, Mapping[str, Any]], kind: str) -> bytes:
    """The figures of traces, given as lists by name, side by side: the first tenth of the performance comes first."""
    from matplotlib.figure import Figure

    drawn = {row: Trace(columns) for row, columns in traces.items()}
    figure = Figure(figsize=(17, 4.6), layout="constrained")
    first, left, middle, right = figure.subplots(1, 4)
    OnlinePerformanceDisplay({row: first_tenth(trace) for row, trace in drawn.items()}).plot(ax=first)
    OnlinePerformanceDisplay(drawn).plot(ax=left)
    SupportGrowthDisplay(drawn).plot(ax=middle)
    RuntimeDisplay(drawn).plot(ax=right, scale="log")
    for ax in figure.axes:
        ax.legend_ = None  # one for all stands above
    handles, labels = left.get_legend_handles_labels()
    columns = len(labels) if len(labels) <= 6 else -(-len(labels) // 2)
    figure.legend(handles, labels, loc="outside upper center", ncols=columns, frameon=False, handlelength=3.2)
    return _saved(figure, kind)


def first_tenth(trace: Trace) -> Trace:
    """The entries of the first tenth of the examples."""
    begins = trace.examples <= trace.examples[-1] / 10
    return Trace({name: getattr(trace, name)[begins] for name in trace.columns})


def draw_plots(plots: Sequence[Plot], kind: str) -> bytes:
    """Plots side by side, each with a legend of its own."""
    from matplotlib.figure import Figure

    columns = min(len(plots), COLUMNS)
    rows = -(-len(plots) // columns)
    figure = Figure(figsize=(5.2 * columns, 4.4 * rows), layout="constrained")
    places = figure.subplots(rows, columns, squeeze=False).ravel()
    for plot, ax in zip(plots, places, strict=False):
        draw_plot(plot, ax)
    for ax in places[len(plots) :]:
        ax.set_axis_off()
    return _saved(figure, kind)


def _saved(figure: Any, kind: str) -> bytes:
    out = io.BytesIO()
    figure.savefig(out, format=kind, dpi=150)
    return out.getvalue()
