"""Learners on weights over many shards: iterative parameter mixing.

In every round all shards begin with the same state, learn from their examples in one epoch, and send what has changed.
The mean of the changes, weighted by the numbers of examples, or their sum (each native rule says of what) gives the
state of the next round. R. McDonald, K. Hall, G. Mann: Distributed training strategies for the structured perceptron,
NAACL-HLT 2010; they show that a perceptron converges under such mixing as it does alone.

Native learners name what they keep and say how it is mixed: coordinates of the cells of features, and numbers of
functions, by ``"mean"``, ``"sum"``, ``"max"``, or not at all (``"first"``: what the start had, or what follows from
others). Cells are known by keys, function * 2**32 + feature, which increase.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from hedgerow import _core
from hedgerow.distributed.online_learners import begin, hand_over, learn
from hedgerow.distributed.progress import Meter, Watch
from hedgerow.distributed.shards import Shard, Shards, Surveyed
from hedgerow.distributed.workers import Workers
from hedgerow.kernels import Linear
from hedgerow.kernels.base import Matrix

Arrays = dict[str, Matrix]  # as native learners save and load them


@dataclass
class Start:
    """What every shard begins a round with."""

    learner: Any  # not fitted, but with classes and codes
    arrays: Arrays  # the state of the native learner
    round: int
    seed: int  # of the orders in which examples come
    alone: bool  # whether there is one shard only


@dataclass
class Epoch:
    """What a shard sends back."""

    shard: str  # its name
    change: Change | None
    arrays: Arrays | None  # the whole state, of a shard that is alone
    width: int
    dense: bool
    feature_names: Any


def fit_weights(
    model: Any, data: Shards, workers: Workers, watch: Watch | None, rounds: int | None = None
) -> Any:
    """`distributed.fit` for learners on weights."""
    if getattr(model, "max_features", None) is not None:
        raise ValueError(
            "max_features must be None for learning from shards: bounded models forget features, each shard others"
        )
    surveyed, learner, native, seed = begin(model, data, workers)
    arrays = native.save()
    n_rounds = model.epochs if rounds is None else rounds
    meter = Meter(watch, surveyed.n, n_rounds)
    alone = np.count_nonzero(surveyed.counts) == 1
    finished = 0
    try:
        for number in range(n_rounds):
            meter.begin_round(number + 1)
            # Predictors of a first round know a shard each: they count for averages until there are others.
            if number == 1 and not alone:
                native = _native(learner, arrays)
                native.begin_average()
                arrays = native.save()
            start = Start(learner, arrays, number, seed, alone)
            arrays = _round(start, surveyed, workers, meter)
            finished += 1
    finally:
        # Interrupted, the model keeps what was learned in the rounds so far.
        if finished:
            _take(model, learner, arrays)
    return model


def _round(start: Start, surveyed: Surveyed, workers: Workers, meter: Meter) -> Arrays:
    filled = np.flatnonzero(surveyed.counts)
    mixture = Mixture(_native(start.learner, start.arrays))
    first: Epoch | None = None
    shards = [surveyed.shards[number] for number in filled]
    epochs = workers.map(epoch, shards, workers.share(start), each=filled.tolist())
    for number, result in zip(filled, epochs, strict=True):
        first = first or result
        _check_alike(first, result)
        meter.add(int(surveyed.counts[number]))
        if result.arrays is not None:
            # Nothing to mix: not even rounding shall differ from a learner of its own.
            return _described(start, result, result.arrays)
        assert result.change is not None
        mixture.add(result.change, surveyed.counts[number] / surveyed.n)
    assert first is not None
    return _described(start, first, mixture.settle().save())


def epoch(shard: Shard, number: int, start: Start) -> Epoch:
    """One pass over the examples of a shard."""
    X, y = shard.load()
    learner = copy(start.learner)
    native = _native(learner, start.arrays)
    learn(shard, X, y, learner, lambda: native, [start.seed, start.round, number])
    return Epoch(
        shard.name,
        None if start.alone else change_between(_native(learner, start.arrays), native),
        native.save() if start.alone else None,
        learner.n_features_in_,
        not sparse.issparse(X),
        getattr(learner, "feature_names_in_", None),
    )


def _native(learner: Any, arrays: Arrays) -> _core.LinearLearner:
    native: _core.LinearLearner = learner._make_native()
    native.load(arrays)
    return native


def _check_alike(first: Epoch, other: Epoch) -> None:
    if first.dense and other.dense and first.width != other.width:
        raise ValueError(
            f"{other.shard} has vectors of {other.width} features, but {first.shard} has vectors of {first.width}"
        )


def _described(start: Start, epoch: Epoch, arrays: Arrays) -> Arrays:
    """Remembers what only an epoch knows."""
    if epoch.feature_names is not None:
        start.learner.feature_names_in_ = epoch.feature_names
    return arrays


def _take(model: Any, learner: Any, arrays: Arrays) -> None:
    """Makes the model one that has learned this."""
    hand_over(learner, model)
    model.kernel_ = Linear()
    model._native = _native(model, arrays)
    model.n_features_in_ = model._native.width


# -- changes that shards send, and the mixture of them all --------------------------------------------------


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
