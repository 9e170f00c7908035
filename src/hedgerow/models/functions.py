"""The functions that models are made of: sums over supports, or over features with weights.

Every model says by ``functions()`` what it is made of; `hedgerow.inspection` takes that apart, and reports and the
command line by way of it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from textwrap import shorten
from typing import Any, NamedTuple, Self

import numpy as np
from scipy import sparse

from hedgerow import _core
from hedgerow.data import Tree
from hedgerow.kernels.base import Kernel, Matrix

FeatureNames = Sequence[str] | Callable[[int], str] | None
Name = Callable[[int], str]

VOTES = (
    "votes of many predictors are not a sum over features or fragments, so nothing adds up to them; train with "
    "averaging='average' instead, which predicts much the same"
)


class WeightColumn(NamedTuple):
    """Weights that belong together: of what, their values, and what each of them is called."""

    label: Any
    values: Matrix
    name: Name


@dataclass(frozen=True)
class Score:
    """A score as a sum over features: ``sum_i weights[i] * values[i] + bias``; ``name(i)`` is what term i is called."""

    label: Any
    weights: Matrix
    values: Matrix
    name: Name
    bias: float = 0.0
    places: Callable[[int], tuple[tuple[int, int], ...]] = (
        lambda i: ()
    )  # of term i, in the tree that is explained


@dataclass(frozen=True)
class Scored:
    """A prediction with the scores that speak for it."""

    predicted: Any  # the class or output
    scores: list[Score]  # of all classes or candidates, of the output, or of each token of a sequence
    what: str = "features"  # what these are called
    trees: Mapping[str, Tree] = field(default_factory=dict)  # the output as a tree, if it is one
    tokens: list[str] | None = None  # of a sequence, as they are shown; one for each score
    labels: list[Any] = field(default_factory=list)  # of a sequence, all that tokens may have


class Functions(ABC):
    """What a model is made of."""

    @property
    def expansion(self) -> KernelFunctions | None:
        """The functions as sums over supports, if that is what they are."""
        return None

    @abstractmethod
    def columns(self, names: FeatureNames = None) -> Iterator[WeightColumn]:
        """The weights of features, class by class or kind by kind."""

    @abstractmethod
    def scored(self, X: Any, names: FeatureNames = None) -> Iterator[Scored]:
        """Predictions for inputs, with scores as sums over features."""


@dataclass(frozen=True, eq=False)
class KernelFunctions(Functions):
    """``f_c(x) = sum_i coefficients[c, i] K(supports[i], x) + biases[c]``."""

    kernel: Kernel
    supports: _core.Items
    coefficients: Matrix  # functions by supports
    biases: Matrix
    labels: list[Any]  # of each function, the class that a positive value speaks for
    version: tuple[Any, ...]  # something else whenever the model has changed
    # What the model predicts for inputs, and its scores by function unless these are votes.
    decide: Callable[[Any], tuple[list[Any], Matrix | None]]

    @classmethod
    def of(cls, kernel: Kernel, native: _core.Expansion, labels: Any, version: Any, decide: Any) -> Self:
        """Those of a native expansion."""
        coefficients = native.coefficients().reshape(native.functions, -1)
        return cls(kernel, native.supports(), coefficients, native.biases(), labels, version, decide)

    @property
    def expansion(self) -> KernelFunctions:
        return self

    def columns(self, names: FeatureNames = None) -> Iterator[WeightColumn]:
        raise TypeError(
            "a model with a kernel keeps no weights of features; on tree kernels, fragments have weights: see "
            "fragments"
        )

    def scored(self, X: Any, names: FeatureNames = None) -> Iterator[Scored]:
        """Sums over supports: coefficient times kernel value. They are numbered as in ``support_``."""
        if names is not None and not callable(names):
            raise ValueError(
                "feature_names are for learners on weights and dot products; a model with another kernel has supports"
            )
        supports = self.kernel._from_items(self.supports)
        values = self.kernel(X, supports)
        predicted, _ = self.decide(X)
        name = partial(support_name, supports)
        for chosen, row in zip(predicted, values, strict=True):
            functions = zip(self.labels, self.coefficients, self.biases.tolist(), strict=True)
            scores = [Score(label, weights, row, name, bias) for label, weights, bias in functions]
            yield Scored(chosen, scores, "supports")


@dataclass(frozen=True, eq=False)
class LinearFunctions(Functions):
    """``f_c(x) = weights[c] . x + biases[c]``."""

    labels: list[Any]
    weights: Any  # a CSR matrix of functions by features
    biases: Matrix
    predict: Callable[[Any], Matrix]
    rows: Callable[[Any], Any]  # a matrix of the features of inputs
    names: FeatureNames = None  # what features are called, if that is known
    texts: Any = (
        None  # what is known of texts or trees whose words or fragments are features (vectorizers.Learned)
    )

    def columns(self, names: FeatureNames = None) -> Iterator[WeightColumn]:
        """Weights of words are those of an example that has the word, whatever sign its column has."""
        known = {} if self.texts is None or names is not None else self.texts.words()
        name = _known({j: words for j, (_, words) in known.items()}, self._namer(names))
        signs = {j: sign for j, (sign, _) in known.items()}
        for f, label in enumerate(self.labels):
            row = self.weights[[f]]
            yield WeightColumn(label, signed(row, signs), _at(row.indices, name))

    def scored(self, X: Any, names: FeatureNames = None) -> Iterator[Scored]:
        name = self._namer(names)
        predicted = self.predict(X).tolist()
        rows = sparse.csr_array(self.rows(X))
        what, words, places = "features", None, None
        if self.texts is not None and names is None:
            what, words, places = self.texts.what, self.texts.names_in(X), self.texts.places_in(X)
        for i, chosen in enumerate(predicted):
            features, values = self.row(rows, i)
            own = name if words is None else _known(words(i), name)
            scores = [self.score(f, features, values, own) for f in range(len(self.labels))]
            if places is not None:
                where = partial(_placed, places(i), features)
                scores = [replace(score, places=where) for score in scores]
            yield Scored(chosen, scores, what)

    def score(self, f: int, features: Matrix, values: Matrix, name: Name) -> Score:
        """The value of a function for an input with these features."""
        weights = _entries(self._sorted, f, features)
        return Score(self.labels[f], weights, values, _at(features, name), float(self.biases[f]))

    def row(self, rows: Any, i: int) -> tuple[Matrix, Matrix]:
        """The features of an input and their values, but for features that have no weight."""
        begin, end = rows.indptr[i], rows.indptr[i + 1]
        features, values = rows.indices[begin:end], rows.data[begin:end]
        known = features < self.weights.shape[1]
        return features[known], values[known]

    @cached_property
    def _sorted(self) -> Any:
        return self.weights if self.weights.has_sorted_indices else self.weights.sorted_indices()

    def _namer(self, names: FeatureNames) -> Name:
        if self.texts is not None and names is None:
            return lambda feature: f"column {feature}"
        return namer(self.names if names is None else names)


class CandidateFunctions(LinearFunctions):
    """One function, which scores the candidates of lists: a score for each of them, counted from 1."""

    def scored(self, X: Any, names: FeatureNames = None) -> Iterator[Scored]:
        name = self._namer(names)
        chosen = self.predict(X).tolist()
        rows = sparse.csr_array(self.rows(X))
        weights = self.weights.toarray().ravel()
        for i, place in enumerate(chosen):
            scores = []
            for candidate, row in enumerate(range(int(X.begins[i]), int(X.begins[i + 1]))):
                features, values = self.row(rows, row)
                label = f"candidate {candidate + 1}"
                scores.append(Score(label, weights[features], values, _at(features, name)))
            yield Scored(f"candidate {place + 1}", scores)


def _entries(matrix: Any, row: int, columns: Matrix) -> Matrix:
    """Some entries of a row of a sorted CSR matrix, in no more memory than they and the row take, unlike scipy's."""
    own = slice(matrix.indptr[row], matrix.indptr[row + 1])
    known, entries = matrix.indices[own], matrix.data[own]
    if len(known) == 0:
        return np.zeros(len(columns))
    place = np.minimum(np.searchsorted(known, columns), len(known) - 1)
    return np.where(known[place] == columns, entries[place], 0.0)


def namer(names: FeatureNames) -> Name:
    """What features are called: as given, or by their numbers."""
    if callable(names):
        return names
    given = [] if names is None else list(names)
    return lambda feature: str(given[feature]) if feature < len(given) else f"feature {feature}"


def support_name(supports: Any, number: int) -> str:
    """The number of a support, and what it says if it is a text or a tree, or has some."""
    if isinstance(supports, tuple):  # what the kernels of a product see
        return f"support {number}"
    item = supports[number]
    parts = item.values() if isinstance(item, dict) else [item]
    text = shorten(
        ", ".join(str(part) for part in parts if isinstance(part, str | Tree)), 60, placeholder=" ..."
    )
    return f"support {number}: {text}" if text else f"support {number}"


def signed(row: Any, signs: Mapping[int, int]) -> Matrix:
    """The values of a CSR row, times the signs that some of its columns have."""
    values: Matrix = row.data.copy()
    for i in np.flatnonzero(np.isin(row.indices, list(signs))):
        values[i] *= signs[int(row.indices[i])]
    return values


def _known(names: Mapping[int, str], otherwise: Name) -> Name:
    return lambda feature: names.get(feature) or otherwise(feature)


def _placed(places: Mapping[int, Any], features: Matrix, i: int) -> Any:
    return places.get(int(features[i]), ())


def _at(places: Matrix, name: Name) -> Name:
    return lambda i: name(int(places[i]))
