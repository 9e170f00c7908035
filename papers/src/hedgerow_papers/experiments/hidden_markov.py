"""The generative baseline of label sequences: a hidden Markov model by counting.

    P(x, y) = prod_t P(y_t | y_(t-1)) P(x_t | y_t),    y_0 = y_(T+1) = the border of a sentence

Probabilities are relative frequencies in the training sentences, with something added to every count. Words that come
once there, or never, stand for their spelling: what is capital, what is a digit, and how the word ends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Self

import numpy as np

RARE = 1  # words that come as often as that tell less than their spelling
SUFFIX = 2


def spelling(word: str) -> str:
    """What is to be seen of a word that nobody knows."""
    if any(letter.isdigit() for letter in word):
        return "<digits>"
    if not any(letter.isalpha() for letter in word):
        return "<signs>"
    if len(word) > 1 and word.isupper():
        return "<capitals>"
    return "<Capital>" if word[0].isupper() else f"<-{word[-SUFFIX:].lower()}>"


class HiddenMarkovModel:
    """Labels of words by maximum likelihood and Viterbi's algorithm.

    Parameters
    ----------
    added : float
        To the count of every transition and of every word.
    """

    def __init__(self, added: float = 0.1):
        self.added = added

    def fit(self, sentences: Sequence[Sequence[str]], labels: Sequence[Sequence[str]]) -> Self:
        counts = Counter(word for sentence in sentences for word in sentence)
        self.known_ = {word for word, count in counts.items() if count > RARE}
        self.labels_ = sorted({label for row in labels for label in row})
        number = {label: i for i, label in enumerate(self.labels_)}
        seen = sorted({self._seen(word) for sentence in sentences for word in sentence})
        self.words_ = {word: i for i, word in enumerate(seen)}

        border = len(number)
        moves = np.full((border + 1, border + 1), self.added)
        # One column more for what was never seen, spelling included.
        emissions = np.full((border, len(seen) + 1), self.added)
        for sentence, row in zip(sentences, labels, strict=True):
            path = [number[label] for label in row]
            for before, after in pairwise([border, *path, border]):
                moves[before, after] += 1
            for word, state in zip(sentence, path, strict=True):
                emissions[state, self._column(word)] += 1
        self.moves_ = np.log(moves / moves.sum(axis=1, keepdims=True))
        self.emissions_ = np.log(emissions / emissions.sum(axis=1, keepdims=True))
        return self

    def predict(self, sentences: Sequence[Sequence[str]]) -> list[list[str]]:
        return [self._best_labels(sentence) for sentence in sentences]

    def _best_labels(self, sentence: Sequence[str]) -> list[str]:
        if not sentence:
            return []
        inner, begin, end = self.moves_[:-1, :-1], self.moves_[-1, :-1], self.moves_[:-1, -1]
        emitted = self.emissions_[:, [self._column(word) for word in sentence]].T
        score = begin + emitted[0]
        came_from: list[Any] = []
        for step in emitted[1:]:
            reached = score[:, None] + inner
            came_from.append(reached.argmax(axis=0))
            score = reached.max(axis=0) + step
        path = [int((score + end).argmax())]
        for back in reversed(came_from):
            path.append(int(back[path[-1]]))
        return [self.labels_[state] for state in reversed(path)]

    def _seen(self, word: str) -> str:
        return word if word in self.known_ else spelling(word)

    def _column(self, word: str) -> int:
        return self.words_.get(self._seen(word), len(self.words_))
