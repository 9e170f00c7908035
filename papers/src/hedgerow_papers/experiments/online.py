"""What the experiments with online learners share: the rows of the thesis's tables, and one run of a learner."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from hedgerow.kernels.base import Kernel
from hedgerow.online import Forgetron, OnlineLearner, PassiveAggressive, Perceptron, ProjectronPlusPlus
from hedgerow.svm import SVC
from hedgerow_papers.experiments.biased_forgetron import BiasedForgetron
from hedgerow_papers.experiments.experiment import Row, Settings
from hedgerow_papers.experiments.split import Split, f1_percent

SAMPLES = 500  # of a trace; the thesis also draws its first tenth alone
LEARNERS: dict[str, Callable[..., Any]] = {
    "Perceptron": lambda kernel, **options: Perceptron(kernel, **options),
    "Perceptron, biased": lambda kernel, **options: Perceptron(kernel, bias=True, **options),
    "Averaged": lambda kernel, **options: Perceptron(kernel, averaging="average", **options),
    "PA-I": lambda kernel, **options: PassiveAggressive(kernel, variant="PA-I", C=1.0, **options),
    "Projectron++": lambda kernel, **options: ProjectronPlusPlus(kernel, eta=0.1, **options),
}
SVM, TUNED = "SVM", "SVM, tuned"
FORGETRON, BIASED = "Forgetron-", ", biased"
BIAS_NOTE = (
    "The thesis does not say which learners had a bias, so perceptrons and Forgetrons are shown with and without. "
    "The biased Forgetron is a guess made after seeing the published figures."
)


def online_rows(
    budgets: Sequence[int],
    svm: Sequence[str] = (SVM,),
    *,
    minutes: float,
    projectron_minutes: float,
    svm_minutes: float,
) -> list[Row]:
    """The learners of the thesis. It does not say which had a bias, so biased ones have the same published row.

    Minutes are those of a run; projections and machines take longer than the rest.
    """
    by_name = {"Projectron++": projectron_minutes}
    forgetrons = [f"{FORGETRON}{budget}{bias}" for budget in budgets for bias in ("", BIASED)]
    return [
        *(Row(name, name, minutes=svm_minutes, traced=False) for name in svm),
        *(
            Row(name, name.removesuffix(BIASED), minutes=by_name.get(name, minutes))
            for name in (*LEARNERS, *forgetrons)
        ),
    ]


def make_learner(row: str, kernel: Kernel, svm: Mapping[str, Any] | None = None, **options: Any) -> Any:
    """The learner of a row, with the thesis's parameters; those of the SVM differ from table to table."""
    if row in (SVM, TUNED):
        return SVC(kernel, **(svm or {}))
    if not row.startswith(FORGETRON):
        return LEARNERS[row](kernel, **options)
    budget = int(row.removeprefix(FORGETRON).removesuffix(BIASED))
    if row.endswith(BIASED):
        return OnlineLearner(BiasedForgetron(budget), kernel, **options)
    return Forgetron(kernel, budget=budget, shrinking="self-tuned", **options)


def fit_timed(learner: Any, X: Any, y: Any) -> float:
    """Fit the learner; the CPU time that took."""
    with warnings.catch_warnings():
        # The thesis runs budgeted learners on kernels that are not normalised, too.
        warnings.filterwarnings("ignore", message=r".* expects K\(x, x\) <= 1")
        start = time.process_time()
        learner.fit(X, y)
        return time.process_time() - start


def trace_options(settings: Settings, permutation: int, n: int) -> dict[str, Any]:
    """Parameters of a learner: a trace in the first run if traces are wanted."""
    return {"trace_every": max(1, n // SAMPLES)} if settings.traced and permutation == 0 else {}


def trace_of(learner: Any) -> dict[str, Any] | None:
    return learner.trace_.to_dict() if getattr(learner, "trace_every", None) is not None else None


def binary_figures(learner: Any, split: Split, seconds: float) -> dict[str, float]:
    """F1 of the positive class, accuracy (both in per cent), support size and time."""
    predicted = learner.predict(split.X_test)
    return {
        "f1": f1_percent(split.y_test > 0, predicted > 0),
        "accuracy": 100 * float(np.mean(predicted == split.y_test)),
        "support": float(learner.n_support_),
        "seconds": seconds,
    }
