"""Putting tables of examples together, and writing them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import sparse

from hedgerow.cli.formats import OutputFormat
from hedgerow.cli.tree_json import tree_lines
from hedgerow.data import Forest, Records
from hedgerow.data.files import writing
from hedgerow.io import write_svmlight_tk
from hedgerow.io.examples import Table

TREES_AT_ONCE = 1000


def concatenate(tables: Sequence[Table]) -> Table:
    """All examples with the columns of all; an example that lacks one has an empty tree or row there."""
    names = list(dict.fromkeys(name for table in tables for name in table.columns))
    return Table(
        {name: _join(name, tables) for name in names},
        np.concatenate([table.y for table in tables]),
        np.concatenate([table.queries for table in tables]),
    )


def _join(name: str, tables: Sequence[Table]) -> Any:
    present = [table.columns[name] for table in tables if name in table.columns]
    if all(isinstance(column, Forest) for column in present):
        return Forest.concatenate(
            table.columns.get(name, Forest.from_postorder([], [], [0] * len(table.y))) for table in tables
        )
    if any(isinstance(column, Forest) for column in present):
        raise ValueError(f"the column {name!r} holds trees in one input and vectors in another")
    width = max(column.shape[1] for column in present)
    rows = []
    for table in tables:
        matrix = table.columns.get(name, sparse.csr_matrix((len(table.y), 0))).copy()
        matrix.resize(len(table.y), width)
        rows.append(matrix)
    return sparse.vstack(rows, format="csr")


def write_examples(
    table: Table, output: str, target: OutputFormat, column: str | None, spaces_in_leaves: bool
) -> None:
    columns = table.columns
    if column is not None:
        if column not in columns:
            raise ValueError(f"no column {column!r}; the columns are {', '.join(columns)}")
        columns = {column: columns[column]}
    if target is OutputFormat.svmlight_tk:
        queries = table.queries if (table.queries >= 0).any() else None
        write_svmlight_tk(
            output, Records(columns), table.y, query_id=queries, spaces_in_leaves=spaces_in_leaves
        )
        return
    if len(columns) > 1:
        raise ValueError(
            f"the examples have the columns {', '.join(columns)}, but {target.value} holds trees of one "
            "column only; choose it with --column"
        )
    ((name, trees),) = columns.items()
    if not isinstance(trees, Forest):
        raise ValueError(f"the examples have no trees in the column {name}, only vectors")
    with writing(output) as out:
        for first in range(0, len(trees), TREES_AT_ONCE):
            some = trees[first : first + TREES_AT_ONCE]
            lines = tree_lines(some) if target is OutputFormat.json else _bracketed(some, spaces_in_leaves)
            out.write("".join(f"{line}\n" for line in lines).encode())


def _bracketed(trees: Forest, spaces_in_leaves: bool) -> list[str]:
    try:
        return list(trees._native.to_brackets(bracket_leaves=False, allow_spaces=spaces_in_leaves))
    except ValueError as error:
        raise ValueError(f"the label {error.args[0]!r} cannot be written in brackets") from None
