"""Kernels of vectors against numpy, scikit-learn and exact arithmetic."""

from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse
from sklearn.datasets import make_moons
from sklearn.metrics import pairwise
from sklearn.model_selection import cross_val_score
from sklearn.svm import SVC

from hedgerow import Forest, Records
from hedgerow.kernels import RBF, Linear, Normalized, Polynomial, Sigmoid

KERNELS = {
    "linear": (Linear(), lambda X, Y: X @ Y.T),
    "polynomial": (
        Polynomial(degree=3, scale=0.5, offset=2.0),
        lambda X, Y: pairwise.polynomial_kernel(X, Y, degree=3, gamma=0.5, coef0=2.0),
    ),
    "high degree": (
        Polynomial(degree=11, scale=0.1),
        lambda X, Y: pairwise.polynomial_kernel(X, Y, degree=11, gamma=0.1, coef0=1.0),
    ),
    "rbf": (RBF(gamma=0.3), lambda X, Y: pairwise.rbf_kernel(X, Y, gamma=0.3)),
    "sigmoid": (
        Sigmoid(scale=0.2, offset=-0.1),
        lambda X, Y: pairwise.sigmoid_kernel(X, Y, gamma=0.2, coef0=-0.1),
    ),
}
FORMS = {
    "dense": np.asarray,
    "csr": sparse.csr_matrix,
    "csr_array": sparse.csr_array,
    "coo": sparse.coo_matrix,
}


@pytest.fixture(params=KERNELS)
def kernel_and_oracle(request):
    return KERNELS[request.param]


@pytest.fixture(params=[kernel for kernel, _ in KERNELS.values()], ids=list(KERNELS))
def kernel(request):
    return request.param


def rows(n, width=13, density=0.3, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, width)) * (rng.random((n, width)) < density)
    X[n // 2] = 0  # an empty row
    return X


def exact_rbf(x, z, gamma, digits=40):
    """exp(-gamma |x - z|^2) of the very numbers given, by rational and then decimal arithmetic."""
    square = sum(((Fraction(a) - Fraction(b)) ** 2 for a, b in zip(x, z, strict=True)), Fraction(0))
    exponent = Fraction(gamma) * square
    with localcontext() as context:
        context.prec = digits
        return (-Decimal(exponent.numerator) / Decimal(exponent.denominator)).exp()


def relative_error(values, exact):
    return max(abs(Decimal(float(v)) / e - 1) for v, e in zip(np.ravel(values), exact, strict=True))


@pytest.mark.parametrize("left", FORMS)
@pytest.mark.parametrize("right", [None, *FORMS])
def test_agrees_with_sklearn(kernel_and_oracle, left, right):
    kernel, oracle = kernel_and_oracle
    X, Y = rows(21), rows(10, seed=1)
    if right is None:
        np.testing.assert_allclose(kernel(FORMS[left](X)), oracle(X, X), rtol=1e-12, atol=1e-14)
    else:
        K = kernel(FORMS[left](X), FORMS[right](Y))
        np.testing.assert_allclose(K, oracle(X, Y), rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("density", [0.2, 1.0])
@pytest.mark.parametrize("shape", [(1, 1), (9, 1), (3, 200), (17, 33)])
def test_shapes_of_blocks(kernel_and_oracle, density, shape):
    kernel, oracle = kernel_and_oracle
    X = rows(*shape, density=density)
    Y = rows(shape[0] + 4, shape[1], density=density, seed=3)
    for form in (np.asarray, sparse.csr_matrix):
        np.testing.assert_allclose(kernel(form(X), form(Y)), oracle(X, Y), rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(kernel(form(X)), oracle(X, X), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("form", FORMS)
def test_symmetric_and_blocks_of_the_joint_matrix(kernel, form):
    X = FORMS[form](rows(30))
    K = kernel(X)
    assert np.array_equal(K, K.T)
    np.testing.assert_allclose(kernel.diag(X), np.diag(K), rtol=1e-13, atol=1e-300)
    X = X if form == "dense" else X.tocsr()
    np.testing.assert_allclose(kernel(X[:11], X[11:]), K[:11, 11:], rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_threads_do_not_change_a_bit(kernel, form):
    X, Y = form(rows(70)), form(rows(33, seed=1))
    for k in (kernel, Normalized(kernel) if not isinstance(kernel, Sigmoid) else kernel):
        assert np.array_equal(k(X, n_jobs=1), k(X, n_jobs=2))
        assert np.array_equal(k(X, Y, n_jobs=1), k(X, Y, n_jobs=2))


# -- accuracy ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
@pytest.mark.parametrize(
    ("centre", "spread", "gamma"),
    [
        (0.0, 1.0, 1.0),
        (1e8, 1.0, 1.0),
        (1e6, 1e-3, 1e5),
        (-1e3, 1e-7, 1e12),
        (3e5, 9.0, 1.0),
    ],
)
def test_rbf_is_exact_far_from_the_origin(form, centre, spread, gamma):
    rng = np.random.default_rng(5)
    X = centre + spread * rng.standard_normal((6, 70))
    X[:, 3::2] = 0  # stays sparse
    X[0] = X[1] = 0
    X[0, ::5], X[1, ::7] = centre + spread, centre
    X[:, :3] = centre + spread * rng.standard_normal((6, 3))
    exact = [exact_rbf(x, z, gamma) for x in X for z in X]
    normal = [e > Decimal("1e-300") for e in exact]
    K = RBF(gamma)(form(X)).ravel()
    assert any(0.001 < e < 0.999 for e in K) or centre == 3e5 or gamma == 1.0
    errors = relative_error(K[normal], [e for e, ok in zip(exact, normal, strict=True) if ok])
    assert errors < Decimal("1e-12")
    assert (K[~np.array(normal)] < 1e-299).all()


@pytest.mark.parametrize("width", [40, 3000])
def test_rbf_is_exact_for_tiny_values(width):
    # Where gamma |x - z|^2 is large its last bits matter.
    rng = np.random.default_rng(0)
    X, z = rng.standard_normal((3, width)), rng.standard_normal((1, width))
    gamma = 600 / np.max(((X - z) ** 2).sum(axis=1))
    sparse_X = X * (rng.random(X.shape) < 0.3)
    for matrix in (X, sparse_X):
        exact = [exact_rbf(x, z[0], gamma) for x in matrix]
        assert relative_error(RBF(gamma)(matrix, z), exact) < Decimal("1e-12")
    empty = np.zeros((5, width))  # keeps the call sparse
    K = RBF(gamma)(sparse.csr_matrix(np.vstack([sparse_X, empty])), sparse.csr_matrix(np.vstack([empty, z])))
    exact = [exact_rbf(x, z[0], gamma) for x in sparse_X]
    assert relative_error(K[:3, -1], exact) < Decimal("1e-12")


def test_rbf_of_whole_numbers_is_exact():
    rng = np.random.default_rng(1)
    X = rng.integers(0, 300, (8, 60)) * (rng.random((8, 60)) < 0.2)
    X[1] = X[0]
    X[1, 5] += 1
    exact = [exact_rbf(x, z, 0.5) for x in X.astype(float) for z in X.astype(float)]
    K = RBF(0.5)(sparse.csr_matrix(X)).ravel()
    for value, e in zip(K, exact, strict=True):
        assert abs(Decimal(value) - e) <= e * Decimal("1e-12") + Decimal("1e-300")


@settings(deadline=None)
@given(
    hnp.arrays(
        np.float64, (4, 6), elements=st.sampled_from([0.0, 0.0, 1.0, -2.5, 1e-3, 1e5 + 0.1, 1e5, 7e9])
    ),
    st.sampled_from([1e-20, 1e-9, 0.1, 3.0]),
)
def test_sparse_and_dense_rbf_agree(X, gamma):
    np.testing.assert_allclose(RBF(gamma)(sparse.csr_matrix(X)), RBF(gamma)(X), rtol=1e-12)
    wide = sparse.hstack([sparse.csr_matrix(X), sparse.csr_matrix((4, 50))])
    np.testing.assert_allclose(RBF(gamma)(wide), RBF(gamma)(X), rtol=1e-12)


def test_equal_rows_have_kernel_one():
    X = rows(15) + 1e6
    for form in (np.asarray, sparse.csr_matrix):
        assert (np.diag(RBF(7.0)(form(X), form(X.copy()))) == 1).all()


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_rbf_of_huge_numbers_is_defined(form):
    X = np.zeros((4, 10))
    X[:, 0] = [1e200, -1e200, 1.7e308, -1.7e308]
    np.testing.assert_array_equal(RBF(1.0)(form(X)), np.eye(4))


# -- normalisation and overflow ----------------------------------------------------------------------------


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
@pytest.mark.parametrize(
    "kernel", [Linear(), Polynomial(3, 0.5, 2.0), Polynomial(2, 3.0, 0.0), RBF(0.1), Sigmoid()]
)
def test_normalized(kernel, form):
    X, Y = rows(12), rows(9, seed=2)
    K, left, right = kernel(X, Y), kernel.diag(X), kernel.diag(Y)
    roots = np.sqrt(np.outer(left, right))
    expected = np.divide(K, roots, out=np.zeros_like(K), where=roots > 0)
    np.testing.assert_allclose(Normalized(kernel)(form(X), form(Y)), expected, rtol=1e-12, atol=1e-15)
    own = Normalized(kernel)(form(X))
    np.testing.assert_array_equal(np.diag(own), left > 0)
    np.testing.assert_array_equal(Normalized(kernel).diag(form(X)), left > 0)
    np.testing.assert_allclose(own, own.T, rtol=0 if not isinstance(kernel, Sigmoid) else 1e-15)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
@pytest.mark.parametrize("factor", [1e-310, 1e-200, 1e150, 1e200, 1e306])
def test_normalized_kernels_neither_overflow_nor_vanish(form, factor):
    X = np.round(rows(8), 2)
    cosines = Normalized(Linear())(X)
    # Numbers near 1e-310 have only some digits left.
    tolerance = {"rtol": 1e-12, "atol": 1e-15} if factor > 1e-300 else {"atol": 1e-6}
    np.testing.assert_allclose(Normalized(Linear())(form(factor * X)), cosines, **tolerance)
    cubes = Normalized(Polynomial(3, 1.0, 0.0))(form(factor * X))
    np.testing.assert_allclose(cubes, cosines**3, **tolerance)
    K = Normalized(Polynomial(500))(form(factor * X))
    assert np.isfinite(K).all()
    np.testing.assert_array_equal(np.diag(K), 1)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_overflow_is_an_error(form):
    X = form([[1e160, 1e160, 0, 0, 0], [1, 0, 0, 0, 0]])
    for kernel in (Linear(), Polynomial(2), Polynomial(40)):
        with pytest.raises(OverflowError, match="Normalized"):
            kernel(X)
        with pytest.raises(OverflowError):
            kernel.diag(X)
    assert Sigmoid()(X)[0, 0] == 1
    with pytest.raises(OverflowError, match="float32"):
        Linear()(form([[1e30, 0, 0, 0, 0]]), dtype=np.float32)


def test_sigmoid_that_cannot_be_normalised():
    with pytest.raises(ValueError, match="negative"):
        Normalized(Sigmoid(offset=-10.0))([[1.0]], [[2.0]])
    with pytest.raises(ValueError, match="negative"):
        Normalized(Sigmoid(offset=-10.0)).diag([[1.0]])


# -- inputs ------------------------------------------------------------------------------------------------


def test_untidy_sparse_matrices(kernel):
    # Row 0: 1, 0, 2 + 3 with duplicates, unsorted; row 1 empty; row 2: a stored zero.
    data, indices, indptr = np.array([3.0, 1, 2, 0]), np.array([2, 0, 2, 1]), np.array([0, 3, 3, 4])
    dense = np.zeros((3, 9))
    dense[0, [0, 2]] = 1, 5
    for index in (np.int32, np.int64):
        X = sparse.csr_matrix((data, indices.astype(index), indptr.astype(index)), shape=(3, 9))
        before = X.data.copy(), X.indices.copy()
        np.testing.assert_allclose(kernel(X), kernel(dense), rtol=1e-13)
        np.testing.assert_allclose(kernel(X, dense), kernel(dense), rtol=1e-13)
        np.testing.assert_allclose(kernel.diag(X), kernel.diag(dense), rtol=1e-13)
        assert np.array_equal(X.data, before[0])
        assert np.array_equal(X.indices, before[1])


def test_stale_flags_of_a_sparse_matrix():
    X = sparse.csr_matrix(np.array([[1.0, 0, 2, 0, 0, 0]]))
    X.sort_indices()
    X.indices[:] = [2, 0]  # scipy still believes that they are sorted
    assert Linear()(X, np.eye(6)[:3]).tolist() == [[2, 0, 1]]


def test_very_wide_sparse_matrices(kernel):
    width = 2**40
    X = sparse.csr_matrix(
        (np.array([1.0, 2, 3]), np.array([7, 2**39, 7]), np.array([0, 2, 3])), shape=(2, width)
    )
    np.testing.assert_allclose(kernel(X), kernel([[1, 2], [3, 0]]), rtol=1e-13)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_empty_collections(kernel, form):
    none, some = form(np.empty((0, 3))), form(np.ones((2, 3)))
    for k in (kernel, Normalized(kernel)):
        if isinstance(kernel, Sigmoid):
            k = Sigmoid()
        assert k(none).shape == (0, 0)
        assert k(none, some).shape == (0, 2)
        assert k(some, none).shape == (2, 0)
        assert k.diag(none).shape == (0,)
    assert Linear()(form(np.empty((2, 0)))).tolist() == [[0, 0], [0, 0]]


def test_lists_and_other_numbers():
    assert Linear()([[1, 2]], [[True, False]]).tolist() == [[1]]
    assert Linear()(np.array([[1, 2]], dtype=np.int8)).tolist() == [[5]]
    assert Linear()(np.asfortranarray([[1.0, 2], [3, 4]])).tolist() == [[5, 11], [11, 25]]
    assert Linear()(np.arange(12.0).reshape(3, 4)[:, ::2]).tolist() == [
        [4, 12, 20],
        [12, 52, 92],
        [20, 92, 164],
    ]


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_refuses_undefined_numbers(kernel, bad):
    for X in ([[bad, 1.0]], sparse.csr_matrix([[bad, 0, 0]])):
        with pytest.raises(ValueError, match=r"NaN|inf"):
            kernel(X)


@pytest.mark.parametrize(
    ("X", "error"),
    [
        ([1.0, 2.0], ValueError),
        (3.0, ValueError),
        (np.zeros((2, 2, 2)), ValueError),
        ([["a", "b"]], ValueError),
        ([[1j]], (TypeError, ValueError)),
        (sparse.coo_array([1.0, 2.0]), ValueError),
        (sparse.csr_matrix((np.ones(1), np.array([9]), np.array([0, 1])), shape=(1, 2)), ValueError),
    ],
)
def test_refuses_what_is_no_matrix(kernel, X, error):
    with pytest.raises(error):
        kernel(X)
    with pytest.raises(error):
        kernel([[1.0]], X)


def test_trees_are_no_vectors(kernel):
    with pytest.raises(TypeError, match="Forest"):
        kernel(Forest(["(A b)"]))


def test_numbers_of_features_must_agree(kernel):
    for X in (np.ones((2, 3)), sparse.csr_matrix(np.ones((2, 3)))):
        with pytest.raises(ValueError, match="same number of features, got 3 and 4"):
            kernel(X, np.ones((1, 4)))


def test_records(kernel):
    X = rows(6)
    K = kernel(X)
    words = ["a"] * 6
    np.testing.assert_allclose(kernel(Records(features=X, words=words)), K)
    np.testing.assert_allclose(kernel(Records(features=sparse.csr_matrix(X))), K, rtol=1e-12)
    two = Records(features=X, more=X, words=words)
    np.testing.assert_allclose(kernel.on("more")(two), K)
    with pytest.raises(
        ValueError, match=r"more than one matrix column.*'features', 'more', 'words'.*on\(\"name\"\)"
    ):
        kernel(two)
    with pytest.raises(ValueError, match="no matrix column"):
        kernel(Records(words=words))


# -- parameters --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kernel", "error", "name"),
    [
        (RBF(0), ValueError, "gamma"),
        (RBF(-1.0), ValueError, "gamma"),
        (RBF(np.nan), ValueError, "gamma"),
        (RBF("auto"), TypeError, "gamma"),
        (Polynomial(0), ValueError, "degree"),
        (Polynomial(2.5), TypeError, "degree"),
        (Polynomial(scale=0), ValueError, "scale"),
        (Polynomial(offset=-1), ValueError, "offset"),
        (Sigmoid(scale=np.inf), ValueError, "scale"),
        (Sigmoid(offset=None), TypeError, "offset"),
    ],
)
def test_bad_parameters(kernel, error, name):
    with pytest.raises(error, match=name):
        kernel([[1.0]])
    with pytest.raises(error, match=name):
        kernel.diag([[1.0]])


def test_numpy_parameters():
    assert Polynomial(np.int64(2), np.float32(2), np.int32(1))([[1.0]]).item() == 9
    assert RBF(np.float64(1))([[1.0]], [[1.0]]).item() == 1


def test_nested_set_params():
    kernel = Normalized(Polynomial() + 0.5 * RBF())
    kernel.set_params(kernel__left__degree=2, kernel__right__kernel__gamma=0.25)
    assert kernel.get_params()["kernel__left__degree"] == 2
    X = rows(5)
    assert np.array_equal(kernel(X), Normalized(Polynomial(2) + 0.5 * RBF(0.25))(X))


@pytest.mark.parametrize("kernel", [RBF(2.0), Polynomial(3), Normalized(Polynomial(3)), Linear() + RBF(2.0)])
def test_as_the_kernel_of_sklearn(kernel):
    X, y = make_moons(120, noise=0.1, random_state=0)
    model = SVC(kernel=kernel, C=10).fit(X[:80], y[:80])
    assert model.score(X[80:], y[80:]) > 0.9
    assert cross_val_score(SVC(kernel=kernel, C=10), X, y, cv=3).mean() > 0.9


def test_equals_the_kernel_of_sklearn():
    X, y = make_moons(80, noise=0.2, random_state=1)
    ours = SVC(kernel=RBF(1.5)).fit(X, y)
    theirs = SVC(kernel="rbf", gamma=1.5).fit(X, y)
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-3)
