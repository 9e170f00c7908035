"""Learners on kernels over shards: what is merged, what projection makes of it, and mishaps."""

from __future__ import annotations

import copy
import os
import pickle
import signal
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone

import hedgerow
from hedgerow import distributed, online, registry
from hedgerow.data import FormatError
from hedgerow.distributed.projection import project
from hedgerow.distributed.shards import GivenShard, Shards
from hedgerow.kernels import RBF, Linear, Normalized, SubsetTree
from hedgerow.online.base import OnlineClassifier
from hedgerow.svm import CuttingPlaneSVC
from tests.online.test_contract import KERNELS, TREES, VECTORS, N, Y

BOUNDS = (0, 20, 20, 50, N)  # one shard is empty
PARTS = ((0, 20), (20, 50), (50, N))
SHARES = [(b - a) / N for a, b in PARTS]
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


def values(model: Any, X: Any) -> Any:
    """Of the functions, by their definition."""
    return model.kernel_(X, model.support_items_) @ model.dual_coef_.T + model.intercept_


def learned_apart(model: Any, X: Any = VECTORS) -> list[Any]:
    return [clone(model).fit(X[a:b], Y[a:b]) for a, b in PARTS]


def mean_values(parts: list[Any], X: Any) -> Any:
    return sum(share * values(part, X) for share, part in zip(SHARES, parts, strict=True))


def assert_same(model: Any, expected: Any) -> None:
    """Bit by bit."""
    for name in ("classes_", "support_", "dual_coef_", "intercept_"):
        assert_array_equal(getattr(model, name), getattr(expected, name), err_msg=name)
    for name in ("mistakes_", "n_seen_"):
        assert getattr(model, name) == getattr(expected, name)
    one, other = model._native.save(), expected._native.save()
    assert one.keys() == other.keys()
    for name in one.keys() - {"seconds"}:
        assert_array_equal(one[name], other[name], err_msg=name)


class TestMerging:
    @each
    def test_the_mean_of_the_functions(self, name):
        model = distributed.fit(model_of(name), sharded())
        parts = learned_apart(model_of(name))
        expected = mean_values(parts, VECTORS)
        n = sum(part.n_support_ for part in parts)
        budget = getattr(model, "budget", None)
        if budget is not None and n > budget:
            assert 0 < model.projection_error_ < 1
            assert model.n_support_ == budget
        else:
            assert_allclose(values(model, VECTORS), expected, rtol=0, atol=1e-7 * np.abs(expected).max())
            assert model.projection_error_ < 1e-4
        assert model.mistakes_ == sum(part.mistakes_ for part in parts)
        assert model.n_seen_ == sum(part.n_seen_ for part in parts)

    @pytest.mark.parametrize(
        ("name", "number", "mix"),
        [
            ("perceptron", "squared_radius", np.max),
            ("PA-I", "mistakes", np.sum),
            ("forgetron", "mistakes", np.sum),
            ("forgetron", "damage", np.sum),
        ],
    )
    def test_what_rules_remember(self, name, number, mix):
        merged = distributed.fit(model_of(name), sharded())._native.save()
        parts = [part._native.save() for part in learned_apart(model_of(name))]
        for function in range(3):
            key = f"rule{function}.{number}"
            assert merged[key] == mix([part[key] for part in parts])
        assert any(part[f"rule0.{number}"] > 0 for part in parts)

    @each
    def test_supports_are_examples(self, name):
        model = distributed.fit(model_of(name), sharded())
        assert_array_equal(model.support_items_, VECTORS[model.support_])

    @pytest.mark.parametrize("data", KERNELS)
    def test_every_kind_of_data(self, data, client):
        kernel, X = KERNELS[data]
        parts = learned_apart(model_of("averaged perceptron", kernel), X)
        for workers in (None, client):
            model = distributed.fit(model_of("averaged perceptron", kernel), sharded(X), client=workers)
            assert_allclose(values(model, X), mean_values(parts, X), rtol=1e-9, atol=1e-9)
            assert_allclose(model.decision_function(X), values(model, X), rtol=1e-9, atol=1e-9)
            small = distributed.fit(
                model_of("averaged perceptron", kernel), sharded(X), client=workers, budget=9
            )
            assert small.n_support_ == 9
            assert_allclose(small.decision_function(X), values(small, X), rtol=1e-9, atol=1e-9)

    @each
    def test_one_shard_is_an_ordinary_fit(self, name):
        local = model_of(name).fit(VECTORS, Y)
        assert_same(distributed.fit(model_of(name), sharded(bounds=(0, 0, N))), local)

    def test_balanced_classes_are_those_of_all_shards(self):
        _, counts = np.unique(Y, return_counts=True)
        given = dict(zip(np.unique(Y), N / (3 * counts), strict=True))
        balanced, explicit = (
            distributed.fit(model_of("perceptron", class_weight=weight), sharded())
            for weight in ("balanced", given)
        )
        assert_allclose(values(balanced, VECTORS), values(explicit, VECTORS), rtol=1e-12, atol=1e-12)

    def test_a_shard_without_some_class(self):
        order = np.argsort(Y, kind="stable")
        data = sharded(VECTORS[order], Y[order], (0, 30, 60, N))
        model = distributed.fit(model_of("averaged perceptron"), data)
        assert model.classes_.tolist() == ["bad", "good", "other"]
        assert (model.predict(VECTORS) == Y).mean() > 0.5

    def test_orders_depend_on_seed_and_shard(self):
        options = ({"random_state": 0}, {"random_state": 0}, {"random_state": 1}, {"shuffle": False})
        models = [
            distributed.fit(model_of("PA-I", **{"shuffle": True, **some}), sharded()) for some in options
        ]
        assert_same(*models[:2])
        for other in models[2:]:
            assert not np.array_equal(values(models[0], VECTORS), values(other, VECTORS))

    def test_dask_collections(self, client):
        array, bag = pytest.importorskip("dask.array"), pytest.importorskip("dask.bag")
        expected = distributed.fit(model_of("PA-I"), sharded(bounds=(0, 40, 80, N)))
        rows, y = array.from_array(VECTORS, chunks=(40, 4)), array.from_array(Y, chunks=40)
        assert_same(
            distributed.fit(model_of("PA-I"), distributed.from_dask(rows, y), client=client), expected
        )
        trees = bag.from_sequence(TREES.to_brackets(), partition_size=40)
        kernel = Normalized(SubsetTree())
        model = distributed.fit(model_of("PA-I", kernel), distributed.from_dask(trees, y), client=client)
        expected = distributed.fit(model_of("PA-I", kernel), sharded(TREES, bounds=(0, 40, 80, N)))
        assert_array_equal(model.dual_coef_, expected.dual_coef_)
        assert model.support_items_.to_brackets() == expected.support_items_.to_brackets()


class TestBudget:
    @pytest.mark.parametrize("budget", [1, 7, 30])
    def test_what_is_left_is_the_projection(self, budget):
        full = distributed.fit(model_of("averaged perceptron"), sharded())
        model = distributed.fit(model_of("averaged perceptron"), sharded(), budget=budget)
        chosen, coefficients, error = slow_projection(
            VECTOR_KERNEL(full.support_items_), full.dual_coef_.T, budget
        )
        assert_array_equal(model.support_, full.support_[chosen])
        assert_allclose(model.dual_coef_.T, coefficients, rtol=1e-6, atol=1e-9)
        assert_array_equal(model.intercept_, full.intercept_)
        assert model.projection_error_ == pytest.approx(error, rel=1e-6)

    @each
    def test_a_budget_for_any_learner(self, name):
        model = distributed.fit(model_of(name), sharded(), budget=6)
        assert model.n_support_ <= 6
        assert_allclose(function_values(model), values(model, VECTORS), rtol=1e-8, atol=1e-8)

    def test_more_room_than_the_learner_has(self):
        with pytest.raises(ValueError, match="budget must be at most 15, that of the Forgetron, got 16"):
            distributed.fit(model_of("forgetron"), sharded(), budget=16)

    @each
    @pytest.mark.parametrize("budget", [None, 9])
    def test_going_on(self, name, budget, tmp_path):
        model = distributed.fit(model_of(name), sharded(), budget=budget)
        copies = [copy.deepcopy(model), pickle.loads(pickle.dumps(model))]
        if name != "rule in Python":
            hedgerow.save(model, tmp_path / "model")
            copies.append(hedgerow.load(tmp_path / "model"))
        seen = model.n_seen_
        for begin in (0, 45):
            model.partial_fit(VECTORS[begin : begin + 45], Y[begin : begin + 45])
        assert model.n_seen_ == seen + N
        for other in copies:
            assert_same(other.partial_fit(VECTORS[:45], Y[:45]).partial_fit(VECTORS[45:], Y[45:]), model)
        assert_allclose(function_values(model), values(model, VECTORS), rtol=1e-7, atol=1e-7)
        assert_state_is_that_of_the_function(model)

    def test_going_on_is_learning_from_the_merged_function(self):
        model = distributed.fit(model_of("perceptron", bias=False), sharded(y=Y == "good"))
        f, supports = model.dual_coef_[0].tolist(), model.support_items_.tolist()
        for x, good in zip(VECTORS, Y == "good", strict=True):
            y = 1.0 if good else -1.0
            if y * float(VECTOR_KERNEL([x], supports)[0] @ f) <= 0:
                f.append(y)
                supports.append(x.tolist())
        model.partial_fit(VECTORS, Y == "good")
        assert_allclose(
            values(model, VECTORS)[:, 0], VECTOR_KERNEL(VECTORS, supports) @ f, rtol=1e-9, atol=1e-9
        )

    def test_the_average_of_what_comes_after(self):
        """The merged average counts as if it had been there all the time."""
        merged = distributed.fit(
            model_of("averaged perceptron", bias=False, epochs=1), sharded(y=Y == "good")
        )
        before = values(merged, VECTORS)[:, 0]
        total, f, supports = N * before, merged.dual_coef_[0].tolist(), merged.support_items_.tolist()
        for x, good in zip(VECTORS, Y == "good", strict=True):
            y = 1.0 if good else -1.0
            if y * float(VECTOR_KERNEL([x], supports)[0] @ f) <= 0:
                f.append(y)
                supports.append(x.tolist())
            total = total + VECTOR_KERNEL(VECTORS, supports) @ f
        merged.partial_fit(VECTORS, Y == "good")
        assert_allclose(values(merged, VECTORS)[:, 0], total / (2 * N), rtol=1e-9, atol=1e-9)


def function_values(model: Any) -> Any:
    """As the native learner has them."""
    native = model._native.expansion
    items = model.kernel_._items(model.kernel_._prepare(VECTORS))
    return native.decisions(items, 1, False).reshape(N, native.functions)


def assert_state_is_that_of_the_function(model: Any) -> None:
    """What rules remember of the supports, where they do."""
    arrays = model._native.save()
    if isinstance(model, online.Projectron | online.ForgetfulProjectron):
        for function in range(3):
            members = members_of(arrays, function)
            gram = VECTOR_KERNEL(VECTORS[arrays["expansion.numbers"][members] % N])
            assert_allclose(arrays[f"rule{function}.factor"], lower(gram), rtol=1e-5, atol=1e-6)


def members_of(arrays: dict[str, Any], function: int) -> Any:
    counts = arrays["expansion.member_counts"]
    ends = np.cumsum(counts)
    return arrays["expansion.members"][ends[function] - counts[function] : ends[function]]


def lower(gram: Any) -> Any:
    """The Cholesky factor, row by row."""
    return np.linalg.cholesky(gram)[np.tril_indices(len(gram))]


def slow_projection(gram: Any, coefficients: Any, budget: int) -> tuple[list[int], Any, float]:
    """Each time the support with which all functions together are best projected; by least squares."""
    chosen: list[int] = []
    for _ in range(budget):
        errors = {
            i: squared_error(gram, coefficients, [*chosen, i]) for i in range(len(gram)) if i not in chosen
        }
        chosen.append(min(errors, key=lambda i: errors[i]))
    found = best_coefficients(gram, coefficients, chosen)
    norm = float(np.einsum("ic,ij,jc", coefficients, gram, coefficients))
    return chosen, found, (max(squared_error(gram, coefficients, chosen), 0.0) / norm) ** 0.5


def best_coefficients(gram: Any, coefficients: Any, chosen: list[int]) -> Any:
    return np.linalg.lstsq(gram[np.ix_(chosen, chosen)], gram[chosen] @ coefficients, rcond=None)[0]


def squared_error(gram: Any, coefficients: Any, chosen: list[int]) -> float:
    """|f - g|^2 over all functions."""
    left = coefficients.copy()
    left[chosen] -= best_coefficients(gram, coefficients, chosen)
    return float(np.einsum("ic,ij,jc", left, gram, left))


class TestProjection:
    @pytest.mark.parametrize("seed", range(6))
    @pytest.mark.parametrize("functions", [1, 3])
    def test_against_brute_force(self, seed, functions):
        random = np.random.default_rng(seed)
        X, coefficients = random.normal(size=(9, 3)), random.normal(size=(9, functions))
        for budget in (1, 4, 8):
            found = project(VECTOR_KERNEL, X, coefficients, budget)
            chosen, expected, error = slow_projection(VECTOR_KERNEL(X), coefficients, budget)
            assert found.chosen.tolist() == chosen
            assert_allclose(found.coefficients, expected, rtol=1e-7, atol=1e-9)
            assert found.error == pytest.approx(error, rel=1e-6, abs=1e-9)
            factor = np.linalg.cholesky(VECTOR_KERNEL(X[chosen]))
            assert_allclose(found.factor, factor, rtol=1e-9, atol=1e-12)

    def test_all_of_them(self):
        random = np.random.default_rng(1)
        X, coefficients = random.normal(size=(7, 3)), random.normal(size=(7, 2))
        for budget in (None, 7, 20):
            found = project(VECTOR_KERNEL, X, coefficients, budget)
            assert sorted(found.chosen) == list(range(7))
            assert_allclose(found.coefficients, coefficients[found.chosen], rtol=1e-7)
            assert found.error < 1e-6

    def test_supports_that_depend_on_others_are_not_chosen(self):
        random = np.random.default_rng(2)
        X = random.normal(size=(8, 2))
        X[5], X[6] = X[1], 0  # the same again, and one that the dot product knows nothing of
        coefficients = random.normal(size=(8, 2))
        found = project(Linear(), X, coefficients, 6)
        assert len(found.chosen) == 2
        assert found.error < 1e-6
        assert_allclose(found.coefficients.T @ X[found.chosen], coefficients.T @ X, rtol=1e-9)
        found = project(VECTOR_KERNEL, X, coefficients, None)
        assert len(found.chosen) == 7
        assert not {1, 5} <= set(found.chosen.tolist())

    def test_nothing_to_project(self):
        found = project(VECTOR_KERNEL, np.eye(3), np.zeros((3, 2)), 2)
        assert found.error == 0
        assert not found.coefficients.any()

    def test_it_never_has_all_kernel_values(self, monkeypatch):
        largest = 0
        gram = RBF.__call__

        def watched(self: Any, X: Any, Y: Any = None) -> Any:
            nonlocal largest
            K = gram(self, X, Y)
            largest = max(largest, K.size)
            return K

        monkeypatch.setattr(RBF, "__call__", watched)
        project(VECTOR_KERNEL, VECTORS, np.ones((N, 2)), 5)
        assert largest == N


class TestWorkers:
    @each
    def test_any_number_gives_the_same(self, name, client):
        here, there = (
            distributed.fit(model_of(name, random_state=0, shuffle=True), sharded(), client=workers)
            for workers in (None, client)
        )
        assert_same(there, here)
        assert there.projection_error_ == here.projection_error_

    @pytest.mark.slow
    def test_one_worker(self):
        with distributed.connected(workers=1) as client:
            one = distributed.fit(model_of("projectron++"), sharded(), client=client)
        assert_same(one, distributed.fit(model_of("projectron++"), sharded()))

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
        assert_same(killed, distributed.fit(model_of("forgetron"), sharded(bounds=bounds)))

    def test_interrupted_it_keeps_the_first_shards(self, client):
        def stop(progress: distributed.Progress) -> None:
            if progress.done == 50:
                raise KeyboardInterrupt

        for workers in (None, client):
            model = model_of("PA-I")
            with pytest.raises(KeyboardInterrupt):
                distributed.fit(model, sharded(), client=workers, watch=stop)
            parts = learned_apart(model_of("PA-I"))[:2]
            expected = 0.4 * values(parts[0], VECTORS) + 0.6 * values(parts[1], VECTORS)
            assert_allclose(values(model, VECTORS), expected, rtol=1e-9, atol=1e-9)


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

    def test_what_cannot_be_merged(self):
        with pytest.raises(ValueError, match="averaging must not be 'vote'"):
            distributed.fit(model_of("perceptron", averaging="vote"), sharded())
        with pytest.raises(ValueError, match="trace_every must be None"):
            distributed.fit(model_of("perceptron", trace_every=5), sharded())
        for learner in (online.Perceptron("precomputed"), CuttingPlaneSVC("precomputed")):
            with pytest.raises(ValueError, match="kernel must not be 'precomputed' for learning from shards"):
                distributed.fit(learner, sharded())
        with pytest.raises(ValueError, match="rounds is for learners on weights"):
            distributed.fit(model_of("perceptron"), sharded(), rounds=5)
        with pytest.raises(ValueError, match="budget must be"):
            distributed.fit(model_of("perceptron"), sharded(), budget=0)
