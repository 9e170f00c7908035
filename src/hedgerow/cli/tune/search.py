"""How ``hedgerow tune`` compares what it tries."""

from __future__ import annotations

import time
import warnings
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import accuracy_score, f1_score, make_scorer
from sklearn.model_selection import StratifiedKFold

from hedgerow.checks import Bounds, Count, Positive, Whole
from hedgerow.cli.failures import refused
from hedgerow.cli.progress import counting, spinning
from hedgerow.cli.train.choice import Choice
from hedgerow.io.examples import Examples, Vector
from hedgerow.model_selection import SampledSearchCV
from hedgerow.model_selection.measures import F1, Accuracy, Measure, OutputAccuracy
from hedgerow.model_selection.race import Race
from hedgerow.model_selection.results import Result
from hedgerow.svm import SVC
from hedgerow.threads import resolve


@dataclass(frozen=True)
class SearchOptions:
    """How candidates are compared.

    Parameters
    ----------
    sampling : {"none", "uniform", "importance"}, default="none"
        None: on parts of the data that grow as long as time allows and candidates are not told apart.
        Else cutting-plane machines over such samples.
    sample_size : int, default=100
        Examples in a sample; giving it asks for samples.
    seconds : float, default=300
        About how long candidates are compared, where that decides on how many examples.
    folds : int, default=3
        Parts of the data, each of which is held out once; of many examples, only as many as hold 15,000.
    score : {"accuracy", "f1"}, default="accuracy"
        What is compared; f1 is that of the second class when there are two, else the mean over classes. Outputs with
        structure have an accuracy of their own: of tokens, of brackets.
    seed : int, default=0
        Another seed gives other folds and samples.
    jobs : int or None, default=None
        Candidates that are compared at the same time, by default one per core; changes no figure but times.
    """

    sampling: Literal["none", "uniform", "importance"] = "none"
    sample_size: Count = 100
    seconds: Positive = 300.0
    folds: Annotated[int, Bounds(at_least=2)] = 3
    score: Literal["accuracy", "f1"] = "accuracy"
    seed: Whole = 0
    jobs: Count | None = None

    @property
    def sampled(self) -> Literal["uniform", "importance"]:
        """How samples are drawn, where there are any."""
        return "importance" if self.sampling == "importance" else "uniform"


@dataclass(frozen=True)
class Candidate:
    """What was tried, and how it did."""

    choice: Choice
    mean: float
    deviation: float
    seconds: float
    examples: int
    tied: bool = False  # whether it is not significantly worse than the best

    @property
    def settings(self) -> dict[str, Any]:
        choice, kernel = self.choice, self.choice.kernel
        named = {} if kernel.row is None else {"kernel": kernel.row.name}
        plain = {
            name: v for name, v in choice.of_problem.items() if v is None or isinstance(v, str | int | float)
        }
        return {**named, **kernel.given, **plain, **choice.given}


def rank(
    X: Examples, y: Any, tried: list[tuple[Choice, Any]], options: SearchOptions
) -> tuple[list[Candidate], bool]:
    """All candidates, best first, and whether all that was to be compared was; each is a choice with its estimator."""
    if options.sampling != "none":
        return _sampled(X, y, tried, options)
    race = Race(
        [estimator for _, estimator in tried],
        _measure(y, options),
        folds=options.folds,
        seed=options.seed,
        seconds=options.seconds,
        jobs=resolve(options.jobs),
    )
    finished = True
    with spinning("Comparing") as race.watch:
        try:
            race.run(X, y)
        except KeyboardInterrupt:
            if not race.results:
                raise
            finished = False
    tied = set(race.tied())
    return [_candidate(tried[i][0], race.results[i], i in tied) for i in race.ranking()], finished


def _candidate(choice: Choice, result: Result, tied: bool) -> Candidate:
    mean, deviation = float(np.mean(result.by_fold)), float(np.std(result.by_fold))
    return Candidate(choice, mean, deviation, result.seconds, result.examples, tied)


def _measure(y: Any, options: SearchOptions) -> Measure:
    labels = isinstance(y, np.ndarray)
    if options.score == "f1":
        if not labels:
            raise refused(
                "--score", "f1 is that of labels; outputs with structure are compared by their accuracy"
            )
        return F1(y)
    return Accuracy() if labels else OutputAccuracy()


def _sampled(
    X: Examples, y: Vector, tried: list[tuple[Choice, Any]], options: SearchOptions
) -> tuple[list[Candidate], bool]:
    """Candidates by cutting-plane machines over samples: all, or those whose folds an interruption left whole."""
    parameters = [
        {"kernel": [machine.kernel], **{name: [value] for name, value in one.given.items()}}
        for one, machine in tried
    ]
    finished, found = _searched(X, y, parameters, options)
    candidates = []
    for i, (one, _) in enumerate(tried[: len(found) // options.folds]):
        scores, seconds = np.transpose(found[i * options.folds : (i + 1) * options.folds])
        mean, deviation = float(np.mean(scores)), float(np.std(scores))
        candidates.append(Candidate(one, mean, deviation, float(np.mean(seconds)), len(y)))
    best = max(candidate.mean for candidate in candidates)
    candidates = [replace(candidate, tied=candidate.mean == best) for candidate in candidates]
    # Ties stay in the order of the grid.
    return sorted(candidates, key=lambda candidate: -candidate.mean), finished


def _searched(
    X: Examples, y: Vector, grid: list[dict[str, Any]], options: SearchOptions
) -> tuple[bool, list[tuple[float, float]]]:
    """Whether the search came to its end; score and seconds of each fold, candidate by candidate."""
    search, scorer = _search(grid, options), _scorer(options.score, y)
    found: list[tuple[float, float]] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # good enough to be compared
        with counting("Comparing", len(grid) * options.folds) as advance:
            started = time.perf_counter()

            def score(estimator: Any, X: Any, y: Any) -> float:
                nonlocal started
                value, now = float(scorer(estimator, X, y)), time.perf_counter()
                found.append((value, now - started))
                started = now
                advance(1)
                return value

            try:
                search.set_params(scoring=score).fit(X, y)
            except KeyboardInterrupt:
                if len(found) < options.folds:
                    raise
                return False, found
    return True, found


def _search(grid: list[dict[str, Any]], options: SearchOptions) -> Any:
    return SampledSearchCV(
        SVC(n_jobs=options.jobs or 1),  # rounds over small samples are too short to be shared among threads
        grid,
        sampling=options.sampled,
        sample_size=options.sample_size,
        refit=None,
        random_state=options.seed,
        cv=StratifiedKFold(options.folds, shuffle=True, random_state=options.seed),
        error_score="raise",
    )


def _scorer(score: str, y: Vector) -> Any:
    if score == "accuracy":
        return make_scorer(accuracy_score)
    classes = sorted(set(y.tolist()))
    if len(classes) == 2:
        return make_scorer(f1_score, pos_label=classes[1], zero_division=0.0)
    # scikit-learn 1.6 asks for the class 1 unless it is told that there is no such class.
    return make_scorer(f1_score, average="macro", pos_label=None, zero_division=0.0)
