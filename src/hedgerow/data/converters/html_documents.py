"""Trees from HTML, read as forgivingly as browsers do in the simple cases.

Elements that need no end tag end where the next one starts (``<li>a<li>b``), void elements (``<br>``) have
no end, an end tag closes what is still open inside its element, and an end tag without a start is ignored.
"""

from __future__ import annotations

from collections import Counter
from html.parser import HTMLParser

from hedgerow.data.converters.markup import ElementWriter
from hedgerow.data.converters.postorder import PostorderBuilder
from hedgerow.data.errors import FormatError
from hedgerow.data.files import decode_utf8

UNSHOWN = frozenset({"script", "style"})  # their content is not text
# fmt: off
VOID = frozenset((
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
))
BLOCKS = (
    "address", "article", "aside", "blockquote", "center", "details", "dialog", "dir", "div", "dl",
    "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6",
    "header", "hgroup", "hr", "main", "menu", "nav", "ol", "p", "pre", "section", "summary",
    "table", "ul",
)
# fmt: on

# What a start tag closes, and the elements that it does not look beyond.
_ROWS = {"tr", "td", "th"}
_SECTIONS = {"thead", "tbody", "tfoot", "caption", "colgroup"}
CLOSES: dict[str, tuple[set[str], set[str]]] = {
    "li": ({"li"}, {"ul", "ol", "menu"}),
    **dict.fromkeys(("dt", "dd"), ({"dt", "dd"}, {"dl"})),
    **dict.fromkeys(("td", "th"), ({"td", "th", "caption"}, {"tr", "table"})),
    "tr": (_ROWS | {"caption", "colgroup"}, {"thead", "tbody", "tfoot", "table"}),
    **dict.fromkeys(_SECTIONS, (_SECTIONS | _ROWS, {"table"})),
    "option": ({"option"}, {"select", "datalist", "optgroup"}),
    "optgroup": ({"option", "optgroup"}, {"select"}),
    **dict.fromkeys(("rt", "rp"), ({"rt", "rp"}, {"ruby"})),
    "body": ({"head"}, set()),
    **dict.fromkeys(BLOCKS, ({"p"}, {"button", "td", "th", "caption", "object"})),
}
TABLE_PARTS = frozenset({"table"} | _SECTIONS | _ROWS)
# An end tag does not close what is outside of its table cell, or of its list.
CELLS = frozenset({"table", "td", "th", "caption"})
LISTS = frozenset({"ul", "ol", "menu", "dl"})


def add_html(builder: PostorderBuilder, document: str | bytes, *, attributes: bool, text: bool) -> None:
    if isinstance(document, bytes):
        document = decode_utf8(document)
    if not isinstance(document, str):
        raise TypeError(f"expected an HTML document as str or bytes, got {type(document).__name__}")
    reader = _Reader(ElementWriter(builder, attributes=attributes, text=text))
    try:
        reader.feed(document.removeprefix("\ufeff"))
        reader.finish()
    except AssertionError as error:  # how html.parser says that a declaration makes no sense
        line, column = reader.getpos()
        raise FormatError(f"not HTML: {error}", line=line, column=column + 1) from None


class _Reader(HTMLParser):
    """Keeps the elements of a document properly nested, below the root html that every tree has."""

    def __init__(self, writer: ElementWriter) -> None:
        super().__init__(convert_charrefs=True)
        self._writer = writer
        # Of the open elements, to know without a search what is not open.
        self._counts: Counter[str] = Counter()
        self._start("html", [])

    def finish(self) -> None:
        self.close()
        while self._writer.open:
            self._end()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "html":
            if len(self._writer.open) == 1:
                self._writer.attributes(attrs)
            return
        if tag in CLOSES:
            closed, limits = CLOSES[tag]
            self._close_outermost(closed, limits)
        self._start(tag, attrs)
        if tag in VOID:
            self._end()

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        # Elsewhere the slash means nothing.
        if tag not in VOID and (self._counts["svg"] or self._counts["math"]):
            self._end()

    def handle_endtag(self, tag: str) -> None:
        if tag == "html" or not self._counts[tag]:
            return
        limits = {"table"} if tag in TABLE_PARTS else CELLS | LISTS if tag in ("li", "dt", "dd") else CELLS
        for place in range(len(self._writer.open) - 1, 0, -1):
            name = self._writer.open[place]
            if name == tag:
                self._close_down_to(place)
                return
            if name in limits:
                return

    def handle_data(self, data: str) -> None:
        if self._writer.open[-1] not in UNSHOWN:
            self._writer.words(data)

    def _close_outermost(self, names: set[str], limits: set[str]) -> None:
        """Close the outermost open element of these names, as far as the nearest limit."""
        if not any(self._counts[name] for name in names):
            return
        found = None
        for place in range(len(self._writer.open) - 1, 0, -1):
            name = self._writer.open[place]
            if name in limits:
                break
            if name in names:
                found = place
        if found is not None:
            self._close_down_to(found)

    def _close_down_to(self, place: int) -> None:
        while len(self._writer.open) > place:
            self._end()

    def _start(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self._counts[tag] += 1
        self._writer.start(tag, attributes)

    def _end(self) -> None:
        self._counts[self._writer.open[-1]] -= 1
        self._writer.end()
