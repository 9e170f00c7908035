"""Learners on weights and the mixing of them, slow and readable, on dense rows.

A learner here is a `Slow`: it starts with a `State`, learns one example at a time as its paper says, and says which
weights a state has. The cells of a state are what is averaged over shards, so each learner keeps the quantities in
which a mean makes sense. For a bias that is a feature like any other, append a column of ones.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field
from math import inf, sqrt
from typing import Any, ClassVar

import numpy as np

from tests.online.linear.slow_linear import shrink, slope

Vector = np.ndarray[Any, Any]


@dataclass
class State:
    cells: dict[str, Vector]
    numbers: dict[str, float] = field(default_factory=dict)


class Slow:
    first: ClassVar[dict[str, float]]  # of each cell
    numbers: ClassVar[dict[str, str]] = {}  # how each number is mixed: by "mean", "sum" or "largest"

    def start(self, width: int) -> State:
        cells = {name: np.full(width, value) for name, value in self.first.items()}
        return State(cells, dict.fromkeys(self.numbers, 0.0))

    def learn(self, state: State, x: Vector, y: float, c: float) -> None:
        raise NotImplementedError

    def weights(self, state: State) -> Vector:
        return state.cells["weight"].copy()

    def score(self, state: State, x: Vector) -> float:
        return float(self.weights(state) @ x) + state.numbers.get("bias", 0.0)

    def predictor(self, state: State) -> Vector:
        return np.append(self.weights(state), state.numbers.get("bias", 0.0))

    def change(self, start: State, end: State) -> dict[str, Vector]:
        return {name: end.cells[name] - start.cells[name] for name in start.cells}

    def changed(self, start: State, change: dict[str, Vector]) -> dict[str, Vector]:
        return {name: start.cells[name] + change[name] for name in start.cells}


@dataclass
class Mixed:
    """What came out of all rounds.

    A predictor is an array of the weights, and the bias if that is no feature.
    """

    state: State
    predictors: list[Vector]  # those that the average is one of
    mistakes: int


def mix(learner: Slow, parts: list[tuple[Vector, Vector, Vector]], rounds: int) -> Mixed:
    """Rounds of mixing over parts: rows, labels of -1 and 1, weights of examples."""
    parts = [part for part in parts if len(part[0])]
    sizes = [len(X) for X, _, _ in parts]
    state = learner.start(parts[0][0].shape[1])
    predictors: list[list[Vector]] = []  # by round
    mistakes = 0
    for _ in range(rounds):
        ends = []
        predictors.append([])
        for X, y, c in parts:
            own = deepcopy(state)
            for example in zip(X, y, c, strict=True):
                mistakes += learner.score(own, example[0]) * example[1] <= 0
                learner.learn(own, *example)
                predictors[-1].append(learner.predictor(own))
            ends.append(own)
        state = mean_state(learner, state, ends, sizes)
    # Those of a first round know a shard each.
    counted = predictors if len(parts) == 1 else predictors[1:] or predictors
    return Mixed(state, [predictor for some in counted for predictor in some], mistakes)


def mean_state(learner: Slow, start: State, ends: list[State], sizes: list[int]) -> State:
    """For each feature the mean over the shards that have changed it."""
    changes = [learner.change(start, end) for end in ends]
    width = len(next(iter(start.cells.values())))
    mean = {name: np.zeros(width) for name in start.cells}
    for j in range(width):
        movers = [k for k, change in enumerate(changes) if any(cell[j] != 0 for cell in change.values())]
        for name, cell in mean.items():
            if movers:
                cell[j] = np.average(
                    [changes[k][name][j] for k in movers], weights=[sizes[k] for k in movers]
                )
    numbers: ClassVar = {}
    for name, how in learner.numbers.items():
        own = [end.numbers[name] for end in ends]
        before = start.numbers[name]
        if how == "mean":
            numbers[name] = before + float(np.average([one - before for one in own], weights=sizes))
        elif how == "sum":
            numbers[name] = before + sum(one - before for one in own)
        else:
            numbers[name] = max(own)
    return State(learner.changed(start, mean), numbers)


@dataclass
class SlowPerceptron(Slow):
    bias: bool = False
    first: ClassVar = {"weight": 0.0}
    numbers: ClassVar = {"bias": "mean", "squared_radius": "largest"}

    def learn(self, state: State, x: Vector, y: float, c: float) -> None:
        state.numbers["squared_radius"] = max(state.numbers["squared_radius"], float(x @ x))
        if y * self.score(state, x) <= 0:
            state.cells["weight"] += c * y * x
            state.numbers["bias"] += self.bias * c * y * state.numbers["squared_radius"]


@dataclass
class SlowPassiveAggressive(Slow):
    variant: str
    C: float
    dynamic: bool = False
    first: ClassVar = {"weight": 0.0}
    numbers: ClassVar = {"mistakes": "sum"}

    def learn(self, state: State, x: Vector, y: float, c: float) -> None:
        loss = 1 - y * self.score(state, x)
        if loss <= 0:
            return
        squared = float(x @ x)
        C = c * (self.C / sqrt(1 + state.numbers["mistakes"]) if self.dynamic else self.C)
        state.numbers["mistakes"] += loss >= 1
        if squared > 0:
            step = {
                "PA": loss / squared,
                "PA-I": min(C, loss / squared),
                "PA-II": loss / (squared + 1 / (2 * C)),
            }
            state.cells["weight"] += step[self.variant] * y * x


@dataclass
class SlowRomma(Slow):
    aggressive: bool = False
    first: ClassVar = {"weight": 0.0}

    def learn(self, state: State, x: Vector, y: float, c: float) -> None:
        w = state.cells["weight"]
        value = float(w @ x)
        x2, w2 = float(x @ x), float(w @ w)
        if (y * value >= 1 if self.aggressive else y * value > 0) or x2 == 0:
            return
        if w2 == 0:
            w += y / x2 * x
            return
        q = x2 * w2 - value**2
        if q > 1e-12 * x2 * w2:
            state.cells["weight"] = ((x2 * w2 - y * value) * w + w2 * (y - value) * x) / q


class SlowGaussian(Slow):
    """A mean and a variance of every weight, kept as the precision and the precision times the mean."""

    first: ClassVar = {"precision": 1.0, "pull": 0.0}

    def weights(self, state: State) -> Vector:
        return state.cells["pull"] / state.cells["precision"]

    def move(self, state: State, x: Vector, step: float, shrinkage: float) -> None:
        mean, variance = self.weights(state), 1 / state.cells["precision"]
        there = x != 0
        mean = mean + step * variance * x
        variance = variance - shrinkage * variance**2 * x**2
        state.cells["precision"] = np.where(there, 1 / variance, state.cells["precision"])
        state.cells["pull"] = np.where(there, mean / variance, state.cells["pull"])


@dataclass
class SlowArow(SlowGaussian):
    r: float = 1.0

    def learn(self, state: State, x: Vector, y: float, c: float) -> None:
        loss = 1 - y * self.score(state, x)
        if loss > 0 and x.any():
            beta = 1 / (float(x**2 @ (1 / state.cells["precision"])) + self.r / c)
            self.move(state, x, beta * loss * y, beta)


@dataclass
class SlowScw(SlowGaussian):
    variant: str
    C: float
    phi: float

    def learn(self, state: State, x: Vector, y: float, c: float) -> None:
        phi, C = self.phi, c * self.C
        v, m = float(x**2 @ (1 / state.cells["precision"])), y * self.score(state, x)
        if phi * sqrt(v) - m <= 0:
            return
        psi, zeta = 1 + phi**2 / 2, 1 + phi**2
        if self.variant == "SCW-I":
            root = sqrt(m**2 * phi**4 / 4 + v * phi**2 * zeta)
            alpha = min(C, max(0.0, (-m * psi + root) / (v * zeta)))
        else:
            n = v + 1 / (2 * C)
            gamma = phi * sqrt(phi**2 * m**2 * v**2 + 4 * n * v * (n + v * phi**2))
            alpha = max(0.0, (-(2 * m * n + phi**2 * m * v) + gamma) / (2 * (n**2 + n * v * phi**2)))
        if alpha > 0:
            u = (-alpha * v * phi + sqrt(alpha**2 * v**2 * phi**2 + 4 * v)) ** 2 / 4
            self.move(state, x, alpha * y, alpha * phi / (sqrt(u) + v * alpha * phi))


@dataclass
class SlowFtrl(Slow):
    """A weight follows from z and the squared gradients. Of z the mean is one of gradients, and of what the proximal
    terms pull towards weights other than that of the start; towards that they pull with the step size of the mean.
    """

    loss: str
    learning_rate: float
    beta: float
    l1: float
    l2: float
    first: ClassVar = {"z": 0.0, "squares": 0.0}

    def weights(self, state: State) -> Vector:
        curvature = (self.beta + np.sqrt(state.cells["squares"])) / self.learning_rate + self.l2
        return -shrink(state.cells["z"], self.l1) / curvature

    def learn(self, state: State, x: Vector, y: float, c: float) -> None:
        w, squares = self.weights(state), state.cells["squares"]
        gradient = c * slope(self.loss, y * float(w @ x)) * y * x
        sigma = (np.sqrt(squares + gradient**2) - np.sqrt(squares)) / self.learning_rate
        state.cells["z"] = state.cells["z"] + gradient - sigma * w
        state.cells["squares"] = squares + gradient**2

    def change(self, start: State, end: State) -> dict[str, Vector]:
        change = super().change(start, end)
        sigma = (np.sqrt(end.cells["squares"]) - np.sqrt(start.cells["squares"])) / self.learning_rate
        change["z"] += sigma * self.weights(start)
        return change

    def changed(self, start: State, change: dict[str, Vector]) -> dict[str, Vector]:
        cells = super().changed(start, change)
        sigma = (np.sqrt(cells["squares"]) - np.sqrt(start.cells["squares"])) / self.learning_rate
        cells["z"] -= sigma * self.weights(start)
        return cells


class SlowGradient(Slow):
    """Learners that take a step with every example, or with every mistake."""

    loss: str
    update: str

    def learn(self, state: State, x: Vector, y: float, c: float) -> None:
        margin = y * self.score(state, x)
        if self.update == "all" or margin <= 0:
            self.step(state, c * slope(self.loss, margin) * y * x)

    def step(self, state: State, gradient: Vector) -> None:
        raise NotImplementedError


@dataclass
class SlowFobos(SlowGradient):
    loss: str
    l1: float
    l2: float
    learning_rate: float = 1.0
    update: str = "all"
    first: ClassVar = {"weight": 0.0}
    numbers: ClassVar = {"t": "mean"}

    def step(self, state: State, gradient: Vector) -> None:
        state.numbers["t"] += 1
        eta = self.learning_rate / sqrt(state.numbers["t"])
        moved = state.cells["weight"] - eta * gradient
        state.cells["weight"] = shrink(moved, eta * self.l1) / (1 + eta * self.l2)


@dataclass
class SlowTruncatedGradient(SlowGradient):
    loss: str
    l1: float
    learning_rate: float
    schedule: str = "constant"
    truncate_every: int = 1
    threshold: float = inf
    update: str = "all"
    first: ClassVar = {"weight": 0.0}
    numbers: ClassVar = {"t": "mean", "steps": "mean", "rates": "mean"}

    def step(self, state: State, gradient: Vector) -> None:
        numbers = state.numbers
        numbers["t"] += 1
        eta = self.learning_rate / (1.0 if self.schedule == "constant" else sqrt(numbers["t"]))
        numbers["steps"] += 1
        numbers["rates"] += eta
        w = state.cells["weight"] - eta * gradient
        if numbers["steps"] >= self.truncate_every:
            w = np.where(np.abs(w) <= self.threshold, shrink(w, self.l1 * numbers["rates"]), w)
            numbers["steps"] = numbers["rates"] = 0.0
        state.cells["weight"] = w


@dataclass
class SlowRda(SlowGradient):
    """The sum of subgradients and their number."""

    loss: str
    l1: float
    l2: float
    learning_rate: float = 1.0
    update: str = "all"
    first: ClassVar = {"sum": 0.0}
    numbers: ClassVar = {"k": "mean"}

    def step(self, state: State, gradient: Vector) -> None:
        state.cells["sum"] = state.cells["sum"] + gradient
        state.numbers["k"] += 1

    def weights(self, state: State) -> Vector:
        k = state.numbers["k"]
        if k == 0:
            return np.zeros_like(state.cells["sum"])
        rate = self.learning_rate * sqrt(k)
        return -rate * shrink(state.cells["sum"] / k, self.l1) / (1 + self.l2 * rate)


@dataclass
class SlowAdaptiveRda(SlowRda):
    first: ClassVar = {"sum": 0.0, "squares": 0.0}

    def step(self, state: State, gradient: Vector) -> None:
        super().step(state, gradient)
        state.cells["squares"] = state.cells["squares"] + gradient**2

    def weights(self, state: State) -> Vector:
        k = state.numbers["k"]
        if k == 0:
            return np.zeros_like(state.cells["sum"])
        rate = self.learning_rate * k / (1e-8 + np.sqrt(state.cells["squares"]))
        return -rate * shrink(state.cells["sum"] / k, self.l1) / (1 + self.l2 * rate)


@dataclass
class SlowWinnow(Slow):
    """Logarithms of weights, because these change by factors. The last column is the feature that is always on."""

    kind: str
    promotion: float = 1.5
    demotion: float = 0.5
    threshold: float = 1.0
    margin: float = 0.0
    initial: tuple[float, float] = (2.0, 1.0)

    def start(self, width: int) -> State:
        names = ("up",) if self.kind == "positive" else ("up", "down")
        first = zip(names, self.initial, strict=False)
        return State({name: np.full(width, np.log(weight)) for name, weight in first})

    def weights(self, state: State) -> Vector:
        up = np.exp(state.cells["up"])
        return up if self.kind == "positive" else up - np.exp(state.cells["down"])

    def score(self, state: State, x: Vector) -> float:
        return float(x @ (self.weights(state) - self.threshold)) / float(x.sum())

    def learn(self, state: State, x: Vector, y: float, c: float) -> None:
        if y * self.score(state, x) > self.margin:
            return
        z = x / x.sum()
        there = z > 0
        z = z if self.kind == "modified" else np.zeros_like(z)
        more = c * np.log(self.promotion * (1 + z))
        less = c * np.log(np.maximum(self.demotion * (1 - z), 1e-300))
        factors = {"up": more, "down": less} if y > 0 else {"up": less, "down": more}
        for name, cell in state.cells.items():
            state.cells[name] = np.clip(cell + np.where(there, factors[name], 0), *np.log([1e-100, 1e100]))
