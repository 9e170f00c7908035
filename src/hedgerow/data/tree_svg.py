"""Trees as pictures: SVG that needs nothing else and takes on the colour of the text around it."""

from __future__ import annotations

import unicodedata
from html import escape
from typing import Any

from hedgerow.data.tree_outline import TreeOutline
from hedgerow.visible import blotted

FOR, AGAINST = "#0072B2", "#D55E00"  # which people with any kind of colour vision can tell apart
_LETTER, _HEIGHT, _LEVEL, _GAP, _MARGIN = 7.3, 18, 42, 14, 10  # in pixels, for letters of 13
_LONGEST = 40  # letters of a label


def tree_svg(tree: Any, values: Any = None, *, max_nodes: int = 300, max_depth: int = 40) -> str:
    """A tree as SVG, to be put into a page or shown in a notebook.

    Parameters
    ----------
    tree : str, Tree, nltk.Tree or Fragment
        Words are slanted. A node whose children a fragment leaves open has a short dotted line below it.
    values : sequence of float, optional
        A number for each node in post-order, as `Explanation` has them: what is positive is tinted blue, what is
        negative orange, the more the larger.
    max_nodes, max_depth : int
        What is beyond is left out, and a line below says how much.

    Returns
    -------
    svg : str
        One ``<svg>`` element, in the colour of the text around it.

    Examples
    --------
    >>> from hedgerow.inspection import tree_svg
    >>> tree_svg("(NP (D the) (N dog))").startswith("<svg ")
    True
    """
    outline = TreeOutline.of(tree, values, max_nodes=max_nodes, max_depth=max_depth)
    texts = [_shortened(label) for label in outline.labels]
    spans = _spans(outline, texts)
    centres = _centres(outline, spans)
    shares = outline.shares()
    lines: list[str] = []
    labels: list[str] = []
    for node, text in enumerate(texts):
        x, y = centres[node], _MARGIN + outline.depths[node] * _LEVEL
        foot = y + _HEIGHT
        for child in outline.children[node]:
            lines.append(_line(x, foot, centres[child], y + _LEVEL))
        if outline.kinds[node] == "open" or outline.hidden[node]:
            lines.append(_line(x, foot, x, foot + 12, ' stroke-dasharray="2 3"'))
        if shares[node]:
            labels.append(_tint(x, y, _width(text), shares[node]))
        labels.append(_label(outline, node, text, x, y))
    bottom = _MARGIN + max(outline.depths, default=0) * _LEVEL + _HEIGHT + 14
    width = (spans[0] if spans else 0) + 2 * _MARGIN
    if outline.left_out:
        note = f"and {outline.left_out:,} more {'node' if outline.left_out == 1 else 'nodes'}"
        width = max(width, _width(note) + 2 * _MARGIN)
        labels.append(_text(width / 2, bottom + 13, note, ' opacity="0.7"'))
        bottom += _HEIGHT + 4
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{bottom:.0f}" '
        f'viewBox="0 0 {width:.0f} {bottom:.0f}" role="img" font-family="system-ui, sans-serif" font-size="13" '
        f'fill="currentColor"><g stroke="currentColor" stroke-opacity="0.5">{"".join(lines)}</g>'
        f"{''.join(labels)}</svg>"
    )


def _spans(outline: TreeOutline, texts: list[str]) -> list[float]:
    """How wide each node is with all below it."""
    spans = [_width(text) for text in texts]
    for node in reversed(range(len(outline))):
        children = outline.children[node]
        below = sum(spans[child] for child in children) + _GAP * max(len(children) - 1, 0)
        spans[node] = max(spans[node], below)
    return spans


def _centres(outline: TreeOutline, spans: list[float]) -> list[float]:
    """Where each node stands: over the middle of what is below it."""
    centres = [0.0] * len(outline)
    if centres:
        centres[0] = _MARGIN + spans[0] / 2
    for node, children in enumerate(outline.children):
        below = sum(spans[child] for child in children) + _GAP * max(len(children) - 1, 0)
        left = centres[node] - below / 2
        for child in children:
            centres[child] = left + spans[child] / 2
            left += spans[child] + _GAP
    return centres


def _width(text: str) -> float:
    wide = sum(unicodedata.east_asian_width(letter) in "WF" for letter in text)
    return max(_LETTER * (len(text) + wide), 8.0)


def _shortened(label: str) -> str:
    return label if len(label) <= _LONGEST else label[: _LONGEST - 1] + "…"


def _line(x1: float, y1: float, x2: float, y2: float, style: str = "") -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"{style}/>'


def _tint(x: float, y: float, width: float, share: float) -> str:
    colour = FOR if share > 0 else AGAINST
    opacity = 0.08 + 0.52 * abs(share)
    return (
        f'<rect x="{x - width / 2 - 3:.1f}" y="{y}" width="{width + 6:.1f}" height="{_HEIGHT}" rx="4" '
        f'fill="{colour}" fill-opacity="{opacity:.2f}"/>'
    )


def _label(outline: TreeOutline, node: int, text: str, x: float, y: float) -> str:
    style = ' font-style="italic"' if outline.kinds[node] == "word" else ""
    title = ""
    if outline.values is not None:
        title = f"<title>{_clean(outline.labels[node])}: {outline.values[node]:+.4g}</title>"
    elif text != outline.labels[node]:
        title = f"<title>{_clean(outline.labels[node])}</title>"
    return _text(x, y + 13, text, style, title)


def _text(x: float, y: float, text: str, style: str = "", title: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="middle"{style}>{title}{_clean(text)}</text>'


def _clean(text: str) -> str:
    """For XML, which has no control characters, however they are written."""
    return escape(blotted(text))
