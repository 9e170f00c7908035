"""How far learning is, told to what watches a model: a function in its attribute ``_watch``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from hedgerow.kernels.base import Matrix

PARTS = 200  # of a pass, after each of which there is something to tell


def is_watched(model: Any) -> bool:
    return model.__dict__.get("_watch") is not None


def tell(model: Any, words: str) -> None:
    """Say how far it is, if somebody watches."""
    watch = model.__dict__.get("_watch")
    if watch is not None:
        watch(words)


def in_parts(model: Any, order: Matrix) -> Iterator[Matrix]:
    """The order of examples in parts, if somebody watches, else as it is: what is learned is the same."""
    if not is_watched(model):
        yield order
    else:
        yield from np.array_split(order, max(1, min(PARTS, len(order))))
