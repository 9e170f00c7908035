"""Kernels written in Python: every learner takes them, and learns what it learns with the same kernel in C++."""

from __future__ import annotations

import pickle
import signal
import threading
import warnings
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import clone
from sklearn.metrics.pairwise import rbf_kernel

import hedgerow
from hedgerow import Forest, Records
from hedgerow.data import CandidateLists
from hedgerow.inspection import explain
from hedgerow.kernels import RBF, Kernel, Normalized, Polynomial, Spectrum, SubsetTree, SubTree
from hedgerow.models import Expansion
from hedgerow.online import OnlineLearner, Perceptron
from hedgerow.registry import learners
from hedgerow.structured import (
    LabelSequence,
    Multiclass,
    OutputFeatures,
    Reranking,
    StringMapping,
    StructuredPerceptron,
    StructuredSVM,
    Taxonomy,
)
from hedgerow.svm import SVC
from hedgerow.testing import check_kernel, check_learner
from tests.models.walks import Walk, assert_go_on_alike
from tests.online.test_against_slow import noisy_trees


class PythonRBF(Kernel):
    """RBF of arrays and sparse rows, with a diagonal that is asked for item by item."""

    def __init__(self, gamma: float = 1.0):
        self.gamma = gamma

    def _check_params(self):
        if not isinstance(self.gamma, float) or self.gamma <= 0:
            raise ValueError(f"gamma must be a number above 0, got {self.gamma!r}")

    def compute(self, X, Y):
        return rbf_kernel(X, Y, gamma=self.gamma)


class PythonSpectrum(Kernel):
    """Common symbols of strings, in lists."""

    def compute(self, X, Y):
        return [[sum(x.count(symbol) * y.count(symbol) for symbol in set(x)) for y in Y] for x in X]


class PythonTrees(Kernel):
    """SST over a Forest."""

    def _prepare(self, X):
        return X if isinstance(X, Forest) else Forest(X)

    def compute(self, X, Y):
        assert isinstance(X, Forest)
        assert isinstance(Y, Forest)
        return SubsetTree(0.5)(X, Y)

    def compute_diag(self, X):
        return SubsetTree(0.5).diag(X)


N = 80
random = np.random.default_rng(0)
TREES, SIGNS = noisy_trees(N, 1)
VECTORS = random.normal(size=(N, 4)) + SIGNS[:, None]
SPARSE = sparse.csr_array(np.where(VECTORS > 0.5, VECTORS, 0.0))
STRINGS = ["".join(random.choice(list("abc"), size=n)) for n in random.integers(1, 9, N)]
Y = np.where(np.arange(N) % 7 == 0, "other", np.where(SIGNS > 0, "good", "bad"))
# Kernels in Python, the same in C++, and items.
PAIRS: dict[str, tuple[Kernel, Kernel, Any]] = {
    "arrays": (PythonRBF(0.5), RBF(0.5), VECTORS),
    "sparse rows": (PythonRBF(0.5), RBF(0.5), SPARSE),
    "lists": (PythonSpectrum(), Spectrum(k=1), STRINGS),
    "Forest": (PythonTrees(), SubsetTree(0.5), TREES),
    "normalised": (Normalized(PythonTrees()), Normalized(SubsetTree(0.5)), TREES),
    "sum": (PythonTrees() + 0.5 * SubTree(), SubsetTree(0.5) + 0.5 * SubTree(), TREES),
    "normalised product": (
        Normalized(PythonRBF(0.5) * Polynomial(2)),
        Normalized(RBF(0.5) * Polynomial(2)),
        VECTORS,
    ),
    "columns": (
        Normalized(PythonSpectrum().on("text") + PythonRBF(0.5).on("vector")),
        Normalized(Spectrum(k=1).on("text") + RBF(0.5).on("vector")),
        Records(text=STRINGS, vector=VECTORS),
    ),
}
ON_KERNELS = {name: row for name, row in learners().items() if row.on_kernels}


@pytest.mark.parametrize("kind", PAIRS)
def test_contract(kind):
    kernel, _, X = PAIRS[kind]
    check_kernel(kernel, X[:12])


@pytest.mark.parametrize("kind", PAIRS)
@pytest.mark.parametrize("name", ["perceptron", "forgetron", "projectron++", "svm"])
def test_the_same_as_in_native_code(kind, name):
    if (name, kind) == ("projectron++", "lists"):
        pytest.skip("whether a sum of thirds is 0, and so a mistake, depends on the order of the sum")
    kernel, native, X = PAIRS[kind]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # the Forgetron wants items of length 1
        scores = [make(name, kernel).fit(X, Y).decision_function(X) for kernel in (kernel, native)]
    rtol = 1e-5 if name == "svm" else 1e-9
    assert_allclose(*scores, rtol=rtol, atol=rtol * np.abs(scores[0]).max())


def make(name: str, kernel: Any) -> Any:
    row = ON_KERNELS[name]
    parameters = {"budget": 15, "random_state": 0, "tol": 1e-6, "averaging": "average"}
    return row.make(kernel=kernel, **{k: v for k, v in parameters.items() if k in row.parameters})


@pytest.mark.parametrize("name", ON_KERNELS)
def test_every_learner(name):
    kernel, native, X = PAIRS["arrays"]
    learner = make(name, kernel)
    scores = clone(learner).fit(X, Y).decision_function(X)
    expected = clone(learner).set_params(kernel=native).fit(X, Y).decision_function(X)
    assert_allclose(scores, expected, atol=1e-5 if name == "cutting-plane" else 1e-9)
    few = {"tol": 0.1} if name == "cutting-plane" else {}
    check_learner(learner.set_params(**few), X[:25], Y[:25], skip=["bad_parameters"])


@pytest.mark.parametrize("averaging", [None, "average", "vote", "normalized"])
def test_averages_and_votes(averaging):
    kernel, native, X = PAIRS["Forest"]
    scores = [
        Perceptron(kernel, averaging=averaging, epochs=2).fit(X, Y).decision_function(X)
        for kernel in (kernel, native)
    ]
    assert_allclose(*scores, rtol=1e-9)


def test_rules_in_python_too():
    class Mistakes:
        def learn(self, f, y, weight):
            if y * f.score <= 0:
                f.add(weight * y)

    kernel, _, X = PAIRS["lists"]
    scores = OnlineLearner(Mistakes(), kernel).fit(X, Y).decision_function(X)
    assert_array_equal(scores, Perceptron(kernel).fit(X, Y).decision_function(X))


class Distances(Kernel):
    """A kernel whose values do not depend on the shape of the block."""

    def compute(self, X, Y):
        return np.exp(-np.abs(X[:, None] - Y[None]).sum(axis=2))


def test_a_random_walk():
    walk = Walk(Distances(), VECTORS[:30])
    for number in range(120):
        walk.step()
        if number % 20 == 0:
            walk.check()
    assert_go_on_alike(walk, 30)


# -- structured machines -------------------------------------------------------------------------------------

PARENTS = {"good": "known", "bad": "known", "known": "all", "other": "all"}
SEQUENCES = [VECTORS[i : i + 4] for i in range(0, N, 4)]
TAGS = [Y[i : i + 4].tolist() for i in range(0, N, 4)]
LISTS = CandidateLists([4] * 20, trees=TREES, grades=SIGNS.astype(float))


@pytest.mark.parametrize(
    ("problem", "kinds", "X", "y"),
    [
        (Multiclass(), "Forest", TREES, Y),
        (Taxonomy(PARENTS), "arrays", VECTORS, Y),
        (OutputFeatures({"good": "a b", "bad": "b c", "other": "c d"}), "lists", STRINGS, Y),
        (LabelSequence(), "sparse rows", SEQUENCES, TAGS),
        (Reranking(loss="zero-one"), "Forest", LISTS, LISTS.oracles()),
    ],
    ids=lambda value: type(value).__name__,
)
@pytest.mark.parametrize(
    "learner",
    # Steps of other solvers part where the last digits of kernel values choose among equal answers.
    [StructuredPerceptron(epochs=2), StructuredSVM(None, tol=0.01, solver="one-slack")],
    ids=["perceptron", "svm"],
)
def test_structured_machines(problem, kinds, X, y, learner):
    kernel, native, _ = PAIRS[kinds]
    model, expected = (
        clone(learner).set_params(problem=clone(problem).set_params(kernel=kernel)).fit(X, y)
        for kernel in (kernel, native)
    )
    assert_allclose(model.coef_, expected.coef_, atol=1e-6)
    assert list(model.predict(X)) == list(expected.predict(X))
    assert list(pickle.loads(pickle.dumps(model)).predict(X)) == list(expected.predict(X))
    with pytest.raises(
        TypeError, match=r"model.problem.kernel is a Python\w+ of tests.* \(pickle can save it\)"
    ):
        hedgerow.save(model, "nowhere")


def test_string_mapping():
    kernels = (PythonSpectrum(), Spectrum(k=1))
    outputs = [text[:2] for text in STRINGS[:20]]
    found, expected = (
        StructuredSVM(StringMapping(Normalized(k), Normalized(k)))
        .fit(STRINGS[:20], outputs)
        .predict(STRINGS[20:30])
        for k in kernels
    )
    assert found == expected


# -- copies and explanations ---------------------------------------------------------------------------------


def test_a_model_file_holds_classes_of_hedgerow_only(tmp_path):
    model = Perceptron(Normalized(PythonTrees())).fit(TREES, Y)
    with pytest.raises(TypeError, match=r"model.kernel.kernel is a PythonTrees of tests.*pickle can save it"):
        hedgerow.save(model, tmp_path / "model")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("kind", ["arrays", "lists", "columns"])
def test_explanations_by_supports(kind):
    kernel, _, X = PAIRS[kind]
    model = SVC(kernel).fit(X, Y)
    scores = model.decision_function(X[:3])
    for explanation, row, label in zip(
        explain(model, X[:3], n_largest=2), scores, model.predict(X[:3]), strict=True
    ):
        assert explanation.predicted == label
        assert_allclose([account.total() for account in explanation.accounts], row)
        main = explanation.main
        assert len(main.speaking_for) <= 2
        number = int(main.contributions[0].name.removeprefix("support ").split(":")[0])
        values = (
            model.dual_coef_[model.classes_.tolist().index(label)]
            * kernel(X[:3], model.support_items_)[np.flatnonzero((scores == row).all(axis=1))[0]]
        )
        assert values.argmax() == number
        assert_allclose(main.contributions[0].contribution, values.max())


def test_supports_are_the_items():
    model = Perceptron(PythonTrees()).fit(TREES, Y)
    assert model.support_items_ == TREES[model.support_]
    model = Perceptron(PythonRBF().on("vector")).fit(Records(vector=VECTORS, text=STRINGS), Y)
    assert_array_equal(model.support_items_["vector"], VECTORS[model.support_])
    assert Perceptron(PythonSpectrum()).fit(STRINGS, Y).support_items_[0] == STRINGS[0]


def test_an_expansion_of_nothing():
    assert_array_equal(Expansion(PythonRBF()).decision_function(VECTORS), np.zeros((N, 1)))
    assert Expansion(PythonRBF()).supports == []


# -- what goes wrong -----------------------------------------------------------------------------------------


class Gives(Kernel):
    """A kernel that gives, or raises, whatever it is told from some call on."""

    def __init__(self, what: Any, after: int = 0):
        self.what = what
        self.after = after

    def compute(self, X, Y):
        calls.append(1)
        if len(calls) > self.after:
            if isinstance(self.what, BaseException):
                raise self.what
            return self.what
        return rbf_kernel(X, Y)


calls: list[int] = []


@pytest.mark.parametrize(
    ("what", "error", "message"),
    [
        (np.zeros((1, 2)), ValueError, r"Gives.compute gave an array of shape \(1, 2\), expected \(\d, \d\)"),
        (np.nan, ValueError, r"Gives.compute gave an array of shape \(1,\)"),
        ("text", ValueError, "could not convert"),
        (KeyError("lost"), KeyError, "lost"),
        (ZeroDivisionError("a / b"), ZeroDivisionError, "a / b"),
    ],
)
def test_errors_come_from_where_they_happen(what, error, message):
    calls.clear()
    model = Perceptron(Gives(what, after=7)).partial_fit(VECTORS[:4], Y[:4], classes=np.unique(Y))
    before = model.n_support_
    with pytest.raises(error, match=message):
        model.partial_fit(VECTORS[4:], Y[4:])
    assert model.n_support_ >= before
    model.kernel_.set_params(after=10**6)
    assert np.isfinite(model.partial_fit(VECTORS, Y).decision_function(VECTORS)).all()


def test_values_that_are_not_finite():
    for value, error in ((np.nan, ValueError), (np.inf, OverflowError)):
        with pytest.raises(error):
            Gives(np.full((N, N), value))(VECTORS)


def test_a_kernel_without_compute():
    with pytest.raises(NotImplementedError, match=r"Empty has no method compute\(X, Y\)"):
        type("Empty", (Kernel,), {})()(VECTORS)


def test_collections_of_one_kind():
    model = Perceptron(PythonRBF()).partial_fit(VECTORS[:5], Y[:5], classes=np.unique(Y))
    with pytest.raises(TypeError, match="in one kind of collection, got list and ndarray"):
        model.partial_fit(VECTORS[5:].tolist(), Y[5:])
    with pytest.raises(TypeError, match="kernels take collections of items, got a str"):
        PythonSpectrum()("abc")


@pytest.mark.parametrize("learner", [Perceptron(), SVC()], ids=["Perceptron", "SVC"])
def test_control_c(learner):
    class Slow(Kernel):
        def compute(self, X, Y):
            calls.append(1)
            if len(calls) == 5:
                signal.raise_signal(signal.SIGINT)
            return rbf_kernel(X, Y)

    calls.clear()
    model = learner.set_params(kernel=Slow())
    y = np.where(SIGNS > 0, 1, -1)
    with pytest.raises(KeyboardInterrupt):
        model.fit(VECTORS, y)
    assert model.fit(VECTORS, y).score(VECTORS, y) > 0.6


def test_threads():
    """Many predictions at once, and native threads: nobody waits for ever."""
    model = Perceptron(Normalized(PythonTrees() + SubTree()), n_jobs=2).fit(TREES, Y)
    expected = model.decision_function(TREES)
    found: list[Any] = []
    threads = [
        threading.Thread(target=lambda: found.append(model.decision_function(TREES))) for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert len(found) == len(threads)
    for scores in found:
        assert_array_equal(scores, expected)
