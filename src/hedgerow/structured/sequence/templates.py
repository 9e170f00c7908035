"""Feature templates for text: what to look at around a token."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from hedgerow import _core
from hedgerow.checks import as_list
from hedgerow.kernels.base import Matrix

_CHUNKING = (
    "word[-2]", "word[-1]", "word[0]", "word[1]", "word[2]",
    "word[-1] word[0]", "word[0] word[1]",
    "tag[-2]", "tag[-1]", "tag[0]", "tag[1]", "tag[2]",
    "tag[-2] tag[-1]", "tag[-1] tag[0]", "tag[0] tag[1]", "tag[1] tag[2]",
    "tag[-2] tag[-1] tag[0]", "tag[-1] tag[0] tag[1]", "tag[0] tag[1] tag[2]",
)  # fmt: skip
_NAMES = (
    "lower[-2]", "lower[-1]", "lower[0]", "lower[1]", "lower[2]", "word[0]",
    "lower[-1] lower[0]", "lower[0] lower[1]",
    "shape[-2]", "shape[-1]", "shape[0]", "shape[1]", "shape[2]",
    "shape[-1] shape[0]", "shape[0] shape[1]", "shape[-1] shape[0] shape[1]",
    "prefix1[0]", "prefix2[0]", "prefix3[0]", "prefix4[0]",
    "suffix1[0]", "suffix2[0]", "suffix3[0]", "suffix4[0]",
    "suffix3[-1]", "suffix3[1]", "length[0]",
)  # fmt: skip
_TAGGED_NAMES = (
    "tag[-2]", "tag[-1]", "tag[0]", "tag[1]", "tag[2]",
    "tag[-1] tag[0]", "tag[0] tag[1]", "tag[0] shape[0]", "tag[-1] shape[0]",
)  # fmt: skip
_TAGS = tuple(dict.fromkeys([line for line in _CHUNKING if "tag" in line] + list(_TAGGED_NAMES)))
_COLUMNS = ("word", "tag")  # the names of the first ones

_ATOM = re.compile(r"(?:(?P<column>\w+)\.)?(?P<view>[A-Za-z_]\w*)(?:\[(?P<offset>[+-]?\d+)\])?")
_CRFPP = re.compile(r"%x\[(?P<offset>[+-]?\d+),(?P<column>\d+)\]")
_AFFIX = re.compile(r"(prefix|suffix)([1-9])")


class Templates(BaseEstimator):  # type: ignore[misc]
    """Features of a text token: words, tags, prefixes, suffixes and shapes, of the token and its neighbours.

    A template names what to look at, and where: ``"word[-1]"`` is the word before, ``"word[-1] word[0]"`` that and
    the word itself in one feature. Of each column there are these views, of the first column unless another is named
    (``"lemma.suffix3[0]"``):

    ========================  =====================================================================
    the column's name         the text as it is
    ``lower``                 in small letters
    ``prefix1``, ``suffix3``  the first or last letters (1 to 9); nothing if there are not so many
    ``shape``                 kinds of letters, repetitions left out: ``Xx`` for "Mary", ``d-d`` for "10-12"
    ``pattern``               kinds of letters with repetitions: ``Xxxx``
    ``length``                the number of letters, up to 10
    ========================  =====================================================================

    Lines of CRF++ are understood too: ``"U05:%x[-1,0]/%x[0,0]"``. A template that begins with B, in either language
    ``"B: tag[0]"``, makes features of moves between labels, see ``transition_features`` of `LabelSequence`. Beyond the
    ends of a sentence there are words ``_B-1``, ``_B+1`` and so on.

    Parameters
    ----------
    templates : "text", "chunking", "names", "tagged-names", or a sequence of str, default="text"
        "text" serves names, chunks and tags alike: it looks at words, prefixes, suffixes and shapes up to two tokens
        away, and at tags, their pairs and triples if there is a column "tag". "chunking" looks at words and tags only,
        "names" at all but tags, and "tagged-names" at fewer tags together.
    columns : sequence of str, default=("word", "tag")
        Names of the columns of a token. A token that is just a string has one column.

    Examples
    --------
    >>> from hedgerow.structured import Templates
    >>> templates = Templates(["word[0]", "suffix2[0]", "tag[-1] tag[0]"])
    >>> for features in templates.features([("The", "DT"), ("cat", "NN")]):
    ...     print(features)
    ['word[0]=The', 'suffix2[0]=he', 'tag[-1] tag[0]=_B-1|DT']
    ['word[0]=cat', 'suffix2[0]=at', 'tag[-1] tag[0]=DT|NN']
    """

    def __init__(self, templates: str | Sequence[str] = "text", columns: Sequence[str] = _COLUMNS) -> None:
        self.templates = templates
        self.columns = columns

    @classmethod
    def for_columns(cls, n: int, templates: str | Sequence[str] = "text") -> Templates:
        """Templates for tokens with so many columns, named word, tag, column3 and so on.

        Examples
        --------
        >>> from hedgerow.structured import Templates
        >>> Templates.for_columns(3).columns
        ['word', 'tag', 'column3']
        """
        return cls(templates, [*_COLUMNS, *(f"column{number}" for number in range(3, n + 1))][:n])

    def features(self, sentence: Iterable[Any]) -> list[list[str]]:
        """The features of each token of one sentence."""
        names = _core.FeatureNames()
        _, begin, feature, _ = self._read([list(sentence)], names, True)
        texts = [name.decode() for name in names.names()]
        numbers = feature.tolist()
        return [[texts[k] for k in numbers[i:j]] for i, j in pairwise(begin.tolist())]

    def _read(
        self, X: Sequence[Any], names: _core.FeatureNames, grow: bool
    ) -> tuple[Matrix, Matrix, Matrix, Matrix | None]:
        """Begins of sequences and of tokens, features, and values (all are 1)."""
        parsed = self._parse()
        begin, columns = self._read_columns(X)
        wanted = list(dict.fromkeys(view for _, atoms in parsed for view, _ in atoms))
        views = [_view(columns[column], kind) for column, kind in wanted]
        places = {view: place for place, view in enumerate(wanted)}
        templates = [
            (name.encode(), [(places[view], offset) for view, offset in atoms]) for name, atoms in parsed
        ]
        return (begin, *names.apply_templates(begin, views, templates, grow))

    def _read_columns(self, X: Sequence[Any]) -> tuple[Matrix, dict[int, tuple[Matrix, list[str]]]]:
        """Begins of sentences; of each column the number of each token's text, and the texts."""
        used = sorted({column for _, atoms in self._parse() for (column, _), _ in atoms})
        begin = np.cumsum([0, *map(len, X)])
        columns = {}
        for column in used:
            numbers: dict[str, int] = {}
            if column > 0 and any(isinstance(token, str) for sentence in X for token in sentence):
                _check_columns(X, column, self.columns)
            try:
                codes = [
                    numbers.setdefault(token if isinstance(token, str) else token[column], len(numbers))
                    for sentence in X
                    for token in sentence
                ]
            except (TypeError, LookupError):
                codes = []
                _check_columns(X, column, self.columns)
            if not all(isinstance(text, str) for text in numbers):
                _check_columns(X, column, self.columns)
            columns[column] = (np.array(codes, dtype=np.int32), list(numbers))
        return begin, columns

    def _mark_moves(self) -> bool:
        return any(marks_moves(name) for name, _ in self._parse())

    # -- the language ---------------------------------------------------------------------------------------

    def _parse(self) -> list[tuple[str, list[tuple[tuple[int, str], int]]]]:
        """For each template its name, and what it looks at: (column, kind of view) and offset."""
        if isinstance(self.columns, str) or not all(isinstance(name, str) for name in self.columns):
            raise TypeError(f"columns must be a list of names, got {self.columns!r}")
        given: Any = self.templates
        if isinstance(given, str):
            known = {
                "text": _NAMES + (_TAGS if "tag" in self.columns else ()),
                "chunking": _CHUNKING,
                "names": _NAMES,
                "tagged-names": _NAMES + _TAGGED_NAMES,
            }
            if given not in known:
                raise ValueError(
                    f"templates must be {', '.join(map(repr, known))} or a list of templates, got {given!r}"
                )
            given = known[given]
        given = as_list("templates", given, "a name or a list of templates")
        if not all(isinstance(line, str) for line in given):
            raise TypeError(f"templates must be texts, got {given!r}")
        lines = [line.strip() for line in given]
        # A lone B asks CRF++ for moves between labels, which are there anyway.
        return [self._parse_line(line) for line in lines if line and line != "B" and not line.startswith("#")]

    def _parse_line(self, line: str) -> tuple[str, list[tuple[tuple[int, str], int]]]:
        if "%x" in line or re.match(r"[UB]\w*$", line):
            rest = _CRFPP.sub("", line.partition(":")[2]).replace("/", "").strip()
            atoms = [((int(m["column"]), ""), int(m["offset"])) for m in _CRFPP.finditer(line)]
            if line[0] not in "UB" or rest:
                raise ValueError(f"template {line!r} is not written as U01:%x[row,column]/%x[row,column]")
            return line, atoms
        return line, [self._parse_atom(text, line) for text in line.removeprefix("B:").split()]

    def _parse_atom(self, text: str, line: str) -> tuple[tuple[int, str], int]:
        match = _ATOM.fullmatch(text)
        names = list(self.columns)
        if match is None:
            raise ValueError(f"template {line!r}: {text!r} is not written as word[-1] or suffix3[0]")
        column, view, offset = match["column"], match["view"], int(match["offset"] or 0)
        if column is None and view in names:
            return (names.index(view), ""), offset
        if column is not None and column not in names:
            raise ValueError(f"template {line!r}: there is no column {column!r}, only {', '.join(names)}")
        if view not in _VIEWS and not _AFFIX.fullmatch(view):
            raise ValueError(
                f"template {line!r}: {view!r} is neither a column ({', '.join(names)}) nor one of "
                f"{', '.join(_VIEWS)}, prefix1 to prefix9, suffix1 to suffix9"
            )
        return (names.index(column) if column else 0, view), offset


def marks_moves(name: str) -> bool:
    """Whether a feature comes from a template for moves between labels."""
    return re.match(r"B\w*:", name) is not None


def _view(column: tuple[Matrix, list[str]], kind: str) -> tuple[Matrix, list[bytes]]:
    """What a kind of view shows of a column; -1 where it shows nothing."""
    codes, texts = column
    if not kind:
        return codes, [text.encode("utf-8", "surrogatepass") for text in texts]
    look = _VIEWS.get(kind) or _affix(kind)
    numbers: dict[str, int] = {}
    shown = [look(text) for text in texts]
    table = [-1 if text is None else numbers.setdefault(text, len(numbers)) for text in shown]
    seen = np.array(table, dtype=np.int32)[codes] if len(codes) else codes
    return seen, [text.encode("utf-8", "surrogatepass") for text in numbers]


def _affix(kind: str) -> Callable[[str], str | None]:
    length = int(kind[-1])
    part = slice(length) if kind.startswith("prefix") else slice(-length, None)
    return lambda text: text[part] if len(text) >= length else None


def _pattern(text: str) -> str:
    return "".join("X" if c.isupper() else "x" if c.isalpha() else "d" if c.isdigit() else c for c in text)


_VIEWS: dict[str, Callable[[str], str | None]] = {
    "lower": str.lower,
    "shape": lambda text: re.sub(r"(.)\1+", r"\1", _pattern(text)),
    "pattern": _pattern,
    "length": lambda text: str(min(len(text), 10)),
}


def _check_columns(X: Sequence[Any], column: int, names: Sequence[str]) -> None:
    """Raise an error that names the first token without the column."""
    for number, sentence in enumerate(X):
        for place, token in enumerate(sentence):
            where = f"token {place} of sequence {number}"
            if isinstance(token, str):
                if column > 0:
                    raise ValueError(f"{where} is a string, but templates look at column {column}")
            elif not isinstance(token, Sequence):
                raise TypeError(f"{where} must be a string or a tuple of columns, got {token!r}")
            elif len(token) <= column:
                named = f" ({names[column]})" if column < len(names) else ""
                raise ValueError(
                    f"{where} has {len(token)} columns, but templates look at column {column}{named}"
                )
            elif not isinstance(token[column], str):
                raise TypeError(f"{where} must have texts as columns, got {token[column]!r}")
