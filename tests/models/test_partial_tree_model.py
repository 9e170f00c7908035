"""Expansions under the partial tree kernel, against sums over rows of its Gram matrix."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hedgerow import Forest
from hedgerow.datasets import load_questions
from hedgerow.io import read_svmlight_tk
from hedgerow.kernels import Normalized, PartialTree
from tests.strategies import brackets, random_trees, trees

KERNELS = [
    PartialTree(),
    PartialTree(decay=1.0, vertical_decay=1.0),
    PartialTree(lexical=False),
    PartialTree(max_length=1),
    PartialTree(max_length=2, lexical=False),
    PartialTree(terminal_factor=0.5),
    PartialTree(terminal_factor=3.0, decay=0.7),
]
VARIANTS = [
    pytest.param(kernel, normalized, id=f"{kernel}-{normalized}")
    for kernel in KERNELS
    for normalized in (False, True)
]
COLUMNS = 3


class Pair:
    """A model, and the same as a plain list of supports and a matrix of weights."""

    def __init__(self, kernel, normalized, columns=COLUMNS):
        self.kernel = Normalized(kernel) if normalized else kernel
        self.prepare = lambda trees: kernel._items(kernel._prepare(trees))
        self.back = kernel._from_items
        self.model = kernel._model(normalized).empty(columns)
        self.columns = columns
        self.trees = []  # by slot, None for free ones
        self.weights = np.zeros((0, columns))
        self.ever = 0.0  # absolute values of all weights that were ever added

    def put(self, forest, item, weights=None):
        """Into the first free slot; returns it."""
        slot = self.trees.index(None) if None in self.trees else len(self.trees)
        self.model.put(slot, self.prepare(forest), item)
        if slot == len(self.trees):
            self.trees.append(None)
            self.weights = np.vstack([self.weights, np.zeros(self.columns)])
        self.trees[slot] = forest[item : item + 1].to_brackets()[0]
        if weights is not None:
            for column, weight in enumerate(weights):
                self.add_weight(slot, column, weight)
        return slot

    def add_weight(self, slot, column, delta):
        self.model.add_weight(slot, column, delta)
        self.weights[slot, column] += delta
        self.ever += abs(delta)

    def erase(self, slot):
        self.model.erase(slot)
        self.trees[slot] = None
        self.weights[slot] = 0

    @property
    def taken(self):
        return [slot for slot, tree in enumerate(self.trees) if tree is not None]

    def check(self, forest, rtol=1e-12):
        """All that the model can say about these trees and about its supports."""
        taken, items = self.taken, self.prepare(forest)
        supports = Forest([self.trees[slot] for slot in taken])
        K, weights = self.kernel(forest, supports), self.weights[taken]
        assert self.model.slots == len(self.trees)
        for rows in (self.model.rows(items), self.model.row_batch(items, 1)):
            assert_close(rows.reshape(len(forest), -1)[:, taken], K, K, rtol)
        # Weights that came and went leave what rounding made of them.
        scale = K @ np.abs(weights) + self.ever
        for scores in (self.model.scores(items), self.model.score_batch(items, 1)):
            assert_close(scores.reshape(len(forest), -1), K @ weights, scale, rtol)
        diagonal = self.kernel.diag(forest)
        np.testing.assert_allclose(self.model.self_kernels(items), diagonal, rtol=rtol)
        np.testing.assert_allclose(self.model.self_kernel_batch(items, 1), diagonal, rtol=rtol)
        assert (
            self.back(self.model.supports(np.array(taken, np.int32))).to_brackets() == supports.to_brackets()
        )
        among = self.kernel(supports)
        for i, slot in enumerate(taken):
            assert_close(self.model.support_row(slot)[taken], among[i], among[i], rtol)
            assert_close(
                self.model.support_scores(slot),
                among[i] @ weights,
                among[i] @ np.abs(weights) + self.ever,
                rtol,
            )
        selves = [self.model.support_self_kernel(slot) for slot in taken]
        np.testing.assert_allclose(selves, self.kernel.diag(supports), rtol=rtol)


def assert_close(actual, expected, scale, rtol):
    """Relative to the sum of the absolute values of what was added up."""
    np.testing.assert_array_less(np.abs(actual - expected), rtol * np.abs(scale) + 1e-300)


def random_forest(rng, n, **options):
    return Forest([brackets(tree) for tree in random_trees(rng, n, **options)])


def filled(kernel, normalized, rng, n=40, columns=COLUMNS):
    pair = Pair(kernel, normalized, columns)
    forest = random_forest(rng, n)
    for item in range(n):
        pair.put(forest, item, rng.normal(size=columns))
    return pair


# -- against the Gram matrix ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kernel", "normalized"), VARIANTS)
def test_rows_scores_and_supports_are_those_of_the_kernel(kernel, normalized):
    rng = np.random.default_rng(0)
    pair = filled(kernel, normalized, rng)
    pair.check(random_forest(rng, 20))


# None so small that a sum with others would lose it.
WEIGHTS = st.integers(-2000, 2000).map(lambda thousandths: thousandths / 1000)


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_any_sequence_of_changes(data):
    kernel = data.draw(st.sampled_from(KERNELS))
    pair = Pair(kernel, data.draw(st.booleans()))
    for _ in range(data.draw(st.integers(1, 12))):
        action = data.draw(st.sampled_from(["put", "put", "add_weight", "erase"]))
        if action == "put" or not pair.taken:
            tree = data.draw(trees())
            pair.put(Forest([brackets(tree)]), 0, data.draw(st.tuples(*[st.integers(-3, 3)] * COLUMNS)))
        elif action == "add_weight":
            slot = data.draw(st.sampled_from(pair.taken))
            pair.add_weight(slot, data.draw(st.integers(0, COLUMNS - 1)), data.draw(WEIGHTS))
        else:
            pair.erase(data.draw(st.sampled_from(pair.taken)))
    if pair.taken:
        pair.check(Forest([brackets(tree) for tree in data.draw(st.lists(trees(), min_size=1, max_size=3))]))


@pytest.mark.parametrize("normalized", [False, True])
def test_rebuilding_keeps_the_functions(normalized):
    # Thousands of nodes are erased, so that the model starts afresh several times.
    rng = np.random.default_rng(1)
    pair = Pair(PartialTree(), normalized)
    test = random_forest(rng, 5, labels="abcdef")
    for _ in range(6):
        forest = random_forest(rng, 150, labels="abcdef")
        for item in range(len(forest)):
            pair.put(forest, item, rng.normal(size=COLUMNS))
        for slot in rng.permutation(pair.taken)[:140]:
            pair.erase(int(slot))
        pair.check(test)


def test_vocabularies_may_differ():
    pair = Pair(PartialTree(), False)
    pair.put(Forest(["(S (NP (N dog)) (VP (V barks)))"]), 0, [1, 2, 3])
    pair.put(Forest(["(VP (V sings) (NP (N dog)))", "(X y)"]), 0, [3, 2, 1])
    pair.check(Forest(["(X (Q r))", "(S (VP (V barks)) (NP (N dog)))", "(VP (V sings) (NP (N bird)))"]))
    # Unknown to the model first, then known: what was remembered of a production must not go stale.
    later = Forest(["(S (A b) (A c))", "(S (A b) (A d))"])
    pair.check(later)
    pair.put(later, 0, [1, 1, 1])
    pair.check(later)
    pair.put(Forest(["(S (A d) (E f))"]), 0, [1, 1, 1])
    pair.check(later)


def test_a_batch_that_stays_open_sees_new_supports():
    # The same items are scored again and again while the model grows, as learners do.
    rng = np.random.default_rng(2)
    forest = random_forest(rng, 60, labels="abcdefghij")
    pair = Pair(PartialTree(), True)
    for item in range(len(forest)):
        pair.put(forest, item, rng.normal(size=COLUMNS))
        if item % 10 == 0:
            pair.check(forest[:12])


def test_empty_trees_and_empty_models():
    kernel = PartialTree()
    for normalized in (False, True):
        pair = Pair(kernel, normalized)
        empty = Forest.from_postorder(["b", "a", "c"], [0, 1, 0], [2, 0, 1])  # (a b), nothing, (c)
        assert pair.model.scores(pair.prepare(empty)).tolist() == [0] * 9
        assert pair.model.score_batch(pair.prepare(empty[:0]), 2).size == 0
        for item in range(len(empty)):
            pair.put(empty, item, [1, -2, 0.5])
        items = pair.prepare(empty)
        assert np.isfinite(pair.model.rows(items)).all()
        assert pair.model.rows(items).reshape(3, 3)[1].tolist() == [0, 0, 0]
        assert pair.model.self_kernels(items)[1] == 0


def test_norms_of_zero_give_zero():
    pair = Pair(PartialTree(lexical=False), True)
    forest = Forest(["(a)", "(a b)", "(a (b c))"])
    for item in range(3):
        pair.put(forest, item, [1, 2, 3])
    pair.check(forest)
    assert pair.model.support_self_kernel(0) == 0
    assert pair.model.support_row(0).tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    "kernel", [PartialTree(), PartialTree(lexical=False), PartialTree(terminal_factor=0.5)]
)
def test_rows_do_not_depend_on_other_supports(kernel):
    """To the last bit, though the more supports there are, the fewer nodes match one subtree only."""
    forest = load_questions()[0][:60]
    alone, together = Pair(kernel, True), Pair(kernel, True)
    for item in range(60):
        together.put(forest, item, [1, 0, 0])
    for item in range(0, 60, 7):
        alone.put(forest, item, [1, 0, 0])
    expected = together.model.rows(together.prepare(forest)).reshape(60, 60)[:, ::7]
    np.testing.assert_array_equal(alone.model.rows(alone.prepare(forest)).reshape(60, -1), expected)


# -- shapes and sizes -------------------------------------------------------------------------------------------------


def test_deep_chains():
    depth = 20_000  # no recursion over the depth; many labels, so that few nodes match
    chain = "".join(f"(l{i % 400} " for i in range(depth)) + "x" + ")" * depth
    pair = Pair(PartialTree(), True)
    forest = Forest([chain, "(l0 (l1 (l2 x)))"])
    for item in range(2):
        pair.put(forest, item, [1, 2, 3])
    np.testing.assert_allclose(pair.model.rows(pair.prepare(forest)), pair.kernel(forest).ravel(), rtol=1e-12)
    pair.erase(0)
    assert pair.model.rows(pair.prepare(forest))[3] == pytest.approx(1)


@pytest.mark.parametrize("max_length", [None, 2])
def test_wide_nodes(max_length):
    rng = np.random.default_rng(3)
    pair = Pair(PartialTree(max_length=max_length), False)
    for n in (1, 8, 64, 65, 300):
        pair.put(Forest([f"(a {' '.join(rng.choice(['b', '(c d)', 'e'], n))})"]), 0, rng.normal(size=3))
    pair.check(Forest([f"(a {' '.join(rng.choice(['b', '(c d)', 'f'], 40))})"]))


def test_many_subtrees_of_one_production():
    # A production outgrows its blocks again and again.
    rng = np.random.default_rng(4)
    pair = Pair(PartialTree(), True)
    forest = Forest([f"(a (b w{i % 23}) (b w{i % 29}) (c (b w{i % 7})))" for i in range(300)])
    for item in rng.permutation(len(forest)):
        pair.put(forest, int(item), rng.normal(size=3))
    pair.check(forest[:10])


def test_values_beyond_doubles_raise_unless_normalised():
    wide = Forest([f"(a {'(b c) ' * 600})", "(a (b c))", "(d e)"])
    kernel = PartialTree(decay=1.0, vertical_decay=1.0)
    plain = Pair(kernel, False)
    plain.put(wide, 1, [1, 1, 1])
    with pytest.raises(OverflowError, match="too large"):
        plain.put(wide, 0)
    with pytest.raises(OverflowError, match="too large"):
        plain.model.self_kernels(plain.prepare(wide))
    plain.check(wide[1:])  # as if nothing had happened
    pair = Pair(kernel, True)
    for item in range(3):
        pair.put(wide, item, [1, -1, 0.5])
    pair.check(wide, rtol=1e-9)
    for single in (False, True):
        pair.model.freeze(single)
        pair.check(wide, rtol=1e-9)
    pair.erase(0)
    pair.check(wide, rtol=1e-9)


def test_scores_beyond_doubles_raise():
    pair = Pair(PartialTree(), False)
    forest = Forest(["(a b)"])
    pair.put(forest, 0, [1e308, 0, 0])
    pair.add_weight(0, 1, 1e308)
    items = pair.prepare(Forest([f"(a {' '.join('b' * 200)})"]))
    with pytest.raises(OverflowError, match="too large"):
        pair.model.scores(items)


# -- copies -----------------------------------------------------------------------------------------------------------


def assert_same_bits(model, other, items):
    for ask in (lambda m: m.scores(items), lambda m: m.rows(items), lambda m: m.score_batch(items, 1)):
        assert ask(model).tobytes() == ask(other).tobytes()
    state, other_state = model.save(), other.save()
    assert state.keys() == other_state.keys()
    for name in state:
        assert state[name].dtype == other_state[name].dtype
        assert state[name].tobytes() == other_state[name].tobytes(), name


@pytest.mark.parametrize(("kernel", "normalized"), VARIANTS[:6])
def test_a_restored_model_goes_on_bit_by_bit(kernel, normalized):
    rng = np.random.default_rng(5)
    pair = Pair(kernel, normalized)
    test = pair.prepare(random_forest(rng, 5))
    copy, rebuilt = None, 0
    for step in range(900):
        forest = random_forest(rng, 1)
        items, weights = pair.prepare(forest), rng.normal(size=COLUMNS)
        models = [pair.model] if copy is None else [pair.model, copy]
        slot = pair.put(forest, 0)
        for model in models[1:]:
            model.put(slot, items, 0)
        for model in models:
            for column in range(COLUMNS):
                model.add_weight(slot, column, weights[column])
        while len(pair.taken) > 30:
            victim = int(rng.choice(pair.taken))
            pair.erase(victim)
            for model in models[1:]:
                model.erase(victim)
        if step == 300:
            copy = pair.model.load(COLUMNS, pair.model.save())
            garbage = pair.model.save()["supports.garbage"]
            assert garbage > 0
        if step > 300 and step % 30 == 0:
            state = pair.model.save()
            rebuilt += state["supports.garbage"] < garbage
            garbage = state["supports.garbage"]
            assert_same_bits(pair.model, copy, test)
    assert rebuilt > 0


def test_saving_does_not_change_and_columns_are_checked():
    rng = np.random.default_rng(6)
    pair = filled(PartialTree(), True, rng)
    before = pair.model.save()
    pair.model.freeze(True)
    after = pair.model.save()
    assert all(before[name].tobytes() == after[name].tobytes() for name in before)
    with pytest.raises(ValueError, match="wrong length"):
        pair.model.load(COLUMNS + 1, before)


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("weights", lambda a: a[:-1], "wrong length"),
        ("weights", lambda a: a * np.nan, "not finite"),
        ("subtrees.weights", lambda a: a[1:], "wrong length"),
        ("subtrees.weights", lambda a: a * np.inf, "finite"),
        ("subtrees.internal_weights", lambda a: a[1:], "wrong length"),
        ("subtrees.internal_weights", lambda a: a * np.nan, "finite"),
        ("subtrees.labels", lambda a: a + 1000, "unknown label"),
        ("subtrees.labels", lambda a: a - 1000, "unknown label"),
        ("subtrees.labels", lambda a: a.astype(np.int64), "wrong type"),
        ("subtrees.labels", lambda a: np.roll(a, 1), "subtrees"),
        ("subtrees.arities", lambda a: a - 1, "do not fit"),
        ("subtrees.arities", lambda a: a + 1, "subtrees"),
        ("subtrees.children", lambda a: a[:-1], "do not fit"),
        ("subtrees.children", lambda a: np.append(a, a[:1]), "do not fit"),
        ("subtrees.children", lambda a: a * 0 - 1, "before its children"),
        ("subtrees.children", lambda a: a + 10_000, "before its children"),
        ("subtrees.children", lambda a: a * 0, "subtrees"),
        ("supports.tree_sizes", lambda a: a + 1, "a tree does not end"),
    ],
)
def test_damaged_states_are_rejected(name, change, message):
    pair = filled(PartialTree(), True, np.random.default_rng(7), n=12)
    state = dict(pair.model.save())
    state[name] = change(state[name])
    with pytest.raises(ValueError, match=message):
        pair.model.load(COLUMNS, state)
    del state[name]
    with pytest.raises(ValueError, match=f"lacks {name}"):
        pair.model.load(COLUMNS, state)


def test_subtrees_of_supports_must_be_there():
    pair = Pair(PartialTree(), False)
    pair.put(Forest(["(a b)", "(a b)"]), 0, [1, 2, 3])
    state = dict(pair.model.save())
    for name, length in (("labels", 1), ("arities", 1), ("children", 0), ("weights", 3)):
        state["subtrees." + name] = state["subtrees." + name][:length]
    with pytest.raises(ValueError, match="lacks a subtree"):
        pair.model.load(COLUMNS, state)


# -- misuse -----------------------------------------------------------------------------------------------------------


def test_free_slots_are_refused():
    pair = Pair(PartialTree(), True)
    forest = Forest(["(a b)", "(a c)"])
    pair.put(forest, 0)
    with pytest.raises(ValueError, match="slot 0"):
        pair.model.put(0, pair.prepare(forest), 1)
    pair.model.erase(0)
    for ask in (
        lambda m: m.erase(0),
        lambda m: m.add_weight(0, 0, 1.0),
        lambda m: m.support_row(0),
        lambda m: m.support_scores(0),
        lambda m: m.support_self_kernel(0),
        lambda m: m.supports(np.zeros(1, np.int32)),
    ):
        with pytest.raises(ValueError, match="slot 0 holds no support"):
            ask(pair.model)


# -- prediction -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kernel", "normalized"), VARIANTS)
def test_frozen_models(kernel, normalized):
    rng = np.random.default_rng(8)
    pair = filled(kernel, normalized, rng)
    for slot in range(0, 30, 3):
        pair.erase(slot)
    forest = random_forest(rng, 30)
    items, taken = pair.prepare(forest), pair.taken
    K = pair.kernel(forest, Forest([pair.trees[slot] for slot in taken]))
    expected, scale = K @ pair.weights[taken], K @ np.abs(pair.weights[taken])
    for single, rtol in ((False, 1e-12), (True, 1e-5)):
        pair.model.freeze(single)
        assert_close(pair.model.score_batch(items, 1).reshape(30, -1), expected, scale, rtol)
    pair.put(forest, 0, [1, 2, 3])  # a change undoes the freezing
    pair.check(forest[:3])


@pytest.mark.parametrize("frozen", [None, False, True])
def test_results_do_not_depend_on_threads(frozen):
    rng = np.random.default_rng(9)
    pair = filled(PartialTree(), True, rng, n=60)
    if frozen is not None:
        pair.model.freeze(frozen)
    items = pair.prepare(random_forest(rng, 50))
    for ask in (pair.model.score_batch, pair.model.row_batch, pair.model.self_kernel_batch):
        assert ask(items, 1).tobytes() == ask(items, 4).tobytes()


@pytest.mark.shared_data
@pytest.mark.parametrize("normalized", [False, True])
@pytest.mark.parametrize("lexical", [False, True])
def test_questions(data_folder, lexical, normalized):
    questions = read_svmlight_tk(data_folder / "qc" / "train.ct.tk.gz")[0]
    rng = np.random.default_rng(10)
    pair = Pair(PartialTree(lexical=lexical), normalized, columns=2)
    for item in range(700):
        pair.put(questions, item, rng.normal(size=2))
    for slot in rng.permutation(700)[:400]:
        pair.erase(int(slot))
    test = questions[1000:1100]
    pair.check(test[:20])
    items, taken = pair.prepare(test), pair.taken
    K = pair.kernel(test, Forest([pair.trees[slot] for slot in taken]))
    expected, scale = K @ pair.weights[taken], K @ np.abs(pair.weights[taken])
    for single, rtol in ((False, 1e-12), (True, 1e-5)):
        pair.model.freeze(single)
        assert_close(pair.model.score_batch(items, 2).reshape(100, -1), expected, scale, rtol)
