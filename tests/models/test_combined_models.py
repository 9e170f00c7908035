"""Native models of combined kernels against the kernels' matrices."""

import numpy as np
import pytest
from scipy import sparse

from hedgerow import Forest, Records
from hedgerow.kernels import RBF, Linear, Normalized, Polynomial, Sigmoid
from tests.models.walks import Walk, assert_go_on_alike

a, b = Linear(), RBF(gamma=0.2)
c = Polynomial(degree=2, scale=0.5, offset=0.0)
COMBINATIONS = {
    "weighted": lambda a, b, c: 0.3 * c,
    "sum": lambda a, b, c: a + b,
    "product": lambda a, b, c: a * b,
    "normalised weighted": lambda a, b, c: Normalized(0.3 * c),
    "weighted normalised": lambda a, b, c: 3 * Normalized(c),
    "normalised sum": lambda a, b, c: Normalized(a + c),
    "sum of normalised": lambda a, b, c: Normalized(a) + 0.5 * Normalized(c),
    "normalised product": lambda a, b, c: Normalized(a * c),
    "normalised twice": lambda a, b, c: Normalized(Normalized(a) + 0.5 * c),
    "three": lambda a, b, c: a + 0.1 * b + a * c,
    "product of sums": lambda a, b, c: (a + b) * Normalized(a + 3 * c),
}


def vectors(n, width, seed):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, width)) * (rng.random((n, width)) < 0.5)
    X[n // 2] = 0
    return X


@pytest.fixture(params=COMBINATIONS.values(), ids=COMBINATIONS)
def combine(request):
    return request.param


@pytest.fixture(scope="module")
def records():
    return Records(
        dense=vectors(25, 6, 0),
        sparse=sparse.csr_array(vectors(25, 11, 1)),
        forest=Forest(["(a b)"] * 25),
    )


def native(kernel, X):
    return kernel._items(kernel._prepare(X))


class TestWalks:
    @pytest.mark.parametrize("seed", range(2))
    def test_vectors(self, combine, seed):
        kernel, X = combine(a, b, c), vectors(30, 7, seed)
        forms = [native(kernel, X), native(kernel, sparse.csr_array(X))]
        walk = Walk(kernel, X, forms, seed=seed)
        walk.check()
        for _ in range(3):
            for _ in range(25):
                walk.step()
            walk.check()
        assert_go_on_alike(walk, 20)

    def test_records(self, combine, records):
        kernel = combine(a.on("dense"), b.on("sparse"), c.on("dense"))
        walk = Walk(kernel, records)
        for _ in range(60):
            walk.step()
        walk.check()
        assert_go_on_alike(walk, 20)

    def test_copies_of_empty_models(self, combine):
        kernel = combine(a, b, c)
        assert_go_on_alike(Walk(kernel, vectors(10, 4, 0)), 30)

    def test_long_batches(self):
        # More rows than a product keeps at once.
        kernel, X = Normalized(a + b) * c, vectors(2000, 3, 5)
        model = kernel._model().empty(2)
        rng = np.random.default_rng(0)
        weights = rng.normal(size=(90, 2))
        for slot in range(90):
            model.put(slot, native(kernel, X), slot)
            for column in range(2):
                model.add_weight(slot, column, weights[slot, column])
        expected = kernel(X, X[:90]) @ weights
        for threads in 1, 3:
            scores = model.score_batch(native(kernel, X), threads).reshape(expected.shape)
            np.testing.assert_allclose(scores, expected, atol=1e-10)

    def test_frozen_models_score(self, combine):
        kernel, X = combine(a, b, c), vectors(20, 5, 2)
        walk = Walk(kernel, X)
        for _ in range(40):
            walk.step()
        expected = walk.model.score_batch(walk.forms[0], 1)
        walk.model.freeze(False)
        np.testing.assert_array_equal(walk.model.score_batch(walk.forms[0], 2), expected)


class TestSupports:
    @staticmethod
    def supports(kernel, X, picked):
        model = kernel._model()
        for slot in range(len(X) if isinstance(X, Records) else X.shape[0]):
            model.put(slot, native(kernel, X), slot)
        return kernel._from_items(model.supports(np.array(picked, np.int32)))

    def test_records_with_the_columns_in_use(self, records):
        kernel = 2 * a.on("dense") + Normalized(b.on("sparse") * c.on("dense"))
        supports = self.supports(kernel, records, [7, 3])
        assert supports.columns == ("dense", "sparse")
        np.testing.assert_array_equal(supports["dense"], records["dense"][[7, 3]])
        np.testing.assert_array_equal(supports["sparse"].toarray(), records["sparse"][[7, 3]].toarray())
        np.testing.assert_allclose(kernel(supports), kernel(records[[7, 3]]))

    def test_one_column(self, records):
        supports = self.supports(b.on("sparse"), records, [4])
        assert supports.columns == ("sparse",)

    def test_vectors(self):
        X = vectors(5, 3, 0)
        np.testing.assert_array_equal(self.supports(a + b * c, X, [4, 0]), X[[4, 0]])

    def test_parts_that_have_no_names(self, records):
        # One kernel found its column on its own, so its name is not known.
        parts = Records(left=records["dense"], right=records["forest"])
        left, right = self.supports(a + b.on("left"), parts, [1, 2])
        np.testing.assert_array_equal(left, records["dense"][[1, 2]])
        assert right.columns == ("left",)


class TestErrors:
    def test_widths(self):
        kernel = a.on("x") + b.on("y")
        model = kernel._model()
        good = native(kernel, Records(x=[[1.0]], y=[[1.0, 2.0]]))
        model.put(0, good, 0)
        for wrong in Records(x=[[1.0]], y=[[1.0]]), Records(x=[[1.0, 2.0]], y=[[1.0, 2.0]]):
            for call in (model.scores, lambda items: model.put(1, items, 0)):
                with pytest.raises(ValueError, match=r"the model has \d features, got \d"):
                    call(native(kernel, wrong))
        assert model.slots == 1
        np.testing.assert_allclose(model.rows(good), [2.0])

    @pytest.mark.parametrize("combine", [COMBINATIONS["sum"], COMBINATIONS["product"]])
    def test_kind(self, combine):
        model = combine(a, b, c)._model()
        with pytest.raises(ValueError, match="takes pairs, got vectors"):
            model.scores(native(a, [[1.0]]))
        with pytest.raises(ValueError, match="takes pairs, got vectors"):
            model.score_batch(native(a, [[1.0]]), 1)

    def test_parts_that_differ_in_length(self):
        kernel = a + b
        state = Walk(kernel, vectors(4, 2, 0)).model.save()
        one = a._model()
        one.put(0, native(a, [[1.0]]), 0)
        broken = state | {f"left.{name}": array for name, array in one.save().items()}
        broken["left.weights"] = np.zeros(3)
        with pytest.raises(ValueError, match="differ in their numbers of supports"):
            kernel._model().load(
                3, broken | {"left.primal.high": np.zeros(0), "left.primal.low": np.zeros(0)}
            )

    def test_self_kernels_too_large_to_divide_by(self):
        kernel = Normalized(Linear() + RBF())
        with pytest.raises(OverflowError, match="normalise the parts"):
            kernel._model().put(0, native(kernel, [[1e200]]), 0)

    def test_normalised_parts_of_any_size(self):
        X = np.array([[1e200, 0.0], [1e200, 1e200], [1e-200, 1.0]])
        kernel = Normalized(Linear() * Polynomial(degree=3))
        walk = Walk(kernel, X)
        for _ in range(20):
            walk.step()
        walk.check()

    def test_negative_self_kernels(self):
        kernel = Normalized(Sigmoid(offset=-3.0) + Linear())
        model = kernel._model()
        with pytest.raises(ValueError, match="negative for an item with itself"):
            model.scores(native(kernel, [[0.1]]))
