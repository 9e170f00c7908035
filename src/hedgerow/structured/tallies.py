"""Tallies of structured outputs of any kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from hedgerow.models.tallies import Tally

if TYPE_CHECKING:
    from hedgerow.structured.problem import Problem


class OutputTally(Tally):
    """Of outputs of any kind: the accuracy as their problem has it, a mean over examples."""

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
