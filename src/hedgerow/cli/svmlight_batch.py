"""The support vector machine with the flags of SVM-light (-z c)."""

from __future__ import annotations

import numpy as np
import typer

from hedgerow.cli.flags import number, whole
from hedgerow.cli.machines import outcome
from hedgerow.data.files import name_of
from hedgerow.io.examples import Examples, Vector
from hedgerow.svm import SVC

FLAGS = "cjbem#"
_PARAMETERS = {"c": "C", "j": "j", "e": "tol", "m": "cache_size"}


def machine(flags: dict[str, str]) -> SVC:
    """The machine that the flags describe, for a kernel yet to come."""
    bias = whole(flags, "b", 1)
    if bias not in (0, 1):
        raise typer.BadParameter(f"-b must be 0 or 1, got {bias}")
    limit = whole(flags, "#", -1)
    learner = SVC(bias=bool(bias), max_iter=None if limit == -1 else limit)
    given = {name: number(flags, letter, 0.0) for letter, name in _PARAMETERS.items() if letter in flags}
    learner.set_params(**given)
    return learner


def check_signs(y: Vector, path: str) -> None:
    """Complains about labels that differ, but not in their sign."""
    if (y == y[0]).all():
        where = "above" if y[0] > 0 else "below"
        raise ValueError(
            f"{name_of(path)}: all labels are {where} 0; learning needs positive and negative examples"
        )


def settle_C(learner: SVC, X: Examples, flags: dict[str, str]) -> None:
    """Without -c, C is one over the mean squared length of the examples."""
    if "c" not in flags:
        mean = float(np.mean(learner.kernel.diag(X)))
        learner.set_params(C=1 / mean if mean > 0 else 1.0)


def summary(learner: SVC) -> str:
    """What there is to say about a fitted machine."""
    return f"{learner.n_support_} support vectors, C = {learner.C:.6g}, {outcome(learner)}"
