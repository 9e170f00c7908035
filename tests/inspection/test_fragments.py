"""Lists of fragments equal brute force on tiny trees."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hedgerow import Forest, Records
from hedgerow.datasets import load_questions
from hedgerow.inspection import fragments
from hedgerow.kernels import (
    RBF,
    Linear,
    Normalized,
    PartialTree,
    SubPath,
    SubsetTree,
    SubTree,
)
from hedgerow.models import Expansion
from hedgerow.online import OnlineLearner, PassiveAggressive, Perceptron, Projectron
from hedgerow.structured import Multiclass, StructuredSVM
from hedgerow.svm import SVC, CuttingPlaneSVC
from tests.inspection import brute_force
from tests.strategies import brackets, random_trees, trees

KERNELS = {
    "ST": SubTree(),
    "SST": SubsetTree(),
    "SST without decay": SubsetTree(decay=1.0),
    "SST-bow": SubsetTree(bag_of_words=True),
    "PT": PartialTree(),
    "PT without decay": PartialTree(decay=1.0, vertical_decay=1.0),
    "PT of pairs": PartialTree(max_length=2),
    "PT with terminals": PartialTree(terminal_factor=3.0),
    "PT with less terminals": PartialTree(terminal_factor=0.3),
    "uPT": PartialTree(lexical=False),
    "SubPath": SubPath(),
    "SubPath without decay": SubPath(decay=1.0),
}
ALL = [pytest.param(kernel, id=name) for name, kernel in KERNELS.items()]


def expansion(kernel, items, coefficients):
    model = Expansion(kernel)
    model.add([brackets(tree) for tree in items], coefficients)
    return model


def check_against_brute_force(kernel, items, coefficients, k, sign=None):
    expected = brute_force.weights(kernel, items, coefficients)
    found = fragments(expansion(kernel, items, coefficients), k, sign=sign)
    assert found.exact
    kept = [w for w in expected.values() if sign is None or (w > 0) == (sign == "for")]
    largest = sorted((abs(w) for w in kept if abs(w) > 1e-12), reverse=True)[:k]
    sizes = [abs(fragment.weight) for fragment in found if abs(fragment.weight) > 1e-12]
    np.testing.assert_allclose(sizes, largest, rtol=1e-9)
    inner = kernel.kernel if isinstance(kernel, Normalized) else kernel
    if getattr(inner, "terminal_factor", 1.0) == 1.0:
        keys = [brute_force.fragment_key(kernel, fragment) for fragment in found]
        assert len(set(keys)) == len(keys)
        for key, fragment in zip(keys, found, strict=True):
            assert fragment.weight == pytest.approx(expected[key], rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("kernel", ALL)
@given(items=st.lists(trees(max_nodes=7), min_size=1, max_size=4), data=st.data())
@settings(max_examples=25, deadline=None)
def test_the_list_is_that_of_brute_force(kernel, items, data):
    coefficients = data.draw(
        st.lists(st.floats(-2, 2).map(lambda x: round(x, 3)), min_size=len(items), max_size=len(items))
    )
    normalized = data.draw(st.booleans())
    sign = data.draw(st.sampled_from([None, "for", "against"]))
    k = data.draw(st.integers(1, 30))
    check_against_brute_force(Normalized(kernel) if normalized else kernel, items, coefficients, k, sign)


@pytest.mark.parametrize("kernel", ALL)
def test_trees_with_much_in_common(kernel):
    rng = np.random.default_rng(3)
    items = random_trees(rng, 12, labels="ab", max_nodes=9)
    check_against_brute_force(kernel, items, rng.normal(size=len(items)).round(3), 25)
    check_against_brute_force(Normalized(kernel), items, rng.normal(size=len(items)).round(3), 1)


@pytest.mark.parametrize("kernel", ALL)
def test_a_search_that_stops_says_what_it_may_have_missed(kernel):
    rng = np.random.default_rng(5)
    items = random_trees(rng, 10, labels="ab", max_nodes=9)
    coefficients = rng.normal(size=len(items))
    expected = brute_force.weights(kernel, items, coefficients)
    model = expansion(kernel, items, coefficients)
    for limit in (0, 1, 3, 10):
        found = fragments(model, 5, limit=limit)
        listed = [abs(fragment.weight) for fragment in found]
        missing = sorted((abs(w) for w in expected.values()), reverse=True)[:5]
        if found.exact:
            np.testing.assert_allclose(listed, missing, rtol=1e-9)
        else:
            assert found.bounds[0] > 0
            # Whatever is larger than the last of the list, and not listed, keeps to the bound.
            for value in missing:
                assert any(np.isclose(value, own) for own in listed) or value <= found.bounds[0] * (1 + 1e-9)
            assert "stopped at the limit" in str(found)


def test_unexpanded_nodes_and_words_are_told_apart():
    model = expansion(SubsetTree(), [("S", (("NP", (("N", (("dog", ()),)),)), ("barks", ())))], [1.0])
    kinds = {fragment.tree: fragment.kinds for fragment in fragments(model, 100)}
    assert kinds["(S NP barks)"] == ("open", "word", "expanded")
    assert kinds["(N dog)"] == ("word", "expanded")
    assert kinds["(S (NP (N dog)) barks)"] == ("word", "expanded", "expanded", "word", "expanded")


# -- kinds of models -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def questions():
    X, y = load_questions()
    return X[:60], y[:60]


@pytest.mark.parametrize(
    "model",
    [
        Perceptron(Normalized(SubsetTree())),
        PassiveAggressive(Normalized(SubsetTree()), averaging="average", epochs=2),
        Perceptron(Normalized(SubsetTree()), averaging="normalized"),
        Projectron(Normalized(SubsetTree()), eta=0.3),
        PassiveAggressive(Normalized(SubsetTree()), multiclass="codes", random_state=0),
        PassiveAggressive(Normalized(SubsetTree()), multiclass="one-vs-one"),
        SVC(Normalized(SubsetTree())),
        CuttingPlaneSVC(Normalized(SubsetTree()), sampling="uniform", sample_size=30, random_state=0),
        StructuredSVM(Multiclass(Normalized(SubsetTree()))),
    ],
    ids=lambda model: f"{type(model).__name__}",
)
def test_every_kind_of_model_has_fragments(model, questions):
    X, y = questions
    model.fit(X, y)
    found = fragments(model, 3)
    n = 15 if getattr(model, "multiclass", "") == "one-vs-one" else 6
    assert found.exact
    assert len(found.labels) == n
    for label in found.labels:
        own = found.of(label)
        assert len(own) == 3
        assert [abs(f.weight) for f in own] == sorted((abs(f.weight) for f in own), reverse=True)


def test_weights_of_two_classes_are_for_the_second(questions):
    X, y = questions
    model = SVC(Normalized(SubsetTree())).fit(X, np.where(y == "HUM", "person", "other"))
    found = fragments(model, 5)
    assert found.labels == ["person"]
    best = fragments(model, 1, label="person", sign="for")[0]
    assert best.weight > 0
    assert best.label == "person"


def test_a_model_that_learns_on_is_looked_at_anew(questions):
    X, y = questions
    model = Perceptron(Normalized(SubsetTree())).fit(X[:30], y[:30])
    before = fragments(model, 3)
    assert fragments(model, 3) == before
    model.partial_fit(X[30:], y[30:])
    assert fragments(model, 3) != before


def test_parts_of_sums_have_fragments_of_their_own(questions):
    X, y = questions
    records = Records(parse=X, again=X, numbers=np.arange(len(X))[:, None] / len(X))
    kernel = (
        2.0 * Normalized(SubsetTree()).on("parse")
        + Normalized(PartialTree()).on("again")
        + RBF().on("numbers")
    )
    model = SVC(kernel).fit(records, y == "HUM")
    found = fragments(model, 60)
    assert found.exact
    assert {fragment.part for fragment in found} == {"parse", "again"}
    # The part of a sum is a model of its own, with the weight of the part as a factor of its features.
    alone = Expansion(Normalized(SubsetTree()))
    alone.add(Forest(model.support_items_["parse"]), np.sqrt(2.0) * model.dual_coef_[0])
    of_parse = [fragment for fragment in fragments(model, 1000, limit=10**6) if fragment.part == "parse"]
    for a, b in zip(of_parse[:10], fragments(alone, 10), strict=True):
        assert a.weight == pytest.approx(b.weight, rel=1e-9)


# -- what cannot be ------------------------------------------------------------------------------------------


def test_models_without_fragments_are_refused(questions):
    X, y = questions
    numbers = np.arange(len(X), dtype=float)[:, None]
    with pytest.raises(TypeError, match="no part that is a tree kernel"):
        fragments(SVC(RBF()).fit(numbers, y))
    records = Records(parse=X, numbers=numbers)
    product = Normalized(SubsetTree()).on("parse") * RBF().on("numbers")
    with pytest.raises(TypeError, match="product of kernels"):
        fragments(SVC(product).fit(records, y))
    with pytest.raises(ValueError, match="votes"):
        fragments(Perceptron(Normalized(SubsetTree()), averaging="vote").fit(X, y))
    with pytest.raises(TypeError, match="weights of features"):
        fragments(Perceptron().fit(numbers, y))
    with pytest.raises(TypeError, match="precomputed"):
        fragments(SVC("precomputed").fit(Normalized(SubsetTree())(X), y))
    with pytest.raises(TypeError, match="supports"):
        fragments(Linear())
    model = Perceptron(Normalized(SubsetTree())).fit(X, y)
    with pytest.raises(ValueError, match="label must be one of"):
        fragments(model, label="nobody")
    with pytest.raises(ValueError, match="n_largest must"):
        fragments(model, 0)
    with pytest.raises(ValueError, match="sign must be"):
        fragments(model, sign="positive")


def test_kernel_values_beyond_doubles_are_refused():
    wide = "(S " + " ".join(["(N dog)"] * 3000) + ")"
    model = Expansion(Normalized(SubsetTree(decay=1.0)))
    model.add([wide, "(S (N dog))"], [1.0, -1.0])
    with pytest.raises(OverflowError, match="beyond the range of doubles"):
        fragments(model)


def test_deep_and_wide_trees():
    deep = "(a " * 5000 + "b" + ")" * 5000
    wide = "(a " + " ".join(["(b c)"] * 2000) + ")"
    for kernel in (SubTree(), SubsetTree(), PartialTree(), SubPath()):
        model = Expansion(kernel)
        model.add([deep], [1.0])
        assert fragments(model, 3, limit=50)[0].weight > 0
    model = Expansion(Normalized(SubPath()))
    model.add([wide], [1.0])
    assert fragments(model, 3).exact


def test_small_decays_are_refused_rather_than_lost():
    model = Expansion(Normalized(PartialTree(decay=1e-170)))
    model.add(["(a b)"], [1.0])
    with pytest.raises(OverflowError, match="beyond the range of doubles"):
        fragments(model)


def test_rules_written_in_python(questions):
    class Rule:
        def learn(self, f, y, weight):
            if y * f.score <= 0:
                f.add(weight * y)

    X, y = questions
    assert fragments(OnlineLearner(Rule(), Normalized(SubsetTree())).fit(X, y), 2).exact
