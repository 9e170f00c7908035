"""Lists of candidates: an array of lists, which candidate is the best, and what is refused."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.model_selection import KFold
from sklearn.utils import _safe_indexing

from hedgerow import Forest
from hedgerow.data import CandidateLists

LENGTHS = [2, 1, 3]
COLUMNS = {
    "features": sparse.csr_array(np.arange(12.0).reshape(6, 2)),
    "grades": [0.1, 0.2, 0.3, 0.4, 0.5, 0.5],
    "brackets": [[1, 2, 3]] * 6,
    "base_scores": [-2.0, -1.0, -5.0, -4.0, -4.0, -9.0],
    "trees": [f"(S (A a{i}))" for i in range(6)],
}


def full():
    return CandidateLists(LENGTHS, **COLUMNS)


def same(lists, rows):
    """Whether the lists have these rows of all columns."""
    return (
        lists.grades.tolist() == [COLUMNS["grades"][r] for r in rows]
        and lists.base_scores.tolist() == [COLUMNS["base_scores"][r] for r in rows]
        and lists.features.toarray().tolist() == COLUMNS["features"].toarray()[rows].tolist()
        and lists.brackets.tolist() == [[1, 2, 3]] * len(rows)
        and lists.trees.to_brackets() == [COLUMNS["trees"][r] for r in rows]
    )


@pytest.mark.parametrize(
    ("key", "lengths", "rows"),
    [
        (slice(None), [2, 1, 3], range(6)),
        (slice(1, None), [1, 3], [2, 3, 4, 5]),
        (slice(None, None, -1), [3, 1, 2], [3, 4, 5, 2, 0, 1]),
        ([2, 0, 2], [3, 2, 3], [3, 4, 5, 0, 1, 3, 4, 5]),
        (np.array([True, False, True]), [2, 3], [0, 1, 3, 4, 5]),
        ([], [], []),
    ],
)
def test_parts(key, lengths, rows):
    part = full()[key]
    assert part.lengths.tolist() == lengths
    assert same(part, list(rows))


def test_one_list():
    item = full()[-1]
    assert len(item) == 3
    assert same(item, [3, 4, 5])
    assert [len(item) for item in full()] == LENGTHS
    with pytest.raises(IndexError, match="index 3 is out of range for 3 items"):
        full()[3]
    assert CandidateLists([2])[0].grades is None


def test_concatenation():
    lists = full()
    assert same(lists[:1] + lists[1:], range(6))
    with pytest.raises(ValueError, match="the columns differ"):
        lists + CandidateLists([1], grades=[1])
    with pytest.raises(ValueError, match="at least one data set is needed"):
        CandidateLists.concatenate([])


def test_pickle_and_repr():
    assert same(pickle.loads(pickle.dumps(full())), range(6))
    assert repr(full()[:2]) == (
        "CandidateLists(2 lists, 3 candidates: features, grades, brackets, base_scores, trees)"
    )
    assert repr(CandidateLists([4])) == "CandidateLists(1 lists, 4 candidates: nothing but their lengths)"


def test_scikit_learn_splits_lists():
    lists = full()
    assert lists.shape == (3,)
    for train, test in KFold(3).split(lists):
        assert len(_safe_indexing(lists, train)) == 2
        assert same(_safe_indexing(lists, test), list(range(*lists.begins[test[0] : test[0] + 2])))


def test_best_candidates():
    lists = full()
    assert lists.oracles().tolist() == [1, 0, 1]  # the first of the best
    assert lists.baselines().tolist() == [1, 0, 0]
    assert CandidateLists(LENGTHS).baselines().tolist() == [0, 0, 0]
    with pytest.raises(ValueError, match="the lists have no grades"):
        CandidateLists(LENGTHS).oracles()
    with pytest.raises(ValueError, match="expected 6 values"):
        lists.highest([1.0])


@given(st.lists(st.lists(st.integers(-3, 3), min_size=1, max_size=5), max_size=6))
def test_highest_is_the_first_of_the_highest(values):
    lists = CandidateLists([len(part) for part in values])
    flat = [value for part in values for value in part]
    assert lists.highest(flat).tolist() == [part.index(max(part)) for part in values]


def test_grades_are_the_f1_of_brackets():
    lists = CandidateLists([2], brackets=[[1, 2, 3], [0, 0, 0]])
    assert lists.grades.tolist() == [0.4, 1.0]
    assert CandidateLists([2], brackets=[[1, 2, 3]] * 2, grades=[3, 4]).grades.tolist() == [3, 4]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"lengths": [2, 0]}, ValueError, "every list needs at least one candidate, but list 1 has 0"),
        ({"lengths": [1.5]}, TypeError, "lengths must be whole numbers"),
        ({"grades": [1]}, ValueError, "the lengths of the lists add up to 2 candidates, but grades has 1"),
        ({"grades": [1, np.nan]}, ValueError, "grades must be finite, but candidate 1 has nan"),
        ({"grades": [[1, 2]]}, ValueError, "grades must have one value for each candidate"),
        ({"features": [1, 2]}, ValueError, "features must be a matrix"),
        (
            {"features": [[1], [np.inf]]},
            ValueError,
            "features must be finite, but those of candidate 1 are not",
        ),
        ({"features": [[1]]}, ValueError, "add up to 2 candidates, but features has 1"),
        ({"brackets": [[1, 2], [1, 2]]}, ValueError, r"whole numbers of shape \(candidates, 3\)"),
        ({"brackets": [[1, 2, 3], [4, 4, 3]]}, ValueError, r"candidate 1 has \[4, 4, 3\]"),
        ({"trees": Forest(["(S a)"])}, ValueError, "add up to 2 candidates, but trees has 1"),
    ],
)
def test_refusals(arguments, error, message):
    with pytest.raises(error, match=message):
        CandidateLists(**{"lengths": [2], **arguments})
