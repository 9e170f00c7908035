"""Labelled bracket precision, recall and F1: how far trees agree with the true ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass, replace
from typing import Any, Literal, Self

from hedgerow.checks import check_choice
from hedgerow.data.brackets import RULES, UNCOUNTED, bracket_counts
from hedgerow.data.parse_nodes import as_forest, trees_of
from hedgerow.models.tallies import Agreement, Tally


@dataclass(frozen=True)
class BracketScores(Agreement):
    """Agreement of predicted with true trees, summed over a corpus (micro-averaged).

    Attributes
    ----------
    n_true, n_predicted, n_correct : int
        Numbers of brackets.
    precision, recall, f1 : float
        Shares from 0 to 1; 1 where there are no brackets.
    n_exact, n_trees : int
        Number of trees all of whose brackets are right, and of all trees.
    """

    n_exact: int
    n_trees: int

    _of_nothing = 1.0

    @property
    def exact_match(self) -> float:
        """The share of trees all of whose brackets are right."""
        return self.n_exact / self.n_trees if self.n_trees else 1.0


def bracket_scores(
    y_true: Any,
    y_pred: Any,
    *,
    rules: Literal["plain", "evalb"] = "plain",
    uncounted: Sequence[str] = UNCOUNTED,
) -> BracketScores:
    """Labelled bracket precision, recall, F1 and exact match, as `BracketScores`.

    Parameters
    ----------
    y_true, y_pred : Forest, or iterables of trees (bracketed strings, Tree, nltk.Tree)
        Every word has a part of speech above it: ``(NP (DT the) (NN dog))``. Pairs of trees have equally many
        words; an empty tree has no brackets.
    rules : {"plain", "evalb"}, default="plain"
        Whether all brackets count, or those that the program evalb counts with the parameters COLLINS.prm: words
        that are punctuation (or traces) in the true tree are left out, brackets that hold nothing else too, and PRT
        counts as ADVP.
    uncounted : sequence of str
        Labels that are not brackets.

    Examples
    --------
    >>> from hedgerow.structured import bracket_scores
    >>> true = ["(TOP (S (NP (PRP I)) (VP (VBP see) (NP (DT the) (NN dog))) (. .)))"]
    >>> predicted = ["(TOP (S (S (NP (PRP I)) (VP (VBP see)) (NP (DT the) (NN dog))) (. .)))"]
    >>> scores = bracket_scores(true, predicted)
    >>> scores.n_correct, scores.n_true, scores.n_predicted
    (3, 4, 5)
    >>> bracket_scores(true, ["(TOP (S (NP (PRP I)) (VP (VBP see) (NP (DT the) (NN dog) (. .)))))"]).f1
    0.5
    >>> bracket_scores(true, ["(TOP (S (NP (PRP I)) (VP (VBP see) (NP (DT the) (NN dog) (. .)))))"], rules="evalb").f1
    1.0
    """
    check_choice("rules", rules, tuple(RULES))
    true_trees, predicted_trees = as_forest(y_true), as_forest(y_pred)
    if len(true_trees) != len(predicted_trees):
        raise ValueError(f"y_true has {len(true_trees)} trees, but y_pred has {len(predicted_trees)}")
    true = predicted = correct = exact = 0
    wanted_rules = replace(RULES[rules], uncounted=uncounted)
    names = ("y_true", "y_pred")
    true_nodes, nodes = trees_of(true_trees, names[0]), trees_of(predicted_trees, names[1])
    for common, found, wanted in bracket_counts(true_nodes, nodes, wanted_rules, names):
        correct += common
        true += wanted
        predicted += found
        exact += common == wanted == found
    return BracketScores(true, predicted, correct, exact, len(true_trees))


class BracketTally(Tally):
    """Of parses."""

    def __init__(self) -> None:
        self.scores = BracketScores(0, 0, 0, 0, 0)

    def add(self, X: Any, true: Any, predicted: Any) -> None:
        self._add(bracket_scores(true, predicted))

    def update(self, other: Self) -> None:
        self._add(other.scores)

    def _add(self, more: BracketScores) -> None:
        sums = (a + b for a, b in zip(astuple(self.scores), astuple(more), strict=True))
        self.scores = BracketScores(*sums)
        self.n = self.scores.n_trees

    def figures(self) -> dict[str, Any]:
        scores = self.scores
        return {
            "trees": scores.n_trees,
            "accuracy": scores.exact_match,
            "exact": scores.exact_match,
            "precision": scores.precision,
            "recall": scores.recall,
            "f1": scores.f1,
            "brackets": {"true": scores.n_true, "predicted": scores.n_predicted, "correct": scores.n_correct},
        }
