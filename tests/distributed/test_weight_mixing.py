"""Learners on weights over shards: parameter mixing against a slow version, one machine, and mishaps."""

from __future__ import annotations

import gzip
import inspect
import os
import pickle
import signal
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from scipy.stats import norm
from sklearn.base import clone

import hedgerow
from hedgerow import distributed, online
from hedgerow.data import FormatError
from hedgerow.datasets import load_newsgroups
from hedgerow.distributed.shards import GivenShard, Shards
from hedgerow.io.hashing import Hashing
from tests.distributed import slow_weights as slow

WIDTH, ROUNDS = 14, 3
BOUNDS = (0, 10, 10, 40, 48, 64)  # one shard is empty
N = BOUNDS[-1]
C_LOW = 2.5  # the weight of the class "low", where classes have weights


def some_rows() -> tuple[Any, Any]:
    """Sparse rows of numbers at least 0, in three classes; some rows are empty, some features in some shards only."""
    random = np.random.default_rng(7)
    X = np.where(random.random((N, WIDTH)) < 0.4, random.exponential(size=(N, WIDTH)), 0)
    X[[0, 12, 50]] = 0
    X[:40, 10] = 0
    X[10:, 11] = 0
    X[:10, 12] = X[48:, 12] = 0
    X[:, 13] = 0
    X[45, 13] = 1.5  # in one example
    scores = X @ random.normal(size=(WIDTH, 3)) + 0.3 * random.normal(size=(N, 3))
    return X, np.array(["low", "middle", "high"])[scores.argmax(axis=1)]


X, Y = some_rows()
TWO = np.where(Y == "low", "low", "other")

# Learners with their slow versions, and whether a column of ones is their bias.
CASES: dict[str, tuple[Any, slow.Slow, bool]] = {
    "perceptron": (online.Perceptron(), slow.SlowPerceptron(), False),
    "perceptron with bias": (online.Perceptron(bias=True), slow.SlowPerceptron(bias=True), False),
    "PA": (online.PassiveAggressive(variant="PA"), slow.SlowPassiveAggressive("PA", 1.0), False),
    "PA-I": (online.PassiveAggressive(C=0.3), slow.SlowPassiveAggressive("PA-I", 0.3), False),
    "PA-II": (
        online.PassiveAggressive(variant="PA-II", C=0.3),
        slow.SlowPassiveAggressive("PA-II", 0.3),
        False,
    ),
    "dynamic PA-I": (
        online.PassiveAggressive(C=0.5, dynamic=True),
        slow.SlowPassiveAggressive("PA-I", 0.5, dynamic=True),
        False,
    ),
    "ROMMA": (online.ROMMA(), slow.SlowRomma(), False),
    "aggressive ROMMA": (online.ROMMA(aggressive=True), slow.SlowRomma(aggressive=True), False),
    "AROW": (online.AROW(r=0.7, bias=True), slow.SlowArow(0.7), True),
    "SCW-I": (online.SCW(C=0.5, bias=True), slow.SlowScw("SCW-I", 0.5, norm.ppf(0.9)), True),
    "SCW-II": (online.SCW(variant="SCW-II", C=0.5), slow.SlowScw("SCW-II", 0.5, norm.ppf(0.9)), False),
    "FTRL": (
        online.FTRL(alpha=0.3, beta=0.5, l1=0.2, l2=0.1, bias=True),
        slow.SlowFtrl("logistic", 0.3, 0.5, 0.2, 0.1),
        True,
    ),
    "FTRL, hinge loss": (online.FTRL(loss="hinge"), slow.SlowFtrl("hinge", 0.1, 1.0, 0.0, 0.0), False),
    "FOBOS": (
        online.FOBOS(loss="logistic", l1=0.02, l2=0.05, bias=True),
        slow.SlowFobos("logistic", 0.02, 0.05),
        True,
    ),
    "FOBOS, mistakes": (
        online.FOBOS(l1=0.01, learning_rate=0.5, update="mistakes"),
        slow.SlowFobos("hinge", 0.01, 0.0, 0.5, "mistakes"),
        False,
    ),
    "FOBOS that shrinks nothing": (online.FOBOS(), slow.SlowFobos("hinge", 0.0, 0.0), False),
    "truncated gradient": (
        online.TruncatedGradient(l1=0.05, bias=True),
        slow.SlowTruncatedGradient("hinge", 0.05, 0.1),
        True,
    ),
    "truncated gradient, now and then": (
        online.TruncatedGradient(
            "logistic", l1=0.05, learning_rate=0.5, schedule="decaying", truncate_every=4, threshold=0.3
        ),
        slow.SlowTruncatedGradient("logistic", 0.05, 0.5, "decaying", 4, 0.3),
        False,
    ),
    "RDA": (
        online.RDA(loss="logistic", l1=0.02, l2=0.05, bias=True),
        slow.SlowRda("logistic", 0.02, 0.05),
        True,
    ),
    "RDA, mistakes": (
        online.RDA(l1=0.02, learning_rate=0.5, update="mistakes"),
        slow.SlowRda("hinge", 0.02, 0.0, 0.5, "mistakes"),
        False,
    ),
    "adaptive RDA": (
        online.RDA(l1=0.02, learning_rate=0.5, adaptive=True, bias=True),
        slow.SlowAdaptiveRda("hinge", 0.02, 0.0, 0.5),
        True,
    ),
    "positive Winnow": (
        online.PositiveWinnow(promotion=1.3, initial_weight=1.1),
        slow.SlowWinnow("positive", 1.3, initial=(1.1, 0.0)),
        True,
    ),
    "balanced Winnow": (online.BalancedWinnow(), slow.SlowWinnow("balanced"), True),
    "modified balanced Winnow": (
        online.ModifiedBalancedWinnow(margin=0.4, initial_weights=(1.7, 0.6)),
        slow.SlowWinnow("modified", margin=0.4, initial=(1.7, 0.6)),
        True,
    ),
}
NEWSGROUP_LEARNERS = {
    "perceptron": online.Perceptron(),
    "averaged perceptron": online.Perceptron(averaging="average"),
    "PA-I": online.PassiveAggressive(),
}
each = pytest.mark.parametrize("name", CASES)


def model_of(name: str, **parameters: Any) -> Any:
    return clone(CASES[name][0]).set_params(**{"epochs": ROUNDS, "random_state": 0, **parameters})


def sharded(X: Any = X, y: Any = Y, bounds: tuple[int, ...] = BOUNDS) -> Shards:
    parts = [(sparse.csr_matrix(X[a:b]), y[a:b]) for a, b in pairwise(bounds)]
    return Shards([GivenShard(*part, f"part {k}", os.urandom(8).hex()) for k, part in enumerate(parts)])


def mixed_slowly(name: str, y: Any, weights: Any = None, rounds: int = ROUNDS) -> list[slow.Mixed]:
    """For each function."""
    _, learner, ones = CASES[name]
    rows = np.column_stack([X, np.ones(N)]) if ones else X
    importance = np.ones(N) if weights is None else weights
    classes = np.unique(y)
    found = []
    for positive in classes[1:] if len(classes) == 2 else classes:
        signs = np.where(y == positive, 1.0, -1.0)
        parts = [(rows[a:b], signs[a:b], importance[a:b]) for a, b in pairwise(BOUNDS)]
        found.append(slow.mix(learner, parts, rounds))
    return found


def predictors(name: str, mixed: list[slow.Mixed], averaging: str | None) -> tuple[Any, Any]:
    """Weights and biases that predictions are made with."""
    _, learner, ones = CASES[name]
    if averaging == "average":
        found = np.array([np.mean(one.predictors, axis=0) for one in mixed])
    elif averaging == "normalized":
        found = np.array([np.mean([w / length(w) for w in one.predictors], axis=0) for one in mixed])
    else:
        found = np.array([learner.predictor(one.state) for one in mixed])
    return found[:, :WIDTH], found[:, WIDTH] if ones else found[:, -1]


def length(predictor: Any) -> float:
    """That of the weights, without the bias; predictors of length 0 count nothing."""
    return float(np.linalg.norm(predictor[:-1])) or np.inf


def assert_equals_slow(model: Any, weights: Any, biases: Any) -> None:
    assert_allclose(model.coef_, weights, rtol=1e-9, atol=1e-9)
    assert_allclose(model.intercept_, biases, rtol=1e-9, atol=1e-9)


def state_of(model: Any) -> dict[str, Any]:
    """All that was learned, but for the time it took."""
    description, arrays = model._to_state()
    return {**description, **{name: values for name, values in arrays.items() if name != "seconds"}}


def assert_same(model: Any, expected: Any) -> None:
    """Bit by bit."""
    one, other = state_of(model), state_of(expected)
    assert one.keys() == other.keys()
    for name, values in one.items():
        assert_array_equal(values, other[name], err_msg=name)


def test_every_learner_on_weights_is_tested() -> None:
    classes = [value for name in online.__all__ if isinstance(value := getattr(online, name), type)]
    public = {value for value in classes if "n_features" in inspect.signature(value).parameters}
    assert public == {type(model) for model, _, _ in CASES.values()}


class TestAgainstSlow:
    @each
    @pytest.mark.parametrize("averaging", [None, "average"])
    @pytest.mark.parametrize("rounds", [1, 2, ROUNDS])
    def test_three_classes(self, name, averaging, rounds):
        model = distributed.fit(model_of(name, averaging=averaging), sharded(), rounds=rounds)
        assert model.classes_.tolist() == ["high", "low", "middle"]
        weights, biases = predictors(name, mixed_slowly(name, Y, rounds=rounds), averaging)
        assert_equals_slow(model, weights, biases)
        assert model.n_seen_ == rounds * N
        assert model.n_features_in_ == WIDTH

    @each
    def test_two_classes_and_mistakes(self, name):
        model = distributed.fit(model_of(name), sharded(y=TWO))
        mixed = mixed_slowly(name, TWO)
        assert_equals_slow(model, *predictors(name, mixed, None))
        assert 0 < model.mistakes_ == mixed[0].mistakes

    @pytest.mark.parametrize("name", [name for name in CASES if "ROMMA" not in name])
    def test_class_weights(self, name):
        model = model_of(name, averaging="average", class_weight={"low": C_LOW})
        distributed.fit(model, sharded())
        mixed = mixed_slowly(name, Y, np.where(Y == "low", C_LOW, 1.0))
        assert_equals_slow(model, *predictors(name, mixed, "average"))

    @pytest.mark.parametrize("name", ["perceptron", "perceptron with bias", "PA-I", "ROMMA"])
    def test_normalized_averages(self, name):
        model = distributed.fit(model_of(name, averaging="normalized"), sharded())
        weights, biases = predictors(name, mixed_slowly(name, Y), "normalized")
        assert_equals_slow(model, weights, biases)

    @each
    @pytest.mark.parametrize("averaging", [None, "average"])
    def test_going_on(self, name, averaging, tmp_path):
        model = distributed.fit(model_of(name, averaging=averaging), sharded(y=TWO))
        hedgerow.save(model, tmp_path / "model")
        copies = [hedgerow.load(tmp_path / "model"), pickle.loads(pickle.dumps(model))]
        model.partial_fit(sparse.csr_matrix(X), TWO)
        for other in copies:
            assert_same(other.partial_fit(sparse.csr_matrix(X), TWO), model)
        _, learner, ones = CASES[name]
        (mixed,) = mixed_slowly(name, TWO)
        for x, y in zip(np.column_stack([X, np.ones(N)]) if ones else X, TWO, strict=True):
            learner.learn(mixed.state, x, 1.0 if y == "other" else -1.0, 1.0)
            mixed.predictors.append(learner.predictor(mixed.state))
        assert_equals_slow(model, *predictors(name, [mixed], averaging))

    def test_features_that_winnows_know(self):
        """All that examples had, also those that never took part in a mistake."""
        kinds = ("positive Winnow", "balanced Winnow", "modified balanced Winnow")
        for name, averaging in ((name, averaging) for name in kinds for averaging in (None, "average")):
            model = distributed.fit(model_of(name, averaging=averaging), sharded(y=TWO))
            assert_array_equal(model.features_[0], np.arange(WIDTH))
            weights, biases = predictors(name, mixed_slowly(name, TWO), averaging)
            values = (X @ weights[0] + biases[0]) / (X.sum(axis=1) + 1) - model.threshold
            assert_allclose(model.decision_function(X), values, rtol=1e-9, atol=1e-9)

    def test_weights_of_winnows_that_nobody_changed_are_exact(self):
        rows = np.eye(4)
        y = np.array(["a", "b", "a", "b"])
        model = distributed.fit(
            online.BalancedWinnow(initial_weights=(0.7, 0.1), threshold=0.3), sharded(rows, y, (0, 2, 4))
        )
        # All weights begin in favour of "b": examples of "a" are mistakes, and pull the bias down, but not too far.
        assert model.coef_[0][[1, 3]].tolist() == [0.7 - 0.1] * 2
        assert model.mistakes_ == 2


class TestOneMachine:
    @each
    @pytest.mark.parametrize("averaging", [None, "average"])
    def test_one_shard_is_an_ordinary_fit(self, name, averaging):
        local = model_of(name, averaging=averaging).fit(sparse.csr_matrix(X), Y)
        for bounds in ((0, N), (0, 0, N, N)):  # empty shards are none
            assert_same(distributed.fit(model_of(name, averaging=averaging), sharded(bounds=bounds)), local)

    @each
    def test_equal_shards_are_one(self, name):
        """The mean of the same is the same: mixing adds nothing of its own."""
        twice = Shards(
            [GivenShard(sparse.csr_matrix(X), Y, f"part {k}", os.urandom(8).hex()) for k in range(2)]
        )
        model = distributed.fit(model_of(name), twice)
        local = model_of(name).fit(X, Y)
        if "dynamic" not in name:  # which counts the mistakes of all
            assert_allclose(model.coef_, local.coef_, rtol=1e-8, atol=1e-9)
            assert_allclose(model.intercept_, local.intercept_, rtol=1e-8, atol=1e-9)
        assert model.n_seen_ == 2 * local.n_seen_

    def test_gradients_of_rda_add_up(self):
        """Over equal shards, the gradient that l1 is compared with is the mean over all examples."""
        bounds = (0, 16, 32, 48, 64)
        parts = [
            online.RDA().partial_fit(X[a:b], TWO[a:b], classes=np.unique(TWO)) for a, b in pairwise(bounds)
        ]
        model = distributed.fit(online.RDA(), sharded(y=TWO, bounds=bounds))
        sums, numbers = zip(*(gradients(part) for part in [*parts, model]), strict=True)
        everywhere = np.all([s != 0 for s in sums[:-1]], axis=0)
        assert everywhere.sum() > 5
        mean = np.sum(sums[:-1], axis=0) / np.sum(numbers[:-1])
        assert_allclose((sums[-1] / numbers[-1])[everywhere], mean[everywhere], rtol=1e-12)

    def test_balanced_classes_are_those_of_all_shards(self):
        _, counts = np.unique(Y, return_counts=True)
        given = dict(zip(np.unique(Y), N / (3 * counts), strict=True))
        balanced = distributed.fit(model_of("AROW", class_weight="balanced"), sharded())
        explicit = distributed.fit(model_of("AROW", class_weight=given), sharded())
        assert_allclose(balanced.coef_, explicit.coef_, rtol=1e-12, atol=1e-12)
        assert balanced.class_weight == "balanced"
        local = model_of("AROW", class_weight="balanced").fit(X, Y)
        alone = distributed.fit(model_of("AROW", class_weight="balanced"), sharded(bounds=(0, N)))
        assert_allclose(alone.coef_, local.coef_, rtol=1e-12, atol=1e-12)

    @pytest.mark.parametrize("multiclass", ["one-vs-one", "codes"])
    def test_other_ways_with_classes(self, multiclass):
        options = {"multiclass": multiclass, "random_state": 5, "averaging": "average"}
        local = model_of("PA-I", **options).fit(sparse.csr_matrix(X), Y)
        assert_same(distributed.fit(model_of("PA-I", **options), sharded(bounds=(0, N))), local)
        mixed = distributed.fit(model_of("PA-I", **options), sharded())
        assert (mixed.predict(X) == Y).mean() > 0.7

    def test_folded_features(self):
        local = model_of("PA-I", n_features=8).fit(sparse.csr_matrix(X), Y)
        assert_same(distributed.fit(model_of("PA-I", n_features=8), sharded(bounds=(0, N))), local)
        assert distributed.fit(model_of("PA-I", n_features=8), sharded()).coef_.shape == (3, 8)

    def test_a_shuffled_pass_depends_on_seed_round_and_shard(self):
        options = ({"random_state": 0}, {"random_state": 0}, {"random_state": 1}, {"shuffle": False})
        models = [
            distributed.fit(model_of("PA-I", **{"shuffle": True, **some}), sharded()) for some in options
        ]
        assert_same(*models[:2])
        for other in models[2:]:
            assert not np.array_equal(models[0].coef_, other.coef_)


def gradients(model: Any) -> tuple[Any, float]:
    """The sums of subgradients of a binary RDA, by feature, and their number."""
    _, arrays = model._to_state()
    sums = np.zeros(WIDTH)
    sums[arrays["function0.features"]] = -arrays["function0.cells"]
    return sums, arrays["function0.bias_and_clock"][-1]


class TestSources:
    """The same examples give the same model, wherever they are."""

    bounds = (0, 24, 48, 64)

    def expected(self, **parameters: Any) -> Any:
        return distributed.fit(model_of("PA-I", **parameters), sharded(bounds=self.bounds))

    def test_arrays(self, client):
        array = pytest.importorskip("dask.array")
        rows = array.from_array(X, chunks=(24, WIDTH))
        y = array.from_array(Y, chunks=24)
        for blocks in (rows, rows.map_blocks(sparse.csr_matrix)):
            for workers in (None, client):
                model = distributed.fit(model_of("PA-I"), distributed.from_dask(blocks, y), client=workers)
                assert_same(model, self.expected())

    def test_bags(self, client):
        bag = pytest.importorskip("dask.bag")
        data = distributed.from_dask(
            bag.from_sequence(X.tolist(), partition_size=24), bag.from_sequence(Y.tolist(), partition_size=24)
        )
        for workers in (None, client):
            assert_same(distributed.fit(model_of("PA-I"), data, client=workers), self.expected())

    def test_data_frames(self, client):
        pandas, frames = pytest.importorskip("pandas"), pytest.importorskip("dask.dataframe")
        columns = [f"column {j}" for j in range(WIDTH)]
        table = pandas.DataFrame(X, columns=columns).assign(label=Y)
        parts = frames.concat(
            [frames.from_pandas(table[a:b], npartitions=1) for a, b in pairwise(self.bounds)]
        )
        for workers in (None, client):
            data = distributed.from_dask(parts[columns], parts["label"])
            model = distributed.fit(model_of("PA-I"), data, client=workers)
            assert_array_equal(model.coef_, self.expected().coef_)
            assert model.feature_names_in_.tolist() == columns
            assert_array_equal(model.predict(table[columns]), self.expected().predict(X))

    def test_files(self, client, folder):
        for workers in (None, client):
            model = distributed.fit(model_of("PA-I"), read(folder), client=workers)
            assert_allclose(model.coef_, self.expected().coef_, rtol=1e-12)
            assert model.classes_.tolist() == ["high", "low", "middle"]

    def test_vectors_of_different_lengths(self):
        parts = [(X[:32], Y[:32]), (X[32:, :9], Y[32:])]
        data = Shards([GivenShard(*part, f"block {k}", os.urandom(8).hex()) for k, part in enumerate(parts)])
        with pytest.raises(
            ValueError, match="block 1 has vectors of 9 features, but block 0 has vectors of 14"
        ):
            distributed.fit(model_of("PA-I"), data)


@pytest.fixture
def folder(tmp_path: Any) -> Any:
    for number, (a, b) in enumerate(pairwise(TestSources.bounds)):
        lines = [
            " ".join([y, *(f"{j + 1}:{x[j]!r}" for j in np.flatnonzero(x))]) + "\n"
            for x, y in zip(X[a:b].tolist(), Y[a:b], strict=True)
        ]
        (tmp_path / f"part{number}.svm").write_text("".join(lines))
    (tmp_path / "part3.svm").write_text("")
    return tmp_path


def read(folder: Any) -> Shards:
    return distributed.read(folder / "part*.svm", shards=4)


@pytest.fixture(scope="module")
def one_worker() -> Any:
    with distributed.connected(workers=1) as client:
        yield client


class TestWorkers:
    @each
    def test_any_number_gives_the_same(self, name, client, one_worker):
        options = {"averaging": "average", "shuffle": True, "random_state": 3}
        here = distributed.fit(model_of(name, **options), sharded())
        for workers in (one_worker, client):
            assert_same(distributed.fit(model_of(name, **options), sharded(), client=workers), here)

    def test_a_worker_that_is_killed_changes_nothing(self):
        options = {"averaging": "average", "epochs": 4}
        with distributed.connected(workers=2) as client:
            victims = list(client.run(os.getpid).values())[:1]

            def kill(progress: distributed.Progress) -> None:
                # In the midst of a round: others wait for what the worker has learned.
                if progress.round == 2 and victims:
                    os.kill(victims.pop(), signal.SIGKILL)

            killed = distributed.fit(model_of("RDA", **options), sharded(), client=client, watch=kill)
        assert not victims
        assert_same(killed, distributed.fit(model_of("RDA", **options), sharded()))

    def test_tasks_may_run_twice(self):
        """A task changes nothing of what it is given."""
        from hedgerow.distributed import weight_mixing

        (shard,) = sharded(bounds=(0, N)).parts
        learner = model_of("RDA", averaging="average")
        learner.classes_ = np.unique(Y)
        arrays = learner._new_native(learner.classes_, np.random.RandomState(0)).save()
        before = {name: values.copy() for name, values in arrays.items()}
        start = weight_mixing.Start(learner, arrays, 0, 0, False)
        changes = [weight_mixing.epoch(shard, 0, start).change for _ in range(2)]
        assert_array_equal(changes[0].cells, changes[1].cells)
        for name, values in before.items():
            assert_array_equal(arrays[name], values)

    def test_interrupted_it_keeps_the_rounds_so_far(self, client):
        def stop(progress: distributed.Progress) -> None:
            if progress.round == 3 and progress.done > 10:
                raise KeyboardInterrupt

        for workers in (None, client):
            model = model_of("AROW", averaging="average", epochs=5)
            with pytest.raises(KeyboardInterrupt):
                distributed.fit(model, sharded(), client=workers, watch=stop)
            assert_same(model, distributed.fit(model_of("AROW", averaging="average"), sharded(), rounds=2))

    def test_progress(self):
        seen: list[distributed.Progress] = []
        distributed.fit(model_of("PA-I"), sharded(), rounds=2, watch=seen.append)
        assert [(p.round, p.rounds, p.done, p.total) for p in seen] == [
            (number, 2, done, N) for number in (1, 2) for done in (10, 40, 48, N)
        ]


class TestErrors:
    def test_a_broken_file_is_named(self, client, folder):
        (folder / "part1.svm").write_text("low 1:2\nhigh 3:x\n")
        for workers in (None, client):
            with pytest.raises(FormatError, match=r"part1\.svm, line 2"):
                distributed.fit(model_of("PA-I"), read(folder), client=workers)

    def test_a_file_that_breaks_on_the_way_is_named(self, client, folder):
        for workers in (None, client):
            data = read(folder)
            data.surveyed(distributed.workers.workers_for(workers))
            good = (folder / "part1.svm").read_text()
            (folder / "part1.svm").write_text("low 1:2\nhigh 3:x\n")
            with pytest.raises(FormatError, match=r"part1\.svm, line 2"):
                distributed.fit(model_of("PA-I"), data, client=workers)
            (folder / "part1.svm").write_text("low 1:2\nelsewhere 3:1\n")
            with pytest.raises(ValueError, match=r"part1\.svm: .*'elsewhere'"):
                distributed.fit(model_of("PA-I"), data, client=workers)
            (folder / "part1.svm").write_text(good)

    def test_a_missing_file_is_named(self, client, folder):
        data = read(folder)
        (folder / "part2.svm").unlink()
        for workers in (None, client):
            with pytest.raises(FileNotFoundError, match=r"part2\.svm"):
                distributed.fit(model_of("PA-I"), data, client=workers)

    def test_what_learners_do_not_like_is_named(self, client):
        rows = X.copy()
        rows[20, 3] = -1
        for workers in (None, client):
            with pytest.raises(ValueError, match=r"part 2: Negative values .* -1\.0 in row 10"):
                distributed.fit(model_of("balanced Winnow"), sharded(rows), client=workers)

    def test_what_cannot_be_mixed(self):
        with pytest.raises(ValueError, match=r"averaging must be None.*got 'vote'"):
            distributed.fit(model_of("AROW", averaging="vote"), sharded())
        with pytest.raises(ValueError, match="max_features must be None"):
            distributed.fit(online.ModifiedBalancedWinnow(max_features=5), sharded())
        with pytest.raises(ValueError, match="trace_every must be None"):
            distributed.fit(model_of("AROW", trace_every=5), sharded())
        with pytest.raises(ValueError, match="budget is for learners on kernels; a AROW keeps weights"):
            distributed.fit(model_of("AROW"), sharded(), budget=5)
        with pytest.raises(ValueError, match="rounds must be"):
            distributed.fit(model_of("AROW"), sharded(), rounds=0)
        with pytest.raises(ValueError, match="C must be"):
            distributed.fit(online.PassiveAggressive(C=-1), sharded())
        with pytest.raises(ValueError, match="only one class"):
            distributed.fit(online.AROW(), sharded(y=np.full(N, "low")))
        with pytest.raises(ValueError, match="no example in the data"):
            distributed.fit(online.AROW(), sharded(bounds=(0, 0, 0)))

    def test_learners_that_nobody_knows(self):
        class Mine(online.Perceptron):
            pass

        with pytest.raises(TypeError, match=r"nobody knows how to mix a Mine; .*AROW, .*TruncatedGradient"):
            distributed.fit(Mine(), sharded())


@pytest.mark.shared_data
class TestNewsgroups:
    """Five rounds over eight files by two workers, against five epochs on one machine."""

    @pytest.fixture(scope="class")
    def posts(self, data_folder, tmp_path_factory):
        """The shards, all examples, and those to test on."""
        folder = tmp_path_factory.mktemp("posts")
        texts, y = load_newsgroups(data_folder)
        order = np.random.RandomState(0).permutation(len(y))
        for number, rows in enumerate(np.array_split(order, 8)):
            lines = "".join(f"{y[row]}\t{texts[row]}\n" for row in rows)
            (folder / f"part{number}.txt.gz").write_bytes(gzip.compress(lines.encode()))
        hashing = Hashing(bits=18)
        data = distributed.read(folder / "*.txt.gz", "text", shards=8, hashing=hashing)
        texts_test, y_test = load_newsgroups(data_folder, "test")
        everything = hashing.vectors([texts[row] for row in order]), y[order]
        return data, everything, (hashing.vectors(texts_test), y_test)

    @pytest.mark.parametrize("name", NEWSGROUP_LEARNERS)
    def test_within_half_a_point(self, name, posts, client):
        data, (X, y), test = posts
        learner = NEWSGROUP_LEARNERS[name].set_params(epochs=5)
        local = clone(learner).fit(X, y)
        mixed = distributed.fit(clone(learner), data, client=client)
        assert mixed.n_seen_ == local.n_seen_ == 5 * len(y)
        assert mixed.score(*test) > local.score(*test) - 0.005
