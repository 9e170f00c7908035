"""The exact solver against scikit-learn, a solver of quadratic programs, and the optimality conditions."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hedgerow import _core
from hedgerow.kernels import RBF, Linear, Normalized, SubsetTree
from hedgerow_papers.datasets import load_adult, load_question_types
from tests.interrupting import output_of_interrupted
from tests.svm.svm_oracles import Dual, assert_solves, quadratic_program, sklearn_solution, solve


def problem(n=60, width=4, noise=1.0, seed=0):
    """Noisy points of two classes, and the labels."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, width))
    y = np.where(X[:, 0] + noise * rng.normal(size=n) > 0, 1, -1)
    y[:2] = 1, -1
    return X, y


def rbf(X, gamma=0.3):
    return RBF(gamma=gamma)(X)


def items_kernel(kernel, X, cache_bytes, single=False):
    return _core.SvmKernel.from_items(kernel._model(), kernel._items(kernel._prepare(X)), cache_bytes, single)


def assert_same_solution(solution, K, y, C, beta, b):
    """The same objective and predictions as those of another solver."""
    ours, theirs = Dual(K, y, C, solution.coefficients), Dual(K, y, C, beta)
    assert ours.objective == pytest.approx(theirs.objective, rel=1e-6)
    f, g = K @ ours.beta + solution.bias, K @ theirs.beta + b
    clear = np.abs(g) > 1e-3
    assert (np.sign(f) == np.sign(g))[clear].all()


@st.composite
def problems(draw):
    """Small problems: repeated points, points with both labels, matrices of low rank."""
    n, width = draw(st.integers(2, 25)), draw(st.integers(1, 3))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    X = rng.normal(size=(n, width))
    if draw(st.booleans()):
        X = np.round(X)
    y = np.where(rng.random(n) < draw(st.sampled_from([0.1, 0.5])), 1, -1)
    y[:2] = 1, -1
    K = draw(st.sampled_from([rbf, lambda X: X @ X.T, lambda X: (X @ X.T + 1) ** 3]))(X)
    return K, y


class TestAgainstOthers:
    @settings(deadline=None, max_examples=30)
    @given(problems(), st.sampled_from([1e-6, 0.01, 1.0, 10.0]))
    def test_scikit_learn(self, data, C):
        K, y = data
        solution = solve(K, y, C)
        assert_solves(solution, K, y, C)
        assert_same_solution(solution, K, y, C, *sklearn_solution(K, y, C))

    @settings(deadline=None, max_examples=60)
    @given(problems(), st.sampled_from([1e-6, 1.0, 1e3]), st.booleans(), st.booleans())
    def test_optimality_conditions(self, data, C, bias, squared):
        K, y = data
        tol = 1e-4
        solution = solve(K, y, C, bias=bias, squared=squared, tol=tol)
        assert_solves(solution, K, y, C, bias=bias, squared=squared, tol=tol)

    @pytest.mark.parametrize("squared", [False, True])
    @pytest.mark.parametrize("bias", [False, True])
    @pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
    def test_quadratic_program(self, bias, squared, C):
        X, y = problem()
        K = rbf(X)
        solution = solve(K, y, C, bias=bias, squared=squared, tol=1e-8)
        assert_solves(solution, K, y, C, bias=bias, squared=squared, tol=1e-8)
        beta = quadratic_program(K, y, C, bias=bias, squared=squared)
        expected = Dual(K, y, C, beta, bias=bias, squared=squared).objective
        assert solution.objective == pytest.approx(expected, rel=1e-7)
        np.testing.assert_allclose(solution.coefficients, beta, atol=1e-4 * np.abs(beta).max())

    def test_a_cost_for_each_example(self):
        X, y = problem(200)
        C = np.random.default_rng(1).uniform(0.1, 10, len(y)) * np.where(y > 0, 5, 1)
        K = rbf(X)
        solution = solve(K, y, C)
        assert_solves(solution, K, y, C)
        assert_same_solution(solution, K, y, C, *sklearn_solution(K, y, C))
        beta = quadratic_program(K, y, C, bias=True, squared=True)
        squared = solve(K, y, C, squared=True)
        expected = Dual(K, y, C, beta, squared=True).objective
        assert squared.objective == pytest.approx(expected, rel=1e-7)

    def test_gap_closes(self):
        X, y = problem(300)
        K = rbf(X)
        gaps = [solve(K, y, 1.0, tol=tol).gap for tol in (1e-1, 1e-3, 1e-6)]
        assert gaps[0] > gaps[1] > gaps[2] >= 0
        assert gaps[2] < 1e-4


class TestHardCases:
    @pytest.mark.parametrize("C", [1e-6, 1e6])
    @pytest.mark.parametrize("bias", [False, True])
    def test_extreme_costs(self, C, bias):
        X, y = problem(100, noise=0.3)
        K = rbf(X)
        solution = solve(K, y, C, bias=bias, tol=1e-3)
        assert_solves(solution, K, y, C, bias=bias, tol=1e-3)
        if bias:
            beta, _ = sklearn_solution(K, y, C, tol=1e-3)
            assert solution.objective == pytest.approx(Dual(K, y, C, beta).objective, rel=1e-5)

    def test_small_costs_stand_at_their_bounds(self):
        X, y = problem(101)
        solution = solve(rbf(X), y, 1e-6)
        few = min((y > 0).sum(), (y < 0).sum())
        assert (np.abs(solution.coefficients) == 1e-6).sum() >= 2 * few - 2

    def test_no_examples(self):
        solution = solve(np.zeros((0, 0)), [], 1.0)
        assert len(solution.coefficients) == 0
        assert (solution.bias, solution.gap, solution.converged) == (0.0, 0.0, True)

    def test_two_examples(self):
        for C, alpha in ((10.0, 1.0), (0.25, 0.25)):
            solution = solve(np.eye(2), [1, -1], C)
            assert solution.coefficients.tolist() == [alpha, -alpha]
            assert solution.bias == 0
            assert solution.iterations == 1

    def test_one_example(self):
        solution = solve(np.eye(1), [-1], 1.0)
        assert (solution.coefficients.tolist(), solution.bias, solution.violation) == ([0.0], -1.0, 0.0)
        alone = solve(np.eye(1), [-1], 10.0, bias=False)
        assert (alone.coefficients.tolist(), alone.bias) == ([-1.0], 0.0)

    def test_one_class(self):
        solution = solve(rbf(problem(10)[0]), np.ones(10), 1.0)
        assert (solution.coefficients == 0).all()
        assert (solution.bias, solution.gap, solution.converged) == (1.0, 0.0, True)

    def test_one_class_is_tiny(self):
        X, _ = problem(200)
        y = np.full(200, -1)
        y[7] = 1
        K = rbf(X)
        for C in (0.01, 1.0, 100.0):
            solution = solve(K, y, C)
            assert_solves(solution, K, y, C)
            assert_same_solution(solution, K, y, C, *sklearn_solution(K, y, C))

    @pytest.mark.parametrize("squared", [False, True])
    @pytest.mark.parametrize("bias", [False, True])
    def test_duplicates_with_opposite_labels(self, bias, squared):
        X, y = problem(40)
        X, y = np.vstack([X, X]), np.concatenate([y, -y])
        K = rbf(X)
        for C in (0.1, 10.0):
            solution = solve(K, y, C, bias=bias, squared=squared)
            assert_solves(solution, K, y, C, bias=bias, squared=squared)

    def test_rank_one(self):
        x, y = problem(50, width=1)
        for C in (0.1, 100.0):
            K = x @ x.T
            solution = solve(K, y, C)
            assert_solves(solution, K, y, C)
            assert_same_solution(solution, K, y, C, *sklearn_solution(K, y, C))

    @pytest.mark.parametrize("fill", [0.0, 1.0, 1e10])
    def test_constant_matrix(self, fill):
        K = np.full((6, 6), fill)
        for y in ([1, -1, 1, -1, 1, -1], [1, -1, -1, -1, -1, -1]):
            solution = solve(K, y, 2.0)
            assert_solves(solution, K, y, 2.0)

    @pytest.mark.parametrize("squared", [False, True])
    @pytest.mark.parametrize("bias", [False, True])
    def test_indefinite_matrix(self, bias, squared):
        """There may be several solutions, but the coefficients stay feasible numbers."""
        rng = np.random.default_rng(0)
        K = rng.normal(size=(40, 40))
        K = K + K.T
        y = np.where(rng.random(40) < 0.5, 1, -1)
        solution = solve(K, y, 1.0, bias=bias, squared=squared, max_iter=10_000)
        Dual(K, y, 1.0, solution.coefficients, bias=bias, squared=squared).assert_feasible()
        assert np.isfinite([solution.bias, solution.objective, solution.primal, solution.violation]).all()

    @pytest.mark.parametrize("scale", [1e-9, 1e9])
    def test_large_and_small_kernel_values(self, scale):
        X, y = problem(60)
        K = rbf(X) * scale
        solution = solve(K, y, 1 / scale, tol=1e-5)
        assert_solves(solution, K, y, 1 / scale, tol=1e-5)
        plain = solve(K / scale, y, 1.0, tol=1e-5)
        assert solution.objective * scale == pytest.approx(plain.objective, rel=1e-6)

    def test_what_cannot_be_reached_is_left(self):
        """Rounding errors are larger than the tolerance: no endless loop, no false claim."""
        X, y = problem(30)
        K = rbf(X)
        for bias in (True, False):
            solution = solve(K, y, 1e6, tol=1e-15, bias=bias)
            dual = Dual(K, y, 1e6, solution.coefficients, bias=bias)
            dual.assert_feasible()
            assert not solution.converged
            assert 1e-15 < solution.violation < 1e-6
            assert dual.violation < 1e-6

    def test_left_out_examples(self):
        X, y = problem(80)
        K = rbf(X)
        C = np.where(np.arange(80) % 3 == 0, 0.0, 2.0)
        kept = C > 0
        for bias in (True, False):
            for squared in (True, False):
                part = solve(K[np.ix_(kept, kept)], y[kept], 2.0, bias=bias, squared=squared)
                for kernel in (K, items_kernel(RBF(gamma=0.3), X, 1 << 20)):
                    solution = solve(kernel, y, C, bias=bias, squared=squared)
                    assert_solves(solution, K, y, C, bias=bias, squared=squared)
                    assert (solution.coefficients[~kept] == 0).all()
                    assert solution.objective == pytest.approx(part.objective, rel=1e-9)

    def test_all_left_out(self):
        solution = solve(np.eye(3), [1, -1, 1], 0.0)
        assert (solution.coefficients == 0).all()
        assert (solution.bias, solution.primal, solution.converged) == (0.0, 0.0, True)


class TestRows:
    """However the rows come about, the solution is the same."""

    @pytest.mark.parametrize("bias", [False, True])
    @pytest.mark.parametrize("single", [False, True])
    def test_caches(self, bias, single):
        X, y = problem(1200, noise=0.5)
        K = rbf(X)
        expected = solve(K, y, 3.0, bias=bias, tol=1e-4)
        row = 1200 * (4 if single else 8)
        for rows in (0, 2, 30, 1200, 2000):
            kernel = items_kernel(RBF(gamma=0.3), X, rows * row, single)
            solution = solve(kernel, y, 3.0, bias=bias, tol=1e-4)
            assert solution.converged
            assert solution.objective == pytest.approx(expected.objective, rel=1e-6)
            assert solution.bias == pytest.approx(expected.bias, abs=1e-3)
            if not single:
                assert_solves(solution, K, y, 3.0, bias=bias, tol=1e-4)

    def test_cache_serves_other_calls(self):
        X, y = problem(300)
        kernel = items_kernel(RBF(gamma=0.3), X, 10 << 20)
        assert kernel.evaluations == 0
        first = solve(kernel, y, 1.0)
        evaluations = kernel.evaluations
        assert 0 < evaluations <= 300 * 300
        again = solve(kernel, y, 1.0)
        assert kernel.evaluations == evaluations
        assert (again.coefficients == first.coefficients).all()
        other = solve(kernel, np.where(X[:, 1] > 0, 1, -1), 1.0)
        assert kernel.evaluations <= 300 * 300
        assert_solves(other, rbf(X), np.where(X[:, 1] > 0, 1, -1), 1.0)

    def test_single_gram(self):
        X, y = problem(300)
        K = rbf(X).astype(np.float32)
        solution = solve(K, y, 1.0)
        assert_solves(solution, K, y, 1.0)

    @pytest.mark.parametrize("bias", [False, True])
    @pytest.mark.parametrize("squared", [False, True])
    @pytest.mark.parametrize("C", [0.1, 10.0])
    def test_shrinking(self, bias, squared, C):
        """On so large a problem that it sets in."""
        X, y = problem(1500, noise=0.5)
        K = rbf(X)
        solutions = [
            solve(kernel, y, C, bias=bias, squared=squared, shrinking=shrinking, tol=1e-4)
            for shrinking in (True, False)
            for kernel in (K, items_kernel(RBF(gamma=0.3), X, 4 << 20))
        ]
        for solution in solutions:
            assert_solves(solution, K, y, C, bias=bias, squared=squared, tol=1e-4)
            assert solution.objective == pytest.approx(solutions[0].objective, rel=1e-6)

    def test_threads(self):
        X, y = problem(1500, noise=0.5)
        start = solve(rbf(X), y, 1.0, tol=1e-2).coefficients
        results = []
        for threads in (1, 2):
            kernel = items_kernel(RBF(gamma=0.3), X, 4 << 20)
            for bias in (True, False):
                results.append(solve(kernel, y, 10.0, bias=bias, threads=threads, tol=1e-3, start=start))
            results.append(solve(rbf(X), y, 10.0, threads=threads, tol=1e-3, start=start))
        for one, two in zip(results[:3], results[3:], strict=True):
            assert (one.coefficients == two.coefficients).all()
            assert (one.bias, one.iterations, one.primal) == (two.bias, two.iterations, two.primal)

    def test_sparse_vectors_and_trees(self):
        trees = [
            "(S (A a) (B b))",
            "(S (A a) (B c))",
            "(S (A d) (B b))",
            "(S (C c))",
            "(S (C a))",
            "(T (C c))",
        ]
        y = np.array([1, 1, 1, -1, -1, -1])
        kernel = Normalized(SubsetTree(decay=0.4))
        K = kernel(trees)
        for bias in (True, False):
            solution = solve(items_kernel(kernel, trees, 0), y, 1.0, bias=bias)
            assert_solves(solution, K, y, 1.0, bias=bias)

    def test_diagonal(self):
        X, _ = problem(20)
        native = items_kernel(Linear(), X, 0)
        np.testing.assert_allclose(native.diagonal(), (X**2).sum(axis=1))
        assert native.size == 20
        single = _core.SvmKernel.from_gram(np.diag([0.1, 2.0]).astype(np.float32))
        assert single.diagonal().tolist() == [float(np.float32(0.1)), 2.0]


class TestStart:
    @pytest.mark.parametrize("squared", [False, True])
    @pytest.mark.parametrize("bias", [False, True])
    def test_from_the_solution(self, bias, squared):
        X, y = problem(400)
        K = rbf(X)
        first = solve(K, y, 1.0, bias=bias, squared=squared)
        again = solve(K, y, 1.0, bias=bias, squared=squared, start=first.coefficients)
        assert again.iterations <= 2
        assert again.objective == pytest.approx(first.objective, rel=1e-9)

    @pytest.mark.parametrize("bias", [False, True])
    def test_from_a_smaller_cost(self, bias):
        X, y = problem(400)
        K = rbf(X)
        start = solve(K, y, 1.0, bias=bias).coefficients
        cold, warm = (solve(K, y, 3.0, bias=bias, start=begin) for begin in (None, start))
        assert_solves(warm, K, y, 3.0, bias=bias)
        assert warm.objective == pytest.approx(cold.objective, rel=1e-9)

    @settings(deadline=None, max_examples=30)
    @given(problems(), st.integers(0, 2**32 - 1), st.booleans())
    def test_from_anywhere(self, data, seed, bias):
        K, y = data
        start = np.random.default_rng(seed).normal(size=len(y)) * 2
        start[0] = 0
        unchanged = solve(K, y, 1.0, start=start, bias=bias, max_iter=0)
        Dual(K, y, 1.0, unchanged.coefficients, bias=bias).assert_feasible()
        solution = solve(K, y, 1.0, start=start, bias=bias)
        assert_solves(solution, K, y, 1.0, bias=bias)
        assert solution.objective == pytest.approx(solve(K, y, 1.0, bias=bias).objective, rel=1e-6)

    def test_bounds_are_kept_exactly(self):
        X, y = problem(100)
        first = solve(rbf(X), y, 1 / 3)
        again = solve(rbf(X), y, 1 / 3, start=first.coefficients, max_iter=0)
        assert (again.coefficients == first.coefficients).all()
        assert (np.abs(again.coefficients) == 1 / 3).sum() > 10


class TestStopping:
    def test_max_iter(self):
        X, y = problem(500)
        K = rbf(X)
        few = solve(K, y, 1.0, max_iter=20)
        assert (few.iterations, few.converged, few.interrupted) == (20, False, False)
        dual = Dual(K, y, 1.0, few.coefficients)
        dual.assert_feasible()
        assert few.violation == pytest.approx(dual.violation)
        assert few.primal == pytest.approx(dual.primal(few.bias))
        assert few.objective < solve(K, y, 1.0, max_iter=40).objective

    def test_max_iter_while_examples_are_shrunk(self):
        X, y = problem(1500, noise=0.2)
        K = rbf(X)
        for kernel in (K, items_kernel(RBF(gamma=0.3), X, 1 << 20)):
            for max_iter in (1001, 1100, 2000):
                some = solve(kernel, y, 100.0, max_iter=max_iter)
                dual = Dual(K, y, 100.0, some.coefficients)
                assert some.violation == pytest.approx(dual.violation, abs=1e-9)
                assert some.primal == pytest.approx(dual.primal(some.bias), rel=1e-9)

    @pytest.mark.slow
    def test_interrupt(self):
        program = """
import numpy as np
from hedgerow import _core
from hedgerow.kernels import RBF

rng = np.random.default_rng(0)
X = rng.normal(size=(4000, 50))
y = np.where(rng.random(4000) < 0.5, 1, -1).astype(np.int8)
kernel = RBF(gamma=1e-4)
native = _core.SvmKernel.from_items(kernel._model(), kernel._items(X), 1 << 20, False)
print("ready", flush=True)
solution = _core.solve_svm(native, y, np.full(4000, 1e6), True, False, 1e-9, -1, True, None, 1)
beta = solution.coefficients
print(solution.interrupted, solution.converged, abs(beta.sum()) < 1e-6 * np.abs(beta).sum(), flush=True)
print(np.isfinite([solution.bias, solution.gap, solution.violation]).all(), solution.iterations > 0, flush=True)
"""
        assert output_of_interrupted(program) == "True False True\nTrue True\n"


class TestErrors:
    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"y": [1, 0, 1]}, "y must be 1 or -1, got 0 at position 1"),
            ({"y": [1, -1]}, "y must have one entry for each of the 3 examples, got 2"),
            ({"upper": [1.0, -1.0, 1.0]}, "upper must be at least 0 and finite, got -1.0* at position 1"),
            ({"upper": [1.0, 1.0, np.inf]}, "upper must be at least 0 and finite, got inf at position 2"),
            ({"upper": [np.nan, 1.0, 1.0]}, "upper must be at least 0"),
            ({"upper": [1.0]}, "upper must have one entry"),
            ({"start": [0.0]}, "start must have one entry"),
            ({"start": [0.0, np.nan, 0.0]}, "start must be finite, got nan at position 1"),
            ({"tol": 0.0}, "tol must be positive"),
            ({"tol": np.nan}, "tol must be positive"),
            ({"threads": 0}, "threads must be at least 1"),
        ],
    )
    def test_bad_arguments(self, change, message):
        arguments = {
            "y": [1, -1, 1],
            "upper": [1.0, 1.0, 1.0],
            "tol": 1e-3,
            "start": None,
            "threads": 1,
        } | change
        start = None if arguments["start"] is None else np.array(arguments["start"])
        kernel = _core.SvmKernel.from_gram(np.eye(3))
        with pytest.raises(ValueError, match=message):
            _core.solve_svm(
                kernel, np.array(arguments["y"], np.int8), np.array(arguments["upper"]), True, False,
                arguments["tol"], -1, True, start, arguments["threads"],
            )  # fmt: skip

    def test_bad_matrices(self):
        with pytest.raises(ValueError, match="gram must be square, got 2 rows and 3 columns"):
            _core.SvmKernel.from_gram(np.ones((2, 3)))
        for bad in (np.nan, np.inf):
            K = np.eye(9)
            K[4, 8] = bad
            with pytest.raises(ValueError, match="gram must be finite; row 4 is not"):
                _core.SvmKernel.from_gram(K)

    def test_overflow(self):
        X = np.array([[1e200], [-1e200], [1.0]])
        with pytest.raises(OverflowError):
            solve(items_kernel(Linear(), X, 0), [1, -1, 1], 1.0)
        with pytest.raises(OverflowError, match="kernel values and upper are too large"):
            solve(np.diag([1e300, 1e300]), [1, -1], 1e6)
        with pytest.raises(OverflowError, match="float32"):
            solve(items_kernel(Linear(), X / 1e170, 0, single=True), [1, -1, 1], 1.0)


@pytest.mark.slow
@pytest.mark.shared_data
class TestRealData:
    def test_questions(self, data_folder):
        """One against all on parse trees, from a matrix and from trees."""
        trees, labels = load_question_types(data_folder, "train")
        trees, labels = trees[:1200], labels[:1200]
        kernel = Normalized(SubsetTree(decay=0.4))
        K = kernel(trees)
        native = items_kernel(kernel, trees, 2 << 20)
        for label in np.unique(labels):
            y = np.where(labels == label, 1, -1)
            solution = solve(K, y, 1.0)
            assert_solves(solution, K, y, 1.0)
            assert_same_solution(solution, K, y, 1.0, *sklearn_solution(K, y, 1.0))
            if label in ("HUM", "NUM"):
                assert_solves(solve(native, y, 1.0, tol=1e-4), K, y, 1.0, tol=1e-4)

    def test_adult(self, data_folder):
        X, y = load_adult(data_folder, "train")
        X, y = X[:1500], y[:1500]
        K = RBF(gamma=0.04)(X)
        expected = {C: sklearn_solution(K, y, C) for C in (1.0, 30.0)}
        for kernel in (K, items_kernel(RBF(gamma=0.04), X, 4 << 20)):
            for C in (1.0, 30.0):
                solution = solve(kernel, y, C)
                assert_solves(solution, K, y, C)
                assert_same_solution(solution, K, y, C, *expected[C])
