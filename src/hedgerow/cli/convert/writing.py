"""Tables of examples in the format of an output."""

from __future__ import annotations

from hedgerow.data import Forest, Records
from hedgerow.data.files import writing
from hedgerow.data.tree_json import tree_lines
from hedgerow.io import write_svmlight_tk
from hedgerow.io.examples import Table

TARGETS = ("svmlight-tk", "brackets", "json")
TREES_AT_ONCE = 1000


def write_examples(
    table: Table, output: str, target: str, column: str | None, spaces_in_leaves: bool
) -> None:
    columns = table.columns
    if column is not None:
        if column not in columns:
            raise ValueError(f"no column {column!r}; the columns are {', '.join(columns)}")
        columns = {column: columns[column]}
    if target == "svmlight-tk":
        queries = table.queries if (table.queries >= 0).any() else None
        write_svmlight_tk(
            output, Records(columns), table.labels(), query_id=queries, spaces_in_leaves=spaces_in_leaves
        )
        return
    if len(columns) > 1:
        raise ValueError(
            f"the examples have the columns {', '.join(columns)}, but {target} holds trees of one "
            "column only; choose it with --column"
        )
    ((name, trees),) = columns.items()
    if not isinstance(trees, Forest):
        raise ValueError(f"the examples have no trees in the column {name}, only vectors")
    with writing(output) as out:
        for first in range(0, len(trees), TREES_AT_ONCE):
            some = trees[first : first + TREES_AT_ONCE]
            lines = tree_lines(some) if target == "json" else _bracketed(some, spaces_in_leaves)
            out.write("".join(f"{line}\n" for line in lines).encode())


def _bracketed(trees: Forest, spaces_in_leaves: bool) -> list[str]:
    try:
        return list(trees._native.to_brackets(bracket_leaves=False, allow_spaces=spaces_in_leaves))
    except ValueError as error:
        raise ValueError(f"the label {error.args[0]!r} cannot be written in brackets") from None
