"""Curves as text: the dots are where the points are."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from hedgerow.inspection import curve_text


def dots(text, width, height):
    """The drawing as rows of booleans, two by four to a letter."""
    grid = np.zeros((4 * height, 2 * width), dtype=bool)
    places = [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1), (3, 0), (3, 1)]  # by bit
    for row, line in enumerate(text.splitlines()[:height]):
        drawn = line[max(line.find("│"), line.find("┤")) + 1 :][:width]
        for column, letter in enumerate(drawn):
            bits = ord(letter) - 0x2800 if letter >= "\u2800" else 0
            for bit, (down, right) in enumerate(places):
                grid[4 * row + down, 2 * column + right] |= bool(bits >> bit & 1)
    return grid


@pytest.mark.parametrize(("width", "height"), [(2, 2), (20, 5), (56, 10)])
def test_a_line_goes_through_its_points(width, height):
    random = np.random.RandomState(0)
    x = np.arange(width)
    y = random.rand(width).cumsum()
    grid = dots(curve_text({"": (x, y)}, width=width, height=height), width, height)
    assert grid.any(axis=0).all()  # no gap from left to right
    assert grid[-1, 0]
    assert grid[0, -1]
    for column in range(2 * width):
        wanted = np.interp(column / (2 * width - 1) * (width - 1), x, y)
        row = round((y[-1] - wanted) / (y[-1] - y[0]) * (4 * height - 1))
        assert grid[row, column]
    steps = [np.flatnonzero(column) for column in grid.T]
    for rows, following in pairwise(steps):  # no gap from bottom to top
        assert rows.min() - following.max() <= 1
        assert np.ptp(rows) == len(rows) - 1


def test_falling_and_flat_lines():
    grid = dots(curve_text({"": ([0, 1], [1, 0])}, width=4, height=2), 4, 2)
    assert (grid == np.eye(8, dtype=bool)).all()
    text = curve_text({"": ([0, 1, 5], [3, 3, 3])}, width=4, height=3)
    assert dots(text, 4, 3).sum() == 8
    assert text.startswith("3.5 ┤")


def test_frame():
    text = curve_text(
        {"a": ([10, 2000], [0, 0.5]), "b": ([10, 1000], [0.5, 0])}, width=20, height=4, x_label="seen"
    )
    lines = text.splitlines()
    assert lines[0].startswith("0.5 ┤")
    assert lines[3].startswith("  0 ┤")
    assert lines[0].endswith(" a")
    assert lines[3].endswith(" b")
    assert lines[4] == "    └" + 20 * "─"
    assert lines[5] == "     10             2,000  seen"
    both = curve_text({"a": ([0, 1], [0, 1]), "b": ([0, 1], [0.1, 1])}, width=5, height=2)
    assert both.splitlines()[0].endswith(" a, b")


def test_one_point():
    assert dots(curve_text({"": ([1], [1])}, width=3, height=2), 3, 2).sum() >= 1


@pytest.mark.parametrize(
    ("curves", "expected"),
    [
        ({}, "no curve"),
        ({"a": ([], [])}, "'a' must be equally long, and not empty"),
        ({"a": ([1, 2], [1])}, "equally long"),
        ({"a": ([1, 1], [1, 2])}, "x of 'a' must rise"),
        ({"a": ([1, 2], [1, float("nan")])}, "finite"),
    ],
)
def test_complaints(curves, expected):
    with pytest.raises(ValueError, match=expected):
        curve_text(curves)
    with pytest.raises(ValueError, match="width"):
        curve_text({"a": ([1, 2], [1, 2])}, width=1)
