"""Pieces of HTML for notebooks and reports, in the colours of the page around them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from hedgerow.data.tree_svg import AGAINST, FOR

_CELL = "padding:2px 10px 2px 0;text-align:left;vertical-align:middle;border:none"


def section(title: str, *parts: str) -> str:
    """A titled part of a page; the parts are HTML already."""
    return (
        f'<div style="margin:0.5em 0 1em 0"><div style="font-weight:600">{escape(title)}</div>'
        f"{''.join(parts)}</div>"
    )


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; cells are HTML already."""
    top = "".join(f'<th style="{_CELL};font-weight:400;opacity:0.7">{escape(head)}</th>' for head in heads)
    body = "".join(
        "<tr>" + "".join(f'<td style="{_CELL}">{cell}</td>' for cell in row) + "</tr>" for row in rows
    )
    return f'<table style="border-collapse:collapse;border:none"><tr>{top}</tr>{body}</table>'


def bar(value: float, largest: float) -> str:
    """A number with a bar: blue for positive ones, orange for negative ones."""
    share = min(abs(value) / largest, 1.0) if largest > 0 else 0.0
    colour = FOR if value > 0 else AGAINST
    return (
        f'<span style="display:inline-block;width:98px"><span style="display:inline-block;height:0.7em;'
        f'width:{90 * share:.1f}px;background:{colour}"></span></span>'
        f'<span style="font-variant-numeric:tabular-nums">{value:+.4g}</span>'
    )


def text(words: object) -> str:
    return escape(str(words))


def scrolling(inside: str) -> str:
    """For what may be wider than the page."""
    return f'<div style="overflow-x:auto;max-width:100%">{inside}</div>'
