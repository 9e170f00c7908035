"""One-dimensional indexing as numpy does it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hedgerow.data.indexing import as_positions

NUMBERS = np.arange(10)


@pytest.mark.parametrize(
    "key", [0, 9, -1, -10, np.int8(3), np.uint8(3), np.int64(-2), np.array(4), np.uint64(5)]
)
def test_one_position(key):
    position = as_positions(key, 10)
    assert type(position) is int
    assert position == NUMBERS[key]


@pytest.mark.parametrize(
    "dtype", [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64]
)
def test_index_arrays_of_every_kind(dtype):
    positions = as_positions(np.array([1, 0, 100], dtype=dtype), 1000)
    assert positions.tolist() == [1, 0, 100]
    assert positions.dtype == np.int64


def test_negative_numbers_of_a_small_kind():
    assert as_positions(np.array([-1, -100], dtype=np.int8), 1000).tolist() == [999, 900]


@pytest.mark.parametrize(
    "key", [[], np.array([]), np.array([], dtype=int), slice(5, 5), [False] * 10, range(0)]
)
def test_nothing(key):
    positions = as_positions(key, 10)
    assert positions.shape == (0,)
    assert positions.dtype == np.int64


def test_no_index_at_all_means_everything():
    assert as_positions((), 10).tolist() == NUMBERS[()].tolist()


@pytest.mark.parametrize("key", [[1, 2], [True, False] * 5, slice(1, 7, 2), 3, np.array([2, 2])])
def test_an_ellipsis_changes_nothing(key):
    assert np.array_equal(as_positions((key, ...), 10), NUMBERS[key, ...])
    assert np.array_equal(as_positions((..., key), 10), NUMBERS[..., key])
    assert as_positions(..., 10).tolist() == NUMBERS.tolist()


KEYS = (
    st.integers(-12, 12)
    | st.slices(10)
    | st.lists(st.integers(-12, 12), max_size=5)
    | st.lists(st.integers(-10, 9), max_size=5).map(np.array)
    | st.lists(st.booleans(), min_size=9, max_size=11)
    | st.lists(st.booleans(), min_size=10, max_size=10).map(np.array)
)


@given(KEYS)
def test_as_numpy_indexes(key):
    if isinstance(key, list) and not key:
        expected = []
    else:
        try:
            expected = NUMBERS[key].tolist()
        except IndexError:
            if isinstance(key, np.ndarray) and key.size == 0:
                expected = []
            else:
                with pytest.raises(IndexError):
                    as_positions(key, 10)
                return
    positions = as_positions(key, 10)
    assert (positions if isinstance(positions, int) else positions.tolist()) == expected


@pytest.mark.parametrize(
    ("key", "message"),
    [
        (10, "index 10 is out of range for 10 items"),
        (-11, "index -11 is out of range for 10 items"),
        ([0, 10], "index 10 is out of range for 10 items"),
        (np.array([-11, 3]), "index -11 is out of range for 10 items"),
        (np.array([2**64 - 1], dtype=np.uint64), "index 18446744073709551615 is out of range for 10 items"),
        ([True, False], "the mask has 2 entries for 10 items"),
        (np.array([], dtype=bool), "the mask has 0 entries for 10 items"),
        ([0.0, 1.0], "indices must be whole numbers or booleans, got float64"),
        (["a"], "indices must be whole numbers or booleans, got <U1"),
        ([[0, 1]], "expected an index, a slice, a mask or a list of indices"),
        (True, "expected an index, a slice, a mask or a list of indices"),
        (1.0, "expected an index, a slice, a mask or a list of indices"),
        (None, "expected an index, a slice, a mask or a list of indices"),
        ((1, 2), "too many indices: one dimension is indexed, got 2"),
    ],
)
def test_refused(key, message):
    with pytest.raises(IndexError, match=message):
        as_positions(key, 10)


def test_nothing_can_be_taken_from_nothing():
    assert as_positions(slice(None), 0).tolist() == []
    assert as_positions([], 0).tolist() == []
    with pytest.raises(IndexError, match="index 0 is out of range for 0 items"):
        as_positions(0, 0)
