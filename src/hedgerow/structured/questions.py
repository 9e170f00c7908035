"""What solvers ask of problems, and how a formulation of the SVM becomes a question."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hedgerow.structured.problem import Problem

SLACKS = (None, "linear", "quadratic")
RESCALINGS = (None, "margin", "slack")


@dataclass(frozen=True)
class Violation:
    """By how much an output violates its constraint: H(y) of the thesis, to be maximised."""

    search: str  # "best", "best_wrong", "margin" or "slack"
    root: bool = False  # whether the square root of the loss counts, as with quadratic slacks

    def height(self, loss: float) -> float:
        """The loss, or its root."""
        return sqrt(loss) if self.root else loss

    def __call__(self, loss: float, margin: float) -> float:
        """From an output's loss and F(x, y_true) - F(x, y)."""
        if self.search == "best_wrong":
            return 1.0 - margin
        if self.search == "slack":
            return self.height(loss) * (1.0 - margin)
        return self.height(loss) - margin


QUESTIONS = (
    Violation("best"),
    *(Violation(search, root) for search in ("best_wrong", "margin", "slack") for root in (False, True)),
)


def violation_for(problem: Problem, slack: str | None, rescaling: str | None) -> Violation:
    """The question of a formulation; a ValueError says which ones the problem supports."""
    wanted = _violation(slack, rescaling)
    if not problem._supports(wanted.search, wanted.root):
        known = [
            f"slack={s!r}, rescaling={r!r}"
            for s in SLACKS
            for r in RESCALINGS
            if (s is not None or r is None)
            and problem._supports(_violation(s, r).search, _violation(s, r).root)
        ]
        chosen = " with this loss" if "loss" in problem.get_params(deep=False) else ""
        raise ValueError(
            f"{type(problem).__name__}{chosen} cannot be trained with slack={slack!r}, rescaling={rescaling!r}; "
            + (f"it supports {'; '.join(known)}" if known else "it supports perceptrons only")
        )
    return wanted


def _violation(slack: str | None, rescaling: str | None) -> Violation:
    if rescaling is None:
        return Violation("best_wrong")
    return Violation(rescaling, root=slack == "quadratic")
