"""A race: candidates are compared on growing samples of the examples, and those without hope leave early."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from sklearn.utils import _safe_indexing

from hedgerow.kernels.base import Matrix
from hedgerow.model_selection.measures import Measure
from hedgerow.model_selection.results import TIED, Result
from hedgerow.model_selection.samples import first_size, largest_size, n_parts, next_size, parts, sample
from hedgerow.model_selection.trials import done, families, fitted, groups

_Part = tuple[Matrix, float]  # what each example of a part that was held out contributes, and seconds


@dataclass(eq=False)
class Race:
    """Candidates, compared by cross-validation on a sample, then on ones four times as large, up to all examples,
    or to two thirds of many.

    After each sample those leave whose error is far above the best, or significantly above it and slow to come near.
    Samples grow as long as time allows and there are several left that are not nearly equal on many examples; when time
    does not, those leave first that are significantly behind. So few are compared on many examples, and of these one
    can say which are tied. Of large samples one part is held out instead of each in turn.

    C of a kernel machine multiplies a sum over the examples, so the same C regularises a sample of m of n examples more
    than all of them; C n / m would keep the balance of errors and norm. The best C lies between the two: it falls as
    samples of trees grow, but more slowly. So a machine is judged on a sample by the best of those that differ from it
    by a C up to n / m times as large: it leaves when they would, and is tied if they are.

    Parameters
    ----------
    candidates : list of estimators
    measure : Measure
    folds : int, default=3
    seed : int, default=0
    seconds : float, default=inf
        About how long, with all threads on a processor of their own; the first sample takes what it takes.
    jobs : int, default=1
        Threads; no score depends on it.
    enough : int, default=15,000
        Examples that tell candidates apart as far as that matters. No more parts of a sample are held out than hold so
        many, and those that are nearly equal on so many are left as ties.
    watch : callable, optional
        Called with words about the next sample.

    Attributes
    ----------
    results : dict from numbers of candidates to their `Result`, so far
    """

    candidates: Sequence[Any]
    measure: Measure
    folds: int = 3
    seed: int = 0
    seconds: float = math.inf
    jobs: int = 1
    enough: int = 15_000
    watch: Callable[[str], object] | None = None
    results: dict[int, Result] = field(init=False, default_factory=dict)
    _n: int = field(init=False, default=0)

    def run(self, X: Any, y: Any) -> list[int]:
        """Numbers of the candidates, best first; after an interruption `ranking` gives those so far."""
        alive, spent = list(range(len(self.candidates))), 0.0
        n = self._n = len(y)
        largest = largest_size(n, self.folds, self.enough)
        size: int | None = min(first_size(y, n, self.folds), largest)
        while size is not None:
            if self.watch is not None:
                self.watch(f"{len(alive)} candidates on {size} examples")
            found, before = self._compare(alive, X, y, size), dict(self.results)
            self.results.update(found)
            spent += sum(result.seconds * len(result.by_fold) for result in found.values()) / self.jobs
            alive, size = self._next(found, before, size, largest, self.seconds - spent)
        return self.ranking()

    def ranking(self) -> list[int]:
        """Numbers of the candidates that were compared, best first; equal ones in the order given."""
        return sorted(self.results, key=lambda i: (-self.results[i].examples, -self.results[i].score))

    def tied(self) -> list[int]:
        """The best, and those that are not significantly worse; of a large sample also those that are nearly equal,
        since which of them is the best of all examples is left open."""
        ranking, prospects = self.ranking(), self._prospects(self.results)
        best = self.results[ranking[0]]
        return [
            i for i in ranking if prospects[i].behind(best) <= TIED or self._left_open(prospects[i], best)
        ]

    def _left_open(self, result: Result, best: Result) -> bool:
        return self.enough <= best.examples == result.examples < self._n and result.nearly_equals(best)

    # -- samples --------------------------------------------------------------------------------------------

    def _next(
        self, found: dict[int, Result], before: dict[int, Result], size: int, largest: int, seconds: float
    ) -> tuple[list[int], int | None]:
        """Who goes on, and with how many examples; None ends the race."""
        prospects, earlier = self._prospects(found), self._prospects(before)
        ranking = sorted(found, key=lambda i: (-prospects[i].score, -found[i].score))
        best, best_before = prospects[ranking[0]], earlier.get(ranking[0])
        alive = [i for i in ranking if not prospects[i].hopeless(best, earlier.get(i), best_before, self._n)]
        settled = size >= self.enough and all(prospects[i].nearly_equals(best) for i in alive)
        if size >= largest or len(alive) == 1 or settled:
            return alive, None
        larger = next_size(size, largest)
        while (
            self._expected(alive, found, larger / size) > seconds and prospects[alive[-1]].behind(best) > TIED
        ):
            alive.pop()
        if len(alive) == 1:
            return alive, None
        time_left = seconds / max(self._expected(alive, found, 1.0), 1e-9)
        growth = min(larger / size, max(time_left, 0.0) ** (1 / _exponent(self.candidates[alive[0]])))
        return sorted(alive), int(growth * size) if growth >= min(1.5, larger / size) else None

    def _prospects(self, results: dict[int, Result]) -> dict[int, Result]:
        """What to judge each by: the best result of machines that regularise the sample no less than it does all
        examples, and no more than it does the sample."""
        prospects = dict(results)
        for family in families(self.candidates, list(results)):
            for i in family:
                mine, C = results[i], self.candidates[i].C
                largest = C * max(self._n / mine.examples, 1.0) * (1 + 1e-9)
                alike = (results[j] for j in family if C <= self.candidates[j].C <= largest)
                same_sample = [result for result in alike if result.examples == mine.examples]
                prospects[i] = max(mine, *same_sample, key=lambda result: result.score)
        return prospects

    def _expected(self, alive: list[int], found: dict[int, Result], growth: float) -> float:
        """Seconds that a sample takes which is so many times as large."""
        each = (found[i].seconds * growth ** _exponent(self.candidates[i]) for i in alive)
        size = int(found[alive[0]].examples * growth)
        return sum(each) * n_parts(size, self.folds, self.enough) / self.jobs

    # -- one sample -----------------------------------------------------------------------------------------

    def _compare(self, alive: list[int], X: Any, y: Any, size: int) -> dict[int, Result]:
        rows = sample(y, size, self.seed)
        X, y = (_safe_indexing(data, rows) for data in (X, y)) if size < len(y) else (X, y)
        splits = parts(y, self.folds, self.seed, self.enough)
        found: dict[int, dict[int, _Part]] = {i: {} for i in alive}
        work = [
            partial(self._learn, group, fold, X, y, *split)
            for group in groups(self.candidates, alive)
            for fold, split in enumerate(splits)
        ]
        try:
            for fold, values in done(work, self.jobs):
                for i, part in values.items():
                    found[i][fold] = part
        except KeyboardInterrupt:
            if not self.results:
                self.results.update(self._results(found, len(splits), len(y)))
            raise
        return self._results(found, len(splits), len(y))

    def _learn(
        self, group: list[int], fold: int, X: Any, y: Any, train: Matrix, test: Matrix
    ) -> tuple[int, dict[int, _Part]]:
        X_train, y_train, X_test, y_test = (
            _safe_indexing(data, part) for part in (train, test) for data in (X, y)
        )
        values, started = {}, time.thread_time()
        for i, model in fitted([self.candidates[i] for i in group], X_train, y_train):
            contributed = self.measure.values(model, y_test, model.predict(X_test))
            now = time.thread_time()
            values[group[i]] = contributed, now - started
            started = now
        return fold, values

    def _results(self, found: dict[int, dict[int, _Part]], folds: int, n: int) -> dict[int, Result]:
        """Of those that have learned from all parts."""
        results = {}
        for i, of_folds in found.items():
            if len(of_folds) == folds:
                values = [of_folds[fold][0] for fold in range(folds)]
                by_fold = tuple(self.measure.combine(part)[0] for part in values)
                seconds = sum(seconds for _, seconds in of_folds.values()) / folds
                results[i] = Result(n, *self.measure.combine(np.concatenate(values)), by_fold, seconds)
        return results


def _exponent(estimator: Any) -> int:
    """Kernel machines take the square of the number of examples, learners on weights go through them."""
    return 2 if getattr(estimator, "kernel", None) is not None else 1
