"""Losses of users: honoured in training or refused; and searches of problems, asked directly."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy import sparse

from hedgerow.data import CandidateLists
from hedgerow.kernels import RBF, Linear, Normalized, Spectrum, SubsetTree
from hedgerow.structured import (
    LabelSequence,
    Multiclass,
    Reranking,
    StringMapping,
    StructuredPerceptron,
    StructuredSVM,
    Taxonomy,
    WeightedGrammar,
)
from hedgerow.structured.discriminant import Discriminant
from tests.structured.generic_qp import generic_optimum

random = np.random.RandomState(0)
X, Y = random.normal(size=(15, 3)), np.arange(15) % 3
WORDS = [["the", "cat"], ["a", "dog", "ran"], ["the", "dog", "ran", "a"]]
TAGS = [["D", "N"], ["D", "N", "V"], ["D", "N", "V", "D"]]
PARENTS = {0: "low", 1: "low", 2: "high", "low": "all", "high": "all"}


class Steps(Multiclass):
    """Classes in order: being far off costs more."""

    def compute_loss(self, y_true, y):
        return float(abs(int(y_true) - int(y))) ** 1.5


class Twice(Taxonomy):
    def compute_loss(self, y_true, y):
        return 2 * super().compute_loss(y_true, y)


@pytest.mark.parametrize("problem", [Steps(), Twice(PARENTS)], ids=["own", "by super"])
@pytest.mark.parametrize(
    ("solver", "slack", "rescaling"),
    [
        ("one-slack", "linear", "margin"),
        ("frank-wolfe", "linear", "margin"),
        ("frank-wolfe", "linear", "slack"),
        ("n-slack", "linear", "slack"),
        ("n-slack", "quadratic", "margin"),
    ],
)
def test_an_overridden_loss_of_classes_is_trained_with(problem, solver, slack, rescaling):
    model = StructuredSVM(
        problem, C=0.5, solver=solver, slack=slack, rescaling=rescaling, tol=1e-5, random_state=0
    ).fit(X, Y)
    expected = generic_optimum(model.problem_, X, Y, 0.5, slack, rescaling).objective
    assert model.objective_ == pytest.approx(expected, rel=1e-3)
    losses = model.problem_.compute_losses(Y, np.roll(Y, 1))
    one_by_one = [model.problem_.compute_loss(a, b) for a, b in zip(Y, np.roll(Y, 1), strict=True)]
    assert losses.tolist() == one_by_one


def test_a_loss_of_one_that_is_no_number_is_refused():
    class Bad(Multiclass):
        def compute_loss(self, y_true, y):
            return float("nan")

    with pytest.raises(ValueError, match="loss must be finite and at least 0"):
        StructuredSVM(Bad()).fit(X, Y)


LISTS = CandidateLists([2], features=[[1.0], [2.0]], grades=[0, 1])
TREES = ["(S (A a) (B b))", "(S (B b) (A a))"]


@pytest.mark.parametrize(
    ("base", "examples"),
    [
        (LabelSequence, (WORDS, TAGS)),
        (WeightedGrammar, (TREES, TREES)),
        (StringMapping, (["abc", "bca"], ["xyz", "yzx"])),
        (Reranking, (LISTS, None)),
    ],
)
def test_where_native_searches_have_losses_of_their_own_it_is_refused(base, examples):
    class Own(base):
        def compute_loss(self, y_true, y):
            return 7.0

    for learner in (StructuredSVM, StructuredPerceptron):
        with pytest.raises(
            TypeError, match=f"compute_loss of Own would not count in training: {base.__name__}"
        ):
            learner(Own()).fit(*examples)

    class Named(base):
        """Other changes are none of our business."""

        def accuracy(self, y_true, y_pred):
            return 0.5

    assert StructuredPerceptron(Named()).fit(*examples).score(*examples) == 0.5


def test_costs_of_labels_as_a_function():
    costs = {("N", "V"): 3.0, ("D", "N"): 0.5}
    settings = {"C": 0.3, "solver": "one-slack", "tol": 1e-4}
    by_dict = StructuredSVM(LabelSequence(loss=costs), **settings).fit(WORDS, TAGS)
    by_function = StructuredSVM(
        LabelSequence(loss=lambda true, other: costs.get((true, other), 1.0)), **settings
    ).fit(WORDS, TAGS)
    assert by_function.coef_.tolist() == by_dict.coef_.tolist()
    assert by_function.problem_.compute_loss(["N", "D"], ["V", "D"]) == 3.0


@pytest.mark.parametrize("kernel", [Spectrum(2), Normalized(SubsetTree()), RBF() + Spectrum(2)])
def test_kernels_that_compare_no_vectors_of_tokens(kernel):
    with pytest.raises(TypeError, match="kernel compares vectors of tokens' features, such as RBF"):
        StructuredSVM(LabelSequence(kernel=kernel)).fit(WORDS, TAGS)


@pytest.mark.parametrize("kernel", [None, Linear()])
def test_searches_of_sequences_by_brute_force(kernel):
    problem = LabelSequence(kernel=kernel)
    model = StructuredPerceptron(problem, epochs=3, averaging="average").fit(WORDS, TAGS)
    F = Discriminant(model.problem_, model.coef_)
    for x, y_true in zip(WORDS, TAGS, strict=True):
        assert model.problem_.argmax(x, F) == model.predict([x])[0]
        second = model.problem_.runner_up(x, y_true, F)
        assert second != y_true
        if kernel is None:
            others = [list(y) for y in product("DNV", repeat=len(x)) if list(y) != y_true]
            assert F(x, second) == pytest.approx(max(F(x, y) for y in others))


def test_searches_of_strings():
    model = StructuredPerceptron(StringMapping(), epochs=3).fit(["abc", "bca"], ["xyz", "yzx"])
    F = Discriminant(model.problem_, model.coef_)
    assert model.problem_.argmax("abc", F) == model.predict(["abc"])[0]
    assert model.problem_.runner_up("abc", "xyz", F) == "yzx"


@pytest.mark.parametrize("kernel", [None, RBF()])
def test_searches_of_classes(kernel):
    model = StructuredPerceptron(Multiclass(kernel=kernel), epochs=3).fit(X, Y)
    F = Discriminant(model.problem_, model.coef_)
    for x, y_true, best in zip(X, Y, model.predict_k(X, k=3), strict=True):
        assert model.problem_.argmax(x, F) == best[0][0]
        others = [y for y, _ in best if y != y_true]
        assert model.problem_.runner_up(x, y_true, F) == others[0]


def test_searches_of_classes_take_sparse_rows():
    rows = sparse.csr_array(X)
    model = StructuredPerceptron(Multiclass(), epochs=3).fit(rows, Y)
    F = Discriminant(model.problem_, model.coef_)
    assert [model.problem_.argmax(rows[[i]], F) for i in range(15)] == model.predict(rows).tolist()


def test_a_table_of_costs_is_named_where_it_rules_out_a_machine():
    with pytest.raises(
        ValueError, match="LabelSequence with this loss cannot be trained with slack='linear'"
    ):
        StructuredSVM(LabelSequence(loss={("N", "V"): 3.0}), rescaling="slack").fit(WORDS, TAGS)


def test_sequences_list_no_outputs():
    with pytest.raises(NotImplementedError, match="does not list outputs, which native code searches"):
        LabelSequence().candidates(WORDS[0])
