"""What inspection finds: something that prints, is drawn in notebooks, and goes to JSON and into reports."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Self

from hedgerow.data import Tree
from hedgerow.data.tree_svg import tree_svg
from hedgerow.data.tree_text import tree_text
from hedgerow.inspection import html_pieces as html
from hedgerow.kernels.base import Matrix


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
            [html.bar(entry.amount, self.largest), _drawn(entry.what), *map(html.text, entry.details)]
            for entry in self.entries
        ]
        rows += [[html.bar(value, self.largest), html.text(name)] for name, value in self.rest]
        return html.section(self.title, html.table(self.heads, rows), html.text(self.note))


def _drawn(what: Any) -> str:
    return str(what.to_svg()) if hasattr(what, "to_svg") else html.text(what)


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
        pictures = [html.section(one.caption, html.scrolling(one.to_svg())) for one in self.drawings()]
        tables = [one.to_html() for one in self.listings()]
        inside = [*pictures, *tables]
        return html.section(self.title, *inside) if self.title else "".join(inside)

    def _repr_html_(self) -> str:
        return html.scrolling(self.to_html())
