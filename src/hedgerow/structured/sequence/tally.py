"""Tallies of label sequences."""

from __future__ import annotations

from typing import Any, Self

from hedgerow.models.confusion import Confusion, evaluation
from hedgerow.models.tallies import Tally
from hedgerow.structured.sequence.spans import SpanCounts, SpanScores, marks_spans


class SequenceTally(Tally):
    """Of a label for every token, and of spans where labels mark them."""

    def __init__(self) -> None:
        self.confusion = Confusion()
        self.faultless = 0
        self.spans: SpanCounts | None = SpanCounts()  # None where labels mark no spans

    def add(self, X: Any, true: Any, predicted: Any) -> None:
        for row, found in zip(true, predicted, strict=True):
            self.confusion.counts.update(zip(row, found, strict=True))
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
        spans = {"all": _span_figures(scores)}
        spans |= {name: _span_figures(part) for name, part in scores.by_type.items()}
        return figures | {"span_f1": scores.f1, "spans": spans}


def _span_figures(scores: SpanScores) -> dict[str, Any]:
    return {
        "precision": scores.precision,
        "recall": scores.recall,
        "f1": scores.f1,
        "true": scores.n_true,
        "predicted": scores.n_predicted,
        "correct": scores.n_correct,
    }
