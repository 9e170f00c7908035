"""Synthetic pairs of strings."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from hedgerow.datasets import make_string_pairs


def test_letters_and_lengths():
    X, Y = make_string_pairs(2000, random_state=0)
    assert Counter(map(len, X)).keys() == set(range(10, 16))
    assert set("".join(X)) == set("".join(Y)) == set("abcd")
    assert abs(np.mean([set(x) <= set("cd") for x in X]) - 1 / 3) < 0.03


def test_outputs_are_undisturbed_as_often_as_said():
    _, Y = make_string_pairs(6000, random_state=1)
    counts = Counter(Y)
    # Neither insertion nor deletion, or a deletion that undoes one insertion: a little more than 0.55^2.
    for output in ("abad", "abbd", "aabc"):
        assert 0.3 < counts[output] / 2000 < 0.4
    # Two deletions without any insertion, one with one, and so on: lengths from 2 to 6.
    lengths = Counter(map(len, Y))
    assert lengths.keys() == {2, 3, 4, 5, 6}
    assert lengths[2] / 6000 == pytest.approx(0.55 * 0.15, abs=0.01)
    assert lengths[6] / 6000 == pytest.approx(0.55 * 0.15, abs=0.01)


def test_second_kind_repeats_letters():
    X, Y = make_string_pairs(3000, random_state=2)
    # abbd with two insertions or deletions is hard to tell from others; undisturbed it is not.
    repeats = {
        output: np.mean([a == b for x, y in zip(X, Y, strict=True) if y == output for a, b in pairwise(x)])
        for output in ("abad", "abbd", "aabc")
    }
    assert repeats["abad"] == pytest.approx(0.25, abs=0.02)
    assert repeats["abbd"] == pytest.approx(0.7, abs=0.02)
    assert repeats["aabc"] == pytest.approx(0.7, abs=0.02)


def test_state_decides():
    assert make_string_pairs(20, random_state=0) == make_string_pairs(20, random_state=0)
    assert make_string_pairs(20, random_state=0) != make_string_pairs(20, random_state=1)
    assert make_string_pairs(0) == ([], [])
    with pytest.raises(ValueError, match="n_samples must be a whole number at least 0"):
        make_string_pairs(-1)
