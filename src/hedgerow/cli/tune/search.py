"""How ``hedgerow tune`` compares what it tries."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import prod
from typing import Annotated, Any, Literal

from joblib import Parallel, delayed
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import accuracy_score, f1_score, make_scorer
from sklearn.model_selection import GridSearchCV, StratifiedKFold

from hedgerow.checks import Bounds, Count, Whole
from hedgerow.cli.progress import counting, spinning
from hedgerow.cli.train.choice import Choice, KernelChoice
from hedgerow.interrupts import processes_started
from hedgerow.io.examples import Examples, Vector
from hedgerow.kernels import Kernel
from hedgerow.model_selection import SampledSearchCV
from hedgerow.svm import SVC

EXACT_UP_TO = 10_000  # examples; among so many an exact machine is found sooner than one from samples


@dataclass(frozen=True)
class SearchOptions:
    """How candidates are compared.

    Parameters
    ----------
    sampling : {"none", "uniform", "importance"} or None, default=None
        Samples of the machines that are compared, by default none, which is quicker, for up to 10,000 examples, else
        uniform.
    sample_size : int, default=100
        Examples in a sample; giving it asks for samples.
    folds : int, default=3
        Parts of the data, each of which is held out once.
    score : {"accuracy", "f1"}, default="accuracy"
        What is compared; f1 is that of the second class when there are two, else the mean over classes.
    seed : int, default=0
        Another seed gives other folds and samples.
    jobs : int, default=1
        Candidates that are compared at the same time; changes no figure but times.
    """

    sampling: Literal["none", "uniform", "importance"] | None = None
    sample_size: Count = 100
    folds: Annotated[int, Bounds(at_least=2)] = 3
    score: Literal["accuracy", "f1"] = "accuracy"
    seed: Whole = 0
    jobs: Count = 1

    @property
    def sampled(self) -> Literal["uniform", "importance"]:
        """How samples are drawn, where there are any."""
        return "importance" if self.sampling == "importance" else "uniform"

    def for_examples(self, n: int) -> SearchOptions:
        """With a way of sampling, whether it was said or not."""
        return replace(self, sampling=self.sampling or ("none" if n <= EXACT_UP_TO else "uniform"))


@dataclass(frozen=True)
class Candidate:
    """What was tried, and how it did."""

    choice: Choice
    mean: float
    deviation: float
    seconds: float

    @property
    def settings(self) -> dict[str, Any]:
        kernel = self.choice.kernel
        assert kernel.row is not None
        return {"kernel": kernel.row.name, **kernel.given, **self.choice.given}


def rank(
    X: Examples,
    y: Vector,
    kernels: list[tuple[KernelChoice, Kernel]],
    of_machine: dict[str, list[Any]],
    choice: Choice,
    options: SearchOptions,
) -> list[Candidate]:
    """All candidates, best first; with a kernel and parameters of the machine each is the choice."""
    found = _searched(X, y, {"kernel": [kernel for _, kernel in kernels], **of_machine}, options)
    by_kernel = {repr(kernel): of_kernel for of_kernel, kernel in kernels}
    candidates = []
    for i, parameters in enumerate(found["params"]):
        kernel = by_kernel[repr(parameters["kernel"])]
        given = {name: parameters[name] for name in of_machine}
        seconds = float(found["mean_fit_time"][i] + found["mean_score_time"][i])
        mean, deviation = float(found["mean_test_score"][i]), float(found["std_test_score"][i])
        candidates.append(Candidate(replace(choice, given=given, kernel=kernel), mean, deviation, seconds))
    return sorted(candidates, key=lambda candidate: -candidate.mean)  # ties stay in the order of the grid


def _searched(X: Examples, y: Vector, grid: dict[str, list[Any]], options: SearchOptions) -> dict[str, Any]:
    """The results of the search, as scikit-learn gives them."""
    search, scorer = _search(grid, options), _scorer(options.score, y)
    n_candidates = prod(map(len, grid.values()))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # good enough to be compared
        if options.jobs > 1:  # in processes of their own, which cannot be counted
            with processes_started():
                Parallel(options.jobs)(delayed(int)() for _ in range(options.jobs))
            with spinning(f"Comparing {n_candidates} candidates"):
                search.set_params(scoring=scorer).fit(X, y)
        else:
            with counting("Comparing", n_candidates * options.folds) as advance:
                search.set_params(scoring=_counted(scorer, advance)).fit(X, y)
    results: dict[str, Any] = search.cv_results_
    return results


def _search(grid: dict[str, list[Any]], options: SearchOptions) -> Any:
    folds = StratifiedKFold(options.folds, shuffle=True, random_state=options.seed)
    common = {"cv": folds, "n_jobs": options.jobs, "error_score": "raise"}
    if options.sampling == "none":
        return GridSearchCV(SVC(n_jobs=1 if options.jobs > 1 else None), grid, refit=False, **common)
    return SampledSearchCV(
        SVC(n_jobs=1),  # rounds over small samples are too short to be shared among threads
        grid,
        sampling=options.sampled,
        sample_size=options.sample_size,
        refit=None,
        random_state=options.seed,
        **common,
    )


def _scorer(score: str, y: Vector) -> Any:
    if score == "accuracy":
        return make_scorer(accuracy_score)
    classes = sorted(set(y.tolist()))
    if len(classes) == 2:
        return make_scorer(f1_score, pos_label=classes[1], zero_division=0.0)
    return make_scorer(f1_score, average="macro", zero_division=0.0)


def _counted(scorer: Any, advance: Callable[[int], object]) -> Callable[[Any, Any, Any], float]:
    def score(estimator: Any, X: Any, y: Any) -> float:
        advance(1)
        value: float = scorer(estimator, X, y)
        return value

    return score
