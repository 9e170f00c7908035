"""Fragments of trees as hashed features: against a slow version, in scikit-learn, and on any number of threads."""

from __future__ import annotations

import math
import pickle
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.pipeline import make_pipeline

import hedgerow
from hedgerow import Forest
from hedgerow.feature_extraction import FragmentHasher
from hedgerow.online import PassiveAggressive

TREES = [
    "(S (NP (D the) (N dog)) (VP barks))",
    "(S (NP (D the) (N cat)) (VP (V saw) (NP (D the) (N dog))))",
    "(a)",
]


def slow_fragments(tree, subtrees, paths, leaves, productions, siblings):
    """All fragments of a tree in words, by recursion."""
    found, chains, tokens = Counter(), [], []

    def height(node):
        return 1 + max(map(height, node.children()), default=-1)

    def cut(node, levels):
        if levels == 0 or not node.children():
            return node.label
        return f"({node.label} {' '.join(cut(child, levels - 1) for child in node.children())})"

    def visit(node, above):
        for n in range(1, paths + 1):
            if n <= len(above) + 1:
                chains.append(" > ".join([*above, node.label][-n:]))
        if node.children():
            if productions:
                found["production", cut(node, 1)] += 1
            for k in range(2, subtrees + 1):
                if height(node) >= k:
                    found["subtree", cut(node, k)] += 1
            if siblings:
                for left, right in zip(node.children(), node.children()[1:], strict=False):
                    found["siblings", f"{node.label}: {left.label} {right.label}"] += 1
            for child in node.children():
                visit(child, [*above, node.label])
        else:
            tokens.append(node.label)

    visit(tree, [])
    found.update(("path", chain) for chain in chains)
    for n in range(1, leaves + 1):
        found.update(("leaves", " ".join(tokens[i : i + n])) for i in range(len(tokens) - n + 1))
    return found


FAMILIES = {"subtrees": 3, "paths": 3, "leaves": 2, "productions": True, "siblings": True}
labels = st.sampled_from("abc")
trees = st.recursive(
    labels, lambda inner: st.tuples(labels, st.lists(inner, min_size=1, max_size=3)), max_leaves=8
)


def brackets(tree):
    return f"({tree})" if isinstance(tree, str) else f"({tree[0]} {' '.join(map(brackets, tree[1]))})"


@given(trees, st.sampled_from([*FAMILIES, None]))
@settings(max_examples=50, deadline=None)
def test_names_are_all_fragments(tree, left_out):
    families = FAMILIES | ({} if left_out is None else {left_out: type(FAMILIES[left_out])(0)})
    forest = Forest([brackets(tree)])
    named = FragmentHasher(**families).fragments(forest)
    slow = slow_fragments(forest[0], **families)
    expected: Counter[str] = Counter()
    for (_, name), count in slow.items():  # families may have fragments that are written alike
        expected[name] += count
    assert Counter(name for _, _, name in named) == expected


@pytest.mark.parametrize("norm", ["none", "l1", "l2"])
@pytest.mark.parametrize(
    ("counts", "worth"), [("raw", float), ("binary", lambda n: 1.0), ("log", lambda n: 1 + math.log(n))]
)
def test_values(counts, worth, norm):
    hasher = FragmentHasher(counts=counts, norm=norm, alternate_sign=False)
    forest = Forest(TREES)
    rows = hasher.transform(forest)
    for i in range(len(forest)):
        expected = {
            c: worth(n) for c, n in Counter(c for c, _, _ in hasher.fragments(forest[i : i + 1])).items()
        }
        values = np.array(list(expected.values()))
        length = {"none": 1.0, "l1": values.sum(), "l2": np.linalg.norm(values)}[norm]
        row = rows[[i]]
        assert dict(zip(row.indices.tolist(), (row.data * length).tolist(), strict=True)) == pytest.approx(
            expected
        )
    assert rows.has_sorted_indices


def test_hashes_depend_on_texts_only():
    alone = FragmentHasher().transform(Forest(TREES[1:2]))
    among = FragmentHasher().transform(Forest(["(z (y x))", *TREES]))[[2]]
    assert (alone != among).nnz == 0


def test_signs_cancel_about_half():
    rows = FragmentHasher(paths=8, subtrees=6).transform(Forest(TREES))
    assert 0.2 < (rows.data < 0).mean() < 0.8
    assert (FragmentHasher(alternate_sign=False).transform(Forest(TREES)).data > 0).all()


def test_threads_change_nothing():
    forest = Forest(TREES * 100)
    one, two = (FragmentHasher(n_jobs=n).transform(forest) for n in (1, 2))
    assert (one != two).nnz == 0
    assert FragmentHasher().transform(Forest()).shape == (0, 2**20)


def test_in_pipelines():
    X, y = Forest(TREES * 3), ["dog", "cat", "none"] * 3
    model = make_pipeline(FragmentHasher(n_features=2**12), TfidfTransformer(), PassiveAggressive()).fit(X, y)
    assert model.predict(X).tolist() == y
    hasher = FragmentHasher(paths=2)
    assert clone(hasher).get_params() == hasher.get_params()
    assert pickle.loads(pickle.dumps(hasher)).paths == 2


def test_saved_and_loaded(tmp_path):
    hedgerow.save(FragmentHasher(leaves=0), tmp_path / "hasher")
    loaded = hedgerow.load(tmp_path / "hasher")
    assert (loaded.transform(Forest(TREES)) != FragmentHasher(leaves=0).transform(Forest(TREES))).nnz == 0


def test_parameters_are_checked():
    with pytest.raises(ValueError, match="n_features must be a power of two"):
        FragmentHasher(n_features=1000).fit(Forest(TREES))
    with pytest.raises(ValueError, match="paths must be a whole number"):
        FragmentHasher(paths=21).transform(Forest(TREES))
    with pytest.raises(ValueError, match="choose at least one"):
        FragmentHasher(subtrees=1, paths=0, leaves=0, productions=False, siblings=False).fit(Forest(TREES))
    with pytest.raises(ValueError, match="takes one tree, got 3"):
        FragmentHasher().fragments(Forest(TREES))
