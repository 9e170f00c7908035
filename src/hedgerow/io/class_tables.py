"""Tables about classes: their weights, and what is lost by taking one for another."""

from __future__ import annotations

from collections.abc import Iterator

from hedgerow.data import FormatError
from hedgerow.data.files import name_of, read_text


def read_weights(path: str) -> dict[str, float]:
    """The weight of every name, from lines ``name<TAB>weight``."""
    return {name: weight for (name,), weight in _rows(path, "a name")}


def read_losses(path: str) -> dict[tuple[str, str], float]:
    """What is lost by predicting one class for another, from lines ``true<TAB>predicted<TAB>loss``."""
    return {(true, other): loss for (true, other), loss in _rows(path, "a true class, a predicted one")}


def _rows(path: str, names: str) -> Iterator[tuple[list[str], float]]:
    """Names and a number on every line that is not blank; where there are no tabs, spaces part them."""
    for line_number, line in enumerate(read_text(path).split("\n"), 1):
        if not line.strip():
            continue
        *found, last = [cell.strip() for cell in line.split("\t")] if "\t" in line else line.split()
        try:
            number = float(last)
        except ValueError:
            number = None
        if number is None or len(found) != names.count("a ") or not all(found):
            wrong = f"expected {names} and a number with tabs between, found {line.strip()!r}"
            raise FormatError(wrong, path=name_of(path), line=line_number)
        yield found, number
