"""What ``hedgerow reproduce --plot`` draws."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hedgerow.experiments import Plot
from hedgerow.inspection import OnlinePerformanceDisplay, RuntimeDisplay, SupportGrowthDisplay
from hedgerow.inspection.drawing import line_styles, tidy_axes
from hedgerow.online import Trace

MARKERS = "os^Dv*"
COLUMNS = 4  # of plots
MANY = 30  # points of a line, which then has no markers


def draw_traces(traces: Mapping[str, Mapping[str, Any]], kind: str) -> bytes:
    """The three figures of traces, given as lists by name, side by side."""
    from matplotlib.figure import Figure

    drawn = {row: _as_trace(columns) for row, columns in traces.items()}
    figure = Figure(figsize=(13, 4.6), layout="constrained")
    left, middle, right = figure.subplots(1, 3)
    OnlinePerformanceDisplay(drawn).plot(ax=left)
    SupportGrowthDisplay(drawn).plot(ax=middle)
    RuntimeDisplay(drawn).plot(ax=right, scale="log")
    for ax in figure.axes:
        ax.legend_ = None  # one for all stands above
    handles, labels = left.get_legend_handles_labels()
    columns = len(labels) if len(labels) <= 6 else -(-len(labels) // 2)
    figure.legend(handles, labels, loc="outside upper center", ncols=columns, frameon=False, handlelength=3.2)
    return _saved(figure, kind)


def _as_trace(columns: Mapping[str, Any]) -> Trace:
    return Trace(**{name: np.array(values) for name, values in columns.items()})


def draw_plots(plots: Sequence[Plot], kind: str) -> bytes:
    """Plots side by side, each with a legend of its own."""
    from matplotlib.figure import Figure

    columns = min(len(plots), COLUMNS)
    rows = -(-len(plots) // columns)
    figure = Figure(figsize=(5.2 * columns, 4.4 * rows), layout="constrained")
    places = figure.subplots(rows, columns, squeeze=False).ravel()
    for plot, ax in zip(plots, places, strict=False):
        _draw(plot, ax)
    for ax in places[len(plots) :]:
        ax.set_axis_off()
    return _saved(figure, kind)


def _draw(plot: Plot, ax: Any) -> None:
    names = list(dict.fromkeys([*(line.name for line in plot.lines), *plot.levels]))
    colours = {name: style["color"] for name, style in zip(names, line_styles(len(names)), strict=True)}
    markers = {name: MARKERS[i % len(MARKERS)] for i, name in enumerate(names)}
    for line in plot.lines:
        x, y = list(line.points), list(line.points.values())
        style = {
            "color": colours[line.name],
            "marker": markers[line.name] if len(x) <= MANY else "",
            "markersize": 5,
        }
        ax.plot(x, y, label=line.name, linestyle="-" if line.joined else "none", **style)
        for value, words in line.beside.items():
            ax.annotate(
                words, (value, line.points[value]), xytext=(6, -10), textcoords="offset points", fontsize=8
            )
    for name, level in plot.levels.items():
        # A level of a line has its colour and no name of its own.
        label = None if name in {line.name for line in plot.lines} else name
        ax.axhline(level, label=label, color=colours[name], linestyle="--", linewidth=1.2)
    if plot.diagonal:
        low, high = min(*ax.get_xlim(), *ax.get_ylim()), max(*ax.get_xlim(), *ax.get_ylim())
        ax.plot([low, high], [low, high], color="#999999", linestyle=":", linewidth=1.2, zorder=0)
    ax.set_xscale(plot.parameter_scale)
    ax.set_yscale(plot.measure_scale)
    tidy_axes(ax)
    if plot.parameter_scale == "log":
        ax.set_xticks(sorted({x for line in plot.lines for x in line.points}))
        ax.minorticks_off()
    ax.set(title=plot.title, xlabel=plot.parameter, ylabel=plot.measure)
    if ax.get_legend_handles_labels()[0]:
        ax.legend(frameon=False)


def _saved(figure: Any, kind: str) -> bytes:
    out = io.BytesIO()
    figure.savefig(out, format=kind, dpi=150)
    return out.getvalue()
