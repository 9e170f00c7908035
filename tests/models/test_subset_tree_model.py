"""The subset tree model against Gram matrices of its kernel."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone

from hedgerow import Forest, _core
from hedgerow.io import read_svmlight_tk
from hedgerow.kernels import Normalized, PartialTree, SubsetTree
from hedgerow.online import Forgetron, PassiveAggressive, Perceptron
from tests.kernels.tree_cases import forest_of, full_binary_tree
from tests.strategies import random_trees, trees

KERNELS = {
    f"{name}{', normalised' if normalized else ''}": (kernel, normalized)
    for name, kernel in {
        "SST": SubsetTree(),
        "bag of words": SubsetTree(decay=0.7, bag_of_words=True),
    }.items()
    for normalized in (False, True)
}


@pytest.fixture(params=KERNELS.values(), ids=KERNELS.keys())
def case(request):
    return request.param


def items(forest):
    return _core.TreeItems(forest._native)


def empty_model(kernel, normalized, columns=1):
    return kernel._model(normalized).empty(columns)


def gram(kernel, normalized, X, Y):
    return (Normalized(kernel) if normalized else kernel)(X, Y)


def model_of(kernel, normalized, forest, weights):
    """A model of all trees; `weights` has a row a tree and a column a function."""
    model = empty_model(kernel, normalized, weights.shape[1])
    for i, row in enumerate(weights):
        model.put(i, items(forest), i)
        for c, weight in enumerate(row):
            model.add_weight(i, c, weight)
    return model


def scores(model, forest):
    return model.scores(items(forest)).reshape(len(forest), model.columns)


def close(actual, expected, scale, rtol=1e-12):
    """Equal up to rounding of sums whose terms are as large as `scale`."""
    np.testing.assert_array_less(np.abs(actual - expected), rtol * scale + 1e-300)


def check(model, kernel, normalized, live, X):
    """The model has the supports `live`, as slot: (one-tree forest, weights), and says so about the trees X."""
    slots = sorted(live)
    if not slots:
        np.testing.assert_array_equal(scores(model, X), 0)
        return
    supports = Forest.concatenate([live[slot][0] for slot in slots])
    weights = np.array([live[slot][1] for slot in slots])
    K = gram(kernel, normalized, X, supports)
    expected, scale = (
        K @ weights,
        np.abs(K) @ np.abs(weights).max(axis=0, keepdims=True).repeat(len(slots), 0),
    )
    for actual in (scores(model, X), model.score_batch(items(X), 2).reshape(expected.shape)):
        close(actual, expected, scale)
    rows = model.rows(items(X)).reshape(len(X), model.slots)
    np.testing.assert_allclose(rows[:, slots], K, rtol=1e-12)
    np.testing.assert_array_equal(model.row_batch(items(X), 2).reshape(rows.shape), rows)
    assert kernel._from_items(model.supports(np.array(slots, dtype=np.int32))) == supports
    own = gram(kernel, normalized, supports, supports)
    for i, slot in enumerate(slots):
        np.testing.assert_allclose(model.support_row(slot)[slots], own[i], rtol=1e-12)
        np.testing.assert_allclose(model.support_self_kernel(slot), own[i, i], rtol=1e-12)
        close(model.support_scores(slot), own[i] @ weights, np.abs(own[i]) @ np.abs(weights) + scale.max())


class TestAgainstGram:
    def test_random_trees(self, case):
        kernel, normalized = case
        rng = np.random.default_rng(0)
        forest, X = (forest_of(random_trees(rng, n)) for n in (40, 30))
        weights = rng.normal(size=(40, 3))
        model = model_of(kernel, normalized, forest, weights)
        check(model, kernel, normalized, {i: (forest[[i]], weights[i]) for i in range(40)}, X)
        selves = (Normalized(kernel) if normalized else kernel).diag(X)
        np.testing.assert_allclose(model.self_kernels(items(X)), selves, rtol=1e-12)
        np.testing.assert_allclose(model.self_kernel_batch(items(X), 2), selves, rtol=1e-12)

    @given(
        st.lists(trees(max_nodes=9), min_size=1, max_size=5),
        st.lists(trees(max_nodes=9), min_size=1, max_size=3),
        st.booleans(),
        st.booleans(),
    )
    def test_any_trees(self, supports, X, bag_of_words, normalized):
        kernel, forest = SubsetTree(bag_of_words=bag_of_words), forest_of(supports)
        weights = np.linspace(-1, 1, 2 * len(forest)).reshape(-1, 2)
        model = model_of(kernel, normalized, forest, weights)
        live = {i: (forest[[i]], weights[i]) for i in range(len(forest))}
        check(model, kernel, normalized, live, forest_of(X))

    def test_fewer_columns(self, case):
        kernel, normalized = case
        rng = np.random.default_rng(1)
        forest = forest_of(random_trees(rng, 10))
        weights = rng.normal(size=(10, 3))
        wide, narrow = (model_of(kernel, normalized, forest, weights[:, :n]) for n in (3, 1))
        np.testing.assert_array_equal(scores(wide, forest)[:, :1], scores(narrow, forest))

    @pytest.mark.shared_data
    def test_questions(self, data_folder, case):
        kernel, normalized = case
        forest = read_svmlight_tk(data_folder / "qc" / "train.ct.tk.gz")[0]
        supports, X = forest[:600], forest[3000:3100]
        weights = np.random.default_rng(2).normal(size=(600, 2))
        model = model_of(kernel, normalized, supports, weights)
        check(model, kernel, normalized, {i: (supports[[i]], weights[i]) for i in range(600)}, X)


class TestLongBatches:
    """Each distinct subtree of a long batch is matched once; norms and subtrees are kept with the batch."""

    @pytest.mark.parametrize("precision", ["growing", "double", "single"])
    @pytest.mark.parametrize("labels", ["ab", "abcdefgh"])  # trees with much and with little in common
    def test_a_score_does_not_depend_on_the_other_trees(self, case, precision, labels):
        kernel, normalized = case
        rng = np.random.default_rng(0)
        supports = forest_of(random_trees(rng, 60, labels))
        distinct = forest_of(random_trees(rng, 400, labels))
        X = distinct[np.sort(rng.integers(0, len(distinct), 3000))]  # equal trees are neighbours
        weights = rng.normal(size=(60, 2))
        model = model_of(kernel, normalized, supports, weights)
        if precision != "growing":
            model.freeze(precision == "single")
        batch = items(X)
        whole = model.score_batch(batch, 1)
        np.testing.assert_array_equal(model.score_batch(batch, 2), whole)
        np.testing.assert_array_equal(model.scores(batch), whole)
        pieces = [model.score_batch(items(X[i : i + 20]), 1) for i in range(0, len(X), 20)]
        np.testing.assert_array_equal(np.concatenate(pieces), whole)
        K = gram(kernel, normalized, X, supports)
        tolerance = 1e-5 if precision == "single" else 1e-12
        close(whole.reshape(-1, 2), K @ weights, np.abs(K) @ np.abs(weights), tolerance)

    @pytest.mark.parametrize("single", [False, True])
    def test_a_known_subtree_under_a_rare_node(self, case, single):
        kernel, normalized = case
        phrases = [f"(A (B b{i}) (C c{j}))" for i in range(20) for j in range(20)]
        supports = Forest([f"(S {phrase})" for phrase in phrases] + [f"(R {phrases[21]} (D d))"])
        X = Forest(
            [f"(S {phrases[i // 8 % 60]})" for i in range(3000)] + [f"(R {p} (D d))" for p in phrases[:60]]
        )
        weights = np.random.default_rng(0).normal(size=(len(supports), 1))
        model = model_of(kernel, normalized, supports, weights)
        model.freeze(single)
        K = gram(kernel, normalized, X, supports)
        whole = model.score_batch(items(X), 1)
        close(whole, (K @ weights)[:, 0], (np.abs(K) @ np.abs(weights))[:, 0], 1e-5 if single else 1e-12)
        pieces = [model.score_batch(items(X[i : i + 20]), 1) for i in range(0, len(X), 20)]
        np.testing.assert_array_equal(np.concatenate(pieces), whole)

    @pytest.mark.parametrize("precision", ["growing", "double", "single"])
    def test_more_vectors_than_are_kept(self, precision):
        rng = np.random.default_rng(0)

        def some(n):
            words = rng.integers(0, 50, (n, 35, 2))
            return [f"(T {' '.join(f'(S (A a{i}) (B b{j}))' for i, j in row)})" for row in words]

        supports, X = Forest(some(60)), Forest([tree for tree in some(550) for _ in range(4)])
        model = model_of(SubsetTree(), True, supports, rng.normal(size=(60, 1)))
        if precision != "growing":
            model.freeze(precision == "single")
        whole = model.score_batch(items(X), 1)
        np.testing.assert_array_equal(model.scores(items(X)), whole)
        pieces = [model.score_batch(items(X[i : i + 20]), 1) for i in range(0, len(X), 20)]
        np.testing.assert_array_equal(np.concatenate(pieces), whole)

    def test_a_model_that_changes_in_between(self, case):
        """Every kind of change, in a pass that remembers and in pieces that do not."""
        kernel, normalized = case
        rng = np.random.default_rng(0)
        distinct = forest_of(random_trees(rng, 300, "abc"))
        X = distinct[np.sort(rng.integers(0, len(distinct), 3000))]
        start = forest_of(random_trees(rng, 4, "ab"))
        kernel = Normalized(kernel) if normalized else kernel
        learners = [PassiveAggressive(kernel, averaging="average"), Perceptron(kernel, averaging="vote")]
        if normalized:
            learners.append(Forgetron(kernel, budget=30))
        y = np.array(["x", "y", "z"])[rng.integers(0, 3, len(X))]
        for learner in learners:
            whole, pieces = clone(learner), clone(learner)
            for model in (whole, pieces):
                model.partial_fit(start, ["x", "y", "z", "x"], classes=["x", "y", "z"])
            whole.partial_fit(X, y)
            for i in range(0, len(X), 100):
                pieces.partial_fit(X[i : i + 100], y[i : i + 100])
            np.testing.assert_array_equal(
                whole.decision_function(distinct), pieces.decision_function(distinct)
            )

    def test_norms_belong_to_their_kernel_and_trees(self):
        rng = np.random.default_rng(0)
        forest = forest_of(random_trees(rng, 50))
        batch, some = items(forest), np.array([40, 3, 17])
        for kernel in (SubsetTree(), SubsetTree(decay=0.9), SubsetTree(bag_of_words=True), PartialTree()):
            model = model_of(kernel, True, forest, np.ones((50, 1)))
            expected = Normalized(kernel)(forest).sum(axis=1)
            for _ in range(2):
                np.testing.assert_allclose(model.score_batch(batch, 1), expected, rtol=1e-12)
            np.testing.assert_allclose(model.score_batch(batch.select(some), 1), expected[some], rtol=1e-12)


class TestChanges:
    """Random sequences of put, add_weight and erase, over several vocabularies."""

    @pytest.mark.parametrize("seed", range(3))
    def test_any_order(self, case, seed):
        kernel, normalized = case
        rng = np.random.default_rng(seed)
        # Forests with vocabularies of their own, whose ids mean different things.
        pool = [forest_of(random_trees(rng, 40, labels)) for labels in ("abcd", "dcba", "bxay", "zzab")]
        X = pool[0][:8]
        model, live = empty_model(kernel, normalized, 2), {}
        garbage = []
        for step in range(1500):
            action = rng.random()
            if action < 0.5 and len(live) < 25:
                free = [slot for slot in range(model.slots + 1) if slot not in live]
                slot, source = int(rng.choice(free)), pool[rng.integers(len(pool))]
                item = int(rng.integers(len(source)))
                model.put(slot, items(source), item)
                live[slot] = (source[[item]], np.zeros(2))
            elif action < 0.75 and live:
                slot, column, delta = int(rng.choice(list(live))), int(rng.integers(2)), float(rng.normal())
                model.add_weight(slot, column, delta)
                live[slot][1][column] += delta
            elif live:
                slot = int(rng.choice(list(live)))
                model.erase(slot)
                del live[slot]
            if step % 150 == 149:
                check(model, kernel, normalized, live, X)
                garbage.append(int(model.save()["garbage"][0]))
        # Erased trees were dropped at some time.
        assert garbage != sorted(garbage)

    def test_what_was_erased_weighs_nothing(self, case):
        kernel, normalized = case
        rng = np.random.default_rng(3)
        forest = forest_of(random_trees(rng, 30))
        model = empty_model(kernel, normalized)
        for i in range(30):
            model.put(i, items(forest), i)
            model.add_weight(i, 0, rng.normal())
        for i in rng.permutation(30):
            model.erase(i)
        np.testing.assert_array_equal(scores(model, forest), 0)

    def test_errors(self):
        model, forest = empty_model(SubsetTree(), False), Forest(["(A b)", "(A c)"])
        model.put(0, items(forest), 0)
        with pytest.raises(ValueError, match="slot 0 is neither free nor the next"):
            model.put(0, items(forest), 1)
        model.erase(0)
        for call in (model.erase, model.support_row, model.support_scores, model.support_self_kernel):
            with pytest.raises(ValueError, match="slot 0 holds no support"):
                call(0)
        with pytest.raises(ValueError, match="slot 0 holds no support"):
            model.add_weight(0, 0, 1.0)
        with pytest.raises(ValueError, match="slot 0 holds no support"):
            model.supports(np.array([0], dtype=np.int32))
        with pytest.raises(ValueError, match="the model takes trees, got vectors"):
            model.scores(_core.DenseItems(np.zeros((1, 1))))
        with pytest.raises(ValueError, match="the model takes trees, got vectors"):
            model.score_batch(_core.DenseItems(np.zeros((1, 1))), 1)


class TestUnusualTrees:
    def test_empty_trees_and_single_nodes(self, case):
        kernel, normalized = case
        # Nothing, (A), (A b) and (A (B c)).
        forest = Forest.from_postorder([*"A", *"bA", *"cBA"], [0, 0, 1, 0, 1, 1], [0, 1, 2, 3])
        weights = np.array([[1.0], [2.0], [3.0], [4.0]])
        model = model_of(kernel, normalized, forest, weights)
        check(model, kernel, normalized, {i: (forest[[i]], weights[i]) for i in range(4)}, forest)
        check(empty_model(kernel, normalized), kernel, normalized, {}, forest)

    def test_one_label_inside_and_as_a_leaf(self, case):
        kernel, normalized = case
        forest = Forest(["(A (A a))", "(A A)", "(A (A A) A)", "(A (A A) (A (A b)))"])
        weights = np.array([[1.0], [-2.0], [3.0], [4.0]])
        model = model_of(kernel, normalized, forest, weights)
        check(model, kernel, normalized, {i: (forest[[i]], weights[i]) for i in range(4)}, forest)

    @pytest.mark.parametrize("normalized", [False, True])
    def test_deep_chains(self, normalized):
        def chain(depth):
            return "(A " * depth + "b" + ")" * depth

        kernel, forest = SubsetTree(), Forest([chain(n) for n in (3000, 2999, 7)])
        weights = np.array([[1.0], [-1.0], [0.5]])
        model = model_of(kernel, normalized, forest, weights)
        check(model, kernel, normalized, {i: (forest[[i]], weights[i]) for i in range(3)}, forest)

    def test_very_deep_chain(self):
        depth = 100_000
        deep, flat = Forest(["(A " * depth + "b" + ")" * depth]), Forest(["(A b)", "(A (A b))"])
        model = model_of(SubsetTree(), False, flat, np.ones((2, 1)))
        expected = SubsetTree()(deep, flat).sum()
        np.testing.assert_allclose(scores(model, deep), expected)
        model.put(2, items(flat), 0)
        model.freeze(True)
        np.testing.assert_allclose(model.score_batch(items(deep), 1), expected)


def full_binary_trees():
    """Trees with self-kernels far beyond 1e308 at decay 1, and with ordinary ones."""
    return Forest([full_binary_tree(height) for height in (12, 11, 4, 1)])


class TestBeyondDoubles:
    kernel = SubsetTree(decay=1.0)

    def test_normalised(self):
        forest = full_binary_trees()
        weights = np.array([[1.0], [2.0], [-3.0], [4.0]])
        model = model_of(self.kernel, True, forest, weights)
        live = {i: (forest[[i]], weights[i]) for i in range(4)}
        check(model, self.kernel, True, live, forest)
        model.erase(0)
        del live[0]
        check(model, self.kernel, True, live, forest)
        copy = model.load(1, model.save())
        check(copy, self.kernel, True, live, forest)

    def test_norms_close_to_zero(self):
        kernel, forest = SubsetTree(decay=1e-300), Forest(["(A (B c))", "(A (B d))", "(B c)"])
        weights = np.array([[1.0], [2.0], [-3.0]])
        model = model_of(kernel, True, forest, weights)
        check(model, kernel, True, {i: (forest[[i]], weights[i]) for i in range(3)}, forest)

    def test_overflow(self):
        forest = full_binary_trees()
        model = model_of(self.kernel, False, forest, np.ones((4, 1)))
        large, small = items(forest[:1]), items(forest[3:])
        for call in (
            model.scores,
            model.rows,
            model.self_kernels,
            lambda X: model.score_batch(X, 1),
            lambda X: model.row_batch(X, 1),
            lambda X: model.self_kernel_batch(X, 1),
        ):
            with pytest.raises(OverflowError, match=r"too large for float64; use Normalized\(kernel\)"):
                call(large)
            assert np.isfinite(call(small)).all()
        with pytest.raises(OverflowError, match="too large"):
            model.support_self_kernel(0)

    def test_what_was_erased_does_not_overflow(self):
        forest = full_binary_trees()
        model = model_of(self.kernel, False, forest, np.ones((4, 1)))
        model.erase(0)
        model.erase(1)
        K = self.kernel(forest[:1], forest[2:])
        np.testing.assert_allclose(scores(model, forest[:1]), K.sum(axis=1, keepdims=True))


class TestCopies:
    def test_goes_on_bit_by_bit(self, case):
        kernel, normalized = case
        rng = np.random.default_rng(5)
        forest = forest_of(random_trees(rng, 60))
        model, live = empty_model(kernel, normalized, 2), set()
        rebuilt = False
        for step in range(3000):
            if step in (400, 2000):
                # What the original knows by then, saved and restored.
                arrays = model.save()
                model, original = model.load(2, arrays), model
                again = model.save()
                assert arrays.keys() == again.keys()
                for name, array in arrays.items():
                    np.testing.assert_array_equal(again[name], array)
                for change in changes(np.random.default_rng(step), set(live), 1000):
                    # Far enough for the model to be built anew.
                    for copy in (original, model):
                        apply(copy, change, forest)
                np.testing.assert_array_equal(scores(model, forest), scores(original, forest))
                np.testing.assert_array_equal(model.rows(items(forest)), original.rows(items(forest)))
                live = {int(slot) for slot in model.save()["order"]}
                rebuilt = rebuilt or model.save()["garbage"][0] < arrays["garbage"][0]
            for change in changes(rng, live, 1):
                apply(model, change, forest)
        assert rebuilt

    def test_corrupted(self, case):
        kernel, normalized = case
        rng = np.random.default_rng(6)
        forest = forest_of(random_trees(rng, 12))
        model = model_of(kernel, normalized, forest, rng.normal(size=(12, 1)))
        model.erase(3)
        arrays = model.save()
        X = items(forest)
        rejected = 0
        for _ in range(1500):
            damaged = {name: array.copy() for name, array in arrays.items()}
            name = str(rng.choice(list(damaged)))
            array = damaged[name]
            kind = rng.integers(4)
            if kind == 0:
                del damaged[name]
            elif kind == 1:
                damaged[name] = array[: rng.integers(len(array) + 1)]
            elif kind == 2 and len(array):
                array[rng.integers(len(array))] = rng.choice(
                    [-1, 0, 1, 5, 100] if array.dtype == np.uint8 else [-2, -1, 0, 1, 7, 2**31 - 1]
                ).astype(array.dtype)
            else:
                damaged[name] = np.concatenate([array, array[:1]])
            try:
                copy = model.load(1, damaged)
            except ValueError:
                rejected += 1
                continue
            # Whatever was accepted works.
            copy.scores(X)
            copy.rows(X)
            for slot in list(copy.save()["order"]):
                copy.erase(slot)
            np.testing.assert_array_equal(copy.scores(X), 0)
        assert rejected > 800

    def test_names_what_is_wrong(self):
        model = model_of(SubsetTree(), True, Forest(["(A (B c))"]), np.ones((1, 1)))
        arrays = model.save()
        for name in arrays.keys() - {"places", "joined"}:  # which earlier versions had not
            with pytest.raises(ValueError, match=f"the model lacks {name}"):
                model.load(1, {other: array for other, array in arrays.items() if other != name})
        with pytest.raises(ValueError, match="joined has the wrong length"):
            model.load(2, {**arrays, "coefficients": np.zeros(2)})
        with pytest.raises(ValueError, match="weights has values that are not finite"):
            model.load(1, {**arrays, "weights": np.full_like(arrays["weights"], np.nan)})


def changes(rng, live, n):
    """Random changes of a model with 60 items and the supports `live`, which is kept up to date."""
    for _ in range(n):
        action = rng.random()
        if action < 0.45 and len(live) < 20:
            slot = min(set(range(len(live) + 1)) - live)
            live.add(slot)
            yield "put", slot, int(rng.integers(60))
        elif action < 0.7 and live:
            yield "add_weight", int(rng.choice(list(live))), int(rng.integers(2)), float(rng.normal())
        elif live:
            slot = int(rng.choice(list(live)))
            live.remove(slot)
            yield "erase", slot


def apply(model, change, forest):
    name, *arguments = change
    if name == "put":
        model.put(arguments[0], items(forest), arguments[1])
    else:
        getattr(model, name)(*arguments)


class TestThreads:
    def test_their_number_does_not_matter(self, case):
        kernel, normalized = case
        rng = np.random.default_rng(7)
        forest, X = (forest_of(random_trees(rng, n)) for n in (50, 300))
        model = model_of(kernel, normalized, forest, rng.normal(size=(50, 2)))
        for single in (None, False, True):
            if single is not None:
                model.freeze(single)
            one, two = (model.score_batch(items(X), threads) for threads in (1, 2))
            np.testing.assert_array_equal(one, two)


class TestFrozen:
    def check(self, kernel, normalized, forest, X, columns):
        weights = np.random.default_rng(8).normal(size=(len(forest), columns))
        K = gram(kernel, normalized, X, forest)
        expected, scale = K @ weights, np.abs(K) @ np.abs(weights)
        model = model_of(kernel, normalized, forest, weights)
        for single, tolerance in ((False, 1e-12), (True, 1e-5)):
            model.freeze(single)
            close(model.score_batch(items(X), 1).reshape(expected.shape), expected, scale, tolerance)
        # Learning may go on.
        model.add_weight(0, 0, 5.0)
        weights[0, 0] += 5
        close(
            model.score_batch(items(X), 1).reshape(expected.shape), K @ weights, np.abs(K) @ np.abs(weights)
        )

    @pytest.mark.parametrize("columns", [1, 3])
    def test_random_trees(self, case, columns):
        rng = np.random.default_rng(9)
        self.check(*case, *(forest_of(random_trees(rng, n, "abc")) for n in (200, 60)), columns)

    @given(
        st.lists(trees(max_nodes=9), min_size=1, max_size=5),
        st.lists(trees(max_nodes=9), min_size=1, max_size=3),
    )
    @settings(max_examples=50)
    def test_any_trees(self, supports, X):
        self.check(SubsetTree(bag_of_words=True), True, forest_of(supports), forest_of(X), 2)

    def test_beyond_doubles(self):
        forest = full_binary_trees()
        self.check(SubsetTree(decay=1.0), True, forest, forest, 1)

    def test_too_large_for_single(self):
        forest = Forest([full_binary_tree(h) for h in (8, 7, 4, 1)])
        self.check(SubsetTree(decay=1.0), False, forest, forest, 1)

    @pytest.mark.shared_data
    def test_questions(self, data_folder, case):
        forest = read_svmlight_tk(data_folder / "qc" / "train.ct.tk.gz")[0]
        self.check(*case, forest[:1500], forest[3000:3100], 2)
