"""Reading the column files of the CoNLL shared tasks of 2000, 2002 and 2003."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Literal, TypeAlias, overload

from hedgerow.data import FormatError
from hedgerow.data.errors import OnError, check_on_error
from hedgerow.data.files import read_text

Sentence: TypeAlias = list[tuple[str, ...]]


@overload
def read_conll(
    path: str | os.PathLike[str], *, fields: Sequence[int] | None = None, errors: Literal["raise"] = "raise"
) -> list[Sentence]: ...
@overload
def read_conll(
    path: str | os.PathLike[str], *, fields: Sequence[int] | None = None, errors: Literal["collect"]
) -> tuple[list[Sentence], list[FormatError]]: ...
def read_conll(
    path: str | os.PathLike[str], *, fields: Sequence[int] | None = None, errors: OnError = "raise"
) -> list[Sentence] | tuple[list[Sentence], list[FormatError]]:
    """Read sentences from a file with one token a line and blank lines between sentences.

    Parameters
    ----------
    path : path, or "-" for standard input
        Plain or gzip. Columns are separated by spaces or tabs, and every token has as many as the first one;
        ``-DOCSTART-`` lines are skipped.
    fields : sequence of int, optional
        The columns to keep, counted from 0, or from -1 backwards. By default all of them.
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
    >>> from hedgerow.io import read_conll
    >>> path = pathlib.Path(tempfile.mkdtemp(), "chunks.txt")
    >>> _ = path.write_text("He PRP B-NP\\nreckons VBZ B-VP\\n\\nIt PRP B-NP\\n")
    >>> read_conll(path)
    [[('He', 'PRP', 'B-NP'), ('reckons', 'VBZ', 'B-VP')], [('It', 'PRP', 'B-NP')]]
    >>> read_conll(path, fields=(0, -1))
    [[('He', 'B-NP'), ('reckons', 'B-VP')], [('It', 'B-NP')]]
    """
    check_on_error(errors)
    name = os.fspath(path)
    sentences: list[Sentence] = []
    problems: list[FormatError] = []
    sentence: Sentence = []
    width: int | None = None
    spoilt = False
    for number, line in enumerate([*read_text(path).split("\n"), ""], 1):
        token = tuple(line.split())
        if not token or token[0] == "-DOCSTART-":
            if sentence and not spoilt:
                sentences.append(sentence)
            sentence, spoilt = [], False
            continue
        if width is None:
            width = len(token)
            _check_fields(fields, width, name, number)
        if len(token) != width:
            problem = FormatError(
                f"expected {width} columns as on the first token's line, found {len(token)}",
                path=name,
                line=number,
            )
            if errors == "raise":
                raise problem
            problems.append(problem)
            spoilt = True
        else:
            sentence.append(token if fields is None else tuple(token[field] for field in fields))
    return (sentences, problems) if errors == "collect" else sentences


def _check_fields(fields: Sequence[int] | None, width: int, name: str, line: int) -> None:
    for field in fields or ():
        if not -width <= field < width:
            raise FormatError(f"no column {field}: there are {width}", path=name, line=line)
