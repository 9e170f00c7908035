"""The parser's answers against a list of all trees."""

from __future__ import annotations

import numpy as np
import pytest

from hedgerow.structured import (
    BracketScores,
    StructuredPerceptron,
    StructuredSVM,
    WeightedGrammar,
    bracket_scores,
)
from hedgerow.structured.questions import Violation
from tests.structured.slow_grammar import all_trees, best_scores, random_tree

QUESTIONS = [
    ("best", False),
    ("best_wrong", False),
    ("margin", False),
    ("margin", True),
    ("slack", False),
    ("slack", True),
]
RULES = [
    {"markov": "all"},
    {"branching": "left"},
    {"markov": 0},
    {"markov": 1, "branching": "left"},
    {"parents": True},
    {"input": "words", "markov": 0, "min_word_count": 1},
    {"input": "words", "min_word_count": 2, "parents": True},
]
SPANS = [
    {"markov": 0, "span_features": ["length", "first:tag+last:tag"]},
    {"branching": "left", "span_features": ["before:tag+first:word", "after:tag", "inside:word"]},
    {"input": "words", "min_word_count": 1},
    {
        "input": "words",
        "min_word_count": 2,
        "parents": True,
        "span_features": ["last:word+length", "before:tag"],
    },
]
GRAMMARS = [{**parameters, "span_features": None} for parameters in RULES] + SPANS


def dense(problem, tree):
    vector = np.zeros(problem.book_.n_features)
    for feature, count in problem.joint_features(tree, tree).items():
        vector[feature] = count
    return vector


@pytest.mark.parametrize("loss", ["f1", "brackets", "zero-one"])
@pytest.mark.parametrize("parameters", GRAMMARS, ids=str)
def test_answers_are_those_of_a_list_of_all_trees(parameters, loss):
    rng = np.random.default_rng(sum(map(ord, str(parameters) + loss)))
    seen = set()
    for treebank in range(6):
        problem = WeightedGrammar(loss=loss, **parameters)
        root = ["TOP", "", "A"][treebank % 3]
        Y = [random_tree(rng, int(rng.integers(1, 6)), root=root) for _ in range(4)]
        oracle = problem._bind(Y, Y, True).oracle
        assert oracle.n_features == problem.book_.n_features
        for i, y in enumerate(Y):
            trees = all_trees(problem, y)
            if trees is None:
                continue
            assert y in trees
            assert len(set(trees)) == len(trees)
            features = np.array([dense(problem, tree) for tree in trees])
            losses = np.array([problem.compute_loss(y, tree) for tree in trees])
            for scale in (0.0, 0.1, 0.5, 2.0):
                weights = scale * rng.normal(size=oracle.n_features)
                if treebank % 2:
                    weights = np.round(weights)  # many ties
                for question in QUESTIONS:
                    found = oracle.find(i, weights, *question)
                    check_answer(found, Violation(*question), weights, features, losses, trees.index(y))
                    seen.add((question[0], found[3]))
    assert len(seen) >= 7  # every question was answered by true and by wrong trees, but for best_wrong


def check_answer(found, violation, weights, features, losses, true):
    """The answer is the difference of one of the trees, and none violates its constraint more."""
    indices, values, loss, correct = found
    difference = np.zeros(len(weights))
    difference[indices] = values
    same = np.all(features[true] - features == difference, axis=1) & (np.abs(losses - loss) < 1e-12)
    assert same[true] if correct else np.any(np.delete(same, true))
    margins = (features[true] - features) @ weights
    rivals = np.delete(margins, true)
    margin = float(values @ weights[indices])
    if violation.search == "best_wrong":
        assert correct == (len(rivals) == 0)
        if not correct:
            assert margin == pytest.approx(rivals.min(), abs=1e-9)
    elif violation.search == "best":
        assert margin == pytest.approx(margins.min(), abs=1e-9)
    else:
        most = max(violation(a, b) for a, b in zip(losses, margins, strict=True))
        assert violation(loss, margin) == pytest.approx(most, abs=1e-9)


COSTS = {"A": 3.0, "B": 0.0, "C": 0.25}


@pytest.mark.parametrize(
    "loss", [COSTS, lambda label: 2.0 if label == "A" else 0.5], ids=["dict", "function"]
)
@pytest.mark.parametrize("parameters", [GRAMMARS[0], GRAMMARS[4], SPANS[2]], ids=str)
def test_costs_of_brackets(parameters, loss):
    rng = np.random.default_rng(sum(map(ord, str(parameters))))
    answers = set()
    for treebank in range(8):
        problem = WeightedGrammar(loss=loss, **parameters)
        Y = [random_tree(rng, int(rng.integers(1, 6)), root=["TOP", "", "A"][treebank % 3]) for _ in range(4)]
        oracle = problem._bind(Y, Y, True).oracle
        for i, y in enumerate(Y):
            trees = all_trees(problem, y)
            if trees is None:
                continue
            features = np.array([dense(problem, tree) for tree in trees])
            losses = np.array([problem.compute_loss(y, tree) for tree in trees])
            for scale in (0.0, 0.3, 1.0):
                weights = scale * rng.normal(size=oracle.n_features)
                for question in QUESTIONS[:3]:
                    found = oracle.find(i, weights, *question)
                    check_answer(found, Violation(*question), weights, features, losses, trees.index(y))
                    answers.add(found[3])
    assert answers == {True, False}


def test_costs_of_brackets_are_for_margins_and_linear_slacks():
    trees = ["(S (A a) (B b))", "(S (B b) (X (A a) (A a)))"]
    problem = WeightedGrammar(loss={"X": 2.0})
    assert problem.compute_loss(trees[1], "(S (B b) (A a) (A a))") == 2.0
    assert problem.compute_loss(trees[1], "(T (B b) (X (A a) (A a)))") == 2.0  # S and T cost 1 each
    with pytest.raises(
        ValueError, match="WeightedGrammar with this loss cannot be trained with slack='quadratic'"
    ):
        StructuredSVM(problem, slack="quadratic", solver="n-slack").fit(trees, trees)
    assert StructuredSVM(problem, C=10.0).fit(trees, trees).predict(trees) == trees
    with pytest.raises(ValueError, match="at least 0, but is -1 for brackets 'X'"):
        StructuredSVM(WeightedGrammar(loss={"X": -1})).fit(trees, trees)


@pytest.mark.parametrize("loss", ["f1", "brackets"])
@pytest.mark.parametrize("markov", [0, 1])
def test_answers_are_those_of_slow_strata_where_trees_are_too_many(markov, loss):
    rng = np.random.default_rng(10 * markov + len(loss))
    problem = WeightedGrammar(loss=loss, markov=markov, span_features=None)
    Y = [random_tree(rng, n, labels="ABCD", tags="xyz", unary=0.25) for n in (3, 5, 6, 7, 8)]
    oracle = problem._bind(Y, Y, True).oracle
    for scale in (0.03, 0.2, 1.0):
        weights = scale * rng.normal(size=oracle.n_features)
        for i, y in enumerate(Y):
            true_score = dense(problem, y) @ weights
            n_true = oracle_brackets(problem, y)
            strata = best_scores(problem, y, weights)
            for question in QUESTIONS[2:]:
                violation = Violation(*question)
                most = max(
                    violation(loss_of(loss, n_true, *counts), true_score - score)
                    for counts, score in strata.items()
                )
                indices, values, found_loss, _ = oracle.find(i, weights, *question)
                found = violation(found_loss, float(values @ weights[indices]))
                assert found == pytest.approx(most, abs=1e-9), question


def oracle_brackets(problem, y):
    return bracket_scores([y], [y], uncounted=problem.uncounted).n_true


def loss_of(loss, n_true, matched, n_all):
    return (
        1 - BracketScores(n_true, n_all, matched, 0, 1).f1 if loss == "f1" else n_true + n_all - 2 * matched
    )


def test_beams_are_left_where_nothing_else_parses():
    rng = np.random.default_rng(3)
    Y = [random_tree(rng, n, unary=0.2) for n in (4, 5, 6, 7, 8)]
    problem = WeightedGrammar(markov=1, span_features=None)
    weights = rng.normal(size=problem._bind(Y, Y, True).oracle.n_features)
    exact = problem._decode(Y, weights, 1)
    assert problem.set_params(beam=1e3)._decode(Y, weights, 1) == exact
    narrow = problem.set_params(beam=0)._decode(Y, weights, 2)

    def score(tree):
        return dense(problem, tree) @ weights

    assert all(score(a) <= score(b) + 1e-9 for a, b in zip(narrow, exact, strict=True))
    assert narrow != exact


def test_wrong_arrays_are_refused():
    problem = WeightedGrammar(span_features=None)
    y = "(S (NP (D a) (N dog)) (VP (V barks)))"
    oracle = problem._bind([y], [y], True).oracle
    with pytest.raises(ValueError, match="too short"):
        oracle.find(0, np.zeros(oracle.n_features - 1), "best")
    with pytest.raises(ValueError, match="too short"):
        problem._decode([y], np.zeros(oracle.n_features - 1), 1)
    with pytest.raises(ValueError, match="does not fit its grammar"):
        problem._grammar.bind(
            "f1",
            *(
                np.array(a, t)
                for a, t in zip(
                    [[], [0], [0, 1], [], [0, 3], [0, 0], [0, 2]],
                    [np.float64, np.int32, np.int64, np.int32, np.int32, np.int32, np.int64],
                    strict=True,
                )
            ),
        )


@pytest.mark.parametrize("parameters", GRAMMARS, ids=str)
def test_the_k_best_are_those_of_a_list_of_all_trees(parameters):
    rng = np.random.default_rng(sum(map(ord, str(parameters))))
    several = 0
    for treebank in range(6):
        problem = WeightedGrammar(**parameters)
        Y = [random_tree(rng, int(rng.integers(1, 6)), root=["TOP", "", "A"][treebank % 3]) for _ in range(4)]
        n_features = problem._bind(Y, Y, True).oracle.n_features
        for y in Y:
            trees = all_trees(problem, y)
            if trees is None:
                continue
            features = np.array([dense(problem, tree) for tree in trees])
            weights = rng.normal(size=n_features)
            scores = dict(zip(trees, features @ weights, strict=True))
            expected = sorted(scores.values(), reverse=True)
            for k in (1, 2, 5, len(trees) + 3):
                (found,) = problem._decode_k([y], weights, k, 1)
                assert [score for _, score in found] == pytest.approx(expected[:k])
                assert len({tree for tree, _ in found}) == len(found) == min(k, len(trees))
                assert [scores[tree] for tree, _ in found] == pytest.approx([score for _, score in found])
            several += len(trees) > 3
    assert several > 0


def test_what_has_no_tree_has_no_score():
    trees = ["(S (A a) (B b))"] * 2
    model = StructuredPerceptron(WeightedGrammar()).fit(trees, trees)
    (known,), (unknown,) = model.predict_k(["A B", "B Z"], 3)
    assert (known[0], np.isfinite(known[1])) == ("(S (A A) (B B))", True)
    assert unknown[1] == -np.inf
