"""Files of every format as tables of examples, and tables in the format of an output."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from hedgerow.cli.failures import refused
from hedgerow.data import Forest, FormatError, Records
from hedgerow.data.converters.languages import language_of
from hedgerow.data.files import name_of, read_bytes, writing
from hedgerow.data.tree_text import tree_lines
from hedgerow.io import write_svmlight_tk
from hedgerow.io.examples import Table
from hedgerow.io.formats import SOURCE, speaks_of
from hedgerow.io.svmlight_tk import read_table
from hedgerow.registry import Format

TARGETS = ("svmlight-tk", "brackets", "json")
TREES_AT_ONCE = 1000
BYTES_AT_ONCE = 8_000_000  # of programs, which several processes parse


def files_in(folder: str, wanted: Format) -> list[str]:
    """All files of that format in the folder and its subfolders, in sorted order."""
    return [
        os.fspath(path)
        for path in sorted(Path(folder).rglob("*"))
        if speaks_of(path.name, wanted) and path.is_file()
    ]


class FileRead(NamedTuple):
    path: str
    kind: Format
    table: Table  # the good examples
    problems: list[FormatError]  # of the others
    syntax_errors: int = 0  # in the source code of good examples


def read_all(
    files: Iterable[tuple[str, Format]], spaces_in_leaves: bool, given: Callable[[Format], dict[str, Any]]
) -> Iterator[FileRead]:
    """The good examples of one file after the other, and the errors of the others; programs are parsed together."""
    programs: list[tuple[str, bytes]] = []
    for path, kind in files:
        if kind.name == "source":
            programs.append((path, read_bytes(path)))
            if sum(len(content) for _, content in programs) < BYTES_AT_ONCE:
                continue
        yield from _parsed(programs, given)
        programs = []
        if kind.name != "source":
            yield FileRead(path, kind, *read_examples(path, kind, spaces_in_leaves, given(kind)))
    yield from _parsed(programs, given)


def read_examples(
    path: str, kind: Format, spaces_in_leaves: bool, given: dict[str, Any]
) -> tuple[Table, list[FormatError]]:
    """The good examples of a file, and the errors of the others.

    Only SVM-light-TK's examples have labels, which are kept as they are written. ``given`` are parameters of what
    makes trees of the others.
    """
    try:
        if kind.name == "svmlight-tk":
            return read_table(path, spaces_in_leaves=spaces_in_leaves)
        forest, problems = _trees(path, kind, spaces_in_leaves, given)
    except FormatError as error:  # of the file as a whole
        forest, problems = Forest(), [error]
    named = [FormatError(e.message, path=name_of(path), line=e.line, column=e.column) for e in problems]
    return Table.with_labels({"tree": forest}, [""] * len(forest)), named


def _trees(
    path: str, kind: Format, spaces_in_leaves: bool, given: dict[str, Any]
) -> tuple[Forest, list[FormatError]]:
    if kind.converter is None:
        return Forest.read(path, errors="collect", spaces_in_leaves=spaces_in_leaves)
    converter: Callable[..., tuple[Forest, list[FormatError]]] = getattr(Forest, kind.converter)
    if kind.name == "conllu":  # many trees in a file
        return converter(path, errors="collect", **given)
    if kind.name != "jsonl":
        return converter([read_bytes(path)], errors="collect", **given)
    numbered = [(n, line) for n, line in enumerate(read_bytes(path).split(b"\n"), 1) if line.strip()]
    forest, problems = converter([line for _, line in numbered], errors="collect", **given)
    return forest, [FormatError(e.message, line=numbered[e.item or 0][0], column=e.column) for e in problems]


def _parsed(
    programs: list[tuple[str, bytes]], given: Callable[[Format], dict[str, Any]]
) -> Iterator[FileRead]:
    if not programs:
        return
    options = dict(given(SOURCE))
    named = options.pop("language", None)
    languages = [named or language_of(path) or _unknown(path) for path, _ in programs]
    forest, units, problems = Forest._from_source([content for _, content in programs], languages, **options)
    trees = {i: list(group) for i, group in groupby(range(len(units)), lambda k: units[k].source)}
    for number, (path, _) in enumerate(programs):
        numbers = trees.get(number, [])
        of_file = forest[numbers]
        found = [
            FormatError(e.message, path=name_of(path), line=e.line, column=e.column)
            for e in problems
            if e.item == number
        ]
        table = Table.with_labels({"tree": of_file}, [""] * len(of_file))
        yield FileRead(path, SOURCE, table, found, sum(units[k].syntax_errors for k in numbers))


def _unknown(path: str) -> str:
    raise refused("--language", f"cannot tell the language of {name_of(path)}, please say it")


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
