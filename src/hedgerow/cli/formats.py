"""Files of every format as tables of examples."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from hedgerow.data import Forest, FormatError
from hedgerow.data.files import name_of, read_bytes
from hedgerow.io.examples import Table
from hedgerow.io.formats import InputFormat, guess_format
from hedgerow.io.svmlight_tk import read_table


class OutputFormat(StrEnum):
    svmlight_tk = "svmlight-tk"
    brackets = "brackets"
    json = "json"


def files_in(folder: str, wanted: InputFormat) -> list[str]:
    """All files of that format in the folder and its subfolders, in sorted order."""
    return [
        os.fspath(path)
        for path in sorted(Path(folder).rglob("*"))
        if guess_format(path.name) is wanted and path.is_file()
    ]


@dataclass
class ReadOptions:
    spaces_in_leaves: bool = False
    python: dict[str, Any] = field(default_factory=dict)
    markup: dict[str, Any] = field(default_factory=dict)
    conllu: dict[str, Any] = field(default_factory=dict)


def read_examples(path: str, kind: InputFormat, options: ReadOptions) -> tuple[Table, list[FormatError]]:
    """The good examples of a file, and the errors of the others.

    Only SVM-light-TK's examples have labels, which are kept as they are written.
    """
    try:
        if kind is InputFormat.svmlight_tk:
            return read_table(path, spaces_in_leaves=options.spaces_in_leaves)
        forest, problems = _READERS[kind](path, options)
    except FormatError as error:  # of the file as a whole
        forest, problems = Forest(), [error]
    named = [FormatError(e.message, path=name_of(path), line=e.line, column=e.column) for e in problems]
    return Table.with_labels({"tree": forest}, [""] * len(forest)), named


Read = tuple[Forest, list[FormatError]]


def _read_brackets(path: str, options: ReadOptions) -> Read:
    return Forest.read(path, errors="collect", spaces_in_leaves=options.spaces_in_leaves)


def _read_python(path: str, options: ReadOptions) -> Read:
    return Forest.from_python([read_bytes(path)], errors="collect", **options.python)


def _read_json(path: str, options: ReadOptions) -> Read:
    return Forest.from_json([read_bytes(path)], errors="collect")


def _read_json_lines(path: str, options: ReadOptions) -> Read:
    numbered = [(n, line) for n, line in enumerate(read_bytes(path).split(b"\n"), 1) if line.strip()]
    forest, problems = Forest.from_json([line for _, line in numbered], errors="collect")
    return forest, [FormatError(e.message, line=numbered[e.item or 0][0], column=e.column) for e in problems]


def _read_xml(path: str, options: ReadOptions) -> Read:
    return Forest.from_xml([read_bytes(path)], errors="collect", **options.markup)


def _read_html(path: str, options: ReadOptions) -> Read:
    return Forest.from_html([read_bytes(path)], errors="collect", **options.markup)


def _read_conllu(path: str, options: ReadOptions) -> Read:
    return Forest.from_conllu(path, errors="collect", **options.conllu)


_READERS: dict[InputFormat, Callable[[str, ReadOptions], Read]] = {
    InputFormat.brackets: _read_brackets,
    InputFormat.python: _read_python,
    InputFormat.json: _read_json,
    InputFormat.jsonl: _read_json_lines,
    InputFormat.xml: _read_xml,
    InputFormat.html: _read_html,
    InputFormat.conllu: _read_conllu,
}
