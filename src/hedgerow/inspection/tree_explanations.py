"""Predictions of models on tree kernels, as sums over fragments and as sums over nodes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from hedgerow.data import Tree
from hedgerow.inspection.accounts import Account
from hedgerow.inspection.explanation import Explanation
from hedgerow.inspection.fragments import best_fragments
from hedgerow.inspection.functions import functions_of
from hedgerow.inspection.tree_parts import Item, Parts, TreePart, parts_of, too_large
from hedgerow.kernels.base import Matrix
from hedgerow.models import Expansion
from hedgerow.models.labels import winners
from hedgerow.structured.learner import StructuredLearner


def explain_trees(model: Any, X: Any, k: int, limit: int) -> Iterator[Explanation]:
    """Of every item the scores of all classes."""
    parts = parts_of(functions_of(model))
    chosen, expected = _decisions(model, X)
    for i, view in enumerate(parts.seen(X)):
        explanation = _explain(parts, view, chosen[i], k, limit)
        if expected is not None:
            _check(explanation, expected[i], 1e-9 if _is_double(model) else 1e-4)
        yield explanation


def _decisions(model: Any, X: Any) -> tuple[list[Any], Matrix | None]:
    """What the model predicts, and its scores by function, unless these are votes."""
    if isinstance(model, StructuredLearner):
        problem: Any = model.problem_
        return model.predict(X).tolist(), problem.scores(X, model.coef_)
    scores: Matrix = model.decision_function(X)
    if isinstance(model, Expansion):
        return [None] * len(scores), scores
    chosen = model.classes_[winners(scores)].tolist()
    if getattr(model, "_decoding", "") == "pairwise":
        return chosen, None
    return chosen, scores[:, None] if scores.ndim == 1 else scores


def _explain(parts: Parts, view: Any, predicted: Any, k: int, limit: int) -> Explanation:
    items: list[Item] = []
    nodes: dict[str, Matrix] = {}
    others: dict[str, Matrix] = {}
    trees: dict[str, Tree] = {}
    several = len(parts.parts) > 1
    for part, seen in view:
        if isinstance(part, TreePart):
            name = part.name if several else ""
            items.append(seen)
            nodes[name] = part.node_values(seen)
            trees[name] = seen.forest[0]
        else:
            others[part.name] = seen
    accounts = []
    for function, label in enumerate(parts.functions.labels):
        listed, bound = best_fragments(parts, function, k, [1, -1], limit, items)
        own_nodes = {name: np.ascontiguousarray(values[:, function]) for name, values in nodes.items()}
        of_trees = float(sum(values.sum() for values in own_nodes.values()))
        own_others = {name: float(values[function]) for name, values in others.items()}
        bias = float(parts.functions.biases[function])
        accounts.append(
            Account(
                label=label,
                score=of_trees + sum(own_others.values()) + bias,
                contributions=listed,
                remainder=of_trees - sum(fragment.contribution for fragment in listed),
                bias=bias,
                others=own_others,
                nodes=own_nodes,
                exact=bound == 0,
                bound=bound,
            )
        )
    return Explanation(predicted, tuple(accounts), trees)


def _is_double(model: Any) -> bool:
    return getattr(model, "precision", "double") == "double"


def _check(explanation: Explanation, expected: Matrix, tolerance: float) -> None:
    """That the nodes add up to the scores: where kernel values leave the range of doubles they may not."""
    for account, score in zip(explanation.accounts, expected.tolist(), strict=True):
        size = sum(float(np.abs(values).sum()) for values in account.nodes.values())
        size += abs(account.bias) + sum(map(abs, account.others.values()))
        if not abs(account.score - score) <= tolerance * max(1.0, size):
            raise too_large()
