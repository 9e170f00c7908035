"""Gram matrices in blocks: equal to the kernel's own, lazy, symmetric blocks computed once."""

from __future__ import annotations

import numpy as np
import pytest

from hedgerow import distributed
from hedgerow.datasets import load_questions
from hedgerow.distributed import gram
from hedgerow.io import read_svmlight_tk, write_svmlight_tk
from hedgerow.kernels import RBF, Linear, Normalized, PartialTree, Spectrum, SubsetTree

array = pytest.importorskip("dask.array")
KERNELS = [SubsetTree(), Normalized(SubsetTree()), Normalized(PartialTree()), 0.5 * SubsetTree(decay=0.1)]


@pytest.fixture(scope="module")
def trees(tmp_path_factory):
    """Three part files of trees, of different sizes."""
    folder = tmp_path_factory.mktemp("trees")
    trees, y = load_questions()
    for number, (begin, end) in enumerate([(0, 20), (20, 31), (31, 60)]):
        write_svmlight_tk(folder / f"part{number}.tk", trees[begin:end], y[begin:end])
    return folder


def parts(folder, pattern="part*.tk", n=3):
    return distributed.read(folder / pattern, shards=n)


class TestTrees:
    @pytest.mark.parametrize("kernel", KERNELS, ids=str)
    def test_blocks_are_the_kernels_values(self, trees, kernel):
        X = load_questions()[0][:60]
        K = gram(kernel, parts(trees))
        assert K.chunks == ((20, 11, 29),) * 2
        np.testing.assert_allclose(np.asarray(K), kernel(X), rtol=1e-14, atol=0)
        K = gram(kernel, parts(trees), parts(trees, "part[12].tk", 2))
        assert K.chunks == ((20, 11, 29), (11, 29))
        np.testing.assert_allclose(np.asarray(K), kernel(X, X[20:]), rtol=1e-14, atol=0)

    def test_on_a_cluster(self, client, trees):
        kernel = Normalized(SubsetTree())
        here = np.asarray(gram(kernel, parts(trees)))
        K = gram(kernel, parts(trees), client=client)
        np.testing.assert_array_equal(client.compute(K).result(), here)
        np.testing.assert_array_equal(client.compute(K[25:40]).result(), here[25:40])

    def test_blocks_are_lazy_and_computed_once(self, trees, monkeypatch):
        pairs = []
        real = SubsetTree._gram

        def counted(self, X, Y, dtype, n_jobs):
            pairs.append((len(X), None if Y is None else len(Y)))
            return real(self, X, Y, dtype, n_jobs)

        monkeypatch.setattr(SubsetTree, "_gram", counted)
        K = gram(SubsetTree(), parts(trees))
        assert pairs == []
        K[:20, :20].compute(scheduler="synchronous")
        assert pairs == [(20, None)]
        pairs.clear()
        K.compute(scheduler="synchronous")
        assert sorted(pairs, key=str) == sorted(
            [(20, None), (11, None), (29, None), (20, 11), (20, 29), (11, 29)], key=str
        )


def test_vectors_have_one_width(tmp_path):
    (tmp_path / "part1.svm").write_text("1 1:1 2:2\n-1 2:1\n")
    (tmp_path / "part2.svm").write_text("1 1:2 5:1\n")
    (tmp_path / "other.svm").write_text("1 9:3\n1 2:4\n")
    (tmp_path / "all.svm").write_text("".join((tmp_path / f"part{i}.svm").read_text() for i in (1, 2)))
    X, _ = read_svmlight_tk(tmp_path / "all.svm", n_features=9)
    Y, _ = read_svmlight_tk(tmp_path / "other.svm", n_features=9)
    for kernel in (Linear(), RBF(0.5)):
        K = gram(kernel, parts(tmp_path, "part*.svm", 2), parts(tmp_path, "other.svm", 1))
        np.testing.assert_array_equal(np.asarray(K), kernel(X, Y))


def test_dask_collections(client):
    bag = pytest.importorskip("dask.bag")
    words = ["abab", "bcbc", "abcabc", "ccc", "aaa"]
    data = distributed.from_dask(bag.from_sequence(words, npartitions=3))
    K = gram(Spectrum(2), data, client=client)
    np.testing.assert_array_equal(client.compute(K).result(), Spectrum(2)(words))
    points = np.arange(12.0).reshape(6, 2)
    data = distributed.from_dask(array.from_array(points, chunks=(2, 2)))
    np.testing.assert_array_equal(np.asarray(gram(RBF(), data)), RBF()(points))


def test_what_is_no_data(trees):
    with pytest.raises(TypeError, match="Y must be Shards, made by read or from_dask, got a list"):
        gram(SubsetTree(), parts(trees), ["(S a)"])
    with pytest.raises(ValueError, match="decay"):
        gram(SubsetTree(decay=-1), parts(trees))
