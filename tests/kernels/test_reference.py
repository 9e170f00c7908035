"""Tree kernels against values that other programs computed, and against themselves on real data."""

import csv
import gzip
import json
from fractions import Fraction

import numpy as np
import pytest

from hedgerow import Forest
from hedgerow.io import read_svmlight_tk
from hedgerow.kernels import Normalized, PartialTree, SubPath, SubsetTree, SubTree
from tests.kernels import tree_oracles as oracles
from tests.kernels.tree_cases import pairwise

pytestmark = pytest.mark.shared_data


@pytest.fixture(scope="module")
def reference_folder(data_folder):
    folder = data_folder.parent / "reference"
    if not folder.is_dir():
        pytest.skip(f"no reference values at {folder}")
    return folder


# -- other programs ------------------------------------------------------------------------------------------


def kernel_of(entry):
    """The kernel that an entry of tree_kernels.json describes."""
    decay = entry["lambda"]
    kernel = {
        "ST": lambda: SubTree(decay=decay),
        "SST": lambda: SubsetTree(decay=decay),
        "SST-bow": lambda: SubsetTree(decay=decay, bag_of_words=True),
        "PT": lambda: PartialTree(decay=decay, vertical_decay=entry["mu"], max_length=entry["max_length"]),
    }[entry["kernel"]]()
    return Normalized(kernel) if entry["normalised"] else kernel


def test_small_trees(reference_folder):
    content = json.loads((reference_folder / "tree_kernels.json").read_text())
    X = Forest(content["trees"])
    assert len(content["values"]) == 32
    for entry in content["values"]:
        # One value in single precision is itself 1.03e-6 from the exact one: see below.
        rtol = 1.1e-6 if "single" in entry["source"] else 1e-12
        expected = np.nan_to_num(np.array(entry["K"], dtype=float))  # null: a self-kernel was 0
        what = {name: value for name, value in entry.items() if name != "K"}
        kernel = kernel_of(entry)
        np.testing.assert_allclose(kernel(X), expected, rtol=rtol, atol=0, err_msg=str(what))
        np.testing.assert_allclose(
            kernel(X[:4], X[4:]), expected[:4, 4:], rtol=rtol, atol=0, err_msg=str(what)
        )


def test_small_trees_exactly(reference_folder):
    content = json.loads((reference_folder / "tree_kernels.json").read_text())
    X = Forest(content["trees"])
    items = [as_tuples(tree) for tree in X]
    for decay, vertical_decay in [("0.4", "0.4"), ("1", "0.4"), ("1", "1")]:
        numbers = Fraction(decay), Fraction(vertical_decay)
        exact = [[float(oracles.pt_recursive(x, y, *numbers)) for y in items] for x in items]
        K = PartialTree(decay=float(decay), vertical_decay=float(vertical_decay))(X)
        np.testing.assert_allclose(K, exact, rtol=1e-12, atol=0)


def as_tuples(tree):
    return tree.label, tuple(as_tuples(child) for child in tree.children())


def test_pairs_of_questions(data_folder, reference_folder):
    X, _ = read_svmlight_tk(data_folder / "qc" / "test.grct.tk.gz")
    with gzip.open(reference_folder / "kelp_kernel_scores.tsv.gz", "rt") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    assert len(rows) == 499
    left, right = (np.array([int(row[name]) for row in rows]) for name in ("i", "j"))
    columns = {
        "kelp_sstk_bow_l0.4": SubsetTree(decay=0.4, bag_of_words=True),
        "kelp_ptk_mu0.4_l0.4_t5": PartialTree(decay=0.4, vertical_decay=0.4, terminal_factor=5),
    }
    for name, kernel in columns.items():
        expected = np.array([float(row[name]) for row in rows])
        np.testing.assert_allclose(
            Normalized(kernel)(X)[left, right], expected, rtol=1e-6, atol=0, err_msg=name
        )


# -- the collapsed engine against pairs one by one -----------------------------------------------------------


def questions(data_folder, kind):
    return read_svmlight_tk(data_folder / "qc" / f"train.{kind}.tk.gz")[0]


def newspaper(data_folder):
    return Forest.read(data_folder / "ptb_sample" / "clean.tsv.gz", field=1)


def predicates(data_folder):
    return read_svmlight_tk(data_folder / "srl_wsj" / "train.tk.gz")[0][:2000]


# How to read a data set, and how many of its trees to compare in each kernel.
DATA = {
    "questions, constituents": (lambda folder: questions(folder, "ct"), 400, 300),
    "questions, relations": (lambda folder: questions(folder, "grct"), 400, 200),
    "newspaper": (newspaper, 200, 60),
    "predicates": (predicates, 400, 200),
}
KERNELS = {
    "SST": SubsetTree(),
    "SST, no decay": SubsetTree(decay=1),
    "SST-bow": SubsetTree(bag_of_words=True),
    "PT": PartialTree(),
    "PT-5": PartialTree(max_length=5, terminal_factor=5),
    "uPT": PartialTree(lexical=False),
}


@pytest.fixture(scope="module", params=DATA, ids=DATA.keys())
def data(request, data_folder):
    read, subset_trees, partial_trees = DATA[request.param]
    forest = read(data_folder)
    # Scattered over the file, since neighbours are alike.
    chosen = np.random.default_rng(0).permutation(len(forest))
    return forest[chosen[:subset_trees]], forest[chosen[:partial_trees]]


@pytest.mark.parametrize("kernel", KERNELS.values(), ids=KERNELS.keys())
def test_collapsed_rows_equal_pairs(kernel, data):
    X = data[isinstance(kernel, PartialTree)]
    Y = Forest(X[::2].to_brackets())  # another vocabulary
    pairs = pairwise(kernel, X)
    np.testing.assert_allclose(kernel(X), pairs, rtol=1e-12, atol=0)
    np.testing.assert_allclose(kernel(X, Y), pairs[:, ::2], rtol=1e-12, atol=0)
    np.testing.assert_allclose(kernel.diag(X), np.diag(pairs), rtol=1e-12, atol=0)
    roots = np.sqrt(np.diag(pairs))
    normalised = np.divide(
        pairs, np.outer(roots, roots), out=np.zeros_like(pairs), where=roots * roots[:, None] > 0
    )
    np.testing.assert_allclose(Normalized(kernel)(X), normalised, rtol=1e-12, atol=0)
    np.testing.assert_allclose(Normalized(kernel)(X, dtype=np.float32), normalised, rtol=1e-5, atol=1e-37)
    if pairs.max() < np.finfo(np.float32).max:
        np.testing.assert_allclose(kernel(X, dtype=np.float32), pairs, rtol=1e-5, atol=0)
        np.testing.assert_allclose(kernel(X, Y, dtype=np.float32), pairs[:, ::2], rtol=1e-5, atol=0)
    else:
        with pytest.raises(OverflowError):
            kernel(X, dtype=np.float32)


@pytest.mark.parametrize("kernel", [SubTree(), SubPath(), *KERNELS.values()], ids=["ST", "SubPath", *KERNELS])
def test_real_matrices_are_positive_semi_definite(kernel, data):
    K = Normalized(kernel)(data[1][:100])
    assert np.array_equal(K, K.T)
    assert np.linalg.eigvalsh(K).min() > -1e-9
