"""How the examples of a model are read: from its notes, or as well as the model itself tells."""

from __future__ import annotations

from typing import Any

from hedgerow.io.examples import KIND_OF_DTYPE, Labels
from hedgerow.io.formats import DataFormat
from hedgerow.io.hashing import Hashing
from hedgerow.io.layout import Layout
from hedgerow.kernels import (
    RBF,
    Kernel,
    Linear,
    Mismatch,
    Normalized,
    Polynomial,
    Sigmoid,
    Spectrum,
    Subsequence,
)


def layout_of(model: Any, notes: dict[str, Any]) -> Layout:
    """The layout that the command line noted; models saved from Python have no notes."""
    if notes:
        hashing = notes.get("hashing")
        return Layout(**{**notes, "hashing": hashing and Hashing(**hashing)})
    kinds: dict[str, Labels] = {**KIND_OF_DTYPE, "u": "int", "b": "int"}
    layout = Layout(labels=kinds.get(model.classes_.dtype.kind, "word"))
    if any(isinstance(kernel, Spectrum | Subsequence | Mismatch) for kernel in leaves(model.kernel_)):
        layout.format = DataFormat.text.value
        layout.tokens = not isinstance(next(iter(model.support_items_), ""), str)
    width = getattr(model, "n_features_in_", None)
    if width is not None:
        layout.columns, layout.n_features = {"vector": "vector"}, {"vector": width}
    return layout


def leaves(kernel: Kernel) -> list[Kernel]:
    """The kernels that a combination is made of."""
    parts = _parts(kernel)
    return [leaf for part in parts for leaf in leaves(part)] if parts else [kernel]


def _parts(kernel: Kernel) -> list[Kernel]:
    return [value for value in kernel.get_params(deep=False).values() if isinstance(value, Kernel)]


def ignores_unseen_features(kernel: Kernel, normalized: bool = False) -> bool:
    """Whether features that no support has change nothing, so that they may be left out.

    They do change the length of a vector, which normalised kernels and radial basis functions look at.
    """
    if isinstance(kernel, Linear | Polynomial | Sigmoid):
        return not normalized
    if isinstance(kernel, RBF):
        return False
    normalized = normalized or isinstance(kernel, Normalized)
    return all(ignores_unseen_features(part, normalized) for part in _parts(kernel))
