"""Forest and Records as X of scikit-learn's splitters, searches and pipelines."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin, clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    KFold,
    StratifiedKFold,
    cross_val_predict,
    cross_val_score,
    cross_validate,
    learning_curve,
    train_test_split,
)
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.utils import resample, shuffle

from hedgerow import Forest, Records, Tree


def forest_of(X):
    return X["parse"] if isinstance(X, Records) else X


class LeafCounts(TransformerMixin, BaseEstimator):
    """How often each leaf that was seen in training occurs."""

    def __init__(self, binary=False):
        self.binary = binary

    def fit(self, X, y=None):
        self.leaves_ = sorted({leaf for tree in forest_of(X) for leaf in tree.leaves()})
        return self

    def transform(self, X):
        assert isinstance(X, Forest | Records), "X must arrive as it was given"
        counts = np.array(
            [[tree.leaves().count(leaf) for leaf in self.leaves_] for tree in forest_of(X)], float
        )
        return np.minimum(counts, 1) if self.binary else counts


class NearestTree(ClassifierMixin, BaseEstimator):
    """The class of the training tree that shares most leaves."""

    def __init__(self, weight=1.0):
        self.weight = weight

    def fit(self, X, y):
        assert isinstance(X, Forest | Records), "X must arrive as it was given"
        self.classes_, self.y_ = np.unique(y), np.asarray(y)
        self.trees_ = [set(tree.leaves()) for tree in forest_of(X)]
        return self

    def predict(self, X):
        assert isinstance(X, Forest | Records), "X must arrive as it was given"
        shared = [[len(seen & set(tree.leaves())) for seen in self.trees_] for tree in forest_of(X)]
        return self.y_[np.argmax(shared, axis=1)]


TEXTS = [f"(S (NP (N {'dog' if i % 2 else 'cat'})) (VP (V v{i % 3}) (X x{i})))" for i in range(30)]
Y = np.array(["odd" if i % 2 else "even" for i in range(30)])


@pytest.fixture(params=["Forest", "Records"])
def X(request):
    forest = Forest(TEXTS)
    return forest if request.param == "Forest" else Records(parse=forest, number=np.arange(30.0)[:, None])


def numbers_of(X):
    """Which of the thirty examples these are."""
    return [int(tree.leaves()[-1][1:]) for tree in forest_of(X)]


def test_train_test_split(X):
    X_train, X_test, y_train, y_test = train_test_split(X, Y, test_size=0.3, random_state=0, stratify=Y)
    assert type(X_train) is type(X_test) is type(X)
    assert (len(X_train), len(X_test)) == (21, 9)
    assert sorted(numbers_of(X_train) + numbers_of(X_test)) == list(range(30))
    assert [Y[i] for i in numbers_of(X_train)] == y_train.tolist()
    assert [Y[i] for i in numbers_of(X_test)] == y_test.tolist()
    if isinstance(X, Records):
        assert X_test["number"].ravel().tolist() == numbers_of(X_test)


@pytest.mark.parametrize("splitter", [KFold(3), StratifiedKFold(3), GroupKFold(3)])
def test_splitters(X, splitter):
    groups = np.arange(30) // 3 if isinstance(splitter, GroupKFold) else None
    folds = list(splitter.split(X, Y, groups))
    assert len(folds) == 3
    for train, test in folds:
        assert numbers_of(X[train]) == train.tolist()
        assert numbers_of(X[test]) == test.tolist()


def test_cross_validation(X):
    assert cross_val_score(NearestTree(), X, Y, cv=StratifiedKFold(3), error_score="raise").tolist() == [
        1,
        1,
        1,
    ]
    assert cross_val_predict(NearestTree(), X, Y, cv=3).tolist() == Y.tolist()
    done = cross_validate(NearestTree(), X, Y, cv=3, return_estimator=True, return_train_score=True)
    assert len(done["estimator"]) == 3
    assert done["train_score"].tolist() == [1, 1, 1]


def test_learning_curve(X):
    sizes, _, scores = learning_curve(NearestTree(), X, Y, train_sizes=[6, 12], cv=3, error_score="raise")
    assert sizes.tolist() == [6, 12]
    assert scores.shape == (2, 3)


def test_grid_search(X):
    search = GridSearchCV(NearestTree(), {"weight": [0.5, 1.0]}, cv=3, error_score="raise").fit(X, Y)
    assert search.best_score_ == 1
    assert search.predict(X[:5]).tolist() == Y[:5].tolist()


def test_pipeline(X):
    pipeline = Pipeline([("counts", LeafCounts()), ("model", LogisticRegression())])
    assert pipeline.fit(X, Y).score(X, Y) == 1
    search = GridSearchCV(
        pipeline, {"counts__binary": [False, True], "model__C": [0.1, 1]}, cv=3, error_score="raise"
    )
    assert search.fit(X, Y).best_score_ == 1
    assert clone(pipeline).get_params()["counts__binary"] is False
    assert (
        cross_val_score(
            make_pipeline(LeafCounts(), LogisticRegression()), X, Y, cv=3, error_score="raise"
        ).mean()
        == 1
    )


def test_processes_take_them(X):
    assert cross_val_score(NearestTree(), X, Y, cv=3, n_jobs=2, error_score="raise").tolist() == [1, 1, 1]


def test_shuffle_and_resample(X):
    assert sorted(numbers_of(shuffle(X, random_state=0))) == list(range(30))
    assert len(resample(X, n_samples=50, random_state=0)) == 50


def test_trees_in_an_object_array_survive():
    array = np.asarray(Forest(TEXTS))
    train, test = train_test_split(array, random_state=0)
    assert all(isinstance(tree, Tree) for tree in train)
    assert sorted(numbers_of(Forest(train) + Forest(test))) == list(range(30))
