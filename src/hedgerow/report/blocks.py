"""What a page is made of: items with a section each, of facts, tables, pictures and sentences.

The template knows how each looks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar


@dataclass(frozen=True)
class Facts:
    """Names and values side by side."""

    kind: ClassVar[str] = "facts"
    pairs: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Cell:
    """A cell of a table.

    ``shade`` from 0 to 1 colours it, in another colour what speaks ``against`` something; ``under`` stands below in
    small print.
    """

    text: str
    shade: float | None = None
    against: bool = False
    under: str = ""
    strong: bool = False


@dataclass(frozen=True)
class CellTable:
    """Rows of cells below headings. The first cell of a row names it; others are numbers unless ``words`` says so."""

    kind: ClassVar[str] = "table"
    headings: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    caption: str = ""
    words: Sequence[int] = ()  # columns that hold words, beside the first
    folded: str = ""  # what is to be clicked to see the table; "" shows it at once


@dataclass(frozen=True)
class Picture:
    """An SVG drawing, what it shows for those who do not see it, and what stands below."""

    svg: str
    label: str
    caption: str = ""


@dataclass(frozen=True)
class Gallery:
    """Pictures side by side, as many as there is room for: ``wide`` plots or ``small`` trees; or large ``tree`` s."""

    kind: ClassVar[str] = "gallery"
    pictures: Sequence[Picture]
    size: str = "wide"


@dataclass(frozen=True)
class Heading:
    """A heading within a section, or a small one within what such a heading is about."""

    kind: ClassVar[str] = "heading"
    text: str
    small: bool = False


@dataclass(frozen=True)
class Paragraph:
    """Words; ``aside`` in smaller print."""

    kind: ClassVar[str] = "sentence"
    text: str
    aside: bool = False


Block = Facts | CellTable | Gallery | Heading | Paragraph


@dataclass(frozen=True)
class Section:
    """A part of the page with a title of its own, and figures of it that the top of the page shows."""

    title: str
    blocks: Sequence[Block]
    kicker: str = ""  # what kind of section it is, above the title
    highlights: Sequence[tuple[str, str]] = field(default=())  # figure, what it is


@dataclass(frozen=True)
class Item:
    """Something with a section of its own."""

    name: str
    kind: ClassVar[str]  # as in "2 evaluations"

    def section(self) -> Section:
        """What the page says about it."""
        raise NotImplementedError

    def trace(self) -> Any:
        """What was recorded while something learned, if the item tells of that."""
        return None


def row(name: str, *values: str) -> list[Cell]:
    """A row of plain cells."""
    return [Cell(name), *(Cell(value) for value in values)]
