"""Problems with listed outputs under the machines: optima, equal formulations, files, streams."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import clone, is_classifier
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

import hedgerow
from hedgerow.data import CandidateLists
from hedgerow.datasets import load_questions
from hedgerow.kernels import RBF, Linear, Normalized, Spectrum, SubsetTree
from hedgerow.structured import (
    Multiclass,
    MulticlassSVC,
    OutputFeatures,
    OutputFeaturesSVC,
    Reranking,
    StringMapping,
    StructuredPerceptron,
    StructuredSVM,
    Taxonomy,
    TaxonomySVC,
    losses,
)
from hedgerow_papers.datasets import load_newsgroups, load_newsgroups_taxonomy

PARENTS = {"cat": "animal", "dog": "animal", "oak": "plant", "elm": "plant", "animal": "all", "plant": "all"}
SOLVERS = {"n-slack": 1e-6, "one-slack": 1e-6, "frank-wolfe": 1e-5}


@pytest.fixture(scope="module")
def clouds():
    random = np.random.RandomState(0)
    y = random.choice(["cat", "dog", "oak", "elm"], 80)
    centres = {label: random.normal(size=6) for label in ("cat", "dog", "oak", "elm")}
    return np.array([centres[label] for label in y]) + random.normal(size=(80, 6)), y


def objective(W, X, y, C):
    """1/2 |W|^2 + C sum of slacks, W with a row for each of the sorted classes."""
    truths = np.unique(y, return_inverse=True)[1]
    scores = X @ W.T
    margins = 1 + scores - scores[np.arange(len(y)), truths][:, None]
    margins[np.arange(len(y)), truths] = 0
    return 0.5 * np.sum(W * W) + C * margins.max(axis=1).sum()


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("C", [0.05, 1.0])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_multiclass_is_the_machine_of_crammer_and_singer(clouds, solver, C, form):
    X, y = clouds
    other = LinearSVC(multi_class="crammer_singer", fit_intercept=False, C=C, tol=1e-8, max_iter=10**6).fit(
        X, y
    )
    best = objective(other.coef_, X, y, C)
    problem = Multiclass()
    last = {"averaging": None} if solver == "frank-wolfe" else {}
    machine = StructuredSVM(problem, C, solver=solver, tol=SOLVERS[solver], random_state=0, **last)
    machine.fit(form(X), y)
    W = machine.coef_.reshape(-1, 4).T
    assert_allclose(objective(W, X, y, C), best, rtol=2e-5)
    assert_allclose(machine.objective_, best, rtol=2e-5)
    assert machine.score(X, y) == pytest.approx(other.score(X, y), abs=0.03)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Multiclass(), OutputFeatures(np.eye(4))),
        (Multiclass(), OutputFeatures(similarity=np.eye(4))),
        (Multiclass(), Multiclass(loss=1 - np.eye(4))),
        (Multiclass(), Multiclass(Linear())),
        (
            Taxonomy(PARENTS),
            OutputFeatures(
                # elm, oak, cat, dog, animal, plant
                [[0, 0, 1, 0, 1, 0, 1], [0, 0, 0, 1, 1, 0, 1], [1, 0, 0, 0, 0, 1, 1], [0, 1, 0, 0, 0, 1, 1]],
                loss=losses.tree_losses(PARENTS, ["cat", "dog", "elm", "oak"]),
            ),
        ),
        (Taxonomy(PARENTS, loss="path"), Taxonomy(PARENTS, loss="path", kernel=Linear())),
        (Taxonomy(PARENTS, loss="zero-one"), Taxonomy(PARENTS, loss=1 - np.eye(4))),
    ],
)
@pytest.mark.parametrize("formulation", [("linear", "margin"), ("quadratic", "slack"), ("linear", None)])
def test_equal_formulations_have_equal_optima(clouds, one, other, formulation):
    X, y = clouds
    slack, rescaling = formulation
    machines = [
        StructuredSVM(problem, 0.1, slack=slack, rescaling=rescaling, solver="n-slack", tol=1e-6).fit(X, y)
        for problem in (one, other)
    ]
    assert_allclose(machines[1].objective_, machines[0].objective_, rtol=1e-5)
    scores = [machine.problem_.scores(X, machine.coef_) for machine in machines]
    centred = [values - values.mean(axis=1, keepdims=True) for values in scores]
    assert_allclose(centred[1], centred[0], atol=0.02)


def test_training_for_a_loss_lowers_it():
    # Four classes along a line: without a loss, far mistakes count as near ones.
    random = np.random.RandomState(1)
    y = np.repeat([0, 1, 2, 3], 60)
    X = np.column_stack([y + random.normal(scale=1.2, size=240), np.ones(240)])
    cost = np.abs(np.subtract.outer(np.arange(4), np.arange(4))).astype(float) ** 2
    found = {
        rescaling: StructuredSVM(Multiclass(loss=cost), 1.0, rescaling=rescaling, solver="n-slack").fit(X, y)
        for rescaling in (None, "margin", "slack")
    }
    loss = {name: model.problem_.mean_loss(y, model.predict(X)) for name, model in found.items()}
    assert loss["margin"] < loss[None]
    assert loss["slack"] < loss[None]


class TestTaxonomySVC:
    def test_is_the_machine_of_its_problem(self, clouds):
        X, y = clouds
        told = {"C": 0.5, "solver": "one-slack"}
        model = TaxonomySVC(PARENTS, node_weights="normalized", loss="path", **told).fit(X, y)
        same = StructuredSVM(Taxonomy(PARENTS, node_weights="normalized", loss="path"), **told).fit(X, y)
        assert_array_equal(model.coef_, same.coef_)
        assert model.classes_.tolist() == ["cat", "dog", "elm", "oak"]
        scores = model.decision_function(X)
        assert scores.shape == (80, 4)
        assert_array_equal(model.predict(X), model.classes_[scores.argmax(axis=1)])

    def test_pieces(self, clouds):
        X, y = clouds
        model = TaxonomySVC(PARENTS, classes="leaves", random_state=0)
        for part in (slice(0, 30), slice(30, 80)):
            model.partial_fit(X[part], y[part])
        assert model.score(X, y) > 0.7
        with pytest.raises(ValueError, match="y has the label 'ash'"):
            model.partial_fit(X[:1], ["ash"])

    def test_in_searches_and_pipelines(self, clouds):
        X, y = clouds
        search = GridSearchCV(TaxonomySVC(PARENTS), {"C": [0.01, 1.0], "loss": ["tree", "zero-one"]}, cv=3)
        assert search.fit(X, y).best_score_ > 0.6
        assert cross_val_score(TaxonomySVC(PARENTS), sparse.csr_matrix(X), y, cv=3).mean() > 0.6

    def test_classes_without_examples(self, clouds):
        X, y = clouds
        model = TaxonomySVC(PARENTS, classes="all").fit(X, y)
        assert model.classes_.tolist() == ["all", "animal", "cat", "dog", "elm", "oak", "plant"]
        assert set(model.predict(X)) <= set(model.classes_)

    def test_before_fit(self):
        with pytest.raises(NotFittedError, match="TaxonomySVC is not fitted"):
            TaxonomySVC(PARENTS).decision_function([[0.0]])

    def test_cycles(self, clouds):
        with pytest.raises(ValueError, match="parents has a cycle: "):
            TaxonomySVC({**PARENTS, "all": "cat"}).fit(*clouds)


@pytest.mark.parametrize(
    "problem",
    [
        Multiclass(loss=[[0, 1, 2, 1], [1, 0, 1, 1], [1, 2, 0, 1], [1, 1, 1, 0]]),
        Multiclass(RBF(gamma=0.1)),
        OutputFeatures({"cat": "small animal", "dog": "animal", "oak": "plant", "elm": "plant"}),
        Taxonomy(PARENTS, node_weights={"animal": 0.5}),
    ],
)
def test_files(clouds, problem, tmp_path):
    X, y = clouds
    model = StructuredSVM(problem, 0.1).fit(X, y)
    hedgerow.save(model, tmp_path / "a.model")
    loaded = hedgerow.load(tmp_path / "a.model")
    assert_array_equal(loaded.problem_.scores(X, loaded.coef_), model.problem_.scores(X, model.coef_))
    assert loaded.score(X, y) == model.score(X, y)


def test_files_of_other_problems(clouds, tmp_path):
    X, y = clouds
    texts = ["".join("a" if value > 0 else "b" for value in row) for row in X]
    models = [
        (TaxonomySVC(PARENTS).fit(X, y), X),
        (
            StructuredSVM(StringMapping(Normalized(Spectrum(k=2)), Spectrum(k=1))).fit(texts, y.tolist()),
            texts,
        ),
    ]
    lists = CandidateLists([4] * 20, features=X, grades=np.arange(80) % 4)
    models.append((StructuredSVM(Reranking()).fit(lists, lists.oracles()), lists))
    for model, inputs in models:
        hedgerow.save(model, tmp_path / "a.model")
        loaded = hedgerow.load(tmp_path / "a.model")
        assert list(loaded.predict(inputs)) == list(model.predict(inputs))


def test_what_a_file_cannot_hold(clouds, tmp_path):
    model = StructuredSVM(Multiclass(loss=lambda a, b: 1.0)).fit(*clouds)
    with pytest.raises(TypeError, match=r"problem.loss is a function, which a model file cannot hold"):
        hedgerow.save(model, tmp_path / "a.model")


def test_trees():
    trees, y = load_questions()
    model = StructuredSVM(Multiclass(Normalized(SubsetTree())), 10.0, solver="n-slack").fit(
        trees[:60], y[:60]
    )
    assert model.score(trees[:60], y[:60]) > 0.9
    assert set(model.predict(trees[60:70])) <= set(y)


def test_streams_learn_as_one_pass(clouds):
    X, y = clouds
    rows = sparse.csr_array(X)
    whole = StructuredPerceptron(Multiclass()).fit(rows, y)
    pieces = StructuredPerceptron(Multiclass(classes=["cat", "dog", "elm", "oak"]))
    for part in (slice(0, 3), slice(3, 50), slice(50, 80)):
        pieces.partial_fit(rows[part], y[part])
    assert_array_equal(pieces.coef_, whole.coef_)


def test_features_that_come_later(clouds):
    X, y = clouds
    narrow, wide = sparse.csr_array(X[:40, :3]), sparse.csr_array(X[40:])
    model = StructuredPerceptron(Multiclass(classes=PARENTS)).partial_fit(narrow, y[:40])
    model.partial_fit(wide, y[40:])
    # Features that are missing are 0.
    padded = sparse.csr_array(np.vstack([np.hstack([X[:40, :3], np.zeros((40, 3))]), X[40:]]))
    whole = StructuredPerceptron(Multiclass(classes=PARENTS)).fit(padded, y)
    assert_array_equal(model.coef_, whole.coef_)
    with pytest.raises(ValueError, match="y has the label 'ash'"):
        model.partial_fit(wide, ["ash"] * 40)


def test_perceptrons_on_all_problems(clouds):
    X, y = clouds
    for problem in (Multiclass(), Taxonomy(PARENTS), OutputFeatures(np.eye(4) + 0.1)):
        model = StructuredPerceptron(problem, averaging="average", epochs=10).fit(X, y)
        assert model.score(X, y) > 0.75
    lists = CandidateLists([4] * 20, features=X, grades=X[:, 0])
    ranker = StructuredPerceptron(Reranking(), epochs=50).fit(lists, lists.oracles())
    assert ranker.score(lists, lists.oracles()) == 1  # the grade is a feature


@pytest.mark.parametrize(
    "model",
    [
        StructuredSVM(Multiclass()),
        StructuredSVM(OutputFeatures(similarity=np.eye(3))),
        StructuredPerceptron(Multiclass(), epochs=50, averaging="average", shuffle=True, random_state=0),
        MulticlassSVC(C=10, random_state=0),
        MulticlassSVC(Normalized(RBF(0.1)), C=10, random_state=0),
        OutputFeaturesSVC(similarity=np.eye(3), random_state=0),
        TaxonomySVC({0: "a", 1: "b", 2: "b"}, random_state=0),
    ],
    ids=lambda model: type(model).__name__,
)
def test_class_problems_are_classifiers(model):
    """The folds of sorted labels are stratified, which needs an estimator that says what it is."""
    X, y = load_iris(return_X_y=True)
    assert is_classifier(model)
    assert cross_val_score(model, X, y, cv=3).min() > 0.85
    fitted = clone(model).fit(X, y)
    assert_array_equal(fitted.classes_, [0, 1, 2])
    assert_array_equal(fitted.decision_function(X).argmax(axis=1), fitted.predict(X))


def test_two_classes_have_one_score(clouds):
    X, y = clouds
    y = np.where(np.isin(y, ("cat", "dog")), "animal", "plant")
    model = MulticlassSVC(random_state=0).fit(X, y)
    scores = model.decision_function(X)
    assert scores.shape == (80,)
    assert_array_equal(np.where(scores > 0, "plant", "animal"), model.predict(X))


def test_other_problems_are_no_classifiers():
    model = StructuredSVM(StringMapping())
    assert not is_classifier(model)
    assert not hasattr(model, "decision_function")
    model = StructuredPerceptron(StringMapping(loss="zero-one")).fit(["abc", "bac"], ["xyz", "yxz"])
    with pytest.raises(AttributeError, match="a StringMapping has no classes_"):
        model.classes_  # noqa: B018


@pytest.mark.parametrize("learner", [StructuredPerceptron(Multiclass()), MulticlassSVC(random_state=0)])
def test_classes_of_a_stream(clouds, learner):
    X, y = clouds
    model = clone(learner).partial_fit(X[:3], y[:3], classes=["cat", "dog", "elm", "oak"])
    model.partial_fit(X[3:], y[3:], classes=["oak", "elm", "dog", "cat"])
    assert_array_equal(model.classes_, ["cat", "dog", "elm", "oak"])
    with pytest.raises(ValueError, match="classes are not those of the first call"):
        model.partial_fit(X, y, classes=["cat", "dog"])
    with pytest.raises(ValueError, match="StringMapping has no classes to be told"):
        StructuredPerceptron(StringMapping()).partial_fit(["a"], ["b"], classes=["b"])


@pytest.mark.shared_data
def test_newsgroups(data_folder):
    texts, y = load_newsgroups(data_folder, "test")
    some = np.random.RandomState(0).permutation(len(texts))[:600]
    texts, y = [texts[i] for i in some], y[some]
    model = make_pipeline(
        TfidfVectorizer(sublinear_tf=True), TaxonomySVC(load_newsgroups_taxonomy(data_folder))
    )
    model.fit(texts[:400], y[:400])
    assert model.score(texts[400:], y[400:]) > 0.5
