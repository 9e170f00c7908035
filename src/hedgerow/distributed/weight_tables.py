"""What a learner on weights has learned, as one table over all its functions and features.

A native learner saves a cell of numbers for every feature that it has touched, function by function, and some numbers
of each function. Here cells are rows that are known by keys, so that tables of learners that have seen different
features can be compared and added up.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from hedgerow.kernels.base import Matrix

FUNCTION_BITS = 32
BIAS = 1 << 31  # the feature that stands for a function's bias: it comes after all others

Columns = dict[str, Matrix]
Arrays = dict[str, Matrix]  # as native learners save and load them


class Place(NamedTuple):
    """Where a number of a function is saved."""

    array: str
    at: int


def places(*clock: str, **others: Place) -> dict[str, Place]:
    """Places of a clock's numbers, which come behind the bias cell, and of other numbers."""
    return {**{name: Place("clock", index) for index, name in enumerate(clock)}, **others}


@dataclass
class Layout:
    """How a kind of learner saves what it knows: a cell's numbers in their order, and those of a function."""

    fields: tuple[str, ...]
    numbers: Mapping[str, Place]


@dataclass
class WeightTable:
    """Cells by function and feature, and the numbers of functions."""

    layout: Layout
    keys: Matrix  # function * 2**32 + feature, increasing
    cells: Matrix  # a row for each key
    numbers: Columns  # by function
    width: int
    seen: int
    mistakes: int
    arrays: Arrays  # what this was read from, for what only some learners have

    @property
    def n_functions(self) -> int:
        return len(next(iter(self.numbers.values())))

    @classmethod
    def read(cls, arrays: Arrays, layout: Layout, n_functions: int) -> WeightTable:
        keys, cells = [], []
        for j in range(n_functions):
            features = arrays[f"function{j}.features"].astype(np.int64)
            keys.append((j << FUNCTION_BITS) + np.append(features, BIAS))
            cells.append(arrays[f"function{j}.cells"])
            cells.append(arrays[f"function{j}.bias_and_clock"][: len(layout.fields)])
        numbers = {
            name: np.array([_array(arrays, j, place, layout)[place.at] for j in range(n_functions)])
            for name, place in layout.numbers.items()
        }
        seen, mistakes = (int(count) for count in arrays["counts"])
        rows = np.concatenate(cells).reshape(-1, len(layout.fields))
        width = int(arrays["width"][0])
        return cls(layout, np.concatenate(keys), rows, numbers, width, seen, mistakes, arrays)

    def write(self) -> Arrays:
        """The arrays to load, with all others as they were read."""
        arrays = dict(self.arrays)
        touched = np.asarray(self.cells.any(axis=1))
        for j in range(self.n_functions):
            begin, end = np.searchsorted(self.keys, [j << FUNCTION_BITS, (j << FUNCTION_BITS) + BIAS])
            rows = np.flatnonzero(touched[begin:end]) + begin
            arrays[f"function{j}.size"] = np.array([self.width])
            arrays[f"function{j}.features"] = feature_of(self.keys[rows]).astype(np.int32)
            arrays[f"function{j}.cells"] = self.cells[rows].ravel()
            clock = _array(arrays, j, Place("clock", 0), self.layout)
            arrays[f"function{j}.bias_and_clock"] = np.concatenate([self.cells[end], clock])
            for name in {place.array for place in self.layout.numbers.values()} - {"clock"}:
                arrays[f"function{j}.{name}"] = arrays[f"function{j}.{name}"].copy()
            for name, place in self.layout.numbers.items():
                _array(arrays, j, place, self.layout)[place.at] = self.numbers[name][j]
        arrays["width"] = np.array([self.width])
        arrays["counts"] = np.array([self.seen, self.mistakes])
        return arrays

    def over(self, keys: Matrix) -> Matrix:
        """The cells by these keys, among which are all of its own; of zeros where there was none."""
        if len(keys) == len(self.keys):
            return self.cells
        cells = np.zeros((len(keys), len(self.layout.fields)))
        cells[np.searchsorted(keys, self.keys)] = self.cells
        return cells

    def columns(self, cells: Matrix) -> Columns:
        """Cells by the names of their numbers."""
        return dict(zip(self.layout.fields, cells.T, strict=True))


def _array(arrays: Arrays, function: int, place: Place, layout: Layout) -> Matrix:
    if place.array == "clock":
        return arrays[f"function{function}.bias_and_clock"][len(layout.fields) :]
    return arrays[f"function{function}.{place.array}"]


def function_of(keys: Matrix) -> Matrix:
    return keys >> FUNCTION_BITS


def feature_of(keys: Matrix) -> Matrix:
    return keys & ((1 << FUNCTION_BITS) - 1)


def find(keys: Matrix, wanted: Matrix) -> tuple[Matrix, Matrix]:
    """Where each wanted key would be among increasing keys, and whether it is there."""
    places = np.searchsorted(keys, wanted)
    known = places < len(keys)
    known[known] = keys[places[known]] == wanted[known]
    return places, known


def union(first: Matrix, second: Matrix) -> Matrix:
    """All keys of two that each increase."""
    _, known = find(first, second)
    if known.all():
        return first
    together = np.concatenate([first, second[~known]])
    together.sort(kind="stable")
    return together
