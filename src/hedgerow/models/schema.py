"""How the examples of a model are read: from its notes, or as well as the model itself tells."""

from __future__ import annotations

from typing import Any

from hedgerow.data import Records
from hedgerow.io.examples import KIND_OF_DTYPE, Labels
from hedgerow.io.schema import Schema
from hedgerow.kernels import Kernel
from hedgerow.registry import DataKind

_KINDS: dict[str, Labels] = {**KIND_OF_DTYPE, "u": "int", "b": "int"}


def schema_of(model: Any, notes: dict[str, Any]) -> Schema:
    """The schema that the command line noted; models saved from Python have no notes."""
    if notes:
        return Schema.from_notes(notes)
    own = getattr(model, "schema", None)
    if isinstance(own, Schema):
        return own
    classes = getattr(model, "classes_", getattr(getattr(model, "problem_", None), "classes_", None))
    labels = "word" if classes is None else _KINDS.get(classes.dtype.kind, "word")
    takers = (model, getattr(model, "problem_", None))
    for vectorizer in (getattr(taker, "vectorizer", None) for taker in takers):
        if vectorizer is not None:
            kind = vectorizer.data_kind
            return Schema("text" if kind == "text" else None, columns={kind: kind}, labels=labels)
    kernel = _kernel_of(model)
    if kernel is not None and any(leaf.data_kind == "text" for leaf, _ in kernel._leaves()):
        tokens = not isinstance(next(iter(model.support_items_), ""), str)
        return Schema("text", tokens=tokens, labels=labels)
    columns, widths = _columns_of(model)
    return Schema(columns=columns, n_features=widths, labels=labels)


def _columns_of(model: Any) -> tuple[dict[str, DataKind], dict[str, int]]:
    """The columns and the widths of vectors, as far as the model knows them."""
    supports = getattr(model, "support_items_", None)
    if isinstance(supports, Records) and len(supports.columns) > 1:
        kinds = supports.kinds
        return kinds, {name: supports[name].shape[1] for name, kind in kinds.items() if kind == "vector"}
    width = getattr(model, "n_features_in_", None)
    if width is None or _kernel_of(model) is None:
        return {}, {}
    # To weights any features may come.
    return {"vector": "vector"}, {} if getattr(model, "_on_weights", False) else {"vector": width}


def drops_unseen(model: Any) -> bool:
    """Whether features that training had none of may be left out, since they change nothing."""
    kernel = _kernel_of(model)
    return kernel is not None and all(
        leaf.data_kind in ("tree", "text") or (leaf._ignores_unseen and not normalized)
        for leaf, normalized in kernel._leaves()
    )


def _kernel_of(model: Any) -> Kernel | None:
    kernel = getattr(model, "kernel_", None)
    return kernel if isinstance(kernel, Kernel) else None
