"""Writing SVM-light-TK files."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from scipy import sparse

from hedgerow.data import Forest, Records
from hedgerow.data.files import writing

ROWS_AT_ONCE = 1000
# What the reader would not take for a label: white space, the start of something else, a feature, a query.
BAD_LABEL = re.compile(
    r"[ \t-\r\0]|^$|^[|(#\ufeff]|^qid:|^\d+:[+-]?(\d*\.?\d*(e[+-]?\d+)?|inf(inity)?|nan.*)$", re.IGNORECASE
)


def write_svmlight_tk(
    path: str | os.PathLike[str],
    X: Any,
    y: Any,
    *,
    comments: Sequence[str | None] | None = None,
    query_id: Any = None,
    spaces_in_leaves: bool = False,
) -> None:
    """Write examples as SVM-light-TK lines; `read_svmlight_tk` gives them back exactly.

    The file appears only when all of it has been written. The columns of Records that are not called as the
    reader calls them (``tree``, ``tree_2``, ..., ``vector``, ``vector_2``, ...) are written in KeLP's named
    form, which SVM-light-TK does not know. Records of one column come back as that column.

    Parameters
    ----------
    path : path, or "-" for standard output
        gzip when it ends in ``.gz``.
    X : Forest, matrix (dense or sparse) or Records of these
    y : sequence of numbers or words
        One label an example, without white space.
    comments : sequence of str, optional
        One an example, written behind ``#`` at the end of its line; None or "" for none. hedgerow, SVM-light
        and scikit-learn skip them, SVM-light-TK does not.
    query_id : sequence of int, optional
        Written as ``qid:``; -1 for none.
    spaces_in_leaves : bool
        Allow spaces in leaves without siblings, which SVM-light-TK, and hedgerow when told so, read as meant.

    Notes
    -----
    When no example has the last feature of a matrix, or the first example has none, the first line has the
    last feature with value 0, so that the matrix keeps its width and place.

    Examples
    --------
    >>> from hedgerow import Forest
    >>> from hedgerow.io import write_svmlight_tk
    >>> write_svmlight_tk("-", Forest(["(S (NP Mary) (VP sings))", "(NP (D a) (N dog))"]), [1, -1])
    1 |BT| (S (NP Mary) (VP sings)) |ET|
    -1 |BT| (NP (D a) (N dog)) |ET|
    """
    columns = _columns(X)
    n = int(columns[0].values.shape[0])
    labels = y.tolist() if isinstance(y, np.ndarray) else list(y)
    texts = [_label_text(label, i) for i, label in enumerate(labels)]
    queries = _query_ids(query_id)
    for what, length in (
        ("y", len(texts)),
        ("comments", None if comments is None else len(comments)),
        ("query_id", None if queries is None else len(queries)),
    ):
        if length is not None and length != n:
            raise ValueError(f"X has {n} examples, but {what} has {length}")
    ends = [_comment_text(comment, i) for i, comment in enumerate(comments)] if comments is not None else None
    before = [texts]
    if queries is not None:
        before.append(["" if q < 0 else f"qid:{q}" for q in queries])
    with writing(path) as out:
        out.writelines(_pieces(before, columns, [] if ends is None else [ends], spaces_in_leaves))


def example_lines(texts: list[str], X: Any, *, spaces_in_leaves: bool = False) -> Iterator[bytes]:
    """The lines of examples that begin with these texts, many lines at once."""
    return _pieces([texts], _columns(X), [], spaces_in_leaves)


def _pieces(
    before: list[list[str]], columns: list[_Column], behind: list[list[str]], spaces_in_leaves: bool
) -> Iterator[bytes]:
    n = len(before[0])
    for first in range(0, n, ROWS_AT_ONCE):
        last = min(first + ROWS_AT_ONCE, n)
        parts = [texts[first:last] for texts in before]
        parts.extend(column.texts(first, last, spaces_in_leaves) for column in columns)
        parts.extend(texts[first:last] for texts in behind)
        lines = (" ".join(filter(None, line)) for line in zip(*parts, strict=True))
        yield "".join(f"{line}\n" for line in lines).encode()


@dataclass
class _Column:
    """A column with the marks that stand before and behind each of its items."""

    name: str
    values: Any
    nameless: bool  # the reader finds the name from the place
    before: str = ""
    behind: str = ""

    @property
    def holds_trees(self) -> bool:
        return isinstance(self.values, Forest)

    def texts(self, first: int, last: int, spaces_in_leaves: bool) -> list[str]:
        """The items of rows first to last, marks included."""
        if self.holds_trees:
            items = self._trees(first, last, spaces_in_leaves)
        else:
            items = _vector_texts(self.values[first:last])
            if first == 0 and self._needs_last_feature():
                items[0] = f"{items[0]} {self.values.shape[1]}:0".lstrip()
        return [" ".join(filter(None, (self.before, item, self.behind))) for item in items]

    def _trees(self, first: int, last: int, spaces_in_leaves: bool) -> list[str]:
        try:
            return list(self.values[first:last]._native.to_brackets(True, spaces_in_leaves))
        except ValueError as error:
            label = error.args[0]
            advice = ": it is empty or holds white space or brackets"
            if " " in label and not spaces_in_leaves:
                advice += " (spaces_in_leaves=True allows spaces in leaves without siblings)"
            raise ValueError(f"column {self.name!r}: the label {label!r} cannot be written{advice}") from None

    def _needs_last_feature(self) -> bool:
        """Whether the width, or the column's place, would else be lost; see the notes above."""
        width = self.values.shape[1]
        return bool(self.values.indptr[1] == 0 or self.values.indices.max(initial=-1) < width - 1)


def _vector_texts(matrix: Any) -> list[str]:
    begin, index, value = matrix.indptr.tolist(), (matrix.indices + 1).tolist(), matrix.data.tolist()
    features = [f"{i}:{number_text(v)}" for i, v in zip(index, value, strict=True)]
    return [" ".join(features[a:b]) for a, b in pairwise(begin)]


def number_text(value: float) -> str:
    """The shortest text that reads back as the same number."""
    return repr(value).removesuffix(".0")


def _columns(X: Any) -> list[_Column]:
    given: dict[str | None, Any] = {None: X}
    if isinstance(X, Records):
        given = {name: X[name] for name in X.columns}
    columns: list[_Column] = []
    for name, values in given.items():
        checked = _checked("X" if name is None else f"column {name!r}", values)
        kind = "tree" if isinstance(checked, Forest) else "vector"
        alike = [column for column in columns if column.holds_trees == (kind == "tree")]
        number = 1 + sum(column.nameless for column in alike)
        default = kind if number == 1 else f"{kind}_{number}"
        # Behind a named vector, features and |BV| would belong to it.
        nameless = name in (None, default) and (kind == "tree" or all(column.nameless for column in alike))
        if name is not None and not nameless and (not name or re.search(r"[|\n\0]", name)):
            raise ValueError(
                f"the column name {name!r} cannot be written: it is empty or holds '|', a line break or NUL"
            )
        columns.append(_Column(default if name is None else name, checked, nameless))
    _set_marks(columns)
    return columns


def _set_marks(columns: list[_Column]) -> None:
    first_vector = next((column for column in columns if not column.holds_trees), None)
    for column, following in zip(columns, [*columns[1:], None], strict=True):
        begin, end = ("|BT", "|ET|") if column.holds_trees else ("|BV", "|EV|")
        column.before = f"{begin}|" if column.nameless else f"{begin}:{column.name}|"
        column.behind = end
        if not column.nameless:
            continue
        if following is not None and following.nameless and following.holds_trees == column.holds_trees:
            column.behind = ""  # one |ET| behind all trees, one |EV| behind all vectors
        if column is first_vector:
            column.before = ""  # it is what stands before the first |BV|
            if len(columns) == 1 or (following is not None and following.holds_trees):
                column.behind = ""


def _checked(what: str, values: Any) -> Any:
    """The column as a Forest or a canonical csr_matrix."""
    if isinstance(values, Forest):
        return values
    if not sparse.issparse(values):
        values = np.asarray(values)
        if values.ndim != 2 or values.dtype.kind not in "biuf":
            raise TypeError(
                f"{what}: SVM-light-TK lines hold trees (a Forest) and vectors (a two-dimensional matrix), "
                f"got an array of {values.dtype} with shape {values.shape}"
            )
    matrix = sparse.csr_matrix(values, dtype=np.float64)
    if not matrix.has_canonical_format:
        matrix = matrix.copy()  # not the caller's
        matrix.sum_duplicates()
    if matrix.shape[1] == 0:
        raise ValueError(f"{what}: a matrix without features cannot be written")
    bad = np.flatnonzero(~np.isfinite(matrix.data))
    if len(bad):
        row = int(np.searchsorted(matrix.indptr, bad[0], side="right")) - 1
        raise ValueError(
            f"{what}: values must be finite, got {matrix.data[bad[0]]} in row {row}, feature "
            f"{matrix.indices[bad[0]]} (both counted from 0)"
        )
    return matrix


def _label_text(label: Any, row: int) -> str:
    if isinstance(label, bool | np.bool_):
        label = int(label)
    if isinstance(label, np.generic):
        label = label.item()
    text = repr(label) if isinstance(label, float) else str(label)
    if isinstance(label, float) and not math.isfinite(label):
        raise ValueError(f"y[{row}] is {label}; labels must be finite numbers or words")
    if not isinstance(label, str | int | float):
        raise TypeError(f"y[{row}] is a {type(label).__name__}; labels must be numbers or words")
    if BAD_LABEL.search(text):
        raise ValueError(
            f"y[{row}] is {label!r}, which cannot be written as a label: it must be one word that is no "
            "feature (3:1), no qid: and does not start with '|', '(' or '#'"
        )
    return text


def _query_ids(query_id: Any) -> list[int] | None:
    if query_id is None:
        return None
    array = np.asarray(query_id)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise ValueError(f"query_id must be a sequence of whole numbers, got {query_id!r}")
    numbers: list[int] = array.tolist()
    return numbers


def _comment_text(comment: str | None, row: int) -> str:
    if not comment:
        return ""
    if re.search(r"[\r\n\0]", comment):
        raise ValueError(f"comments[{row}] holds a line break or NUL: {comment!r}")
    return f"# {comment}"
