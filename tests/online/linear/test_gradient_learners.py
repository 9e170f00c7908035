"""RDA, FOBOS and the truncated gradient: equal to their slow versions, and what holds for them on any data."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

import hedgerow
from hedgerow import _core
from hedgerow.online import FOBOS, RDA, TruncatedGradient
from tests.online.linear import slow_linear as slow

REGULARISERS = [
    {},
    {"l1": 0.03},
    {"l2": 0.2, "learning_rate": 0.5},
    {"l1": 0.01, "l2": 0.05, "learning_rate": 2.0},
    {"l1": 0.3, "l2": 60.0, "learning_rate": 5.0},  # the scale of FOBOS's values passes all limits
]
TRUNCATIONS = [
    {},
    {"l1": 0.02},
    {"l1": 0.05, "truncate_every": 7},
    {"l1": 0.1, "truncate_every": 5, "threshold": 0.15},
    {"l1": 0.05, "learning_rate": 0.5, "schedule": "decaying", "truncate_every": 3, "threshold": 0.3},
]


def with_loss(loss: str, parameters: dict[str, Any], learning_rate: float) -> dict[str, Any]:
    """The exponential loss needs short steps, lest a mistake makes weights that no number can hold."""
    rate = parameters.get("learning_rate", learning_rate) * (0.02 if loss == "exponential" else 1.0)
    return {**parameters, "loss": loss, "learning_rate": rate}


# A learner, its slow version and the parameters of both.
CASES: list[tuple[Any, Callable[..., slow.Run], dict[str, Any]]] = [
    *(
        (learner, oracle, {"update": update, **with_loss(loss, regulariser, 1.0)})
        for learner, oracle in (
            (RDA, slow.rda),
            (partial(RDA, adaptive=True), slow.adagrad_rda),
            (FOBOS, slow.fobos),
        )
        for loss in ("hinge", "logistic", "exponential")
        for update in ("all", "mistakes")
        for regulariser in REGULARISERS
    ),
    *(
        (TruncatedGradient, slow.truncated_gradient, with_loss(loss, truncation, 0.1))
        for loss in ("hinge", "logistic", "exponential")
        for truncation in TRUNCATIONS
    ),
]
SOME = [  # one of each kind
    (RDA, slow.rda, {"loss": "logistic", "l1": 0.01, "l2": 0.05}),
    (RDA, slow.rda, {"update": "mistakes", "l1": 0.01}),
    (RDA, slow.rda, {"l1": 0.01, "l2": 0.05, "learning_rate": None}),
    (RDA, slow.rda, {"loss": "logistic", "update": "mistakes", "l2": 0.2, "learning_rate": None}),
    (partial(RDA, adaptive=True), slow.adagrad_rda, {"l1": 0.01, "learning_rate": 0.3}),
    (FOBOS, slow.fobos, {"l1": 0.01, "l2": 0.05}),
    (FOBOS, slow.fobos, {"loss": "logistic", "l1": 0.01, "update": "mistakes"}),
    (TruncatedGradient, slow.truncated_gradient, {"l1": 0.05, "truncate_every": 4, "threshold": 0.3}),
]


def name_of(value: Any) -> str | None:
    if isinstance(value, dict):
        return ",".join(f"{key}={item}" for key, item in value.items())
    return getattr(value, "__name__", "adaptive RDA") if callable(value) else None


def each(cases: list[Any]) -> Any:
    return pytest.mark.parametrize(("make", "oracle", "parameters"), cases, ids=name_of)


def stream(n: int, seed: int, width: int = 40) -> tuple[Any, Any]:
    """Sparse rows, frequent and rare features, some rows empty; noisy labels."""
    random = np.random.default_rng(seed)
    present = random.random((n, width)) < np.linspace(0.5, 0.01, width)
    X = np.where(present, random.normal(size=(n, width)), 0)
    X[:: n // 5] = 0
    y = np.where(X @ random.normal(size=width) + random.normal(size=n) > 0, 1, -1)
    return X, y


def with_bias(X: Any) -> Any:
    return np.column_stack([X, np.ones(len(X))])


def small_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sums over predictors start anew every few steps instead of every few ten thousand."""
    make = _core.linear_rule

    def small(name: str, averaging: str | None, parameters: dict[str, Any]) -> _core.LinearRule:
        return make(name, averaging, {**parameters, "table_size": 3})

    monkeypatch.setattr(_core, "linear_rule", small)


def close(actual: Any, expected: Any) -> None:
    assert_allclose(actual, expected, rtol=1e-9, atol=1e-9 * np.abs(expected).max())


@each(CASES)
def test_weights(make: Any, oracle: Any, parameters: dict[str, Any]) -> None:
    X, y = stream(200, 1)
    model = make(**parameters).fit(sparse.csr_matrix(X), y)
    expected = oracle(X, y, **parameters)
    assert model.mistakes_ == len(expected.mistakes) > 20
    close(model.coef_[0], expected.last)
    assert model.n_nonzero_ == np.count_nonzero(expected.last)
    close(model.decision_function(X), X @ expected.last)
    assert_array_equal(make(**parameters).fit(X, y).coef_, model.coef_)  # from a dense matrix


@each([case for case in CASES if case[1] is not slow.adagrad_rda or "l2" not in case[2]])
@pytest.mark.parametrize("restarts", [False, True])
def test_averages(
    make: Any, oracle: Any, parameters: dict[str, Any], restarts: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if restarts:
        small_tables(monkeypatch)
    X, y = stream(200, 2)
    model = make(**parameters, averaging="average", bias=True).fit(sparse.csr_matrix(X), y)
    expected = oracle(with_bias(X), y, **parameters)
    assert model.mistakes_ == len(expected.mistakes)
    close(model.coef_[0], expected.average()[:-1])
    close(model.intercept_, expected.average()[-1:])
    assert model.n_nonzero_ == np.count_nonzero(expected.average()[:-1])
    close(model.decision_function(X), with_bias(X) @ expected.average())


@each(CASES)
def test_votes(make: Any, oracle: Any, parameters: dict[str, Any]) -> None:
    X, y = stream(120, 3)
    weight = np.random.default_rng(0).uniform(
        0.5, 1.5, size=len(y)
    )  # lest steps of the bias add up to 0 and votes tie
    model = make(**parameters, averaging="vote", bias=True).fit(sparse.csr_matrix(X), y, sample_weight=weight)
    expected = oracle(with_bias(X), y, **parameters, weight=weight)
    assert_allclose(model.decision_function(X), expected.votes(with_bias(X)), atol=1e-12)
    close(model.coef_[0], expected.last[:-1])


@each(SOME)
@pytest.mark.parametrize("averaging", [None, "average"])
def test_features_that_come_late(make: Any, oracle: Any, parameters: dict[str, Any], averaging: Any) -> None:
    X, y = stream(150, 4)
    X[:60, 20:] = 0
    X[:120, 30:] = 0
    model = make(**parameters, averaging=averaging)
    for begin, end, width in ((0, 60, 20), (60, 120, 30), (120, 150, 40)):
        model.partial_fit(sparse.csr_matrix(X[begin:end, :width]), y[begin:end], classes=[-1, 1])
    expected = oracle(X, y, **parameters)
    close(model.coef_[0], expected.average() if averaging else expected.last)
    assert model.n_features_in_ == 40


@each(SOME)
@pytest.mark.parametrize("averaging", [None, "average"])
def test_epochs_and_weights(make: Any, oracle: Any, parameters: dict[str, Any], averaging: Any) -> None:
    X, y = stream(80, 5)
    weight = np.random.default_rng(6).exponential(size=len(y))
    weight[::7] = 0
    model = make(**parameters, averaging=averaging, epochs=3, class_weight={-1: 0.5, 1: 2.0})
    model.fit(sparse.csr_matrix(X), y, sample_weight=weight)
    weight = weight * np.where(y > 0, 2.0, 0.5)
    expected = oracle(np.tile(X, (3, 1)), np.tile(y, 3), **parameters, weight=np.tile(weight, 3))
    close(model.coef_[0], expected.average() if averaging else expected.last)


@each(SOME)
@pytest.mark.parametrize("averaging", [None, "average", "vote"])
def test_pieces_copies_and_files(
    make: Any,
    oracle: Any,
    parameters: dict[str, Any],
    averaging: Any,
    tmp_path: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Row by row, in batches and at once, and after a rest in a file, the same numbers come out."""
    small_tables(monkeypatch)
    X, y = stream(90, 7)
    rows = sparse.csr_matrix(X)
    words = np.array(["bad", "good", "other"])[1 * (y > 0) + (np.arange(len(y)) % 6 == 0)]
    make = partial(make, **parameters, averaging=averaging, bias=True)
    scores = make().fit(rows, words).decision_function(rows)
    single, batches, rested = make(), make(), make()
    for t in range(len(y)):
        single.partial_fit(rows[t], words[t : t + 1], classes=np.unique(words))
    for begin in range(0, len(y), 25):
        batches.partial_fit(rows[begin : begin + 25], words[begin : begin + 25], classes=np.unique(words))
    rested.partial_fit(rows[:50], words[:50], classes=np.unique(words))
    hedgerow.save(rested, tmp_path / "model")
    for model in (
        single,
        batches,
        pickle.loads(pickle.dumps(rested)).partial_fit(rows[50:], words[50:]),
        hedgerow.load(tmp_path / "model").partial_fit(rows[50:], words[50:]),
    ):
        assert_array_equal(model.decision_function(rows), scores)


def test_several_classes_are_functions_of_their_own() -> None:
    X, y = stream(120, 8)
    labels = y + 3 * (X[:, 0] > 0.5)
    for make, oracle, parameters in SOME:
        model = make(**parameters, averaging="average").fit(X, labels)
        for label, weights in zip(model.classes_, model.coef_, strict=True):
            close(weights, oracle(X, np.where(labels == label, 1, -1), **parameters).average())


def test_average_of_voted_rda_is_the_sum_over_its_predictors() -> None:
    """X's sum of c_k w_k: c_k counts from 1 at the new predictor, and one more for each example that it gets right."""
    X, y = stream(300, 9)
    model = RDA("logistic", l1=0.02, learning_rate=3.0, update="mistakes", averaging="average").fit(X, y)
    run = slow.rda(X, y, "logistic", l1=0.02, learning_rate=3.0, update="mistakes")
    ends = [*run.mistakes[1:], len(y)]
    counts = [end - begin for begin, end in zip(run.mistakes, ends, strict=True)]
    assert max(counts) > 3
    total = sum(c * run.predictors[k] for c, k in zip(counts, run.mistakes, strict=True))
    close(model.coef_[0] * len(y), total)
    assert 0 < model.n_nonzero_ < 40


def test_many_steps_between_touches() -> None:
    """A feature that comes once in a while, over more steps than tables hold, with weights that die in between."""
    n = 15_000
    X = sparse.lil_matrix((n, 4))
    X[:, 0] = np.tile([1.0, -1.0], n // 2)[:, None]
    X[::500, 1] = 1.0
    X[::7_499, 2] = 5.0
    y = np.tile([1, -1, -1, 1, 1], n // 5)
    for make, oracle, parameters in (
        (RDA, slow.rda, {"l1": 2.02e-3, "l2": 1e-3}),
        (partial(RDA, adaptive=True), slow.adagrad_rda, {"l1": 2.02e-3}),
        (FOBOS, slow.fobos, {"l1": 3e-3, "l2": 1e-2}),
        (TruncatedGradient, slow.truncated_gradient, {"l1": 3e-3, "truncate_every": 10}),
    ):
        model = make(**parameters, averaging="average").fit(X.tocsr(), y)
        expected = oracle(X.toarray(), y, **parameters)
        alive = [w[1] != 0 for w in expected.predictors[n // 2 :]]
        assert any(alive)
        assert not all(alive)
        close(model.coef_[0], expected.average())


# -- theory -------------------------------------------------------------------------------------------------


def voted(X: Any, y: Any, **parameters: Any) -> tuple[Any, slow.Run]:
    """Voted RDA, and its predictors, which are those of the native learner."""
    model = RDA(update="mistakes", **parameters).fit(X, y)
    run = slow.rda(X, y, update="mistakes", **parameters)
    assert model.mistakes_ == len(run.mistakes)
    close(model.coef_[0], run.last)
    return model, run


def margins_of_one(X: Any, y: Any) -> Any:
    """The shortest u with y u.x >= 1 everywhere, by a batch machine."""
    from sklearn.svm import SVC

    u = SVC(kernel="linear", C=1e6, tol=1e-8).fit(np.vstack([X, -X]), np.concatenate([y, -y])).coef_[0]
    return u / (y * (X @ u)).min()


def separable(n: int, seed: int) -> tuple[Any, Any]:
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, 10))
    scores = X[:, 0] - 0.5 * X[:, 1]
    keep = np.abs(scores) > 0.6
    return X[keep], np.where(scores[keep] > 0, 1, -1)


@pytest.mark.parametrize("l1", [0.0, 0.01, 0.1])
@pytest.mark.parametrize("seed", range(3))
def test_mistakes_of_voted_rda_on_separable_data(l1: float, seed: int) -> None:
    """X, theorem 1: M <= 2 (R |u| / (1 - l1 D))^2, D = |u|_1 - the mean of |w_k|_1 over the w_k that erred."""
    X, y = separable(800, seed)
    u = margins_of_one(X, y)
    R = np.linalg.norm(X, axis=1).max()
    model, run = voted(X, y, l1=l1, learning_rate=np.linalg.norm(u) / (np.sqrt(2) * R))
    D = np.abs(u).sum() - np.mean([np.abs(w).sum() for w in run.wrong])
    assert l1 * D < 1
    assert 0 < model.mistakes_ <= 2 * (R * np.linalg.norm(u) / (1 - l1 * D)) ** 2


@pytest.mark.parametrize("l1", [0.0, 0.01, 0.1])
@pytest.mark.parametrize("loss", ["hinge", "logistic", "exponential"])
def test_mistakes_of_voted_rda_on_inseparable_data(l1: float, loss: str) -> None:
    """X, equation 7 with the regret before eta is chosen, which for the best eta gives theorem 1."""
    from sklearn.linear_model import LogisticRegression

    random = np.random.default_rng(3)
    X = np.clip(random.normal(size=(1000, 8)), -2, 2)
    y = np.where(X[:, 0] + X[:, 1] + random.normal(scale=0.7, size=1000) > 0, 1, -1)
    u = LogisticRegression(C=0.05, fit_intercept=False).fit(X, y).coef_[0]
    rate = 0.1
    model, run = voted(X, y, loss=loss, l1=l1, learning_rate=rate)
    mistakes = model.mistakes_
    margins = (y * (X @ u))[run.mistakes]
    losses = {
        "hinge": np.maximum(0, 1 - margins),
        "logistic": np.log2(1 + np.exp(-margins)),
        "exponential": np.exp(-margins),
    }[loss]
    # The bound is about the logistic loss to base 2; the learner's has base e: gradients, l1 and eta are scaled.
    scale = 1 / np.log(2) if loss == "logistic" else 1.0
    G = scale * max(np.linalg.norm(gradient) for gradient in run.gradients)
    eta = scale / rate
    D = np.abs(u).sum() - np.mean([np.abs(w).sum() for w in run.wrong])
    regret = (eta / 2 * u @ u + G**2 / eta) * np.sqrt(mistakes)
    assert mistakes <= losses.sum() + mistakes * scale * l1 * D + regret
    if loss == "hinge":  # theorem 1 itself
        R = np.linalg.norm(X, axis=1).max()
        model, run = voted(X, y, l1=l1, learning_rate=np.linalg.norm(u) / (np.sqrt(2) * R))
        L = np.maximum(0, 1 - (y * (X @ u))[run.mistakes]).sum()
        D = np.abs(u).sum() - np.mean([np.abs(w).sum() for w in run.wrong])
        a = 1 - l1 * D
        assert a > 0
        assert model.mistakes_ <= (np.sqrt(L / a) + np.sqrt(2) * R * np.linalg.norm(u) / a) ** 2


def test_voted_rda_without_regularisation_is_a_perceptron_with_smaller_steps() -> None:
    """On mistakes the hinge loss has the gradient -y x; w is their sum divided by sqrt(k), which no sign depends on."""
    from hedgerow.online import Perceptron

    X, y = stream(300, 10)
    assert RDA(update="mistakes").fit(X, y).mistakes_ == Perceptron().fit(X, y).mistakes_


# -- unusual data -------------------------------------------------------------------------------------------

ALL = [partial(make, **parameters) for make, _, parameters in SOME]


@pytest.mark.parametrize("make", ALL)
@pytest.mark.parametrize("averaging", [None, "average", "vote"])
def test_huge_values(make: Any, averaging: Any) -> None:
    X = sparse.csr_matrix([[1e60, 1.0], [-1e60, 1.0], [1.0, 0.0], [0.0, -1.0]])
    y = ["up", "down", "up", "down"]
    model = make(averaging=averaging).fit(X, y)
    assert np.isfinite(model.coef_).all()
    assert np.isfinite(model.decision_function(X[2:])).all()
    for value in (1e150, 1e200, 1e308):
        for weight in (None, [1e20] * 4):
            model = make(averaging=averaging)
            with pytest.raises(OverflowError, match=r"example 0 .* cannot be learned from"):
                model.fit(X.multiply(value / 1e60).tocsr(), y, sample_weight=weight)
            assert np.isfinite(model.coef_).all()


@pytest.mark.parametrize("make", ALL)
@pytest.mark.parametrize("averaging", [None, "average", "vote"])
def test_empty_rows_and_a_first_example_of_the_wrong_class(make: Any, averaging: Any) -> None:
    X = sparse.csr_matrix([[0.0, 0.0], [0.0, 1.0], [0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 0.0]])
    y = ["yes", "no", "yes", "yes", "no", "yes"]
    model = make(averaging=averaging, epochs=5).fit(X, y)
    assert_array_equal(model.predict(X[[1, 3]]), ["no", "yes"])
    assert_array_equal(model.decision_function(sparse.csr_matrix((1, 2))), [0.0])
    model.partial_fit(sparse.csr_matrix((3, 2)), ["no", "yes", "no"])
    assert np.isfinite(model.coef_).all()
    zeros = make(averaging=averaging).fit(sparse.csr_matrix((4, 3)), ["a", "b", "a", "b"])
    assert zeros.n_nonzero_ == 0
    assert_array_equal(zeros.predict(sparse.csr_matrix((1, 3))), ["a"])


def test_strong_l1_leaves_no_weight() -> None:
    X, y = stream(200, 11)
    for make in (RDA, partial(RDA, adaptive=True), FOBOS, TruncatedGradient):
        model = make(l1=100.0, averaging="average").fit(X, y)
        assert_array_equal(model.coef_, np.zeros((1, 40)))


@pytest.mark.parametrize(
    ("learner", "message"),
    [
        (RDA(loss="squared"), "loss must be one of 'hinge', 'logistic', 'exponential', got 'squared'"),
        (RDA(l1=-1.0), "l1 must be a number at least 0"),
        (RDA(l2=-1.0), "l2 must be a number at least 0"),
        (RDA(learning_rate=0.0), "learning_rate must be a number above 0"),
        (RDA(update="some"), "update must be one of 'all', 'mistakes'"),
        (RDA(averaging="normalized"), "averaging must be one of None, 'average', 'vote'"),
        (RDA(adaptive=True, l2=0.1, averaging="average"), "l2 must be 0 with adaptive=True"),
        (FOBOS(l2=float("nan")), "l2 must be a number at least 0"),
        (FOBOS(update=None), "update must be one of"),
        (TruncatedGradient(schedule="slow"), "schedule must be one of 'constant', 'decaying'"),
        (TruncatedGradient(truncate_every=0), "truncate_every must be a whole number at least 1"),
        (TruncatedGradient(l1=0.1, threshold=-1.0), "threshold must be a number at least 0"),
    ],
)
def test_bad_parameters(learner: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        learner.fit([[0.0], [1.0]], [0, 1])
