"""The parser's answers against a list of all trees."""

from __future__ import annotations

import numpy as np
import pytest

from hedgerow.structured import WeightedGrammar
from hedgerow.structured.questions import Violation
from tests.structured.slow_grammar import all_trees, random_tree

QUESTIONS = [
    ("best", False),
    ("best_wrong", False),
    ("margin", False),
    ("margin", True),
    ("slack", False),
    ("slack", True),
]
GRAMMARS = [
    {},
    {"branching": "left"},
    {"markov": 0},
    {"markov": 1, "branching": "left"},
    {"parents": True},
    {"input": "words", "markov": 0, "min_word_count": 1},
    {"input": "words", "min_word_count": 2, "parents": True},
]


def dense(problem, tree):
    vector = np.zeros(problem.book_.n_features)
    for feature, count in problem.joint_features(tree, tree).items():
        vector[feature] = count
    return vector


@pytest.mark.parametrize("cost", ["f1", "brackets", "zero-one"])
@pytest.mark.parametrize("parameters", GRAMMARS, ids=str)
def test_answers_are_those_of_a_list_of_all_trees(parameters, cost):
    rng = np.random.default_rng(sum(map(ord, str(parameters) + cost)))
    seen = set()
    for treebank in range(6):
        problem = WeightedGrammar(cost=cost, **parameters)
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
            losses = np.array([problem.loss(y, tree) for tree in trees])
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
