"""Learners on kernels over shards: the learner goes from one to the next, here and on workers; mishaps."""

from __future__ import annotations

import copy
import os
import pickle
import signal
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import hedgerow
from hedgerow import distributed, online, registry
from hedgerow.data import FormatError
from hedgerow.distributed.shards import GivenShard, Shards
from hedgerow.kernels import RBF, Normalized, SubsetTree
from hedgerow.online.base import OnlineClassifier
from hedgerow.svm import CuttingPlaneSVC
from tests.online.test_contract import KERNELS, TREES, VECTORS, N, Y

BOUNDS = (0, 20, 20, 50, N)  # one shard is empty
PARTS = ((0, 20), (20, 50), (50, N))
VECTOR_KERNEL = RBF(gamma=0.3)


class Slowing:
    """A rule in Python that remembers: a perceptron whose steps become smaller."""

    def __init__(self) -> None:
        self.updates = 0

    def learn(self, f: Any, y: float, weight: float) -> None:
        if y * f.score <= 0:
            self.updates += 1
            f.add(weight * y / self.updates**0.5)


LEARNERS: dict[str, Any] = {
    "perceptron": online.Perceptron(bias=True),
    "averaged perceptron": online.Perceptron(averaging="average", bias=True, epochs=2),
    "normalised average": online.Perceptron(averaging="normalized"),
    "weighted perceptron": online.Perceptron(class_weight={"other": 3.0}),
    "PA-I": online.PassiveAggressive(C=0.5),
    "PA-II, one against one": online.PassiveAggressive(variant="PA-II", multiclass="one-vs-one"),
    "dynamic PA-I": online.PassiveAggressive(dynamic=True, averaging="average"),
    "ROMMA": online.ROMMA(),
    "aggressive ROMMA": online.ROMMA(aggressive=True, averaging="average"),
    "stoptron": online.Stoptron(budget=15),
    "random budget": online.RandomBudgetPerceptron(budget=15, random_state=0),
    "forgetron": online.Forgetron(budget=15),
    "averaged forgetron": online.Forgetron(budget=15, averaging="average"),
    "greedy forgetron": online.Forgetron(budget=15, shrinking="greedy"),
    "roomy greedy forgetron": online.Forgetron(budget=200, shrinking="greedy"),
    "projectron": online.Projectron(eta=0.5),
    "projectron++": online.ProjectronPlusPlus(budget=15),
    "forgetful projectron": online.ForgetfulProjectron(budget=15),
    "rule in Python": online.OnlineLearner(Slowing()),
}
LISTED = {type(learner) for learner in LEARNERS.values()}
for row in registry.learners().values():  # the others as they are, with a budget of 16 if they may have one
    if issubclass(row.cls, OnlineClassifier) and row.on_kernels and row.cls not in LISTED:
        LEARNERS[row.name] = row.make(**({"budget": 16} if "budget" in row.parameters else {}))
each = pytest.mark.parametrize("name", LEARNERS)


def model_of(name: str, kernel: Any = VECTOR_KERNEL, **parameters: Any) -> Any:
    return copy.deepcopy(LEARNERS[name]).set_params(kernel=kernel, **parameters)


def sharded(X: Any = VECTORS, y: Any = Y, bounds: tuple[int, ...] = BOUNDS) -> Shards:
    parts = [(X[a:b], y[a:b]) for a, b in pairwise(bounds)]
    return Shards([GivenShard(*part, f"part {k}", os.urandom(8).hex()) for k, part in enumerate(parts)])


def in_pieces(model: Any, X: Any = VECTORS, y: Any = Y, passes: int = 1) -> Any:
    """What one machine learns, piece by piece."""
    for _ in range(passes):
        for a, b in PARTS:
            model.partial_fit(X[a:b], y[a:b], classes=np.unique(y))
    return model


def assert_same(model: Any, expected: Any) -> None:
    """Bit by bit."""
    for name in ("classes_", "support_", "dual_coef_", "intercept_"):
        assert_array_equal(getattr(model, name), getattr(expected, name), err_msg=name)
    for name in ("mistakes_", "n_seen_"):
        assert getattr(model, name) == getattr(expected, name)
    one, other = model._native.save(), expected._native.save()
    assert one.keys() == other.keys()
    for name in one:
        if not name.endswith("seconds"):
            assert_array_equal(one[name], other[name], err_msg=name)


class TestInTurn:
    @each
    def test_one_pass_is_an_ordinary_fit(self, name):
        model = distributed.fit(model_of(name, epochs=1), sharded())
        assert_same(model, model_of(name, epochs=1).fit(VECTORS, Y))
        assert_array_equal(model.support_items_, VECTORS[model.support_])

    @each
    def test_several_passes(self, name):
        model = distributed.fit(model_of(name, epochs=3), sharded())
        assert_same(model, in_pieces(model_of(name, epochs=1), passes=3))

    @pytest.mark.parametrize("data", KERNELS)
    def test_every_kind_of_data(self, data, client):
        kernel, X = KERNELS[data]
        expected = model_of("averaged perceptron", kernel, epochs=1).fit(X, Y)
        for workers in (None, client):
            model = distributed.fit(
                model_of("averaged perceptron", kernel, epochs=1), sharded(X), client=workers
            )
            assert_array_equal(model.dual_coef_, expected.dual_coef_)
            assert_array_equal(model.decision_function(X), expected.decision_function(X))

    def test_votes_and_traces(self):
        for parameters in ({"averaging": "vote"}, {"trace_every": 7}):
            model, expected = (model_of("perceptron", **parameters) for _ in range(2))
            assert_same(distributed.fit(model, sharded()), expected.fit(VECTORS, Y))

    def test_balanced_classes_are_those_of_all_shards(self):
        balanced = distributed.fit(model_of("perceptron", class_weight="balanced"), sharded())
        assert_same(balanced, model_of("perceptron", class_weight="balanced").fit(VECTORS, Y))

    def test_a_shard_without_some_class(self):
        order = np.argsort(Y, kind="stable")
        data = sharded(VECTORS[order], Y[order], (0, 30, 60, N))
        model = distributed.fit(model_of("averaged perceptron", epochs=1), data)
        assert model.classes_.tolist() == ["bad", "good", "other"]
        assert (model.support_ >= 60).any()

    def test_orders_depend_on_the_seed(self):
        options = ({"random_state": 0}, {"random_state": 0}, {"random_state": 1}, {"shuffle": False})
        models = [
            distributed.fit(model_of("PA-I", **{"shuffle": True, **some}), sharded()) for some in options
        ]
        assert_same(*models[:2])
        for other in models[2:]:
            assert not np.array_equal(models[0].dual_coef_, other.dual_coef_)

    def test_dask_collections(self, client):
        array, bag = pytest.importorskip("dask.array"), pytest.importorskip("dask.bag")
        rows, y = array.from_array(VECTORS, chunks=(40, 4)), array.from_array(Y, chunks=40)
        model = distributed.fit(model_of("PA-I"), distributed.from_dask(rows, y), client=client)
        assert_same(model, model_of("PA-I").fit(VECTORS, Y))
        trees = bag.from_sequence(TREES.to_brackets(), partition_size=40)
        kernel = Normalized(SubsetTree())
        model = distributed.fit(model_of("PA-I", kernel), distributed.from_dask(trees, y), client=client)
        expected = model_of("PA-I", kernel).fit(TREES, Y)
        assert_array_equal(model.dual_coef_, expected.dual_coef_)
        assert model.support_items_.to_brackets() == expected.support_items_.to_brackets()

    @each
    def test_going_on(self, name, tmp_path):
        model = distributed.fit(model_of(name), sharded())
        copies = [copy.deepcopy(model), pickle.loads(pickle.dumps(model))]
        if name != "rule in Python":
            hedgerow.save(model, tmp_path / "model")
            copies.append(hedgerow.load(tmp_path / "model"))
        model.partial_fit(VECTORS[:45], Y[:45]).partial_fit(VECTORS[45:], Y[45:])
        for other in copies:
            assert_same(other.partial_fit(VECTORS[:45], Y[:45]).partial_fit(VECTORS[45:], Y[45:]), model)

    def test_the_rule_of_the_model_itself_stays(self):
        model = model_of("rule in Python")
        distributed.fit(model, sharded())
        assert model.rule.updates == 0


class TestWorkers:
    @each
    def test_any_number_gives_the_same(self, name, client):
        here, there = (
            distributed.fit(model_of(name, random_state=0, shuffle=True, epochs=2), sharded(), client=workers)
            for workers in (None, client)
        )
        assert_same(there, here)

    @pytest.mark.slow
    def test_a_worker_that_is_killed_changes_nothing(self):
        bounds = tuple(range(0, N + 1, 10))
        with distributed.connected(workers=2) as client:
            victims = list(client.run(os.getpid).values())[:1]

            def kill(progress: distributed.Progress) -> None:
                if progress.done >= 20 and victims:
                    os.kill(victims.pop(), signal.SIGKILL)

            killed = distributed.fit(model_of("forgetron"), sharded(bounds=bounds), client=client, watch=kill)
        assert not victims
        assert_same(killed, model_of("forgetron").fit(VECTORS, Y))

    def test_interrupted_it_keeps_the_first_shards(self, client):
        def stop(progress: distributed.Progress) -> None:
            if progress.done == 50:
                raise KeyboardInterrupt

        expected = model_of("PA-I").partial_fit(VECTORS[:50], Y[:50], classes=np.unique(Y))
        for workers in (None, client):
            model = model_of("PA-I")
            with pytest.raises(KeyboardInterrupt):
                distributed.fit(model, sharded(), client=workers, watch=stop)
            assert_same(model, expected)


class TestErrors:
    @pytest.fixture
    def folder(self, tmp_path: Any) -> Any:
        lines = [f"{y} {tree}\n" for y, tree in zip(Y, TREES.to_brackets(), strict=True)]
        for number, (a, b) in enumerate(PARTS):
            (tmp_path / f"part{number}.trees").write_text("".join(lines[a:b]))
        return tmp_path

    def test_files(self, client, folder):
        kernel = Normalized(SubsetTree())
        expected = distributed.fit(model_of("PA-I", kernel), sharded(TREES))
        for workers in (None, client):
            data = distributed.read(folder / "*.trees", "brackets", shards=3)
            model = distributed.fit(model_of("PA-I", kernel), data, client=workers)
            assert_array_equal(model.dual_coef_, expected.dual_coef_)
            assert_array_equal(model.support_, expected.support_)

    def test_a_broken_or_missing_file_is_named(self, client, folder):
        kernel = Normalized(SubsetTree())
        for workers in (None, client):
            data = distributed.read(folder / "*.trees", "brackets", shards=3)
            good = (folder / "part1.trees").read_text()
            (folder / "part1.trees").write_text("good (S a)\nbad (S (A b)\n")
            with pytest.raises(FormatError, match=r"part1\.trees, line 2"):
                distributed.fit(model_of("PA-I", kernel), data, client=workers)
            (folder / "part1.trees").unlink()
            with pytest.raises(FileNotFoundError, match=r"part1\.trees"):
                distributed.fit(model_of("PA-I", kernel), data, client=workers)
            (folder / "part1.trees").write_text(good)

    def test_what_learners_do_not_like_is_named(self, client):
        X = VECTORS.copy()
        X[30] = np.nan
        for workers in (None, client):
            with pytest.raises(ValueError, match=r"part 2: .*NaN"):
                distributed.fit(model_of("PA-I"), sharded(X), client=workers)

    def test_what_does_not_fit(self):
        for learner in (online.Perceptron("precomputed"), CuttingPlaneSVC("precomputed")):
            with pytest.raises(ValueError, match="kernel must not be 'precomputed' for learning from shards"):
                distributed.fit(learner, sharded())
        with pytest.raises(
            ValueError, match="rounds is for learners on weights; with a kernel one learner goes"
        ):
            distributed.fit(model_of("perceptron"), sharded(), rounds=5)
