"""What files say about classes: taxonomies, features, weights, and what is lost by taking one for another."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from math import isfinite
from typing import TypeAlias, overload

import numpy as np

from hedgerow import _core
from hedgerow.data import FormatError
from hedgerow.data.errors import Collect, Collected, OnError, Raise, check_on_error, error_handler
from hedgerow.data.files import name_of, read_text
from hedgerow.io.examples import Vector

Parents: TypeAlias = dict[str, tuple[str, ...]]
_VECTOR = re.compile(r"\d+:\S+")


@overload
def read_taxonomy(path: str | os.PathLike[str], *, errors: Raise = "raise") -> Parents: ...
@overload
def read_taxonomy(path: str | os.PathLike[str], *, errors: Collect) -> Collected[Parents]: ...
def read_taxonomy(path: str | os.PathLike[str], *, errors: OnError = "raise") -> Parents | Collected[Parents]:
    """Read the links of a taxonomy.

    Parameters
    ----------
    path : path, or "-" for standard input
        Plain or gzip. A line is ``parent<TAB>child``; where there are no tabs, the two may be separated by spaces.
        Blank lines are skipped. Callers check whether the links make a tree.
    errors : {"raise", "collect"}
        Stop at the first bad line, or leave bad lines out and return them as a list of `FormatError`.

    Returns
    -------
    parents : dict from str to tuple of str
        The parents of every class that has some, in the order of the file.
    errors : list of FormatError
        Only with ``errors="collect"``.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from hedgerow.io import read_taxonomy
    >>> path = pathlib.Path(tempfile.mkdtemp(), "classes.tsv")
    >>> _ = path.write_text("ROOT\\tsport\\nsport\\thockey\\nsport\\ttennis\\n")
    >>> read_taxonomy(path)
    {'sport': ('ROOT',), 'hockey': ('sport',), 'tennis': ('sport',)}
    """
    check_on_error(errors)
    problems: list[FormatError] = []
    on_error = problems.append if errors == "collect" else error_handler("raise")
    parents: Parents = {}
    for number, line in enumerate(read_text(path).split("\n"), 1):
        if not line.strip():
            continue
        # Names may hold spaces where tabs part them.
        link = [cell.strip() for cell in line.split("\t")] if "\t" in line else line.split()
        if len(link) != 2 or not all(link):
            wrong = f"expected parent and child with a tab between, found {line.strip()!r}"
        elif link[0] in parents.get(link[1], ()):
            wrong = f"the link from {link[0]} to {link[1]} appears twice"
        else:
            parent, child = link
            parents[child] = (*parents.get(child, ()), parent)
            continue
        on_error(FormatError(wrong, path=name_of(path), line=number))
    return (parents, problems) if errors == "collect" else parents


def read_class_features(path: str | os.PathLike[str]) -> dict[str, Vector] | dict[str, str]:
    """Read the descriptions of classes.

    Parameters
    ----------
    path : path, or "-" for standard input
        Plain or gzip. A line is ``class<TAB>1:0.5 3:1``, features from 1 as in SVM-light's files, or ``class<TAB>words
        that describe it``. All lines have the same form. Blank lines are skipped.

    Returns
    -------
    features : dict from str to array, or to str

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from hedgerow.io.classes import read_class_features
    >>> path = pathlib.Path(tempfile.mkdtemp(), "classes.tsv")
    >>> _ = path.write_text("hockey\\t1:1 3:0.5\\nskating\\t2:1\\n")
    >>> read_class_features(path)
    {'hockey': array([1. , 0. , 0.5]), 'skating': array([0., 1., 0.])}
    """
    name = name_of(path)
    described: dict[str, tuple[int, int, str]] = {}  # line, column and description of each
    for number, line in enumerate(read_text(path).split("\n"), 1):
        if not line.strip():
            continue
        label, tab, text = line.rstrip("\r").partition("\t")
        if not tab or not label.strip() or not text.strip():
            raise FormatError(
                f"expected a class and its features with a tab between, found {line.strip()!r}",
                path=name,
                line=number,
            )
        if label.strip() in described:
            raise FormatError(f"the class {label.strip()} appears twice", path=name, line=number)
        described[label.strip()] = number, len(label) + 2, text
    if not described:
        raise FormatError("there are no classes", path=name)
    if not all(_VECTOR.fullmatch(word) for _, _, text in described.values() for word in text.split()):
        return {label: text.strip() for label, (_, _, text) in described.items()}
    rows = {label: _features(text, name, line, column) for label, (line, column, text) in described.items()}
    width = max(max(row, default=0) for row in rows.values())
    vectors = {label: np.zeros(width) for label in rows}
    for label, row in rows.items():
        vectors[label][[feature - 1 for feature in row]] = list(row.values())
    return vectors


def _features(text: str, path: str, line: int, column: int) -> dict[int, float]:
    row: dict[int, float] = {}
    for match in _VECTOR.finditer(text):
        feature, _, value = match.group().partition(":")
        problem = ""
        if int(feature) < 1:
            problem = "features are counted from 1"
        elif int(feature) in row:
            problem = f"the feature {feature} appears twice"
        elif not _core.is_number(value) or not isfinite(float(value)):
            problem = f"expected a finite number after the colon, found {match.group()!r}"
        if problem:
            raise FormatError(problem, path=path, line=line, column=column + match.start())
        row[int(feature)] = float(value)
    return row


def read_weights(path: str) -> dict[str, float]:
    """The weight of every name, from lines ``name<TAB>weight``."""
    return {name: weight for (name,), weight in _rows(path, "a name")}


def read_losses(path: str) -> dict[tuple[str, str], float]:
    """What is lost by predicting one class for another, from lines ``true<TAB>predicted<TAB>loss``."""
    return {(true, other): loss for (true, other), loss in _rows(path, "a true class, a predicted one")}


def _rows(path: str, names: str) -> Iterator[tuple[list[str], float]]:
    """Names and a number on every line that is not blank; where there are no tabs, spaces part them."""
    for line_number, line in enumerate(read_text(path).split("\n"), 1):
        if not line.strip():
            continue
        *found, last = [cell.strip() for cell in line.split("\t")] if "\t" in line else line.split()
        try:
            number = float(last)
        except ValueError:
            number = None
        if number is None or len(found) != names.count("a ") or not all(found):
            wrong = f"expected {names} and a number with tabs between, found {line.strip()!r}"
            raise FormatError(wrong, path=name_of(path), line=line_number)
        yield found, number
