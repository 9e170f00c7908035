"""Samples of the examples that grow, and the parts of them that are held out."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
from sklearn.model_selection import KFold, StratifiedKFold, train_test_split

from hedgerow.kernels.base import Matrix

FEWEST = 1000  # examples of the first sample, if there are so many
OF_A_CLASS = 10  # examples that all but the rarest classes have in it
GROWTH = 4  # of samples, so that all but the last cost little


def first_size(y: Any, n: int, folds: int) -> int:
    """Examples of the first sample: n divided by 4 as often as enough remain to compare anything."""
    fewest = float(max(FEWEST, 2 * folds))
    if stratified(y):
        counts = np.sort(np.unique(np.asarray(y), return_counts=True)[1])
        fewest = max(fewest, OF_A_CLASS * len(counts))
        if len(counts) > 1:  # the second largest class tells whether there is anything to learn
            fewest = max(fewest, OF_A_CLASS * folds * len(y) / counts[-2])
    size = n
    while size / GROWTH >= fewest:
        size = math.ceil(size / GROWTH)
    return size


def largest_size(n: int, folds: int, enough: int) -> int:
    """Examples of the largest sample: all, or two thirds of so many that one part of these holds enough.

    Machines take less than half the time for two thirds; what is lost is the comparison on the rest.
    """
    some = math.ceil(n * 2 / 3)
    return some if some >= folds * enough else n


def next_size(size: int, n: int) -> int:
    return n if size * GROWTH > n / 1.5 else size * GROWTH


def sample(y: Any, size: int, seed: int) -> Matrix:
    """Places of so many examples, with classes in proportion."""
    everything = np.arange(len(y))
    if size >= len(y):
        return everything
    try:
        some, _ = train_test_split(
            everything, train_size=size, random_state=seed, stratify=y if stratified(y) else None
        )
    except ValueError:  # a class with one example, or more classes than are left out
        some, _ = train_test_split(everything, train_size=size, random_state=seed)
    return np.sort(some)


def parts(y: Any, folds: int, seed: int, enough: int) -> list[tuple[Matrix, Matrix]]:
    """Places to learn from and to hold out, for as many of the folds as it takes to hold out enough examples."""
    splitter = (StratifiedKFold if stratified(y) else KFold)(folds, shuffle=True, random_state=seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # a class with fewer examples than folds
        splits = list(splitter.split(np.zeros(len(y)), y if stratified(y) else None))
    return splits[: n_parts(len(y), folds, enough)]


def n_parts(n: int, folds: int, enough: int) -> int:
    return min(folds, math.ceil(enough * folds / n))


def stratified(y: Any) -> bool:
    """Whether they are labels; outputs with structure have no classes."""
    return isinstance(y, np.ndarray) and y.ndim == 1
