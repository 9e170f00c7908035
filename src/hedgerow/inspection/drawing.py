"""What all plots share: matplotlib when it is there, colours, dashes and axes."""

from __future__ import annotations

from typing import Any

import numpy as np

# Okabe and Ito's palette, which people with any kind of colour vision can tell apart, but for its yellow, which
# is too light on paper. Dashes tell lines apart in grey print; there is one less, so that 42 lines all differ.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#56B4E9", "#E69F00")
DASHES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (8, 2)))


def pyplot() -> Any:
    """matplotlib's pyplot, or an error that says how to get it."""
    try:
        import matplotlib.pyplot
    except ImportError as error:
        raise ImportError(
            "plots need matplotlib, which the extra report brings: pip install 'hedgerow[report]'"
        ) from error
    return matplotlib.pyplot


def new_axes() -> Any:
    """Axes of a new figure of the usual size."""
    return pyplot().subplots(figsize=(6.4, 4.0), layout="constrained")[1]


def line_styles(count: int) -> list[dict[str, Any]]:
    """A colour with a dash for each of so many lines."""
    return [{"color": COLOURS[i % len(COLOURS)], "linestyle": DASHES[i % len(DASHES)]} for i in range(count)]


def further_styles(ax: Any, count: int) -> list[dict[str, Any]]:
    """Styles for so many more lines, or groups of lines of one colour, after those that are there already."""
    drawn = len({str(line.get_color()) for line in ax.lines})
    return line_styles(drawn + count)[drawn:]


def tidy_axes(ax: Any) -> None:
    """Numbers with thousands separators, light grid lines, and no box around the data."""
    from matplotlib.ticker import FuncFormatter, LogFormatter

    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))
        if axis.get_scale() == "log":  # of less than a decade, where others are numbered too
            axis.set_minor_formatter(LogFormatter())
    ax.grid(True, color="#DDDDDD", linewidth=0.6)
    ax.set_axisbelow(True)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)


def show_settled_part(ax: Any, beginning: float = 0.05) -> None:
    """Fit the y axis to the lines without their beginning, where shares of few examples jump."""
    settled = []
    for line in ax.lines:
        x, y = np.asarray(line.get_xdata()), np.asarray(line.get_ydata())
        settled.append(y[x >= beginning * x.max(initial=0)])
    values = np.concatenate(settled)
    values = values[np.isfinite(values)]
    if len(values):
        low, high = values.min(), values.max()
        margin = 0.05 * (high - low) or 0.01
        ax.set_ylim(low - margin, high + margin)
