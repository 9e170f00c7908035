"""What every learner promises, on trees, strings, vectors and Records."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse

import hedgerow
from hedgerow import Records
from hedgerow.kernels import (
    RBF,
    Fragments,
    Kernel,
    Linear,
    Mismatch,
    Normalized,
    PartialTree,
    Polynomial,
    Spectrum,
    SubPath,
    Subsequence,
    SubsetTree,
    SubTree,
)
from hedgerow.online import (
    Ahpatron,
    ForgetfulProjectron,
    Forgetron,
    OnlineLearner,
    PassiveAggressive,
    Perceptron,
    Projectron,
    ProjectronPlusPlus,
    RandomBudgetPerceptron,
    Stoptron,
)
from hedgerow.registry import learners
from hedgerow.testing import check_learner
from tests.online.test_against_slow import noisy_trees

N = 90
TREES, LABELS = noisy_trees(N, 1)
Y = np.where(np.arange(N) % 7 == 0, "other", np.where(LABELS > 0, "good", "bad"))
random = np.random.default_rng(2)
VECTORS = random.normal(size=(N, 4)) + (Y == "good")[:, None] - (Y == "other")[:, None]
STRINGS = [
    "".join(random.choice(list("abc"), size=8)) + {"good": "aab", "bad": "cba", "other": "bbb"}[label]
    for label in Y
]
TOKENS = [list(text) for text in STRINGS]
RECORDS = Records(tree=TREES, text=STRINGS, features=VECTORS)

# Kernels, with the kind of data that they take.
KERNELS: dict[str, tuple[Kernel, Any]] = {
    "subset trees": (Normalized(SubsetTree()), TREES),
    "subset trees with words": (Normalized(SubsetTree(bag_of_words=True)), TREES),
    "partial trees": (Normalized(PartialTree()), TREES),
    "subtrees": (Normalized(SubTree()), TREES),
    "paths": (Normalized(SubPath()), TREES),
    "fragments": (Normalized(Fragments()), TREES),
    "k-mers": (Normalized(Spectrum(k=2)), STRINGS),
    "k-mers of tokens": (Normalized(Spectrum(k=2)), TOKENS),
    "mismatches": (Normalized(Mismatch(k=3, alphabet="abc")), STRINGS),
    "subsequences": (Normalized(Subsequence(length=2)), STRINGS),
    "vectors": (RBF(gamma=0.3), VECTORS),
    "sparse vectors": (
        Normalized(Polynomial(degree=2)),
        sparse.csr_matrix(np.where(VECTORS > 0.5, VECTORS, 0)),
    ),
    "sum on Records": (
        0.5 * Normalized(SubsetTree()).on("tree") + 0.5 * RBF(gamma=0.3).on("features"),
        RECORDS,
    ),
    "product on Records": (
        Normalized(SubsetTree()).on("tree") * Normalized(Linear()).on("features"),
        RECORDS,
    ),
}

# Parameters to try beside the defaults, by name in the registry.
VARIED: dict[str, list[dict[str, Any]]] = {
    "perceptron": [
        {"bias": True},
        {"averaging": "average", "epochs": 3, "shuffle": True},
        {"averaging": "vote"},
        {"averaging": "normalized", "multiclass": "codes"},
    ],
    "pa": [{"variant": "PA-II", "multiclass": "one-vs-one"}, {"variant": "PA", "averaging": "average"}],
    "romma": [{"aggressive": True, "averaging": "average"}],
    "forgetron": [{"averaging": "average"}, {"shrinking": "greedy"}],
    "projectron": [{"eta": 0.5, "budget": None}],
}
ON_KERNELS = [
    (name, parameters)
    for name, row in learners().items()
    if row.on_kernels and hasattr(row.cls, "partial_fit")
    for parameters in ({}, *VARIED.get(name, []))
]


def make(name: str, kernel: Kernel, **parameters: Any) -> Any:
    row = learners()[name]
    few = {"budget": 15} if "budget" in row.parameters else {}
    return row.make(kernel=kernel, **few | parameters)


@pytest.mark.parametrize(("name", "parameters"), ON_KERNELS)
def test_learners(name: str, parameters: dict[str, Any]) -> None:
    kernel, X = KERNELS["subset trees"]
    check_learner(make(name, kernel, **parameters), X[:60], Y[:60])


@pytest.mark.parametrize("name", ["perceptron", "forgetron", "projectron++"])
@pytest.mark.parametrize("kind", KERNELS)
def test_kernels(kind: str, name: str) -> None:
    kernel, X = KERNELS[kind]
    check_learner(make(name, kernel, averaging="average"), X[:50], Y[:50], skip=["bad_parameters"])


class Mistakes:
    """A perceptron in Python."""

    def learn(self, f: Any, y: float, weight: float) -> None:
        if y * f.score <= 0:
            f.add(weight * y)


def test_a_rule_in_python() -> None:
    kernel, X = KERNELS["subset trees"]
    check_learner(OnlineLearner(Mistakes(), kernel), X[:30], Y[:30])


@pytest.mark.parametrize("name", ["perceptron", "forgetron", "projectron++"])
def test_epochs_and_shuffling(name: str) -> None:
    kernel, X = KERNELS["subset trees"]
    model = make(name, kernel, epochs=3, shuffle=True, random_state=1)
    scores = model.fit(X, Y).decision_function(X)
    assert model.n_seen_ == 3 * N
    assert_array_equal(model.fit(X, Y).decision_function(X), scores)
    other = model.set_params(random_state=2).fit(X, Y).decision_function(X)
    assert (other != scores).any()


def test_an_example_that_comes_again_adds_to_its_support() -> None:
    kernel, X = KERNELS["subset trees"]
    model = Perceptron(kernel, epochs=10).fit(X, Y)
    assert len(np.unique(model.support_)) == model.n_support_ <= N


def test_weights() -> None:
    weights = np.ones(N)
    weights[:10] = 0
    left_out = Perceptron(RBF()).fit(VECTORS[10:], Y[10:])
    weighted = Perceptron(RBF()).fit(VECTORS, Y, sample_weight=weights)
    assert_array_equal(weighted.decision_function(VECTORS), left_out.decision_function(VECTORS))
    double = Perceptron(RBF()).fit(VECTORS, Y, sample_weight=np.full(N, 2.0))
    np.testing.assert_allclose(
        double.decision_function(VECTORS), 2 * Perceptron(RBF()).fit(VECTORS, Y).decision_function(VECTORS)
    )
    by_class = {"good": 3.0, "bad": 1.0, "other": 1.0}
    by_class_model = PassiveAggressive(RBF(), C=0.1, class_weight=by_class).fit(VECTORS, Y)
    by_example = PassiveAggressive(RBF(), C=0.1).fit(
        VECTORS, Y, sample_weight=[by_class[label] for label in Y.tolist()]
    )
    assert_array_equal(by_class_model.decision_function(VECTORS), by_example.decision_function(VECTORS))
    balanced = PassiveAggressive(RBF(), C=0.1, class_weight="balanced").fit(VECTORS, Y)
    assert (balanced.decision_function(VECTORS) != by_example.decision_function(VECTORS)).any()


@pytest.mark.parametrize(
    ("labels", "kind"),
    [([True, False], bool), ([0.0, 2.0], float), (["x", "y"], str), ([-1, 1], int), ([3, 1 << 40], int)],
)
def test_labels_of_any_type(labels: Any, kind: Any, tmp_path: Any) -> None:
    y = np.array(labels * 3)
    X = np.arange(6.0)[:, None] % 2
    assert isinstance(y.tolist()[0], kind)
    model = Perceptron(RBF()).fit(X, y)
    assert set(model.predict(X).tolist()) <= set(labels)
    hedgerow.save(model, tmp_path / "m")
    assert_array_equal(hedgerow.load(tmp_path / "m").predict(X), model.predict(X))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"averaging": "mean"}, "averaging must be one of None, 'average', 'vote', 'normalized', got 'mean'"),
        ({"epochs": 0}, "epochs"),
        ({"multiclass": "ovr"}, "multiclass must be one of"),
        ({"precision": "half"}, "precision must be one of"),
        ({"trace_every": 0}, "trace_every"),
    ],
)
def test_bad_parameters_are_named(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Perceptron(RBF(), **change).fit(VECTORS, Y)


def test_mistakes_of_users() -> None:
    model = Perceptron(Normalized(SubsetTree()))
    with pytest.raises(ValueError, match="classes must be given in the first call"):
        model.partial_fit(TREES, Y)
    with pytest.raises(ValueError, match="only one class"):
        model.fit(TREES, ["a"] * N)
    with pytest.raises(ValueError, match="differ in length"):
        model.fit(TREES, Y[:5])
    model.fit(TREES, Y)
    with pytest.raises(ValueError, match="'new', which is not one of the classes"):
        model.partial_fit(TREES[:1], ["new"])
    with pytest.raises(ValueError, match="kernel must be a hedgerow kernel"):
        Perceptron(kernel="rbf").fit(VECTORS, Y)
    with pytest.raises(ValueError, match="budget"):
        Forgetron(RBF(), budget=0).fit(VECTORS, Y)
    with pytest.raises(ValueError, match="alphabet"):
        Perceptron(Mismatch()).fit(STRINGS, Y)
    with pytest.warns(UserWarning, match=r"K\(x, x\) <= 1"):
        Forgetron(Linear(), budget=5).fit(VECTORS, Y)


def test_overflow_is_an_error_and_leaves_the_model_usable() -> None:
    wide = "(A " + " ".join("(B (C d))" for _ in range(1200)) + ")"
    model = Perceptron(SubsetTree(decay=1.0)).partial_fit(TREES[:20], Y[:20], classes=np.unique(Y))
    before = model.decision_function(TREES)
    with pytest.raises(OverflowError):
        model.partial_fit([wide, wide], ["good", "bad"])
    assert_array_equal(model.decision_function(TREES), before)
    model.partial_fit(TREES[20:], Y[20:])
    assert np.isfinite(model.decision_function(TREES)).all()


def test_single_precision() -> None:
    for name in ("subset trees", "partial trees"):
        kernel, X = KERNELS[name]
        model = PassiveAggressive(kernel).fit(X, Y)
        double = model.decision_function(X)
        single = model.set_params(precision="single").decision_function(X)
        np.testing.assert_allclose(single, double, rtol=1e-4, atol=1e-5)
        assert (single != double).any()


@pytest.mark.parametrize(
    "learner",
    [
        Stoptron,
        RandomBudgetPerceptron,
        Forgetron,
        Projectron,
        ProjectronPlusPlus,
        ForgetfulProjectron,
        Ahpatron,
    ],
)
def test_learners_on_supports_alone_need_a_kernel(learner: Any) -> None:
    with pytest.raises(
        ValueError, match=rf"{learner.__name__} keeps supports and needs a kernel.*Linear\(\)"
    ):
        learner().fit(VECTORS, Y)
    assert not hasattr(learner(RBF()).fit(VECTORS, Y), "coef_")


def test_each_form_refuses_parameters_of_the_other() -> None:
    with pytest.raises(ValueError, match="n_features is for learners on weights"):
        Perceptron(Linear(), n_features=8).fit(VECTORS, Y)
    with pytest.raises(ValueError, match="precision is for kernels"):
        Perceptron(precision="single").fit(VECTORS, Y)
