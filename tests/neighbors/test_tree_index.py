"""The index against full rows of kernel values."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

import hedgerow
from hedgerow import Forest, FormatError
from hedgerow.kernels import RBF, Normalized, PartialTree, SubPath, SubsetTree, SubTree
from hedgerow.neighbors import TreeIndex

KERNELS = [
    SubTree(),
    SubTree(decay=1.0),
    SubsetTree(),
    SubsetTree(decay=1.0),
    SubsetTree(decay=0.05),
    SubsetTree(bag_of_words=True),
    PartialTree(),
    PartialTree(decay=0.9, vertical_decay=0.9),
    PartialTree(lexical=False),
    PartialTree(max_length=2, terminal_factor=0.5),
    PartialTree(terminal_factor=3.0),
    SubPath(),
    SubPath(decay=1.0),
]
CASES = [kernel for plain in KERNELS for kernel in (Normalized(plain), plain)]


def bracket(rng: np.random.Generator, depth: int) -> str:
    label = "ABCD"[rng.integers(4)]
    if depth == 0 or rng.random() < 0.2:
        return "xyz"[rng.integers(3)]
    return f"({label} {' '.join(bracket(rng, depth - 1) for _ in range(rng.integers(1, 4)))})"


def random_trees(n: int, seed: int, depth: int = 4) -> list[str]:
    rng = np.random.default_rng(seed)
    trees = [f"(S {bracket(rng, depth)} {bracket(rng, depth - 1)})" for _ in range(n)]
    return [trees[i] if rng.random() < 0.8 else trees[rng.integers(n)] for i in range(n)]  # some twice


def distances(kernel, X, Y):
    values = kernel(X, Y)
    if kernel._is_normalized:
        return np.sqrt(np.maximum(2 - 2 * values, 0))
    return np.sqrt(np.maximum(kernel.diag(X)[:, None] + kernel.diag(Y) - 2 * values, 0))


def check_nearest(index, X, numbers_of_rows, trees, k):
    """What kneighbors says is what the full matrix says; equally near trees may only differ by rounding."""
    full = (kernel := index.kernel)(X, trees)
    if index.measure == "distance":
        full = -distances(kernel, X, trees)
    values, numbers = index.kneighbors(X, k)
    column = {number: i for i, number in enumerate(numbers_of_rows)}
    for row, own, found in zip(full, values, numbers, strict=True):
        own = own if index.measure == "similarity" else -own
        scale = max(1.0, np.abs(row).max())
        # A square root near 0 keeps half of the digits.
        close = 1e-12 * scale if index.measure == "similarity" else 3e-7 * scale
        assert len(set(found.tolist())) == k
        np.testing.assert_allclose(row[[column[i] for i in found]], own, atol=close, rtol=1e-12)
        np.testing.assert_allclose(np.sort(row)[::-1][:k], own, atol=close, rtol=1e-12)
        assert (np.diff(own) <= 0).all()
        if index.measure == "similarity":  # distances may be equal where similarities are not
            assert all(a < b for a, b, same in zip(found, found[1:], np.diff(own) == 0, strict=False) if same)


@pytest.mark.parametrize("kernel", CASES, ids=repr)
@pytest.mark.parametrize("measure", ["distance", "similarity"])
def test_neighbours_equal_those_of_full_rows(kernel, measure):
    trees, queries = random_trees(400, 1), [*random_trees(12, 2), "(Q unknown)", "(A x)", "(x)"]
    index = TreeIndex(kernel, measure=measure).fit(trees)
    for k in (1, 7):
        check_nearest(index, Forest(queries), range(len(trees)), Forest(trees), k)


def numbers_by_full_rows(kernel, X, trees, k):
    """The largest first, of equal values the first."""
    return np.argsort(-kernel(X, trees), axis=1, kind="stable")[:, :k]


# Values of paths depend on the other trees of a matrix, in their last bits.
@pytest.mark.parametrize("kernel", [kernel for kernel in CASES if "SubPath" not in repr(kernel)], ids=repr)
def test_order_and_ties_are_those_of_full_rows(kernel):
    """Also where values are equal but for rounding, which pairs and matrices round differently."""
    for seed in range(3):
        trees, queries = Forest(random_trees(400, seed)), Forest([*random_trees(30, 100 + seed), "(A x)"])
        index = TreeIndex(kernel, measure="similarity").fit(trees)
        for k in (1, 10):
            np.testing.assert_array_equal(
                index.kneighbors(queries, k, return_distance=False),
                numbers_by_full_rows(kernel, queries, trees, k),
            )


@pytest.mark.parametrize("kernel", [kernel for kernel in CASES if "SubPath" not in repr(kernel)], ids=repr)
def test_values_at_the_limit_are_within_it(kernel):
    trees, queries = Forest(random_trees(300, 5)), Forest(random_trees(6, 6))
    full = kernel(queries, trees)
    index = TreeIndex(kernel, measure="similarity").fit(trees)
    for row, query in zip(full, range(len(queries)), strict=True):
        limit = np.sort(row)[-40]
        found = index.radius_neighbors(queries[query : query + 1], limit, return_distance=False)[0]
        assert sorted(found) == np.flatnonzero(row >= limit).tolist()


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_any_history_gives_the_neighbours_of_full_rows(data):
    """Adds, removals, copies and any number of threads."""
    kernel = data.draw(st.sampled_from(CASES))
    measure = data.draw(st.sampled_from(["distance", "similarity"]))
    seed = data.draw(st.integers(0, 1000))
    pool = random_trees(600, seed, depth=3)
    index = TreeIndex(kernel, measure=measure, n_jobs=data.draw(st.integers(1, 3))).fit(pool[:20])
    there = dict(enumerate(pool[:20]))
    for _ in range(data.draw(st.integers(0, 4))):
        step = data.draw(st.sampled_from(["add", "remove", "copy"]))
        if step == "add":
            new = pool[20 : 20 + data.draw(st.integers(0, 500))]
            there |= zip(index.add(new).tolist(), new, strict=True)
        elif step == "remove":
            gone = data.draw(st.lists(st.sampled_from(sorted(there)), unique=True, max_size=len(there) - 6))
            index.remove(gone)
            for number in gone:
                del there[number]
        else:
            index = pickle.loads(pickle.dumps(index))
    assert index.numbers_.tolist() == sorted(there)
    trees = [there[i] for i in sorted(there)]
    check_nearest(index, Forest(pool[:3]), sorted(there), Forest(trees), 5)


@pytest.mark.parametrize("kernel", CASES, ids=repr)
def test_results_do_not_depend_on_threads_or_files(kernel, tmp_path):
    trees, queries = random_trees(400, 3), random_trees(9, 4)
    index = TreeIndex(kernel, measure="similarity", n_jobs=1).fit(trees)
    index.remove([3, 5, 8])
    index.save(tmp_path / "trees.index")
    loaded = TreeIndex.load(tmp_path / "trees.index")
    wanted = index.kneighbors(queries, 6)
    again = clone(index).set_params(n_jobs=3).fit(trees).remove([3, 5, 8])
    for other in (again, loaded, hedgerow.load(tmp_path / "trees.index")):
        for a, b in zip(wanted, other.kneighbors(queries, 6), strict=True):
            np.testing.assert_array_equal(a, b)
    assert loaded.add(["(S x)"]) == [400]


@pytest.mark.parametrize("kernel", CASES, ids=repr)
def test_radius_neighbours_equal_those_of_full_rows(kernel):
    trees, queries = random_trees(300, 5), Forest(random_trees(6, 6))
    full = kernel(queries, Forest(trees))
    least = np.quantile(full, 0.95)
    found = TreeIndex(kernel, measure="similarity").fit(trees).radius_neighbors(queries, least * (1 + 1e-9))
    for row, values, numbers in zip(full, *found, strict=True):
        assert set(numbers) == set(np.flatnonzero(row > least * (1 + 1e-9)))
        np.testing.assert_allclose(row[numbers], values, rtol=1e-12)
    full = distances(kernel, queries, Forest(trees))
    radius = np.quantile(full, 0.05) + 1e-6
    found = TreeIndex(kernel).fit(trees).radius_neighbors(queries, radius)
    for row, values, numbers in zip(full, *found, strict=True):
        assert set(numbers) == set(np.flatnonzero(row <= radius))
        assert (values <= radius).all()
        assert (np.diff(values) >= 0).all()


def test_trees_of_the_index_are_not_their_own_neighbours():
    trees = ["(A (B x))", "(A (B x))", "(A (B y))", "(C z)"]
    index = TreeIndex(Normalized(SubTree())).fit(trees)
    assert index.kneighbors(n_neighbors=1, return_distance=False).tolist() == [[1], [0], [0], [0]]
    assert [found.tolist() for found in index.radius_neighbors(radius=0.1, return_distance=False)] == [
        [1],
        [0],
        [],
        [],
    ]


def test_graphs_have_a_column_for_each_number():
    index = TreeIndex(Normalized(SubTree()), n_neighbors=1).fit(["(A x)", "(B y)", "(C z)"]).remove([0])
    graph = index.kneighbors_graph(["(C z)", "(B y)"])
    assert graph.toarray().tolist() == [[0, 0, 1], [0, 1, 0]]
    assert index.kneighbors_graph(["(C z)"], mode="distance").toarray().tolist() == [[0, 0, 0]]


@pytest.mark.parametrize("kernel", [SubsetTree(decay=1.0), PartialTree(1.0, 1.0)], ids=repr)
def test_values_beyond_doubles(kernel):
    """Self-kernels of some trees are infinite: normalised neighbours are exact all the same."""
    wide = [f"(S {' '.join(['(A (B x))'] * n)})" for n in (1300, 1301)]
    trees = [*random_trees(50, 7), *wide]
    index = TreeIndex(Normalized(kernel), measure="similarity").fit(trees)
    check_nearest(index, Forest([wide[0], "(A (B x))"]), range(len(trees)), Forest(trees), 4)
    with pytest.raises(OverflowError):
        TreeIndex(kernel).fit(wide)


@pytest.mark.parametrize("kernel", [SubsetTree(decay=1.0), PartialTree(1.0, 1.0)], ids=repr)
def test_trees_beyond_doubles_have_bounds(kernel):
    """They are compared with trees that they share much with, and no others."""
    wide = [f"(S {' '.join(['(A (B x))', f'(A{i} (B y))'] * 600)})" for i in range(6)]
    trees = [*random_trees(300, 9), *wide]
    index = TreeIndex(Normalized(kernel), measure="similarity").fit(trees)
    queries = Forest([trees[0], wide[3], "(A (B x))"])
    check_nearest(index, queries, range(len(trees)), Forest(trees), 3)
    for query in range(2):
        assert index._find(queries[query : query + 1], 1, -np.inf, np.inf).compared < 200


def test_rounding_does_not_add_up_over_equal_nodes():
    kernel = PartialTree()
    trees, same = (Forest([f"(S {'(A x) ' * n})" for n in (500, 501, 502)]) for _ in range(2))
    values, numbers = TreeIndex(Normalized(kernel), measure="similarity").fit(trees).kneighbors(trees, 3)
    full = np.take_along_axis(Normalized(kernel)(trees, same), numbers, axis=1)
    np.testing.assert_allclose(values, full, rtol=1e-12)


def test_a_failed_add_leaves_the_index_as_it_was():
    kernel = SubsetTree(decay=1.0)
    index = TreeIndex(kernel, n_neighbors=1).fit(["(A x)"])
    with pytest.raises(OverflowError):
        index.add(["(B y)", f"(S {' '.join(['(A (B x))'] * 1300)})"])
    assert index.numbers_.tolist() == [0]
    assert index.kneighbors(["(B y)"], return_distance=False).tolist() == [[0]]
    new = index.add(["(B y)"])
    assert index.kneighbors(["(B y)"], return_distance=False).tolist() == [new.tolist()]


def test_what_cannot_be_is_refused(tmp_path):
    index = TreeIndex(Normalized(SubsetTree()))
    with pytest.raises(NotFittedError):
        index.kneighbors(["(A x)"])
    index.fit(["(A x)", "(B y)"])
    with pytest.raises(ValueError, match="n_neighbors = 3, n_samples_fit = 2"):
        index.kneighbors(["(A x)"], 3)
    with pytest.raises(ValueError, match="not its own neighbour"):
        index.kneighbors(n_neighbors=2)
    for wrong in ([2], [-1], [0, 0]):
        with pytest.raises(IndexError):
            index.remove(wrong)
    assert len(index) == 2
    with pytest.raises(TypeError, match="whole"):
        index.remove([0.5])
    with pytest.raises(TypeError, match="an index takes SubTree"):
        TreeIndex(RBF()).fit([[1.0]])
    with pytest.raises(ValueError, match="at least 0"):
        index.radius_neighbors(["(A x)"], -1.0)
    with pytest.raises(ValueError, match="mode"):
        index.kneighbors_graph(["(A x)"], 1, mode="similarity")
    with pytest.raises(ValueError, match="two trees"):
        index.explain_pair(Forest(["(A x)", "(A x)"]), 0)


def test_a_broken_file_is_an_error(tmp_path):
    path = tmp_path / "trees.index"
    TreeIndex(Normalized(SubsetTree())).fit(random_trees(20, 8)).save(path)
    content = path.read_bytes()
    for broken in (content[:-9], content[: len(content) // 2], content.replace(b"(", b"["), b"", b"index"):
        if broken == content:
            continue
        path.write_bytes(broken)
        with pytest.raises(FormatError):
            TreeIndex.load(path)
    hedgerow.save(hedgerow.feature_extraction.FragmentHasher(), path)
    with pytest.raises(FormatError, match="not a TreeIndex"):
        TreeIndex.load(path)


def test_forged_arrays_are_refused():
    index = TreeIndex(Normalized(SubsetTree())).fit(random_trees(20, 8))
    _, arrays = index._to_state()
    for name, values in arrays.items():
        if not len(values):
            continue
        for place, value in ((0, -7), (-1, 10**6 % 251), (len(values) // 2, 99)):
            forged = values.copy()
            forged[place] = value % 256 if values.dtype == np.uint8 else value
            other = clone(index)
            try:
                other._from_state({}, arrays | {name: forged})
            except ValueError:
                continue
            other.kneighbors(["(A x)"], 1)


def test_shared_fragments_add_up_to_the_kernel():
    for kernel in (SubTree(), SubsetTree(), PartialTree(), SubPath(), Normalized(SubsetTree())):
        a, b = "(S (A (B x) (C y)) (A (B x) (C z)))", "(R (A (B x) (C y)) (D (B x) q))"
        index = TreeIndex(kernel).fit([a])
        shared = index.explain_pair(0, b, 1000)
        assert sum(each.weight for each in shared) == pytest.approx(kernel([a], [b])[0, 0])
        assert [each.weight for each in shared] == sorted((each.weight for each in shared), reverse=True)
        for each in shared:
            assert all(each.places), each
    places = {each.tree: each.places for each in TreeIndex(SubsetTree()).fit([a]).explain_pair(0, b, 100)}
    assert places["(B x)"] == ((1, 6), (1, 6))
    assert places["(A (B x) (C y))"] == ((4,), (4,))
    assert places["(A B C)"] == ((4, 9), (4,))
