"""Labelled brackets: how much two trees over one sentence agree.

A bracket is a label and the words that it covers. Parts of speech are no brackets, nor are roots that all trees
of a treebank have, so that only what a parser decides is counted. Chains of unary nodes give a bracket for
every node, and equal ones count as often as they occur.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from typing import Any, Self

from hedgerow.models.tallies import Agreement, Tally
from hedgerow.structured.grammar.nodes import Node, as_forest, trees_of

UNCOUNTED = ("TOP", "ROOT", "S1")
Brackets = Counter[tuple[str, int, int]]


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


def bracket_scores(y_true: Any, y_pred: Any, *, uncounted: Sequence[str] = UNCOUNTED) -> BracketScores:
    """Labelled bracket precision, recall, F1 and exact match, as `BracketScores`.

    Parameters
    ----------
    y_true, y_pred : Forest, or iterables of trees (bracketed strings, Tree, nltk.Tree)
        Every word has a part of speech above it: ``(NP (DT the) (NN dog))``. Pairs of trees have equally many
        words; an empty tree has no brackets.
    uncounted : sequence of str
        Labels that are no brackets.

    Examples
    --------
    >>> from hedgerow.structured import bracket_scores
    >>> true = ["(TOP (S (NP (PRP I)) (VP (VBP see) (NP (DT the) (NN dog)))))"]
    >>> predicted = ["(TOP (S (NP (PRP I)) (VP (VBP see)) (NP (DT the) (NN dog))))"]
    >>> scores = bracket_scores(true, predicted)
    >>> scores.n_correct, scores.n_true, scores.n_predicted, scores.f1
    (3, 4, 4, 0.75)
    """
    true_trees, predicted_trees = as_forest(y_true), as_forest(y_pred)
    if len(true_trees) != len(predicted_trees):
        raise ValueError(f"y_true has {len(true_trees)} trees, but y_pred has {len(predicted_trees)}")
    true = predicted = correct = exact = 0
    pairs = zip(trees_of(true_trees, "y_true"), trees_of(predicted_trees, "y_pred"), strict=True)
    for number, (true_nodes, nodes) in enumerate(pairs):
        if true_nodes and nodes and true_nodes[-1].end != nodes[-1].end:
            raise ValueError(
                f"y_true[{number}] has {true_nodes[-1].end} words, but y_pred[{number}] has {nodes[-1].end}"
            )
        wanted, found = brackets_of(true_nodes, uncounted), brackets_of(nodes, uncounted)
        common = (wanted & found).total()
        correct += common
        true += wanted.total()
        predicted += found.total()
        exact += common == wanted.total() == found.total()
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


def brackets_of(nodes: list[Node], uncounted: Sequence[str] = UNCOUNTED) -> Brackets:
    """The brackets of one tree."""
    return Counter(
        (node.label, node.start, node.end)
        for node in nodes
        if not node.is_tag and node.label not in uncounted
    )
