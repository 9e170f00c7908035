"""Plots of experiments: measures against a parameter, drawn into matplotlib axes."""

from __future__ import annotations

from typing import Any

from hedgerow.inspection.drawing import line_styles, tidy_axes
from hedgerow_papers.experiments import Plot

MARKERS = "os^Dv*"
MANY = 30  # points of a line, which then has no markers


def draw_plot(plot: Plot, ax: Any) -> None:
    """Lines, levels and words of a plot, with a legend."""
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
        joined = "-" if line.joined else "none"
        bars = [line.deviations.get(value, 0.0) for value in x] if line.deviations else None
        ax.errorbar(x, y, yerr=bars, capsize=3, label=line.name, linestyle=joined, **style)
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
