"""Plots as SVG that takes the colours of the page around it, in light and in dark.

Whatever is black becomes the colour of the text, grid lines that of thin rules, and the palette of hedgerow's plots the
variables ``--line-1``, ``--line-2``, ..., which the style of the page sets. Texts stay texts, in the page's own font.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

from hedgerow.inspection.drawing import COLOURS
from hedgerow.report.blocks import Picture
from hedgerow.visible import visible

SIZE = (4.7, 3.2)  # inches; small, so that texts can be read where a phone makes the picture smaller
LONGEST = 40  # characters of a name beside a plot
GRID = "#dddddd"  # as tidy_axes draws it
STYLE: dict[Any, Any] = {
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "savefig.facecolor": "none",
    "font.size": 10,
    "axes.labelsize": 10,
    "legend.fontsize": 9,
    "svg.fonttype": "none",
    "svg.hashsalt": "hedgerow",  # else the names inside differ from run to run
}
_NAMESPACES = re.compile(r'\sxmlns(?::xlink)?="[^"]*"')  # which files need, and pages do not
_TAG = re.compile(r"<[^>]*>")  # texts between them may look like anything
NO_METADATA = {"Date": None, "Creator": None, "Format": None, "Type": None}


def need_extra() -> None:
    """Complain unless what pages are made with is there."""
    try:
        import jinja2  # noqa: F401
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise ImportError(
            "reports need matplotlib and jinja2, which the extra report brings: pip install 'hedgerow[report]'"
        ) from error


@contextmanager
def new_axes(size: tuple[float, float] = SIZE) -> Iterator[Any]:
    """Axes of a new figure, in the style of the page; no window, nor any other plot, knows of it."""
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(STYLE):
        yield Figure(figsize=size, layout="constrained").subplots()


def picture(ax: Any, label: str, caption: str = "", *, legend: bool = True) -> Picture:
    """What was drawn, with the words that describe it. A legend goes below the plot, where it hides no line."""
    if ax.get_legend() is not None:
        ax.get_legend().remove()
        if legend:
            _legend_below(ax)
    for text in (ax.xaxis.label, ax.yaxis.label, *ax.texts):  # which may come from files of others
        text.set(text=visible(text.get_text()), parse_math=False)
    out = io.BytesIO()
    ax.figure.savefig(out, format="svg", metadata=NO_METADATA)
    return Picture(_themed(out.getvalue().decode()), label, caption)


def _legend_below(ax: Any) -> None:
    handles, names = ax.get_legend_handles_labels()
    if not names:  # matplotlib has no word for lines whose names begin with _
        return
    columns = 1 if max(map(len, names)) > 24 else 2
    width, height = ax.figure.get_size_inches()
    ax.figure.set_size_inches(width, height + 0.2 * -(-len(names) // columns))  # the plot keeps its size
    options = {"loc": "outside lower left", "ncols": columns, "frameon": False, "handlelength": 2.4}
    ax.figure.legend(handles, list(map(plain, names)), **options)


def plain(name: str) -> str:
    """A name for matplotlib, in which dollars are not formulas, and which leaves room for the plot."""
    return visible(name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…").replace("$", r"\$")


def _themed(svg: str) -> str:
    svg = svg[svg.index("<svg") :]  # without the XML declaration and the document type
    svg = re.sub(r"<metadata>.*?</metadata>\s*", "", svg, flags=re.DOTALL)
    svg = re.sub(r"<style.*?</style>", "", svg, flags=re.DOTALL)  # it would hold for the whole page
    start = svg.index(">")
    svg = (
        re.sub(r'\s(?:width|height)="[^"]*"', "", svg[:start]) + svg[start:]
    )  # the page says how large it is
    return _TAG.sub(lambda tag: _themed_tag(tag[0]), svg)


def _themed_tag(tag: str) -> str:
    # Versions of matplotlib write fonts in either way.
    tag = re.sub(r"(font: [^'\";]*|font-family: )'[^\";]*", r"\1var(--font)", tag)
    tag = tag.replace("<text ", '<text fill="currentColor" ')  # black ones have no colour of their own
    for number, colour in enumerate(COLOURS, start=1):
        if colour != "#000000":
            tag = tag.replace(colour.lower(), f"var(--line-{number})")
    return tag.replace("#000000", "currentColor").replace(GRID, "var(--rule)")


def inliner() -> Callable[[str], str]:
    """A function that makes the names inside each SVG it is given unlike those of all others in the page."""
    numbers = count(1)

    def inline(svg: str) -> str:
        prefix = f"figure{next(numbers)}-"

        def rename(tag: re.Match[str]) -> str:
            return re.sub(r'(\sid="|href="#|url\(#)', rf"\1{prefix}", _NAMESPACES.sub("", tag[0]))

        return _TAG.sub(rename, svg)

    return inline
