"""Functions that are weights of features: of learners without a kernel, and of structured learners of classes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from hedgerow.inspection.accounts import Account, Feature
from hedgerow.inspection.explanation import Explanation
from hedgerow.inspection.functions import VOTES, by_class
from hedgerow.kernels.base import Matrix
from hedgerow.online.base import OnlineClassifier
from hedgerow.online.reranker import Reranker
from hedgerow.online.winnow import _Winnow
from hedgerow.structured.classes import ClassProblem
from hedgerow.structured.learner import StructuredLearner

FeatureNames = Sequence[str] | Callable[[int], str] | None


@dataclass(frozen=True)
class LinearFunctions:
    """``f_c(x) = weights[c] . x + biases[c]``.

    Attributes
    ----------
    labels : list of classes
    weights : CSR matrix of functions by features
    biases : array
    """

    labels: list[Any]
    weights: Any
    biases: Matrix


def is_linear(model: Any) -> bool:
    """Whether a model keeps weights of features of inputs, for each class."""
    if isinstance(model, OnlineClassifier):
        return model._on_weights
    if isinstance(model, StructuredLearner):
        problem = getattr(model, "problem_", None)
        return isinstance(problem, ClassProblem) and problem.kernel is None
    return isinstance(model, Reranker)


def linear_functions(model: Any) -> LinearFunctions:
    """The functions of a learner on weights."""
    if isinstance(model, StructuredLearner):
        problem: Any = model.problem_
        table = np.reshape(model.coef_, (-1, problem._n_output_features()))
        if problem.output_features_ is not None:
            table = table @ problem.output_features_.T
        biases = np.zeros(table.shape[1])
        return LinearFunctions(problem.classes_.tolist(), sparse.csr_array(table.T), biases)
    native = model._linear() if isinstance(model, OnlineClassifier) else model._fitted()
    parts = [native.nonzeros(j) for j in range(model._n_functions())]
    begins = np.cumsum([0] + [len(features) for features, _ in parts])
    features = np.concatenate([features for features, _ in parts])
    values = np.concatenate([values for _, values in parts])
    rows = sparse.csr_array((values, features, begins), shape=(len(parts), native.width))
    if isinstance(model, Reranker):
        return LinearFunctions(["score"], rows, np.zeros(1))
    if model.averaging == "vote":
        raise ValueError(VOTES)
    mixed, biases, labels = by_class(model, rows, model.intercept_)
    return LinearFunctions(labels, sparse.csr_array(mixed), biases)


def namer(model: Any, names: FeatureNames) -> Callable[[int], str]:
    """What features are called: as given, as in the data frame that was learned from, or by their numbers."""
    if callable(names):
        return names
    known: Any = names if names is not None else getattr(model, "feature_names_in_", None)
    if known is None:
        return lambda feature: f"feature {feature}"
    given = list(known)
    return lambda feature: str(given[feature]) if feature < len(given) else f"feature {feature}"


def explain_vectors(model: Any, X: Any, k: int, names: FeatureNames) -> Iterator[Explanation]:
    """Of every row the scores of all classes: weight times value, feature by feature."""
    functions = linear_functions(model)
    name = namer(model, names)
    predicted = model.predict(X).tolist()
    if isinstance(model, StructuredLearner):
        rows = model.problem_._rows(X)
    else:
        rows = model._prepare(model.kernel_, X)
        model._check_width(rows)
    rows = sparse.csr_array(rows)
    for i, chosen in enumerate(predicted):
        begin, end = rows.indptr[i], rows.indptr[i + 1]
        features, values = rows.indices[begin:end], rows.data[begin:end]
        accounts = [
            feature_account(label, _terms(model, functions, f, features, values), k, name)
            for f, label in enumerate(functions.labels)
        ]
        yield Explanation(chosen, tuple(accounts), {})


Terms = tuple[Matrix, Matrix, Matrix, float]  # features, their weights and values, the bias


def _terms(model: Any, functions: LinearFunctions, f: int, features: Matrix, values: Matrix) -> Terms:
    row = functions.weights[[f]]
    known = features < row.shape[1]  # others have no weight
    features, values = features[known], values[known]
    if isinstance(model, _Winnow):
        return _winnow_terms(model, functions, f, features, values)
    weights = row[:, features].toarray().ravel()
    return features, weights, values, float(functions.biases[f])


def _winnow_terms(
    model: _Winnow, functions: LinearFunctions, f: int, features: Matrix, values: Matrix
) -> Terms:
    """Inputs get one more feature that is 1, and are scaled to sum 1: so the threshold is part of every weight."""
    if model._decoding == "codes":
        raise TypeError("the scores of a Winnow with multiclass='codes' are no sum over features")
    kept = np.isin(features, model.features_[f])
    features, values = features[kept], values[kept]
    mass = 1.0 + float(values.sum())
    weights = functions.weights[[f]][:, features].toarray().ravel() - model.threshold
    return features, weights, values / mass, (float(functions.biases[f]) - model.threshold) / mass


def feature_account(label: Any, terms: Terms, k: int, name: Callable[[int], str]) -> Account:
    """The largest contributions, and what all others add."""
    features, weights, values, bias = terms
    contributions = weights * values
    total = float(contributions.sum())
    order = np.argsort(contributions, kind="stable")
    largest = [i for i in order[::-1][:k].tolist() if contributions[i] > 0]
    smallest = [i for i in order[:k].tolist() if contributions[i] < 0]
    listed = [
        Feature(name(int(features[i])), float(weights[i]), float(values[i])) for i in [*largest, *smallest]
    ]
    rest = total - sum(feature.contribution for feature in listed)
    if len(listed) == np.count_nonzero(contributions):
        rest = 0.0  # not what rounding leaves
    score = total + bias
    return Account(label, score, listed, rest, bias, what="features")
