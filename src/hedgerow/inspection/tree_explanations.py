"""Predictions of models on tree kernels, as sums over fragments and as sums over nodes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from hedgerow.data import Tree
from hedgerow.inspection.accounts import Account
from hedgerow.inspection.explanation import Explanation
from hedgerow.inspection.fragments import best_fragments
from hedgerow.inspection.tree_parts import Parts, SeenTree
from hedgerow.kernels.base import Matrix, out_of_range


def explain_trees(parts: Parts, X: Any, k: int, limit: int, tolerance: float) -> Iterator[Explanation]:
    """Of every item the scores of all classes."""
    predicted, expected = parts.functions.decide(X)
    for i, (items, others) in enumerate(parts.views(X)):
        explanation = Explanation(predicted[i], *_accounts(parts, items, others, k, limit))
        if expected is not None:
            _check(explanation, expected[i], tolerance)
        yield explanation


def _accounts(
    parts: Parts, items: list[SeenTree], others: dict[str, Matrix], k: int, limit: int
) -> tuple[tuple[Account, ...], dict[str, Tree]]:
    """Of an item, and the trees that it has."""
    names = [part.name if parts.several else "" for part in parts.trees]
    nodes = {name: part.node_values(item) for name, part, item in zip(names, parts.trees, items, strict=True)}
    accounts = []
    for function, label in enumerate(parts.functions.labels):
        listed, bound = best_fragments(parts, function, k, [1, -1], limit, items)
        own_nodes = {name: np.ascontiguousarray(values[:, function]) for name, values in nodes.items()}
        of_trees = float(sum(values.sum() for values in own_nodes.values()))
        of_others = {name: float(values[function]) for name, values in others.items()}
        bias = float(parts.functions.biases[function])
        accounts.append(
            Account(
                label=label,
                score=of_trees + sum(of_others.values()) + bias,
                contributions=listed,
                remainder=of_trees - sum(fragment.contribution for fragment in listed),
                bias=bias,
                others=of_others,
                nodes=own_nodes,
                exact=bound == 0,
                bound=bound,
            )
        )
    return tuple(accounts), {name: item.tree for name, item in zip(names, items, strict=True)}


def _check(explanation: Explanation, expected: Matrix, tolerance: float) -> None:
    """That the nodes add up to the scores: where kernel values leave the range of doubles they may not."""
    for account, score in zip(explanation.accounts, expected.tolist(), strict=True):
        size = sum(float(np.abs(values).sum()) for values in account.nodes.values())
        size += abs(account.bias) + sum(map(abs, account.others.values()))
        if not abs(account.score - score) <= tolerance * max(1.0, size):
            raise out_of_range()
