"""Pairs of strings: lines of input and output with a tab between."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hedgerow.data import FormatError
from hedgerow.data.files import name_of, reading
from hedgerow.io.sources import iter_lines


def iter_pairs(
    path: str, *, tokens: bool = False, outputs: bool = True
) -> Iterator[tuple[list[Any], list[Any]]]:
    """Inputs and outputs, some at a time; with ``tokens`` they are lists of words.

    Without ``outputs`` only the inputs are looked at, and lines may have nothing else.
    """
    with reading(path) as file:
        for lines in iter_lines(file, name_of(path)):
            pairs = [line.split("\t") for _, line in lines]
            for (number, _), pair in zip(lines, pairs, strict=True):
                if len(pair) != 2 and (outputs or len(pair) != 1):
                    raise FormatError(
                        f"expected an input and an output with a tab between, found {len(pair)} columns",
                        path=name_of(path),
                        line=number,
                    )
            inputs, found = [pair[0] for pair in pairs], [pair[-1] for pair in pairs]
            yield (
                ([text.split() for text in inputs], [text.split() for text in found])
                if tokens
                else (inputs, found)
            )
