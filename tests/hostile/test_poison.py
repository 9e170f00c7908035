"""No example spoils a model: what cannot be learned from is refused by its number, and what fails leaves no trace."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse
from sklearn.base import clone

import hedgerow
from hedgerow.data import CandidateLists
from hedgerow.kernels import RBF, Kernel, Linear, Normalized, Polynomial, Sigmoid
from hedgerow.online import Forgetron, OnlineLearner, Perceptron, Reranker
from hedgerow.registry import learners
from hedgerow.structured import LabelSequence, Multiclass, StructuredPerceptron, StructuredSVM
from hedgerow.structured.frank_wolfe import FrankWolfeRun

pytestmark = pytest.mark.filterwarnings("ignore:.* expects K:UserWarning")
N, BAD = 40, 23  # examples, and the number of the one that is poisonous
random = np.random.default_rng(7)
Y = np.array(["a", "b", "c"])[random.integers(0, 3, N)]
X = np.abs(random.normal(size=(N, 5))) + 2 * np.eye(5)[[list("abc").index(y) for y in Y]]
CLASSES = ["a", "b", "c"]
WRONG = np.where(
    np.arange(N) == BAD, "abc"["bca".index(Y[BAD])], Y
)  # a label from which there is much to learn

# Parameters to try beside the defaults, by name in the registry.
VARIED: dict[str, list[dict[str, Any]]] = {
    "perceptron": [
        {"bias": True, "averaging": "vote"},
        {"averaging": "average"},
        {"averaging": "normalized"},
    ],
    "pa": [{"averaging": "vote"}, {"variant": "PA-II", "averaging": "average"}],
    "romma": [{"aggressive": True, "averaging": "average"}],
    "forgetron": [{"shrinking": "greedy", "averaging": "vote"}, {"shrinking": "basic"}],
    "projectron": [{"eta": 0.5, "budget": None}],
    "rda": [{"loss": "exponential", "averaging": "vote"}],
    "adagrad-rda": [{"loss": "exponential", "averaging": "average"}],
    "fobos": [{"loss": "exponential", "l2": 0.01, "averaging": "average"}],
    "ftrl": [{"loss": "exponential", "averaging": "average"}],
    "truncated-gradient": [{"loss": "exponential", "l1": 0.01, "averaging": "average"}],
    "scw": [{"variant": "SCW-II", "averaging": "average"}],
    "mbw": [{"max_features": 3}],
}
KERNELS: dict[str, Kernel] = {
    "linear": Linear(),
    "polynomial": Polynomial(degree=2),
    "normalised": Normalized(Polynomial(degree=2)),
    "rbf": RBF(gamma=0.3),
    "sigmoid": Sigmoid(scale=0.1),
}


def few(name: str) -> dict[str, Any]:
    known = learners()[name].parameters
    return {key: value for key, value in {"budget": 6, "random_state": 0}.items() if key in known}


ONLINE = {
    name: row for name, row in learners().items() if hasattr(row.cls, "partial_fit") and not row.structured
}
CASES: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {}
for name, row in ONLINE.items():
    for varied in ({}, *VARIED.get(name, [])):
        if row.on_weights:
            CASES[f"{name} {varied} on weights"] = (row.make, varied)
        for kind, kernel in KERNELS.items() if row.on_kernels else ():
            CASES[f"{name} {varied} {kind}"] = (row.make, {**few(name), **varied, "kernel": kernel})

# What is done to the example, and its weight.
POISONS: dict[str, tuple[Callable[[Any], Any], float]] = {
    "1e155": (lambda x: x * 1e155, 1),
    "1e200": (lambda x: np.r_[1e200, x[1:]], 1),
    "1e307": (lambda x: np.r_[x[:4], 1e307], 1),
    "1e60": (lambda x: x * 1e60, 1),
    "1e-60": (lambda x: x * 1e-60, 1),
    "1e-160": (lambda x: x * 1e-160, 1),
    "denormal": (lambda x: np.r_[5e-324, 0 * x[1:]], 1),
    "weight 1e15": (lambda x: x, 1e15),
    "weight 1e20": (lambda x: x, 1e20),
    "1e60 and weight 1e20": (lambda x: x * 1e60, 1e20),
}


def arrays_of(model: Any) -> dict[str, Any]:
    """All that a learner has learned, but for the time that it took."""
    if hasattr(model, "_learned_state"):
        description, arrays = model._learned_state()
        return {**description, **{name: a for name, a in arrays.items() if not name.endswith("seconds")}}
    return {name: array for name, array in model._native.save().items() if not name.endswith("seconds")}


def assert_same(model: Any, other: Any) -> None:
    mine, others = arrays_of(model), arrays_of(other)
    assert mine.keys() == others.keys()
    for name, array in mine.items():
        assert_array_equal(array, others[name], err_msg=name, strict=True)


def assert_usable(model: Any, path: Any) -> None:
    scores = model.decision_function(X)
    assert np.isfinite(scores).all()
    copy = pickle.loads(pickle.dumps(model))
    assert_array_equal(copy.decision_function(X), scores)
    hedgerow.save(model, path)
    assert_array_equal(hedgerow.load(path).decision_function(X), scores)


@pytest.mark.parametrize("poison", POISONS)
@pytest.mark.parametrize("case", CASES)
def test_one_bad_example(case: str, poison: str, tmp_path: Any) -> None:
    make, parameters = CASES[case]
    spoil, weight = POISONS[poison]
    if weight != 1 and "sample_weight" not in make(**parameters).partial_fit.__annotations__:
        pytest.skip("examples have no weights")
    given = X.copy()
    given[BAD] = spoil(given[BAD])
    weights = np.ones(N)
    weights[BAD] = weight
    kept: dict[str, Any] = {"sample_weight": weights} if weight != 1 else {}

    model = make(**parameters)
    refusal = None
    try:
        model.partial_fit(given, Y, CLASSES, **kept)
    except OverflowError as error:
        refusal = str(error)
    if refusal:
        assert refusal.startswith(f"example {BAD} (number {BAD} of the stream) cannot be learned from: ")
        assert model.n_seen_ == BAD
        other = make(**parameters)
        other.partial_fit(X[:BAD], Y[:BAD], CLASSES)
        assert_same(model, other)
        other.partial_fit(X[BAD + 1 :], Y[BAD + 1 :])
    assert_usable(model, tmp_path / "model")
    model.partial_fit(X[BAD + 1 :], Y[BAD + 1 :])
    if refusal:
        assert_same(model, other)
    assert_usable(model, tmp_path / "model")


def test_weights_out_of_range_change_nothing() -> None:
    model, other = (Perceptron(averaging="vote").partial_fit(X, Y, CLASSES) for _ in range(2))
    with pytest.raises(ValueError, match="sample_weight must be"):
        model.partial_fit(X, Y, sample_weight=[1] * BAD + [1e300] + [1] * (N - BAD - 1))
    assert_same(model, other)


def test_the_error_says_what_is_accepted() -> None:
    model = Forgetron(Linear()).partial_fit(X[:BAD], Y[:BAD], CLASSES)
    with pytest.raises(OverflowError, match=rf"example 1 \(number {BAD + 1} of the stream\).*at most 1e140"):
        model.partial_fit(X[[0, BAD]] * [[1], [1e155]], WRONG[[0, BAD]])
    model = Perceptron().partial_fit(X, Y, CLASSES)
    with pytest.raises(OverflowError, match=r"\|x\|\^2 must be at most 1e140; scale the features down"):
        model.partial_fit(sparse.csr_array(X[:2] * [[1], [1e155]]), Y[:2])
    assert model.n_seen_ == N + 1


# -- code in Python that fails


class Failing(Kernel):
    """The dot product, which fails at its n-th call."""

    def __init__(self, error: type[BaseException] = RuntimeError):
        self.error = error

    calls = 0
    fails_at = 10**9

    def compute(self, X: Any, Y: Any) -> Any:
        Failing.calls += 1
        if Failing.calls == Failing.fails_at:
            raise self.error("no value")
        left, right = (part.toarray() if sparse.issparse(part) else np.asarray(part) for part in (X, Y))
        return left @ right.T

    def compute_diag(self, X: Any) -> Any:
        return self.compute(X, X).diagonal()


def with_failure(model: Any, fails_at: int, error: Any) -> bool:
    """Whether learning failed at this call of the kernel."""
    Failing.calls, Failing.fails_at = 0, fails_at
    try:
        model.partial_fit(X, Y, CLASSES)
    except error:
        return True
    finally:
        Failing.fails_at = 10**9
    return False


@pytest.mark.parametrize(
    ("name", "varied"),
    [(name, v) for name, row in ONLINE.items() if row.on_kernels for v in ({}, *VARIED.get(name, []))],
)
@pytest.mark.parametrize("combined", [False, True])
def test_a_kernel_that_fails(name: str, varied: dict[str, Any], combined: bool) -> None:
    def make() -> Any:
        kernel = Failing() + 0.5 * RBF() if combined else Failing()
        return ONLINE[name].make(kernel=kernel, trace_every=7, **few(name) | varied)

    fails_at = 1
    while True:
        model = make()
        if not with_failure(model, fails_at, RuntimeError):
            break
        other = make()
        if getattr(model, "n_seen_", 0) > 0:
            other.partial_fit(X[: model.n_seen_], Y[: model.n_seen_], CLASSES)
            assert_same(model, other)
            model.partial_fit(X[model.n_seen_ :], Y[model.n_seen_ :])
            other.partial_fit(X[other.n_seen_ :], Y[other.n_seen_ :])
            assert_same(model, other)
        fails_at += 5
    assert fails_at > 20


def test_an_interrupt_in_a_kernel() -> None:
    for fails_at in range(20, 40):
        model, other = (Forgetron(Failing(KeyboardInterrupt), budget=6) for _ in range(2))
        assert with_failure(model, fails_at, KeyboardInterrupt)
        other.partial_fit(X[: model.n_seen_], Y[: model.n_seen_], CLASSES)
        assert_same(model, other)


def test_a_kernel_that_fails_in_a_later_epoch() -> None:
    def learn(order: Any) -> Any:
        model = Perceptron(Failing(), averaging="vote")
        model.fit(X, Y)  # for the classes
        model._native = model._make_native()
        items = model._more(X)
        model._native.learn(items, np.searchsorted(CLASSES, Y).astype(np.int32), None, order)
        return model

    model = Perceptron(Failing(), epochs=3, averaging="vote")
    Failing.calls, Failing.fails_at = 0, 80
    with pytest.raises(RuntimeError):
        model.fit(X, Y)
    Failing.fails_at = 10**9
    seen = model.n_seen_
    assert seen > N
    orders = [np.arange(N)] * (seen // N) + [np.arange(seen % N)]
    assert_same(model, learn(orders))


class FailingRule:
    """A perceptron that shrinks and forgets, and fails in the midst of it at its n-th change."""

    fails_at = 10**9
    changes = 0

    def __init__(self) -> None:
        self.mistakes = 0
        self.labels: list[float] = []
        self.sums = np.zeros(2)

    def learn(self, f: Any, y: float, weight: float) -> None:
        if y * f.score > 0:
            return
        self.mistakes += 1
        self.labels.append(y)
        self.sums[int(y > 0)] += 1
        for change in (lambda: f.add(y), lambda: f.scale(0.9), lambda: f.add_bias(0.1 * y)):
            FailingRule.changes += 1
            if FailingRule.changes == FailingRule.fails_at:
                raise RuntimeError("no change")
            change()
        if len(f.supports) > 5:
            f.remove(f.supports[0])


@pytest.mark.parametrize("kernel", [Linear(), Normalized(Polynomial(2)), RBF()])
@pytest.mark.parametrize("averaging", [None, "average", "vote"])
def test_a_rule_that_fails(kernel: Kernel, averaging: str | None) -> None:
    for fails_at in range(1, 60):
        model, other = (OnlineLearner(FailingRule(), kernel, averaging=averaging) for _ in range(2))
        FailingRule.changes, FailingRule.fails_at = 0, fails_at
        try:
            model.partial_fit(X, Y, CLASSES)
        except RuntimeError:
            pass
        else:
            assert fails_at > 20
        FailingRule.fails_at = 10**9
        if model.n_seen_ == 0:
            continue
        other.partial_fit(X[: model.n_seen_], Y[: model.n_seen_], CLASSES)
        assert_same(model, other)
        for rule, expected in zip(model._rules, other._rules, strict=True):
            assert (rule.mistakes, rule.labels) == (expected.mistakes, expected.labels)
            assert_array_equal(rule.sums, expected.sums)


# -- structured learners and rerankers


@pytest.mark.parametrize("scale", [1e155, 1e200, 1e307])
def test_structured_perceptron(scale: float) -> None:
    def make() -> Any:
        return StructuredPerceptron(Multiclass(), averaging="average", dual=True)

    bad = X.copy()
    bad[BAD] *= scale
    model, other = make(), make()
    model.partial_fit(X, Y)
    other.partial_fit(X, Y)
    with pytest.raises(OverflowError, match=f"example {BAD} "):
        model.partial_fit(bad, WRONG)
    other.partial_fit(X[:BAD], Y[:BAD])
    assert_same(model, other)
    model.partial_fit(X, Y)
    other.partial_fit(X, Y)
    assert_same(model, other)


@pytest.mark.parametrize("scale", [1e-160, 1e60, 1e155, 1e200, 1e307])
@pytest.mark.parametrize(
    "model",
    [
        *(StructuredPerceptron(Multiclass(), variant=variant) for variant in ("PA", "PA-I", "PA-II")),
        StructuredSVM(Multiclass(), solver="frank-wolfe", max_iter=5, averaging="average"),
    ],
)
def test_structured_learners_whose_steps_shrink_with_the_example(model: Any, scale: float) -> None:
    bad = X.copy()
    bad[BAD] *= scale
    model = clone(model).partial_fit(X, Y)
    with suppress(OverflowError):
        model.partial_fit(bad, WRONG)
    assert np.abs(model.coef_).max() < 1e100
    model.partial_fit(X, Y)
    assert np.mean(np.array(model.predict(X)) == Y) > 0.9


def test_frank_wolfe_on_a_kernel_that_is_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it keeps is what it had after the last whole visit of an example."""

    sequences, labels = X.reshape(10, 4, 5), Y.reshape(10, 4).tolist()

    def interrupted(fails_at: int) -> Any:
        problem = LabelSequence(kernel=Failing(KeyboardInterrupt), templates=None)
        model = StructuredSVM(problem, solver="frank-wolfe", random_state=0)
        Failing.calls, Failing.fails_at = 0, fails_at
        with pytest.raises(KeyboardInterrupt):
            model.fit(sequences, labels)
        Failing.fails_at = 10**9
        return model

    monkeypatch.setattr("hedgerow.structured.kernel_items._CACHE_BYTES", 1000)  # some rows
    compared = 0
    for fails_at in range(1, 1000, 3):
        model = interrupted(fails_at)
        if not hasattr(model, "_state"):  # before it began
            continue
        visits = int(model._state["progress"][0])
        if visits >= len(sequences):
            break

        def visit_some(run: FrankWolfeRun, visits: int = visits) -> None:
            run.native.visit(run._order()[:visits], 1)
            raise KeyboardInterrupt

        with monkeypatch.context() as there:
            there.setattr(FrankWolfeRun, "_visit", visit_some)
            other = interrupted(10**9)
        for name, array in model._state.items():
            assert_array_equal(array, other._state[name], err_msg=name)
        compared += visits > 0
    assert compared > 10


@pytest.mark.parametrize("name", [name for name, row in ONLINE.items() if row.on_weights and row.signed])
def test_rerankers(name: str) -> None:
    features = random.normal(size=(30, 4))

    def lists(scale: float = 1.0) -> CandidateLists:
        given = features.copy()
        given[15:18] *= scale  # list 5
        return CandidateLists([3] * 10, features=given, grades=np.tile([1.0, 0.0, 0.5], 10))

    def make() -> Any:
        return Reranker(ONLINE[name].make(), trace_every=3)

    for scale in (1e155, 1e307):
        model, other = make().partial_fit(lists()), make().partial_fit(lists())
        with pytest.raises(OverflowError, match=r"example 5 \(number 15 of the stream\)"):
            model.partial_fit(lists(scale))
        other.partial_fit(lists()[:5])
        assert_same(model, other)
        assert np.isfinite(model.decision_function(lists())).all()
