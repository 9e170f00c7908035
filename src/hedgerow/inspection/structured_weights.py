"""What weights of structured learners are called: moves and features of labels, rules of grammars."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from hedgerow.kernels.base import Matrix
from hedgerow.structured.grammar.problem import WeightedGrammar
from hedgerow.structured.grammar.rules import RuleBook, Symbol
from hedgerow.structured.sequence.label_sequence import LabelSequence

Table = tuple[Any, Matrix, Callable[[int], str]]  # what it is of, weights, and what each is called


def sequence_tables(problem: LabelSequence, weights: Matrix) -> Iterator[Table]:
    """The weights of features with each label, and those of labels alone."""
    if problem.tokens_ is not None:
        raise TypeError("with a kernel of tokens there are no weights of features, only of training tokens")
    weights = problem._all_weights(weights)
    emissions = problem.emissions(weights)
    names = problem.feature_names()
    for number, label in enumerate(problem.numbers_.labels):
        yield label, emissions[:, number], names.__getitem__
    chain = problem.chain_
    scale = np.full(chain.plain, problem.transition_scale)
    scale[chain.bias_begin :] = 1.0
    yield "moves", scale * weights[: chain.plain], lambda place: move_name(problem, place)
    wide = np.flatnonzero(problem.moving_.wide)
    if len(wide):
        n = len(problem.numbers_)
        starts, _ = problem.moving_.places(wide.astype(np.int32), chain.plain)
        table = weights[starts[:, None] + n + np.arange(n * n)]
        yield (
            "features of moves",
            table.ravel(),
            lambda place: f"{names[wide[place // (n * n)]]}, {_moved(problem, place % (n * n), 1)}",
        )


def move_name(problem: LabelSequence, place: int) -> str:
    """What a weight of labels alone is called."""
    chain, labels = problem.chain_, problem.numbers_.labels
    if place >= chain.bias_begin:
        return f"any {labels[place - chain.bias_begin]}"
    if place >= chain.stop_begin:
        return f"{labels[place - chain.stop_begin]} -> end"
    if place >= chain.start_begin:
        return f"start -> {labels[place - chain.start_begin]}"
    order = max(m for m in range(1, problem.order + 1) if chain.moves_begin(m) <= place)
    return _moved(problem, place - chain.moves_begin(order), order)


def _moved(problem: LabelSequence, number: int, order: int) -> str:
    """The move from ``order`` labels to one that has this number."""
    labels = problem.numbers_.labels
    digits: list[str] = []
    for _ in range(order + 1):
        number, digit = divmod(number, len(labels))
        digits.append(str(labels[digit]))
    *before, last = reversed(digits)
    return f"{' '.join(before)} -> {last}"


def rule_names(problem: WeightedGrammar) -> list[str]:
    """What the rules of a grammar are called, by feature."""
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
