"""What a model's state has to hold, checked where it is read: its file may come from anywhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from hedgerow.kernels.base import Matrix

ARRAY_KINDS = "biufUSMmO"  # that a description may hold


def stored(arrays: Mapping[str, Matrix], name: str, dtype: type[Any], *shape: int | None) -> Matrix:
    """An array of this type and shape (None: any length), whose numbers are finite; else a ValueError."""
    if name not in arrays:
        raise ValueError(f"the model lacks {name}")
    values = arrays[name]
    fits = values.ndim == len(shape) and all(
        n is None or n == length for n, length in zip(shape, values.shape, strict=True)
    )
    if values.dtype != dtype or not fits:
        wanted = " x ".join("n" if n is None else str(n) for n in shape) or "one"
        raise ValueError(
            f"{name} must hold {wanted} numbers of type {dtype.__name__}, got {values.dtype} of shape {values.shape}"
        )
    if values.dtype.kind == "f" and not np.isfinite(values).all():
        raise ValueError(f"{name} must be finite")
    return values


def stored_whole(description: Mapping[str, Any], name: str, at_least: int = 0, at_most: int = 2**62) -> int:
    """A whole number of a description within these bounds; else a ValueError."""
    value = description[name]
    if type(value) is not int or not at_least <= value <= at_most:
        raise ValueError(f"{name} must be a whole number from {at_least} to {at_most}")
    return value


def stored_texts(description: Mapping[str, Any], name: str) -> list[str]:
    """A list of texts of a description; else a ValueError."""
    value = description[name]
    if type(value) is not list or not all(type(text) is str for text in value):
        raise ValueError(f"{name} must be a list of texts")
    return value


def stored_dtype(text: Any, items: Any) -> np.dtype[Any]:
    """The type of an array of such items, which must not take much more memory than they do."""
    if type(text) is not str or type(items) is not list:
        raise ValueError("an array must be a list of items with a type")
    try:
        dtype = np.dtype(text)
    except TypeError:
        raise ValueError(f"unknown type of array {text[:100]}") from None
    if dtype.kind not in ARRAY_KINDS:
        raise ValueError(f"unknown type of array {text[:100]}")
    if dtype.kind in "US":
        characters = sum(len(item) for item in items if isinstance(item, str | bytes))
        if dtype.itemsize * len(items) > 2**26 + 2**8 * characters:
            raise ValueError(f"an array of type {text[:100]} is too wide for its items")
    return dtype
