"""Extremal Feature Selection, and Winnows whose models it bounds."""

from __future__ import annotations

import copy
import gzip
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.feature_selection import SelectKBest, chi2, mutual_info_classif
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

import hedgerow
from hedgerow import _core
from hedgerow.feature_selection import ExtremalFeatureSelection
from hedgerow.kernels import Linear
from hedgerow.online import ROMMA, ModifiedBalancedWinnow, Perceptron
from hedgerow.registry import learners
from tests.online.linear.slow_winnow import SlowWinnow, brute_force_selection
from tests.online.linear.test_winnows import WIDTH, noisy_stream

# -- selection ----------------------------------------------------------------------------------------------


@given(
    scores=st.lists(st.integers(0, 6), max_size=40),  # few values, so many ties
    k=st.integers(0, 45),
    top=st.sampled_from([0.0, 0.3, 0.5, 0.7, 0.9, 1.0]),
    seed=st.integers(0, 5),
)
def test_selection_equals_brute_force(scores: list[int], k: int, top: float, seed: int) -> None:
    features = np.random.default_rng(seed).permutation(3 * len(scores))[: len(scores)].astype(np.int32)
    values = np.array(scores, dtype=np.float64)
    chosen = _core.extremal_features(features, values, k, top)
    assert (np.diff(chosen) > 0).all()
    assert_array_equal(np.sort(features[chosen]), brute_force_selection(features, values, k, top))


@pytest.mark.parametrize("top", [0.5, 0.9, 1.0])
def test_features_enter_and_leave_as_examples_come(top: float) -> None:
    X, y = noisy_stream(200, seed=1)
    selection = ExtremalFeatureSelection(k=15, top=top)
    slow = SlowWinnow("modified", WIDTH, margin=1.0)
    entered, left, before = set(), set(), None
    for i in range(len(y)):
        selection.partial_fit(sparse.csr_matrix(X[i : i + 1]), y[i : i + 1], classes=[-1, 1])
        slow.learn(X[i], y[i])
        features = np.flatnonzero(slow.in_model)
        scores = np.abs(slow.u - slow.v)[:-1]
        support = selection.get_support(indices=True)
        assert_array_equal(support, brute_force_selection(features, scores[features], 15, top))
        assert_allclose(selection.scores_, np.where(slow.in_model, scores, 0.0), rtol=1e-9)
        if before is not None:
            entered |= set(support) - set(before)
            left |= set(before) - set(support)
        before = support
    assert entered
    assert left
    at_once = ExtremalFeatureSelection(k=15, top=top).fit(X, y)
    assert_array_equal(at_once.get_support(), selection.get_support())
    assert_array_equal(at_once.get_support(indices=True), np.flatnonzero(at_once.get_support()))


def test_scores_of_several_classes_are_the_largest() -> None:
    X, y = noisy_stream(150, seed=2)
    y = np.where(np.arange(150) % 3 == 0, 0, y)
    selection = ExtremalFeatureSelection(k=10).fit(X, y)
    weights = ModifiedBalancedWinnow().fit(X, y).coef_
    assert_allclose(selection.scores_, np.abs(weights).max(axis=0), rtol=1e-12)


def test_transform() -> None:
    X, y = noisy_stream(100, seed=3)
    rows = sparse.csr_matrix(X)
    selection = ExtremalFeatureSelection(k=12).fit(X, y)
    support = selection.get_support(indices=True)
    assert_array_equal(selection.transform(X), X[:, support])
    assert_array_equal(selection.transform(rows).toarray(), X[:, support])
    assert_array_equal(selection.get_feature_names_out(), [f"x{j}" for j in support])
    wider = sparse.csr_matrix(np.hstack([X, X]))
    assert_array_equal(selection.transform(wider).toarray(), X[:, support])
    assert_array_equal(selection.transform(rows[:, :1]).toarray()[:, 1:], 0)
    with pytest.raises(ValueError, match="features"):
        selection.transform(X[:, :5])
    with pytest.raises(NotFittedError):
        ExtremalFeatureSelection().transform(rows)
    few = ExtremalFeatureSelection(k=1000).fit(X, y)
    assert_array_equal(few.get_support(), X.any(axis=0))


def test_vocabulary_that_grows() -> None:
    X, y = noisy_stream(100, seed=4)
    selection = ExtremalFeatureSelection(k=10)
    selection.partial_fit(sparse.csr_matrix(X[:50, :40]), y[:50], classes=[-1, 1])
    assert selection.n_features_in_ == 40
    selection.partial_fit(sparse.csr_matrix(X[50:]), y[50:])
    assert selection.n_features_in_ == WIDTH
    assert len(selection.scores_) == WIDTH
    at_once = ExtremalFeatureSelection(k=10).fit(X, y)
    assert_array_equal(selection.get_support(), at_once.get_support())


def test_names_of_columns() -> None:
    pandas = pytest.importorskip("pandas")
    X, y = noisy_stream(50, seed=9, width=10)
    frame = pandas.DataFrame(X, columns=[f"word{j}" for j in range(10)])
    selection = ExtremalFeatureSelection(k=4).fit(frame, y)
    names = [f"word{j}" for j in selection.get_support(indices=True)]
    assert_array_equal(selection.get_feature_names_out(), names)
    assert list(selection.set_output(transform="pandas").transform(frame).columns) == names
    assert not hasattr(selection.fit(X, y), "feature_names_in_")


def test_copies_and_files(tmp_path: Any) -> None:
    X, y = noisy_stream(100, seed=5)
    selection = ExtremalFeatureSelection(k=10, max_features=12)
    selection.partial_fit(X[:50], y[:50], classes=[-1, 1])
    hedgerow.save(selection, tmp_path / "selection")
    copies = [
        copy.deepcopy(selection),
        pickle.loads(pickle.dumps(selection)),
        hedgerow.load(tmp_path / "selection"),
    ]
    selection.partial_fit(X[50:], y[50:])
    for other in copies:
        other.partial_fit(X[50:], y[50:])
        assert_array_equal(other.scores_, selection.scores_)
        assert_array_equal(other.transform(X), selection.transform(X))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"k": 0}, "k must be a whole number at least 1"),
        ({"top": -0.1}, "top must be a number at least 0"),
        ({"k": 10, "max_features": 9}, "max_features must be a whole number at least 10"),
        ({"margin": -1}, "margin"),
    ],
)
def test_bad_parameters_are_named(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ExtremalFeatureSelection(**change).fit([[1.0], [0.0]], [0, 1])


def test_negative_features_are_refused() -> None:
    with pytest.raises(ValueError, match="row 1, column 0"):
        ExtremalFeatureSelection().fit([[1.0], [-1.0]], [0, 1])


# -- bounded models -----------------------------------------------------------------------------------------


def test_bounded_model_holds_few_features() -> None:
    X, y = noisy_stream(300, seed=6)
    model = ModifiedBalancedWinnow(max_features=3)
    stored = []
    for i in range(len(y)):
        model.partial_fit(X[i : i + 1], y[i : i + 1], classes=[-1, 1])
        stored.append(len(model._native.save()["function0.slots"]))
        assert model.n_nonzero_ <= len(model.features_[0]) <= 3
        assert stored[-1] <= 48
    assert stored.count(24) > 2  # each time after candidates had to leave


@pytest.mark.parametrize("averaging", [None, "average", "vote"])
def test_pruned_winnow_equals_the_slow_version(averaging: Any) -> None:
    X, y = noisy_stream(200, seed=12)
    for k, top in ((1, 0.9), (12, 0.9), (20, 0.5), (WIDTH, 0.9)):
        model = ModifiedBalancedWinnow(averaging=averaging).fit(X[:150], y[:150])
        slow = SlowWinnow("modified", WIDTH, margin=1.0, averaging=averaging)
        for i in range(150):
            slow.learn(X[i], y[i])
        slow.keep_only(slow.chosen(k, top))
        assert model.prune(k, top) is model
        assert_array_equal(model.features_[0], np.flatnonzero(slow.in_model))
        assert_allclose(model.decision_function(X), slow.decisions(X), rtol=1e-9, atol=1e-12)
        model.partial_fit(X[150:], y[150:])
        for i in range(150, 200):
            slow.learn(X[i], y[i])
        assert_allclose(model.decision_function(X), slow.decisions(X), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("averaging", [None, "average", "vote"])
@pytest.mark.parametrize("name", [name for name, row in learners().items() if row.on_weights])
def test_every_learner_of_weights_can_be_pruned(name: str, averaging: Any) -> None:
    """What is left predicts as if examples had no other features, and goes on learning from what it is shown."""
    X, y = noisy_stream(120, seed=13)
    model = learners()[name].make(averaging=averaging).fit(X, y)
    with pytest.raises(ValueError, match="k must be a whole number at least 1"):
        model.prune(0)
    with pytest.raises(ValueError, match="top must be a number at least 0 and at most 1"):
        model.prune(5, top=2)
    weights = model.coef_[0]
    known = model.features_[0] if hasattr(model, "features_") else np.flatnonzero(weights)
    kept = brute_force_selection(known, np.abs(weights[known]), 20, 0.8)
    only = np.zeros_like(X)
    only[:, kept] = X[:, kept]
    expected = model.decision_function(only)
    model.prune(20, top=0.8)
    assert_allclose(model.decision_function(X), expected, rtol=1e-12, atol=1e-12)
    assert_array_equal(model.coef_[0, kept], weights[kept])
    assert model.n_nonzero_ <= 20
    copies = [pickle.loads(pickle.dumps(model)).partial_fit(X, y) for _ in range(2)]
    assert_array_equal(*(copy.decision_function(X) for copy in copies))
    assert np.isfinite(copies[0].decision_function(X)).all()


def test_pruned_norms_are_those_of_what_is_left() -> None:
    """ROMMA's next step depends on the length of its function."""
    X, y = noisy_stream(120, seed=14)
    model = ROMMA().fit(X, y).prune(15)
    arrays = model._native.save()
    length = arrays["function0.squared_norm"][0]
    assert_allclose(length, np.sum(model.coef_**2), rtol=1e-12)


def test_with_a_kernel_there_is_nothing_to_prune() -> None:
    assert not hasattr(Perceptron(Linear()), "prune")


def test_memory_is_bounded_by_max_features_and_not_by_the_width() -> None:
    """A dense array of weights for these features would take 32 gigabytes."""
    random = np.random.default_rng(0)
    width = 2**31 - 1
    model = ModifiedBalancedWinnow(max_features=1000)
    selection = ExtremalFeatureSelection(k=100, max_features=100)
    frequent = np.sort(random.choice(width, size=20, replace=False))
    for _ in range(30):
        labels = random.integers(2, size=100)
        rows = []
        for label in labels:
            known = frequent[10 * label : 10 * label + 10]
            rows.append(np.unique(np.concatenate([known, random.choice(width, size=30)])))
        begins = np.cumsum([0] + [len(row) for row in rows])
        indices = np.concatenate(rows).astype(np.int32)
        X = sparse.csr_matrix((np.ones(len(indices)), indices, begins), shape=(100, width))
        model.partial_fit(X, labels, classes=[0, 1])
        selection.partial_fit(X, labels, classes=[0, 1])
    assert len(model.features_[0]) == 1000
    arrays = model._native.save()
    assert sum(array.nbytes for array in arrays.values()) < 1_000_000
    assert_array_equal(model.predict(X), labels)
    assert set(frequent) <= set(model.features_[0].tolist())
    assert set(frequent) <= set(selection.get_support(indices=True).tolist())
    assert selection.transform(X).shape == (100, 100)
    assert model.sparsify().coef_.shape == (1, width)


def test_a_damaged_model_is_refused() -> None:
    X, y = noisy_stream(60, seed=10)
    model = ModifiedBalancedWinnow(max_features=5).fit(X, y)
    arrays = model._native.save()
    few, same = arrays["function0.slots"][:2], np.zeros_like(arrays["function0.slots"])
    for wrong in (0, -1):  # the number divides weights
        with pytest.raises(ValueError, match="examples must be finite and at least 1"):
            model._make_native().load({**arrays, "function0.examples": wrong * arrays["function0.examples"]})
    for slots, complaint in (
        (few, "features must increase, from 0 to below 3"),
        (same, "slots must be distinct"),
    ):
        with pytest.raises(ValueError, match=complaint):
            model._make_native().load({**arrays, "function0.slots": slots})


def test_large_bound_changes_nothing() -> None:
    X, y = noisy_stream(200, seed=7)
    for averaging in (None, "average"):
        bounded = ModifiedBalancedWinnow(max_features=WIDTH, averaging=averaging).fit(X, y)
        free = ModifiedBalancedWinnow(averaging=averaging).fit(X, y)
        assert_array_equal(bounded.decision_function(X), free.decision_function(X))
        assert_array_equal(bounded.coef_, free.coef_)


# -- with scikit-learn --------------------------------------------------------------------------------------


def test_pipeline_and_grid_search() -> None:
    X, y = noisy_stream(300, seed=8)
    model = make_pipeline(ExtremalFeatureSelection(), Perceptron(averaging="average"))
    grid = {"extremalfeatureselection__k": [3, 30], "extremalfeatureselection__top": [0.7, 1.0]}
    search = GridSearchCV(model, grid, cv=3).fit(X, y)
    assert search.best_score_ > 0.6
    assert search.best_estimator_[0].get_support().sum() in (3, 30)


def newsgroups(folder: Path, name: str, groups: tuple[str, ...], n: int) -> tuple[list[str], list[str]]:
    """Subjects and bodies of the first n messages of each group, in turn."""
    texts: dict[str, list[str]] = {group: [] for group in groups}
    with gzip.open(folder / "newsgroups20" / f"{name}.tsv.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            group, _, _, body = line.rstrip("\n").split("\t")
            if group in texts and len(texts[group]) < n:
                texts[group].append(body)
    n = min(len(bodies) for bodies in texts.values())
    return [texts[group][i] for i in range(n) for group in groups], list(groups) * n


@pytest.mark.slow
@pytest.mark.shared_data
def test_as_good_as_batch_methods_on_newsgroups(data_folder: Path) -> None:
    """The finding of section 5.3, in its way: one MBW, of which only the chosen features stay in the model."""
    groups = ("sci.med", "sci.space")
    texts, y = newsgroups(data_folder, "train", groups, 300)
    test_texts, test_y = newsgroups(data_folder, "test", groups, 300)
    vectorizer = CountVectorizer(min_df=20)
    X, test_X = (
        sparse.csr_matrix(M, dtype=np.float64)
        for M in (vectorizer.fit_transform(texts), vectorizer.transform(test_texts))
    )
    model = ModifiedBalancedWinnow().fit(X, y)

    def accuracy(selection: Any) -> float:
        chosen = sparse.diags_array(selection.fit(X, y).get_support().astype(float))
        return float(model.score(test_X @ chosen, test_y))

    efs = accuracy(ExtremalFeatureSelection(k=300, top=0.9))
    batch = [
        accuracy(SelectKBest(chi2, k=300)),
        accuracy(SelectKBest(lambda X, y: mutual_info_classif(X, y, discrete_features=True), k=300)),
    ]
    assert efs > max(batch) - 0.03
    assert efs > accuracy(ExtremalFeatureSelection(k=300, top=0.0)) + 0.1
    # Selection on the fly, which forgets most of the 1,100 words on the way, is about as good.
    assert ModifiedBalancedWinnow(max_features=30).fit(X, y).score(test_X, test_y) > (
        copy.deepcopy(model).prune(30).score(test_X, test_y) - 0.03
    )
