"""Scores of label sequences as sums, token by token: features with labels, and moves between labels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hedgerow.kernels.base import Matrix
from hedgerow.models.functions import FeatureNames, Functions, Score, Scored, WeightColumn
from hedgerow.threads import resolve

if TYPE_CHECKING:
    from hedgerow.structured.sequence.label_sequence import LabelSequence

_Term = tuple[str, float, float]  # what it is, its weight and its value


@dataclass(frozen=True, eq=False)
class SequenceFunctions(Functions):
    """The score of labels: weights of features with each label, and of labels alone."""

    problem: LabelSequence
    weights: Matrix  # of all features that have been met

    def columns(self, names: FeatureNames = None) -> Iterator[WeightColumn]:
        problem, weights = self.problem, self.weights
        if problem.tokens_ is not None:
            raise TypeError(
                "with a kernel of tokens there are no weights of features, only of training tokens"
            )
        emissions = problem.emissions(weights)
        known = problem.feature_names()
        for number, label in enumerate(problem.numbers_.labels):
            yield WeightColumn(label, emissions[:, number], known.__getitem__)
        chain = problem.chain_
        scale = np.full(chain.plain, problem.transition_scale)
        scale[chain.bias_begin :] = 1.0
        yield WeightColumn("moves", scale * weights[: chain.plain], self._move_name)
        wide = np.flatnonzero(problem.moving_.wide)
        if len(wide):
            n = len(problem.numbers_)
            starts, _ = problem.moving_.places(wide.astype(np.int32), chain.plain)
            table = weights[starts[:, None] + n + np.arange(n * n)]
            yield WeightColumn(
                "features of moves",
                table.ravel(),
                lambda place: f"{known[wide[place // (n * n)]]}, {self._moved(place % (n * n), 1)}",
            )

    def scored(self, X: Any, names: FeatureNames = None) -> Iterator[Scored]:
        X = list(X)
        predictions = self.problem._decode(X, self.weights, resolve(None))
        known = self.problem.feature_names() if self.problem.tokens_ is None else []
        for x, labels in zip(X, predictions, strict=True):
            numbers = [self.problem.numbers_.numbers[label] for label in labels]
            tokens = [_shown(x, t) for t in range(len(labels))]
            scores = []
            for t, terms in enumerate(self._emissions(x, numbers, known)):
                terms += self._moves(numbers, t)
                scores.append(_score((tokens[t], labels[t]), terms))
            yield Scored(list(labels), scores, tokens=tokens, labels=self.problem.numbers_.labels)

    def _emissions(self, x: Any, numbers: list[int], names: list[str]) -> Iterator[list[_Term]]:
        """What the features of each token add with its label."""
        problem, weights = self.problem, self.weights
        tokens = problem.reader_.read([x], False)
        n, first = len(problem.numbers_), problem.chain_.plain
        if problem.tokens_ is not None:
            distinct, rows = tokens.distinct(problem.reader_.n_features)
            scores = problem.tokens_.functions(rows, weights[first:].reshape(-1, n), resolve(None))
            for number, label in zip(distinct.feature.tolist(), numbers, strict=True):
                yield [("the token by the kernel", float(scores[number, label]), 1.0)]
            return
        starts, wide = problem.moving_.places(tokens.feature, first)
        values = np.ones(len(starts)) if tokens.value is None else tokens.value
        for t, label in enumerate(numbers):
            terms: list[_Term] = []
            for i in range(int(tokens.row_begin[t]), int(tokens.row_begin[t + 1])):
                name, value = names[tokens.feature[i]], float(values[i])
                terms.append((name, float(weights[starts[i] + label]), value))
                if wide is not None and wide[i] and t > 0:
                    place = starts[i] + n + numbers[t - 1] * n + label
                    move = self._move_name(numbers[t - 1] * n + label) if problem.order else "move"
                    terms.append((f"{name}, {move}", float(weights[place]), value))
            yield terms

    def _moves(self, numbers: list[int], t: int) -> Iterator[_Term]:
        """What labels alone add at a token."""
        problem, chain = self.problem, self.problem.chain_
        n, scale = len(problem.numbers_), float(problem.transition_scale)
        places: list[tuple[int, float]] = []
        if problem.bias:
            places.append((chain.bias_begin + numbers[t], 1.0))
        state, power = 0, 1
        for m in range(1, min(problem.order, t) + 1):
            state += power * numbers[t - m]
            power *= n
            places.append((chain.moves_begin(m) + state * n + numbers[t], scale))
        if problem.boundaries:
            if t == 0:
                places.append((chain.start_begin + numbers[t], scale))
            if t == len(numbers) - 1:
                places.append((chain.stop_begin + numbers[t], scale))
        for place, value in places:
            yield self._move_name(place), float(self.weights[place]), value

    def _move_name(self, place: int) -> str:
        """What a weight of labels alone is called."""
        chain, labels = self.problem.chain_, self.problem.numbers_.labels
        if place >= chain.bias_begin:
            return f"any {labels[place - chain.bias_begin]}"
        if place >= chain.stop_begin:
            return f"{labels[place - chain.stop_begin]} -> end"
        if place >= chain.start_begin:
            return f"start -> {labels[place - chain.start_begin]}"
        order = max(m for m in range(1, self.problem.order + 1) if chain.moves_begin(m) <= place)
        return self._moved(place - chain.moves_begin(order), order)

    def _moved(self, number: int, order: int) -> str:
        """The move from ``order`` labels to one that has this number."""
        labels = self.problem.numbers_.labels
        digits: list[str] = []
        for _ in range(order + 1):
            number, digit = divmod(number, len(labels))
            digits.append(str(labels[digit]))
        *before, last = reversed(digits)
        return f"{' '.join(before)} -> {last}"


def _score(label: Any, terms: list[_Term]) -> Score:
    names, weights, values = zip(*terms, strict=True) if terms else ((), (), ())
    return Score(label, np.array(weights), np.array(values), names.__getitem__)


def _shown(x: Any, t: int) -> str:
    token = x[t]
    if isinstance(token, str):
        return token
    if isinstance(token, tuple | list) and token and isinstance(token[0], str):
        return token[0]
    return f"token {t + 1}"
