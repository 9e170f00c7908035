"""How much alike items are under a kernel: where nothing resembles anything, nothing can be learned."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from hedgerow import _core
from hedgerow.kernels.base import Kernel, Matrix

LEAST_ITEMS = 100  # few items may well have nothing in common
SAMPLE, LEAST_SAMPLE = 30, 10
MOST_NODES = 20_000  # of the sample, which is to take no time
SMALL_DECAY = 0.1
TINY = 0.08  # of questions it is 0.15 to 0.5, of programs under subset trees with a decay of 0.4 it is 0.04 or less


def likeness(kernel: Kernel, items: _core.Items, chosen: Matrix) -> Matrix:
    """Kernel values between some items, divided by their lengths."""
    some = items.select(chosen.astype(np.int64))
    model, n = kernel._model().empty(1), len(chosen)
    model.put_all(some, np.arange(n, dtype=np.int32))
    gram = model.row_batch(some, 1).reshape(n, n)
    lengths = np.sqrt(np.maximum(np.diag(gram), 0.0))
    products = np.outer(lengths, lengths)
    values: Matrix = np.divide(gram, products, out=np.zeros((n, n)), where=products > 0)
    return values


def largest_likeness(values: Matrix) -> float:
    """The likeness of an item to the one that it resembles most, on the median over items."""
    apart = values - 2 * np.diag(np.diag(values)) - np.eye(len(values))
    return float(np.median(apart.max(axis=1)))


def warn_if_unlike(kernel: Kernel, prepared: Any, items: _core.Items) -> None:
    """Warn when trees hardly resemble each other, by a small sample of them."""
    if any(leaf.data_kind != "tree" for leaf, _ in kernel._leaves()) or len(items) < LEAST_ITEMS:
        return
    nodes = getattr(prepared, "n_nodes", 0) / len(items)
    n = min(SAMPLE, int(MOST_NODES / max(nodes, 1)))
    if n < LEAST_SAMPLE:
        return
    largest = largest_likeness(likeness(kernel, items, np.linspace(0, len(items) - 1, n).astype(np.int64)))
    if largest < TINY:
        warnings.warn(
            f"trees hardly resemble each other under {kernel}: of {n} of them each has a likeness of {largest:.2g} to "
            "the one nearest to it, on the median, so that a model can do little but learn them by heart. Try "
            f"{_advice(kernel)}; hedgerow.inspection.LikenessDisplay shows what that changes",
            stacklevel=2,
        )


def _advice(kernel: Kernel) -> str:
    """What shares more: of kernels with fragments a smaller decay, or kernels with smaller fragments."""
    leaves = {type(leaf).__name__: leaf for leaf, _ in kernel._leaves()}
    tried = []
    if any(getattr(leaf, "decay", 0) > SMALL_DECAY for name, leaf in leaves.items() if name != "SubTree"):
        tried.append(f"a smaller decay ({SMALL_DECAY})")  # whole subtrees are few, whatever they count
    if "SubTree" in leaves:
        tried.append(f"SubsetTree(decay={SMALL_DECAY})")
    tried += [name for name in ("Fragments", "PartialTree", "SubPath") if name not in leaves]
    return (
        " or ".join(filter(None, [", ".join(tried[:-1]), tried[-1]])) if tried else "labels that trees share"
    )
