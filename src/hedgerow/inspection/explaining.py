"""Explanations of predictions, by whatever kind of model."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from hedgerow.checks import check_whole
from hedgerow.data import Tree
from hedgerow.data.nltk_trees import is_nltk
from hedgerow.inspection.accounts import Account, account_of
from hedgerow.inspection.explanation import Explanation, Explanations, SequenceExplanation
from hedgerow.inspection.fragments import LIMIT, best_fragments
from hedgerow.inspection.functions import best_of, functions_of
from hedgerow.inspection.tree_parts import Parts, SeenTree, parts_of
from hedgerow.kernels.base import Matrix, out_of_range
from hedgerow.models.functions import FeatureNames


def explain(
    model: Any, X: Any, k: int = 10, *, feature_names: FeatureNames = None, limit: int = LIMIT
) -> Any:
    """Why a model predicts what it predicts, for one input or a few: contributions that add up to scores.

    Models on tree kernels are explained by the fragments of the input that count most for and against each class, and
    by what each node of the input adds; those on other kernels by the supports that count most: coefficient times
    kernel value. Learners on weights are explained by weight times value, feature by feature. Structured learners are
    explained by the score of the output that they predict: label sequences token by token, parses rule by rule; and
    choices among candidates by the features of each.

    Parameters
    ----------
    model : a fitted model
    X : inputs as the model takes them; or one tree
    k : int, default=10
        How many contributions to list for, and how many against. What all others add is one number.
    feature_names : sequence of str, or function of a number, optional
        For learners on weights; see `weights`.
    limit : int, default=100000
        How many partial fragments to look at, for each class; see `fragments`.

    Returns
    -------
    explanations : list of Explanation, for sequences of SequenceExplanation; one of these if X is one tree
        They print as text, and notebooks draw them.

    Examples
    --------
    >>> from hedgerow.inspection import explain
    >>> from hedgerow.kernels import SubsetTree
    >>> from hedgerow.online import Perceptron
    >>> trees = ["(S (NP Mary) (VP sings))", "(S (NP Mary) (VP sleeps))", "(S (NP John) (VP sings))"]
    >>> model = Perceptron(SubsetTree(decay=0.5), epochs=5).fit(trees, ["loud", "quiet", "loud"])
    >>> print(explain(model, "(S (NP John) (VP sleeps))", k=1))
    predicted quiet
    quiet: 0.75
            +0.5  (VP sleeps)
           +0.25  all other fragments
    """
    model = best_of(model)
    check_whole("k", k, at_least=1)
    check_whole("limit", limit, at_least=0)
    one = isinstance(X, str | Tree) or is_nltk(X)
    explanations = Explanations(_explanations(model, [X] if one else X, k, feature_names, limit))
    return explanations[0] if one else explanations


def _explanations(model: Any, X: Any, k: int, names: FeatureNames, limit: int) -> Iterator[Any]:
    functions = functions_of(model)
    if functions.expansion is not None and functions.expansion.kernel._has_fragments:
        yield from _explain_trees(parts_of(model, functions.expansion), X, k, limit, _tolerance(model))
        return
    for scored in functions.scored(X, names):
        accounts = tuple(account_of(score, k, scored.what) for score in scored.scores)
        if scored.tokens is not None:
            score = float(sum(account.score for account in accounts))
            yield SequenceExplanation(scored.tokens, scored.predicted, accounts, score, scored.labels)
        else:
            yield Explanation(scored.predicted, accounts, scored.trees)


def _tolerance(model: Any) -> float:
    """How far rounding may take scores from sums over nodes."""
    return 1e-9 if getattr(model, "precision", "double") == "double" else 1e-4


# -- models on tree kernels: sums over fragments, and sums over nodes -----------------------------------------------


def _explain_trees(parts: Parts, X: Any, k: int, limit: int, tolerance: float) -> Iterator[Explanation]:
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
