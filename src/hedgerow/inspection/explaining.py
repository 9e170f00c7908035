"""Explanations of predictions, by whatever kind of model."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hedgerow.checks import check_whole
from hedgerow.data import Tree
from hedgerow.data.nltk_trees import is_nltk
from hedgerow.inspection.accounts import account_of
from hedgerow.inspection.explanation import Explanation, Explanations
from hedgerow.inspection.fragments import LIMIT
from hedgerow.inspection.functions import best_of, functions_of
from hedgerow.inspection.sequence_explanation import SequenceExplanation
from hedgerow.inspection.tree_explanations import explain_trees
from hedgerow.inspection.tree_parts import parts_of
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
        yield from explain_trees(parts_of(model, functions.expansion), X, k, limit, _tolerance(model))
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
