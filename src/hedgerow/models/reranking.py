"""Choosing among listed candidates: truth, losses and evaluation, whatever learner chooses."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Self

import numpy as np

from hedgerow.data import CandidateLists
from hedgerow.data.candidate_lists import f1_of_brackets
from hedgerow.kernels.base import Matrix
from hedgerow.models.tallies import Tally


def check_lists(lists: Any, whose: str) -> None:
    if not isinstance(lists, CandidateLists):
        raise TypeError(f"{whose} takes CandidateLists, got a {type(lists).__name__}")


def true_rows(lists: CandidateLists, y: Any) -> Matrix:
    """The true candidates among those of all lists, given by their positions; with None, those with the best grades."""
    begins: Matrix = lists.begins[:-1]
    if y is None:
        return begins + lists.oracles()
    positions = np.asarray(y)
    if positions.shape != (len(lists),) or positions.dtype.kind not in "iu":
        raise ValueError(
            f"outputs must be {len(lists)} whole numbers, the positions of the true candidates in their lists"
        )
    wrong = np.flatnonzero((positions < 0) | (positions >= lists.lengths))
    if len(wrong):
        i = int(wrong[0])
        raise ValueError(
            f"list {i} has {lists.lengths[i]} candidates, but its true one is number {positions[i]}"
        )
    return begins + positions.astype(np.int64)


def check_transformer(transformer: Any) -> None:
    if transformer is not None and not hasattr(transformer, "transform"):
        raise TypeError(f"transformer must have transform, or be None, got {transformer!r}")


def candidate_features(lists: CandidateLists, transformer: Any, whose: str) -> Any:
    """The features of the candidates: their own, or what a fitted transformer makes of them."""
    check_lists(lists, whose)
    if transformer is not None:
        return transformer.transform(lists)
    if lists.features is None:
        raise ValueError(
            "the lists have no features: give CandidateLists(..., features=matrix) or lists.with_features(matrix), or "
            f"let the {whose} make them, for parses with transformer=ParseFeatures()"
        )
    return lists.features


def feature_names(transformer: Any) -> Any:
    """What the features are called that a fitted transformer makes, if it says so."""
    return transformer.get_feature_names_out() if hasattr(transformer, "get_feature_names_out") else None


def candidate_losses(lists: CandidateLists, truths: Matrix, loss: str) -> Matrix:
    """Of all candidates: how much lower their grade is than that of the true one ("grade"), or 1 ("zero-one")."""
    losses = np.ones(lists.n_candidates)
    if loss == "grade":
        if lists.grades is None:
            raise ValueError("the lists have no grades, which loss='grade' needs; use loss='zero-one'")
        # A candidate that is better than the one called true costs nothing.
        losses = np.maximum(np.repeat(lists.grades[truths], lists.lengths) - lists.grades, 0.0)
    losses[truths] = 0.0
    return losses


class _Chosen:
    """Counts of the candidates that one way of choosing has chosen."""

    def __init__(self) -> None:
        self.right = 0
        self.grades = Fraction(0)  # an exact sum, which does not depend on the order of parts
        self.brackets: Matrix | None = None

    def add(self, lists: CandidateLists, chosen: Matrix, best: Matrix) -> None:
        assert lists.grades is not None
        rows = lists.begins[:-1] + chosen
        grades = lists.grades[rows]
        self.right += int(np.count_nonzero(grades == best))
        self.grades += sum(map(Fraction, grades.tolist()), Fraction(0))
        if lists.brackets is not None:
            self._add_brackets(lists.brackets[rows].sum(axis=0))

    def update(self, other: _Chosen) -> None:
        self.right += other.right
        self.grades += other.grades
        if other.brackets is not None:
            self._add_brackets(other.brackets)

    def _add_brackets(self, counts: Matrix) -> None:
        self.brackets = counts if self.brackets is None else self.brackets + counts

    def figures(self, n: int) -> dict[str, float]:
        figures = {"grade": float(self.grades / n), "accuracy": self.right / n}
        if self.brackets is not None:
            matched, found, wanted = self.brackets.tolist()
            figures["precision"] = matched / found if found else 1.0
            figures["recall"] = matched / wanted if wanted else 1.0
            figures["f1"] = float(f1_of_brackets(matched, found, wanted))
        return figures


class ListTally(Tally):
    """Of chosen candidates; a choice that is graded as high as the best one is right."""

    def __init__(self) -> None:
        self.chosen = {name: _Chosen() for name in ("reranked", "baseline", "oracle")}

    def add(self, X: Any, true: Any, predicted: Any) -> None:
        if X.grades is None:
            raise ValueError("candidates must have grades to evaluate what was chosen")
        oracles = X.oracles()
        best = X.grades[X.begins[:-1] + oracles]
        choices = {"reranked": predicted, "baseline": X.baselines(), "oracle": oracles}
        for name, positions in choices.items():
            self.chosen[name].add(X, positions, best)
        self.n += len(X)

    def is_right(self, model: Any, X: Any, true: Any, example: int, output: Any) -> bool:
        graded = X.grades[X.begins[example] : X.begins[example + 1]]
        return bool(graded[output] == graded.max())

    def update(self, other: Self) -> None:
        for name, chosen in self.chosen.items():
            chosen.update(other.chosen[name])
        self.n += other.n

    def by_choice(self) -> dict[str, dict[str, float]]:
        """Figures of the candidates that were chosen, of those of the base model, and of the best ones."""
        return {name: chosen.figures(self.n) for name, chosen in self.chosen.items()}

    def figures(self) -> dict[str, Any]:
        reranked, baseline, oracle = self.by_choice().values()
        return {
            "lists": self.n,
            "f1": reranked["accuracy"],  # without brackets: one candidate is chosen and one is wanted
            **reranked,
            **{
                f"{whose}_{name}": figures[name]
                for name in ("grade", "f1")
                for whose, figures in (("baseline", baseline), ("oracle", oracle))
                if name in figures
            },
        }


def evaluate_choice(lists: CandidateLists, chosen: Matrix) -> dict[str, dict[str, float]]:
    """How good chosen candidates are, beside those of the base model and the best; see `Reranker.evaluate`."""
    tally = ListTally()
    tally.add(lists, None, chosen)
    return tally.by_choice()
