"""Lists of candidate parses, best first, as parsers write them for rerankers: n-best lists."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Any

import numpy as np

from hedgerow.data import CandidateLists, Forest, FormatError
from hedgerow.data.files import Source, decode_utf8, name_of, reading
from hedgerow.io.formats import guess_format

SENTENCES = 100  # lists of a piece
_LINE = "expected 'qid:NAME' with the true tree after it, if that is known, or 'SCORE (S ...)'"
_OBJECT = 'expected {"gold": tree, "cands": [[score, tree] or [score, matched, found, wanted, tree], ...]}'


@dataclass
class _List:
    """One list as it is read: its line, the true tree, and candidates with their lines."""

    line: int
    gold: str | None = None
    scores: list[float] = field(default_factory=list)
    trees: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    brackets: list[list[int]] = field(default_factory=list)  # of all candidates or of none


def read_nbest(source: Source, *, limit: int | None = None) -> CandidateLists:
    """Read n-best lists: the candidate parses of sentences, with the scores of the parser that made them.

    Of lists with true trees, the brackets of all candidates are counted as evalb counts them, and their F1 is the
    grade. There are two forms:

    - text: a line ``qid:NAME (S ...)`` begins a list, with the true tree or, for predictions, without one; lines
      ``SCORE (S ...)`` are its candidates;
    - JSON, one list a line: ``{"gold": tree, "cands": [[score, tree], ...]}``. A candidate may have its numbers of
      matched brackets, its own and those of the true tree, ``[score, matched, found, wanted, tree]``, which are taken
      as they are.

    Parameters
    ----------
    source : path, "-" for standard input, or a file that is open for reading bytes
        Plain or gzip.
    limit : int, optional
        Read at most this many lists.

    Returns
    -------
    lists : CandidateLists
        With ``trees`` and ``base_scores``, and ``brackets`` and ``grades`` where true trees are known.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from hedgerow.io import read_nbest
    >>> path = pathlib.Path(tempfile.mkdtemp(), "flies.nbest")
    >>> _ = path.write_text(
    ...     "qid:1 (S (NP (NN time)) (VP (VBZ flies)))\\n"
    ...     "-20.1 (S (VP (VB time) (NP (NNS flies))))\\n"
    ...     "-20.5 (S (NP (NN time)) (VP (VBZ flies)))\\n"
    ... )
    >>> lists = read_nbest(path)
    >>> lists
    CandidateLists(1 lists, 2 candidates: grades, brackets, base_scores, trees)
    >>> lists.brackets.tolist(), lists.base_scores.tolist()
    ([[1, 3, 3], [3, 3, 3]], [-20.1, -20.5])
    """
    if limit is not None and limit < 1:
        raise ValueError(f"limit must be at least 1 or None, got {limit!r}")
    parts = list(iter_nbest(source, limit=limit))
    if not parts:
        raise FormatError("there is no list of candidates", path=name_of(source))
    return CandidateLists.concatenate(parts)


def iter_nbest(
    source: Source, *, graded: bool | None = None, limit: int | None = None
) -> Iterator[CandidateLists]:
    """The lists of a file, some at a time; with ``graded`` the truth must be known, with False it is not looked at."""
    path = name_of(source)
    with reading(source) as file:
        lines = ((number, text) for number, text in _lines(file, path) if text.strip())
        first = next(lines, None)
        if first is None:
            return
        made = _from_json if first[1].lstrip().startswith("{") else _from_text
        lists = islice(made(chain([first], lines), path), limit)
        known = graded
        while some := list(islice(lists, SENTENCES)):
            if known is None:  # as the first list has it
                known = _is_known(some[0])
            yield _candidate_lists(some, path, known)


def _lines(file: Iterable[bytes], path: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(file, 1):
        yield number, decode_utf8(line, path=path, first_line=number)


def _from_text(lines: Iterable[tuple[int, str]], path: str) -> Iterator[_List]:
    """Lists of lines ``qid:NAME tree`` and ``score tree``."""
    current: _List | None = None
    for number, text in lines:
        start, bracket, tree = text.partition("(")
        word = start.strip()
        if word.startswith("qid:"):
            if current is not None:
                yield current
            current = _List(number, bracket + tree.rstrip() if bracket else None)
            continue
        if current is None or not bracket:
            raise FormatError(_LINE, path=path, line=number)
        try:
            current.scores.append(_score(word))
        except ValueError:
            raise FormatError(f"{_LINE}; {word!r} is not a score", path=path, line=number) from None
        current.trees.append(bracket + tree.rstrip())
        current.lines.append(number)
    if current is not None:
        yield current


def _from_json(lines: Iterable[tuple[int, str]], path: str) -> Iterator[_List]:
    """Lists of objects, one per line."""
    for number, text in lines:
        try:
            item = json.loads(text)
            found = _List(number, item.get("gold"))
            for score, *counts, tree in item["cands"]:
                if not isinstance(tree, str) or not isinstance(found.gold, str | None):
                    raise TypeError("a tree is a text in brackets")
                if len(counts) not in (0, 3) or not all(type(count) is int for count in counts):
                    raise TypeError("brackets are three whole numbers")
                found.scores.append(_score(score))
                found.trees.append(tree)
                found.lines.append(number)
                found.brackets += [counts] if counts else []
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise FormatError(f"{_OBJECT} ({error})", path=path, line=number) from None
        yield found


def _score(word: Any) -> float:
    score = float(word)
    if not math.isfinite(score):
        raise ValueError(f"the score {word!r} is not finite")
    return score


def _is_known(found: _List) -> bool:
    """Whether it is known how good candidates are."""
    return found.gold is not None or len(found.brackets) == len(found.trees) > 0


def _candidate_lists(some: list[_List], path: str, known: bool) -> CandidateLists:
    for found in some:
        if not found.trees:
            raise FormatError("the list has no candidates", path=path, line=found.line)
        if known and not _is_known(found):
            raise FormatError("the list has no true tree", path=path, line=found.line)
    lines = [line for found in some for line in found.lines]
    trees = _forest([tree for found in some for tree in found.trees], lines, path)
    scores = [score for found in some for score in found.scores]
    lists = CandidateLists([len(found.trees) for found in some], base_scores=scores, trees=trees)
    if not known:
        return lists
    counts = [_counts(found, lists[[i]], path) for i, found in enumerate(some)]
    return CandidateLists(lists.lengths, base_scores=scores, trees=trees, brackets=np.concatenate(counts))


def _counts(found: _List, own: CandidateLists, path: str) -> Any:
    """The brackets of the candidates of one list, as they stand or by comparing the trees."""
    try:
        if len(found.brackets) == len(found.trees):
            return CandidateLists(own.lengths, brackets=found.brackets).brackets
        return own.with_brackets([found.gold]).brackets
    except ValueError as error:
        message = error.message if isinstance(error, FormatError) else str(error)
        raise FormatError(message, path=path, line=found.line) from None


def _forest(trees: list[str], lines: list[int], path: str) -> Forest:
    try:
        return Forest(trees)
    except FormatError as error:
        raise FormatError(error.message, path=path, line=lines[error.item or 0]) from None


def is_nbest(path: str | os.PathLike[str], data_format: str | None) -> bool:
    """Whether a file holds n-best lists: as is said, or by its name."""
    guess = guess_format(os.fspath(path))
    return (data_format or (guess and guess.name)) in ("nbest", "jsonl")
