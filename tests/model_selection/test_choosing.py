"""``hedgerow.auto``: good without a choice, for every kind of data."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy import sparse

import hedgerow
from hedgerow import Records
from hedgerow.datasets import load_questions
from hedgerow.kernels import Normalized, SubTree
from hedgerow.model_selection import choosing, suggestions
from hedgerow.online import Perceptron
from hedgerow.svm import SVC


@pytest.fixture(scope="module")
def questions():
    return load_questions()


class TestKinds:
    def test_trees(self, questions):
        trees, y = questions
        model = hedgerow.auto(trees[:225], y[:225])
        assert type(model) is SVC
        assert model.score(trees[225:], y[225:]) > 0.85
        assert "exact machine, best of 10 by accuracy 0." in model.chosen_

    def test_records_use_all_columns(self, questions):
        trees, y = questions
        records = Records(tree=trees, length=np.ones((len(trees), 2)))
        model = hedgerow.auto(records[:150], y[:150])
        assert repr(model.kernel).count(".on(") == 2

    @pytest.mark.parametrize("package", ["pandas", "polars"])
    def test_frames_with_texts_become_records(self, package):
        frames = pytest.importorskip(package)
        labels = ["ham", "spam"] * 20
        frame = frames.DataFrame({"text": [f"a {word}" for word in labels], "length": range(40)})
        model = hedgerow.auto(frame, labels)
        assert repr(model["svc"].kernel).count(".on(") == 2
        assert "exact machine" in model.chosen_
        assert model.score(frame, labels) == 1

    def test_vectors_are_for_weights(self):
        rng = np.random.default_rng(0)
        X = sparse.random(400, 3000, 0.02, format="csr", random_state=0)
        y = np.where(X @ rng.normal(size=3000) > 0, "a", "b")
        model = hedgerow.auto(X, y)
        assert model._on_weights
        assert model.score(X, y) > 0.9

    def test_few_dense_vectors_are_for_kernels_too(self):
        X = np.random.default_rng(0).uniform(-1, 1, (400, 2))
        y = (X**2).sum(1) > 0.6  # no line tells them apart
        model = hedgerow.auto(X[:300], y[:300])
        assert type(model) is SVC
        assert model.score(X[300:], y[300:]) > 0.9

    def test_strings(self):
        words = np.random.default_rng(0).choice(["so", "we", "saw", "a", "few"], (200, 6))
        texts = [" ".join([*row, "free" if i % 2 else "flee"]) for i, row in enumerate(words)]
        model = hedgerow.auto(texts[:150], np.arange(150) % 2)
        assert model.score(texts[150:], np.arange(150, 200) % 2) > 0.9

    def test_large_trees_have_small_decays(self, questions):
        trees, _ = questions
        large = hedgerow.Forest(["(A " + "(B b) " * 120 + ")"] * 3)
        assert max(suggestions.decays(large)) < max(suggestions.decays(trees))


class TestWhatIsFixed:
    def test_kernel_and_cost(self, questions):
        trees, y = questions
        kernel = Normalized(SubTree())
        assert hedgerow.auto(trees, y, kernel=kernel).kernel is kernel
        assert hedgerow.auto(trees, y, C=3).C == 3
        alone = hedgerow.auto(trees, y, kernel=kernel, C=3)
        assert alone.chosen_ == "nothing was left to choose"

    def test_repeatable_whatever_the_threads(self, questions):
        trees, y = questions
        one, two = (hedgerow.auto(trees, y, n_jobs=n) for n in (1, 2))
        assert (repr(one), one.chosen_) == (repr(two), two.chosen_)

    def test_bad_arguments(self, questions):
        trees, y = questions
        with pytest.raises(ValueError, match="seconds must be a number above 0, got 0"):
            hedgerow.auto(trees, y, seconds=0)
        with pytest.raises(ValueError, match="only one class"):
            hedgerow.auto(trees, np.ones(len(trees)))


def test_averaged_passes_where_the_exact_machine_takes_too_long(questions, monkeypatch):
    trees, y = questions
    monkeypatch.setattr(choosing, "EXACT_SECONDS", 0.0)
    model = hedgerow.auto(trees[:225], y[:225])
    assert type(model) is Perceptron
    assert model.averaging == "average"
    assert model.score(trees[225:], y[225:]) > 0.75


@pytest.mark.parametrize("y", [[0, 1], [0, 0, 0, 1], [0, 0, 1, 1, 2]])
def test_few_examples(y):
    X = np.eye(len(y))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert hedgerow.auto(X, y).score(X, y) > 0.5
