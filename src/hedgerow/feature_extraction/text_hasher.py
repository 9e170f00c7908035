"""Texts as sparse vectors of hashed words or characters, without a vocabulary."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

import numpy as np
from scipy import sparse
from sklearn.base import TransformerMixin
from sklearn.exceptions import NotFittedError

from hedgerow import _core
from hedgerow.checks import check_whole
from hedgerow.data import Records
from hedgerow.data.records import kind_of_column
from hedgerow.feature_extraction.hashed_rows import bits_of, check_n_features, csr_rows, joined
from hedgerow.kernels.base import Matrix
from hedgerow.locks import Shared, reads, replacement
from hedgerow.models.stored import stored, stored_whole
from hedgerow.registry import DataKind
from hedgerow.threads import resolve

TF_IDF = "tf-idf"


@dataclass(eq=False, repr=False)
class TextHasher(TransformerMixin, Shared):  # type: ignore[misc]
    """Turns texts into vectors: each word or character n-gram counts in the column given by its hash.

    Tokens, columns and values are those of scikit-learn's ``HashingVectorizer``: words have two characters at least,
    and letters, digits and the underscore of all scripts make words. Nothing needs to be remembered, so any text can
    come at any time; tf-idf alone has to be fitted.

    Parameters
    ----------
    n_features : int, default=2**20
        How many columns there are, a power of two. Words that share a column add up.
    analyzer : {"word", "char", "char_wb"}, default="word"
        What features are sequences of: words, characters, or characters within words, with the spaces around them.
    ngrams : int or two ints, default=1
        How long sequences are, at most; two numbers are the shortest and the longest.
    lowercase : bool, default=True
        Whether capital letters count as small ones.
    counts : {"raw", "binary", "log", "tf-idf"}, default="raw"
        What a feature that occurs n times is worth: n, 1, 1 + ln n, or n times ln((1 + N) / (1 + d)) + 1, where d of N
        texts have it.
    norm : {"none", "l1", "l2"}, default="l2"
        What each vector is divided by: nothing, the sum of absolute values, or the length.
    alternate_sign : bool, default=True
        Whether half of the features count negatively, so that those that share a column cancel out rather than add
        up. Winnows take no negative features.
    n_jobs : int or None, default=None
        Threads; see `hedgerow.set_n_jobs`.

    Attributes
    ----------
    n_documents_ : int
        With tf-idf: how many texts were counted.

    Notes
    -----
    With ``counts="tf-idf"``, `fit` counts in how many texts each feature occurs, and `partial_fit` continues counting.
    A learner on weights with a ``vectorizer`` does so by itself: its `fit` counts all texts first, its `partial_fit`
    takes each text by the counts of those before it, and then counts it, so that a stream is the same in any pieces
    and no prediction knows of texts that come later.

    References
    ----------
    K. Weinberger, A. Dasgupta, J. Langford, A. Smola, J. Attenberg: Feature hashing for large scale multitask learning,
    ICML 2009.

    Examples
    --------
    >>> from hedgerow.feature_extraction import TextHasher
    >>> from hedgerow.online import PassiveAggressive
    >>> texts, labels = ["Buy cheap pills", "lunch at noon?", "cheap watches"], ["spam", "ham", "spam"]
    >>> TextHasher(n_features=2**10, norm="none").transform(texts).sum(axis=1).shape
    (3,)
    >>> model = PassiveAggressive(vectorizer=TextHasher(ngrams=2)).fit(texts, labels)
    >>> model.predict(["cheap lunch pills"])
    array(['spam'], dtype='<U4')
    """

    data_kind: ClassVar[DataKind] = "text"

    n_features: int = 2**20
    analyzer: Literal["word", "char", "char_wb"] = "word"
    ngrams: int | tuple[int, int] = 1
    lowercase: bool = True
    counts: Literal["raw", "binary", "log", "tf-idf"] = "raw"
    norm: Literal["none", "l1", "l2"] = "l2"
    alternate_sign: bool = True
    n_jobs: int | None = None

    def fit(self, X: Any, y: Any = None) -> Self:
        """Count texts, for tf-idf; ``y`` is ignored."""
        with replacement(self) as new:
            new.__dict__.pop("_memory", None)
            new._count(X)
        return self

    def partial_fit(self, X: Any, y: Any = None) -> Self:
        """Count further texts."""
        with self._lock.writing:
            self._count(X)
        return self

    def transform(self, X: Any) -> Any:
        """A row for each text: a CSR array of texts by features."""
        with self._lock.reading:
            return self._rows(self._hashing().vectors(texts_of(X), self._documents(), resolve(self.n_jobs)))

    @property
    @reads
    def n_documents_(self) -> int:
        """How many texts tf-idf has counted."""
        if (memory := self._documents()) is None:
            raise AttributeError(f"only tf-idf counts documents, not counts={self.counts!r}")
        return memory.documents

    # -- for learners ---------------------------------------------------------------------------------------

    def _takes(self, X: Any) -> bool:
        """Whether these are texts rather than vectors."""
        return are_texts(X)

    def _names(self, text: str) -> dict[int, str]:
        """What each column stands for in this text; several sequences may share one."""
        shown = text.lower() if self.lowercase and not text.isascii() else text
        names: dict[int, list[tuple[bool, str]]] = {}
        for column, negative, words in self._hashing().names(shown):
            names.setdefault(column, []).append((negative, words))
        return {column: joined(words) for column, words in names.items()}

    def _new_memory(self, room: int) -> _core.TextMemory:
        """Of texts to be learned from: counts for tf-idf, and the words of so many columns."""
        return _core.TextMemory(self._bits, self.counts == TF_IDF, room)

    def _learn(self, texts: list[str], memory: _core.TextMemory) -> Any:
        """The rows of texts, each as the memory stood before it, which then has it."""
        return self._rows(self._hashing().learn(texts, memory))

    def _count_in(self, texts: list[str], memory: _core.TextMemory, times: int = 1) -> None:
        self._hashing().count(texts, memory, times)

    # -- parameters -----------------------------------------------------------------------------------------

    @property
    def _bits(self) -> int:
        return bits_of(self.n_features)

    def _hashing(self) -> _core.TextHashing:
        self._check_params()
        ngrams = self.ngrams if isinstance(self.ngrams, tuple | list) else (1, self.ngrams)
        return _core.TextHashing(
            self._bits,
            self.analyzer,
            *ngrams,
            self.lowercase,
            self.alternate_sign,
            self.counts,
            self.norm,
        )

    def _check_params(self) -> None:
        ngrams = self.ngrams
        if isinstance(ngrams, tuple | list):
            if len(ngrams) != 2:
                raise ValueError(f"ngrams must be a whole number or two, got {ngrams!r}")
            for n in ngrams:
                check_whole("each of ngrams", n, at_least=1, at_most=100)
            if ngrams[0] > ngrams[1]:
                raise ValueError(f"ngrams must be the shortest and the longest, got {ngrams!r}")
        else:
            check_whole("ngrams", ngrams, at_least=1, at_most=100)
        check_n_features(self.n_features)
        super()._check_params()

    def _documents(self) -> _core.TextMemory | None:
        if self.counts != TF_IDF:
            return None
        if not hasattr(self, "_memory"):
            raise NotFittedError("tf-idf needs texts to count: call fit or partial_fit first")
        memory: _core.TextMemory = self._memory
        return memory

    def _count(self, X: Any) -> None:
        self._check_params()
        texts = texts_of(X)
        if self.counts == TF_IDF:
            if not hasattr(self, "_memory"):
                self._memory = self._new_memory(0)
            self._count_in(texts, self._memory)

    def _rows(self, arrays: Any) -> Any:
        return csr_rows(arrays, self.n_features)

    # -- copies ---------------------------------------------------------------------------------------------

    @reads
    def _to_state(self) -> tuple[dict[str, Any], dict[str, Matrix]]:
        """What was learned: a description for JSON, and arrays."""
        memory = self._documents()
        return ({}, {}) if memory is None else memory_state(memory)

    def _from_state(self, description: dict[str, Any], arrays: dict[str, Matrix]) -> Self:
        """Take up what another one with these parameters had learned."""
        self._check_params()
        if self.counts == TF_IDF:
            self._memory = self._new_memory(0)
            take_memory(self._memory, description, arrays)
        return self

    def __getstate__(self) -> dict[str, Any]:
        state = super().__getstate__()
        if "_memory" in state:
            state["_memory"] = memory_state(state["_memory"])
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        kept = state.pop("_memory", None)
        super().__setstate__(state)
        if kept is not None:
            self._from_state(*kept)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        tags.requires_fit = self.counts == TF_IDF
        tags.no_validation = True
        return tags


def memory_state(memory: _core.TextMemory) -> tuple[dict[str, Any], dict[str, Matrix]]:
    """Counts of documents, for a file."""
    columns, counts = memory.frequencies()
    return {"documents": memory.documents}, {"columns": columns, "counts": counts}


def take_memory(memory: _core.TextMemory, description: dict[str, Any], arrays: dict[str, Matrix]) -> None:
    """Counts of documents, from a file."""
    columns, counts = stored(arrays, "columns", np.int32, None), stored(arrays, "counts", np.int64, None)
    memory.set_documents(stored_whole(description, "documents"), columns, counts)


def are_texts(X: Any) -> bool:
    """Whether these are texts rather than vectors."""
    if isinstance(X, Records):
        return any(kind_of_column(X[name]) == "text" for name in X.columns)
    if isinstance(X, np.ndarray):
        return X.ndim == 1 and (X.dtype.kind == "U" or (len(X) > 0 and isinstance(X[0], str)))
    if sparse.issparse(X) or getattr(X, "ndim", 1) != 1:
        return False
    return (isinstance(X, list | tuple) and bool(X) and isinstance(X[0], str)) or hasattr(X, "str")


def texts_of(X: Any) -> list[str]:
    """A list of the texts."""
    if isinstance(X, Records):
        names = [name for name in X.columns if kind_of_column(X[name]) == "text"]
        if len(names) != 1:
            raise ValueError(f"Records must have one column of texts, got {names}")
        X = X[names[0]]
    if isinstance(X, str | bytes) or not isinstance(X, Iterable) or getattr(X, "ndim", 1) != 1:
        raise TypeError(f"expected texts, as a list of strings, got a {type(X).__name__}")
    if type(X) is list:
        return X
    return X.tolist() if isinstance(X, np.ndarray) else list(X)
