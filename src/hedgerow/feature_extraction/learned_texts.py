"""What a learner on weights keeps of its training texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, Self

import numpy as np
from sklearn.base import clone

from hedgerow import _core
from hedgerow.feature_extraction.hashed_rows import joined
from hedgerow.feature_extraction.text_hasher import (
    TF_IDF,
    TextHasher,
    memory_state,
    take_memory,
    texts_of,
)
from hedgerow.kernels.base import Matrix
from hedgerow.models.functions import signed
from hedgerow.threads import resolve

ROOM = 1 << 16  # columns whose words are remembered while learning
SAVED = 100  # in a file, of each function: so many with positive weights, and as many with negative ones


class LearnedTexts:
    """A vectorizer, counts of documents for tf-idf, and the words of the features that matter.

    Every word in a training text is remembered. When there is no room left, the columns with the largest weights
    stay; since a weight changes with an example that has the feature, those that become large later are met again.
    """

    what = "features"

    def __init__(self, vectorizer: TextHasher) -> None:
        vectorizer._check_params()
        self.vectorizer: TextHasher = clone(vectorizer)
        self.memory = self.vectorizer._new_memory(ROOM)

    @property
    def full(self) -> bool:
        """Whether there is no room for further words."""
        is_full: bool = self.memory.full
        return is_full

    def given(self, X: Any) -> list[str]:
        """The texts."""
        return texts_of(X)

    def fit(self, texts: list[str]) -> Any:
        """Vectors of texts that are all known; tf-idf counts them first."""
        rows = self.learn(texts)
        return self.vectors(texts) if self.vectorizer.counts == TF_IDF else rows

    def learn(self, texts: list[str]) -> Any:
        """Vectors of texts that come one after the other."""
        return self.vectorizer._learn(texts, self.memory)

    def take_back(self, texts: list[str]) -> None:
        """Count texts no longer, which were not learned from after all."""
        self.vectorizer._count_in(texts, self.memory, -1)

    def vectors(self, texts: list[str]) -> Any:
        """Vectors of any texts."""
        hasher = self.vectorizer
        return hasher._rows(self._hashing.vectors(texts, self.memory, resolve(hasher.n_jobs)))

    @cached_property
    def _hashing(self) -> _core.TextHashing:
        """Of the vectorizer, which is a copy of its own and never changes."""
        return self.vectorizer._hashing()

    # -- words ----------------------------------------------------------------------------------------------

    def make_room(self, weights: Any) -> None:
        """Forget words, but those of large weights, a CSR matrix of functions."""
        self.memory.keep(self._largest(weights, ROOM // 8 // weights.shape[0] + 1))

    def _largest(self, weights: Any, n: int) -> Matrix:
        """Columns of the n largest and the n smallest weights of words, for each function."""
        signs = {column: sign for column, (sign, _) in self.words().items()}
        found = []
        for f in range(weights.shape[0]):
            row = weights[[f]]
            order = np.argsort(signed(row, signs), kind="stable")
            found.append(row.indices[np.concatenate([order[:n], order[-n:]])])
        return np.unique(np.concatenate(found)).astype(np.int32)

    def words(self) -> dict[int, tuple[int, str]]:
        """Of columns: -1 if their first word counts negatively, else 1, and their words."""
        found: dict[int, list[tuple[bool, str]]] = {}
        further = set()
        for column, word_hash, word, more in self.memory.words():
            negative = self.vectorizer.alternate_sign and word_hash < 0
            found.setdefault(column, []).append((negative, word))
            if more:
                further.add(column)
        return {
            column: (-1 if words[0][0] else 1, joined(words, column in further))
            for column, words in found.items()
        }

    def names_in(self, X: Any) -> Callable[[int], Mapping[int, str]] | None:
        """What is in the columns of a text, by its place; None if these are vectors."""
        if not self.vectorizer._takes(X):
            return None
        texts = texts_of(X)
        return lambda i: self.vectorizer._names(texts[i])

    def places_in(self, X: Any) -> None:
        """Words have no places."""

    # -- copies ---------------------------------------------------------------------------------------------

    def to_state(self, weights: Any) -> tuple[dict[str, Any], dict[str, Matrix]]:
        """For a file: a description for JSON, and arrays."""
        wanted = set(self._largest(weights, SAVED).tolist())
        kept = [[*word] for word in self.memory.words() if word[0] in wanted]
        description: dict[str, Any] = {"words": kept}
        if self.vectorizer.counts != TF_IDF:
            return description, {}
        counts, arrays = memory_state(self.memory)
        return description | counts, arrays

    @classmethod
    def from_state(
        cls, vectorizer: TextHasher, description: dict[str, Any], arrays: dict[str, Matrix]
    ) -> Self:
        made = cls(vectorizer)
        if made.vectorizer.counts == TF_IDF:
            take_memory(made.memory, description, arrays)
        for word in description["words"]:
            made.memory.add_word(*word)
        return made

    def __getstate__(self) -> dict[str, Any]:
        counts = memory_state(self.memory) if self.vectorizer.counts == TF_IDF else None
        return {"vectorizer": self.vectorizer, "words": self.memory.words(), "counts": counts}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.vectorizer = state["vectorizer"]
        self.memory = self.vectorizer._new_memory(ROOM)
        if state["counts"] is not None:
            take_memory(self.memory, *state["counts"])
        for word in state["words"]:
            self.memory.add_word(*word)
