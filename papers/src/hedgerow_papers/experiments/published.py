"""The published figures that experiments print beside their own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any


@dataclass(frozen=True)
class Figure:
    """A mean over runs, and its standard deviation where one was published."""

    mean: float
    deviation: float | None


@dataclass(frozen=True)
class PublishedTable:
    """A table of a paper: figures by row and measure."""

    source: str
    setting: str
    rows: Mapping[str, Mapping[str, Figure]]


def published_table(name: str) -> PublishedTable:
    """The table ``name`` of ``published.json``."""
    table = _all_tables()[name]
    rows = {
        row: {measure: Figure(*figure) for measure, figure in figures.items()}
        for row, figures in table["rows"].items()
    }
    return PublishedTable(table["source"], table["setting"], rows)


@cache
def _all_tables() -> dict[str, Any]:
    text = files("hedgerow_papers.experiments").joinpath("published.json").read_text(encoding="utf-8")
    tables: dict[str, Any] = json.loads(text)
    return tables
