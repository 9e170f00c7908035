"""Readers as the model that looks at new data needs them: with its columns, widths and kind of labels."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from hedgerow.data import Forest, Records
from hedgerow.distributed.readers import ColumnReader, Reader, TableReader
from hedgerow.io.examples import KIND_OF_DTYPE
from hedgerow.io.formats import DataFormat
from hedgerow.io.layout import Layout
from hedgerow.models.layout import ignores_unseen_features, layout_of
from hedgerow.models.svmlight_tk import SvmlightTkScorer
from hedgerow.structured.learner import StructuredLearner


def reader_for(model: Any, reader: Reader, labelled: bool) -> Reader:
    """The reader with what the model knows; what the reader has settled itself stays."""
    if isinstance(reader, ColumnReader):
        return ColumnReader(reader.label_column, reader.comments, _columns_of(model), labelled)
    if not isinstance(reader, TableReader):
        return reader
    layout, told = deepcopy(reader.layout), _layout_of(model)
    layout.drops_unseen = told.drops_unseen
    if not layout.columns:
        layout.labels = told.labels
        if layout.hashing is None and layout.format != DataFormat.text.value:
            layout.columns, layout.n_features = told.columns, told.n_features
    return TableReader(layout, labelled)


def _layout_of(model: Any) -> Layout:
    """As well as the model itself tells."""
    if isinstance(model, SvmlightTkScorer):
        layout = Layout(columns=model.columns, n_features=model.n_features, labels="int")
        layout.drops_unseen = ignores_unseen_features(model.kernel)
        return layout
    if isinstance(model, StructuredLearner):
        classes = getattr(model.problem_, "classes_", None)
        return Layout(labels="word" if classes is None else KIND_OF_DTYPE.get(classes.dtype.kind, "word"))
    layout = layout_of(model, {})
    layout.drops_unseen = ignores_unseen_features(model.kernel_)
    if getattr(model, "_on_weights", False):
        layout.n_features = {}  # any features may come
    elif (
        isinstance(supports := getattr(model, "support_items_", None), Records) and len(supports.columns) > 1
    ):
        parts = {name: supports[name] for name in supports.columns}
        layout.columns = {
            name: "tree" if isinstance(part, Forest) else "vector" for name, part in parts.items()
        }
        layout.n_features = {
            name: part.shape[1] for name, part in parts.items() if not isinstance(part, Forest)
        }
    return layout


def _columns_of(model: Any) -> int | None:
    """How many columns of a token a model of sequences looks at, if it says so."""
    problem = getattr(model, "problem_", None)
    templates = problem.get_params(deep=False).get("templates") if problem is not None else None
    columns = getattr(templates, "columns", None)
    return None if columns is None else len(columns)
