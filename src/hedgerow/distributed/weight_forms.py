"""What of a learner's state is averaged over shards, and what adds up.

Each kind of learner on weights has a form: coordinates of its cells in which a mean makes sense, together with those of
the numbers that step sizes follow from. Totals, the sums of predictors of averages, and counts of examples add up.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from hedgerow.distributed.weight_tables import Columns, Layout, Place, WeightTable, function_of, places
from hedgerow.kernels.base import Matrix

TOTAL = "total"  # the coordinate of the sum of a weight over all predictors so far


class Form(ABC):
    """How a kind of learner is mixed.

    A subclass says what cells and functions are made of, and which coordinates of cells and numbers of functions are
    averaged, added up, or have their largest value taken.
    """

    cell: tuple[str, ...]  # names of a cell's numbers; those of averages are inserted after the first
    of_averages: tuple[str, ...] = ("offset",)
    place_of_averages = 1
    numbers: dict[str, Place]

    means: tuple[str, ...] = ()
    sums: tuple[str, ...] = ()
    number_means: tuple[str, ...] = ()
    number_sums: tuple[str, ...] = ()
    number_maxima: tuple[str, ...] = ()
    # What makes the average: columns of cells and numbers of functions that are 0 when it begins.
    totals: tuple[str, ...] = ("offset",)
    number_totals: tuple[str, ...]
    # A number that grows by how much predictors lived: so much more of its weight has the total of a feature that an
    # epoch did not touch, which need not be told. None: totals are told of all features.
    life: str | None = None

    def __init__(self, model: Any) -> None:
        self.model = model
        self.averages = model.averaging is not None
        at = self.place_of_averages
        fields = self.cell[:at] + (self.of_averages if self.averages else ()) + self.cell[at:]
        self.layout = Layout(fields, self.numbers)
        if self.averages:
            self.sums = (*self.sums, TOTAL)

    @abstractmethod
    def coordinates(self, cell: Columns, number: Columns) -> Columns:
        """Of cells, with the numbers of their functions; a ``weight`` among them."""

    @abstractmethod
    def cells(self, at: Columns, number: Columns) -> Columns:
        """Cells with these coordinates."""

    # -- what a form may do in its own way --------------------------------------------------------------------

    def at(self, table: WeightTable, functions: Matrix, cell: Columns) -> Columns:
        """Coordinates of cells of a table, given with their functions."""
        return self.coordinates(cell, {name: values[functions] for name, values in table.numbers.items()})

    def moved(self, start: WeightTable, after: WeightTable) -> Matrix:
        """Of which functions all cells have changed; of others, those that look different."""
        return np.zeros(start.n_functions, dtype=bool)

    def change(self, start: Columns, after: Columns) -> Columns:
        """What was added to coordinates."""
        return {name: after[name] - start[name] for name in (*self.means, *self.sums)}

    def changed(self, start: Columns, change: Columns) -> Columns:
        """Coordinates to which that is added."""
        return {name: start[name] + change[name] for name in (*self.means, *self.sums)}

    def settle(self, numbers: Columns, keys: Matrix, at: Columns) -> None:  # noqa: B027 most have none
        """Gives the numbers of functions that are neither averaged nor added up."""


class OnWeights(Form):
    """Perceptron, PassiveAggressive, ROMMA: weights times a scale, which becomes 1."""

    cell = ("weight",)
    numbers = places(
        "scale",
        "bias",
        norm=Place("sums", 0),
        scale_sum=Place("sums", 1),
        bias_sum=Place("sums", 2),
        steps=Place("sums", 3),
    )
    means = ("weight",)
    number_means = ("bias",)
    number_sums: tuple[str, ...] = ("bias_sum", "steps")
    number_totals = ("bias_sum", "steps")
    life = "scale_sum"

    def coordinates(self, cell: Columns, number: Columns) -> Columns:
        at = {"weight": number["scale"] * cell["weight"]}
        if self.averages:
            at[TOTAL] = cell["offset"] + number["scale_sum"] * cell["weight"]
        return at

    def cells(self, at: Columns, number: Columns) -> Columns:
        return {"weight": at["weight"], "offset": at.get(TOTAL, np.zeros(0))}

    def moved(self, start: WeightTable, after: WeightTable) -> Matrix:
        rescaled: Matrix = start.numbers["scale"] != after.numbers["scale"]
        return rescaled

    def settle(self, numbers: Columns, keys: Matrix, at: Columns) -> None:
        n = len(numbers["scale"])
        numbers["scale"], numbers["scale_sum"] = np.ones(n), np.zeros(n)
        numbers["norm"] = np.bincount(function_of(keys), at["weight"] ** 2, n)


class OfPerceptron(OnWeights):
    """A bias moves by the squared radius of all data."""

    numbers = places(squared_radius=Place("rule.squared_radius", 0)) | OnWeights.numbers
    number_maxima = ("squared_radius",)


class OfPassiveAggressive(OnWeights):
    """A dynamic C falls with the number of all mistakes."""

    numbers = places(mistakes=Place("rule.mistakes", 0)) | OnWeights.numbers
    number_sums = (*OnWeights.number_sums, "mistakes")


class Steady(Form):
    """Learners whose weights change with their features only: what is stored of a total is total - steps * weight."""

    numbers = places("steps")
    number_sums = ("steps",)
    number_totals = ("steps",)
    life = "steps"

    def total(self, cell: Columns, number: Columns) -> Columns:
        if not self.averages:
            return {}
        return {TOTAL: cell["offset"] + number["steps"] * cell["weight"]}

    def offset(self, at: Columns, weight: Matrix, number: Columns) -> Columns:
        return {"offset": at[TOTAL] - number["steps"] * weight} if self.averages else {}


class Confident(Steady):
    """AROW and SCW: a Gaussian of weights. The mean is one of precisions, and of precisions times weights, so that the
    shard that is surest of a weight counts most. Precisions are not added up: the corrections of K shards, each enough
    by itself, would come K times, see `DualAverages` (20 newsgroups: 16% right).
    """

    cell = ("weight", "variance")
    means = ("precision", "pull")

    def coordinates(self, cell: Columns, number: Columns) -> Columns:
        precision = 1 / np.where(cell["variance"] > 0, cell["variance"], 1)
        weight = cell["weight"]
        return {
            "weight": weight,
            "precision": precision,
            "pull": precision * weight,
            **self.total(cell, number),
        }

    def cells(self, at: Columns, number: Columns) -> Columns:
        weight = at["pull"] / at["precision"]
        variance = np.maximum(1 / at["precision"], 1e-300)
        return {"weight": weight, "variance": variance, **self.offset(at, weight, number)}


class Proximal(Steady):
    """FTRL: the mean is one of squared gradients, from which step sizes follow, and of z, a sum of gradients less the
    pull of the weights of the past. That pull is taken out first, and that of the start's weight put back with the new
    step size, so that z and step sizes belong together: without l1, weights have their mean but for step sizes.
    """

    cell = ("weight", "z", "root")
    means = ("squares", "z")

    def coordinates(self, cell: Columns, number: Columns) -> Columns:
        squares = cell["root"] ** 2
        return {
            "weight": cell["weight"],
            "squares": squares,
            "root": cell["root"],
            "z": cell["z"],
            **self.total(cell, number),
        }

    def change(self, start: Columns, after: Columns) -> Columns:
        change = super().change(start, after)
        change["z"] += (after["root"] - start["root"]) / self.model.alpha * start["weight"]
        return change

    def changed(self, start: Columns, change: Columns) -> Columns:
        at = super().changed(start, change)
        at["root"] = np.sqrt(np.maximum(at["squares"], 0))
        at["z"] -= (at["root"] - start["root"]) / self.model.alpha * start["weight"]
        return at

    def cells(self, at: Columns, number: Columns) -> Columns:
        curvature = (self.model.beta + at["root"]) / self.model.alpha + self.model.l2
        weight = -_shrink(at["z"], self.model.l1) / np.maximum(curvature, 1e-300)
        return {"weight": weight, "z": at["z"], "root": at["root"], **self.offset(at, weight, number)}


class Shrinking(Form):
    """FOBOS and TruncatedGradient: weights are averaged, and so is the number of steps that step sizes follow: the mean
    of several paths of so many steps is a path of so many. All weights shrink together, so all are told.
    """

    of_averages = ("offset", "born")
    rest = places(examples=Place("examples_and_reach", 0), reach=Place("examples_and_reach", 1))
    number_sums: tuple[str, ...] = ("examples", "reach")
    number_totals = ("examples",)

    def at(self, table: WeightTable, functions: Matrix, cell: Columns) -> Columns:
        at = super().at(table, functions, cell)
        if self.averages:
            total = cell["offset"].copy()
            for function in range(table.n_functions):
                rows = slice(*np.searchsorted(functions, [function, function + 1]))
                some = {name: values[rows] for name, values in cell.items()}
                total[rows] += self.total_of(some, _ShrinkageSums(table, function))
            at[TOTAL] = total
        return at

    def total_of(self, cell: Columns, sums: _ShrinkageSums) -> Matrix:
        return sums.of(cell["value"], cell["born"])

    def moved(self, start: WeightTable, after: WeightTable) -> Matrix:
        return np.ones(start.n_functions, dtype=bool)

    def of_total(self, at: Columns, number: Columns) -> Columns:
        """All of a total is stored; `write_sums` begins anew."""
        return {"offset": at[TOTAL], "born": number["threshold"]} if self.averages else {}

    def write_sums(self, table: WeightTable) -> None:
        for function, threshold in enumerate(table.numbers["threshold"]):
            table.arrays[f"function{function}.thresholds"] = np.array([threshold])
            table.arrays[f"function{function}.sums"] = np.zeros(4)


class OfFobos(Shrinking):
    cell = ("value",)
    numbers = places("gain", "threshold", "growth", "t", **Shrinking.rest)
    means = ("weight",)
    number_means = ("t",)

    def coordinates(self, cell: Columns, number: Columns) -> Columns:
        return {"weight": number["gain"] * _shrink(cell["value"], number["threshold"])}

    def cells(self, at: Columns, number: Columns) -> Columns:
        return {"value": at["weight"], **self.of_total(at, number)}

    def settle(self, numbers: Columns, keys: Matrix, at: Columns) -> None:
        n = len(numbers["t"])
        numbers["gain"], numbers["growth"], numbers["threshold"] = np.ones(n), np.ones(n), np.zeros(n)


class OfTruncatedGradient(Shrinking):
    cell: tuple[str, ...] = ("value",)
    numbers = places("gain", "threshold", "steps", "rates", "t", **Shrinking.rest)
    means = ("weight",)
    number_means = ("steps", "rates", "t")

    def __init__(self, model: Any) -> None:
        self.has_limit = np.isfinite(model.threshold)  # beyond which weights do not shrink
        if self.has_limit:
            self.cell = ("value", "beyond")
        super().__init__(model)

    def coordinates(self, cell: Columns, number: Columns) -> Columns:
        weight = _shrink(cell["value"], number["threshold"])
        return {"weight": weight + cell["beyond"] if self.has_limit else weight}

    def total_of(self, cell: Columns, sums: _ShrinkageSums) -> Matrix:
        total = super().total_of(cell, sums)
        return total + cell["beyond"] * sums.gains[-1] if self.has_limit else total

    def cells(self, at: Columns, number: Columns) -> Columns:
        weight = at["weight"]
        small = np.abs(weight) <= self.model.threshold
        return {
            "value": np.where(small, weight, 0),
            "beyond": np.where(small, 0, weight),
            **self.of_total(at, number),
        }

    def settle(self, numbers: Columns, keys: Matrix, at: Columns) -> None:
        numbers["threshold"] = np.zeros(len(numbers["t"]))


class DualAverages(Shrinking):
    """RDA: the sum of subgradients and their number, from which weights follow. Their quotient, the mean gradient that
    l1 is compared with, is that of all examples of shards of one size, whether both are added up or averaged. But steps
    grow with the root of the number: added up, the corrections of K shards, each enough by itself, come K times with
    steps sqrt(K) times too large, and weights swing ever further (20 newsgroups: 6% right). Averaged, K gradients are
    one step, as in the distributed dual averaging of Duchi, Agarwal and Wainwright (2012).
    """

    cell = ("value",)
    numbers = places("gain", "threshold", "k", **Shrinking.rest)
    means = ("value",)
    number_means = ("k",)

    def coordinates(self, cell: Columns, number: Columns) -> Columns:
        return {
            "value": cell["value"],
            "weight": number["gain"] * _shrink(cell["value"], number["threshold"]),
        }

    def cells(self, at: Columns, number: Columns) -> Columns:
        return {"value": at["value"], **self.of_total(at, number)}

    def settle(self, numbers: Columns, keys: Matrix, at: Columns) -> None:
        k = np.maximum(numbers["k"], 1)
        model = self.model
        numbers["gain"] = np.where(
            numbers["k"] > 0, 1 / (k * (model.l2 + 1 / (model.learning_rate * np.sqrt(k)))), 0
        )
        numbers["threshold"] = model.l1 * numbers["k"]


class AdaptiveDualAverages(Shrinking):
    """RDA with AdaGrad's steps: squares go with the sums whose steps they make."""

    cell = ("value", "rate", "squares")
    numbers = places("gain", "threshold", "ridge", "k", **Shrinking.rest)
    means = ("value", "squares")
    number_means = ("k",)
    delta = 1e-8

    def coordinates(self, cell: Columns, number: Columns) -> Columns:
        weight = cell["rate"] * _shrink(cell["value"], number["threshold"])
        return {
            "value": cell["value"],
            "squares": cell["squares"],
            "weight": weight / (1 + cell["rate"] * number["ridge"]),
        }

    def total_of(self, cell: Columns, sums: _ShrinkageSums) -> Matrix:
        return cell["rate"] * super().total_of(cell, sums)

    def cells(self, at: Columns, number: Columns) -> Columns:
        rate = np.where(
            at["squares"] > 0, self.model.learning_rate / (self.delta + np.sqrt(at["squares"])), 0
        )
        return {"value": at["value"], "squares": at["squares"], "rate": rate, **self.of_total(at, number)}

    def settle(self, numbers: Columns, keys: Matrix, at: Columns) -> None:
        numbers["threshold"] = self.model.l1 * numbers["k"]
        numbers["ridge"] = self.model.l2 * numbers["k"]


class OfWinnow(Form):
    """Winnows: weights change by factors, so the mean is that of their logarithms. Features that a shard has not met
    have their first weights there.
    """

    of_averages = ("sum", "until")
    numbers = places(steps=Place("steps", 0))
    number_sums = ("steps",)
    totals = ("sum", "until")
    number_totals = ("steps",)
    life = "steps"

    def __init__(self, model: Any) -> None:
        balanced = hasattr(model, "initial_weights")
        self.cell = ("down", "up") if balanced else ("up",)
        self.place_of_averages = len(self.cell)
        self.means = tuple(f"log {name}" for name in self.cell)
        up, down = model.initial_weights if balanced else (model.initial_weight, 0.0)
        self.first = {"up": up, "down": down}
        super().__init__(model)

    def coordinates(self, cell: Columns, number: Columns) -> Columns:
        known = cell["up"] > 0
        now = {name: np.where(known, cell[name], self.first[name]) for name in self.cell}
        at = {**now, **{f"log {name}": np.log(values) for name, values in now.items()}}
        at["weight"] = now["up"] - now.get("down", 0.0)
        if self.averages:
            at[TOTAL] = cell["sum"] + (number["steps"] - cell["until"]) * at["weight"]
        return at

    def changed(self, start: Columns, change: Columns) -> Columns:
        # By factors, so that what nobody has changed stays as it was, to the last digit.
        factors = {name: np.exp(change[f"log {name}"]) for name in self.cell}
        return super().changed(start, change) | {name: start[name] * factors[name] for name in self.cell}

    def cells(self, at: Columns, number: Columns) -> Columns:
        cells = {name: np.clip(at[name], 1e-100, 1e100) for name in self.cell}
        return {**cells, "sum": at.get(TOTAL, np.zeros(0)), "until": number["steps"]}


class _ShrinkageSums:
    """Sums over predictors of a function whose weights shrink together, as the native learner saves them."""

    def __init__(self, table: WeightTable, function: int) -> None:
        self.thresholds = table.arrays[f"function{function}.thresholds"]
        self.gains, self.cuts = table.arrays[f"function{function}.sums"].reshape(-1, 2).T

    def of(self, value: Matrix, born: Matrix) -> Matrix:
        """The sum of gain * shrink(value, threshold), for values that came at the thresholds `born`."""
        size = np.abs(value)
        moment = np.searchsorted(self.thresholds, size)  # the last with a threshold below, from 1
        total = value * self.gains[moment] - np.copysign(self.cuts[moment], value)
        alive: Matrix = (size > self.thresholds[-1]) | (size > born)
        return np.where(alive, total, 0)


def _shrink(values: Matrix, threshold: Any) -> Matrix:
    shrunk: Matrix = values - np.clip(values, -threshold, threshold)
    return shrunk
