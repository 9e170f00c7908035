"""Tree kernels against the oracles, and what all kernels promise, on trees."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk import Tree as NltkTree
from sklearn.base import clone

from hedgerow import Forest, FormatError, Records
from hedgerow.kernels import Fragments, Normalized, PartialTree, SubPath, SubsetTree, SubTree
from tests.kernels import tree_oracles as oracles
from tests.kernels.tree_cases import KERNELS, assert_close, forest_of, pairwise
from tests.strategies import random_trees, trees

DECAYS = st.sampled_from([1.0, 0.7, 0.4, 0.01])
LISTS = st.lists(trees(max_nodes=9), min_size=1, max_size=3)


@pytest.fixture(params=KERNELS.values(), ids=KERNELS.keys())
def kernel(request):
    return clone(request.param)


def assert_equals_oracles(kernel, X, Y, *value_functions):
    for value in value_functions:
        expected = [[float(value(x, y)) for y in Y] for x in X]
        assert_close(kernel(forest_of(X), forest_of(Y)), expected)
        own = [[float(value(x, y)) for y in X] for x in X]
        assert_close(kernel(forest_of(X)), own)
        assert_close(kernel.diag(forest_of(X)), np.diag(own))
        if hasattr(kernel, "_native"):
            assert_close(pairwise(kernel, forest_of(X), forest_of(Y)), expected)


class TestOracles:
    @given(LISTS, LISTS, DECAYS)
    def test_subtree(self, X, Y, decay):
        assert_equals_oracles(
            SubTree(decay=decay),
            X,
            Y,
            lambda x, y: oracles.st(x, y, decay),
            lambda x, y: oracles.st_recursive(x, y, decay),
        )

    @given(LISTS, LISTS, DECAYS, st.booleans())
    def test_subset_tree(self, X, Y, decay, bag_of_words):
        assert_equals_oracles(
            SubsetTree(decay=decay, bag_of_words=bag_of_words),
            X,
            Y,
            lambda x, y: oracles.sst(x, y, decay, bag_of_words),
            lambda x, y: oracles.sst_recursive(x, y, decay, bag_of_words),
        )

    @given(
        LISTS,
        LISTS,
        st.fixed_dictionaries(
            {
                "decay": DECAYS,
                "vertical_decay": DECAYS,
                "lexical": st.booleans(),
                "max_length": st.sampled_from([None, 1, 2, 3]),
                "terminal_factor": st.sampled_from([1.0, 5.0, 0.5]),
            }
        ),
    )
    def test_partial_tree(self, X, Y, parameters):
        assert_equals_oracles(
            PartialTree(**parameters),
            X,
            Y,
            lambda x, y: oracles.pt(x, y, **parameters),
            lambda x, y: oracles.pt_recursive(x, y, **parameters),
        )

    @given(LISTS, LISTS, DECAYS)
    def test_subpath(self, X, Y, decay):
        assert_equals_oracles(
            SubPath(decay=decay),
            X,
            Y,
            lambda x, y: oracles.subpath(x, y, decay),
            lambda x, y: oracles.subpath_recursive(x, y, decay),
        )

    @given(LISTS, LISTS, st.tuples(*[st.integers(0, 4)] * 3, st.booleans()).filter(any))
    def test_fragments(self, X, Y, sizes):
        assert_equals_oracles(Fragments(*sizes), X, Y, lambda x, y: oracles.short_fragments(x, y, *sizes))

    def test_larger_trees(self):
        X = random_trees(np.random.default_rng(0), 12, max_nodes=40)
        cases = [
            (SubTree(decay=0.7), lambda x, y: oracles.st_recursive(x, y, 0.7)),
            (SubsetTree(decay=0.7), lambda x, y: oracles.sst_recursive(x, y, 0.7)),
            (PartialTree(decay=0.6, vertical_decay=0.7), lambda x, y: oracles.pt_recursive(x, y, 0.6, 0.7)),
            (SubPath(decay=0.7), lambda x, y: oracles.subpath_recursive(x, y, 0.7)),
            (Fragments(), lambda x, y: oracles.short_fragments(x, y, 3, 4, 3, True)),
        ]
        for kernel, value in cases:
            assert_equals_oracles(kernel, X[:5], X[5:], value)


# Worked out by hand: see test_tree_oracles.
@pytest.mark.parametrize(
    ("kernel", "expected"),
    [
        (SubTree(decay=0.5), [[1.125, 0.5], [0.5, 1.125]]),
        (SubsetTree(decay=0.5), [[2.125, 1.25], [1.25, 2.125]]),
        (SubsetTree(decay=0.5, bag_of_words=True), [[3.125, 1.75], [1.75, 3.125]]),
        (PartialTree(decay=1, vertical_decay=1), [[15, 10], [10, 15]]),
        (PartialTree(decay=1, vertical_decay=1, lexical=False), [[10, 6], [6, 10]]),
        (PartialTree(decay=1, vertical_decay=1, max_length=1), [[11, 8], [8, 11]]),
        (SubPath(decay=0.5), [[3.75, 2.875], [2.875, 3.75]]),
        (Fragments(), [[19, 12], [12, 19]]),
    ],
)
def test_by_hand(kernel, expected):
    assert_close(kernel(["(NP (D a) (N dog))", "(NP (D a) (N cat))"]), expected)


class TestMatrices:
    @pytest.fixture(scope="class")
    @staticmethod
    def X():
        return forest_of(random_trees(np.random.default_rng(1), 150))

    def test_symmetric_and_positive_semi_definite(self, kernel, X):
        for k in (kernel, Normalized(kernel)):
            K = k(X)
            assert K.shape == (150, 150)
            assert K.dtype == np.float64
            assert np.array_equal(K, K.T)
            assert np.linalg.eigvalsh(K).min() >= -1e-9 * K.max()

    @pytest.mark.parametrize("kernel", KERNELS.values(), ids=KERNELS.keys())
    @given(items=st.lists(trees(), min_size=2, max_size=6))
    @settings(max_examples=30)
    def test_small_ones_too(self, kernel, items):
        K = kernel(forest_of(items))
        assert np.array_equal(K, K.T)
        assert np.linalg.eigvalsh(K).min() >= -1e-9 * K.max()

    def test_vocabularies_do_not_matter(self, kernel, X):
        K = kernel(X)
        texts = X.to_brackets()
        other = Forest(["(new (labels first))", *texts[::-1]])[:0:-1]  # the same trees, numbered otherwise
        assert_close(kernel(other), K)
        assert_close(kernel(X, other), K)
        assert_close(kernel(other[:7], X[:9]), K[:7, :9])
        assert_close(kernel(Forest(texts[:50]), Forest(texts[50:])), K[:50, 50:])

    def test_unknown_labels_share_nothing(self, kernel, X):
        assert not kernel(X, ["(p (q r))", "(s)"]).any()

    @pytest.mark.parametrize("name", ["SST", "SST-bow", "PT", "PT-2", "PT-t5", "uPT"])
    def test_pairwise(self, name, X):
        kernel = KERNELS[name]
        assert_close(pairwise(kernel, X), kernel(X))
        assert_close(pairwise(kernel, X[:9], X[9:]), kernel(X[:9], X[9:]))

    def test_normalized(self, kernel, X):
        K = kernel(X)
        roots = np.sqrt(np.diag(K))
        with np.errstate(invalid="ignore"):
            expected = np.nan_to_num(K / np.outer(roots, roots))
        actual = Normalized(kernel)(X)
        assert_close(actual, expected)
        assert set(np.diag(actual)) <= {0.0, 1.0}
        assert actual.max() <= 1 + 1e-12
        assert_close(Normalized(kernel)(X[:9], X[9:]), expected[:9, 9:])
        assert_close(Normalized(Normalized(kernel))(X), expected)

    def test_the_number_of_threads_does_not_matter(self, kernel, X):
        for k in (kernel, Normalized(kernel)):
            for dtype in (np.float64, np.float32):
                for Y in (None, X[::3]):
                    assert np.array_equal(k(X, Y, dtype=dtype, n_jobs=1), k(X, Y, dtype=dtype, n_jobs=2))

    @pytest.mark.parametrize("dtype", [np.int32, np.float16, complex, "float128"])
    def test_bad_dtype(self, kernel, X, dtype):
        with pytest.raises(ValueError, match=r"dtype must be numpy\.float64 or numpy.float32"):
            kernel(X[:2], dtype=dtype)


class TestZeros:
    def test_empty_trees(self, kernel):
        X = Forest.from_postorder(["a", "S", "a", "S"], [0, 1, 0, 1], [2, 0, 2, 0])
        for k in (kernel, Normalized(kernel)):
            K = k(X)
            assert not K[[1, 3]].any()
            assert not K[:, [1, 3]].any()
            assert K[0, 2] > 0
            assert np.array_equal(k.diag(X), np.diag(K))
            assert np.array_equal(k(X, X[[1]]), np.zeros((4, 1)))

    @pytest.mark.parametrize("kernel", [SubTree(), SubsetTree(), PartialTree(lexical=False)], ids=str)
    def test_a_single_node_has_no_fragments(self, kernel):
        X = Forest(["(a)", "(S (a b))", "(a)"])
        for k in (kernel, Normalized(kernel)):
            K = k(X)
            assert not K[[0, 2]].any()
            assert K[1, 1] > 0
            assert k.diag(X)[[0, 2]].tolist() == [0, 0]

    @pytest.mark.parametrize("kernel", [SubsetTree(bag_of_words=True), PartialTree(), SubPath()], ids=str)
    def test_unless_single_nodes_count(self, kernel):
        assert_close(Normalized(kernel)(["(a)", "(b)"]), np.eye(2))


class TestParameters:
    @pytest.mark.parametrize("decay", [0, -0.1, 1.01, math.nan, math.inf])
    @pytest.mark.parametrize("make", [SubTree, SubsetTree, PartialTree, SubPath])
    def test_decay(self, make, decay):
        kernel = make(decay=decay)  # checked on use, as scikit-learn wants it
        for use in (
            kernel,
            kernel.diag,
            Normalized(kernel),
            Normalized(kernel).diag,
            2 * kernel,
            kernel + SubPath(),
        ):
            with pytest.raises(ValueError, match=r"^decay must be a number above 0 and at most 1, got"):
                use(["(a b)"])

    @pytest.mark.parametrize(
        ("kernel", "error", "message"),
        [
            (SubTree(decay="0.4"), TypeError, "decay must be a number, got '0.4'"),
            (SubPath(decay=True), TypeError, "decay must be a number, got True"),
            (SubsetTree(decay=None), TypeError, "decay must be a number, got None"),
            (SubsetTree(bag_of_words=1), TypeError, "bag_of_words must be True or False, got 1"),
            (PartialTree(lexical="yes"), TypeError, "lexical must be True or False, got 'yes'"),
            (
                PartialTree(vertical_decay=0),
                ValueError,
                "vertical_decay must be a number above 0 and at most 1",
            ),
            (PartialTree(max_length=0), ValueError, "max_length must be a whole number at least 1"),
            (PartialTree(max_length=2.0), TypeError, "max_length must be a whole number, got 2.0"),
            (PartialTree(terminal_factor=0), ValueError, "terminal_factor must be a number above 0, got 0"),
            (
                PartialTree(terminal_factor=math.inf),
                ValueError,
                "terminal_factor must be a number above 0, got inf",
            ),
            (Normalized("sst"), TypeError, "kernel must be a hedgerow kernel, got 'sst'"),
            (-1 * SubPath(), ValueError, "weight must be a number above 0, got -1.0"),
        ],
    )
    def test_others(self, kernel, error, message):
        with pytest.raises(error, match=message):
            kernel(["(a b)"])

    @pytest.mark.parametrize("decay", [1, np.float32(0.5), np.float64(0.5), np.int64(1), Fraction(1, 2)])
    def test_kinds_of_numbers(self, decay):
        X = ["(S (a b) (a b))"]
        for make in (SubTree, SubsetTree, PartialTree, SubPath):
            assert_close(make(decay=decay)(X), make(decay=float(decay))(X))

    def test_defaults(self):
        assert SubTree().get_params() == SubPath().get_params() == {"decay": 0.4}
        assert SubsetTree().get_params() == {"decay": 0.4, "bag_of_words": False}
        assert PartialTree().get_params() == {
            "decay": 0.4,
            "vertical_decay": 0.4,
            "lexical": True,
            "max_length": None,
            "terminal_factor": 1.0,
        }

    def test_nested(self):
        kernel = 0.5 * Normalized(SubsetTree(decay=0.3)).on("parse") + SubPath()
        assert kernel.get_params()["left__kernel__kernel__kernel__decay"] == 0.3
        copy = clone(kernel).set_params(
            left__kernel__kernel__kernel__decay=0.9, right__decay=0.8, left__weight=2.0
        )
        assert copy.left.kernel.kernel.kernel.decay == 0.9
        assert (copy.right.decay, copy.left.weight) == (0.8, 2.0)
        assert kernel.left.kernel.kernel.kernel.decay == 0.3
        with pytest.raises(ValueError, match="Invalid parameter 'lambda'"):
            kernel.set_params(right__lambda=1)


class TestInputs:
    TEXTS = ("(S (NP Mary) (VP sings))", "(S (NP John) (VP sings))", "(VP sings)")

    def test_all_kinds_give_the_same(self, kernel):
        X = Forest(self.TEXTS)
        K = kernel(X)
        assert K[0, 1] > 0
        kinds = [list(self.TEXTS), self.TEXTS, list(X), X.to_nltk(), np.asarray(X), np.array(self.TEXTS)]
        kinds += [Records(parse=X), Records(parse=X, text=["a", "b", "c"], features=np.eye(3))]
        for items in kinds:
            assert np.array_equal(kernel(items), K)
            assert_close(kernel(items, X[1:]), K[:, 1:])
            assert np.array_equal(kernel.diag(items), kernel.diag(X))
        assert np.array_equal(kernel.on("parse")(Records(parse=X, more=X)), K)

    def test_refused(self, kernel):
        X = Forest(self.TEXTS)
        for items, error, message in [
            (["(a"], FormatError, "item 0, column 1: the tree is not closed"),
            ("(a b)", TypeError, "not one string"),
            (X[0], TypeError, r"write Forest\(\[tree\]\)"),
            ([1.0], TypeError, "item 0 is a float; a tree must be"),
            (np.eye(2), TypeError, "one-dimensional"),
            (np.asarray([NltkTree("S", ["a", "b"])] * 2), TypeError, "numpy takes nltk.Tree objects apart"),
            (Records(a=X, b=X), ValueError, "more than one tree column; choose one of the columns 'a', 'b'"),
            (Records(a=["x"]), ValueError, "no tree column"),
        ]:
            with pytest.raises(error, match=message):
                kernel(items)
            with pytest.raises(error, match=message):
                kernel(X, items)
        with pytest.raises(
            TypeError, match="a kernel on the column 'parse' takes Records or a data frame, got a Forest"
        ):
            kernel.on("parse")(X)
        with pytest.raises(KeyError, match="no column 'parse'; the columns are 'a'"):
            kernel.on("parse")(Records(a=X))
