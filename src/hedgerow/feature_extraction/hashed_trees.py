"""What a learner on weights knows of trees whose fragments are its features."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Self

import numpy as np
from sklearn.base import clone

from hedgerow.feature_extraction.fragment_hasher import FragmentHasher, forest_of
from hedgerow.feature_extraction.hashed_rows import joined
from hedgerow.kernels.base import Matrix

Places = tuple[tuple[int, int], ...]  # nodes that fragments begin and end at


class HashedTrees:
    """A vectorizer of trees. It remembers nothing: a second look at trees says what a column stands for."""

    what = "fragments"
    full = False

    def __init__(self, vectorizer: FragmentHasher) -> None:
        vectorizer._check_params()
        self.vectorizer: FragmentHasher = clone(vectorizer)

    def given(self, X: Any) -> Any:
        """The trees."""
        return forest_of(X)

    def fit(self, trees: Any) -> Any:
        """Vectors of trees."""
        return self.vectors(trees)

    def learn(self, trees: Any) -> Any:
        """Vectors of trees that come one after the other."""
        return self.vectors(trees)

    def take_back(self, trees: Any) -> None:
        """Nothing: no tree was counted."""

    def make_room(self, weights: Any) -> None:
        """Nothing: no tree was remembered."""

    def vectors(self, trees: Any) -> Any:
        """Vectors of any trees."""
        return self.vectorizer.transform(trees)

    def words(self) -> dict[int, tuple[int, str]]:
        """Of columns that are known without a look at trees: none."""
        return {}

    def names_in(self, X: Any) -> Callable[[int], Mapping[int, str]] | None:
        """What is in the columns of a tree, by its place; None if these are vectors."""
        if not self.vectorizer._takes(X):
            return None
        trees = forest_of(X)
        return lambda i: self.vectorizer._names(trees[[i]])

    def places_in(self, X: Any) -> Callable[[int], Mapping[int, Places]] | None:
        """Where the fragments of a tree's columns are, by its place; None if these are vectors."""
        if not self.vectorizer._takes(X):
            return None
        trees = forest_of(X)
        return lambda i: self.vectorizer._places(trees[[i]])

    def behind(self, columns: Matrix, X: Any) -> dict[int, tuple[int, str]]:
        """What columns stand for in trees: the sign of their most frequent fragment, and all of them in words."""
        found: dict[int, list[tuple[int, bool, str]]] = {}
        wanted = np.ascontiguousarray(columns, dtype=np.int32)
        for column, negative, n, name in self.vectorizer._hashing().behind(wanted, forest_of(X)._native):
            found.setdefault(column, []).append((n, negative, name))
        ordered = {column: sorted(met, key=lambda one: -one[0]) for column, met in found.items()}
        return {
            column: (-1 if met[0][1] else 1, joined((negative, name) for _, negative, name in met))
            for column, met in ordered.items()
        }

    # -- copies ---------------------------------------------------------------------------------------------

    def to_state(self, weights: Any) -> tuple[dict[str, Any], dict[str, Matrix]]:
        return {}, {}

    @classmethod
    def from_state(
        cls, vectorizer: FragmentHasher, description: dict[str, Any], arrays: dict[str, Matrix]
    ) -> Self:
        return cls(vectorizer)
