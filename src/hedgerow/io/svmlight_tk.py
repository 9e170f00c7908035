"""Reading SVM-light-TK files, whole or in batches.

The lines themselves are read by native code; see ``cpp/data/svmlight_tk.hpp`` for the format.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal

from hedgerow import _core
from hedgerow.data.errors import FormatError, OnEachError, OnError, check_on_error, error_handler, line_errors
from hedgerow.data.files import PIECE, STREAM_PIECE, Source, name_of, read_available, reading
from hedgerow.io.examples import Labels, Table, kind_of, take_table

ALL_ROWS = (1 << 63) - 1
Columns = Sequence[str] | Mapping[str, Literal["tree", "vector"]]


def read_svmlight_tk(
    path: str | os.PathLike[str],
    *,
    errors: OnError = "raise",
    spaces_in_leaves: bool = False,
    zero_based: bool = False,
    n_features: int | None = None,
    query_id: bool = False,
    labels: Labels = "auto",
    columns: Columns | None = None,
) -> tuple[Any, ...]:
    """Read a file of SVM-light or SVM-light-TK lines, plain or gzip.

    A line is ``LABEL |BT| tree |BT| tree |ET| 1:0.5 7:2 |BV| 1:3 |EV| # comment`` with any of its parts but
    the label left out. KeLP's named columns ``|BT:name| tree |ET|`` and ``|BV:name| 1:2 |EV|`` are read too.

    Parameters
    ----------
    path : path, or "-" for standard input
    errors : {"raise", "collect"}
        Stop at the first bad line, or leave bad lines out and return them as a list of `FormatError`.
    spaces_in_leaves : bool
        Read ``(N New York)`` as one leaf, as SVM-light-TK does, instead of two.
    zero_based : bool
        Feature indices count from 0 instead of 1.
    n_features : int, optional
        The width of the vectors; a higher index is an error. By default the highest index in the file.
    query_id : bool
        Return the numbers of ``qid:`` too; -1 where a line has none.
    labels : {"auto", "int", "float", "word"}
        What labels are; one of another kind is an error. "auto" takes the narrowest kind that holds them all.
    columns : sequence of names, or mapping from names to "tree" or "vector", optional
        The columns that the file may have, for when it might not show them all, as
        ``("tree", "vector")``. A mapping is needed for names that the file gives itself.

    Returns
    -------
    X : Forest, csr_matrix or Records
        A Forest when the file has one column of trees and a sparse matrix when it has one of vectors.
        Otherwise Records with columns ``tree``, ``tree_2``, ..., ``vector``, ``vector_2``, ..., or the file's
        own names, in the order in which they first appear. Examples that lack a column have an empty tree or
        row there. Lines of labels alone are rows of zeros, and an empty file is an empty Forest.
    y : array
        int64, float64 or str.
    query_ids : int64 array
        Only with ``query_id=True``.
    errors : list of FormatError
        Only with ``errors="collect"``.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from hedgerow.io import read_svmlight_tk
    >>> path = pathlib.Path(tempfile.mkdtemp(), "examples.tk")
    >>> _ = path.write_text("+1 |BT| (S (NP Mary) (VP sings)) |ET|\\n-1 |BT| (NP (D a) (N dog)) |ET|\\n")
    >>> trees, y = read_svmlight_tk(path)
    >>> trees.to_brackets(), y.tolist()
    (['(S (NP Mary) (VP sings))', '(NP (D a) (N dog))'], [1, -1])
    """
    check_on_error(errors)
    reader = make_reader(
        spaces_in_leaves, zero_based, n_features, labels, columns, collect=errors == "collect"
    )
    table, problems = _read_table(reader, path, n_features)
    if problems and errors == "raise":
        raise problems[0]
    queries = [table.queries] if query_id else []
    return (table.simplest(), table.labels(labels), *queries, *([problems] if errors == "collect" else []))


def read_table(
    path: str | os.PathLike[str], *, spaces_in_leaves: bool = False
) -> tuple[Table, list[FormatError]]:
    """The good lines of a file with the names of its columns, and the errors of the others."""
    return _read_table(make_reader(spaces_in_leaves, False, None, "word", None, collect=True), path, None)


def iter_tables(
    path: str | os.PathLike[str],
    batch_size: int | None,
    *,
    spaces_in_leaves: bool = False,
) -> Iterator[Table]:
    """The lines of a file in batches, with labels as they are written and whatever columns came so far.

    Without a batch size, whatever lines are there: of a pipe, those that have arrived.
    """
    reader = make_reader(spaces_in_leaves, False, None, "word", None, collect=False)
    piece = STREAM_PIECE if batch_size is None else None
    for _ in _full(reader, path, error_handler("raise"), batch_size, piece):
        yield take_table(reader)


def iter_labels(path: str | os.PathLike[str]) -> Iterator[str]:
    """The labels of a file, as they are written, some of them several times: a quick look at all lines."""
    with reading(path) as file:
        held, last = b"", False
        while not last:
            piece = file.read(PIECE)
            last = not piece
            lines, _, rest = (held + piece).rpartition(b"\n")
            held = rest
            for label in _core.scan_labels(rest if last else lines):
                yield label.decode(errors="replace")


def _read_table(
    reader: _core.SvmlightTkReader, path: str | os.PathLike[str], n_features: int | None
) -> tuple[Table, list[FormatError]]:
    for _ in fill(reader, path, ALL_ROWS):
        pass
    problems = line_errors(reader.take_errors(), name_of(path))
    return take_table(reader, n_features), problems


def iter_svmlight_tk(
    path: str | os.PathLike[str],
    batch_size: int = 1000,
    *,
    errors: OnEachError = "raise",
    spaces_in_leaves: bool = False,
    zero_based: bool = False,
    n_features: int | None = None,
    query_id: bool = False,
    labels: Labels = "auto",
    columns: Columns | None = None,
) -> Iterator[tuple[Any, ...]]:
    """Read a file as `read_svmlight_tk` does, but in batches, holding one at a time in memory.

    The first batch settles the layout: all batches have the same container, columns and kind of label. A
    later line that does not fit is an error that says which option settles the layout beforehand. Only the
    width of vectors may grow from batch to batch, unless ``n_features`` gives it.

    Parameters
    ----------
    path : path, or "-" for standard input
    batch_size : int
        Examples in a batch; the last one may have fewer.
    errors : "raise" or a function
        Stop at the first bad line, or leave bad lines out and call the function with each `FormatError`.
    spaces_in_leaves, zero_based, n_features, query_id, labels, columns
        As in `read_svmlight_tk`.

    Yields
    ------
    X, y : as from `read_svmlight_tk`
    query_ids : int64 array
        Only with ``query_id=True``.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from hedgerow.io import iter_svmlight_tk
    >>> path = pathlib.Path(tempfile.mkdtemp(), "examples.tk")
    >>> _ = path.write_text("1 |BT| (NP Mary) |ET|\\n2 |BT| (NP John) |ET|\\n1 |BT| (NP Ann) |ET|\\n")
    >>> [(len(trees), y.tolist()) for trees, y in iter_svmlight_tk(path, batch_size=2)]
    [(2, [1, 2]), (1, [1])]
    """
    if batch_size < 1:
        raise ValueError(f"batch_size must be at least 1, got {batch_size}")
    on_error = error_handler(errors)
    reader = make_reader(spaces_in_leaves, zero_based, n_features, labels, columns, collect=errors != "raise")
    known = columns is not None
    return batches(reader, path, on_error, batch_size, None, known, labels, n_features, query_id)


def batches(
    reader: _core.SvmlightTkReader,
    source: Source,
    on_error: Callable[[FormatError], object],
    batch_size: int | None,
    live_piece: int | None,
    columns_known: bool,
    labels: Labels,
    n_features: int | None,
    query_id: bool,
) -> Iterator[tuple[Any, ...]]:
    """The examples of a source in batches, of which the first settles what is not known yet of the layout."""
    for _ in _full(reader, source, on_error, batch_size, live_piece):
        if not reader.columns:
            reader.declare_column("vector", False)  # labels alone: rows of zeros
        table = take_table(reader, n_features)
        if labels == "auto":
            labels = kind_of(table.words)
            _settle_labels(reader, labels)
        if not columns_known:
            _settle_columns(reader)
            columns_known = True
        yield (table.simplest(), table.labels(labels), *([table.queries] if query_id else []))


def _full(
    reader: _core.SvmlightTkReader,
    source: Source,
    on_error: Callable[[FormatError], object],
    batch_size: int | None,
    live_piece: int | None,
) -> Iterator[None]:
    """Feed the source to the reader; yields whenever that has a batch, or without a size whatever has arrived."""
    for at_end in fill(reader, source, batch_size or ALL_ROWS, live_piece):
        for problem in line_errors(reader.take_errors(), name_of(source)):
            on_error(problem)
        if reader.rows and (batch_size is None or at_end or reader.rows >= batch_size):
            yield


def fill(
    reader: _core.SvmlightTkReader, source: Source, max_rows: int, live_piece: int | None = None
) -> Iterator[bool]:
    """Feed the file to the reader; yields whenever rows or errors may be taken, True at the end.

    A reader that is full must be emptied before going on. With ``live_piece``, that many bytes are read at most, and
    fewer where no more have arrived yet.
    """
    with reading(source) as file:
        held, last = b"", False
        while not last:
            # A line longer than a piece doubles what is read, lest its start be scanned again and again.
            if live_piece is None:
                piece = file.read(max(PIECE, len(held)))
            else:
                piece = read_available(file, max(live_piece, len(held)))
            last = not piece
            text, at, full = held + piece, 0, True
            while full:
                at = reader.read(text, at, max_rows, last)
                if reader.stopped:
                    yield True
                    return
                full = reader.rows >= max_rows
                yield False
            held = text[at:]
        yield True


def make_reader(
    spaces_in_leaves: bool,
    zero_based: bool,
    n_features: int | None,
    labels: Labels,
    columns: Columns | None,
    *,
    collect: bool,
) -> _core.SvmlightTkReader:
    if labels not in ("auto", "int", "float", "word"):
        raise ValueError(f"labels must be 'auto', 'int', 'float' or 'word', got {labels!r}")
    if n_features is not None and not 0 < n_features < 1 << 31:
        raise ValueError(f"n_features must be a positive whole number below 2^31, got {n_features}")
    limit = (1 << 31) - 1 if n_features is None else n_features
    reader = _core.SvmlightTkReader(spaces_in_leaves, zero_based, collect, limit)
    if labels in ("int", "float"):
        reader.fix_labels(labels == "int", f"; labels={labels!r} was asked for")
    if columns is not None:
        for name, kind in _kinds(columns).items():
            reader.declare_column(name, kind == "tree")
        reader.fix_columns(f": the columns asked for are {', '.join(map(repr, columns))}")
    return reader


def _kinds(columns: Columns) -> dict[str, str]:
    if isinstance(columns, str) or not columns:
        raise ValueError(f"columns must be a sequence of names such as ('tree', 'vector'), got {columns!r}")
    if isinstance(columns, Mapping):
        kinds = dict(columns)
    else:
        kinds = {name: name.split("_")[0] for name in columns}  # type: ignore[misc]
        if len(kinds) < len(columns):
            raise ValueError(f"columns holds a name twice: {columns!r}")
    for name, kind in kinds.items():
        if kind not in ("tree", "vector"):
            raise ValueError(
                f"columns must say what {name!r} holds, as in {{{name!r}: 'tree'}} or {{{name!r}: 'vector'}}"
            )
    return dict(kinds)


def _settle_labels(reader: _core.SvmlightTkReader, kind: Labels) -> None:
    if kind == "int":
        reader.fix_labels(
            True, ", but those of the first batch were; pass labels='float', or 'word' for words, beforehand"
        )
    elif kind == "float":
        reader.fix_labels(False, ", but those of the first batch were; pass labels='word' beforehand")


def _settle_columns(reader: _core.SvmlightTkReader) -> None:
    names = [name for name, _ in reader.columns]
    listed = ", ".join(map(repr, names))
    reader.fix_columns(
        f": the first batch settled on {listed}; name all columns beforehand, as in "
        "columns=('tree', 'vector')"
    )
