"""Races of candidates: scores are those of cross-validation, the hopeless leave, interruptions keep what was found."""

from __future__ import annotations

import signal
import threading
import time

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.metrics import accuracy_score, f1_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from hedgerow import _core
from hedgerow.datasets import load_questions, make_two_gaussians
from hedgerow.kernels import RBF, Normalized, SubsetTree, SubTree
from hedgerow.model_selection import race as racing
from hedgerow.model_selection import results, samples
from hedgerow.model_selection.measures import F1, Accuracy
from hedgerow.model_selection.race import Race
from hedgerow.svm import SVC


class Guess(ClassifierMixin, BaseEstimator):
    """Says 1 where the first feature is above a threshold; records how many examples it saw."""

    def __init__(self, threshold=0.0):
        self.threshold = threshold

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        SEEN.setdefault(self.threshold, []).append(len(y))
        return self

    def predict(self, X):
        return (X[:, 0] > self.threshold).astype(int)


SEEN: dict[float, list[int]] = {}


@pytest.fixture(autouse=True)
def nobody_has_seen_anything():
    SEEN.clear()


def points(n):
    X = np.random.default_rng(0).uniform(-1, 1, (n, 1))
    return X, (X[:, 0] > 0).astype(int)


def drawn(score, seed, examples):
    """The result of someone who is right where a number is below the score."""
    values = np.random.default_rng(seed).uniform(size=examples) < score
    return results.Result(examples, *Accuracy().combine(values[:, None].astype(float)), (score,), 1.0)


class TestScores:
    @pytest.mark.parametrize("jobs", [1, 2])
    @pytest.mark.parametrize(("measure", "expected"), [(Accuracy, accuracy_score), (F1, f1_score)])
    def test_they_are_those_of_cross_validation(self, jobs, measure, expected):
        trees, labels = load_questions()
        y = (labels == "NUM").astype(int)
        machines = [SVC(Normalized(kind()), C) for kind in (SubTree, SubsetTree) for C in (10.0, 0.1)]
        race = Race(machines, measure(y) if measure is F1 else measure(), seed=3, jobs=jobs)
        ranking = race.run(trees, y)
        folds = StratifiedKFold(3, shuffle=True, random_state=3)
        for machine, result in zip(machines, (race.results[i] for i in range(4)), strict=True):
            predicted = cross_val_predict(machine, trees, y, cv=folds)
            assert result.score == pytest.approx(expected(y, predicted), abs=1e-12)
            assert result.examples == 300
        scores = [race.results[i].score for i in ranking]
        assert scores == sorted(scores, reverse=True)

    def test_macro_f1_and_what_examples_contribute(self):
        rng = np.random.default_rng(1)
        y, predicted = rng.integers(0, 4, (2, 500))
        measure = F1(y)
        values = measure.values(None, y, predicted)
        score, deviations = measure.combine(values)
        assert score == pytest.approx(f1_score(y, predicted, average="macro"))
        assert deviations.mean() == pytest.approx(0, abs=1e-12)
        # The standard error is that of samples with replacement.
        samples = [measure.combine(values[rng.integers(0, 500, 500)])[0] for _ in range(2000)]
        assert np.std(samples) == pytest.approx(np.std(deviations) / np.sqrt(500), rel=0.1)


class TestSamples:
    def test_the_hopeless_leave_and_the_tied_see_all(self):
        X, y = points(20_000)
        race = Race([Guess(0.9), Guess(0.0), Guess(-0.0001), Guess(-0.8)], Accuracy())
        ranking = race.run(X, y)
        assert ranking[:2] == [1, 2]
        assert race.tied() == [1, 2]
        assert SEEN[0.9] == SEEN[-0.8]
        assert sum(SEEN[0.9]) == 2 * 1250
        assert sum(SEEN[0.0]) == sum(SEEN[-0.0001]) == 2 * (1250 + 5000 + 20_000)
        assert race.results[0].examples == 1250

    def test_samples_grow_no_further_than_time_allows(self, monkeypatch):
        X, y = points(20_000)
        clock = iter(range(10_000))
        monkeypatch.setattr(racing.time, "thread_time", lambda: float(next(clock)))  # each fit takes a second
        race = Race([Guess(0.0), Guess(-0.0001)], Accuracy(), seconds=13.0)
        race.run(X, y)
        # Six seconds for the first sample, so that there is no time for one four times as large.
        assert {result.examples for result in race.results.values()} == {1250}
        assert len(race.tied()) == 2

    def test_those_behind_leave_when_time_is_short(self, monkeypatch):
        X, y = points(20_000)
        clock = iter(range(10_000))
        monkeypatch.setattr(racing.time, "thread_time", lambda: float(next(clock)))
        monkeypatch.setattr(results, "HOPELESS", 1e9)
        race = Race([Guess(0.0), Guess(0.2), Guess(-0.0001)], Accuracy(), seconds=40.0)
        race.run(X, y)
        assert [race.results[i].examples for i in range(3)] == [20_000, 1250, 20_000]

    def test_those_behind_leave_unless_they_catch_up(self):
        """Both make a fourth more errors on the first sample; one of them learns more with more examples."""

        class Learning(Guess):
            def predict(self, X):
                return (X[:, 0] > 100.0 / self.seen_).astype(int)

            def fit(self, X, y):
                self.seen_ = len(y)
                return super().fit(X, y)

        rng = np.random.default_rng(0)
        X = rng.uniform(-1, 1, (80_000, 1))
        y = ((X[:, 0] > 0) ^ (rng.uniform(size=80_000) < 0.25)).astype(int)
        best, behind, learning = Guess(0.0), Guess(0.2), Learning(0.5)
        race = Race([best, behind, learning], Accuracy())
        assert set(race.run(X, y)[:2]) == {0, 2}
        assert [race.results[i].examples for i in range(3)] == [20_000, 5000, 20_000]

    def test_the_nearly_equal_are_not_told_apart_by_more_examples(self):
        rng = np.random.default_rng(0)
        X = rng.uniform(-1, 1, (320_000, 1))
        y = ((X[:, 0] > 0) ^ (rng.uniform(size=320_000) < 0.1)).astype(int)
        race = Race([Guess(0.0), Guess(0.001)], Accuracy())
        race.run(X, y)
        assert {result.examples for result in race.results.values()} == {20_000}

    def test_those_nearly_as_good_neither_leave_nor_lose_by_chance(self):
        """The second makes some 3% more errors: significantly, but more examples may turn that round."""
        rng = np.random.default_rng(0)
        X = rng.uniform(-1, 1, (320_000, 1))
        y = ((X[:, 0] > 0) ^ (rng.uniform(size=320_000) < 0.25)).astype(int)
        race = Race([Guess(0.0), Guess(0.032)], Accuracy())
        race.run(X, y)
        assert race.results[0].examples == race.results[1].examples == 20_000
        assert race.results[1].behind(race.results[0]) > results.TIED
        assert race.tied() == [0, 1]

    def test_chance_does_not_say_who_leaves(self):
        best_before, before, best, now = (
            drawn(0.9, 0, 5000),
            drawn(0.893, 0, 5000),
            drawn(0.9, 1, 20_000),
            drawn(0.892, 1, 20_000),
        )
        assert before.behind(best_before) > results.TIED
        assert now.behind(best) > results.TIED
        assert before.ratio(best_before) < now.ratio(best) < 1 + results.NEARLY
        assert not now.hopeless(best, before, best_before, 80_000)

    def test_those_leave_who_come_nearer_too_slowly(self):
        best_before, before, best = drawn(0.9, 0, 5000), drawn(0.87, 0, 5000), drawn(0.9, 1, 20_000)
        for score, slow in ((0.873, True), (0.885, False)):
            now = drawn(score, 1, 20_000)
            assert 1 + results.NEARLY < now.ratio(best) < before.ratio(best_before) < results.HOPELESS
            assert now.hopeless(best, before, best_before, 80_000) is slow
            assert not now.hopeless(best, None, None, 80_000)

    def test_a_small_C_stays_that_is_too_small_for_samples_alone(self):
        """The best C falls with the square root of the examples: 4 on the first sample, 1 on all."""

        class Machine(SVC):
            def fit(self, X, y):
                self.off_ = abs(np.log(self.C * np.sqrt(len(y) / (16_000 * 2 / 3))))
                return self

            def predict(self, X):
                return (X[:, 0] > 0.15 * self.off_).astype(int)

        rng = np.random.default_rng(0)
        X = rng.uniform(-1, 1, (16_000, 1))
        y = ((X[:, 0] > 0) ^ (rng.uniform(size=16_000) < 0.1)).astype(int)
        race = Race([Machine(C=C) for C in (0.01, 1.0, 4.0)], Accuracy())
        assert race.run(X, y)[0] == 1
        assert race.tied() == [1]
        assert [race.results[i].examples for i in range(3)] == [1000, 16_000, 16_000]

        other_kernel = Race([Machine(RBF(1.0), 1.0), Machine(RBF(2.0), 4.0)], Accuracy())
        assert other_kernel.run(X, y) == [1, 0]  # 4 says nothing about 1 there
        assert other_kernel.results[0].examples == 1000

    def test_on_a_sample_a_small_C_is_tied_with_a_larger_one(self):
        race = Race([SVC(C=C) for C in (1.0, 4.0, 16.0)], Accuracy())
        race._n = 80_000
        race.results.update({i: drawn(score, 0, 20_000) for i, score in enumerate((0.8, 0.9, 0.8))})
        assert race.tied() == [1, 0]
        race._n = 20_000
        assert race.tied() == [1]

    def test_one_part_of_a_large_sample_is_enough(self):
        """All learn from two thirds of it, as on small ones; the time that it takes is expected accordingly."""
        rng = np.random.default_rng(0)
        X = rng.uniform(-1, 1, (96_000, 1))
        y = ((X[:, 0] > 0) ^ (rng.uniform(size=96_000) < 0.4)).astype(int)
        race = Race([Guess(0.0), Guess(-0.5)], Accuracy(), enough=8000)
        race._n = len(y)
        for size, parts in ((6000, 3), (15_000, 2), (24_000, 1), (96_000, 1)):
            found = race._compare([0, 1], X, y, size)
            assert [len(result.by_fold) for result in found.values()] == [parts] * 2
            assert [len(result.deviations) for result in found.values()] == [size * parts // 3] * 2
            assert {result.examples for result in found.values()} == {size}
            seconds = race._expected([0, 1], found, 1.0)
            assert seconds == pytest.approx(parts * sum(result.seconds for result in found.values()))
        assert SEEN[0.0][:3] == [4000] * 3
        assert SEEN[0.0][-2:] == [16_000, 64_000]

    def test_two_thirds_of_many_examples_are_enough(self):
        assert samples.largest_size(60_000, 3, 15_000) == 60_000
        assert samples.largest_size(90_000, 3, 15_000) == 60_000
        X, y = points(24_000)
        race = Race([Guess(0.0), Guess(-0.0001)], Accuracy(), enough=4000)
        race.run(X, y)
        assert {result.examples for result in race.results.values()} == {16_000}
        assert SEEN[0.0] == [1000] * 3 + [4000] * 2 + [10_666]
        assert len(race.tied()) == 2

    def test_rare_classes_are_in_the_first_sample(self):
        y = np.zeros(100_000, int)
        y[:300] = 1
        first = samples.first_size(y, len(y), 3)
        assert (y[samples.sample(y, first, 0)] == 1).sum() >= 30
        assert samples.first_size(np.arange(2000) % 200, 2000, 3) == 2000


class TestInterruption:
    def test_what_was_found_is_kept(self):
        class Slow(Guess):
            def fit(self, X, y):
                if len(y) > 1000:
                    raise KeyboardInterrupt
                return super().fit(X, y)

        X, y = points(20_000)
        race = Race([Guess(0.0), Slow(-0.0001)], Accuracy())
        with pytest.raises(KeyboardInterrupt):
            race.run(X, y)
        assert race.ranking() == [0, 1]
        assert {result.examples for result in race.results.values()} == {1250}

    def test_native_calls_of_other_threads_stop(self):
        X, y = make_two_gaussians(4000, random_state=0)
        endless = SVC(RBF(1.0), C=1e9, tol=1e-12, n_jobs=1)
        race = Race([endless, SVC(RBF(2.0), C=1e9, tol=1e-12)], Accuracy(), jobs=2)
        main = threading.main_thread().ident
        threading.Timer(1.0, signal.pthread_kill, (main, signal.SIGINT)).start()
        with pytest.raises(KeyboardInterrupt):
            race.run(X, y)
        assert not [t for t in threading.enumerate() if t.name.startswith("hedgerow-race")]

    def test_a_stopper_stops_only_those_who_listen(self):
        stopper = _core.Stopper()
        stopper.stop()
        X, y = make_two_gaussians(500, random_state=0)
        time.sleep(0.06)  # native code asks twenty times a second at most
        with stopper, pytest.raises(KeyboardInterrupt):
            SVC(RBF(1.0), C=1e6, tol=1e-12).fit(X, y)
        assert SVC(RBF(1.0)).fit(X, y).converged_
