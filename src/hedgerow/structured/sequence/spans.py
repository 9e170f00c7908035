"""Spans that labels such as B-PER and I-PER mark, and how well they were found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple, Self

import numpy as np

from hedgerow.kernels.base import Matrix
from hedgerow.models.tallies import Agreement, Confusion, Tally, evaluation

_PREFIXES = {"B": "B", "I": "I", "E": "E", "S": "S", "L": "E", "U": "S"}  # L and U: last and unit


class Span(NamedTuple):
    """Tokens ``start`` to ``end - 1``, of a type.

    Examples
    --------
    >>> from hedgerow.structured import Span
    >>> span = Span(start=1, end=3, type="PER")
    >>> ["Ann", "Mary", "Lee", "sings"][span.start : span.end]
    ['Mary', 'Lee']
    """

    start: int
    end: int
    type: str


def spans(labels: Sequence[str]) -> list[Span]:
    """The spans that the labels of a sequence mark, in order, as the evaluation of the CoNLL shared tasks finds them.

    It takes any labels. A span begins at B and S, behind O, E and S, and where the type changes; so a span may
    begin with I (IOB1, and IOB2 with faults) and end without E.

    Parameters
    ----------
    labels : sequence of str
        ``O``, or ``B``, ``I``, ``E``, ``S`` (or ``L``, ``U`` for ``E``, ``S``), usually with a type: ``B-PER``.

    Examples
    --------
    >>> from hedgerow.structured import spans
    >>> spans(["O", "B-PER", "I-PER", "B-PER", "I-LOC"])
    [Span(start=1, end=3, type='PER'), Span(start=3, end=4, type='PER'), Span(start=4, end=5, type='LOC')]
    """
    found: list[Span] = []
    start, last_prefix, last_type = 0, "O", ""
    for place, label in enumerate(labels):
        prefix, kind = _parts(label)
        begins = prefix in "BS" or last_prefix in "OES" or kind != last_type
        if last_prefix != "O" and (prefix == "O" or begins):
            found.append(Span(start, place, last_type))
        if prefix != "O" and begins:
            start = place
        last_prefix, last_type = prefix, kind
    if last_prefix != "O":
        found.append(Span(start, len(labels), last_type))
    return found


def marks_spans(labels: Iterable[Any]) -> bool:
    """Whether all labels are of the kind that `spans` understands, and some mark a span.

    Examples
    --------
    >>> from hedgerow.structured import marks_spans
    >>> marks_spans(["O", "B-PER", "I-PER"]), marks_spans(["NN", "VB"])
    (True, False)
    """
    marks = False
    for label in labels:
        try:
            marks |= _parts(label)[0] != "O"
        except (TypeError, ValueError):
            return False
    return marks


@dataclass(frozen=True)
class SpanScores(Agreement):
    """How many spans were found exactly: start, end and type.

    Attributes
    ----------
    n_true, n_predicted, n_correct : int
        Numbers of spans.
    precision, recall, f1 : float
        Shares from 0 to 1; 0 where there is nothing to divide by, as the evaluation of the CoNLL shared tasks has it.
    accuracy : float
        The share of tokens with the right label (only of all types together).
    by_type : dict from type to SpanScores
    """

    accuracy: float | None = None
    by_type: dict[str, SpanScores] = field(default_factory=dict)

    _of_nothing = 0.0

    def figures(self) -> dict[str, float]:
        """Shares and numbers, for JSON."""
        return {
            "precision": self.precision,
            "recall": self.recall,
            "f1": self.f1,
            "true": self.n_true,
            "predicted": self.n_predicted,
            "correct": self.n_correct,
        }

    def __str__(self) -> str:
        rows = [("type", "precision", "recall", "F1", "true", "predicted")]
        for name, scores in [("all", self), *self.by_type.items()]:
            shares = (f"{100 * value:.2f}" for value in (scores.precision, scores.recall, scores.f1))
            rows.append((name, *shares, str(scores.n_true), str(scores.n_predicted)))  # type: ignore[arg-type]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        return "\n".join(
            "  ".join(
                [row[0].ljust(widths[0])]
                + [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
            )
            for row in rows
        )


class SpanCounts(Counter[tuple[str, str]]):
    """Numbers of spans that are true, predicted and correct, by these words and by type; they add up over sequences."""

    def add(self, labels: Sequence[str], guesses: Sequence[str]) -> None:
        """One more sequence."""
        wanted, found = spans(labels), spans(guesses)
        groups = {"true": wanted, "predicted": found, "correct": set(wanted).intersection(found)}
        self.update((word, span.type) for word, group in groups.items() for span in group)

    def scores(self, accuracy: float | None = None) -> SpanScores:
        by_type = {
            name: SpanScores(self["true", name], self["predicted", name], self["correct", name])
            for name in sorted({name for _, name in self})
        }
        true, predicted, correct = (
            sum(self[word, name] for name in by_type) for word in ("true", "predicted", "correct")
        )
        return SpanScores(true, predicted, correct, accuracy, by_type)


class SequenceTally(Tally):
    """Of a label for every token, and of spans where labels mark them."""

    def __init__(self) -> None:
        self.confusion = Confusion()
        self.faultless = 0
        self.spans: SpanCounts | None = SpanCounts()  # None where labels mark no spans

    def add(self, X: Any, true: Any, predicted: Any) -> None:
        for row, found in zip(true, predicted, strict=True):
            self.confusion.update(zip(row, found, strict=True))
            self.faultless += list(row) == list(found)
            try:
                if self.spans is not None:
                    self.spans.add(row, found)
            except (TypeError, ValueError):
                self.spans = None
        self.n += len(predicted)

    def update(self, other: Self) -> None:
        self.confusion.update(other.confusion)
        self.faultless += other.faultless
        self.n += other.n
        if self.spans is not None and other.spans is not None:
            self.spans.update(other.spans)
        else:
            self.spans = None

    def figures(self) -> dict[str, Any]:
        figures = {
            "sentences": self.n,
            "sentence_accuracy": self.faultless / self.n,
            "span_f1": None,
            **evaluation(self.confusion, []),
        }
        if self.spans is None or not marks_spans(self.confusion.labels):
            return figures
        scores = self.spans.scores()
        spans = {name: part.figures() for name, part in [("all", scores), *scores.by_type.items()]}
        return figures | {"span_f1": scores.f1, "spans": spans}


def span_scores(y_true: Sequence[Sequence[str]], y_pred: Sequence[Sequence[str]]) -> SpanScores:
    """Precision, recall and F1 of spans, of all types and by type, as the CoNLL shared tasks count them.

    Sequences have labels as `spans` takes them. The result is a `SpanScores`, which prints as a table.

    Examples
    --------
    >>> from hedgerow.structured import span_scores
    >>> scores = span_scores([["B-NP", "I-NP", "O"], ["B-VP"]], [["B-NP", "I-NP", "O"], ["B-NP"]])
    >>> scores.f1
    0.5
    >>> scores.by_type["NP"].precision, scores.by_type["NP"].recall
    (0.5, 1.0)
    >>> print(scores)
    type  precision  recall     F1  true  predicted
    all       50.00   50.00  50.00     2          2
    NP        50.00  100.00  66.67     1          2
    VP         0.00    0.00   0.00     1          0
    """
    counts = SpanCounts()
    for labels, guesses in _pairs(y_true, y_pred):
        counts.add(labels, guesses)
    return counts.scores(token_accuracy(y_true, y_pred))


def token_accuracy(y_true: Sequence[Sequence[Any]], y_pred: Sequence[Sequence[Any]]) -> float:
    """The share of tokens with the correct label; 1 minus the token error.

    Examples
    --------
    >>> from hedgerow.structured import token_accuracy
    >>> token_accuracy([["a", "b"], ["b", "c"]], [["a", "b"], ["b", "b"]])
    0.75
    """
    right = tokens = 0
    for labels, guesses in _pairs(y_true, y_pred):
        tokens += len(labels)
        right += sum(bool(label == guess) for label, guess in zip(labels, guesses, strict=True))
    return right / tokens if tokens else 0.0


def _pairs(y_true: Sequence[Sequence[Any]], y_pred: Sequence[Sequence[Any]]) -> Iterable[Any]:
    if len(y_true) != len(y_pred):
        raise ValueError(f"y_true has {len(y_true)} sequences, but y_pred has {len(y_pred)}")
    for number, (labels, guesses) in enumerate(zip(y_true, y_pred, strict=True)):
        if len(labels) != len(guesses):
            raise ValueError(
                f"sequence {number} has {len(labels)} labels in y_true, but {len(guesses)} in y_pred"
            )
        yield labels, guesses


def label_parts(labels: Sequence[Any]) -> tuple[Matrix, Matrix]:
    """The prefixes and types of labels by numbers, prefixes as native code has them."""
    if not marks_spans(labels):
        raise ValueError(
            "loss='spans' and 'span-f1' need labels that mark spans: O, or B, I, E or S with a type such as 'B-PER', "
            f"got {', '.join(map(str, labels[:5]))}"
        )
    types: dict[str, int] = {}
    parts = [(prefix, types.setdefault(kind, len(types))) for prefix, kind in map(_parts, labels)]
    return (
        np.array(["OBIES".index(prefix) for prefix, _ in parts], np.int32),
        np.array([kind for _, kind in parts], np.int32),
    )


@lru_cache(maxsize=4096)
def _parts(label: str) -> tuple[str, str]:
    """B, I, E, S or O, and the type."""
    if not isinstance(label, str):
        raise TypeError(f"labels of spans are texts such as 'B-PER', got {label!r}")
    prefix, _, kind = label.partition("-")
    if label != "O" and prefix not in _PREFIXES:
        raise ValueError(f"labels of spans are O, or B, I, E or S with a type such as 'B-PER', got {label!r}")
    return _PREFIXES.get(prefix, "O"), kind
