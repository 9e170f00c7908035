"""The error that readers raise, and what they do with many of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal, TypeAlias, TypeVar

OnError = Literal["raise", "collect"]
Raise = Literal["raise"]
Collect = Literal["collect"]
Made = TypeVar("Made")
Collected: TypeAlias = tuple[Made, list["FormatError"]]
OnEachError: TypeAlias = Literal["raise"] | Callable[["FormatError"], object]  # of readers in batches


class FormatError(ValueError):
    """Input that cannot be read, with the place where reading stopped.

    Attributes
    ----------
    message : str
        What was wrong or expected.
    path : str or None
        The file, when there was one.
    line, column : int or None
        Counted from 1; columns in characters.
    item : int or None
        For input that came as a sequence: the number of the bad item, counted from 0.

    Examples
    --------
    >>> from hedgerow import Forest, FormatError
    >>> try:
    ...     Forest(["(NP (D a) (N dog))", "(NP (D a)"])
    ... except FormatError as error:
    ...     print(error)
    item 1, column 1: the tree is not closed: 1 ')' is missing
    """

    def __init__(
        self,
        message: str,
        *,
        path: str | None = None,
        line: int | None = None,
        column: int | None = None,
        item: int | None = None,
    ) -> None:
        self.message, self.path, self.line, self.column, self.item = message, path, line, column, item
        super().__init__(self._text())

    def _text(self) -> str:
        place = [] if self.path is None else [self.path]
        if self.item is not None:
            place.append(f"item {self.item}")
        if self.line is not None:
            place.append(f"line {self.line}")
        if self.column is not None:
            place.append(f"column {self.column}")
        return f"{', '.join(place)}: {self.message}" if place else self.message

    def __reduce__(self) -> tuple[object, ...]:
        # Exceptions are rebuilt from their arguments, so keyword arguments need help.
        state = {"path": self.path, "line": self.line, "column": self.column, "item": self.item}
        return _rebuild, (self.message, state)


def _rebuild(message: str, state: dict[str, object]) -> FormatError:
    return FormatError(message, **state)  # type: ignore[arg-type]


def check_label(label: str, item: int | None = None) -> None:
    """A label of the tree with number ``item`` may be any text that UTF-8 can write, without NUL."""
    if not label or "\0" in label:
        raise FormatError(f"a label must be a non-empty text without NUL, got {label!r}", item=item)
    try:
        label.encode()
    except UnicodeEncodeError:
        raise FormatError(f"the label {label!r} cannot be written in UTF-8", item=item) from None


def line_errors(found: Iterable[tuple[int, int, str]], path: str | None) -> list[FormatError]:
    """The native readers' (line, column, message) as errors."""
    return [FormatError(text, path=path, line=line, column=column) for line, column, text in found]


def check_on_error(errors: str) -> None:
    if errors not in ("raise", "collect"):
        raise ValueError(f"errors must be 'raise' or 'collect', got {errors!r}")


def error_handler(errors: OnEachError) -> Callable[[FormatError], object]:
    """What is called with each error of a reader in batches."""
    if callable(errors):
        return errors
    if errors != "raise":
        raise ValueError(f"errors must be 'raise' or a function that takes a FormatError, got {errors!r}")
    return _raise


def _raise(error: FormatError) -> None:
    raise error
