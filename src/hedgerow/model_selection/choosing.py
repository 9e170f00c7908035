"""The default: a learner, a kernel and their parameters, chosen by the size and the kind of the data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.pipeline import make_pipeline

from hedgerow.checks import check_number
from hedgerow.data import Records
from hedgerow.data.frames import has_texts, is_frame
from hedgerow.feature_extraction import ToRecords
from hedgerow.kernels import Kernel
from hedgerow.model_selection.measures import Accuracy
from hedgerow.model_selection.race import Race
from hedgerow.model_selection.suggestions import COSTS, PASSES, Suggestion, suggestions
from hedgerow.models.labels import find_classes
from hedgerow.online import Perceptron
from hedgerow.svm import SVC
from hedgerow.threads import resolve

SECONDS = 10.0  # for the search
EXACT_SECONDS = 100.0  # that an exact machine may take in the end, on one processor
AVERAGED: dict[str, Any] = {
    **PASSES,
    "averaging": "average",
    "epochs": 3,
}  # passes where it would take longer


@dataclass(frozen=True)
class Chosen:
    """What was chosen of what was tried, by its place, and why."""

    place: int
    reason: str
    exact: bool = True  # else averaged passes stand in for the exact machine, which would take too long


def auto(
    X: Any,
    y: Any,
    *,
    kernel: Kernel | None = None,
    C: float | None = None,
    seconds: float = SECONDS,
    random_state: int = 0,
    n_jobs: int | None = None,
) -> Any:
    """Fit a good model without tuning: learner, kernel and parameters are chosen from the examples.

    Candidates that suit the data are compared on held-out parts, and the best one is trained on all examples.
    ``hedgerow train`` does the same unless you name a learner.

    For trees, strings and records, it tries the exact machine `SVC` with several kernels and values of C; where that
    would take minutes, it trains an averaged `Perceptron` with the best kernel. For vectors, it tries averaged learners
    on weights and, if they are few and short, the exact machine with `RBF`. Strings may also become hashed words, in a
    scikit-learn pipeline. Records are compared by the sum of one normalised kernel per column.

    Parameters
    ----------
    X : Forest, Records, matrix, strings or data frame
        Of a data frame with texts, all columns are used, by `ToRecords` in a pipeline; for columns of trees, give
        ``Records(frame, trees=[...])``.
    y : labels of any type
    kernel : Kernel, optional
        Use this kernel, and choose the rest.
    C : float, optional
        Use this C for the exact machine.
    seconds : float, default=10
        Approximate time limit of the search; small data take less. Large data are compared on samples.
    random_state : int, default=0
        Seed for the held-out parts and samples.
    n_jobs : int, optional
        Threads; see `hedgerow.set_n_jobs`.

    Returns
    -------
    estimator
        Fitted; its attribute ``chosen_`` says in one line what was chosen and why.

    Examples
    --------
    >>> import hedgerow
    >>> from hedgerow.datasets import load_questions
    >>> trees, y = load_questions()
    >>> model = hedgerow.auto(trees[:225], y[:225])
    >>> model
    SVC(C=10.0, kernel=Normalized(kernel=SubsetTree()))
    >>> print(model.chosen_)
    exact machine, best of 10 by accuracy 0.853 on held-out parts of 225 examples (2 are tied)
    >>> bool(model.score(trees[225:], y[225:]) > 0.85)
    True
    """
    check_number("seconds", seconds, above=0)
    if kernel is None and is_frame(X) and not isinstance(X, Records) and has_texts(X):
        to_records = ToRecords()
        records = to_records.fit_transform(X)
        model = auto(records, y, C=C, seconds=seconds, random_state=random_state, n_jobs=n_jobs)
        pipeline = make_pipeline(to_records, model)
        pipeline.chosen_ = model.chosen_
        return pipeline
    if kernel is not None:
        tried = [SVC(kernel, cost) for cost in (COSTS if C is None else (C,))]
    else:
        tried = [suggestion.make(_kinds(X)) for suggestion in _suggested(X, C)]
    chosen = choose(tried, X, y, seconds=seconds, seed=random_state, n_jobs=n_jobs)
    model = tried[chosen.place]
    if not chosen.exact:
        model = Perceptron(model.kernel, **AVERAGED)
    model.fit(X, y)
    model.chosen_ = chosen.reason
    return model


def _columns(X: Any) -> dict[str, Any]:
    records = X if isinstance(X, Records) else Records(examples=X)
    return {name: records[name] for name in records.columns}


def _kinds(X: Any) -> dict[str, Any]:
    return (X if isinstance(X, Records) else Records(examples=X)).kinds


def _suggested(X: Any, C: float | None) -> list[Suggestion]:
    found = suggestions(_columns(X))
    return found if C is None else with_cost(found, C)


def with_cost(found: Sequence[Suggestion], C: float) -> list[Suggestion]:
    """Those of the exact machine, with this cost of an error."""
    kernels = [(one.kernel or "linear", one.of_kernel) for one in found if one.learner == "svm"]
    distinct = {repr(kernel): kernel for kernel in kernels or [("linear", {})]}
    return [Suggestion("svm", {"C": C}, *kernel) for kernel in distinct.values()]


def choose(
    tried: Sequence[Any],
    X: Any,
    y: Any,
    *,
    seconds: float = SECONDS,
    seed: int = 0,
    n_jobs: int | None = None,
    watch: Callable[[str], object] | None = None,
) -> Chosen:
    """The best of some estimators on held-out parts of the examples."""
    y = np.asarray(y)
    find_classes(y, len(y))  # complains about labels that nothing can be learned from
    if len(tried) == 1:
        return Chosen(0, "nothing was left to choose")
    second = int(
        np.sort(np.unique(y, return_counts=True)[1])[-2]
    )  # every part needs two classes to learn from
    if second < 2:
        return Chosen(0, "there are too few examples to compare others")
    folds = min(3, second)
    race = Race(tried, Accuracy(), folds=folds, seed=seed, seconds=seconds, jobs=resolve(n_jobs), watch=watch)
    place = race.run(X, y)[0]
    result, ties = race.results[place], len(race.tied())
    tied = f" ({ties} are tied)" if ties > 1 else ""
    why = f"best of {len(tried)} by accuracy {result.score:.3f} on held-out parts of {result.examples} examples{tied}"
    if not isinstance(tried[place], SVC):
        return Chosen(place, f"passes on weights, {why}")
    expected = result.seconds * (len(y) / (result.examples * (1 - 1 / folds))) ** 2
    if expected <= EXACT_SECONDS:
        return Chosen(place, f"exact machine, {why}")
    instead = f"averaged passes, since the exact machine would take {expected / 60:.0f} minutes"
    return Chosen(place, f"{instead}; {why}", exact=False)
