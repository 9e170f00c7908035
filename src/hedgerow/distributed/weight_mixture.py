"""Changes of weights that shards send, and the mixture of them all.

Native learners name what they keep and say how it is mixed: coordinates of the cells of features, and numbers of
functions, by ``"mean"``, ``"sum"``, ``"max"``, or not at all (``"first"``: what the start had, or what follows from
others). Cells are known by keys, function * 2**32 + feature, which increase.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hedgerow import _core
from hedgerow.kernels.base import Matrix


@dataclass
class Change:
    """What an epoch on a shard has changed, of the features that it has touched."""

    keys: Matrix
    cells: Matrix  # a row for each coordinate
    numbers: dict[str, Matrix]  # by function: what was added, or the largest value
    seen: int
    mistakes: int
    width: int


def change_between(start: _core.LinearLearner, after: _core.LinearLearner) -> Change:
    """What happened between two states."""
    keys, cells = after.change_since(start)
    before, now = start.numbers(), after.numbers()
    kinds = after.mixing_of_numbers
    numbers = {name: now[name] if kind == "max" else now[name] - before[name] for name, kind in kinds.items()}
    seen, mistakes = after.seen - start.seen, after.mistakes - start.mistakes
    return Change(keys, np.stack(cells), numbers, seen, mistakes, after.width)


class Mixture:
    """The changes of all shards, taken one after the other: means are weighted by the shares of shards, sums add up.

    The mean of a cell is one over the shards that have changed it. Were it over all, then a feature that few shards
    have would come back with a fraction of what was learned of it, and most features of texts are such: on 20
    newsgroups in 8 shards a perceptron would lose 4 points to one machine after 5 rounds. As it is, it loses none.
    """

    def __init__(self, start: _core.LinearLearner) -> None:
        """The learner that all shards began with."""
        self._start = start
        self._is_mean = np.array([kind == "mean" for kind in start.mixing_of_cells.values()])
        self._keys = np.zeros(0, dtype=np.int64)
        self._cells = np.zeros((len(self._is_mean), 0))
        self._touched = np.zeros(0)  # the shares of the shards that have changed a cell
        self._numbers = start.numbers()
        self._seen, self._mistakes, self._width = start.seen, start.mistakes, start.width

    def add(self, change: Change, share: float) -> None:
        """share: of all examples, those of this shard."""
        places = self._places(change.keys)
        self._cells[:, places] += change.cells * np.where(self._is_mean, share, 1.0)[:, None]
        self._touched[places] += share * change.cells[self._is_mean].any(axis=0)
        for name, kind in self._start.mixing_of_numbers.items():
            number = change.numbers[name]
            if kind == "max":
                np.maximum(self._numbers[name], number, out=self._numbers[name])
            elif kind != "first":
                self._numbers[name] += (share if kind == "mean" else 1.0) * number
        self._seen += change.seen
        self._mistakes += change.mistakes
        self._width = max(self._width, change.width)

    def _places(self, keys: Matrix) -> Matrix:
        """Where these keys are; new ones get a place."""
        places = np.searchsorted(self._keys, keys)
        known = places < len(self._keys)
        known[known] = self._keys[places[known]] == keys[known]
        if known.all():
            return places
        together = np.concatenate([self._keys, keys[~known]])
        together.sort(kind="stable")
        old = np.searchsorted(together, self._keys)
        cells, touched = np.zeros((len(self._cells), len(together))), np.zeros(len(together))
        cells[:, old], touched[old] = self._cells, self._touched
        self._keys, self._cells, self._touched = together, cells, touched
        return np.searchsorted(together, keys)

    def settle(self) -> _core.LinearLearner:
        """The learner that all shards begin the next round with: the start, mixed."""
        cells = self._cells.copy()
        cells[self._is_mean] /= np.where(self._touched > 0, self._touched, 1)
        self._start.mix(self._keys, list(cells), self._numbers, self._width)
        self._start.set_counts(self._seen, self._mistakes)
        return self._start
