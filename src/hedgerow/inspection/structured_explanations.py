"""Predictions of structured learners: the score of the predicted output as a sum."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow.data import Tree
from hedgerow.inspection import html_pieces as html
from hedgerow.inspection.accounts import Account, Feature
from hedgerow.inspection.explanation import Explanation
from hedgerow.inspection.linear_functions import FeatureNames, namer
from hedgerow.inspection.structured_weights import move_name, rule_names
from hedgerow.kernels.base import Matrix
from hedgerow.structured.discriminant import sparse_features
from hedgerow.structured.grammar.nodes import as_forest
from hedgerow.structured.grammar.problem import WeightedGrammar
from hedgerow.structured.learner import StructuredLearner
from hedgerow.structured.sequence.label_sequence import LabelSequence
from hedgerow.threads import resolve


@dataclass(frozen=True)
class SequenceExplanation:
    """The score of the predicted labels of a sequence, token by token.

    Attributes
    ----------
    tokens : list
        As they were given.
    predicted : list of labels
    accounts : tuple of Account
        One for each token: contributions of its features with the label, and of the move to the label.
    """

    tokens: list[Any]
    predicted: list[Any]
    accounts: tuple[Account, ...]

    @property
    def score(self) -> float:
        """Of all labels together."""
        return float(sum(account.score for account in self.accounts))

    def total(self) -> float:
        """The sum of all contributions, which is the score."""
        return float(sum(account.total() for account in self.accounts))

    def to_text(self, labels: Any = None) -> str:
        """The score and the contributions to it, token by token."""
        shown = [one for one in self.accounts if labels is None or one.label[1] in labels]
        lines = [f"score {self.score:.6g}"]
        for account in shown:
            _, *rest = str(account).split("\n")
            lines.append(f"{account.label[0]} {account.label[1]}: {account.score:.6g}")
            lines += rest
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        tokens = []
        for account in self.accounts:
            entry = account.to_dict()
            token, label = entry.pop("label")
            tokens.append({"token": token, "label": label, **entry})
        return {"predicted": self.predicted, "score": self.score, "tokens": tokens}

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return f"<SequenceExplanation: {self}>"

    def to_html(self, labels: Any = None) -> str:
        """As a part of a page: a table for each token."""
        shown = [one for one in self.accounts if labels is None or one.label[1] in labels]
        tables = [one.to_html(f"{one.label[0]} {one.label[1]}: {one.score:.6g}") for one in shown]
        return html.section(f"score {self.score:.6g}", *tables)

    def _repr_html_(self) -> str:
        return html.scrolling(self.to_html())


def explain_outputs(model: StructuredLearner, X: Any, k: int, names: FeatureNames) -> Iterator[Any]:
    """Of every input the score of the output that is predicted."""
    model._check_fitted()
    problem = model.problem_
    if isinstance(problem, LabelSequence):
        yield from _explain_sequences(problem, model.coef_, X, k)
        return
    if problem._has_kernel or getattr(problem, "kernel", None) is not None:
        raise TypeError(
            f"a {type(problem).__name__} with a kernel scores by kernel values, which have no features to list"
        )
    predictions = model.predict(X)
    spoken = rule_names(problem).__getitem__ if isinstance(problem, WeightedGrammar) else namer(model, names)
    for x, y in zip(X, predictions, strict=True):
        trees: dict[str, Tree] = {}
        if isinstance(problem, WeightedGrammar):
            trees[""] = as_forest([y])[0]
        yield Explanation(y, (_of_output(problem, model.coef_, x, y, k, spoken),), trees)


def _of_output(problem: Any, weights: Matrix, x: Any, y: Any, k: int, name: Any) -> Account:
    what = "rules" if isinstance(problem, WeightedGrammar) else "features"
    try:
        features, values = sparse_features(problem.joint_features(x, y))
    except ValueError:
        if not isinstance(problem, WeightedGrammar):
            raise
        # The grammar has no tree of this sentence, and the flat one has no rules.
        return Account("no tree by the grammar", 0.0, [], 0.0, 0.0, what=what)
    known = features < len(weights)
    features, values = features[known], values[known]
    terms = [(name(int(f)), float(weights[f]), float(v)) for f, v in zip(features, values, strict=True)]
    return _account("score", terms, k, what)


def _explain_sequences(
    problem: LabelSequence, weights: Matrix, X: Any, k: int
) -> Iterator[SequenceExplanation]:
    X = list(X)
    weights = problem._all_weights(weights)
    predictions = problem._decode(X, weights, resolve(None))
    names = problem.feature_names() if problem.tokens_ is None else []
    for x, labels in zip(X, predictions, strict=True):
        numbers = [problem.numbers_.numbers[label] for label in labels]
        emissions = list(_emissions(problem, weights, x, numbers, names))
        accounts = []
        for t, terms in enumerate(emissions):
            terms += list(_moves(problem, weights, numbers, t))
            accounts.append(_account((_shown(x, t), labels[t]), terms, k, "features"))
        yield SequenceExplanation([_shown(x, t) for t in range(len(labels))], list(labels), tuple(accounts))


_Term = tuple[str, float, float]  # what it is, its weight and its value


def _emissions(
    problem: LabelSequence, weights: Matrix, x: Any, numbers: list[int], names: list[str]
) -> Iterator[list[_Term]]:
    """What the features of each token add with its label."""
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
                move = move_name(problem, numbers[t - 1] * n + label) if problem.order else "move"
                terms.append((f"{name}, {move}", float(weights[place]), value))
        yield terms


def _moves(problem: LabelSequence, weights: Matrix, numbers: list[int], t: int) -> Iterator[_Term]:
    """What labels alone add at a token."""
    chain, n, scale = problem.chain_, len(problem.numbers_), float(problem.transition_scale)
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
        yield move_name(problem, place), float(weights[place]), value


def _account(label: Any, terms: list[_Term], k: int, what: str) -> Account:
    features = [Feature(*term) for term in terms if term[1] != 0 and term[2] != 0]
    features.sort(key=lambda feature: -feature.contribution)
    score = float(sum(feature.contribution for feature in features))
    listed = features if len(features) <= 2 * k else [*features[:k], *features[-k:]]
    # Those against come after those for, the largest of each first.
    listed = [f for f in listed if f.contribution > 0] + [f for f in listed[::-1] if f.contribution < 0]
    rest = 0.0 if len(listed) == len(features) else score - sum(f.contribution for f in listed)
    return Account(label, score, listed, rest, 0.0, what=what)


def _shown(x: Any, t: int) -> str:
    token = x[t]
    if isinstance(token, str):
        return token
    if isinstance(token, tuple | list) and token and isinstance(token[0], str):
        return token[0]
    return f"token {t + 1}"
