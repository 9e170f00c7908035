"""The rounds of the one-slack cutting-plane algorithm, with exact and with sampled cuts.

Each way of making cuts is a generator that yields its state after every round, for ever: the caller
decides when to stop.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np
from sklearn.utils.random import sample_without_replacement

from hedgerow import _core
from hedgerow.kernels.base import Matrix
from hedgerow.svm.cuts import Cut, CutOptimum, Cuts
from hedgerow.svm.weighted_sums import Sums, WeightedSums

Parts = list[tuple[Cut, float]]  # of a combination of cuts: each with its multiplier

# Exact cuts are made on the way from the best point to the optimum over the cuts so far, this far from the best.
# At the optimum itself, as the algorithm is written, cuts change wildly: two to twenty times as many are needed. A
# fifth of the way it is up to four times as many, and at the best point itself up to twice.
SEPARATION = 0.05
NEGLIGIBLE = 1e-9  # as a share of what counts most
GUESS_FROM, GUESS_ROUNDS = 2000, 100  # when exact rounds begin with a guess, and what that may take at most
# How exact a guess is, between twice and eight times tol: more exact ones save no rounds, rougher ones cost some.
GUESS_TOL = 0.01


@dataclass(frozen=True)
class HingeProblem:
    """Minimise ``1/2 |w|^2 + C sum_i cost_i max(0, 1 - y_i w.phi(x_i))``."""

    sums: Sums
    y: Matrix  # +1 or -1, as floats
    costs: Matrix
    C: float

    @cached_property
    def losses(self) -> _core.HingeLosses:
        """Of all examples, each multiplied with its cost."""
        return _core.HingeLosses(self.y, self.costs)

    @cached_property
    def mass(self) -> float:
        """How many examples these are, when each counts by its cost."""
        return float(self.costs.sum())

    @property
    def bound(self) -> float:
        """What the mean loss is multiplied with."""
        return self.C * self.mass

    def loss(self, values: Matrix) -> float:
        """The mean loss."""
        return self.losses.sum(values) / self.mass

    def combine(self, *parts: tuple[Matrix, float]) -> Matrix:
        """The values of a combination of functions, each given by its values and its multiplier."""
        functions, multipliers = [values for values, _ in parts], [multiplier for _, multiplier in parts]
        return _core.combine(functions, multipliers, len(self.y))

    def cut(self, examples: Matrix, share: float = 1.0) -> Cut:
        """The cut of these examples, found by looking at a share of all."""
        costs = self.costs[examples] / (share * self.mass)
        return Cut(examples, costs * self.y[examples], float(costs.sum()))


@dataclass(frozen=True)
class Round:
    """What is known after a round."""

    support: Matrix  # examples that have a coefficient
    coefficients: Matrix  # theirs
    objective: float  # of the dual over the cuts so far
    primal: float  # NaN where it is not known
    violation: float  # by how much the mean loss is above what the cuts so far know of it
    noise: float = 0.0  # standard error of the violation


def exact_rounds(problem: HingeProblem, tol: float) -> Iterator[Round]:
    """Cuts over all examples. The violation is the gap between primal and dual, in units of the mean loss."""
    cuts = Cuts(problem.bound)
    best = _Point.above(_first_guess(problem, tol), problem)
    lower = 0.0
    members = problem.losses.within_margin(best.values)
    while True:
        cut = _exact_cut(problem, cuts, members)
        cuts.add(cut, _inner_products([*cuts.cuts, cut], cut.values))
        solution = cuts.solve()
        lower = max(lower, solution.objective)
        optimum = _Point.above(solution.parts, problem)
        best = best.towards(optimum, problem)
        gap = (best.primal - lower) / problem.bound
        yield Round(*_support(best.parts, len(problem.y)), lower, best.primal, gap)
        between = problem.combine((best.values, 1 - SEPARATION), (optimum.values, SEPARATION))
        members = problem.losses.within_margin(between)
        height = (
            problem.losses.sum_over(members, optimum.values) / problem.mass
        )  # of the cut over the optimum
        if height <= solution.slack + 1e-9:
            members = problem.losses.within_margin(optimum.values)  # a cut there would be nothing new


def _first_guess(problem: HingeProblem, tol: float) -> Parts:
    """About the solution for one in eight examples.

    Without it the first cut has all examples, and the next ones change wildly; near the solution they have few, much
    the same. That saves more than half of the time.
    """
    n = len(problem.y)
    if n < GUESS_FROM:
        return []
    some = np.sort(sample_without_replacement(n, n // 8, random_state=0))
    part = HingeProblem(problem.sums.part(some), problem.y[some], problem.costs[some], problem.C)
    enough = float(np.clip(GUESS_TOL, 2 * tol, 8 * tol))
    for state in islice(exact_rounds(part, enough), GUESS_ROUNDS):
        if state.violation <= enough:
            break
    guess = Cut(some[state.support], state.coefficients, 0.0)
    guess.values = problem.sums.values(guess.examples, guess.weights)
    return [(guess, 1.0)]


def importance_rounds(problem: HingeProblem, sample_size: int, random_state: Any) -> Iterator[Round]:
    """Cuts over samples of the examples within the margin, found by a look at all examples (iSVM)."""
    n = len(problem.y)
    cuts = Cuts(problem.bound)
    best = current = _Point.above([], problem)
    while True:
        active = np.flatnonzero(problem.losses.within_margin(current.values))
        size = min(sample_size, len(active))
        sample = np.sort(active[sample_without_replacement(len(active), size, random_state=random_state)])
        # The sample stands for all active ones.
        cut = problem.cut(sample, size / max(1, len(active)))
        cut.values = problem.sums.values(cut.examples, cut.weights)
        cuts.add(cut, _inner_products([*cuts.cuts, cut], cut.values))
        solution = cuts.solve()
        current = _Point.above(solution.parts, problem)
        best = min(best, current, key=lambda point: point.primal)
        violation = problem.loss(current.values) - solution.slack
        yield Round(*_support(best.parts, n), solution.objective, best.primal, violation)


def uniform_samples(n: int, sample_size: int, random_state: Any) -> Iterator[Matrix]:
    """Samples of all examples, for ever."""
    size = min(sample_size, n)
    while True:
        yield np.sort(sample_without_replacement(n, size, random_state=random_state))


def uniform_rounds(problem: HingeProblem, samples: Iterator[Matrix]) -> Iterator[Round]:
    """Cuts over fresh samples of all examples, and nothing else is looked at (uSVM).

    No step of a round depends on the number of examples.
    """
    n = len(problem.y)
    sums = problem.sums
    assert isinstance(sums, WeightedSums)
    cuts = Cuts(problem.bound)
    current = sums.changing()  # w
    slots: dict[int, Matrix] = {}  # by the identity of a cut: where its examples are in the sum
    solution: CutOptimum | None = None
    for sample in samples:
        size = len(sample)
        values = current.values(sample)
        within = (problem.y[sample] * values <= 1) & (problem.costs[sample] > 0)
        cut = problem.cut(sample[within], size / n)
        if solution is not None:
            losses = (
                problem.costs[sample] * np.maximum(0.0, 1 - problem.y[sample] * values) * (n / problem.mass)
            )
            noise = float(losses.std()) * np.sqrt((1 - size / n) / size)
            violation = float(losses.mean()) - solution.slack
            yield Round(*_support(solution.parts, n), solution.objective, np.nan, violation, noise)
        members = [*cuts.cuts, cut]
        seen, places = np.unique(np.concatenate([member.examples for member in members]), return_inverse=True)
        values = sums.values(cut.examples, cut.weights, seen)[places]
        bounds = np.cumsum([len(member.examples) for member in members])[:-1]
        pieces = zip(members, np.split(values, bounds), strict=True)
        cuts.add(cut, np.array([float(member.weights @ piece) for member, piece in pieces]))
        solution = cuts.solve()
        slots[id(cut)] = current.add(cut.examples)
        for gone in slots.keys() - {id(member) for member in cuts.cuts}:
            current.remove(slots.pop(gone))
        multipliers = {id(cut): multiplier for cut, multiplier in solution.parts}
        current.set_weights(
            np.concatenate([slots[id(cut)] for cut in cuts.cuts]),
            np.concatenate([multipliers.get(id(cut), 0.0) * cut.weights for cut in cuts.cuts]),
        )


@dataclass(frozen=True)
class _Point:
    """A combination of cuts, with its values at all examples; these cuts know theirs."""

    parts: Parts
    values: Matrix
    squared_norm: float
    primal: float

    @classmethod
    def above(cls, parts: Parts, problem: HingeProblem) -> _Point:
        """The combination of these parts."""
        values = problem.combine(*((cut.values, multiplier) for cut, multiplier in parts))
        return cls.at(parts, values, problem)

    @classmethod
    def at(cls, parts: Parts, values: Matrix, problem: HingeProblem) -> _Point:
        """The same when its values are known."""
        squared_norm = _inner(parts, values)
        return cls(parts, values, squared_norm, squared_norm / 2 + problem.bound * problem.loss(values))

    def towards(self, other: _Point, problem: HingeProblem) -> _Point:
        """The best point on the line from here through the other."""
        inner = _inner(other.parts, self.values)
        curvature = max(0.0, self.squared_norm + other.squared_norm - 2 * inner)
        slope = inner - self.squared_norm
        # In units of C, as the losses are.
        step = problem.losses.best_step(curvature / problem.C, slope / problem.C, self.values, other.values)
        if step == 0:
            return self
        multipliers = {id(cut): (1 - step) * multiplier for cut, multiplier in self.parts}
        for cut, multiplier in other.parts:
            multipliers[id(cut)] = multipliers.get(id(cut), 0.0) + step * multiplier
        cuts = {id(cut): cut for cut, _ in [*self.parts, *other.parts]}
        # What hardly counts any more is forgotten, since it would need memory for ever.
        parts = [(cut, multipliers[key]) for key, cut in cuts.items()]
        kept, forgotten = _by_weight(parts, NEGLIGIBLE)
        values = problem.combine(
            (self.values, 1 - step),
            (other.values, step),
            *((cut.values, -multiplier) for cut, multiplier in forgotten),
        )
        point = _Point.at(kept, values, problem)
        return min(self, point, key=lambda either: either.primal)  # rounding


def _by_weight(parts: Parts, share: float) -> tuple[Parts, Parts]:
    """The parts that have more than this share of the largest part's coefficients, and the others."""
    # A step beyond the other point leaves negative multipliers of this one.
    sizes = [abs(multiplier) * float(np.abs(cut.weights).sum()) for cut, multiplier in parts]
    least = share * max(sizes, default=0.0)
    sized = list(zip(parts, sizes, strict=True))
    return [part for part, size in sized if size > least], [part for part, size in sized if size <= least]


def _inner(parts: Parts, values: Matrix) -> float:
    """The inner product of a combination of cuts with the function that has these values."""
    return sum(multiplier * float(cut.weights @ values[cut.examples]) for cut, multiplier in parts)


def _inner_products(cuts: list[Cut], values: Matrix) -> Matrix:
    return np.array([float(cut.weights @ values[cut.examples]) for cut in cuts])


def _support(parts: Parts, n: int) -> tuple[Matrix, Matrix]:
    """The examples of a combination of cuts, and their coefficients."""
    if not parts:
        return np.zeros(0, dtype=np.int64), np.zeros(0)
    if sum(len(cut.examples) for cut, _ in parts) > n // 16:
        coefficients = np.zeros(n)
        for cut, multiplier in parts:
            coefficients[cut.examples] += multiplier * cut.weights
        support = np.flatnonzero(coefficients != 0)
        return support, coefficients[support]
    # The same in a time that does not depend on n.
    support, places = np.unique(np.concatenate([cut.examples for cut, _ in parts]), return_inverse=True)
    weights = np.concatenate([multiplier * cut.weights for cut, multiplier in parts])
    return support, np.bincount(places, weights, minlength=len(support))


def _exact_cut(problem: HingeProblem, cuts: Cuts, members: Matrix) -> Cut:
    """The cut of all examples within the margin, by its difference from a cut that is much the same."""
    cut = problem.cut(np.flatnonzero(members))
    cut.members = members
    differences = [np.count_nonzero(members ^ other.members) for other in cuts.cuts]
    if not differences or min(differences) >= len(cut.examples):
        cut.values = problem.sums.values(cut.examples, cut.weights)
        return cut
    nearest = cuts.cuts[int(np.argmin(differences))]
    changed = np.flatnonzero(members ^ nearest.members)
    weights = np.where(members[changed], 1, -1) * problem.cut(changed).weights
    cut.values = nearest.values + problem.sums.values(changed, weights)
    return cut
