"""Native models of vector kernels against the kernels' matrices."""

from decimal import Decimal, localcontext

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import load_svmlight_file

from hedgerow import Forest, _core
from hedgerow.kernels import RBF, Linear, Normalized, Polynomial, Sigmoid, SubsetTree
from tests.models.walks import Walk, assert_go_on_alike

KERNELS = {
    "linear": Linear(),
    "normalised linear": Normalized(Linear()),
    "polynomial": Polynomial(degree=3, scale=0.5, offset=2.0),
    "homogeneous": Polynomial(degree=2, offset=0.0),
    "high degree": Polynomial(degree=11, scale=0.1),
    "normalised polynomial": Normalized(Polynomial(degree=3, scale=0.5, offset=2.0)),
    "normalised homogeneous": Normalized(Polynomial(degree=2, offset=0.0)),
    "rbf": RBF(gamma=0.3),
    "normalised rbf": Normalized(RBF(gamma=0.3)),
    "sigmoid": Sigmoid(scale=0.2, offset=-0.1),
    "normalised sigmoid": Normalized(Sigmoid(scale=0.2, offset=0.1)),
}
FORMS = {"dense": [np.asarray], "sparse": [sparse.csr_array], "mixed": [np.asarray, sparse.csr_array]}


@pytest.fixture(params=KERNELS.values(), ids=KERNELS)
def kernel(request):
    return request.param


@pytest.fixture(params=FORMS)
def forms(request):
    return FORMS[request.param]


def vectors(n, width=13, density=0.3, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, width)) * (rng.random((n, width)) < density)
    X[n // 2] = 0
    return X


def items(X):
    return Linear()._items(Linear()._prepare(X))


def walk_of(kernel, X, forms=(np.asarray,), **options):
    return Walk(kernel, X, [items(form(X)) for form in forms], **options)


class TestWalks:
    @pytest.mark.parametrize("seed", range(3))
    def test_random_changes(self, kernel, forms, seed):
        walk = walk_of(kernel, vectors(30, seed=seed), forms, seed=seed)
        walk.check()
        for _ in range(4):
            for _ in range(20):
                walk.step()
            walk.check()

    def test_features_of_all_frequencies(self, kernel):
        # Some features become columns of the index and some of these lists again.
        rng = np.random.default_rng(1)
        X = rng.integers(1, 4, (60, 40)) * (rng.random((60, 40)) < np.geomspace(0.9, 0.01, 40))
        X[:3] = 1
        walk = walk_of(kernel, X / 4, FORMS["mixed"])
        for _ in range(3):
            for _ in range(90):
                walk.step(erase=0.1)
            walk.check()
        (columns,) = [array for name, array in walk.model.save().items() if name.endswith("columns")]
        assert 0 < len(columns) < 40

    def test_many_features_that_hardly_occur(self, kernel):
        width = 2**31 - 1
        X = vectors(25, width=40, density=0.2)
        names = np.sort(np.random.default_rng(2).choice(width, 40, replace=False))
        wide = sparse.csr_array(X)
        wide = sparse.csr_array((wide.data, names[wide.indices], wide.indptr), shape=(25, width))
        walk = Walk(kernel, X, [items(wide)])
        for _ in range(60):
            walk.step()
        walk.check()
        assert_go_on_alike(walk, 20)

    def test_explicit_zeros(self, kernel):
        X = vectors(20)
        full = sparse.csr_array(np.ones_like(X))
        full.data[:] = X.ravel()
        walk = Walk(kernel, X, [items(X), items(full)])
        for _ in range(100):
            walk.step()
        walk.check()
        assert_go_on_alike(walk, 20)

    def test_no_support(self, kernel):
        model, X = kernel._model().empty(2), items(vectors(4))
        np.testing.assert_array_equal(model.scores(X), np.zeros(8))
        np.testing.assert_array_equal(model.score_batch(X, 2), np.zeros(8))
        assert len(model.rows(X)) == len(model.row_batch(X, 2)) == 0
        assert len(model.supports(np.zeros(0, np.int32))) == 0

    def test_no_features(self, kernel):
        walk = walk_of(kernel, np.zeros((3, 0)), FORMS["mixed"])
        for _ in range(10):
            walk.step()
        walk.check()

    def test_columns_do_not_depend_on_each_other(self, kernel):
        X = items(vectors(50))
        one, many = kernel._model().empty(1), kernel._model().empty(12)
        rng = np.random.default_rng(3)
        for slot, weight in enumerate(rng.normal(size=40)):
            for model in one, many:
                model.put(slot, X, slot)
                model.add_weight(slot, 0, weight)
            many.add_weight(slot, 1 + slot % 11, 1e3)
        np.testing.assert_array_equal(many.scores(X).reshape(50, 12)[:, 0], one.scores(X))
        np.testing.assert_array_equal(many.score_batch(X, 1).reshape(50, 12)[:, 0], one.score_batch(X, 1))


class TestCopies:
    @pytest.mark.parametrize("steps", [0, 3, 80])
    def test_go_on_as_the_original(self, kernel, forms, steps):
        walk = walk_of(kernel, vectors(30), forms)
        for _ in range(steps):
            walk.step()
        assert_go_on_alike(walk, 60)

    def test_states_that_do_not_fit_together(self):
        kernel = RBF()
        walk = walk_of(kernel, vectors(10), FORMS["sparse"], columns=1)
        for item in range(5):
            walk.put(item, item)
        state = walk.model.save()
        for name, broken in {
            "weights": np.zeros(4),
            "width": np.array([3], np.int64),
            "begin": state["begin"][:-1].copy(),
            "index": np.flip(state["index"]).copy(),
            "value": state["value"][1:].copy(),
            "dense": np.zeros(2, np.uint8),
            "columns": np.array([-1], np.int32),
        }.items():
            with pytest.raises(ValueError, match=name):
                kernel._model().load(1, {**state, name: broken})
        with pytest.raises(ValueError, match="lacks index"):
            kernel._model().load(1, {name: array for name, array in state.items() if name != "index"})

    def test_states_of_linear_models(self):
        walk = walk_of(Linear(), vectors(10), columns=1)
        walk.put(0, 0)
        walk.add_weight(0)
        state = walk.model.save()
        for name, broken in {
            "primal.features": state["primal.features"] + 99,
            "primal.high": np.zeros(99),
            "primal.low": np.zeros(99),
        }.items():
            with pytest.raises(ValueError, match=name):
                Linear()._model().load(1, {**state, name: broken})


class TestSupports:
    def test_round_trip(self, kernel):
        X = vectors(12)
        for form in np.asarray, sparse.csr_array:
            model = kernel._model()
            for slot in range(6):
                model.put(slot, items(form(X)), 2 * slot)
            model.erase(1)
            supports = kernel._from_items(model.supports(np.array([5, 0, 3, 3], np.int32)))
            assert sparse.issparse(supports) == (form is sparse.csr_array)
            dense = supports.toarray() if sparse.issparse(supports) else supports
            np.testing.assert_array_equal(dense, X[[10, 0, 6, 6]])
            np.testing.assert_array_equal(kernel(supports), kernel(form(X[[10, 0, 6, 6]])))

    def test_dense_and_sparse_together(self):
        X = vectors(4)
        model = RBF()._model()
        model.put(0, items(X), 0)
        model.put(1, items(sparse.csr_array(X)), 1)
        supports = RBF()._from_items(model.supports(np.array([0, 1], np.int32)))
        assert sparse.issparse(supports)
        np.testing.assert_array_equal(supports.toarray(), X[:2])
        assert isinstance(RBF()._from_items(model.supports(np.array([0], np.int32))), np.ndarray)


class TestErrors:
    def test_width(self, kernel, forms):
        model = kernel._model()
        model.put(0, items(forms[0](np.ones((1, 3)))), 0)
        other = items(np.ones((1, 4)))  # dense
        for call in (
            lambda: model.put(1, other, 0),
            lambda: model.scores(other),
            lambda: model.rows(other),
            lambda: model.self_kernels(other),
            lambda: model.score_batch(other, 1),
            lambda: model.row_batch(other, 1),
        ):
            with pytest.raises(ValueError, match="the model has 3 features, got 4"):
                call()
        np.testing.assert_allclose(model.rows(items(np.ones((1, 3)))), kernel([[1, 1, 1]])[0])

    def test_sparse_vectors_may_have_features_that_no_support_has(self, kernel):
        few, more = (
            np.array([[1.0, 2.0, 0.0]]),
            np.array([[1.0, 0.0, 0.5, 0.0, 3.0], [2.0, 1.0, 0.0, 1.0, 0.0]]),
        )
        for width in (5, 70_000):
            wide = sparse.csr_matrix(more)
            wide.resize(2, width)
            model = kernel._model()
            model.put(0, items(sparse.csr_matrix(few)), 0)
            model.add_weight(0, 0, 2.0)
            alone = kernel(more, np.pad(few, ((0, 0), (0, 2))))
            np.testing.assert_allclose(model.row_batch(items(wide), 1), alone.ravel())
            np.testing.assert_allclose(model.score_batch(items(wide), 1), 2 * alone.ravel())
            np.testing.assert_allclose(model.self_kernels(items(wide)), kernel.diag(more))
            model.put(1, items(wide), 1)
            np.testing.assert_allclose(model.rows(items(wide)).reshape(2, 2)[:, 1], kernel(more)[:, 1])

    def test_the_width_stays_when_supports_leave(self):
        model = RBF()._model()
        model.put(0, items(np.ones((1, 3))), 0)
        model.erase(0)
        with pytest.raises(ValueError, match="the model has 3 features, got 4"):
            model.put(0, items(np.ones((1, 4))), 0)

    def test_kind(self, kernel):
        trees = _core.TreeItems(SubsetTree()._prepare(Forest(["(a b)"])))
        with pytest.raises(ValueError, match="takes vectors, got trees"):
            kernel._model().scores(trees)
        with pytest.raises(ValueError, match="takes vectors, got trees"):
            kernel._model().score_batch(trees, 1)

    def test_arrays_of_sparse_items(self):
        begin, index, value = np.array([0, 2]), np.array([0, 2], np.int32), np.ones(2)
        assert len(_core.SparseItems(begin, index, value, 3)) == 1
        for wrong in (
            (begin[:0], index, value, 3),
            (begin + 1, index, value, 3),
            (np.array([0, 3]), index, value, 3),
            (np.array([0, 9, 2]), index, value, 3),
            (begin, index, value[:1], 3),
            (begin, index, value, -1),
            (begin, index, value, 2**31 + 1),
        ):
            with pytest.raises(ValueError, match=r"sparse matrix|features"):
                _core.SparseItems(*wrong)
            with pytest.raises(ValueError, match=r"sparse matrix|features"):
                _core.SparseRows(*wrong)

    def test_indices_of_sparse_items(self):
        """Which are checked once, beforehand."""
        begin, index, value = np.array([0, 2], np.int32), np.array([0, 2], np.int32), np.ones(2)
        assert _core.is_canonical(begin, index, value, 3)
        for wrong in (
            (begin, index, value, 2),
            (begin, index[::-1].copy(), value, 3),
            (begin, index - 1, value, 3),
            (begin, index, value * np.nan, 3),
            (begin, index, value[:1], 3),
            (np.array([0, 9, 2], np.int32), index, value, 3),
        ):
            assert not _core.is_canonical(*wrong)

    def test_readable_arrays(self):
        X = sparse.csr_array(vectors(5))
        sparse_items = items(X)
        np.testing.assert_array_equal(sparse_items.indptr, X.indptr)
        np.testing.assert_array_equal(sparse_items.indices, X.indices)
        np.testing.assert_array_equal(sparse_items.data, X.data)
        assert sparse_items.width == 13
        with pytest.raises(ValueError, match="read-only"):
            sparse_items.data[0] = 1

    def test_scores_too_large(self):
        X = items(np.full((1, 2), 1e120))
        for kernel in Polynomial(degree=3), Linear() * 1.0:
            model = kernel._model()
            model.put(0, X, 0)
            model.add_weight(0, 0, 1e80)
            for call in (model.scores, lambda X, model=model: model.score_batch(X, 1)):
                with pytest.raises(OverflowError, match="too large for float64"):
                    call(X)

    def test_negative_self_kernels(self):
        model = Normalized(Sigmoid(offset=-1.0))._model()
        with pytest.raises(ValueError, match="larger scale or offset"):
            model.put(0, items([[0.1]]), 0)
        assert model.slots == 0


class TestExtremes:
    @pytest.mark.parametrize("far", [0.0, 1e3, 1e6, 1e9])
    def test_rbf_far_from_the_origin(self, forms, far):
        rng = np.random.default_rng(4)
        X = rng.standard_normal((20, 50)) * 0.3 + far
        X[:, :3] = 0  # a feature that nothing has
        walk = walk_of(RBF(gamma=0.1), X, forms)
        for _ in range(40):
            walk.step()
        walk.check(rtol=3e-12)
        assert_go_on_alike(walk, 10)

    def test_rbf_near_and_far_together(self, forms):
        X = vectors(40, density=0.5) * np.geomspace(1e-3, 1e8, 40)[:, None]
        X[1::2] = X[::2] + 1e-2 * vectors(20, seed=1, density=1.0)
        walk = walk_of(RBF(gamma=0.7), X, forms)
        for _ in range(120):
            walk.step()
        walk.check(rtol=3e-12)

    def test_rbf_after_far_supports_have_left(self):
        X = np.vstack([vectors(10), vectors(10) * 1e8])
        walk = walk_of(RBF(), X)
        for item in range(20):
            walk.put(item, item)
            walk.add_weight(item)
        for slot in range(10, 20):
            walk.erase(slot)
        walk.check()
        assert_go_on_alike(walk, 10)

    @pytest.mark.parametrize("size", [1e-320, 1e-200, 1e200, 1e306])
    def test_normalised_kernels_of_any_size(self, forms, size):
        X = np.vstack([np.sign(vectors(8)), np.sign(vectors(8, seed=1)) * size])
        for kernel in Linear(), Polynomial(), Polynomial(offset=0.0), RBF():
            walk = walk_of(Normalized(kernel), X, forms)
            for _ in range(60):
                walk.step()
            walk.check()

    def test_linear_models_forget_huge_supports(self):
        X = np.array([[1.0, 2.0], [1e16, -1e15]])
        model = Linear()._model()
        model.put(0, items(X), 0)
        model.add_weight(0, 0, 0.1)
        for _ in range(100):
            model.put(1, items(X), 1)
            for weight in 0.1, 0.7, 3.3:
                model.add_weight(1, 0, weight)
            model.erase(1)
        np.testing.assert_allclose(model.scores(items(X[:1])), [0.5], rtol=1e-12)


class TestExponentials:
    def test_relative_error(self):
        rng = np.random.default_rng(5)
        x = np.concatenate(
            [
                rng.uniform(-708, 709, 3000),
                rng.normal(size=500) * 1e-3,
                np.log(2) * (np.arange(-99, 99) + 0.5),
            ]
        )
        values = x.copy()
        _core.exponentials(values)
        with localcontext() as context:
            context.prec = 40
            for given, value in zip(x, values, strict=True):
                exact = Decimal(float(given)).exp()
                assert abs(Decimal(float(value)) / exact - 1) < Decimal("2.3e-16")

    def test_the_ends_of_the_range(self):
        x = np.array(
            [0.0, -0.0, -708.5, -740, -745.13, -745.2, -746, -1e9, -np.inf, 709.78, 709.79, 1e9, np.inf]
        )
        values = x.copy()
        _core.exponentials(values)
        with np.errstate(over="ignore"):
            np.testing.assert_allclose(values, np.exp(x), rtol=1e-15, atol=5e-324)
        undefined = np.array([np.nan])
        _core.exponentials(undefined)
        assert np.isnan(undefined[0])

    def test_places_do_not_matter(self):
        x = -np.random.default_rng(6).random(37) * 20
        values = x.copy()
        _core.exponentials(values)
        for i in range(len(x)):
            one = x[i : i + 1].copy()
            _core.exponentials(one)
            assert one[0] == values[i]


@pytest.mark.shared_data
def test_a_perceptron_on_real_data(data_folder):
    X, y = load_svmlight_file(data_folder / "a9a" / "train.libsvm.gz", n_features=123)
    X, y, kernel = X[:1500], y[:1500], RBF(gamma=0.04)
    gram, beta, model, rows = kernel(X), np.zeros(1500), kernel._model(), items(X)
    slots = []
    for i in range(1500):
        expected = gram[i] @ beta
        if slots and i % 50 == 0:
            score = model.scores(items(X[i : i + 1]))[0]
            assert abs(score - expected) < 1e-11 * np.abs(beta).sum()
        if y[i] * expected <= 0:
            beta[i] = y[i]
            model.put(len(slots), rows, i)
            model.add_weight(len(slots), 0, y[i])
            slots.append(i)
    np.testing.assert_allclose(model.score_batch(rows, 2), gram @ beta, atol=1e-10)
