"""A race: candidates are compared on growing samples of the examples, and those without hope leave early."""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import KFold, StratifiedKFold, train_test_split
from sklearn.utils import _safe_indexing

from hedgerow import _core
from hedgerow.kernels.base import Matrix
from hedgerow.model_selection.measures import Measure
from hedgerow.svm import SVC
from hedgerow.svm.machine import KernelMachine

FEWEST = 1000  # examples of the first sample, if there are so many
OF_A_CLASS = 10  # examples that all but the rarest classes have in it
GROWTH = 4  # of samples, so that all but the last cost little
TIED = 2.0  # standard errors of the difference that two candidates may be apart
HOPELESS = 1.5  # times the error of the best: learning curves cross, but hardly from so far
ENOUGH = 15_000  # examples; those that are nearly equal on so many are left as ties
NEARLY = 0.1  # of the error of the best: what nearly equal ones differ by, at most


@dataclass(frozen=True)
class Result:
    """How a candidate did on the largest sample that it saw."""

    examples: int
    score: float
    deviations: Matrix  # of examples
    by_fold: tuple[float, ...]  # scores of the parts that were held out
    seconds: float  # of a processor, to learn from all parts but one and predict that one

    def behind(self, best: Result) -> float:
        """How many standard errors of the difference it is behind the best."""
        if self.examples != best.examples:
            return math.inf
        difference = best.score - self.score
        error = _standard_error(best.deviations - self.deviations)
        return difference / error if error > 0 else math.inf if difference > 0 else 0.0

    def hopeless(self, best: Result, before: Result | None, best_before: Result | None, n: int) -> bool:
        """Whether it is far behind, or comes nearer too slowly to be nearly as good on all n examples.

        Of those that are nearly as good chance says who came nearer, so they stay.
        """
        limit = HOPELESS
        if before is not None and best_before is not None and before.behind(best_before) > TIED:
            ratio, earlier = self.ratio(best), before.ratio(best_before)
            steps = math.log(n / self.examples) / math.log(self.examples / before.examples)
            if ratio * min(ratio / earlier, 1.0) ** steps > 1 + NEARLY:
                limit = 1 + NEARLY
        return self.behind(best) > TIED and self.ratio(best) > limit

    def ratio(self, best: Result) -> float:
        """Its error as a multiple of that of the best."""
        return (1 - self.score) / (1 - best.score) if best.score < 1 else math.inf

    def nearly_equals(self, best: Result) -> bool:
        """Whether it cannot be much worse than the best."""
        error = TIED * _standard_error(best.deviations - self.deviations)
        return best.score - self.score + error < NEARLY * (1 - best.score)


@dataclass(eq=False)
class Race:
    """Candidates, compared by cross-validation on a sample, then on ones four times as large, up to all examples.

    After each sample those leave whose error is far above the best, or significantly above it and slow to come near.
    Samples grow as long as time allows and there are several left that are not nearly equal on many examples; when time
    does not, those leave first that are significantly behind. So few are compared on many examples, and of these one
    can say which are tied.

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
    most : int, optional
        Examples in the largest sample, by default all.
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
    most: int | None = None
    watch: Callable[[str], object] | None = None
    results: dict[int, Result] = field(init=False, default_factory=dict)
    _n: int = field(init=False, default=0)

    def run(self, X: Any, y: Any) -> list[int]:
        """Numbers of the candidates, best first; after an interruption `ranking` gives those so far."""
        alive, spent = list(range(len(self.candidates))), 0.0
        n = self._n = min(len(y), self.most or len(y))
        size: int | None = min(first_size(y, n, self.folds), n)
        while size is not None:
            if self.watch is not None:
                self.watch(f"{len(alive)} candidates on {size} examples")
            found, before = self._compare(alive, X, y, size), dict(self.results)
            self.results.update(found)
            spent += sum(result.seconds for result in found.values()) * self.folds / self.jobs
            alive, size = self._next(found, before, size, n, self.seconds - spent)
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
        return ENOUGH <= best.examples == result.examples < self._n and result.nearly_equals(best)

    # -- samples --------------------------------------------------------------------------------------------

    def _next(
        self, found: dict[int, Result], before: dict[int, Result], size: int, n: int, seconds: float
    ) -> tuple[list[int], int | None]:
        """Who goes on, and with how many examples; None ends the race."""
        prospects, earlier = self._prospects(found), self._prospects(before)
        ranking = sorted(found, key=lambda i: (-prospects[i].score, -found[i].score))
        best, best_before = prospects[ranking[0]], earlier.get(ranking[0])
        alive = [i for i in ranking if not prospects[i].hopeless(best, earlier.get(i), best_before, n)]
        settled = size >= ENOUGH and all(prospects[i].nearly_equals(best) for i in alive)
        if size >= n or len(alive) == 1 or settled:
            return alive, None
        larger = next_size(size, n)
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
        for family in _families(self.candidates, list(results)):
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
        return sum(each) * self.folds / self.jobs

    # -- one sample -----------------------------------------------------------------------------------------

    def _compare(self, alive: list[int], X: Any, y: Any, size: int) -> dict[int, Result]:
        rows = sample(y, size, self.seed)
        X, y = (_safe_indexing(data, rows) for data in (X, y)) if size < len(y) else (X, y)
        parts: dict[int, dict[int, tuple[Matrix, float]]] = {i: {} for i in alive}
        splitter = (StratifiedKFold if _stratified(y) else KFold)(
            self.folds, shuffle=True, random_state=self.seed
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # a class with fewer examples than folds
            splits = list(splitter.split(np.zeros(len(y)), y if _stratified(y) else None))
        work = [
            partial(self._learn, group, fold, X, y, *split)
            for group in _groups(self.candidates, alive)
            for fold, split in enumerate(splits)
        ]
        try:
            for fold, values in _done(work, self.jobs):
                for i, part in values.items():
                    parts[i][fold] = part
        except KeyboardInterrupt:
            if not self.results:
                self.results.update(self._results(parts, len(y)))
            raise
        return self._results(parts, len(y))

    def _learn(
        self, group: list[int], fold: int, X: Any, y: Any, train: Matrix, test: Matrix
    ) -> tuple[int, dict[int, tuple[Matrix, float]]]:
        X_train, y_train, X_test, y_test = (
            _safe_indexing(data, part) for part in (train, test) for data in (X, y)
        )
        values, started = {}, time.thread_time()
        for i, model in _fitted([self.candidates[i] for i in group], X_train, y_train):
            contributed = self.measure.values(model, y_test, model.predict(X_test))
            now = time.thread_time()
            values[group[i]] = contributed, now - started
            started = now
        return fold, values

    def _results(self, parts: dict[int, dict[int, tuple[Matrix, float]]], n: int) -> dict[int, Result]:
        found = {}
        for i, of_folds in parts.items():
            if len(of_folds) == self.folds:
                values = [of_folds[fold][0] for fold in range(self.folds)]
                by_fold = tuple(self.measure.combine(part)[0] for part in values)
                seconds = sum(seconds for _, seconds in of_folds.values()) / self.folds
                found[i] = Result(n, *self.measure.combine(np.concatenate(values)), by_fold, seconds)
        return found


def first_size(y: Any, n: int, folds: int) -> int:
    """Examples of the first sample: n divided by 4 as often as enough remain to compare anything."""
    fewest = float(max(FEWEST, 2 * folds))
    if _stratified(y):
        counts = np.sort(np.unique(np.asarray(y), return_counts=True)[1])
        fewest = max(fewest, OF_A_CLASS * len(counts))
        if len(counts) > 1:  # the second largest class tells whether there is anything to learn
            fewest = max(fewest, OF_A_CLASS * folds * len(y) / counts[-2])
    size = n
    while size / GROWTH >= fewest:
        size = math.ceil(size / GROWTH)
    return size


def next_size(size: int, n: int) -> int:
    return n if size * GROWTH > n / 1.5 else size * GROWTH


def sample(y: Any, size: int, seed: int) -> Matrix:
    """Places of so many examples, with classes in proportion."""
    everything = np.arange(len(y))
    if size >= len(y):
        return everything
    try:
        some, _ = train_test_split(
            everything, train_size=size, random_state=seed, stratify=y if _stratified(y) else None
        )
    except ValueError:  # a class with one example, or more classes than are left out
        some, _ = train_test_split(everything, train_size=size, random_state=seed)
    return np.sort(some)


def _stratified(y: Any) -> bool:
    """Whether they are labels; outputs with structure have no classes."""
    return isinstance(y, np.ndarray) and y.ndim == 1


def _exponent(estimator: Any) -> int:
    """Kernel machines take the square of the number of examples, learners on weights go through them."""
    return 2 if getattr(estimator, "kernel", None) is not None else 1


def _standard_error(deviations: Matrix) -> float:
    return float(np.std(deviations) / math.sqrt(len(deviations)))


# -- learning -----------------------------------------------------------------------------------------------------


def _groups(candidates: Sequence[Any], alive: list[int]) -> list[list[int]]:
    """Exact machines that differ in C alone are one group, which shares its kernel values."""
    exact = _families(candidates, [i for i in alive if type(candidates[i]) is SVC])
    return sorted([*exact, *([i] for i in alive if type(candidates[i]) is not SVC)])


def _families(candidates: Sequence[Any], some: list[int]) -> list[list[int]]:
    """Those of some that are kernel machines, by all but their C."""
    families: dict[str, list[int]] = {}
    for i in some:
        if isinstance(candidates[i], KernelMachine):
            families.setdefault(repr(clone(candidates[i]).set_params(C=1.0)), []).append(i)
    return list(families.values())


def _fitted(group: list[Any], X: Any, y: Any) -> Iterator[tuple[int, Any]]:
    if len(group) > 1:
        order = sorted(range(len(group)), key=lambda i: float(group[i].C))
        path = _on_one_thread(group[0]).path(X, y, [group[i].C for i in order])
        yield from zip(order, path, strict=True)
        return
    yield 0, _on_one_thread(group[0]).fit(X, y)


def _on_one_thread(estimator: Any) -> Any:
    copy = clone(estimator)
    names = [name for name in copy.get_params() if name == "n_jobs" or name.endswith("__n_jobs")]
    return copy.set_params(**dict.fromkeys(names, 1))


def _done(work: Sequence[Callable[[], Any]], jobs: int) -> Iterator[Any]:
    """Results as they come; whatever ends this ends the threads, at once."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # what learners say of candidates that may not win
        if jobs == 1:
            yield from (task() for task in work)
            return
        stopper = _core.Stopper()

        def run(task: Callable[[], Any]) -> Any:
            with stopper:
                return task()

        pool = ThreadPoolExecutor(jobs, thread_name_prefix="hedgerow-race")
        try:
            for future in as_completed([pool.submit(run, task) for task in work]):
                yield future.result()
        except BaseException:
            stopper.stop()
            raise
        finally:
            pool.shutdown(cancel_futures=True)
