"""Data frames of pandas, polars and similar packages as columns of Records; none of these packages is imported."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hedgerow.data.forest import Forest

NUMBERS = "numbers"  # the column of all numbers that were not given another


def is_frame(thing: Any) -> bool:
    """Whether it is a table of columns with names."""
    return all(hasattr(thing, name) for name in ("columns", "shape", "__getitem__"))


def has_texts(frame: Any) -> bool:
    """Whether a frame has other columns than numbers, so that it is no matrix."""
    return any(np.asarray(frame[name]).dtype.kind not in "biuf" for name in frame.columns)


def frame_column(frame: Any, name: str) -> Any:
    """A column: numbers as a matrix with one feature, anything else as a list."""
    if name not in list(frame.columns):
        known = ", ".join(repr(column) for column in frame.columns)
        raise KeyError(f"no column {name!r}; the columns are {known}")
    series = frame[name]
    if len(series.shape) != 1:
        raise ValueError(f"the frame has several columns with the name {name!r}")
    values = np.asarray(series)
    if values.dtype.kind in "biuf":
        return values.astype(np.float64)[:, None]
    items = series.to_list()
    if any(isinstance(item, str) for item in items):
        for row, item in enumerate(items):
            if not isinstance(item, str):
                raise ValueError(f"column {name!r} has {item!r} in row {row}, expected a text")
    return items


def frame_columns(
    frame: Any, trees: Sequence[str] = (), vectors: Mapping[str, Sequence[str]] | None = None
) -> dict[str, Any]:
    """The columns of Records; see `Records.from_frame`."""
    if isinstance(trees, str | Forest):
        raise TypeError(f"trees must be a list of column names, got {trees!r}")
    columns = {name: frame_column(frame, name) for name in (*frame.columns, *trees)}
    numbers = {name: columns.pop(name) for name in list(columns) if isinstance(columns[name], np.ndarray)}
    joined = dict(vectors or {})
    named = {name for names in joined.values() for name in names}
    if rest := [name for name in numbers if name not in named]:
        joined.setdefault(NUMBERS, [])
        joined[NUMBERS] = [*joined[NUMBERS], *rest]
    for name, parts in joined.items():
        if name in columns:
            raise ValueError(f"two columns would have the name {name!r}; name others with vectors")
        if unknown := [part for part in parts if part not in numbers]:
            known = ", ".join(map(repr, numbers)) or "none"
            raise ValueError(f"vectors must be of columns of numbers ({known}), got {unknown[0]!r}")
        columns[name] = np.hstack([numbers[part] for part in parts])
    for name in trees:
        if name in numbers:
            raise ValueError(f"column {name!r} holds numbers, not trees")
        columns[name] = Forest(columns[name])
    return {str(name): values for name, values in columns.items()}
