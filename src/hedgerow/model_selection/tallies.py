"""Tallies: what is counted of predictions, so that counts of parts of a data set add up to the figures of all."""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction
from typing import Any, Self

import numpy as np

from hedgerow.model_selection.confusion import Confusion, evaluation
from hedgerow.structured import (
    BracketScores,
    LabelSequence,
    Multiclass,
    Problem,
    Reranking,
    Taxonomy,
    WeightedGrammar,
    bracket_scores,
)
from hedgerow.structured.hierarchy import Hierarchy
from hedgerow.structured.learner import StructuredLearner
from hedgerow.structured.sequence.spans import SpanCounts, SpanScores, marks_spans


class Tally(ABC):
    """Counts of predictions."""

    n: int = 0  # examples

    @abstractmethod
    def add(self, X: Any, true: Any, predicted: Any) -> None:
        """Some more examples, with their true outputs and what was predicted."""

    @abstractmethod
    def update(self, other: Self) -> None:
        """The counts of other examples."""

    @abstractmethod
    def figures(self) -> dict[str, Any]:
        """For JSON; ``accuracy`` and ``f1`` are always among them."""


class ClassTally(Tally):
    """Of one label an example."""

    def __init__(self, classes: list[Any]) -> None:
        self.classes = classes
        self.confusion = Confusion()

    def add(self, X: Any, true: Any, predicted: Any) -> None:
        self.confusion.add(np.asarray(true), np.asarray(predicted))
        self.n += len(predicted)

    def update(self, other: Self) -> None:
        self.confusion.update(other.confusion)
        self.n += other.n

    def figures(self) -> dict[str, Any]:
        return evaluation(self.confusion, self.classes)


class TaxonomyTally(ClassTally):
    """Of one class of a taxonomy."""

    def __init__(self, classes: list[Any], parents: Any) -> None:
        super().__init__(classes)
        self.parents = parents

    def figures(self) -> dict[str, Any]:
        """The tree loss too, whatever loss the model was trained for; also of classes that training had none of."""
        labels, counts = self.confusion.labels, self.confusion.counts
        losses = Hierarchy(self.parents).tree_losses(labels)
        place = {label: i for i, label in enumerate(labels)}
        total = sum(losses[place[a], place[b]] * counts[a, b] for a, b in sorted(counts))
        return super().figures() | {"tree_loss": float(total / counts.total())}


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


class BracketTally(Tally):
    """Of parses."""

    def __init__(self) -> None:
        self.scores = BracketScores(0, 0, 0, 0, 0)

    def add(self, X: Any, true: Any, predicted: Any) -> None:
        self._add(bracket_scores(true, predicted))

    def update(self, other: Self) -> None:
        self._add(other.scores)

    def _add(self, more: BracketScores) -> None:
        old = self.scores
        self.scores = BracketScores(
            old.matched + more.matched,
            old.true + more.true,
            old.predicted + more.predicted,
            old.exact + more.exact,
            old.trees + more.trees,
        )
        self.n = self.scores.trees

    def figures(self) -> dict[str, Any]:
        scores = self.scores
        return {
            "trees": scores.trees,
            "accuracy": scores.exact_match,
            "exact": scores.exact_match,
            "precision": scores.precision,
            "recall": scores.recall,
            "f1": scores.f1,
            "brackets": {"true": scores.true, "predicted": scores.predicted, "matched": scores.matched},
        }


class ListTally(Tally):
    """Of the best of listed candidates; a choice that is graded as high as the best one is right."""

    def __init__(self) -> None:
        self.right = 0
        # Of those chosen, of the first and of the best ones: exact sums, which do not depend on the order of parts.
        self.grades = [Fraction(0)] * 3

    def add(self, X: Any, true: Any, predicted: Any) -> None:
        if X.grades is None:
            raise ValueError("candidates must have grades to evaluate what was chosen")
        begins = X.begins[:-1]
        ours, first, best = (X.grades[begins + place] for place in (predicted, 0, X.oracles()))
        self.right += int(np.count_nonzero(ours == best))
        sums = (sum(map(Fraction, column.tolist()), Fraction(0)) for column in (ours, first, best))
        self.grades = [old + more for old, more in zip(self.grades, sums, strict=True)]
        self.n += len(X)

    def update(self, other: Self) -> None:
        self.right += other.right
        self.grades = [old + more for old, more in zip(self.grades, other.grades, strict=True)]
        self.n += other.n

    def figures(self) -> dict[str, Any]:
        accuracy = self.right / self.n
        ours, first, best = (float(total / self.n) for total in self.grades)
        return {
            "lists": self.n,
            "accuracy": accuracy,
            "f1": accuracy,  # one candidate is chosen and one is wanted
            "grade": ours,
            "first_grade": first,
            "best_grade": best,
        }


class OutputTally(Tally):
    """Of any other outputs: the accuracy as their problem has it, a mean over examples."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.right = 0.0

    def add(self, X: Any, true: Any, predicted: Any) -> None:
        self.right += len(predicted) * self.problem.accuracy(true, predicted)
        self.n += len(predicted)

    def update(self, other: Self) -> None:
        self.right += other.right
        self.n += other.n

    def figures(self) -> dict[str, Any]:
        accuracy = self.right / self.n
        return {"examples": self.n, "accuracy": accuracy, "f1": accuracy}


def tally_for(model: Any) -> Tally:
    """An empty tally for the predictions of a fitted model."""
    if not isinstance(model, StructuredLearner):
        return ClassTally(model.classes_.tolist())
    problem: Any = model.problem_
    if isinstance(problem, LabelSequence):
        return SequenceTally()
    if isinstance(problem, WeightedGrammar):
        return BracketTally()
    if isinstance(problem, Taxonomy):
        return TaxonomyTally(problem.classes_.tolist(), problem.parents)
    if isinstance(problem, Multiclass):
        return ClassTally(problem.classes_.tolist())
    return ListTally() if isinstance(problem, Reranking) else OutputTally(problem)
