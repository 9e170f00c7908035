"""Rules written in Python, traces, and Ctrl-C."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.metrics import f1_score

import hedgerow
from hedgerow.kernels import RBF, Normalized, SubsetTree
from hedgerow.online import (
    RDA,
    Forgetron,
    OnlineLearner,
    PassiveAggressive,
    Perceptron,
    RandomBudgetPerceptron,
)
from tests.interrupting import output_of_interrupted
from tests.online.test_against_slow import noisy_trees, noisy_vectors
from tests.online.test_multiclass import three_classes


class PythonPerceptron:
    def learn(self, f: Any, y: float, weight: float) -> None:
        if y * f.score <= 0:
            f.add(weight * y)


class PythonPassiveAggressive:
    def learn(self, f: Any, y: float, weight: float) -> None:
        loss = 1 - y * f.score
        if loss > 0:
            f.add(y * min(weight, loss / f.self_kernel))


class OldestLeaves:
    """A perceptron in which the oldest support leaves; it looks at everything that a function shows."""

    def __init__(self, budget: int) -> None:
        self.budget = budget
        self.norms: list[float] = []

    def learn(self, f: Any, y: float, weight: float) -> None:
        if len(f.supports):
            assert abs(f.coefficients @ f.row + f.bias - f.score) < 1e-9
        if y * f.score > 0:
            return
        f.add(y)
        f.scale(0.9)
        if len(f.supports) > self.budget:
            oldest = f.supports[0]
            assert np.isfinite(f.value_at(oldest))
            f.remove(oldest)
        self.norms.append(f.squared_norm)


@pytest.mark.parametrize(
    ("rule", "native"),
    [(PythonPerceptron(), Perceptron()), (PythonPassiveAggressive(), PassiveAggressive())],
)
@pytest.mark.parametrize("averaging", [None, "average", "vote"])
def test_rules_in_python_equal_native_ones(rule: Any, native: Any, averaging: Any) -> None:
    X, y = three_classes(100, 1)
    own = OnlineLearner(rule, RBF(), averaging=averaging).fit(X, y)
    native = native.set_params(kernel=RBF(), averaging=averaging).fit(X, y)
    assert_array_equal(own.decision_function(X), native.decision_function(X))


def test_a_rule_that_removes_on_trees() -> None:
    X, y = noisy_trees(150, 2)
    kernel = Normalized(SubsetTree())
    model = OnlineLearner(OldestLeaves(10), kernel).fit(X, y)
    assert model.n_support_ == 10
    beta = np.zeros(len(y))
    beta[model.support_] = model.dual_coef_[0]
    assert_allclose(model._rules[0].norms[-1], beta @ kernel(X) @ beta, rtol=1e-9)
    again = pickle.loads(pickle.dumps(model))
    for other in (model, again):
        other.partial_fit(X, y)
    assert_array_equal(again.decision_function(X), model.decision_function(X))
    with pytest.raises(TypeError, match="a model file cannot hold"):
        hedgerow.save(model, "never")


def test_errors_in_rules_come_through_and_functions_do_not_outlive_the_call() -> None:
    kept: list[Any] = []

    class Careless:
        def learn(self, f: Any, y: float, weight: float) -> None:
            kept.append(f)
            if len(kept) == 3:
                raise ZeroDivisionError("of the rule")

    with pytest.raises(ZeroDivisionError, match="of the rule"):
        OnlineLearner(Careless(), RBF()).fit(*noisy_vectors(10, 0))
    with pytest.raises(RuntimeError, match="only while its rule learns"):
        _ = kept[0].score
    with pytest.raises(TypeError, match="rule must have a method learn"):
        OnlineLearner(object(), RBF()).fit(*noisy_vectors(10, 0))


@pytest.mark.parametrize("averaging", [None, "average", "vote"])
def test_trace_of_two_classes(averaging: Any) -> None:
    X, y = noisy_vectors(60, 3)
    model = Perceptron(RBF(), averaging=averaging, trace_every=10).fit(X, y)
    predicted: list[int] = []
    wrong = 0
    again = Perceptron(RBF(), averaging=averaging)
    for t in range(60):
        score = again.decision_function(X[t : t + 1])[0] if t else 0.0
        predicted.append(1 if score > 0 else -1)
        wrong += bool(y[t] * score <= 0)
        again.partial_fit(X[t : t + 1], y[t : t + 1], classes=[-1, 1])
        if t % 10 == 9:
            sample = t // 10
            assert model.trace_.examples[sample] == t + 1
            assert model.trace_.errors[sample] == wrong
            assert_allclose(model.trace_.f1[sample], f1_score(y[: t + 1], predicted))
            assert model.trace_.support[sample] == again.n_support_
    assert len(model.trace_) == 6
    assert (np.diff(model.trace_.seconds) >= 0).all()
    assert model.trace_.columns == (
        *("examples", "mistakes", "errors", "updates", "f1", "support", "l1_norm", "seconds"),
    )


@pytest.mark.parametrize(
    "learner", [Perceptron(RBF()), Perceptron(), RDA(l1=0.01), Forgetron(RBF(), budget=5)]
)
@pytest.mark.parametrize("averaging", [None, "average"])
def test_the_end_of_a_trace_is_what_attributes_say(learner: Any, averaging: Any) -> None:
    X, y = three_classes(90, 3)
    model = learner.set_params(averaging=averaging, trace_every=30).fit(X, y)
    assert model.trace_.mistakes[-1] == model.mistakes_
    assert model.trace_.updates[-1] == model.updates_
    weights = model.coef_ if model._on_weights else model.dual_coef_
    assert_allclose(model.trace_.l1_norm[-1], abs(weights).sum())
    assert (model.trace_.errors[-1] == model.mistakes_) == (averaging is None)


def test_updates_are_counted_for_every_function() -> None:
    X, y = noisy_vectors(60, 3)
    plain = Perceptron(RBF()).fit(X, y)
    assert plain.updates_ == plain.mistakes_
    eager = PassiveAggressive(RBF()).fit(X, y)
    assert eager.mistakes_ < eager.updates_ <= 60


def test_trace_of_several_classes_goes_on_after_loading(tmp_path: Any) -> None:
    X, y = three_classes(80, 4)
    model = PassiveAggressive(RBF(), trace_every=20)
    model.partial_fit(X[:50], y[:50], classes=np.unique(y))
    hedgerow.save(model, tmp_path / "m")
    other = hedgerow.load(tmp_path / "m")
    for m in (model, other):
        m.partial_fit(X[50:], y[50:])
    assert_array_equal(other.trace_.mistakes, model.trace_.mistakes)
    assert_array_equal(other.trace_.f1, model.trace_.f1)
    assert_array_equal(model.trace_.examples, [20, 40, 60, 80])


def test_no_trace_unless_asked_for() -> None:
    model = Forgetron(RBF(), budget=5).fit(*noisy_vectors(20, 0))
    with pytest.raises(AttributeError, match="set trace_every"):
        _ = model.trace_


def test_random_budget_depends_on_the_seed_only() -> None:
    X, y = noisy_vectors(200, 5)
    runs = [RandomBudgetPerceptron(RBF(), 10, random_state=seed).fit(X, y).support_ for seed in (1, 1, 2)]
    assert_array_equal(runs[0], runs[1])
    assert (runs[0] != runs[2]).any()


PROGRAM = """
import numpy as np
from hedgerow.kernels import RBF
from hedgerow.online import Perceptron

random = np.random.default_rng(0)
X, y = random.normal(size=(400_000, 20)), random.integers(2, size=400_000)
model = Perceptron(RBF(gamma=5.0), averaging="average")
print("ready", flush=True)
try:
    model.fit(X, y)
except KeyboardInterrupt:
    print("interrupted", flush=True)
assert 0 < model.n_seen_ < len(y)
again = Perceptron(RBF(gamma=5.0), averaging="average")
again.partial_fit(X[: model.n_seen_], y[: model.n_seen_], classes=[0, 1])
assert (again.decision_function(X[:50]) == model.decision_function(X[:50])).all()
print("usable", flush=True)
"""


@pytest.mark.slow
def test_interrupt_leaves_a_usable_model() -> None:
    assert output_of_interrupted(PROGRAM) == "interrupted\nusable\n"
