"""Features of nodes by what they span."""

from __future__ import annotations

import copy
import pickle
from collections import Counter

import numpy as np
import pytest

from hedgerow import load, save
from hedgerow.structured import PCFG, GrammarSVC, StructuredPerceptron, StructuredSVM, WeightedGrammar
from hedgerow.structured.discriminant import Discriminant
from hedgerow.structured.grammar.functions import feature_names
from hedgerow.structured.grammar.spans import AUTO
from tests.structured.slow_grammar import random_tree, span_names

WORDS = ["dog", "Cats", "1984", "re-read", "USA", "barked", "--"]
PARAMETERS = [
    {},
    {"input": "words", "min_word_count": 1},
    {"input": "words", "markov": 0, "branching": "left"},
    {"parents": True, "span_features": ["before:word+inside:ending+after:shape", "length"]},
]


def treebank(seed, n=12, longest=8):
    rng = np.random.default_rng(seed)
    return [random_tree(rng, int(rng.integers(1, longest)), words=WORDS, unary=0.2) for _ in range(n)]


@pytest.mark.parametrize("parameters", PARAMETERS, ids=str)
def test_features_are_those_of_a_slow_walk_over_nodes(parameters):
    trees = treebank(1)
    problem = WeightedGrammar(**parameters)
    problem._bind(trees, trees, True)
    names = feature_names(problem)
    assert len(names) == problem._n_weights() == len(set(names))
    of_spans = {name for name in names if " over " in name}
    assert len(of_spans) > 50
    for tree in trees:
        found = problem.joint_features(tree, tree)
        counted = Counter({names[k]: count for k, count in found.items() if names[k] in of_spans})
        assert counted == Counter(span_names(problem, tree, tree))


# A length is nothing of words: the parser read beyond its scores where features looked at nothing else.
@pytest.mark.parametrize("templates", ["auto", ["length"]], ids=str)
def test_trees_score_the_sum_of_their_features(templates):
    trees = treebank(2)
    problem = WeightedGrammar(input="words", span_features=templates)
    model = StructuredPerceptron(problem, epochs=3).fit(trees, trees)
    F = Discriminant(model.problem_, model.coef_)
    for tree, ranked in zip(trees, model.predict_k(trees, 4), strict=True):
        assert [score for _, score in ranked] == pytest.approx([F(tree, y) for y, _ in ranked])
        assert F(tree, ranked[0][0]) >= F(tree, tree) - 1e-9


def test_what_training_never_saw_together_has_no_weight():
    trees = ["(S (A a) (B b))", "(S (B b) (A a))"]
    problem = WeightedGrammar(span_features=["first:word"])
    problem._bind(trees, trees, True)
    assert [name for name in feature_names(problem) if " over " in name] == [
        "S over first word a",
        "S over first word b",
    ]


def test_spans_decide_where_rules_cannot():
    """Both trees have the same rules; only the word at a border tells them apart."""
    trees = [
        "(S (X (X (t a)) (X (X (t b)) (X (t r)))))",
        "(S (X (X (X (t a)) (X (t b))) (X (t l))))",
    ] * 3
    rules = GrammarSVC(input="words", C=10, span_features=None).fit(trees, trees)
    spans = GrammarSVC(input="words", C=10).fit(trees, trees)
    assert rules.score(trees, trees) < 1
    assert spans.predict(trees) == trees


@pytest.mark.parametrize("solver", ["n-slack", "one-slack", "frank-wolfe"])
@pytest.mark.parametrize("loss", ["f1", "brackets", "zero-one"])
def test_solvers_reach_one_optimum(solver, loss):
    trees = treebank(3, n=8, longest=6)
    machines = [
        StructuredSVM(WeightedGrammar(loss=loss), C=0.5, solver=name, tol=1e-3, random_state=0, max_iter=2000)
        for name in (solver, "n-slack")
    ]
    objectives = [machine.fit(trees, trees).objective_ for machine in machines]
    assert objectives[0] == pytest.approx(objectives[1], rel=0.02)


def test_tags_alone_have_no_words():
    trees = ["(S (A a) (B b))", "(S (B b) (A a))"]
    problem = WeightedGrammar(span_features=["first:word", "first:tag", "first:word+length"])
    problem._bind(trees, trees, True)
    names = feature_names(problem)

    def seen(x):
        return [names[k] for k in problem.joint_features(x, trees[0]) if " over " in names[k]]

    assert seen(trees[0]) == [
        "S over first word a",
        "S over first tag A",
        "S over first word a, length 2",
    ]
    assert seen("A B") == ["S over first tag A"]


def test_more_examples_keep_old_weights_in_their_places():
    first, more = treebank(5), treebank(6)
    problem = WeightedGrammar(input="words")
    problem._bind(first, first, True)
    names = feature_names(problem)
    problem._bind(more, more, False)
    assert feature_names(problem)[: len(names)] == names
    assert problem._n_weights() > len(names)
    model = StructuredPerceptron(WeightedGrammar(input="words"))
    model.partial_fit(first, first).partial_fit(more, more)
    assert len(model.coef_) == problem._n_weights()
    assert model.predict(first + more)


@pytest.mark.parametrize("input", ["tags", "words"])
def test_shards_know_what_all_examples_know(input):
    trees = treebank(7, n=20)
    whole, shards = WeightedGrammar(input=input), WeightedGrammar(input=input)
    whole._bind(trees, trees, True)
    shards.settle([pickle.loads(pickle.dumps(shards.survey(part, part))) for part in (trees[:9], trees[9:])])
    assert feature_names(shards) == feature_names(whole)
    for tree in trees:
        assert shards.joint_features(tree, tree) == whole.joint_features(tree, tree)
    n = whole._n_weights()
    shards._bind(trees[9:], trees[9:], False)
    assert shards._n_weights() == n


@pytest.mark.parametrize("parameters", PARAMETERS, ids=str)
def test_copies_and_files_predict_the_same(parameters, tmp_path):
    trees = treebank(8)
    model = StructuredPerceptron(WeightedGrammar(**parameters), averaging="average", epochs=4).fit(
        trees, trees
    )
    expected = model.predict_k(trees, 3)
    save(model, tmp_path / "model")
    save(model, tmp_path / "final", resumable=False)
    for other in (copy.deepcopy(model), load(tmp_path / "model"), load(tmp_path / "final")):
        for mine, theirs in zip(expected, other.predict_k(trees, 3), strict=True):
            assert [y for y, _ in mine] == [y for y, _ in theirs]
            assert [s for _, s in mine] == pytest.approx([s for _, s in theirs])
    assert len(load(tmp_path / "final").coef_) < len(model.coef_)
    resumed = load(tmp_path / "model").partial_fit(trees[:3], trees[:3])
    assert np.array_equal(resumed.coef_, model.partial_fit(trees[:3], trees[:3]).coef_)


def test_weights_of_spans_can_be_explained():
    trees = treebank(9)
    model = GrammarSVC().fit(trees, trees)
    columns = list(model.problem_._functions(model).columns())
    assert [column.label for column in columns] == ["rules", "spans"]
    assert sum(len(column.values) for column in columns) == len(model.coef_)
    assert " over " in columns[1].name(0)
    (scored, *_) = model.problem_._functions(model).scored(trees)
    assert scored.scores[0].weights @ scored.scores[0].values == pytest.approx(
        model.predict_k(trees[:1], 1)[0][0][1]
    )


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("borders", "span_features must be 'auto'"),
        (["first"], "span_features has the template 'first'"),
        (["first:tag+middle:tag"], "whose parts must be 'length'"),
        ([3], "span_features has the template 3"),
    ],
)
def test_other_templates_are_refused(value, message):
    trees = treebank(10, n=2)
    with pytest.raises(ValueError, match=message):
        GrammarSVC(span_features=value).fit(trees, trees)


def test_probabilities_are_those_of_rules():
    trees = treebank(11)
    model = PCFG().fit(trees, trees)
    assert model.problem_.spans_ is None
    assert "span_features" not in model.get_params()


def test_auto_has_every_form():
    assert {form for template in AUTO for form in ("tag", "word", "ending", "shape") if form in template} == {
        "tag",
        "word",
        "ending",
        "shape",
    }
