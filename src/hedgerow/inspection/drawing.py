"""What all plots share: matplotlib when it is there, colours, dashes and axes."""

from __future__ import annotations

from itertools import cycle, islice
from typing import Any

# Okabe and Ito's palette, which people with any kind of colour vision can tell apart, but for its yellow, which
# is too light on paper. Dashes tell lines apart in grey print.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#56B4E9", "#E69F00")
DASHES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (8, 2)), (0, (2, 1)))


def pyplot() -> Any:
    """matplotlib's pyplot, or an error that says how to get it."""
    try:
        import matplotlib.pyplot
    except ImportError as error:
        raise ImportError(
            "plots need matplotlib, which the extra report brings: pip install 'hedgerow[report]'"
        ) from error
    return matplotlib.pyplot


def line_styles(count: int) -> list[dict[str, Any]]:
    """A colour with a dash for each of so many lines."""
    styles = zip(cycle(COLOURS), cycle(DASHES), strict=False)
    return [{"color": colour, "linestyle": dash} for colour, dash in islice(styles, count)]


def tidy_axes(ax: Any) -> None:
    """Numbers with thousands separators, light grid lines, and no box around the data."""
    from matplotlib.ticker import FuncFormatter

    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))
    ax.grid(True, color="#DDDDDD", linewidth=0.6)
    ax.set_axisbelow(True)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
