"""The sum of one kernel per column."""

import numpy as np
import pytest

from hedgerow import Forest, Records
from hedgerow.kernels import RBF, Linear, Normalized, PartialTree, Spectrum, SubsetTree, combined


@pytest.fixture
def records():
    return Records(
        parse=Forest(["(S (NP a) (VP b))", "(S (NP a))", "(S (VP b))"]),
        features=np.array([[1.0, 2.0], [0.0, 0.0], [3.0, 1.0]]),
        words=["a b c d", "a b", "c d e"],
    )


def test_every_column_counts_and_none_outweighs_others(records):
    assert records.kinds == {"parse": "tree", "features": "vector", "words": "text"}
    expected = (
        Normalized(SubsetTree())(records["parse"])
        + Normalized(Linear())(records["features"])
        + Normalized(Spectrum())(records["words"])
    )
    np.testing.assert_allclose(combined(records)(records), expected)
    np.testing.assert_allclose(combined(records.kinds)(records), expected)


def test_kernels_of_a_kind_may_be_chosen(records):
    kernel = combined(records, tree=PartialTree(decay=0.1), vector=RBF(), normalize=False)
    expected = (
        PartialTree(decay=0.1)(records["parse"]) + RBF()(records["features"]) + Spectrum()(records["words"])
    )
    np.testing.assert_allclose(kernel(records), expected)


@pytest.mark.parametrize(
    ("columns", "message"),
    [({}, "at least one column"), ({"a": "picture"}, "'a' must be one of tree, text, vector, got 'picture'")],
)
def test_unknown_columns_are_refused(columns, message):
    with pytest.raises(ValueError, match=message):
        combined(columns)
