"""Tree kernels beyond the range of doubles, and on very deep and very wide trees."""

import math
from fractions import Fraction

import numpy as np
import pytest
from sklearn.base import clone

from hedgerow import Forest
from hedgerow.kernels import Normalized, PartialTree, SubPath, SubsetTree, SubTree
from tests.kernels.tree_cases import KERNELS, assert_close, full_binary_tree


@pytest.fixture(params=KERNELS.values(), ids=KERNELS.keys())
def kernel(request):
    return clone(request.param)


# -- values beyond the range of doubles, checked with exact integers -----------------------------------------


def normalised(shared, a, b):
    """shared / sqrt(a * b) of integers of any size."""
    return float(Fraction(shared << 100, math.isqrt(a * b << 200)))


def over_full_binary_trees(height_a, height_b, values):
    """Sum over pairs of nodes whose D depends on the smaller height h only: `values[h]`."""
    return sum(
        2 ** (height_a - i + height_b - j) * values[min(i, j)]
        for i in range(height_a + 1)
        for j in range(height_b + 1)
    )


class TestBeyondDoubles:
    def check(self, kernel, X, exact):
        with pytest.raises(OverflowError, match=r"too large for float64; use Normalized\(kernel\)"):
            kernel(X)
        with pytest.raises(OverflowError, match="too large for float64"):
            kernel.diag(X)
        n = len(X)
        expected = [[normalised(exact[i][j], exact[i][i], exact[j][j]) for j in range(n)] for i in range(n)]
        assert_close(Normalized(kernel)(X), expected)
        assert_close(Normalized(kernel)(X, X[:]), expected)
        assert_close(Normalized(kernel)(X, dtype=np.float32), np.float32(expected), rtol=1e-5)
        assert Normalized(kernel).diag(X).tolist() == [1.0] * n

    def test_full_binary_trees_under_subset_trees(self):
        values = [0, 1]
        for _ in range(12):
            values.append((1 + values[-1]) ** 2)
        heights = [12, 11, 4, 1]
        exact = [[over_full_binary_trees(i, j, values) for j in heights] for i in heights]
        self.check(SubsetTree(decay=1), Forest([full_binary_tree(h) for h in heights]), exact)

    def test_full_binary_trees_under_partial_trees(self):
        values = [1]
        for _ in range(12):
            values.append(1 + 4 * values[-1] + values[-1] ** 2)
        heights = [12, 11, 4, 1]
        exact = [[over_full_binary_trees(i, j, values) for j in heights] for i in heights]
        self.check(
            PartialTree(decay=1, vertical_decay=1), Forest([full_binary_tree(h) for h in heights]), exact
        )

    def test_wide_nodes_under_subset_trees(self):
        # How many of the 2,000 pre-terminals read (A a); the others read (A b).
        counts = [2000, 1999, 1000]
        X = Forest([f"(S {'(A a) ' * a}{'(A b) ' * (2000 - a)})" for a in counts])
        exact = [[2 ** (2000 - abs(i - j)) + i * j + (2000 - i) * (2000 - j) for j in counts] for i in counts]
        self.check(SubsetTree(decay=1), X, exact)

    @pytest.mark.slow
    def test_wide_nodes_under_partial_trees(self):
        widths = [2000, 1500, 3]
        X = Forest([f"(S {'(A a) ' * n})" for n in widths])
        exact = [
            [
                1 + 3 * m * n + sum(math.comb(m, k) * math.comb(n, k) * 2**k for k in range(1, min(m, n) + 1))
                for n in widths
            ]
            for m in widths
        ]
        self.check(PartialTree(decay=1, vertical_decay=1), X, exact)

    def test_decays_whose_squares_are_no_doubles(self):
        # Fragments of more than a few nodes no longer count long before, so that values stay the same.
        X = Forest(["(S (A a) (B b))", "(S (A a) (B c))", "(A a)", "(a)"])
        for kernel in (PartialTree, SubsetTree, SubTree):
            small, smaller = Normalized(kernel(decay=1e-50)), Normalized(kernel(decay=1e-200))
            assert_close(smaller(X), small(X))
            assert smaller.diag(X).tolist() == small.diag(X).tolist()

    def test_single_precision_has_less_room(self):
        X = Forest([full_binary_tree(8)])
        kernel = SubsetTree(decay=1)
        assert 1e38 < kernel(X)[0, 0] < np.inf
        with pytest.raises(OverflowError, match=r"too large for float32.*dtype=numpy\.float64"):
            kernel(X, dtype=np.float32)

    @pytest.mark.parametrize(
        "kernel", [kernel for kernel in KERNELS.values() if hasattr(kernel, "decay")], ids=str
    )
    def test_tiny_decays(self, kernel):
        X = ["(S (A a) (B b))", "(S (A a) (B c))"]
        K = Normalized(clone(kernel).set_params(decay=1e-120))(X)
        assert np.diag(K).tolist() == [1, 1]
        assert 0 < K[0, 1] <= 1


# -- 100,000 nodes -------------------------------------------------------------------------------------------

N = 100_000
CYCLE = 50


def sums_of_powers(decay, n):
    """decay + decay^2 + ... + decay^k for k = 0 .. n."""
    return np.concatenate([[0.0], np.cumsum(decay ** np.arange(1.0, n + 1))])


def over_chain(values):
    """Sum over pairs of nodes of the chain with one label; D depends on the smaller of two places only."""
    total = 0.0
    for first in range(CYCLE):
        own = values[first::CYCLE]
        larger = np.arange(len(own))[::-1]
        total += math.fsum(own * (2 * larger + 1))
    return total


class TestAnySize:
    @pytest.fixture(scope="class")
    @staticmethod
    def chain():
        """A unary chain of N nodes with CYCLE labels over and over."""
        return Forest(
            ["".join(f"(l{i % CYCLE} " for i in range(N - 1)) + f"l{(N - 1) % CYCLE}" + ")" * (N - 1)]
        )

    @staticmethod
    def star(n):
        """A node with n different leaves."""
        return Forest([f"(root {' '.join(f'x{i}' for i in range(n))})"])

    def check(self, kernel, X, expected):
        other = Forest(["(l0 l1)", "(root x1 x2)", *X.to_brackets()])
        for K in (kernel(X), kernel(X, other)[:, 2:], kernel.diag(X)[:, None]):
            assert_close(K, [[expected]], rtol=1e-10)
        assert Normalized(kernel)(X).tolist() == [[1.0]]
        assert_close(kernel(X, dtype=np.float32), [[expected]], rtol=1e-5)

    @pytest.mark.slow
    def test_chain(self, chain):
        powers = sums_of_powers(0.4, N)
        self.check(SubTree(), chain, powers[N - 1])
        self.check(SubsetTree(), chain, over_chain(powers[1:N]))
        self.check(PartialTree(), chain, over_chain(0.4**2 * powers[1 : N + 1]))
        self.check(SubPath(), chain, over_chain(powers[1 : N + 1]))

    def test_chain_without_decay(self, chain):
        ones = sums_of_powers(1.0, N)
        assert_close(SubsetTree(decay=1)(chain), over_chain(ones[1:N]))
        assert_close(SubPath(decay=1)(chain), over_chain(ones[1 : N + 1]))

    def test_star(self):
        star, decay = self.star(N), 0.4
        self.check(SubTree(), star, decay)
        self.check(SubsetTree(), star, decay)
        self.check(SubsetTree(bag_of_words=True), star, decay + N * decay)
        self.check(SubPath(), star, decay + N * (decay + decay**2))

    @pytest.mark.parametrize(
        ("n", "parameters"),
        [
            pytest.param(N, {}, marks=pytest.mark.slow),
            pytest.param(N, {"lexical": False}, marks=pytest.mark.slow),
            (5000, {"max_length": 1}),  # time grows with the square of the number of children
        ],
    )
    def test_star_under_partial_trees(self, n, parameters):
        star, decay, leaf = self.star(n), 0.4, 0.4 * 0.4**2
        # Child sequences that match are the same in both trees: by the last child, how many before it.
        before = total = 0.0
        for _ in range(n):
            ending = leaf * (1 + before)
            total += ending
            before = decay**2 * before + ending
        if parameters.get("max_length") == 1:
            total = n * leaf
        single_nodes = n * leaf + 0.4 * decay**2 if parameters.get("lexical", True) else 0
        self.check(PartialTree(**parameters), star, single_nodes + 0.4 * total)

    def test_star_without_decay(self):
        kernel = PartialTree(decay=1, vertical_decay=1)
        with pytest.raises(OverflowError):
            kernel(self.star(2000))
        assert Normalized(kernel)(self.star(2000)).tolist() == [[1.0]]


def test_single_precision_gives_way_where_it_would_overflow():
    trees = ["(a " + " ".join(["(b)"] * n) + ")" for n in (60, 59)]
    kernel = Normalized(PartialTree(decay=0.5, vertical_decay=0.5, terminal_factor=100.0))
    np.testing.assert_allclose(kernel(trees, dtype=np.float32), kernel(trees), rtol=1e-5)
