"""What makes vectors of the texts or trees that a learner on weights is given."""

from __future__ import annotations

from typing import Any

from hedgerow.feature_extraction.fragment_hasher import FragmentHasher
from hedgerow.feature_extraction.hashed_trees import HashedTrees
from hedgerow.feature_extraction.learned_texts import LearnedTexts
from hedgerow.feature_extraction.text_hasher import TextHasher, are_texts

Vectorizer = TextHasher | FragmentHasher
Learned = LearnedTexts | HashedTrees

_LEARNED: dict[type, type[LearnedTexts] | type[HashedTrees]] = {
    TextHasher: LearnedTexts,
    FragmentHasher: HashedTrees,
}


def learned_with(vectorizer: Vectorizer) -> type[LearnedTexts] | type[HashedTrees]:
    """What a learner keeps of the inputs that it learns from with such a vectorizer."""
    return _LEARNED[type(vectorizer)]


def as_vectors(vectorizer: Vectorizer | None, X: Any, learned: Learned | None = None) -> Any:
    """Vectors of texts or trees; what is something else stays as it is."""
    if vectorizer is None:
        if are_texts(X):
            raise ValueError(
                "X holds texts, which need a vectorizer: vectorizer=TextHasher() of hedgerow.feature_extraction makes "
                "vectors of their words, FragmentHasher() of the fragments of trees in brackets"
            )
        return X
    if not vectorizer._takes(X):
        return X
    return vectorizer.transform(X) if learned is None else learned.vectors(learned.given(X))


def check_vectorizer(vectorizer: Any) -> None:
    """Complain about what is not one."""
    if vectorizer is None:
        return
    if type(vectorizer) not in _LEARNED:
        raise TypeError(f"vectorizer must be a TextHasher, a FragmentHasher or None, got {vectorizer!r}")
    vectorizer._check_params()
