"""Explanations of predictions, by whatever kind of model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import is_classifier

from hedgerow.checks import check_whole
from hedgerow.data import Tree
from hedgerow.data.nltk_trees import is_nltk
from hedgerow.inspection.accounts import Account, account_of
from hedgerow.inspection.explanation import Explanation, Explanations, NextBest, SequenceExplanation
from hedgerow.inspection.fragments import LIMIT, best_fragments
from hedgerow.inspection.functions import best_of, functions_of
from hedgerow.inspection.tree_parts import Parts, View, parts_of
from hedgerow.kernels.base import Matrix, out_of_range
from hedgerow.models.functions import FeatureNames, Name, Score, namer

N_NEXT = 2  # outputs that are shown beside the one that is predicted


def explain(
    model: Any,
    X: Any,
    n_largest: int = 10,
    *,
    feature_names: FeatureNames | Mapping[str, FeatureNames] = None,
    limit: int = LIMIT,
) -> Any:
    """Explain predictions, for one input or a few: contributions that add up to scores.

    Models on tree kernels are explained by the fragments of the input that count most for and against each class, and
    by what each node of the input adds; those on dot products, as `Linear`, by weight times value, feature by feature,
    as are learners on weights; those on other kernels by the supports that count most: coefficient times kernel value.
    In a sum of kernels all of these count, each for its part of the sum. Structured learners are
    explained by the score of the output that they predict: label sequences token by token, parses rule by rule; and
    choices among candidates by the features of each. Beside it stand the outputs that score next best.

    Parameters
    ----------
    model : a fitted model
    X : inputs as the model takes them; or one tree
    n_largest : int, default=10
        How many contributions to list for, and how many against. What all others add is one number.
    feature_names : sequence of str, function of a number, or dict of these by column, optional
        For learners on weights, see `weights`, and dot products; a dict where a sum of kernels has several of these.
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
    >>> print(explain(model, "(S (NP John) (VP sleeps))", n_largest=1))
    predicted quiet
    quiet: 0.75
            +0.5  (VP sleeps)
           +0.25  all other fragments

    A sum of kernels:

    >>> from hedgerow import Forest, Records
    >>> from hedgerow.kernels import Linear
    >>> records = Records(tree=Forest(trees), words=[[1, 0], [0, 1], [1, 1]])
    >>> model = Perceptron(SubsetTree(decay=0.5) + Linear()).fit(records, ["loud", "quiet", "loud"])
    >>> print(explain(model, records[:1], n_largest=2, feature_names=["song", "night"])[0])
    predicted loud
    quiet: -1.875
              -1  song (Linear)
            -0.5  (VP sings)
          -0.375  all other fragments
    """
    model = best_of(model)
    check_whole("n_largest", n_largest, at_least=1)
    check_whole("limit", limit, at_least=0)
    one = isinstance(X, str | Tree) or is_nltk(X)
    explanations = Explanations(_explanations(model, [X] if one else X, n_largest, feature_names, limit))
    return explanations[0] if one else explanations


def _explanations(model: Any, X: Any, k: int, names: Any, limit: int) -> Iterator[Any]:
    functions = functions_of(model)
    expansion = functions.expansion
    if expansion is not None and (expansion.kernel._has_fragments or expansion.kernel._has_features):
        yield from _explain_parts(parts_of(model, expansion), X, k, names, limit, model)
        return
    if isinstance(names, Mapping):
        raise ValueError("feature_names of parts are for sums of kernels with dot products, as Linear()")
    for i, scored in enumerate(functions.scored(X, names)):
        accounts = tuple(account_of(score, k, scored.what) for score in scored.scores)
        if scored.tokens is not None:
            score = float(sum(account.score for account in accounts))
            known = hasattr(model, "token_margins")
            margins = tuple(model.token_margins(X[i : i + 1])[0].tolist()) if known else ()
            yield SequenceExplanation(
                scored.tokens,
                scored.predicted,
                accounts,
                score,
                scored.labels,
                _next_best(model, X, i),
                margins,
            )
        elif len(accounts) > 1:  # of all that could be predicted
            yield Explanation(scored.predicted, accounts, scored.trees)
        else:
            yield Explanation(scored.predicted, accounts, scored.trees, _next_best(model, X, i))


def _ranks(model: Any) -> bool:
    """Whether it can say which outputs follow the best one."""
    return hasattr(model, "predict_k") and not is_classifier(model)


def _next_best(model: Any, X: Any, example: int) -> tuple[NextBest, ...]:
    if not _ranks(model):
        return ()
    (best, *others) = model.predict_k(X[example : example + 1], 1 + N_NEXT)[0]
    return tuple(NextBest(output, best[1] - score) for output, score in others)


def _tolerance(model: Any) -> float:
    """How far rounding may take scores from sums over nodes."""
    return 1e-9 if getattr(model, "precision", "double") == "double" else 1e-4


# -- models on kernels whose terms are taken apart: fragments of trees, features of vectors, supports --------------


def _names(parts: Parts, given: Any, own: FeatureNames) -> dict[str, Name]:
    """What the features of each part are called; complains about names that would have no effect."""
    linear = [part.name for part in parts.plain if part.what == "features"]
    if isinstance(given, Mapping):
        if unknown := [name for name in given if name not in linear]:
            raise ValueError(
                f"feature_names must be of the parts {', '.join(linear) or 'none'}, got {unknown[0]!r}"
            )
        by_part = dict(given)
    elif given is not None and not callable(given) and len(linear) != 1:
        which = f"say which with a dict that has {', '.join(linear)}" if linear else "the kernel has none"
        raise ValueError(f"feature_names are of one dot product, as Linear(); {which}")
    else:
        by_part = dict.fromkeys(linear, own if given is None and not parts.several else given)
    return {part.name: namer(by_part.get(part.name)) for part in parts.plain}


def _explain_parts(parts: Parts, X: Any, k: int, names: Any, limit: int, model: Any) -> Iterator[Explanation]:
    """Of every item the scores of all classes."""
    named = _names(parts, names, getattr(model, "feature_names_in_", None))
    predicted, expected = parts.functions.decide(X)
    for i, view in enumerate(parts.views(X, named)):
        explanation = Explanation(predicted[i], *_accounts(parts, view, k, limit))
        if expected is not None:
            _check(explanation, view, expected[i], _tolerance(model))
        yield explanation


def _accounts(parts: Parts, view: View, k: int, limit: int) -> tuple[tuple[Account, ...], dict[str, Tree]]:
    """Of an item, and the trees that it has."""
    names = [part.name if parts.several else "" for part in parts.trees]
    pairs = list(zip(names, parts.trees, view.trees, strict=True))
    nodes = {name: part.node_values(item) for name, part, item in pairs}
    accounts = []
    for function, label in enumerate(parts.functions.labels):
        fragments, bound = best_fragments(parts, function, k, [1, -1], limit, view.trees)
        own_nodes = {name: np.ascontiguousarray(values[:, function]) for name, values in nodes.items()}
        of_trees = float(sum(values.sum() for values in own_nodes.values()))
        plain = [
            account_of(_in_part(scores[function], part.name if parts.several else ""), k, part.what)
            for part, scores in zip(parts.plain, view.plain, strict=True)
        ]
        listed = _largest([*fragments, *(one for account in plain for one in account.contributions)], k)
        kept = set(map(id, listed))
        bias = float(parts.functions.biases[function])
        rest = of_trees - sum(fragment.contribution for fragment in fragments if id(fragment) in kept)
        others = {
            f"{part.what} of {part.name}": account.remainder
            + sum(one.contribution for one in account.contributions if id(one) not in kept)
            for part, account in zip(parts.plain, plain, strict=True)
        }
        what = "fragments"
        if not parts.several and parts.plain:
            what, rest, others = parts.plain[0].what, *others.values(), {}
        accounts.append(
            Account(
                label=label,
                score=of_trees + sum(account.score for account in plain) + bias,
                contributions=listed,
                remainder=rest,
                bias=bias,
                others=others,
                nodes=own_nodes,
                exact=bound == 0,
                bound=bound,
                what=what,
            )
        )
    return tuple(accounts), {name: item.tree for name, _, item in pairs}


def _in_part(score: Score, part: str) -> Score:
    """With names that say which part of the kernel they are of, if it has several."""
    return replace(score, name=lambda i: f"{score.name(i)} ({part})") if part else score


def _largest(contributions: list[Any], k: int) -> list[Any]:
    """The k largest for and the k largest against."""
    ordered = sorted(contributions, key=lambda one: -abs(one.contribution))
    speaking = ([one for one in ordered if sign * one.contribution > 0][:k] for sign in (1, -1))
    return [one for side in speaking for one in side]


def _check(explanation: Explanation, view: View, expected: Matrix, tolerance: float) -> None:
    """That the parts add up to the scores: where kernel values leave the range of doubles they may not."""
    for f, (account, score) in enumerate(zip(explanation.accounts, expected.tolist(), strict=True)):
        size = abs(account.bias) + sum(float(np.abs(values).sum()) for values in account.nodes.values())
        size += sum(float(np.abs(scores[f].weights * scores[f].values).sum()) for scores in view.plain)
        if not abs(account.score - score) <= tolerance * max(1.0, size):
            raise out_of_range()
