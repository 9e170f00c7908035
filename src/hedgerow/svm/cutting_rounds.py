"""The rounds of the one-slack cutting-plane algorithm, with exact and with sampled cuts.

Each way of making cuts is a generator that yields its state after every round, for ever: whoever asks for the next
round decides when to stop.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.random import sample_without_replacement

from hedgerow.kernels.base import Matrix
from hedgerow.svm.cuts import Cut, Cuts, Solution
from hedgerow.svm.line_search import best_step
from hedgerow.svm.weighted_sums import WeightedSums

# Exact cuts are made on the way from the best point to the optimum over the cuts so far, this far from the best.
# At the optimum itself, as the algorithm is written, cuts change wildly and twice as many are needed.
SEPARATION = 0.2


@dataclass(frozen=True)
class Problem:
    """Minimise ``1/2 |w|^2 + C sum_i cost_i max(0, 1 - y_i w.phi(x_i))``."""

    sums: WeightedSums
    y: Matrix  # +1 or -1, as floats
    costs: Matrix
    C: float

    @property
    def bound(self) -> float:
        """What the mean loss is multiplied with."""
        return self.C * len(self.y)

    def loss(self, values: Matrix) -> float:
        """The mean loss."""
        return float(self.costs @ np.maximum(0.0, 1 - self.y * values)) / len(self.y)

    def within_margin(self, values: Matrix) -> Matrix:
        return (self.y * values <= 1) & (self.costs > 0)

    def cut(self, examples: Matrix, n: float) -> Cut:
        """The cut of these examples, when they stand for n."""
        costs = self.costs[examples]
        return Cut(examples, costs * self.y[examples] / n, float(costs.sum()) / n)


@dataclass(frozen=True)
class Round:
    """What is known after a round."""

    support: Matrix  # examples that have a coefficient
    coefficients: Matrix  # theirs
    objective: float  # of the dual over the cuts so far
    primal: float  # NaN where it is not known
    violation: float  # of the stopping test, which compares it with epsilon


def exact_rounds(problem: Problem) -> Iterator[Round]:
    """Cuts over all examples. The violation is the gap between primal and dual, in units of the mean loss."""
    cuts = Cuts(problem.bound)
    best = _Point.origin(problem)
    lower = 0.0
    values = best.values
    while True:
        cut = _exact_cut(problem, cuts, values)
        cuts.add(cut, _inner_products(cuts.cuts, cut))
        solution = cuts.solve()
        lower = max(lower, solution.objective)
        optimum = _Point.optimum(problem, cuts, solution)
        best = best.towards(optimum, problem)
        primal = best.primal(problem)
        yield Round(*best.sparse(), lower, primal, (primal - lower) / problem.bound)
        values = best.values + SEPARATION * (optimum.values - best.values)
        if _height(problem, values, optimum.values) <= solution.slack + 1e-9:
            values = optimum.values  # a cut there would be no news


def importance_rounds(problem: Problem, sample_size: int, random_state: Any) -> Iterator[Round]:
    """Cuts over samples of the examples within the margin, found by a look at all examples (iSVM)."""
    cuts = Cuts(problem.bound)
    current = _Point.origin(problem)
    best, least = current, np.inf
    while True:
        active = np.flatnonzero(problem.within_margin(current.values))
        size = min(sample_size, len(active))
        sample = np.sort(active[sample_without_replacement(len(active), size, random_state=random_state)])
        # The sample stands for all active ones: its share of the sum is scaled up.
        cut = problem.cut(sample, len(problem.y) * size / max(1, len(active)))
        cut.values = problem.sums.values(cut.examples, cut.weights)
        cuts.add(cut, _inner_products(cuts.cuts, cut))
        solution = cuts.solve()
        current = _Point.optimum(problem, cuts, solution)
        primal = current.primal(problem)
        if primal < least:
            best, least = current, primal
        violation = problem.loss(current.values) - solution.slack
        yield Round(*best.sparse(), solution.objective, least, violation)


def uniform_rounds(problem: Problem, sample_size: int, random_state: Any) -> Iterator[Round]:
    """Cuts over fresh samples of all examples, and nothing else is looked at (uSVM).

    No step of a round depends on the number of examples.
    """
    n = len(problem.y)
    size = min(sample_size, n)
    cuts = Cuts(problem.bound)
    current = problem.sums.changing()  # w
    slots: dict[int, Matrix] = {}  # by the identity of a cut: where its examples are in the sum
    solution: Solution | None = None
    while True:
        sample = np.sort(sample_without_replacement(n, size, random_state=random_state))
        values = current.values(sample)
        within = (problem.y[sample] * values <= 1) & (problem.costs[sample] > 0)
        cut = problem.cut(sample[within], size)
        if solution is not None:
            height = cut.offset - float(cut.weights @ values[within])
            yield Round(*_support(cuts, solution), solution.objective, np.nan, height - solution.slack)
        members = [*cuts.cuts, cut]
        values = problem.sums.values(
            cut.examples, cut.weights, np.concatenate([member.examples for member in members])
        )
        bounds = np.cumsum([len(member.examples) for member in members])[:-1]
        parts = zip(members, np.split(values, bounds), strict=True)
        cuts.add(cut, np.array([float(member.weights @ part) for member, part in parts]))
        solution = cuts.solve()
        slots[id(cut)] = current.add(cut.examples)
        kept = {id(member) for member in cuts.cuts}
        for gone in slots.keys() - kept:
            current.remove(slots.pop(gone))
        for member, multiplier in zip(cuts.cuts, solution.multipliers, strict=True):
            current.set_weights(slots[id(member)], multiplier * member.weights)


def _support(cuts: Cuts, solution: Solution) -> tuple[Matrix, Matrix]:
    """The examples of w, and their coefficients: those of cuts with a multiplier, added up."""
    used = [(cut, a) for cut, a in zip(cuts.cuts, solution.multipliers, strict=True) if a > 0]
    if not used:
        return np.zeros(0, dtype=np.int64), np.zeros(0)
    examples, places = np.unique(np.concatenate([cut.examples for cut, _ in used]), return_inverse=True)
    weights = np.concatenate([a * cut.weights for cut, a in used])
    return examples, np.bincount(places, weights, minlength=len(examples))


@dataclass(frozen=True)
class _Point:
    """A function, with its values at all examples."""

    coefficients: Matrix
    values: Matrix
    squared_norm: float

    @classmethod
    def origin(cls, problem: Problem) -> _Point:
        return cls(np.zeros(len(problem.y)), np.zeros(len(problem.y)), 0.0)

    @classmethod
    def optimum(cls, problem: Problem, cuts: Cuts, solution: Solution) -> _Point:
        """The best point above the cuts; these must know their values at all examples."""
        coefficients, values = np.zeros(len(problem.y)), np.zeros(len(problem.y))
        for cut, multiplier in zip(cuts.cuts, solution.multipliers, strict=True):
            if multiplier > 0:
                coefficients[cut.examples] += multiplier * cut.weights
                values += multiplier * cut.values
        return cls(coefficients, values, solution.squared_norm)

    def sparse(self) -> tuple[Matrix, Matrix]:
        support = np.flatnonzero(self.coefficients)
        return support, self.coefficients[support]

    def primal(self, problem: Problem) -> float:
        return self.squared_norm / 2 + problem.bound * problem.loss(self.values)

    def towards(self, other: _Point, problem: Problem) -> _Point:
        """The best point on the line from here through the other."""
        inner = float(other.coefficients @ self.values)
        curvature = max(0.0, self.squared_norm + other.squared_norm - 2 * inner)
        slope = inner - self.squared_norm
        changes = other.values - self.values
        step = best_step(
            curvature, slope, 1 - problem.y * self.values, -problem.y * changes, problem.C * problem.costs
        )
        return _Point(
            (1 - step) * self.coefficients + step * other.coefficients,
            self.values + step * changes,
            max(0.0, self.squared_norm + step * (2 * slope + step * curvature)),
        )


def _exact_cut(problem: Problem, cuts: Cuts, values: Matrix) -> Cut:
    """The cut of all examples within the margin, by its difference from a cut that is much the same."""
    members = problem.within_margin(values)
    cut = problem.cut(np.flatnonzero(members), len(members))
    cut.members = members
    differences = [np.count_nonzero(members ^ other.members) for other in cuts.cuts]
    if not differences or min(differences) >= len(cut.examples):
        cut.values = problem.sums.values(cut.examples, cut.weights)
        return cut
    nearest = cuts.cuts[int(np.argmin(differences))]
    changed = np.flatnonzero(members ^ nearest.members)
    weights = np.where(members[changed], 1, -1) * problem.costs[changed] * problem.y[changed] / len(members)
    cut.values = nearest.values + problem.sums.values(changed, weights)
    return cut


def _inner_products(others: list[Cut], cut: Cut) -> Matrix:
    return np.array([float(other.weights @ cut.values[other.examples]) for other in [*others, cut]])


def _height(problem: Problem, values: Matrix, at: Matrix) -> float:
    """Of the cut made at ``values``, over the point whose values are ``at``."""
    members = problem.within_margin(values)
    return float(problem.costs[members] @ (1 - problem.y[members] * at[members])) / len(members)
