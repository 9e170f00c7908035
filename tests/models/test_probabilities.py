"""Probabilities: from held-out scores, as scikit-learn would have them, saved, and true on new examples."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.frozen import FrozenEstimator
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss

import hedgerow
from hedgerow import distributed
from hedgerow.datasets import make_two_gaussians
from hedgerow.kernels import RBF
from hedgerow.models.probabilities import HeldOut, parts
from hedgerow.models.reliability import Reliability
from hedgerow.online import AROW, FTRL, RDA, PassiveAggressive, Perceptron
from hedgerow.svm import SVC, CuttingPlaneSVC

KINDS = ("sigmoid", "isotonic")


@pytest.fixture(scope="module")
def three_classes():
    random = np.random.default_rng(3)
    y = random.integers(3, size=900)
    return random.normal(size=(900, 2)) + 1.2 * np.array([[0, 1], [1, 0], [-1, -1]])[y], np.array(
        ["a", "b", "c"]
    )[y]


def expected_error(model, X, y) -> float:
    reliability = Reliability()
    reliability.add(model.classes_.tolist(), y, model.predict_proba(X))
    return reliability.figures()["error"]


def test_it_is_there_only_when_asked_for_or_with_the_logistic_loss():
    for model in (SVC(), CuttingPlaneSVC(), Perceptron(), AROW(), FTRL(loss="hinge")):
        assert not hasattr(model, "predict_proba")
        assert hasattr(model.set_params(probability="sigmoid"), "predict_proba")
    assert hasattr(FTRL(), "predict_proba")
    assert not hasattr(FTRL(averaging="vote"), "predict_proba")
    assert not hasattr(RDA(loss="logistic", update="mistakes"), "predict_proba")
    with pytest.raises(AttributeError) as caught:
        _ = SVC().predict_proba
    assert "probability='sigmoid' or 'isotonic'" in str(caught.value.__cause__)
    with pytest.raises(ValueError, match="probability must be one of"):
        SVC(probability="platt").fit([[0.0], [1.0]], [0, 1])


def test_of_the_logistic_loss_they_are_those_of_the_scores(three_classes):
    X, y = three_classes
    two = FTRL().fit(X[:, :1], y == "a")
    assert two.predict_proba(X[:5, :1])[:, 1] == pytest.approx(
        1 / (1 + np.exp(-two.decision_function(X[:5, :1])))
    )
    chances = 1 / (1 + np.exp(-FTRL().fit(X, y).decision_function(X)))
    assert FTRL().fit(X, y).predict_proba(X) == pytest.approx(chances / chances.sum(axis=1, keepdims=True))


def test_the_sigmoid_is_the_most_likely_one_of_smoothed_targets():
    random = np.random.default_rng(0)
    scores = random.normal(size=300)
    positive = random.random(300) < 1 / (1 + np.exp(1 - 3 * scores))
    n = int(positive.sum())
    targets = np.where(positive, (n + 1) / (n + 2), 1 / (300 - n + 2))
    oracle = LogisticRegression(C=np.inf, tol=1e-10)
    both = np.concatenate([scores, scores])[:, None]
    oracle.fit(both, [1] * 300 + [0] * 300, np.concatenate([targets, 1 - targets]))
    for scale in (1.0, 1e-30, 1e100):  # scores of any size
        held_out = HeldOut.of("sigmoid", scale * scores, positive.astype(int))
        found = held_out.probabilities(scale * scores)
        assert found == pytest.approx(oracle.predict_proba(scores[:, None]), abs=1e-5)


def test_steps_are_those_of_isotonic_regression():
    random = np.random.default_rng(0)
    scores, positive = random.normal(size=200), random.random(200) < 0.4
    expected = IsotonicRegression(out_of_bounds="clip").fit(scores, positive).predict(scores)
    assert HeldOut.of("isotonic", scores, positive.astype(int)).probabilities(scores)[:, 1] == pytest.approx(
        expected
    )


def test_parts_have_every_class_and_every_example_once():
    labels = np.sort(np.random.default_rng(0).choice([0, 0, 0, 0, 1, 2], 203))
    labels[-1] = 3  # the only one of its class
    found = parts(labels)
    assert sorted(np.concatenate([held for _, held in found])) == list(range(202))
    for learned, held in found:
        assert set(labels[learned]) == {0, 1, 2, 3}
        assert not set(learned) & set(held)
        assert len(held) == pytest.approx(40.5, abs=2)


@pytest.mark.parametrize("kind", KINDS)
def test_a_machine_holds_out_what_it_scores(kind, three_classes):
    """The held-out scores equal those of machines that never saw the part."""
    X, y = (part[:120] for part in three_classes)
    for machine in (SVC(RBF(), probability=kind), CuttingPlaneSVC(RBF(), probability=kind, tol=1e-4)):
        model = machine.fit(X, y)
        labels = np.searchsorted(model.classes_, y)
        for learned, held in parts(labels)[:2]:
            alone = type(machine)(RBF(), tol=machine.tol).fit(X[learned], y[learned])
            close = 1e-2 if machine.tol < 1e-3 else 2 * machine.tol
            assert model._held_out.scores[held] == pytest.approx(alone.decision_function(X[held]), abs=close)


def test_a_stream_holds_out_each_example_before_it_learns_from_it():
    X, y = make_two_gaussians(500, random_state=0)
    stream, alone = AROW(probability="sigmoid"), AROW()
    before = np.zeros(500)
    for i in range(500):
        before[i] = alone.decision_function(X[[i]])[0] if i else 0.0
        alone.partial_fit(X[[i]], y[[i]], classes=[-1, 1])
    for begin in range(0, 500, 37):
        stream.partial_fit(X[begin : begin + 37], y[begin : begin + 37], classes=[-1, 1])
    assert stream._held_out.scores[:, 0] == pytest.approx(before[-250:], rel=1e-12)
    assert np.array_equal(stream._held_out.labels, (y[-250:] > 0).astype(int))
    assert stream.decision_function(X) == pytest.approx(alone.decision_function(X))


def test_after_a_refused_example_only_learned_ones_are_held_out():
    X, y = make_two_gaussians(20, random_state=0)
    X[10] = 1e80
    model = PassiveAggressive(probability="sigmoid")
    with pytest.raises(OverflowError, match="example 10"):
        model.partial_fit(X, y, classes=[-1, 1])
    assert len(model._held_out.labels) == 10


@pytest.mark.parametrize(
    "model",
    [
        SVC(RBF(), probability="sigmoid"),
        SVC(RBF(), probability="isotonic"),
        CuttingPlaneSVC(RBF(), probability="sigmoid"),
        Perceptron(RBF(), averaging="average", epochs=3, probability="sigmoid"),
        PassiveAggressive(RBF(), C=0.01, averaging="average", probability="isotonic"),
        AROW(probability="sigmoid", bias=True),
        AROW(probability="sigmoid", averaging="vote", multiclass="one-vs-one"),
    ],
    ids=lambda model: (
        f"{type(model).__name__}-{model.probability}-{model.averaging if hasattr(model, 'averaging') else ''}"
    ),
)
def test_they_mean_what_they_say(model, three_classes, tmp_path):
    X, y = three_classes
    model = model.fit(X[:500], y[:500])
    found = model.predict_proba(X[500:])
    assert found.shape == (400, 3)
    assert (found >= 0).all()
    assert found.sum(axis=1) == pytest.approx(np.ones(400))
    assert expected_error(model, X[500:], y[500:]) < 0.09
    hedgerow.save(model, tmp_path / "model")
    assert np.array_equal(hedgerow.load(tmp_path / "model").predict_proba(X[500:]), found)
    # The scores are those of the same model without probabilities.
    plain = type(model)(**{**model.get_params(deep=False), "probability": None}).fit(X[:500], y[:500])
    assert np.array_equal(plain.decision_function(X[500:]), model.decision_function(X[500:]))


def test_training_scores_would_be_too_sure():
    """What held-out scores are for: an overfitted machine is right everywhere on what it learned from."""
    random = np.random.default_rng(0)
    X = random.normal(size=(600, 2))
    y = (X[:, 0] > 0) ^ (random.random(600) < 0.2)  # one label in five is wrong
    machine = SVC(RBF(30.0), C=10, probability="sigmoid").fit(X[:300], y[:300])
    on_training = CalibratedClassifierCV(FrozenEstimator(SVC(RBF(30.0), C=10).fit(X[:300], y[:300])))
    on_training.fit(X[:300], y[:300])
    loss, naive = (log_loss(y[300:], model.predict_proba(X[300:])) for model in (machine, on_training))
    assert loss < naive - 0.2


def test_goes_on_after_load(tmp_path):
    X, y = make_two_gaussians(200, random_state=0)
    model = AROW(probability="sigmoid").partial_fit(X[:100], y[:100], classes=[-1, 1])
    hedgerow.save(model, tmp_path / "model")
    again = hedgerow.load(tmp_path / "model").partial_fit(X[100:], y[100:])
    model.partial_fit(X[100:], y[100:])
    assert np.array_equal(model.predict_proba(X), again.predict_proba(X))


def test_errors(tmp_path):
    X, y = make_two_gaussians(20, random_state=0)
    with pytest.raises(ValueError, match="fit again with probability='sigmoid'"):
        SVC().fit(X, y).set_params(probability="sigmoid").predict_proba(X)
    with pytest.raises(ValueError, match="at least two of each class"):
        SVC(probability="sigmoid").fit(X[:2], [0, 1])
    (tmp_path / "data.svm").write_text("1 1:2 3:1\n-1 2:1 4:1\n" * 5)
    shards = distributed.read(tmp_path / "data.svm")
    with pytest.raises(ValueError, match="probability must be None for learning from shards"):
        distributed.fit(AROW(probability="sigmoid"), shards)


def test_examples_without_weight_are_not_held_out():
    X, y = make_two_gaussians(60, random_state=0)
    weights = np.arange(60) % 2
    assert len(SVC(probability="sigmoid").fit(X, y, weights)._held_out.labels) == 30
    assert len(AROW(probability="sigmoid").fit(X, y, weights)._held_out.labels) == 30
