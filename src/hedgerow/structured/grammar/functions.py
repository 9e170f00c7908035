"""Scores of parses as sums over the rules of a grammar."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from hedgerow.data.parse_nodes import as_forest
from hedgerow.models.functions import FeatureNames, Score, Scored, WeightColumn
from hedgerow.structured.discriminant import JointFunctions
from hedgerow.structured.grammar.rules import RuleBook, Symbol
from hedgerow.structured.grammar.spans import node_classes

if TYPE_CHECKING:
    from hedgerow.structured.grammar.problem import WeightedGrammar


class GrammarFunctions(JointFunctions):
    """The score of a tree: the weights of its rules, and of its nodes by what they span."""

    problem: WeightedGrammar

    def columns(self, names: FeatureNames = None) -> Iterator[WeightColumn]:
        names = feature_names(self.problem)
        of_spans = np.zeros(len(names), bool)
        if self.problem.spans_ is not None:
            of_spans[self.problem.spans_.native.state()[-1]] = True
        weights = self.weights[: len(names)]
        for what, chosen in (("rules", ~of_spans), ("spans", of_spans)):
            places = np.flatnonzero(chosen[: len(weights)])
            if what == "rules" or len(places):
                yield WeightColumn(what, weights[places], [names[k] for k in places].__getitem__)

    def scored(self, X: Any, names: FeatureNames = None) -> Iterator[Scored]:
        features = feature_names(self.problem)
        for x, y in zip(X, self.predict(X), strict=True):
            yield Scored(y, [self._score(x, y, features)], "rules", {"": as_forest([y])[0]})

    def _score(self, x: Any, y: Any, names: FeatureNames) -> Score:
        try:
            return super()._score(x, y, names)
        except ValueError:
            # The grammar has no tree of this sentence, and the flat one has no rules.
            return Score("no tree by the grammar", np.zeros(0), np.zeros(0), str)


def feature_names(problem: WeightedGrammar) -> list[str]:
    """What the rules of a grammar, and nodes with what they span, are called, by feature."""
    book: RuleBook = problem.book_
    symbols = list(book.symbols)
    kinds = {number: word for word, number in problem.kinds_.numbers.items()}
    names = [""] * book.n_features
    for (parent, left, right), feature in book.rules.items():
        names[feature] = f"{_named(parent, symbols)} -> {_named(left, symbols)} {_named(right, symbols)}"
    for (above, below), feature in book.unaries.items():
        names[feature] = f"{_named(above, symbols)} -> {_named(below, symbols)}"
    for (kind, tag), feature in book.words.items():
        if feature >= 0:
            names[feature] = f"{_named(tag, symbols)} -> {_word(kinds.get(kind, ''))}"
    if problem.spans_ is not None:
        for feature, name in problem.spans_.names(node_classes(book)[1]).items():
            names[feature] = name
    return names


def _named(number: int, symbols: list[Symbol]) -> str:
    symbol = symbols[number]
    name = symbol.label + (f"^{symbol.parent}" if symbol.parent else "")
    if symbol.kind == "marker":
        name += f"|{'_'.join(_named(child, symbols) for child in symbol.history)}"
    return name


def _word(kind: str) -> str:
    """A word, or the signature of words that are rare."""
    if kind and not kind.startswith(" "):
        return kind
    return f"<{kind.strip() or 'unknown'}>"
