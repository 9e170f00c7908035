"""Weights of models that keep weights, and their predictions taken apart."""

import json
import re
import xml.etree.ElementTree as ElementTree

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import CountVectorizer

from hedgerow.data import CandidateLists
from hedgerow.datasets import load_questions
from hedgerow.inspection import explain, weights
from hedgerow.kernels import RBF, Linear, Normalized, SubsetTree
from hedgerow.online import (
    AROW,
    RDA,
    BalancedWinnow,
    ModifiedBalancedWinnow,
    PassiveAggressive,
    Perceptron,
    PositiveWinnow,
    Reranker,
)
from hedgerow.structured import (
    PCFG,
    GrammarSVC,
    LabelSequence,
    Multiclass,
    Problem,
    Reranking,
    SequenceSVC,
    StructuredPerceptron,
    StructuredSVM,
    Taxonomy,
)
from hedgerow.svm import SVC


@pytest.fixture(scope="module")
def questions():
    return load_questions()


@pytest.fixture(scope="module")
def words(questions):
    trees, y = questions
    counts = CountVectorizer()
    X = counts.fit_transform([" ".join(tree.leaves()) for tree in trees]).astype(float)
    return X, y, counts.get_feature_names_out()


LINEAR = [
    Perceptron(bias=True),
    PassiveAggressive(averaging="average"),
    Perceptron(multiclass="codes", random_state=0),
    RDA(loss="logistic", l1=0.001),
    AROW(),
    PositiveWinnow(),
    BalancedWinnow(averaging="average"),
    ModifiedBalancedWinnow(max_features=100),
]


@pytest.mark.parametrize("model", LINEAR, ids=lambda model: type(model).__name__)
def test_contributions_of_features_add_up(model, words):
    X, y, names = words
    for labels in (y, y == "HUM"):
        model.fit(X[:200], labels[:200])
        scores = model.decision_function(X[200:205])
        explanations = explain(model, X[200:205], 3, feature_names=names)
        for i, (explanation, row) in enumerate(zip(explanations, np.reshape(scores, (5, -1)), strict=True)):
            for account, score in zip(explanation.accounts, row, strict=True):
                assert account.score == pytest.approx(score, abs=1e-9)
                assert account.total() == pytest.approx(score, abs=1e-9)
                assert len(account.speaking_for) <= 3
                used = set(names[X[200 + i].indices])
                assert {feature.name for feature in account.contributions} <= used
        assert [one.predicted for one in explanations] == model.predict(X[200:205]).tolist()


def test_pairs_of_classes_add_up_to_the_functions(words):
    X, y, _ = words
    model = Perceptron(multiclass="one-vs-one").fit(X, y)
    explanation = explain(model, X[:1])[0]
    assert len(explanation.accounts) == 15
    assert explanation.accounts[0].total() == pytest.approx((X[0] @ model.coef_[0]).item(), abs=1e-9)


def test_all_features_are_listed_if_there_are_few():
    model = Perceptron(bias=True).fit([[1.0, 2.0, 0.0], [0.0, 1.0, 3.0]], [0, 1])
    account = explain(model, [[2.0, 1.0, 5.0]])[0].accounts[0]
    assert account.remainder == 0
    assert {(f.name, f.contribution) for f in account.contributions} == {
        (f"feature {j}", w * v) for j, (w, v) in enumerate(zip(model.coef_[0], [2, 1, 5], strict=True)) if w
    }
    assert account.bias == model.intercept_[0]


def test_the_largest_weights_are_listed(words):
    X, y, names = words
    model = AROW().fit(X, y)
    for table, row in zip(weights(model, 4, names), model.coef_, strict=True):
        up, down = np.sort(row)[::-1][:4], np.sort(row)[:4]
        assert [feature.weight for feature in table.features] == [*up, *down]
        assert table.n_weights == np.count_nonzero(row)
        assert table.features[0].name == names[row.argmax()]
    assert weights(model, 1, label="HUM").labels == ["HUM"]
    assert weights(model, 4, names).of("HUM")[0].name == names[model.coef_[3].argmax()]


def test_names_of_features():
    frame = pd.DataFrame({"tall": [1.0, 0.0], "short": [0.0, 1.0]})
    model = Perceptron().fit(frame, ["a", "b"])
    assert {feature.name for feature in weights(model)[0].features} == {"tall", "short"}
    assert explain(model, frame)[0].accounts[0].contributions[0].name == "tall"
    numbered = weights(model, feature_names=lambda i: f"#{i + 1}")[0].features
    assert {feature.name for feature in numbered} == {"#1", "#2"}
    assert {f.name for f in weights(Perceptron().fit(frame.values, [0, 1]))[0].features} == {
        "feature 0",
        "feature 1",
    }


def test_new_features_count_nothing():
    model = Perceptron().fit(sparse.csr_matrix([[1.0, 0.0], [0.0, 1.0]]), [0, 1])
    wider = sparse.csr_matrix([[0.0, 1.0, 7.0]])
    assert explain(model, wider)[0].accounts[0].total() == model.decision_function(wider)[0]


# -- structured outputs --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def tagged(questions):
    tokens = [re.findall(r"\((\S+) ([^\s()]+)\)", tree) for tree in questions[0].to_brackets()]
    return [[w for _, w in q] for q in tokens], [[t for t, _ in q] for q in tokens]


def score_of(model, x, y):
    features = model.problem_.joint_features(x, y)
    return sum(model.coef_[i] * value for i, value in features.items() if i < len(model.coef_))


@pytest.mark.parametrize(
    "parameters",
    [
        {"templates": ["word[0]", "suffix2[0]", "word[-1]"]},
        {"order": 2, "boundaries": True, "transition_scale": 0.5},
        {"window": 1, "transition_features": "all"},
        {"templates": ["word[0]", "B: word[0]"], "bias": False},
        {"order": 0},
        {"order": 0, "transition_features": ["t"]},
    ],
)
def test_tokens_and_moves_add_up(parameters, tagged):
    X, Y = tagged
    model = StructuredPerceptron(LabelSequence(**parameters), epochs=2).fit(X[:40], Y[:40])
    for x, explanation in zip(X[100:104], explain(model, X[100:104], 2), strict=True):
        assert explanation.predicted == model.predict([x])[0]
        assert explanation.total() == pytest.approx(score_of(model, x, explanation.predicted), abs=1e-9)
        assert explanation.score == pytest.approx(explanation.total(), abs=1e-9)
        assert explanation.tokens == x
        read = json.loads(json.dumps(explanation.to_dict()))
        assert sum(token["score"] for token in read["tokens"]) == pytest.approx(explanation.score)


def test_tokens_by_a_kernel_add_up(tagged):
    X, Y = tagged
    kernel = Normalized(RBF())
    model = StructuredPerceptron(LabelSequence(kernel=kernel), epochs=2).fit(X[:20], Y[:20])
    (explanation,) = explain(model, X[30:31])
    with pytest.raises(TypeError, match="kernel"):
        weights(model)
    problem = model.problem_
    y = [problem.numbers_.numbers[label] for label in explanation.predicted]
    tokens, rows = problem.reader_.read([X[30]], False).distinct(problem.reader_.n_features)
    first, n = problem.chain_.plain, len(problem.numbers_)
    scores = problem.tokens_.functions(rows, model.coef_[first:].reshape(-1, n), 1)
    moves, bias = problem.transitions(model.coef_), model.coef_[problem.chain_.bias_begin : first]
    expected = scores[tokens.feature, y].sum() + bias[y].sum() + moves[y[:-1], y[1:]].sum()
    assert explanation.total() == pytest.approx(expected, abs=1e-9)
    assert "the token by the kernel" in str(explanation)


def test_weights_of_sequences(tagged):
    X, Y = tagged
    model = SequenceSVC(C=0.1, order=2, boundaries=True, transition_scale=0.5, random_state=0, tol=1.0)
    model.fit(X[:40], Y[:40])
    found = weights(model, 3)
    assert found.labels == [*model.classes_.tolist(), "moves"]
    names = model.feature_names_
    for table, row in zip(found, model.emissions_, strict=False):
        assert table.features[0].name == names[row.argmax()]
        assert table.features[0].weight == row.max()
    moves = {feature.name: feature.weight for feature in weights(model, 10**6).of("moves")}
    labels = model.classes_.tolist()
    for i, a in enumerate(labels):
        for j, b in enumerate(labels):
            assert moves.get(f"{a} -> {b}", 0.0) == pytest.approx(model.transitions_[i, j])
    triples = model.problem_.transitions(model.coef_, order=2)
    for (i, j, k), value in np.ndenumerate(triples):
        assert moves.get(f"{labels[i]} {labels[j]} -> {labels[k]}", 0.0) == pytest.approx(value)
    assert any(name.startswith("start -> ") for name in moves)
    assert any(name.endswith(" -> end") for name in moves)


def test_parses_rule_by_rule(questions):
    trees = questions[0][:60]
    for model in (
        GrammarSVC(tol=1.0),
        PCFG(input="words"),
        GrammarSVC(tol=1.0, markov=2, parents=True),
    ):
        model.fit(trees, trees)
        for tree, explanation in zip(trees[:5], explain(model, trees[:5], 100), strict=True):
            account = explanation.accounts[0]
            assert account.total() == pytest.approx(score_of(model, tree, explanation.predicted), abs=1e-9)
            assert all(" -> " in one.name for one in account.contributions)
        table = weights(model, 5)[0]
        assert table.label == "rules"
        assert table.n_weights == np.count_nonzero(model.coef_)
    assert "SBARQ" in str(explain(model, trees[:1])[0])


def test_sentences_without_a_parse(questions):
    trees = questions[0][:20]
    model = GrammarSVC(tol=1.0).fit(trees, trees)
    explanation = explain(model, "NOPE NOPE")
    assert explanation.accounts[0].label == "no tree by the grammar"
    assert explanation.accounts[0].total() == 0


def test_classes_of_structured_machines(words):
    X, y, names = words
    parents = {label: "person" if label == "HUM" else "thing" for label in np.unique(y)}
    for problem in (Multiclass(), Taxonomy(parents)):
        model = StructuredSVM(problem, tol=0.5).fit(X[:100], y[:100])
        scores = model.problem_.scores(X[:3], model.coef_)
        for explanation, row in zip(explain(model, X[:3], feature_names=names), scores, strict=True):
            assert [one.total() for one in explanation.accounts] == pytest.approx(row.tolist(), abs=1e-9)
        assert weights(model, 2, names).labels == np.unique(y).tolist()


class Ranks(Problem):
    def candidates(self, x):
        return [(0, 1), (1, 0)]

    def joint_features(self, x, y):
        return np.asarray(x)[list(y)]


def test_problems_of_ones_own():
    X, Y = [[3, 1], [0, 5], [2, 9]], [(1, 0), (0, 1), (0, 1)]
    model = StructuredSVM(Ranks(), solver="n-slack").fit(X, Y)
    explanation = explain(model, [[7, 8]])[0]
    assert explanation.predicted == (0, 1)
    assert explanation.accounts[0].total() == pytest.approx(float(np.array([7, 8]) @ model.coef_), abs=1e-9)
    assert weights(model).labels == ["joint features"]


def test_choices_among_candidates():
    features = [[1.0, 0.0], [0.0, 1.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0]]
    lists = CandidateLists([2, 3], features=features, grades=[0, 1, 0, 0, 1])
    reranker = Reranker(Perceptron(averaging="average")).fit(lists)
    machine = StructuredSVM(Reranking()).fit(lists, lists.oracles())
    for model, scores in (
        (reranker, reranker.decision_function(lists)),
        (machine, machine.problem_.scores(lists, machine.coef_, 1)),
    ):
        first, second = explain(model, lists)
        assert (first.predicted, second.predicted) == ("candidate 2", "candidate 3")
        totals = [account.total() for one in (first, second) for account in one.accounts]
        assert totals == pytest.approx(scores.tolist(), abs=1e-9)
        assert weights(model)[0].features[0].name == "feature 1"


# -- what cannot be, and what is shown -----------------------------------------------------------------------


def test_models_without_weights_are_refused(questions, words):
    trees, y = questions
    X = words[0]
    with pytest.raises(TypeError, match="see fragments"):
        weights(Perceptron(Normalized(SubsetTree())).fit(trees[:20], y[:20]))
    with pytest.raises(ValueError, match="feature_names are for learners on weights"):
        explain(Perceptron(RBF()).fit(X[:20], y[:20]), X[:1], feature_names=["a"])
    with pytest.raises(TypeError, match="keeps no weights"):
        weights(Perceptron(RBF()).fit(X[:20], y[:20]))
    for ask in (weights, lambda model: explain(model, X[:1])):
        with pytest.raises(ValueError, match="votes"):
            ask(Perceptron(averaging="vote").fit(X[:20], y[:20]))
    with pytest.raises(ValueError, match="label must be one of"):
        weights(Perceptron().fit(X, y), label="nobody")
    with pytest.raises(TypeError, match="not of a dict"):
        explain({}, X)


def test_models_that_have_not_learned_are_refused(words):
    for model in (
        Perceptron(),
        StructuredSVM(Multiclass()),
        SequenceSVC(),
        Perceptron(Normalized(SubsetTree())),
    ):
        with pytest.raises(NotFittedError):
            explain(model, words[0][:1])
    for model in (Perceptron(), StructuredSVM(Multiclass()), SequenceSVC()):
        with pytest.raises(NotFittedError):
            weights(model)


def test_pages_are_well_formed(questions, words, tagged):
    trees, y = questions
    X, _, names = words
    linear = Perceptron().fit(X, y)
    tree_model = Perceptron(Normalized(SubsetTree())).fit(trees[:50], np.char.add(y[:50].astype("U9"), "<&>"))
    tagger = StructuredPerceptron(LabelSequence()).fit(*(part[:10] for part in tagged))
    from hedgerow.inspection import fragments

    drawn = [
        weights(linear, 3, names),
        weights(tagger, 2),
        explain(linear, X[:2], 2, feature_names=names),
        explain(tagger, tagged[0][:2], 2),
        fragments(tree_model, 2),
        fragments(tree_model, 2, limit=0),
        explain(tree_model, trees[:2], 2),
        explain(tree_model, trees[0], 1),
    ]
    for one in drawn:
        ElementTree.fromstring(f"<html>{one._repr_html_()}</html>")
        assert repr(one)


def test_dot_products_have_weights():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 3))
    model = SVC(2.0 * Linear() + RBF()).fit(X, X[:, 0] > 0)
    (table,) = weights(model, feature_names=["a", "b", "c"])
    # In the feature space of the kernel: a vector is sqrt(2) times as long there.
    expected = dict(zip("abc", np.sqrt(2.0) * np.ravel(model.dual_coef_ @ X[model.support_]), strict=True))
    assert {feature.name: feature.weight for feature in table.features} == pytest.approx(expected)
