"""Block-coordinate Frank-Wolfe against a slow one, its certificate, its average, and streams."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from hedgerow import _core
from hedgerow.structured import LabelSequence, Multiclass, SequenceSVC, StructuredSVM, frank_wolfe
from hedgerow.structured.frank_wolfe import FrankWolfeRun
from hedgerow.structured.questions import Violation
from hedgerow.structured.solver import Settings
from tests.structured.generic_qp import generic_optimum
from tests.structured.tiny_problems import make_classes, make_tags
from tests.structured.toy_problems import Chains, Vectors, chains, feature_matrix, vectors

CASES = [(Vectors(), *vectors(20)), (Chains(), *chains(15)), (Chains(3), *chains(10, 3))]
SEARCHES = ("margin", "slack", "best_wrong")


def settings(C=0.5, search="margin", tol=1e-8, max_iter=None, seed=0, threads=1, averaging=True):
    return Settings(
        C=C,
        slack="linear",
        violation=Violation(search),
        tol=tol,
        max_iter=max_iter,
        random_state=np.random.RandomState(seed),
        threads=threads,
        averaging=averaging,
    )


def run_on(case, chosen):
    problem, X, Y = case
    return FrankWolfeRun(problem._bind(X, Y, True), chosen, lambda entry: None).solve()


class SlowFrankWolfe:
    """The same in dense Python: planes (a, h) of each example with coefficients, and every iterate."""

    def __init__(self, case, C, search, patience=10):
        self.C, self.patience = C, patience
        self.all_planes = feature_matrix(*case, search)
        self.w = np.zeros(len(self.all_planes[0][0][0]))
        self.blocks = [[] for _ in self.all_planes]  # lists of [a, h, coefficient, idle]
        self.iterates = []

    def violation(self, plane):
        return plane[1] - self.w @ plane[0]

    def primal(self, w):
        slacks = [max(0.0, *(h - w @ a for a, h in planes)) for planes in self.all_planes]
        return w @ w / 2 + self.C * sum(slacks)

    def dual(self):
        return sum(plane[1] * plane[2] for block in self.blocks for plane in block) - self.w @ self.w / 2

    def visit(self, i):
        block = self.blocks[i]
        found = max(self.all_planes[i], key=self.violation)
        known = max([0.0, *(self.violation(plane) for plane in block)])
        if self.violation(found) > known + 1e-10:
            block.append([*found, 0.0, 0])
        self.correct(block)
        for plane in block:
            plane[3] = 0 if plane[2] > 0 else plane[3] + 1
        block[:] = [plane for plane in block if plane[3] <= self.patience]

    def correct(self, block):
        null = [np.zeros_like(self.w), 0.0, self.C - sum(plane[2] for plane in block), 0]
        planes = [null, *block]
        while True:
            taker = max(planes, key=self.violation)
            giver = min((plane for plane in planes if plane[2] > 0), key=self.violation)
            lead = self.violation(taker) - self.violation(giver)
            if lead < 1e-13:
                break
            direction = taker[0] - giver[0]
            step = min(giver[2], lead / (direction @ direction))
            taker[2] += step
            giver[2] = 0.0 if step == giver[2] else giver[2] - step
            self.w = self.w + step * direction
        self.iterates.append(self.w)


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("case", CASES)
def test_equals_a_slow_version(case, search):
    problem, X, Y = case
    binding = problem._bind(X, Y, True)
    native = _core.FrankWolfe(binding.oracle, binding.space, 0.3, search, True, 2, 0, remainder=1e-13)
    slow = SlowFrankWolfe(case, 0.3, search, patience=2)
    random = np.random.RandomState(1)
    for _ in range(4):
        order = random.permutation(len(X))
        native.visit(order, 1)
        for i in order:
            slow.visit(i)
        order = random.permutation(len(X))
        native.revisit(order)
        for i in order:
            if slow.blocks[i]:
                slow.correct(slow.blocks[i])
    weights = np.arange(1, len(slow.iterates) + 1)
    assert native.visits == len(slow.iterates)
    np.testing.assert_allclose(native.coordinates(), slow.w, atol=1e-9)
    np.testing.assert_allclose(native.dual, slow.dual(), atol=1e-9)
    average = np.average(slow.iterates, axis=0, weights=weights)
    np.testing.assert_allclose(native.average(), average, atol=1e-9)
    np.testing.assert_allclose(native.measure_average(1), slow.primal(average), atol=1e-9)
    primal, dual, gap = native.measure(1)
    np.testing.assert_allclose(primal, slow.primal(slow.w), atol=1e-9)
    np.testing.assert_allclose([dual, gap], [slow.dual(), primal - slow.dual()], atol=1e-9)


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("case", CASES)
def test_finds_the_optimum(case, search):
    """Weights with multipliers that are feasible for the dual, and as good as it: that is a proof."""
    solution = run_on(case, settings(2.0, search, tol=1e-9))
    slow = SlowFrankWolfe(case, 2.0, search)
    assert solution.converged
    assert slow.primal(solution.coordinates) == pytest.approx(solution.objective, rel=1e-12)
    assert solution.objective - solution.dual_objective <= 2.0 * len(case[1]) * 1e-9


@pytest.mark.parametrize("make", [make_classes, make_tags])
@pytest.mark.parametrize("rescaling", ["margin", "slack", None])
@pytest.mark.parametrize("C", [0.05, 2.0])
def test_optimum_of_a_generic_solver(make, rescaling, C):
    problem, X, Y = make()
    expected = generic_optimum(problem, X, Y, C, "linear", rescaling)
    model = StructuredSVM(problem, C, rescaling=rescaling, solver="frank-wolfe", tol=1e-8, random_state=0)
    model.fit(X, Y)
    assert model.objective_ == pytest.approx(expected.objective, rel=1e-6)
    assert model.dual_objective_ == pytest.approx(expected.objective, rel=1e-6)
    np.testing.assert_allclose(model.coef_, expected.weights[: len(model.coef_)], atol=2e-4)


@pytest.mark.parametrize("averaging", [True, False])
@pytest.mark.parametrize("case", CASES)
def test_certificates_are_honest(case, averaging, monkeypatch):
    C, n = 0.7, len(case[1])
    slow = SlowFrankWolfe(case, C, "margin")
    optimum = run_on(case, settings(C, tol=1e-10)).objective
    for max_iter in (1, 2, 5):
        with monkeypatch.context() as patch:
            patch.setattr(frank_wolfe, "MOST_SWEEPS", 0)
            solution = run_on(case, settings(C, tol=1e-3, max_iter=max_iter, averaging=averaging))
        assert solution.objective == pytest.approx(slow.primal(solution.coordinates), rel=1e-12)
        assert solution.dual_objective <= optimum + 1e-12 <= solution.objective + 2e-12
        assert solution.certificate * n * C == pytest.approx(solution.objective - solution.dual_objective)
        assert solution.converged == (solution.certificate <= 1e-3)
        duals = solution.trace.dual_objective
        assert np.all(np.diff(duals) >= -1e-12)
        assert len(duals) == solution.n_iter <= max_iter


def test_the_average_is_returned_when_it_is_better(monkeypatch):
    monkeypatch.setattr(frank_wolfe, "MOST_SWEEPS", 0)
    case = CASES[2]
    slow = SlowFrankWolfe(case, 5.0, "margin")
    early = {
        averaging: run_on(case, settings(5.0, max_iter=3, averaging=averaging)) for averaging in (False, True)
    }
    assert early[True].objective < early[False].objective
    assert early[True].dual_objective == early[False].dual_objective
    assert slow.primal(early[True].coordinates) == pytest.approx(early[True].objective)


def test_neither_threads_nor_runs_change_the_result():
    case = CASES[2]
    first = run_on(case, settings(max_iter=3, seed=1))
    for threads in (1, 2):
        again = run_on(case, settings(max_iter=3, seed=1, threads=threads))
        np.testing.assert_array_equal(again.coordinates, first.coordinates)
    other = run_on(case, settings(max_iter=3, seed=2))
    assert np.any(other.coordinates != first.coordinates)


def test_ctrl_c_keeps_what_was_found():
    X, Y = chains(15)

    class Impatient(Chains):
        calls = 0

        def loss_augmented_argmax(self, x, y_true, F, violation):
            type(self).calls += 1
            if type(self).calls == 40:
                raise KeyboardInterrupt
            return super().loss_augmented_argmax(x, y_true, F, violation)

    solution = run_on((Impatient(), X, Y), settings())
    assert solution.interrupted
    assert not solution.converged
    assert solution.objective == np.inf
    assert np.any(solution.coordinates)
    assert len(solution.trace.iteration) == solution.n_iter - 1


# -- streams ------------------------------------------------------------------------------------------------


def svm(problem, **options):
    return StructuredSVM(problem, 0.5, solver="frank-wolfe", random_state=0, **options)


@pytest.mark.parametrize("averaging", ["average", None])
def test_streams_come_close_to_the_optimum(averaging):
    problem, X, Y = Chains(), *chains(60)
    slow = SlowFrankWolfe((problem, X, Y), 0.5, "margin")
    whole = svm(problem, tol=1e-6).fit(X, Y)
    stream = svm(problem, tol=1e-3, averaging=averaging)
    duals = []
    for begin in range(0, 60, 15):
        stream.partial_fit(X[begin : begin + 15], Y[begin : begin + 15])
        duals.append(stream.dual_objective_)
        assert stream.certificate_ <= 1e-3
    assert np.all(np.diff(duals) > 0)
    assert duals[-1] <= whole.objective_
    assert np.isnan(stream.objective_)
    zero = slow.primal(np.zeros(8))
    assert slow.primal(stream.coef_) - whole.objective_ < 0.1 * (zero - whole.objective_)


def test_one_example_at_a_time_is_passive_aggressive():
    """An example's block alone: the smallest change of the weights that satisfies it, up to C."""
    problem, X, Y = Vectors(2), *vectors(15, 2)
    model = svm(problem, averaging=None, tol=1e-9)
    w = np.zeros(8)
    for x, y in zip(X, Y, strict=True):
        model.partial_fit([x], [y])
        difference = problem.joint_features(x, y) - problem.joint_features(x, 1 - y)
        loss = max(0.0, problem.compute_loss(y, 1 - y) - w @ difference)
        w = w + min(0.5, loss / (difference @ difference)) * difference
        np.testing.assert_allclose(model.coef_, w, atol=1e-12)


def test_copies_go_on_to_the_last_bit():
    problem, X, Y = CASES[1]
    model = svm(problem).fit(X[:8], Y[:8])
    copy = pickle.loads(pickle.dumps(model))
    for learner in (model, copy):
        learner.partial_fit(X[8:], Y[8:])
    np.testing.assert_array_equal(copy.coef_, model.coef_)
    assert copy.dual_objective_ == model.dual_objective_


def test_other_solvers_say_who_can():
    problem, X, Y = CASES[0]
    model = StructuredSVM(problem, solver="n-slack")
    with pytest.raises(ValueError, match="does not support further examples; use solver='frank-wolfe'"):
        model.partial_fit(X, Y)


def test_stops_when_rounding_lets_the_dual_rise_no_more():
    """Features so large that no gap can become small: 10,000 passes would take minutes."""
    words = [[f"w{k}" for k in (i, i + 1, i // 2)] for i in range(6)]
    tags = [["even" if int(word[1:]) % 2 == 0 else "odd" for word in some] for some in words]
    machine = SequenceSVC(C=0.5, transition_scale=2**32, solver="frank-wolfe", tol=1e-9, random_state=0)
    with pytest.warns(ConvergenceWarning, match="increase tol"):
        machine.fit(words, tags)
    assert machine.n_iter_ < 1000


def test_searches_at_the_same_time():
    """Of many examples several are searched by the same weights: the optimum stays, and threads change nothing."""
    random = np.random.RandomState(0)
    X = [random.normal(size=(3, 4)) for _ in range(520)]
    Y = [(x[:, 0] + 0.5 * random.normal(size=3) > 0).astype(int).tolist() for x in X]
    one, three = (
        StructuredSVM(LabelSequence(), 0.05, solver="frank-wolfe", tol=1e-4, random_state=0, n_jobs=n).fit(
            X, Y
        )
        for n in (1, 3)
    )
    np.testing.assert_array_equal(one.coef_, three.coef_)
    assert one.converged_
    exact = StructuredSVM(LabelSequence(), 0.05, solver="n-slack", tol=1e-4).fit(X, Y)
    assert one.objective_ == pytest.approx(exact.objective_, abs=520 * 0.05 * 2e-4)
    assert one.dual_objective_ <= exact.objective_ <= one.objective_ + 520 * 0.05 * 1e-4


def test_weights_of_examples_that_are_searched_at_the_same_time():
    """The dual is kept by what each visit adds, which must be true for what later ones of a batch find."""
    random = np.random.RandomState(0)
    X = [random.normal(size=(3, 4)) for _ in range(520)]
    Y = [(x[:, 0] + 0.5 * random.normal(size=3) > 0).astype(int).tolist() for x in X]
    binding = LabelSequence()._bind(X, Y, True).weighted(random.choice([0.1, 1.0, 5.0], size=520))
    native = _core.FrankWolfe(binding.oracle, binding.space, 0.05, "margin", False, 10, 0)
    before = 0.0
    for some in np.split(np.arange(520), 20):
        native.visit(some, 1)
        w = native.coordinates()
        assert native.dual == pytest.approx(native.height - w @ w / 2)
        assert native.dual > before
        before = native.dual


@pytest.mark.parametrize("n_classes", [3, 150])
@pytest.mark.parametrize("rivals", ["worst", "all"])
def test_class_machines_agree_with_cutting_planes(n_classes, rivals):
    """With many classes, sweeps look only at the weights of those that an example has met."""
    random = np.random.default_rng(0)
    X = random.normal(size=(300, 8)) * (random.random((300, 8)) < 0.6)
    y = np.r_[np.arange(n_classes), random.integers(n_classes, size=300 - n_classes)]
    weights = random.choice([0.0, 0.5, 1.0, 2.0], size=300)
    fast, exact = (
        StructuredSVM(Multiclass(rivals=rivals), 0.1, solver=solver, tol=1e-3, random_state=0).fit(
            X, y, sample_weight=weights
        )
        for solver in ("frank-wolfe", "n-slack")
    )
    assert fast.converged_
    assert exact.converged_
    allowed = 0.1 * weights.sum() * 1e-3
    assert fast.objective_ == pytest.approx(exact.objective_, abs=2 * allowed)
    assert fast.dual_objective_ <= exact.objective_ <= fast.objective_ + 2 * allowed
    # The objective is that of the weights.
    scores = X @ fast.coef_.reshape(8, n_classes)
    violations = 1 + scores - scores[np.arange(300), y][:, None]
    violations[np.arange(300), y] = 0
    slacks = violations.max(axis=1) if rivals == "worst" else violations.clip(0).sum(axis=1)
    assert fast.objective_ == pytest.approx((fast.coef_**2).sum() / 2 + 0.1 * weights @ slacks)
