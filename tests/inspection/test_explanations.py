"""Contributions add up to scores, and the fragments listed are those of brute force."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.model_selection import GridSearchCV

from hedgerow import Forest, Records
from hedgerow.datasets import load_questions
from hedgerow.inspection import explain, weights
from hedgerow.inspection.accounts import Feature
from hedgerow.io import iter_svmlight_tk
from hedgerow.kernels import (
    RBF,
    Fragments,
    Linear,
    Normalized,
    PartialTree,
    Spectrum,
    SubPath,
    SubsetTree,
    SubTree,
)
from hedgerow.models import Expansion
from hedgerow.online import Forgetron, PassiveAggressive, Perceptron
from hedgerow.structured import Multiclass, StructuredSVM, Taxonomy
from hedgerow.svm import SVC, CuttingPlaneSVC
from tests.inspection import brute_force
from tests.inspection.test_fragments import ALL, KERNELS, expansion
from tests.strategies import brackets, trees


@pytest.fixture(scope="module")
def questions():
    X, y = load_questions()
    return X[:60], y[:60], X[60:64]


def check_sums(model, X, scores):
    """Both ways to take a score apart add up to it."""
    for explanation, row in zip(explain(model, X, 4), np.reshape(scores, (len(X), -1)), strict=True):
        assert len(explanation.accounts) == len(row)
        for account, score in zip(explanation.accounts, row, strict=True):
            size = max(1.0, sum(np.abs(values).sum() for values in account.nodes.values()))
            assert account.score == pytest.approx(score, abs=1e-9 * size)
            assert account.total() == pytest.approx(score, abs=1e-9 * size)
            by_node = sum(values.sum() for values in account.nodes.values())
            features = sum(one.contribution for one in account.contributions if isinstance(one, Feature))
            rest = account.bias + features + sum(account.others.values())
            assert by_node + rest == pytest.approx(score, abs=1e-9 * size)
            for name, tree in explanation.trees.items():
                assert len(account.nodes[name]) == tree.n_nodes


# -- against brute force -------------------------------------------------------------------------------------


@pytest.mark.parametrize("kernel", ALL)
@given(items=st.lists(trees(max_nodes=7), min_size=1, max_size=3), x=trees(max_nodes=7), data=st.data())
@settings(max_examples=25, deadline=None)
def test_contributions_are_those_of_brute_force(kernel, items, x, data):
    coefficients = data.draw(
        st.lists(st.floats(-2, 2).map(lambda c: round(c, 3)), min_size=len(items), max_size=len(items))
    )
    kernel = Normalized(kernel) if data.draw(st.booleans()) else kernel
    k = data.draw(st.integers(1, 12))
    model = expansion(kernel, items, coefficients)
    explanation = explain(model, brackets(x), k)
    assert explanation.predicted is None
    (account,) = explanation.accounts
    weights = brute_force.weights(kernel, items, coefficients)
    features = brute_force.features(kernel, x)
    parts = {key: weights[key] * value for key, value in features.items() if key in weights}
    assert account.score == pytest.approx(sum(parts.values()), rel=1e-9, abs=1e-9)
    assert account.exact
    for sign, listed in ((1, account.speaking_for), (-1, account.speaking_against)):
        expected = sorted((sign * v for v in parts.values() if sign * v > 1e-12), reverse=True)[:k]
        found = [sign * one.contribution for one in listed if abs(one.contribution) > 1e-12]
        np.testing.assert_allclose(found, expected, rtol=1e-9)
    inner = kernel.kernel if isinstance(kernel, Normalized) else kernel
    if getattr(inner, "terminal_factor", 1.0) == 1.0:
        for one in account.contributions:
            key = brute_force.fragment_key(kernel, one)
            assert one.weight == pytest.approx(weights[key], rel=1e-9, abs=1e-12)
            assert one.value == pytest.approx(features[key], rel=1e-9)


@pytest.mark.parametrize("kernel", ALL)
def test_nodes_are_worth_the_fragments_rooted_in_them(kernel, questions):
    """What a tree scores is what its root is worth, and what the subtrees below it score."""
    X, _, new = questions
    model = Expansion(kernel)
    model.add(X[:20], np.linspace(-1, 1, 20))
    for tree in new:
        account = explain(model, tree, 1).accounts[0]
        below = sum(model.decision_function([child])[0, 0] for child in tree.children())
        assert account.nodes[""][-1] == pytest.approx(
            model.decision_function([tree])[0, 0] - below, rel=1e-8, abs=1e-9
        )


# -- kinds of models -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kernel", [pytest.param(Normalized(k), id=name) for name, k in KERNELS.items()])
def test_sums_under_every_kernel(kernel, questions):
    X, y, new = questions
    model = PassiveAggressive(kernel, averaging="average", epochs=2).fit(X, y)
    check_sums(model, new, model.decision_function(new))


@pytest.mark.parametrize(
    "model",
    [
        Perceptron(SubsetTree(), bias=True),
        Perceptron(Normalized(SubsetTree()), averaging="normalized"),
        Forgetron(Normalized(SubsetTree()), budget=20),
        PassiveAggressive(Normalized(SubsetTree()), multiclass="codes", random_state=0),
        SVC(Normalized(SubsetTree())),
        SVC(SubsetTree(decay=1.0), C=1e-6),
        CuttingPlaneSVC(Normalized(PartialTree()), tol=0.1),
    ],
    ids=lambda model: type(model).__name__,
)
def test_sums_of_every_kind_of_model(model, questions):
    X, y, new = questions
    model.fit(X, y)
    check_sums(model, new, model.decision_function(new))
    assert [one.predicted for one in explain(model, new, 1)] == model.predict(new).tolist()
    two = model.fit(X, y == "HUM")
    check_sums(two, new, two.decision_function(new))


def test_sums_of_classes_by_structured_machines(questions):
    X, y, new = questions
    parents = {label: "person" if label == "HUM" else "thing" for label in np.unique(y)}
    for problem in (Multiclass(Normalized(SubsetTree())), Taxonomy(parents, kernel=Normalized(SubsetTree()))):
        model = StructuredSVM(problem, tol=0.1).fit(X, y)
        check_structured(model, new)


def check_structured(model, new):
    scores = model.problem_.scores(new, model.coef_)
    for explanation, row in zip(explain(model, new, 3), scores, strict=True):
        assert explanation.labels == model.problem_.classes_.tolist()
        for account, score in zip(explanation.accounts, row, strict=True):
            assert account.total() == pytest.approx(score, abs=1e-9)


def test_pairs_of_classes_are_explained_one_by_one(questions):
    X, y, new = questions
    model = PassiveAggressive(Normalized(SubsetTree()), multiclass="one-vs-one").fit(X, y)
    expansion = model._kernel_learner().expansion
    values = expansion.decisions(model._more(new), 1, False)
    check_sums(model, new, values)
    assert explain(model, new, 1)[0].labels[0] == "DESC, not ABBR"


@pytest.mark.parametrize(
    "kernel",
    [
        2.0 * Normalized(SubsetTree()).on("parse") + 0.5 * Normalized(PartialTree()).on("other"),
        Normalized(SubsetTree().on("parse") + SubPath().on("other")),
        3.0 * Normalized(0.2 * SubsetTree() + SubTree()).on("parse") + RBF().on("numbers"),
        SubsetTree().on("parse") + Spectrum(2).on("text") + Linear().on("numbers"),
        Normalized(Normalized(SubsetTree())).on("parse") + SubTree().on("parse") * RBF().on("numbers"),
    ],
)
def test_sums_over_parts_of_a_kernel(kernel, questions):
    X, y, new = questions
    model = SVC(kernel).fit(records(X), y)
    later = records(new)
    check_sums(model, later, model.decision_function(later))


def records(X):
    numbers = np.array([[tree.n_nodes / 30, 1.0] for tree in X])
    return Records(parse=X, other=X[::-1], numbers=numbers, text=["".join(tree.leaves()) for tree in X])


def test_parts_that_cannot_be_taken_apart_are_named(questions):
    X, y, new = questions
    kernel = Normalized(SubsetTree()).on("parse") + RBF().on("numbers")
    explanation = explain(SVC(kernel).fit(records(X), y == "HUM"), records(new))[0]
    (account,) = explanation.accounts
    assert list(account.others) == ["supports of numbers"]
    assert account.others["supports of numbers"] != 0
    assert list(explanation.trees) == ["parse"]
    assert "all other supports of numbers" in str(explanation)


def test_dot_products_are_taken_apart_by_feature(questions):
    X, y, new = questions
    kernel = 0.5 * Normalized(SubsetTree()).on("parse") + 2.0 * Normalized(Linear()).on("numbers")
    model = SVC(kernel).fit(records(X), y == "HUM")
    later = records(new)
    units = [
        rows / np.linalg.norm(rows, axis=1)[:, None] for rows in (records(X)["numbers"], later["numbers"])
    ]
    weights = 2.0 * model.dual_coef_ @ units[0][model.support_]
    for explanation, values in zip(
        explain(model, later, 10_000, feature_names=["nodes", "one"]), units[1], strict=True
    ):
        (account,) = explanation.accounts
        found = {one.name: one.contribution for one in account.contributions if isinstance(one, Feature)}
        expected = dict(zip(["nodes (numbers)", "one (numbers)"], np.ravel(weights) * values, strict=True))
        assert found == pytest.approx(expected)
        assert account.others == {"features of numbers": pytest.approx(0, abs=1e-9)}


@pytest.mark.parametrize(
    "kernel", [Linear(), Normalized(Linear()), 3.0 * Linear() + RBF(), Linear() * RBF(), RBF()]
)
def test_kernels_of_vectors(kernel):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 4))
    y = X[:, 0] + 0.3 * rng.normal(size=30) > 0
    model = SVC(kernel).fit(X, y)
    for explanation, score in zip(
        explain(model, X[:3], n_largest=3), model.decision_function(X[:3]), strict=True
    ):
        (account,) = explanation.accounts
        assert account.score == pytest.approx(score)
        assert account.total() == pytest.approx(score)
    names = " ".join(one.name for one in account.contributions)
    assert ("feature" in names) == ("Linear" in repr(kernel) and "* RBF" not in repr(kernel))
    assert ("support" in names) == ("RBF" in repr(kernel))
    if repr(kernel) == "Linear()":
        weights = dict(zip("abcd", np.ravel(model.dual_coef_ @ X[model.support_]), strict=True))
        (account,) = explain(model, X[:1], feature_names=list("abcd"))[0].accounts
        assert {one.name: one.weight for one in account.contributions} == pytest.approx(weights)


def test_products_show_the_supports_that_count_most(questions):
    X, y, new = questions
    model = SVC(Normalized(SubsetTree()).on("parse") * RBF().on("numbers")).fit(records(X), y == "HUM")
    explanation = explain(model, records(new), n_largest=2)[0]
    (account,) = explanation.accounts
    assert account.what == "supports"
    assert len(account.speaking_for) == 2
    assert account.speaking_for[0].name.startswith("support ")
    assert account.speaking_for[0].name.endswith(" ...")  # its tree
    assert account.total() == pytest.approx(account.score)


class TestFeatureNames:
    @pytest.fixture
    def model(self, questions):
        X, y, _ = questions
        kernel = SubsetTree().on("parse") + Linear().on("numbers") + Linear().on("more")
        return SVC(kernel).fit(self.records(X), y == "HUM")

    @staticmethod
    def records(X):
        both = records(X)
        return Records(parse=X, numbers=both["numbers"], more=both["numbers"][:, :1])

    def test_names_by_column(self, model, questions):
        X = self.records(questions[2])
        shown = str(
            explain(model, X, 10_000, feature_names={"numbers": ["nodes", "one"], "more": ["again"]})[0]
        )
        assert "nodes (numbers)" in shown
        assert "again (more)" in shown

    def test_names_without_effect_are_errors(self, model, questions):
        X = self.records(questions[2])
        with pytest.raises(ValueError, match="say which with a dict that has numbers, more"):
            explain(model, X, feature_names=["a", "b"])
        with pytest.raises(ValueError, match="must be of the parts numbers, more, got 'parse'"):
            explain(model, X, feature_names={"parse": ["a"]})
        rbf = SVC(RBF()).fit(X["numbers"], [0, 1, 0, 1])
        for names in (["a", "b"], {"numbers": ["a"]}):
            with pytest.raises(ValueError, match="feature_names"):
                explain(rbf, X["numbers"], feature_names=names)
        trees = SVC(SubsetTree()).fit(X["parse"], [0, 1, 0, 1])
        with pytest.raises(ValueError, match="the kernel has none"):
            explain(trees, X["parse"], feature_names=["a"])


def test_one_tree_and_several(questions):
    X, y, new = questions
    model = SVC(Normalized(SubsetTree())).fit(X, y)
    one = explain(model, new[0])
    assert str(one) == str(explain(model, str(new[0]))) == str(explain(model, new)[0])
    assert one.main.label == one.predicted == max(one.scores, key=one.scores.get)
    assert one[one.predicted] is one.main
    with pytest.raises(KeyError, match="nobody"):
        one["nobody"]
    assert explain(model, new[:0]) == []


def test_the_best_of_a_search_is_explained(questions):
    X, y, new = questions
    search = GridSearchCV(SVC(Normalized(SubsetTree())), {"C": [1, 10]}, cv=2).fit(X, y)
    assert str(explain(search, new)) == str(explain(search.best_estimator_, new))


def test_trees_that_share_nothing_with_the_model(questions):
    X, y, _ = questions
    model = SVC(Normalized(SubsetTree())).fit(X, y)
    strange = Forest(["(a (b c))", "(word)"]) + Forest.from_postorder([], [], [0])
    for explanation in explain(model, strange):
        for account in explanation.accounts:
            assert account.contributions == []
            assert account.score == account.bias


def test_single_precision_is_close_enough(questions):
    X, y, new = questions
    model = SVC(Normalized(SubsetTree()), precision="single").fit(X, y)
    for explanation, row in zip(explain(model, new), model.decision_function(new), strict=True):
        np.testing.assert_allclose(list(explanation.scores.values()), row, atol=1e-5)


def test_scores_beyond_doubles_are_refused():
    wide = "(S " + " ".join(["(N dog)"] * 3000) + ")"
    model = Expansion(Normalized(SubsetTree(decay=1.0)))
    model.add(["(S (N dog))"], [1.0])
    with pytest.raises(OverflowError, match="beyond the range of doubles"):
        explain(model, wide)


@pytest.mark.parametrize("kernel", [Fragments(), Normalized(Fragments(2, 3, 2, False))], ids=str)
def test_pieces_of_trees(kernel):
    """Contributions of pieces add up to scores, and have the weights that the pieces of supports have."""
    model = Expansion(kernel)
    model.add(["(S (NP Mary) (VP sings))", "(S (NP John) (VP sings))"], [1.0, -0.5])
    tree = "(S (NP Mary) (VP sleeps))"
    (account,) = explain(model, tree, 100).accounts
    assert account.total() == pytest.approx(model.decision_function([tree])[0, 0])
    own = {str(one): one.weight for one in account.contributions}
    everywhere = {feature.name: feature.weight for feature in weights(model, 100)[0].features}
    assert own["NP > Mary"] == pytest.approx(own["(NP Mary)"]) == pytest.approx(everywhere["NP > Mary"])
    assert "VP > sleeps" not in own
    assert (
        everywhere["VP > sings"] == pytest.approx(own["(S NP VP)"]) == pytest.approx(everywhere["Mary"] / 2)
    )


def test_deep_trees():
    deep = "(a " * 3000 + "b" + ")" * 3000
    for kernel in (SubTree(), SubsetTree(), SubPath(), PartialTree()):
        model = Expansion(Normalized(kernel))
        model.add(["(a (a b))"], [1.0])
        explanation = explain(model, deep, 2)
        assert explanation.accounts[0].total() == pytest.approx(model.decision_function([deep])[0, 0])
        assert len(explanation.tree_text()) < 100_000


# -- what is shown -------------------------------------------------------------------------------------------


def test_json_holds_all(questions):
    X, y, new = questions
    explanation = explain(SVC(Normalized(SubsetTree())).fit(X, y), new[0], 2)
    read = json.loads(json.dumps(explanation.to_dict()))
    assert read["predicted"] == explanation.predicted
    for entry in read["scores"]:
        total = (
            sum(one["contribution"] for one in entry["contributions"]) + entry["remainder"] + entry["bias"]
        )
        assert total == pytest.approx(entry["score"], abs=1e-9)
        assert sum(entry["nodes"][""]) + entry["bias"] == pytest.approx(entry["score"], abs=1e-9)


def test_text_begins_with_the_prediction(questions):
    X, y, new = questions
    explanation = explain(SVC(Normalized(SubsetTree())).fit(X, y), new[0], 2)
    first, second, *_ = str(explanation).splitlines()
    assert first == f"predicted {explanation.predicted}"
    assert second.startswith(f"{explanation.predicted}: ")
    assert "all other fragments" in str(explanation)
    assert explanation.tree_text().startswith(f"{new[0].label} [")
    assert explanation.to_text(["HUM"]).count(": ") == 1


# -- real parses ---------------------------------------------------------------------------------------------


@pytest.mark.shared_data
@pytest.mark.filterwarnings("ignore:trees hardly resemble each other under Normalized.SubTree")
@pytest.mark.parametrize("kernel", [SubsetTree(), SubsetTree(decay=1.0), PartialTree(), SubPath(), SubTree()])
def test_sums_over_thousands_of_supports(data_folder, kernel):
    X, y = next(iter(iter_svmlight_tk(data_folder / "srl_wsj" / "train.tk.gz", batch_size=10_000)))
    model = PassiveAggressive(Normalized(kernel), averaging="average").fit(X[:9_900], y[:9_900])
    check_sums(model, X[9_900:9_920], model.decision_function(X[9_900:9_920]))


@pytest.mark.shared_data
def test_sums_where_kernel_values_are_huge(data_folder):
    """Self-kernels of sentences reach 1e84 without decay."""
    X = Forest.read(data_folder / "ptb_sample" / "all.tsv.gz", field=1)
    model = Expansion(Normalized(SubsetTree(decay=1.0)))
    model.add(X[:300], np.linspace(-1, 1, 300))
    check_sums(model, X[290:310], model.decision_function(X[290:310]))
