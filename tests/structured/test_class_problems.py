"""Multiclass, output features and taxonomies: what they are made of, errors, copies."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import clone
from sklearn.feature_extraction.text import TfidfVectorizer

from hedgerow.kernels import RBF, Linear, Normalized, Spectrum, SubsetTree
from hedgerow.structured import Multiclass, OutputFeatures, Problem, Taxonomy, losses

X = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [2.0, -1.0]])
Y = ["cat", "dog", "oak", "cat"]
PARENTS = {"cat": "animal", "dog": "animal", "oak": "plant", "animal": "thing", "plant": "thing"}


def bound(problem: Problem, x=X, y=Y):
    problem = clone(problem)
    problem._bind(x, y, True)
    return problem


class TestOutputFeatures:
    def test_of_multiclass_are_identities(self):
        problem = bound(Multiclass())
        assert problem.output_features_ is None
        assert problem.joint_features(X[3], "dog").toarray().tolist() == [[0, 2, 0, 0, -1, 0]]

    def test_of_a_taxonomy_are_ancestors(self):
        problem = bound(Taxonomy(PARENTS))
        rows = [dict(zip(problem.nodes_, row, strict=True)) for row in problem.output_features_.toarray()]
        assert [{node for node, value in row.items() if value} for row in rows] == [
            {"cat", "animal", "thing"},
            {"dog", "animal", "thing"},
            {"oak", "plant", "thing"},
        ]

    def test_weights_of_nodes(self):
        problem = bound(Taxonomy(PARENTS, node_weights={"animal": 0.5, "thing": 0, "oak": 2}))
        row = dict(zip(problem.nodes_, problem.output_features_.toarray()[0], strict=True))
        assert row == {"cat": 1, "dog": 0, "oak": 0, "animal": 0.5, "plant": 0, "thing": 0}
        lengths = np.square(
            bound(Taxonomy({**PARENTS, "oak": "thing"}, node_weights="normalized")).output_features_.toarray()
        ).sum(axis=1)
        assert_allclose(lengths, 1)

    def test_texts_become_words_and_identities(self):
        texts = {"dog": "a big animal", "cat": "a small animal", "oak": "a plant", "elm": "plant"}
        problem = bound(OutputFeatures(texts))
        assert problem.classes_.tolist() == ["cat", "dog", "elm", "oak"]  # all that are described
        words = TfidfVectorizer(token_pattern=r"(?u)\b\w+\b").fit_transform(
            [texts[label] for label in problem.classes_]
        )
        assert_allclose(problem.output_features_.toarray(), np.hstack([words.toarray(), np.eye(4)]))
        bare = bound(OutputFeatures(texts, identity=False))
        assert_allclose(bare.output_features_.toarray(), words.toarray())

    def test_matrices_are_in_the_order_of_classes(self):
        matrix = np.arange(6.0).reshape(3, 2) + 1
        assert_allclose(bound(OutputFeatures(matrix)).output_features_.toarray(), matrix)
        turned = bound(OutputFeatures(sparse.csr_array(matrix), classes=["oak", "cat", "dog"]))
        assert turned.classes_.tolist() == ["cat", "dog", "oak"]
        assert_allclose(turned.output_features_.toarray(), matrix[[1, 2, 0]])
        vectors = bound(OutputFeatures({"oak": [1, 2], "cat": [3, 4], "dog": [5, 6]}, identity=True))
        assert_allclose(
            vectors.output_features_.toarray(), [[3, 4, 1, 0, 0], [5, 6, 0, 1, 0], [1, 2, 0, 0, 1]]
        )

    def test_similarities_are_products(self):
        given = np.array([[2.0, 1, 0], [1, 2, 0], [0, 0, 0]])
        features = bound(OutputFeatures(similarity=given)).output_features_
        assert_allclose((features @ features.T).toarray(), given, atol=1e-14)
        assert features.shape[1] == 2  # the rank
        turned = bound(OutputFeatures(similarity=given, classes=["oak", "cat", "dog"])).output_features_
        order = [1, 2, 0]
        assert_allclose((turned @ turned.T).toarray(), given[np.ix_(order, order)], atol=1e-14)

    def test_kernels_between_descriptions(self):
        trees = {"cat": "(A (B b))", "dog": "(A (B b) (C c))", "oak": "(C c)"}
        kernel = Normalized(SubsetTree())
        features = bound(OutputFeatures(trees, similarity=kernel)).output_features_
        assert_allclose((features @ features.T).toarray(), kernel(list(trees.values())), atol=1e-14)

    def test_a_file_with_features_beyond_the_last(self):
        problem = bound(OutputFeatures(np.eye(3)))
        description, arrays = problem._to_state()
        arrays["output_features.indices"] = arrays["output_features.indices"] + 1
        with pytest.raises(
            ValueError, match="output_features must be a sparse matrix with one row for each class"
        ):
            OutputFeatures(np.eye(3))._from_state(description, arrays)


class TestCosts:
    def test_of_a_taxonomy(self):
        problem = bound(Taxonomy(PARENTS))
        assert problem.losses_.tolist() == [[0, 1, 2], [1, 0, 2], [2, 2, 0]]
        assert bound(Taxonomy(PARENTS, loss="path")).losses_.tolist() == [[0, 2, 4], [2, 0, 4], [4, 4, 0]]
        assert bound(Taxonomy(PARENTS, loss="zero-one")).losses_ is None

    def test_mean_loss_and_accuracy(self):
        problem = bound(Taxonomy(PARENTS))
        assert problem.mean_loss(["cat", "cat", "oak", "dog"], ["cat", "dog", "cat", "dog"]) == 0.75
        assert problem.accuracy(["cat", "cat", "oak", "dog"], ["cat", "dog", "cat", "dog"]) == 0.5
        assert bound(Multiclass()).mean_loss(["cat", "oak"], ["cat", "cat"]) == 0.5

    def test_functions(self):
        problem = bound(Multiclass(loss=lambda a, b: len(a) + ord(b[0])))
        assert problem.compute_loss("cat", "oak") == 3 + ord("o")
        assert problem.compute_loss("cat", "cat") == 0

    def test_edit_distance_is_that_of_a_slow_recursion(self):
        def slow(a, b):
            if not a or not b:
                return len(a) + len(b)
            return min(slow(a[1:], b) + 1, slow(a, b[1:]) + 1, slow(a[1:], b[1:]) + (a[0] != b[0]))

        for a, b in (
            ("", ""),
            ("abc", ""),
            ("kitten", "sitting"),
            ("abad", "aabc"),
            (["x", "yy"], ["yy", "x"]),
        ):
            assert losses.edit_distance(a, b) == losses.edit_distance(b, a) == slow(a, b)


class TestStreams:
    def test_features_may_grow_where_rows_are_sparse(self):
        problem = Multiclass(classes=["a", "b", "c"])
        assert problem._bind(sparse.csr_array(X), ["a", "b", "a", "b"], True).oracle.n_features == 6
        wider = sparse.csr_array(np.hstack([X, X]))
        oracle = problem._bind(wider, ["c", "b", "a", "b"], False).oracle
        assert (oracle.n_features, problem.n_features_in_) == (12, 4)
        # Weights of the first features stay where they were; a narrower batch has them all.
        assert problem._bind(sparse.csr_array(X[:, :1]), ["c"] * 4, False).oracle.n_features == 12

    def test_dense_rows_keep_their_width(self):
        problem = bound(Multiclass())
        with pytest.raises(ValueError, match="X has 1 features, but Multiclass is expecting 2"):
            problem._bind(X[:, :1], Y, False)

    def test_new_labels_are_named(self):
        problem = bound(Multiclass())
        with pytest.raises(ValueError, match="y has the label 'elm', which is not one of the classes"):
            problem._bind(X, ["cat", "elm", "dog", "cat"], False)

    def test_kernels_take_all_at_once(self):
        problem = bound(Multiclass(RBF()))
        with pytest.raises(ValueError, match="cannot continue with other examples"):
            problem._bind(X, Y, False)


class TestPrediction:
    def test_unknown_features_count_nothing(self):
        problem = bound(Multiclass(), sparse.csr_array(X))
        weights = np.arange(6.0)
        expected = problem.scores(X, weights)
        assert_array_equal(problem.scores(sparse.csr_array(np.hstack([X, X])), weights), expected)
        assert_array_equal(problem.scores(sparse.csr_array(X[:, :1]), weights), X[:, :1] @ [[0.0, 1, 2]])

    def test_width_under_a_kernel(self):
        problem = bound(Multiclass(RBF()))
        with pytest.raises(ValueError, match="X has 1 features, but 2 are expected"):
            problem.scores(X[:, :1], np.ones(12))

    def test_new_coefficients_make_new_functions(self):
        problem = bound(Multiclass(Linear()))
        for coordinates in (np.ones(12), np.arange(12.0), np.zeros(12)):
            assert_allclose(problem.scores(X, coordinates), X @ X.T @ coordinates.reshape(4, 3))


ERRORS = [
    (
        Multiclass(kernel="rbf"),
        ValueError,
        "kernel must be a hedgerow kernel, 'precomputed' or None, got 'rbf'",
    ),
    (Multiclass(loss="tree"), ValueError, "loss must be 'zero-one', a matrix, a dict or a function"),
    (Multiclass(loss=object()), TypeError, "loss must be 'zero-one', a matrix, a dict or a function"),
    (Multiclass(loss=np.ones((2, 2))), ValueError, "for each of the 3 classes, got shape"),
    (Multiclass(loss=np.ones((3, 3))), ValueError, "loss must be 0 for the true class, but is 1.0 for 'cat'"),
    (Multiclass(loss=np.eye(3) - 1), ValueError, "is -1.0 for 'dog' in place of 'cat'"),
    (Multiclass(loss=lambda a, b: np.nan), ValueError, "loss must be finite and at least 0, but is nan"),
    (
        Multiclass(classes=["cat", "dog"]),
        ValueError,
        "y has the label 'oak', which is not one of the classes",
    ),
    (Multiclass(classes=["cat", "cat"]), ValueError, "each label once, but 'cat' appears twice"),
    (Multiclass(classes=["cat"]), ValueError, "classes must have at least two labels"),
    (Taxonomy({"cat": "animal"}), ValueError, "the taxonomy has no 'dog', 'oak': every class"),
    (Taxonomy({"cat": "dog", "dog": "cat"}), ValueError, "parents has a cycle"),
    (Taxonomy(PARENTS, classes="roots"), ValueError, "'leaves', 'all' or None, got 'roots'"),
    (Taxonomy(PARENTS, loss="height"), ValueError, "loss must be 'zero-one', 'tree', 'path', a matrix"),
    (
        Taxonomy(PARENTS, node_weights="depth"),
        ValueError,
        "node_weights must be a dict, 'normalized' or None",
    ),
    (
        Taxonomy(PARENTS, node_weights={"cat": -1}),
        ValueError,
        r"node_weights\['cat'\] must be a number at least",
    ),
    (Taxonomy(PARENTS, node_weights={"elm": 1}), ValueError, "has 'elm', which is not a node"),
    (OutputFeatures(), ValueError, "either features or similarity must be given"),
    (OutputFeatures(np.eye(3), similarity=np.eye(3)), ValueError, "either features or similarity"),
    (OutputFeatures(np.eye(2)), ValueError, "features must have 3 rows, one for each class"),
    (OutputFeatures(similarity=np.eye(3)[:2]), ValueError, "similarity must have 3 rows and columns"),
    (OutputFeatures(similarity=-np.eye(3)), ValueError, "similarity must not be zero everywhere"),
    (
        OutputFeatures(similarity=np.diag([1.0, 1, -1])),
        ValueError,
        "semi-definite, but has the eigenvalue -1",
    ),
    (OutputFeatures(similarity=np.triu(np.ones((3, 3)))), ValueError, "similarity must be symmetric"),
    (OutputFeatures(similarity=Spectrum()), TypeError, "features must be a dict from classes to their desc"),
    (OutputFeatures({"cat": "a", "dog": "b"}), ValueError, "y has the label 'oak'"),
    (OutputFeatures({"cat": "a", "dog": "b"}, classes=["cat", "oak"]), ValueError, "but 'oak' is missing"),
    (OutputFeatures(np.eye(3), identity="yes"), TypeError, "identity must be True, False or None"),
]


@pytest.mark.parametrize(("problem", "error", "message"), ERRORS)
def test_errors_name_what_is_wrong(problem, error, message):
    with pytest.raises(error, match=message):
        bound(problem)


def test_examples_must_fit_together():
    with pytest.raises(ValueError, match="X and y differ in length: 4 and 3"):
        bound(Multiclass(), X, Y[:3])
    with pytest.raises(ValueError, match="there are no examples"):
        bound(Multiclass(), X[:0], [])
    with pytest.raises(ValueError, match="only one class"):
        bound(Multiclass(), X, ["cat"] * 4)


def test_too_many_joint_features():
    wide = sparse.csr_array((np.ones(1), [0], [0, 1, 1]), shape=(2, 2**30))
    with pytest.raises(ValueError, match="more joint features than the 2147483647"):
        bound(Multiclass(classes=[1, 2, 3]), wide, [1, 2])


def test_zeros_that_a_matrix_stores_are_no_features():
    stored = sparse.csr_array((np.array([0.0, 1.0]), [0, 1], [0, 1, 2]), shape=(2, 2))
    oracle = Multiclass()._bind(stored, ["a", "b"], True).oracle
    assert oracle.find(0, np.zeros(4), "best_wrong")[0].tolist() == []
    assert stored.nnz == 2  # as it was


@pytest.mark.parametrize(
    "problem",
    [
        Multiclass(),
        Multiclass(RBF(), loss=[[0, 1, 2], [1, 0, 1], [3, 1, 0]]),
        OutputFeatures(similarity=np.eye(3) + 1, kernel=Linear()),
        OutputFeatures({"cat": "a b", "dog": "a", "oak": "c"}),
        Taxonomy(PARENTS, node_weights="normalized"),
        Taxonomy([(parent, child) for child, parent in PARENTS.items()], kernel=RBF(), classes="all"),
    ],
)
def test_copies_predict_and_cost_the_same(problem):
    fitted = bound(problem)
    n = fitted._bind(X, Y, True).oracle.n_features
    weights = np.random.RandomState(0).normal(size=n)
    twin = clone(problem)
    twin._from_state(*fitted._to_state())
    for copy in (twin, pickle.loads(pickle.dumps(fitted))):
        assert_array_equal(copy.scores(X, weights), fitted.scores(X, weights))
        assert copy.classes_.tolist() == fitted.classes_.tolist()
        assert copy.mean_loss(["cat", "dog"], ["oak", "dog"]) == fitted.mean_loss(
            ["cat", "dog"], ["oak", "dog"]
        )
        assert getattr(copy, "nodes_", None) == getattr(fitted, "nodes_", None)


def test_kernels_of_trees_are_copied_too():
    trees = ["(S (A a) (B b))", "(S (A a) (A a))", "(S (B b) (B b))"]
    fitted = bound(Multiclass(Normalized(SubsetTree())), trees, [1, 2, 3])
    weights = np.arange(9.0) - 4
    twin = Multiclass(Normalized(SubsetTree()))
    twin._from_state(*fitted._to_state())
    expected = Normalized(SubsetTree())(trees) @ weights.reshape(3, 3)
    for copy in (twin, pickle.loads(pickle.dumps(fitted)), fitted):
        assert_allclose(copy.scores(trees, weights), expected, atol=1e-14)
