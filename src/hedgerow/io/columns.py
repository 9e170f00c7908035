"""Sentences in columns, as in the CoNLL shared tasks: one token a line, blank lines between sentences."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeAlias, TypedDict, Unpack, overload

from hedgerow.data import FormatError
from hedgerow.data.errors import (
    Collect,
    Collected,
    OnEachError,
    OnError,
    Raise,
    check_on_error,
    error_handler,
)
from hedgerow.data.files import (
    STREAM_PIECE,
    Source,
    decode_utf8,
    is_awaited,
    name_of,
    read_available,
    reading,
    writing,
)

Sentence: TypeAlias = list[tuple[str, ...]]
DOCUMENT = "-DOCSTART-"  # begins a document in the files of 2003
# Spaces of ASCII part columns; those of Unicode, at which str.split() would part them too, may be within words.
_CELL = re.compile(r"[^ \t-\r\x1c-\x1f]+")


class Options(TypedDict, total=False):
    fields: Sequence[int] | None
    comments: str | None


@overload
def read_columns(source: Source, *, errors: Raise = ..., **options: Unpack[Options]) -> list[Sentence]: ...
@overload
def read_columns(
    source: Source, *, errors: Collect, **options: Unpack[Options]
) -> Collected[list[Sentence]]: ...
def read_columns(
    source: Source,
    *,
    fields: Sequence[int] | None = None,
    comments: str | None = None,
    errors: OnError = "raise",
) -> list[Sentence] | Collected[list[Sentence]]:
    """Read sentences from a file with one token per line and blank lines between sentences.

    Parameters
    ----------
    source : path, "-" for standard input, or a file that is open for reading bytes
        Plain or gzip. Columns are separated by spaces or tabs, and every token has as many as the first one;
        ``-DOCSTART-`` lines are skipped.
    fields : sequence of int, optional
        The columns to keep, counted from 0, or from -1 backwards. By default all of them.
    comments : str, optional
        What the lines begin with that are skipped, as ``"#"``. By default there are none, since a token may begin
        with anything.
    errors : {"raise", "collect"}
        Stop at the first bad line, or leave sentences with bad lines out and return the errors as a list.

    Returns
    -------
    sentences : list of lists of tuples of str
        A token is the tuple of its columns.
    errors : list of FormatError
        Only with ``errors="collect"``.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from hedgerow.io import read_columns
    >>> path = pathlib.Path(tempfile.mkdtemp(), "chunks.txt")
    >>> _ = path.write_text("He PRP B-NP\\nreckons VBZ B-VP\\n\\nIt PRP B-NP\\n")
    >>> read_columns(path)
    [[('He', 'PRP', 'B-NP'), ('reckons', 'VBZ', 'B-VP')], [('It', 'PRP', 'B-NP')]]
    >>> read_columns(path, fields=(0, -1))
    [[('He', 'B-NP'), ('reckons', 'B-VP')], [('It', 'B-NP')]]
    """
    check_on_error(errors)
    problems: list[FormatError] = []
    on_error = problems.append if errors == "collect" else error_handler("raise")
    sentences = list(_sentences(source, fields, comments, on_error))
    return (sentences, problems) if errors == "collect" else sentences


read_conll = read_columns  # the name that users of the shared tasks look for


def iter_columns(
    source: Source,
    batch_size: int = 1000,
    *,
    fields: Sequence[int] | None = None,
    comments: str | None = None,
    errors: OnEachError = "raise",
) -> Iterator[list[Sentence]]:
    """Read sentences in columns for learning in one pass, holding one batch at a time in memory.

    Parameters
    ----------
    source : path, "-" for standard input, or a file that is open for reading bytes
        See `read_columns`, as for ``fields`` and ``comments``. A file that was open stays open.
    batch_size : int
        Sentences of a batch; the last one may have fewer.
    errors : "raise" or a function
        Stop at the first bad line, or leave sentences with bad lines out and call the function with each `FormatError`.

    Yields
    ------
    sentences : list of lists of tuples of str

    Examples
    --------
    >>> import io
    >>> from hedgerow.io import iter_columns
    >>> stream = io.BytesIO(b"He B-NP\\nreckons B-VP\\n\\nIt B-NP\\n\\nWe B-NP\\n")
    >>> [len(batch) for batch in iter_columns(stream, 2)]
    [2, 1]
    """
    if batch_size < 1:
        raise ValueError(f"batch_size must be at least 1, got {batch_size}")
    sentences = _sentences(source, fields, comments, error_handler(errors))
    return iter(lambda: list(islice(sentences, batch_size)), [])


def iter_arriving_columns(source: Source, batch_size: int, comments: str | None) -> Iterator[list[Sentence]]:
    """The same, but of a pipe a batch is no more than has arrived."""
    batch: list[Sentence] = []
    for sentence in _sentences(source, None, comments, error_handler("raise"), pauses=True):
        if sentence:
            batch.append(sentence)
        if batch and (not sentence or len(batch) == batch_size):
            yield batch
            batch = []
    if batch:
        yield batch


def write_columns(path: str | os.PathLike[str], sentences: Iterable[Iterable[Sequence[str]]]) -> None:
    """Write sentences with one token per line and a blank line after each sentence.

    Parameters
    ----------
    path : path, or "-" for standard output
        gzip when it ends in ``.gz``. An older file of that name stays until all is written.
    sentences : iterable of sentences, which are iterables of tokens, which are sequences of str
        All tokens have as many columns as the first one. A column has at least one character and no spaces, a
        sentence at least one token.

    Examples
    --------
    >>> from hedgerow.io import write_columns
    >>> write_columns("-", [[("He", "B-NP"), ("reckons", "B-VP")], [("It", "B-NP")]])
    He B-NP
    reckons B-VP
    <BLANKLINE>
    It B-NP
    <BLANKLINE>
    """
    width: int | None = None
    with writing(path) as out:
        for number, sentence in enumerate(sentences):
            tokens = [tuple(token) for token in sentence]
            if not tokens:
                raise FormatError("a sentence without tokens has no form in columns", item=number)
            for token in tokens:
                width = len(token) if width is None else width
                _check_token(token, width, number)
            out.write("".join([" ".join(token) + "\n" for token in tokens] + ["\n"]).encode())


def _check_token(token: tuple[str, ...], width: int, item: int) -> None:
    if len(token) != width:
        raise FormatError(
            f"expected {width} columns as the first token has, the token {token} has {len(token)}", item=item
        )
    for cell in token:
        if not isinstance(cell, str) or not _CELL.fullmatch(cell):
            raise FormatError(f"a column must be a text without spaces, got {cell!r}", item=item)
    if token and token[0] == DOCUMENT:
        raise FormatError(f"no token may begin with {DOCUMENT}, which begins a document", item=item)


def _sentences(
    source: Source,
    fields: Sequence[int] | None,
    comments: str | None,
    on_error: Callable[[FormatError], object],
    pauses: bool = False,
) -> Iterator[Sentence]:
    """The sentences; with ``pauses`` also empty ones, where no more has arrived yet."""
    if comments == "":
        raise ValueError("comments must not be empty, since every line begins with that")
    sentence: Sentence = []
    name, width, spoilt = name_of(source), None, False
    for number, line in _lines(source, name):
        if number == 0:
            if pauses:
                yield []
            continue
        if comments is not None and line.startswith(comments):
            continue
        token = tuple(line.split() if line.isascii() else _CELL.findall(line))
        if not token or token[0] == DOCUMENT:
            if sentence and not spoilt:
                yield sentence
            sentence, spoilt = [], False
            continue
        if width is None:
            width = len(token)
            for field in fields or ():
                if not -width <= field < width:
                    raise FormatError(f"no column {field}: there are {width}", path=name, line=number)
        if len(token) == width:
            sentence.append(token if fields is None else tuple([token[field] for field in fields]))
            continue
        expected = f"expected {width} columns as on the first token's line, found {len(token)}"
        on_error(FormatError(expected, path=name, line=number))
        spoilt = True
    if sentence and not spoilt:
        yield sentence


def _lines(source: Source, name: str) -> Iterator[tuple[int, str]]:
    """Numbered lines, as they arrive; of a pipe number 0 after those that have."""
    number, held, piece = 1, b"", b" "
    with reading(source) as file:
        while piece:
            piece = read_available(file, STREAM_PIECE)
            whole, end, held = (held + piece).rpartition(b"\n") if piece else (held, b"", b"")
            if end or not piece:
                text = decode_utf8(whole, path=name, first_line=number)
                lines = (text.removeprefix("\ufeff") if number == 1 else text).split("\n")
                yield from enumerate(lines, number)
                number += len(lines)
                if is_awaited(file):
                    yield 0, ""
