"""Tallies of parses."""

from __future__ import annotations

from dataclasses import astuple
from typing import Any, Self

from hedgerow.models.tallies import Tally
from hedgerow.structured.grammar.brackets import BracketScores, bracket_scores


class BracketTally(Tally):
    """Of parses."""

    def __init__(self) -> None:
        self.scores = BracketScores(0, 0, 0, 0, 0)

    def add(self, X: Any, true: Any, predicted: Any) -> None:
        self._add(bracket_scores(true, predicted))

    def update(self, other: Self) -> None:
        self._add(other.scores)

    def _add(self, more: BracketScores) -> None:
        sums = (a + b for a, b in zip(astuple(self.scores), astuple(more), strict=True))
        self.scores = BracketScores(*sums)
        self.n = self.scores.n_trees

    def figures(self) -> dict[str, Any]:
        scores = self.scores
        return {
            "trees": scores.n_trees,
            "accuracy": scores.exact_match,
            "exact": scores.exact_match,
            "precision": scores.precision,
            "recall": scores.recall,
            "f1": scores.f1,
            "brackets": {"true": scores.n_true, "predicted": scores.n_predicted, "correct": scores.n_correct},
        }
