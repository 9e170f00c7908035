"""Checks of kernels, learners and problems find what is broken, and say what it is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hedgerow.kernels import RBF, Kernel
from hedgerow.online import Perceptron
from hedgerow.structured import LabelSequence, Problem
from hedgerow.testing import check_kernel, check_learner, check_problem
from tests.structured.tiny_problems import Classes, Tags, make_classes, make_tags

random = np.random.default_rng(0)
X = random.normal(size=(30, 3))
Y = np.where(X[:, 0] > 0, "yes", "no")


def broken(check: Any, *arguments: Any, **more: Any) -> dict[str, str]:
    """The contracts that do not hold, with what is said about each."""
    with pytest.raises(AssertionError) as caught:
        check(*arguments, **more)
    lines = str(caught.value).split("\n- ")
    assert f"breaks {len(lines) - 1} contract" in lines[0]
    return dict(line.split(" (", 1) for line in lines[1:])


# -- kernels -------------------------------------------------------------------------------------------------


class Dots(Kernel):
    """A kernel that holds all contracts, for others to break some."""

    def __init__(self, scale: float = 1.0):
        self.scale = scale

    def _check_params(self):
        if not isinstance(self.scale, float):
            raise TypeError(f"scale must be a number, got {self.scale!r}")

    def compute(self, X, Y):
        return self.scale * X @ Y.T


class Lopsided(Dots):
    def compute(self, X, Y):
        return X @ Y.T + 0.1 * X[:, :1]


class Indefinite(Dots):
    def compute(self, X, Y):
        return -super().compute(X, Y)


class WrongDiagonal(Dots):
    def compute_diag(self, X):
        return np.ones(len(X))


class Centred(Dots):
    def compute(self, X, Y):
        return (X - X.mean()) @ (Y - Y.mean()).T


class Restless(Dots):
    def compute(self, X, Y):
        self.scale = 2 * self.scale
        return super().compute(X, Y)


class Trusting(Dots):
    def _check_params(self):
        pass

    def compute(self, X, Y):
        return X @ Y.T


class Unnamed(Dots):
    def _check_params(self):
        if not isinstance(self.scale, float):
            raise TypeError("that is wrong")


class Counting(Dots):
    """A kernel that must not be told apart by a pickle."""

    def __getstate__(self):
        return {**super().__getstate__(), "scale": 3.0}


def test_kernels() -> None:
    check_kernel(Dots(), X)
    for kernel, contract, words in (
        (Lopsided(), "symmetric", "the transpose of K differs in"),
        (Indefinite(), "positive_semi_definite", "the eigenvalues are from -"),
        (WrongDiagonal(), "diagonal", r"diag(X) differs in 30 of 30 values: at (0,) it is"),
        (Centred(), "blocks", "K(first half, second half) differs in"),
        (Restless(), "repeatable", "K differs in"),
        (Trusting(), "bad_parameters", "scale=<nonsense> was accepted"),
        (Unnamed(), "bad_parameters", "the error for scale=<nonsense> does not name it: that is wrong"),
        (Counting(), "copies", "K of a pickle differs in"),
    ):
        assert words in broken(check_kernel, kernel, X)[contract], kernel


def test_contracts_may_be_skipped() -> None:
    check_kernel(Trusting(), X, skip=["bad_parameters"])
    with pytest.raises(
        ValueError, match=r"skip must name contracts, parameters, bad_parameters, .*, got sorted"
    ):
        check_kernel(Trusting(), X, skip=["sorted"])


def test_what_is_not_a_kernel_or_too_little() -> None:
    with pytest.raises(TypeError, match="kernel must be a hedgerow kernel, got 'rbf'"):
        check_kernel("rbf", X)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="X must have at least four items, got 3"):
        check_kernel(RBF(), X[:3])
    with pytest.raises(TypeError, match=r"problem must be a hedgerow\.structured\.Problem, got 'classes'"):
        check_problem("classes", [1], [2])  # type: ignore[arg-type]


# -- learners ------------------------------------------------------------------------------------------------


class Forgetful(Perceptron):
    def partial_fit(self, X, y, classes=None, sample_weight=None):
        if hasattr(self, "classes_"):
            classes = self.classes_
            del self._native
        return super().partial_fit(X, y, classes, sample_weight)


class Moody(Perceptron):
    def fit(self, X, y, sample_weight=None):
        order = np.random.permutation(len(y))  # noqa: NPY002
        return super().fit(X[order], y[order])


class Contrary(Perceptron):
    def predict(self, X):
        return self.classes_[::-1][np.searchsorted(self.classes_, super().predict(X))]


class Greedy(Perceptron):
    def fit(self, X, y, sample_weight=None):
        X *= 2
        self.epochs = 3
        return super().fit(X, y)


class Unfinished(Perceptron):
    def __setstate__(self, state):
        super().__setstate__({**state, "_native": Perceptron().fit(X, Y[::-1])._native.save()})


def test_learners() -> None:
    check_learner(Perceptron(), X, Y)
    for learner, contract, words in (
        (Forgetful(), "pieces", "what a stream of halves says differs in"),
        (Moody(), "repeatable", "what it says after a second fit differs in"),
        (Contrary(), "classes", "predictions differs"),
        (Greedy(), "fitting", "an example was changed"),
        (Unfinished(), "copies", "what a deep copy says differs in"),
    ):
        assert words in broken(check_learner, learner, X.copy(), Y)[contract], learner


# -- problems ------------------------------------------------------------------------------------------------

CLASSES, ROWS, LABELS = make_classes(n=5)
TAGS, WORDS, TAGGED = make_tags(n=4)


class AlwaysFirst(Classes):
    def argmax(self, x, F):
        return 0


class Careless(Classes):
    def loss_augmented_argmax(self, x, y_true, F, violation):
        return self.argmax(x, F)


class Costly(Classes):
    def compute_loss(self, y_true, y):
        return 0.5


class Undecided(Tags):
    def prepare(self, X, y):
        self.first_ = X[0]

    def survey(self, X, y):
        return X[-1]

    def settle(self, surveys):
        self.first_ = surveys[-1]

    def joint_features(self, x, y):
        shift = sum(self.first_) if hasattr(self, "first_") else 0
        return {feature + shift: value for feature, value in super().joint_features(x, y).items()}


def test_problems() -> None:
    rest = ["bad_parameters"]
    check_problem(CLASSES, ROWS, LABELS, skip=rest)
    check_problem(TAGS, WORDS, TAGGED, skip=rest)
    losses = CLASSES.losses
    for problem, data, contract, words in (
        (AlwaysFirst(losses), (ROWS, LABELS), "searches", "asked for best of example"),
        (AlwaysFirst(losses), (ROWS, LABELS), "predictions", "the prediction 0 for example"),
        (Careless(losses), (ROWS, LABELS), "searches", "asked for margin of example"),
        (Costly(losses), (ROWS, LABELS), "losses", "in its own place is 0.5"),
        (
            Undecided(TAGS.n_words),
            (WORDS, TAGGED),
            "shards",
            "a problem that was settled from shards predicts",
        ),
    ):
        assert words in broken(check_problem, problem, *data, skip=rest)[contract], problem


def test_candidates_that_are_not_all() -> None:
    """A search is told wrong where the list of outputs is."""
    X, y = [["a", "b"]], [["A", "B"]]
    found = broken(check_problem, LabelSequence(), X, y, candidates=lambda x: [["A", "A"], ["A", "B"]])
    assert "predictions" in found


def test_parameters_of_problems_are_checked() -> None:
    assert "losses=<nonsense>" in broken(check_problem, CLASSES, ROWS, LABELS)["bad_parameters"]
    assert isinstance(CLASSES, Problem)
