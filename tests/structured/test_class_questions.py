"""Classes, strings and lists: every question of a solver is answered as by brute force."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone

from hedgerow.data import CandidateLists
from hedgerow.kernels import Linear, Normalized, Polynomial, Spectrum, SubsetTree
from hedgerow.structured import Multiclass, OutputFeatures, Reranking, StringMapping, Taxonomy
from hedgerow.structured.discriminant import PythonOracle
from hedgerow.structured.questions import Violation

SEARCHES = [("best", False), *((s, r) for s in ("best_wrong", "margin", "slack") for r in (False, True))]
PARENTS = {"a": "ab", "b": "ab", "c": ["ab", "cd"], "d": "cd", "ab": "all", "cd": "all"}
PROBLEMS = {
    "multiclass": Multiclass(),
    "costs": Multiclass(loss=[[0, 1, 2, 3], [1, 0, 0.5, 2], [0, 1, 0, 1], [4, 1, 1, 0]]),
    "callable": Multiclass(loss=lambda y_true, y: abs(ord(y_true) - ord(y)) / 2),
    "matrix": OutputFeatures([[1.0, 0, 2], [0, 1, 0], [0.5, 0.5, 0], [0, 0, -1]]),
    "texts": OutputFeatures({"a": "red ball", "b": "red box", "c": "blue ball", "d": "ox"}),
    "similarity": OutputFeatures(similarity=np.eye(4) + 0.5),
    "taxonomy": Taxonomy(PARENTS),
    "weighted": Taxonomy(PARENTS, node_weights={"ab": 0.5, "all": 0}, loss="path"),
    "inner classes": Taxonomy(PARENTS, classes="all", node_weights="normalized"),
}


def violation_found(oracle, example, weights, search, root):
    """By how much the answer of a native oracle violates its constraint (for "best": its lead over the true output)."""
    indices, values, loss, correct = oracle.find(example, weights, search, root)
    assert (np.diff(indices) > 0).all()
    assert (values != 0).all()
    margin = values @ weights[indices]
    if correct:
        assert loss == 0
        assert len(indices) == 0
    return Violation(search, root)(loss, margin) if search != "best" else -margin


@pytest.mark.parametrize("name", PROBLEMS)
@pytest.mark.parametrize(("search", "root"), SEARCHES)
def test_classes_equal_brute_force(name, search, root):
    random = np.random.RandomState(0)
    X = sparse.random_array((5, 4), density=0.5, random_state=1, format="csr")
    y = random.choice(["a", "b", "c", "d"], 5)
    y[:4] = ["a", "b", "c", "d"]
    problem = clone(PROBLEMS[name])
    oracle = problem._bind(X, y, True).oracle
    slow = PythonOracle(problem, [X[[i]] for i in range(5)], y.tolist())
    for scale in (0.0, 0.3, 3.0):
        weights = random.normal(size=oracle.n_features) * scale
        for example in range(5):
            indices, values, loss, correct = slow.find(example, weights, search, root)
            margin = values @ weights[indices]
            expected = Violation(search, root)(loss, margin) if search != "best" else -margin
            found = violation_found(oracle, example, weights, search, root)
            assert found == pytest.approx(expected, abs=1e-12)
            if scale:  # no ties: the very same output
                found_indices, found_values, found_loss, found_correct = oracle.find(
                    example, weights, search, root
                )
                assert (found_loss, found_correct) == (pytest.approx(loss), correct)
                difference = np.zeros(oracle.n_features)
                np.add.at(difference, indices, values)
                difference[found_indices] -= found_values
                assert np.abs(difference).max() < 1e-12


@pytest.mark.parametrize("name", PROBLEMS)
def test_scores_are_products_with_joint_features(name):
    random = np.random.RandomState(1)
    X = random.normal(size=(8, 3))
    problem = clone(PROBLEMS[name])
    oracle = problem._bind(X, ["a", "b", "c", "d"] * 2, True).oracle
    weights = random.normal(size=oracle.n_features)
    expected = [[(problem.joint_features(x, y) @ weights).item() for y in problem.candidates(x)] for x in X]
    np.testing.assert_allclose(problem.scores(X, weights), expected, atol=1e-12)
    predicted = problem._decode(sparse.csr_array(X), weights, 1)
    assert predicted.tolist() == problem.classes_[np.argmax(expected, axis=1)].tolist()


@pytest.mark.parametrize(("search", "root"), SEARCHES)
def test_a_linear_kernel_answers_as_explicit_features(search, root):
    random = np.random.RandomState(2)
    X, y = random.normal(size=(9, 4)), ["a", "b", "c"] * 3
    explicit = OutputFeatures([[1.0, 1], [0, 1], [2, 0]], loss=lambda a, b: 1.0 + (a > b))
    implicit = OutputFeatures(
        kernel=Linear(), **{k: v for k, v in explicit.get_params().items() if k != "kernel"}
    )
    plain, kernel = explicit._bind(X, y, True), implicit._bind(X, y, True)
    coordinates = random.normal(size=(9, 2))  # of items by output features
    weights = (X.T @ coordinates).ravel()
    scores = kernel.space.image(coordinates.ravel())
    np.testing.assert_allclose(
        implicit.scores(X, coordinates.ravel()), explicit.scores(X, weights), atol=1e-12
    )
    for example in range(9):
        indices, values, loss, correct = kernel.oracle.find(example, scores, search, root)
        as_features = np.zeros((9, 2))
        as_features.ravel()[indices] = values
        expected = plain.oracle.find(example, weights, search, root)
        assert (loss, correct) == expected[2:]
        dense = np.zeros(8)
        dense[expected[0]] = expected[1]
        np.testing.assert_allclose((X.T @ as_features).ravel(), dense, atol=1e-12)


def string_problem(**parameters):
    return StringMapping(Normalized(Spectrum(k=2)), Spectrum(k=1), **parameters)


@pytest.mark.parametrize("loss", ["kernel", "edit", "zero-one", lambda y_true, y: len(y_true + y) / 2])
@pytest.mark.parametrize("proposed", [None, lambda x: [x[:2], x[::-1], "xy"]])
@pytest.mark.parametrize(("search", "root"), SEARCHES)
def test_strings_equal_brute_force(loss, proposed, search, root):
    X = ["abab", "babb", "aabb", "bbaa", "abba"]
    Y = ["xy", "yy", "xx", "yx", "xyy"]
    problem = string_problem(loss=loss, candidates=proposed)
    binding = problem._bind(X, Y, True)
    K, outputs = Normalized(Spectrum(k=2))(X), problem.outputs_
    L = Spectrum(k=1)(outputs)
    lists = [outputs if proposed is None else {*proposed(x), y} for x, y in zip(X, Y, strict=True)]
    # Any function in the span: sum over training inputs and outputs of alpha K L.
    alpha = np.random.RandomState(3).normal(size=(len(X), len(outputs)))
    F = K @ alpha @ L
    coordinates = alpha @ problem.factor_.features
    scores = binding.space.image(coordinates.ravel())
    for i, y_true in enumerate(Y):
        score = {y: F[i, outputs.index(y)] for y in lists[i]}
        if search == "best":
            expected = max(score.values()) - score[y_true]
        else:
            violation = Violation(search, root)
            expected = max(
                violation(problem.compute_loss(y_true, y), score[y_true] - score[y])
                for y in lists[i]
                if search != "best_wrong" or y != y_true
            )
        found = violation_found(binding.oracle, i, scores, search, root)
        assert found == pytest.approx(expected, abs=1e-9)
    predicted = problem._decode(X, coordinates.ravel(), 1)
    for i, y in enumerate(predicted):
        proposals = outputs if proposed is None else proposed(X[i])
        if proposed is None:
            assert F[i, outputs.index(y)] == pytest.approx(max(F[i]))
        assert y in proposals


def test_new_strings_score_as_by_the_kernels():
    X, Y = ["abab", "babb", "aabb"], ["xy", "yy", "xxx"]
    new = ["abb", "bba"]
    proposals = {"abb": ["xyz", "y", "zz"], "bba": ["xxy", "yyyx"], **dict.fromkeys(X, Y)}
    problem = string_problem(candidates=proposals.get)
    problem._bind(X, Y, True)
    alpha = np.random.RandomState(4).normal(size=(3, 3))
    K = Normalized(Spectrum(k=2))(new, X)
    expected = []
    for row, x in zip(K, new, strict=True):
        scores = row @ alpha @ Spectrum(k=1)(problem.outputs_, proposals[x])
        expected.append(proposals[x][int(scores.argmax())])
    assert problem._decode(new, (alpha @ problem.factor_.features).ravel(), 1) == expected


def lists_of_candidates():
    random = np.random.RandomState(5)
    lengths = [3, 1, 4, 2]
    features = sparse.random_array((10, 7), density=0.4, random_state=6, format="csr")
    trees = [f"(S {'(A a)' * n}{'(B b)' * (n % 3)})" for n in range(1, 11)]
    return CandidateLists(lengths, features=features, grades=random.random_sample(10), trees=trees)


@pytest.mark.parametrize("loss", ["grade", "zero-one"])
@pytest.mark.parametrize("kernel", [None, Normalized(SubsetTree())])
@pytest.mark.parametrize(("search", "root"), SEARCHES)
def test_lists_equal_brute_force(loss, kernel, search, root):
    lists = lists_of_candidates()
    problem = Reranking(loss=loss, kernel=kernel)
    binding = problem._bind(lists, None, True)
    coordinates = np.random.RandomState(7).normal(size=binding.oracle.n_features)
    scores = coordinates if kernel is None else binding.space.image(coordinates)
    F = lists.features @ coordinates if kernel is None else kernel(lists.trees) @ coordinates
    np.testing.assert_allclose(problem.scores(lists, coordinates), F)
    assert problem._decode(lists, coordinates, 1).tolist() == lists.highest(F).tolist()
    for i, truth in enumerate(lists.oracles()):
        own, grades = F[lists.begins[i] : lists.begins[i + 1]], lists[i].grades
        losses = grades[truth] - grades if loss == "grade" else np.arange(len(own)) != truth
        others = [k for k in range(len(own)) if k != truth]
        if search == "best":
            expected = own.max() - own[truth]
        elif search == "best_wrong":
            expected = max((1 - own[truth] + own[k] for k in others), default=1.0)
        else:
            violation = Violation(search, root)
            expected = max([0.0, *(violation(float(losses[k]), own[truth] - own[k]) for k in others)])
        found = violation_found(binding.oracle, i, scores, search, root)
        assert found == pytest.approx(expected, abs=1e-9)


def test_a_true_output_without_rivals_is_the_answer():
    problem = string_problem()
    binding = problem._bind(["ab"], ["x"], True)
    for search, root in SEARCHES:
        assert binding.oracle.find(0, np.zeros(binding.oracle.n_features), search, root)[3]


def test_kernels_of_trees():
    trees = ["(S (A a) (B b))", "(S (A a) (A a))", "(S (B b) (B b))"]
    problem = Multiclass(kernel=Normalized(SubsetTree()) + 0.5 * Normalized(SubsetTree(decay=1.0)))
    binding = problem._bind(trees, [3, 1, 2], True)
    coordinates = np.random.RandomState(8).normal(size=9)
    expected = problem.kernel(trees) @ coordinates.reshape(3, 3)
    np.testing.assert_allclose(problem.scores(trees, coordinates), expected)
    np.testing.assert_allclose(binding.space.image(coordinates).reshape(3, 3), expected)


def test_polynomial_kernel_in_rows_that_are_computed_when_needed(monkeypatch):
    from hedgerow.structured import kernel_items

    X, coordinates = np.random.RandomState(9).normal(size=(6, 2)), np.arange(18.0)
    whole = Multiclass(Polynomial(degree=2))._bind(X, [0, 1, 2] * 2, True).space.image(coordinates)
    monkeypatch.setattr(kernel_items, "_CACHE_BYTES", 100)
    rows = Multiclass(Polynomial(degree=2))._bind(X, [0, 1, 2] * 2, True).space.image(coordinates)
    np.testing.assert_allclose(rows, whole)
