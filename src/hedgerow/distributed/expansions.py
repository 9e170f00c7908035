"""Learners on kernels over many shards: expansions that are learned apart, then merged.

Every shard learns by itself, with all epochs of the learner. The result is the mean of the functions, weighted by the
numbers of examples: the union of the supports, with coefficients that are multiplied by the shards' shares. Projection
brings it back to a budget.
"""

from __future__ import annotations

from copy import copy, deepcopy
from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow import _core
from hedgerow.distributed.online_learners import begin, hand_over, learn
from hedgerow.distributed.progress import Meter, Watch
from hedgerow.distributed.projection import Projected, project
from hedgerow.distributed.shards import Shard, Shards
from hedgerow.distributed.some_examples import take
from hedgerow.distributed.workers import Workers
from hedgerow.io.examples import join
from hedgerow.kernels.base import Matrix
from hedgerow.models import Expansion

Arrays = dict[str, Matrix]


@dataclass
class ShardExpansion:
    """What a shard has learned."""

    shard: str  # its name
    n: int  # examples
    supports: Any
    numbers: Matrix  # of the supports among all examples
    coefficients: Matrix  # of the functions that predict, a column for each
    biases: Matrix
    arrays: Arrays  # the state of the native learner but for supports; of a shard that is alone all of it
    shape: dict[str, Any]  # what the items look like


def fit_expansions(
    model: Any, data: Shards, workers: Workers, watch: Watch | None, budget: int | None = None
) -> Any:
    """`distributed.fit` for learners on kernels; the model gets a ``projection_error_``, relative."""
    own = getattr(model, "budget", None)
    if budget is not None and own is not None and budget > own:
        raise ValueError(f"budget must be at most {own}, that of the {type(model).__name__}, got {budget}")
    surveyed, learner, _, seed = begin(model, data, workers)
    filled = np.flatnonzero(surveyed.counts).tolist()
    begins = surveyed.begins[filled].tolist()
    meter = Meter(watch, surveyed.n)
    parts: list[ShardExpansion] = []
    try:
        shards = [surveyed.shards[number] for number in filled]
        alone = len(filled) == 1 and budget is None
        for part in workers.map(
            learn_apart,
            shards,
            workers.share(learner),
            seed,
            alone,
            each=list(zip(filled, begins, strict=True)),
        ):
            parts.append(part)
            meter.add(part.n)
    finally:
        # Interrupted, the model keeps what the first shards have learned.
        if parts:
            _merge(model, learner, parts, own if budget is None else budget, alone)
    return model


def learn_apart(shard: Shard, place: tuple[int, int], learner: Any, seed: int, alone: bool) -> ShardExpansion:
    """All epochs on one shard; its place is its number, and where its examples begin among all."""
    X, y = shard.load()
    number, begin = place
    learner = copy(learner)
    if hasattr(learner, "_rules"):
        learner._rules = deepcopy(learner._rules)  # they may remember what they do
    native, n = learn(shard, X, y, learner, lambda: learner._make_native(), [seed, number], learner.epochs)
    expansion = native.expansion
    arrays = native.save()
    if not alone:
        arrays = {
            name: values for name, values in arrays.items() if name.startswith(("rule", "seen", "mistakes"))
        }
    return ShardExpansion(
        shard.name,
        n,
        learner.kernel_._from_items(expansion.supports()),
        begin + expansion.support_numbers(),
        expansion.coefficients().reshape(expansion.functions, -1).T,
        expansion.biases(),
        arrays,
        {name: getattr(learner, name) for name in SHAPE if hasattr(learner, name)},
    )


SHAPE = ("n_features_in_", "feature_names_in_")


# -- merging --------------------------------------------------------------------------------------------------


def _merge(model: Any, learner: Any, parts: list[ShardExpansion], budget: int | None, alone: bool) -> None:
    hand_over(learner, model)
    model.projection_error_ = 0.0
    for name, value in parts[0].shape.items():
        setattr(model, name, value)
    model._take_native(parts[0].arrays if alone else _merged(model, parts, budget))


def _merged(model: Any, parts: list[ShardExpansion], budget: int | None) -> Arrays:
    """The state of a native learner that has the mean of the functions."""
    native = model._make_native()
    shares = [part.n / sum(one.n for one in parts) for part in parts]
    weighted = list(zip(shares, parts, strict=True))
    coefficients = np.concatenate([share * part.coefficients for share, part in weighted])
    biases = np.sum([share * part.biases for share, part in weighted], axis=0)
    projected = None
    values = np.zeros(coefficients.shape)
    if len(coefficients):
        supports = join([part.supports for part in parts if len(part.coefficients)])
        numbers = np.concatenate([part.numbers for part in parts])
        if model._independent_supports or (budget is not None and len(coefficients) > budget):
            projected = project(model.kernel_, supports, coefficients, budget)
            supports, numbers = take(supports, projected.chosen), numbers[projected.chosen]
            coefficients = projected.coefficients
            model.projection_error_ = projected.error
        f = Expansion(model.kernel_, coefficients.shape[1])
        f.add(supports, coefficients)
        values = f.decision_function(supports)
        items = model.kernel_._items(model.kernel_._prepare(supports))
        native.expansion.add_supports(items, np.ascontiguousarray(coefficients), numbers)
    return _completed(native, parts, coefficients, values, biases, projected)


def _completed(
    native: _core.KernelLearner,
    parts: list[ShardExpansion],
    coefficients: Matrix,
    values: Matrix,
    biases: Matrix,
    projected: Projected | None,
) -> Arrays:
    """The state of the native learner with all that its rules go on from."""
    arrays, kinds = native.save(), native.mixing_of_numbers
    for count in ("seen", "mistakes"):
        arrays[count] = np.sum([part.arrays[count] for part in parts], axis=0)
    seen = np.full(len(biases), arrays["seen"][0])
    # So that the average of all predictors is what was merged: as if it had been there all the time.
    numbers = {
        "scale": np.ones(len(biases)),
        "bias": biases,
        "squared_norm": np.maximum((coefficients * values).sum(axis=0), 0),
        "scale_sum": seen.astype(np.float64),
        "bias_sum": biases * seen,
        "steps": seen,
    }
    arrays |= {f"expansion.{name}": by_function for name, by_function in numbers.items()}
    for name in [name for name in arrays if name.startswith("rule")]:
        of_parts = [part.arrays[name] for part in parts]
        function, what = int(name[4 : name.index(".")]), name[name.index(".") + 1 :]
        if what in kinds:
            arrays[name] = MIXED[kinds[what]](of_parts, axis=0)
        else:
            arrays[name] = _rule_array(what, arrays[name], of_parts, values[:, function], projected)
    return arrays


MIXED: dict[str, Any] = {"sum": np.sum, "max": np.max}  # numbers of rules, which begin at 0


def _rule_array(
    what: str, fresh: Matrix, of_parts: list[Matrix], values: Matrix, projected: Projected | None
) -> Matrix:
    if what == "values":  # of a greedy Forgetron: the function at its supports
        return np.ascontiguousarray(values) if any(map(len, of_parts)) else fresh
    if what == "factor":
        assert projected is not None
        return projected.factor[np.tril_indices(len(projected.factor))]
    return fresh
