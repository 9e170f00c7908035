"""Explanations of predictions, by whatever kind of model."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hedgerow.data import Forest, Records, Tree
from hedgerow.data.nltk_trees import is_nltk
from hedgerow.inspection.explanation import Explanations
from hedgerow.inspection.fragments import LIMIT
from hedgerow.inspection.functions import best_of, has_kernel
from hedgerow.inspection.tree_explanations import explain_trees
from hedgerow.kernels.checks import check_whole


def explain(model: Any, X: Any, k: int = 10, *, limit: int = LIMIT) -> Any:
    """Why a model predicts what it predicts, for one input or a few.

    Parameters
    ----------
    model : a fitted classifier on a tree kernel, or a learner on weights
    X : inputs as the model takes them; or one tree
    k : int, default=10
        How many contributions to list for, and how many against each class.
    limit : int, default=100000
        How many partial fragments to look at, for each list.

    Returns
    -------
    explanations : list of Explanation, or an Explanation if X is one tree
        Contributions add up to the scores.

    Examples
    --------
    >>> from hedgerow.inspection import explain
    >>> from hedgerow.kernels import SubsetTree
    >>> from hedgerow.online import Perceptron
    >>> trees = ["(S (NP Mary) (VP sings))", "(S (NP Mary) (VP sleeps))", "(S (NP John) (VP sings))"]
    >>> model = Perceptron(SubsetTree(decay=0.5), epochs=5).fit(trees, ["loud", "quiet", "loud"])
    >>> print(explain(model, "(S (NP John) (VP sleeps))", k=1))
    """
    model = best_of(model)
    check_whole("k", k, at_least=1)
    check_whole("limit", limit, at_least=0)
    if isinstance(X, str | Tree) or is_nltk(X):
        return next(iter(_explanations(model, Forest([X]), k, limit)))
    return Explanations(_explanations(model, X, k, limit))


def _explanations(model: Any, X: Any, k: int, limit: int) -> Iterator[Any]:
    if has_kernel(model):
        return explain_trees(model, X, k, limit)
    raise TypeError(f"a {type(model).__name__} has nothing that explains its predictions")
