"""Traces of learning as comma-separated values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hedgerow.data.files import writing


def write_trace(columns: Mapping[str, Sequence[Any]], path: str) -> None:
    """A line of names, and a line for each entry."""
    with writing(path) as out:
        out.write((",".join(columns) + "\n").encode())
        rows = zip(*columns.values(), strict=True)
        out.write("".join(",".join(map(repr, row)) + "\n" for row in rows).encode())
