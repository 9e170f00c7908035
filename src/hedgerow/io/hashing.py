"""Texts as vectors: features are words, and sequences of words, hashed into a given number of columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

DEFAULT_BITS = 20


@dataclass(frozen=True)
class Hashing:
    """What a model must remember to turn texts into the same vectors again."""

    bits: int = DEFAULT_BITS
    ngrams: int = 1
    signed: bool = True  # half of the features count negatively, so that collisions cancel out

    def vectors(self, texts: Any) -> Any:
        """A sparse matrix, each row of length 1 unless its text has no words."""
        # Imported here, because it takes a while that those who read vectors need not wait.
        from sklearn.feature_extraction.text import HashingVectorizer

        vectorizer = HashingVectorizer(
            n_features=1 << self.bits, ngram_range=(1, self.ngrams), alternate_sign=self.signed
        )
        return vectorizer.transform(texts)

    def names(self, text: str) -> dict[int, str]:
        """What each column stands for in this text; several sequences of words may share one."""
        from sklearn.feature_extraction import FeatureHasher
        from sklearn.feature_extraction.text import HashingVectorizer

        analyze = HashingVectorizer(ngram_range=(1, self.ngrams)).build_analyzer()
        found = list(dict.fromkeys(analyze(text)))
        hasher = FeatureHasher(1 << self.bits, input_type="string", alternate_sign=self.signed)
        columns = hasher.transform([word] for word in found).indices.tolist() if found else []
        names: dict[int, str] = {}
        for column, words in zip(columns, found, strict=True):
            names[column] = f"{names[column]} / {words}" if column in names else words
        return names
