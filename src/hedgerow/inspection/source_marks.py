"""What speaks for and against a prediction, marked in the source code that was parsed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby
from typing import Any, overload

import numpy as np

from hedgerow.data.converters.source_code import NodeSpan, TreeOptions, spans_of
from hedgerow.data.tree_svg import AGAINST, FOR
from hedgerow.inspection.accounts import Account
from hedgerow.kernels.base import Matrix
from hedgerow.visible import visible


@dataclass(frozen=True)
class SourceMark:
    """A place in a source that speaks for or against a class.

    Attributes
    ----------
    line, column : int
        Where it begins, from 1; columns count characters.
    end_line, end_column : int
        Of its last character.
    contribution : float
        What it adds to the score.
    what : str
        The fragment, or the source text of the node.
    """

    line: int
    column: int
    end_line: int
    end_column: int
    contribution: float
    what: str

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return dict(vars(self))

    def __str__(self) -> str:
        return f"{self.contribution:+10.4g}  {self.line}:{self.column}  {visible(self.what)}"


@dataclass(frozen=True, repr=False)
class SourceMarks(Sequence[SourceMark]):
    """All marks of a source, those that speak for the class first, the largest first.

    Printed, lines that have marks follow, with + below characters that speak for the class and - below those against.

    Attributes
    ----------
    label : the class
    score : float
    text : str
        The source.
    """

    label: Any
    score: float
    text: str
    marks: tuple[SourceMark, ...]
    amounts: Matrix  # by character

    @overload
    def __getitem__(self, key: int) -> SourceMark: ...
    @overload
    def __getitem__(self, key: slice) -> Sequence[SourceMark]: ...
    def __getitem__(self, key: int | slice) -> SourceMark | Sequence[SourceMark]:
        return self.marks[key]

    def __len__(self) -> int:
        return len(self.marks)

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"label": self.label, "score": self.score, "marks": [mark.to_dict() for mark in self]}

    def __str__(self) -> str:
        lines = [f"{self.label}: {self.score:.6g}", *map(str, self)]
        for number, line, amounts in self._lines():
            if not amounts.any():
                continue
            below = "".join("+" if a > 0 else "-" if a < 0 else " " for a in amounts[: len(line)])
            shown = "".join(character if character.isprintable() else " " for character in line)
            lines += [f"{number:6} | {shown}", f"       | {below.rstrip()}"]
        return "\n".join(lines)

    __repr__ = __str__

    def to_html(self) -> str:
        """The source with its marks in colours."""
        largest = float(np.abs(self.amounts).max(initial=0.0)) or 1.0
        rows = []
        for number, line, amounts in self._lines():
            cells = []
            for amount, some in groupby(zip(line, amounts.tolist(), strict=False), key=lambda pair: pair[1]):
                piece = escape(visible("".join(character for character, _ in some)))
                share = round(100 * min(abs(amount) / largest, 1.0))
                colour = FOR if amount > 0 else AGAINST
                style = f"background:color-mix(in srgb, {colour} {share}%, transparent)"
                cells.append(f'<span style="{style}">{piece}</span>' if amount else piece)
            rows.append(f'<span style="opacity:0.5">{number:5} </span>{"".join(cells)}')
        return f'<pre style="line-height:1.3">{chr(10).join(rows)}</pre>'

    def _repr_html_(self) -> str:
        return self.to_html()

    def _lines(self) -> Iterator[tuple[int, str, Matrix]]:
        """Numbers and texts of lines, and the amounts of their characters."""
        begin = 0
        for number, line in enumerate(self.text.split("\n"), 1):
            yield number, line, self.amounts[begin : begin + len(line)]
            begin += len(line) + 1


def source_marks(
    account: Account,
    n_nodes: int | None,
    source: str | bytes,
    language: str,
    place: int,
    options: TreeOptions,
) -> SourceMarks:
    """The contributions of an account in the source of the tree that it explains."""
    content = source.encode("utf-8", "surrogatepass") if isinstance(source, str) else source
    trees = spans_of(content, language, options)
    if not 0 <= place < len(trees):
        raise ValueError(f"place must be that of a tree of the source, which has {len(trees)}, got {place}")
    spans = trees[place]
    found = _placed(account)
    if max((last for _, _, last, _ in found), default=0) >= len(spans) or n_nodes not in (None, len(spans)):
        raise ValueError(
            "the tree that was explained is not the tree of this source; give the source, language and options that "
            "Forest.from_source had"
        )
    at = _Characters(content)
    amounts = np.zeros(len(at.text))
    marks = []
    for contribution, first, last, what in found:
        begin, end = at.range(spans[first], spans[last])
        amounts[begin:end] += contribution
        line, column = at.point(begin)
        end_line, end_column = at.point(max(end - 1, begin))
        shown = what or " ".join(at.text[begin:end].split())[:60]
        marks.append(SourceMark(line, column, end_line, end_column, contribution, shown))
    marks.sort(key=lambda mark: (mark.contribution < 0, -abs(mark.contribution), mark.line, mark.column))
    return SourceMarks(account.label, account.score, at.text, tuple(marks), amounts)


_NODES = 20  # of a model on a kernel, whose fragments have no places


def _placed(account: Account) -> list[tuple[float, int, int, str]]:
    """Contributions with first and last nodes: of fragments, shared by all their places, or else of nodes."""
    found = [
        (one.contribution / len(one.places), first, last, one.name)
        for one in account.contributions
        for first, last in getattr(one, "places", ())
    ]
    if found or not account.nodes:
        return found
    if len(account.nodes) > 1:
        raise ValueError(f"the model looks at several trees, {', '.join(account.nodes)}; sources have one")
    (values,) = account.nodes.values()
    largest = np.argsort(-np.abs(values), kind="stable")[:_NODES].tolist()
    return [(float(values[node]), node, node, "") for node in largest if values[node]]


class _Characters:
    """The characters of a source that is given in bytes."""

    def __init__(self, content: bytes) -> None:
        text = content.decode("utf-8", "surrogateescape")  # a character for each byte that is none
        self._begin: Matrix | None = None
        if len(text) < len(content):
            sizes = [len(some.encode("utf-8", "surrogateescape")) for some in text]
            self._begin = np.concatenate([[0], np.cumsum(sizes)])
        self.text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        self._lines = [0, *(i + 1 for i, some in enumerate(self.text) if some == "\n")]

    def range(self, first: NodeSpan, last: NodeSpan) -> tuple[int, int]:
        if self._begin is None:
            return first.start, last.end
        begin, end = np.searchsorted(self._begin, [first.start, last.end]).tolist()
        return begin, min(end, len(self.text))

    def point(self, character: int) -> tuple[int, int]:
        line = int(np.searchsorted(self._lines, character, side="right"))
        return line, character - self._lines[line - 1] + 1
