"""Fitting support vector machines, what is said about them, and what is left of one that is interrupted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import typer
from sklearn.exceptions import NotFittedError

from hedgerow.cli.failures import INTERRUPTED, complain
from hedgerow.cli.learning import rescue
from hedgerow.cli.progress import spinning
from hedgerow.io.examples import Examples, Vector
from hedgerow.svm import CuttingPlaneSVC


def fit_machine(machine: Any, X: Examples, y: Vector, output: str, write: Callable[[str], object]) -> None:
    """Fits; Ctrl-C gives the best machine so far to ``write`` with a path, and ends the command."""
    try:
        with spinning("Learning") as say:
            if isinstance(machine, CuttingPlaneSVC):
                machine._watch = lambda function, number, state: say(
                    f"{_class_shown(machine, function)}round {number}, violation {state.violation:.4f}, "
                    f"{len(state.support)} supports"
                )
            machine.fit(X, y)
    except KeyboardInterrupt:
        complain(rescue(how_far(machine), "the best model so far, which has not converged,", output, write))
        raise typer.Exit(INTERRUPTED) from None
    finally:
        machine.__dict__.pop("_watch", None)


def outcome(machine: Any) -> str:
    """How the training of a machine ended, in words."""
    if isinstance(machine, CuttingPlaneSVC):
        certificate = f"violation {max(machine.violation_):.2g}"
    else:
        certificate = f"relative duality gap {max(machine.dual_gap_ / machine.dual_objective_):.2g}"
    return f"{_steps(machine)}, {certificate}, {'' if machine.converged_ else 'not '}converged"


def _steps(machine: Any) -> str:
    count = int(machine.n_iter_.sum())
    what = "round" if isinstance(machine, CuttingPlaneSVC) else "iteration"
    return f"{count} {what}{'' if count == 1 else 's'}"


def how_far(machine: Any) -> str | None:
    try:
        return _steps(machine) if machine.n_support_ else None
    except (NotFittedError, AttributeError):  # before the first round
        return None


def _class_shown(machine: Any, function: int) -> str:
    n = len(machine.classes_)
    return "" if n == 2 else f"class {machine.classes_[function]} ({function + 1} of {n}), "
