"""Readers as the model that looks at new data needs them: with its columns, widths and kind of labels."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hedgerow.io.readers import ColumnReader, Reader, TableReader
from hedgerow.models.schema import drops_unseen, schema_of


def reader_for(model: Any, reader: Reader, labelled: bool) -> Reader:
    """The reader with what the model knows; what the reader has settled itself stays."""
    if isinstance(reader, ColumnReader):
        return replace(reader, inputs=_columns_of(model), labelled=labelled)
    if not isinstance(reader, TableReader):
        return reader
    schema, of_model = reader.schema, schema_of(model, {})
    if not schema.columns:
        schema = replace(schema, labels=of_model.labels)
        if schema.hashing is None and schema.format != "text":
            schema = replace(schema, columns=of_model.columns, n_features=of_model.n_features)
    return TableReader(schema, labelled, drops_unseen=drops_unseen(model))


def _columns_of(model: Any) -> int | None:
    """How many columns of a token a model of sequences looks at, if it says so."""
    problem = getattr(model, "problem_", None)
    templates = problem.get_params(deep=False).get("templates") if problem is not None else None
    columns = getattr(templates, "columns", None)
    return None if columns is None else len(columns)
