"""Files of labelled examples as batches of tables: SVM-light-TK lines, labelled brackets, labelled texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import BinaryIO

import numpy as np

from hedgerow import _core
from hedgerow.data import Forest, FormatError
from hedgerow.data.errors import line_errors
from hedgerow.data.files import STREAM_PIECE, decode_utf8, is_awaited, name_of, read_available, reading
from hedgerow.io.examples import Table
from hedgerow.io.svmlight_tk import iter_tables

BATCH = 5000  # examples of SVM-light-TK


def read_tables(
    path: str,
    kind: str,
    *,
    spaces_in_leaves: bool = False,
    tokens: bool = False,
    live: bool = False,
) -> Iterator[Table]:
    """The examples of a file, batch by batch, with labels as they are written.

    Of a pipe, a batch is what has arrived of it; so it is of SVM-light-TK lines with ``live`` only, since their columns
    may come late. Examples without a label, which brackets and texts may have, have the label "".
    """
    if kind == "svmlight-tk":
        tables = iter_tables(path, None if live else BATCH, spaces_in_leaves=spaces_in_leaves)
        return _with_a_hint(tables)
    if kind == "brackets":
        return _brackets(path, spaces_in_leaves)
    return _texts(path, tokens)


def _with_a_hint(tables: Iterator[Table]) -> Iterator[Table]:
    """The same, whose error says more where a tree stands without ``|BT|``: most likely these are brackets."""
    try:
        yield from tables
    except FormatError as error:
        if not error.message.endswith("'('"):
            raise
        message = f"{error.message}; for lines LABEL (S ...), or trees alone, say that the format is brackets"
        raise FormatError(message, path=error.path, line=error.line, column=error.column) from None


Line = tuple[int, str]


def _line_batches(groups: Iterable[list[bytes]], name: str) -> Iterator[list[Line]]:
    """Lines that are not blank, with their numbers, from groups of lines."""
    number = 0
    for group in groups:
        batch: list[Line] = []
        for raw in group:
            number += 1
            if raw.strip():
                batch.append((number, decode_utf8(raw, path=name, first_line=number).strip("\r\n")))
        if batch:
            yield batch


def iter_lines(file: BinaryIO, name: str) -> Iterator[list[Line]]:
    """Lines that are not blank, with their numbers, some at a time."""
    return _line_batches(_groups(file), name)


def _groups(file: BinaryIO, start: list[bytes] | None = None) -> Iterator[list[bytes]]:
    """Lines with their ends, some at a time, of a pipe those that have arrived; ``start`` was read before."""
    held = b"".join(start or ())
    if start and is_awaited(file):  # the sender of the first line may wait for an answer
        yield start
        held = b""
    while piece := read_available(file, max(STREAM_PIECE, len(held))):
        *group, held = (held + piece).split(b"\n")
        if group:
            yield [line + b"\n" for line in group]
    if held:
        yield [held]


def _brackets(path: str, spaces_in_leaves: bool) -> Iterator[Table]:
    """Lines ``LABEL (S ...)``, or a file of trees alone, which may be broken into lines."""
    with reading(path) as file:
        # Read once only: it may be a pipe.
        start = list(_through_first_line(file))
        if _begins_a_tree(start):
            for trees in _trees(_groups(file, start), name_of(path), spaces_in_leaves):
                yield Table.with_labels({"tree": trees}, [""] * len(trees))
            return
        for lines in _line_batches(_groups(file, start), name_of(path)):
            yield _labelled_brackets(lines, name_of(path))


def iter_brackets(path: str) -> Iterator[Forest]:
    """The trees of a file in pieces, which end where a line ends a tree."""
    with reading(path) as file:
        yield from _trees(_groups(file), name_of(path))


def iter_sentences(path: str, *, texts: bool = False) -> Iterator[Forest | list[str]]:
    """The sentences of a file in pieces: trees, or with ``texts``, and where none begins the file, lines of words."""
    with reading(path) as file:
        start = list(_through_first_line(file))
        if not texts and _begins_a_tree(start):
            yield from _trees(_groups(file, start), name_of(path))
            return
        number = 0
        for group in _groups(file, start):
            yield [
                decode_utf8(line, path=name_of(path), first_line=number + i).removesuffix("\n")
                for i, line in enumerate(group, 1)
            ]
            number += len(group)


def _begins_a_tree(start: list[bytes]) -> bool:
    return bool(start) and start[-1].lstrip().startswith(b"(")


def _trees(groups: Iterable[list[bytes]], path: str, spaces_in_leaves: bool = False) -> Iterator[Forest]:
    """Pieces with one tree at least, which end where a line ends a tree."""
    piece: list[bytes] = []
    before, depth, whole = (
        0,
        0,
        0,
    )  # lines of earlier pieces; brackets that are open; lines up to the end of a tree
    for group in groups:
        for line in group:
            piece.append(line)
            depth = max(0, depth + line.count(b"(") - line.count(b")"))
            whole = whole if depth else len(piece)
        if len(trees := _parsed(piece[:whole], before, path, spaces_in_leaves)):
            yield trees
        before, piece, whole = before + whole, piece[whole:], 0
    if len(trees := _parsed(piece, before, path, spaces_in_leaves)):
        yield trees


def _parsed(lines: list[bytes], before: int, path: str, spaces_in_leaves: bool) -> Forest:
    native, found = _core.read_brackets(b"".join(lines), None, "auto", False, spaces_in_leaves)
    for error in line_errors(found, path):
        line = None if error.line is None else before + error.line
        raise FormatError(error.message, path=path, line=line, column=error.column)
    return Forest._wrap(native)


def _through_first_line(file: BinaryIO) -> Iterator[bytes]:
    """Blank lines, and the first that is not."""
    for line in file:
        yield line
        if line.strip():
            return


def _labelled_brackets(lines: list[Line], path: str) -> Table:
    labels, trees = [], []
    for number, text in lines:
        label, bracket, tree = text.partition("(")
        if not bracket or not label.strip():
            what = "tree" if not bracket else "label"
            raise FormatError(f"the {what} is missing: expected 'LABEL (S ...)'", path=path, line=number)
        labels.append(label.strip())
        trees.append(bracket + tree)
    try:
        forest = Forest(trees)
    except FormatError as error:
        number, text = lines[error.item or 0]
        column = None if error.column is None else text.index("(") + error.column
        raise FormatError(error.message, path=path, line=number, column=column) from None
    return Table.with_labels({"tree": forest}, labels)


def _texts(path: str, tokens: bool) -> Iterator[Table]:
    """Lines ``LABEL<tab>text``, or texts alone."""
    with reading(path) as file:
        for lines in iter_lines(file, name_of(path)):
            labels, texts = [], []
            for _, line in lines:
                label, tab, text = line.partition("\t")
                labels.append(label.strip() if tab else "")
                texts.append(text if tab else line)
            column = np.empty(len(texts), dtype=object)
            for i, text in enumerate(texts):
                column[i] = text.split() if tokens else text
            yield Table.with_labels({"text": column}, labels)
