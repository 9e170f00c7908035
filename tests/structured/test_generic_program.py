"""Hedgerow's own problems with all that they take, against a generic program over every output.

Other files have string mappings (test_pair_run), Weston and Watkins (test_weston_watkins), Crammer and Singer
(test_class_ascent), weighted classes (test_sample_weights) and problems in Python (test_solvers).
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from hedgerow.data import CandidateLists
from hedgerow.kernels import Linear
from hedgerow.structured import (
    LabelSequence,
    OutputFeatures,
    Problem,
    Reranking,
    StructuredSVM,
    Taxonomy,
    WeightedGrammar,
)
from tests.structured.generic_qp import generic_optimum

LABELS = ["B-X", "I-X", "O"]
WORDS = [["a", "b"], ["b", "c", "c"], ["a"], ["c", "a", "b"], ["b", "b"], ["c", "c"]]
TAGS = [["B-X", "I-X"], ["O", "B-X", "B-X"], ["O"], ["O", "B-X", "O"], ["B-X", "I-X"], ["O", "O"]]
WEIGHTS = np.array([1.0, 0.0, 2.0, 0.5, 3.0, 1.0])
TREES = [
    "(S (A a) (S (B b) (A a)))",
    "(S (S (A a) (B b)) (B b))",
    "(S (A a) (B b))",
    "(S (B b) (S (A a) (S (A a) (B b))))",
    "(S (S (B b) (A a)) (S (A b) (B a)))",
    "(S (S (A b) (B b)) (A a))",
]
TAXONOMY = {0: "low", 1: "low", 2: "high", "low": "all", "high": "all"}


class Listed(Problem):
    """A fitted problem whose outputs are listed, for the generic program."""

    def __init__(self, problem, outputs):
        self.problem, self.candidates = problem, outputs
        self.joint_features, self.compute_loss = problem.joint_features, problem.compute_loss
        self.same = problem.same


def labellings(problem):
    return lambda x: [list(y) for y in product(LABELS, repeat=len(x))]


def valid_labellings(problem):
    return lambda x: [y for y in labellings(problem)(x) if "O I-X" not in " ".join(["O", *y])]


def trees(problem):
    nothing = np.zeros(problem._n_weights())
    return lambda x: [tree for tree, _ in problem._decode_k([x], nothing, 10_000, 1)[0]]


def classes(problem):
    return problem.candidates


def check(problem, outputs, X, y, settings, weights=None, plain=None):
    """``plain`` is the same problem with explicit features."""
    model = StructuredSVM(problem, tol=1e-6, random_state=0, **settings).fit(X, y, sample_weight=weights)
    fitted = model.problem_
    if plain is not None:
        plain._bind(X, y, True)
        fitted = plain
    listed = Listed(fitted, outputs(fitted))
    expected = generic_optimum(
        listed,
        X,
        y,
        settings["C"],
        settings.get("slack", "linear"),
        settings.get("rescaling", "margin"),
        1.0 if weights is None else weights,
    )
    assert model.converged_
    assert model.objective_ == pytest.approx(expected.objective, rel=1e-4)
    assert model.dual_objective_ <= expected.objective * (1 + 1e-6)


SOLVERS = [
    {"C": 0.4, "solver": "one-slack"},
    {"C": 0.4, "solver": "frank-wolfe"},
    {"C": 0.4, "solver": "n-slack", "slack": "linear"},
]
# Every formulation with every solver that takes it.
EVERYTHING = [
    {"C": 0.4, "solver": solver, "slack": slack, "rescaling": rescaling}
    for solver in ("one-slack", "frank-wolfe", "n-slack")
    for slack in ("linear", "quadratic")
    for rescaling in ("margin", "slack", None)
    if slack == "linear" or solver == "n-slack"
]


@pytest.mark.parametrize("settings", EVERYTHING, ids=str)
@pytest.mark.parametrize("loss", ["hamming", "mean", "zero-one", "spans", "span-f1"])
def test_losses_of_sequences(loss, settings):
    check(
        LabelSequence(loss=loss, classes=LABELS, templates=None), labellings, WORDS, TAGS, settings, WEIGHTS
    )


@pytest.mark.parametrize("settings", SOLVERS, ids=str)
@pytest.mark.parametrize(
    "parameters",
    [
        {"templates": None, "order": 2, "boundaries": True, "bias": False},
        {"templates": None, "order": 0, "loss": {("O", "B-X"): 3.0, ("B-X", "O"): 0.5}},
        {"templates": None, "transition_features": "all", "transition_scale": 0.5, "window": 1},
        {"templates": ["word[0]", "word[-1] word[0]"], "loss": "spans"},
    ],
    ids=str,
)
def test_features_of_sequences(parameters, settings):
    check(LabelSequence(classes=LABELS, **parameters), labellings, WORDS, TAGS, settings, WEIGHTS)


@pytest.mark.parametrize("settings", SOLVERS, ids=str)
@pytest.mark.parametrize("loss", ["hamming", "spans", "span-f1"])
def test_sequences_that_are_constrained_in_training(loss, settings):
    problem = LabelSequence(
        templates=None, loss=loss, classes=LABELS, constraints="bio", constrained_training=True
    )
    check(problem, valid_labellings, WORDS, TAGS, settings)


@pytest.mark.parametrize("settings", EVERYTHING, ids=str)
@pytest.mark.parametrize(
    "parameters",
    [
        {"loss": "f1", "span_features": None},
        {"loss": "f1", "span_features": ["first:word", "inside:tag+length"]},
        {"loss": "brackets", "span_features": ["before:word", "length"]},
        {"loss": "zero-one"},
    ],
    ids=str,
)
def test_grammars(parameters, settings):
    problem = WeightedGrammar(input="words", min_word_count=1, **parameters)
    check(problem, trees, TREES, TREES, settings, WEIGHTS)


@pytest.mark.parametrize("settings", SOLVERS, ids=str)
@pytest.mark.parametrize(
    "loss", [{"S": 2.0, "A": 0.5}, lambda label: 0.25 + (label == "S")], ids=["dict", "function"]
)
def test_costs_of_brackets(loss, settings):
    problem = WeightedGrammar(input="words", min_word_count=1, loss=loss, span_features=["length"])
    check(problem, trees, TREES, TREES, settings, WEIGHTS)


@pytest.mark.parametrize("settings", EVERYTHING, ids=str)
@pytest.mark.parametrize("loss", ["hamming", "span-f1"])
def test_kernels_of_tokens(loss, settings):
    """A linear kernel is the same as weights."""
    random = np.random.RandomState(2)
    X = [random.normal(size=(len(tags), 2)) for tags in TAGS]
    kernel, plain = (LabelSequence(kernel=k, loss=loss, classes=LABELS) for k in (Linear(), None))
    check(kernel, labellings, X, TAGS, settings, WEIGHTS, plain)


@pytest.mark.parametrize("settings", EVERYTHING, ids=str)
def test_kernels_of_classes_that_share_features(settings):
    random = np.random.RandomState(1)
    X, y = random.normal(size=(12, 3)), np.arange(12) % 3
    kernel, plain = (Taxonomy(TAXONOMY, kernel=k) for k in (Linear(), None))
    check(kernel, classes, X, y, settings, np.repeat([0.0, 0.5, 1.0, 3.0], 3), plain)


@pytest.mark.parametrize("settings", EVERYTHING, ids=str)
@pytest.mark.parametrize("loss", ["grade", "zero-one"])
def test_candidates(loss, settings):
    random = np.random.RandomState(3)
    sizes = [3, 4, 2, 5, 3, 2]
    lists = CandidateLists(
        sizes, features=random.normal(size=(sum(sizes), 3)), grades=random.uniform(size=sum(sizes))
    )
    true = lists.oracles()
    model = StructuredSVM(Reranking(loss=loss), tol=1e-6, random_state=0, **settings)
    model.fit(lists, true, sample_weight=WEIGHTS)
    expected = generic_optimum(
        Choices(lists, loss),
        range(len(sizes)),
        (lists.begins[:-1] + true).tolist(),
        0.4,
        settings["slack"],
        settings["rescaling"],
        WEIGHTS,
    )
    assert model.converged_
    assert model.objective_ == pytest.approx(expected.objective, rel=1e-4)
    assert model.dual_objective_ <= expected.objective * (1 + 1e-6)


class Choices(Problem):
    """Candidates by their number among those of all lists; inputs are numbers of lists."""

    def __init__(self, lists, loss):
        self.lists, self.loss = lists, loss

    def joint_features(self, x, y):
        return self.lists.features[[y]].toarray()[0]

    def candidates(self, x):
        return list(range(*self.lists.begins[x : x + 2]))

    def compute_loss(self, y_true, y):
        worse = self.lists.grades[y_true] - self.lists.grades[y]
        return worse if self.loss == "grade" else float(y != y_true)


@pytest.mark.parametrize("settings", EVERYTHING, ids=str)
@pytest.mark.parametrize(
    "problem",
    [
        Taxonomy(TAXONOMY),
        OutputFeatures(np.array([[1.0, 0.0], [0.5, 1.0], [0.0, 2.0]]), loss={(0, 2): 2.5}),
        OutputFeatures(similarity=np.array([[1.0, 0.4, 0.0], [0.4, 1.0, 0.0], [0.0, 0.0, 1.0]])),
    ],
    ids=["taxonomy", "features", "similarity"],
)
def test_classes_that_share_features(problem, settings):
    random = np.random.RandomState(1)
    X, y = random.normal(size=(12, 3)), np.arange(12) % 3
    check(problem, classes, X, y, settings, np.repeat([0.0, 0.5, 1.0, 3.0], 3))
