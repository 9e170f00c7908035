"""Files of labelled examples as batches of tables: SVM-light-TK lines, labelled brackets, labelled texts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

import numpy as np

from hedgerow.cli.formats import InputFormat, guess_format
from hedgerow.cli.names import DataFormat
from hedgerow.data import Forest, FormatError
from hedgerow.data.files import decode_utf8, reading
from hedgerow.io.examples import Table
from hedgerow.io.svmlight_tk import iter_tables

BATCH = 5000  # examples


def guess_data_format(path: str) -> DataFormat:
    return DataFormat.brackets if guess_format(path) is InputFormat.brackets else DataFormat.svmlight_tk


def read_tables(
    path: str, kind: DataFormat, *, spaces_in_leaves: bool = False, tokens: bool = False
) -> Iterator[Table]:
    """The examples of a file, batch by batch, with labels as they are written.

    Examples without a label, which brackets and texts may have, have the label "".
    """
    if kind is DataFormat.svmlight_tk:
        return iter_tables(path, BATCH, spaces_in_leaves=spaces_in_leaves)
    if kind is DataFormat.brackets:
        return _brackets(path, spaces_in_leaves)
    return _texts(path, tokens)


def shown(path: str) -> str:
    return "standard input" if path == "-" else path


Line = tuple[int, str]


def _line_batches(file: IO[bytes], name: str) -> Iterator[list[Line]]:
    """Lines that are not blank, with their numbers."""
    batch: list[Line] = []
    for number, raw in enumerate(file, 1):
        if raw.strip():
            try:
                batch.append((number, decode_utf8(raw).strip("\r\n")))
            except FormatError as error:
                raise FormatError(error.message, path=name, line=number, column=error.column) from None
        if len(batch) == BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def _brackets(path: str, spaces_in_leaves: bool) -> Iterator[Table]:
    """Lines ``LABEL (S ...)``, or a file of trees alone, which may be broken into lines."""
    with reading(path) as file:
        start = file.read(1 << 16).lstrip()
    if start.startswith(b"("):
        forest = Forest.read(path, spaces_in_leaves=spaces_in_leaves)
        yield _table("tree", forest, [""] * len(forest))
        return
    with reading(path) as file:
        for lines in _line_batches(file, shown(path)):
            labels, trees = [], []
            for number, text in lines:
                label, bracket, tree = text.partition("(")
                if not bracket or not label.strip():
                    what = "tree" if not bracket else "label"
                    raise FormatError(
                        f"the {what} is missing: expected 'LABEL (S ...)'", path=shown(path), line=number
                    )
                labels.append(label.strip())
                trees.append(bracket + tree)
            try:
                forest = Forest(trees)
            except FormatError as error:
                place = error.item or 0
                column = (
                    None if error.column is None else len(lines[place][1]) - len(trees[place]) + error.column
                )
                raise FormatError(
                    error.message, path=shown(path), line=lines[place][0], column=column
                ) from None
            yield _table("tree", forest, labels)


def _texts(path: str, tokens: bool) -> Iterator[Table]:
    """Lines ``LABEL<tab>text``, or texts alone."""
    with reading(path) as file:
        for lines in _line_batches(file, shown(path)):
            labels, texts = [], []
            for _, line in lines:
                label, tab, text = line.partition("\t")
                labels.append(label.strip() if tab else "")
                texts.append(text if tab else line)
            column = np.empty(len(texts), dtype=object)
            for i, text in enumerate(texts):
                column[i] = text.split() if tokens else text
            yield _table("text", column, labels)


def _table(name: str, column: object, labels: list[str]) -> Table:
    return Table({name: column}, np.array(labels, dtype=np.str_), np.full(len(labels), -1))
