"""What inspection finds: something that prints, is drawn in notebooks, and goes to JSON and into reports."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, ClassVar, NamedTuple, Self

from hedgerow.data import Tree
from hedgerow.data.tree_svg import AGAINST, FOR, tree_svg
from hedgerow.data.tree_text import tree_text
from hedgerow.kernels.base import Matrix
from hedgerow.visible import visible

_CELL = "padding:2px 10px 2px 0;text-align:left;vertical-align:middle;border:none"


class Entry(NamedTuple):
    """A line of a list."""

    amount: float
    what: Any  # a Feature, a Fragment, or words
    details: tuple[str, ...] = ()


@dataclass(frozen=True)
class Listing:
    """Features or fragments with numbers."""

    title: str
    heads: Sequence[str]  # what amounts, the things themselves and their details are
    entries: Sequence[Entry]
    note: str = ""  # what the list leaves unsaid
    rest: Sequence[tuple[str, float]] = ()  # what is not taken apart, by name
    drawn: bool = False  # whether the things are trees that are best seen

    @property
    def largest(self) -> float:
        """The largest absolute amount."""
        amounts = [entry.amount for entry in self.entries] + [value for _, value in self.rest]
        return max(map(abs, amounts), default=0.0)

    def __str__(self) -> str:
        lines = [self.title]
        lines += [f"  {entry.amount:+10.4g}  {entry.what}" for entry in self.entries]
        lines += [f"  {value:+10.4g}  {name}" for name, value in self.rest]
        return "\n".join([*lines, f"  ({self.note})"] if self.note else lines)

    def to_html(self) -> str:
        """A table with bars."""
        rows = [
            [_bar(entry.amount, self.largest), _drawn(entry.what), *map(escape, entry.details)]
            for entry in self.entries
        ]
        rows += [[_bar(value, self.largest), _words(name)] for name, value in self.rest]
        return _section(self.title, _table(self.heads, rows), _words(self.note))


def _drawn(what: Any) -> str:
    return str(what.to_svg()) if hasattr(what, "to_svg") else _words(str(what))


@dataclass(frozen=True)
class Drawing:
    """A tree, with what its nodes add."""

    tree: Tree
    values: Matrix | None
    caption: str

    def to_svg(self) -> str:
        return tree_svg(self.tree, self.values)

    def to_text(self) -> str:
        return tree_text(self.tree, self.values)


class Findings(ABC):
    """Lists of what matters, perhaps beside drawings."""

    ranked: ClassVar[bool] = False  # whether the first lists are those that matter most

    @property
    @abstractmethod
    def labels(self) -> list[Any]:
        """The classes that lists may be about."""

    @property
    def title(self) -> str:
        """What stands above all lists."""
        return ""

    @abstractmethod
    def listings(self) -> list[Listing]:
        """What was found, class by class."""

    @abstractmethod
    def only(self, labels: Sequence[Any]) -> Self:
        """What was found about some classes."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """For JSON."""

    def drawings(self) -> list[Drawing]:
        """Trees that belong to all lists."""
        return []

    def facts(self) -> list[tuple[str, str]]:
        """Names and values, for reports."""
        return []

    def to_text(self, labels: Sequence[Any] | None = None) -> str:
        """All lists, or those of some classes, a line for each entry."""
        chosen = self if labels is None else self.only(labels)
        return "\n".join([*([self.title] if self.title else []), *map(str, chosen.listings())])

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self}>"

    def to_html(self) -> str:
        """As a part of a page: drawings, and tables."""
        pictures = [_section(one.caption, scrolling(one.to_svg())) for one in self.drawings()]
        tables = [one.to_html() for one in self.listings()]
        inside = [*pictures, *tables]
        return _section(self.title, *inside) if self.title else "".join(inside)

    def _repr_html_(self) -> str:
        return scrolling(self.to_html())


# -- pieces of HTML, in the colours of the page around them -----------------------------------------------------


def _words(text: str) -> str:
    return escape(visible(text, lines=True))


def _section(title: str, *parts: str) -> str:
    """A titled part of a page; the parts are HTML already."""
    return (
        f'<div style="margin:0.5em 0 1em 0"><div style="font-weight:600">{_words(title)}</div>'
        f"{''.join(parts)}</div>"
    )


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; cells are HTML already."""
    top = "".join(f'<th style="{_CELL};font-weight:400;opacity:0.7">{_words(head)}</th>' for head in heads)
    body = "".join(
        "<tr>" + "".join(f'<td style="{_CELL}">{cell}</td>' for cell in row) + "</tr>" for row in rows
    )
    return f'<table style="border-collapse:collapse;border:none"><tr>{top}</tr>{body}</table>'


def _bar(value: float, largest: float) -> str:
    """A number with a bar: blue for positive ones, orange for negative ones."""
    share = min(abs(value) / largest, 1.0) if largest > 0 else 0.0
    colour = FOR if value > 0 else AGAINST
    return (
        f'<span style="display:inline-block;width:98px"><span style="display:inline-block;height:0.7em;'
        f'width:{90 * share:.1f}px;background:{colour}"></span></span>'
        f'<span style="font-variant-numeric:tabular-nums">{value:+.4g}</span>'
    )


def scrolling(inside: str) -> str:
    """For what may be wider than the page."""
    return f'<div style="overflow-x:auto;max-width:100%">{inside}</div>'
