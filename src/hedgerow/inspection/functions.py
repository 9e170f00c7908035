"""The functions of a kernel model: sums over supports, each with the class whose score it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from hedgerow import _core
from hedgerow.kernels.base import Kernel, Matrix
from hedgerow.models import Expansion
from hedgerow.models.kernel_classifier import KernelClassifier
from hedgerow.models.svmlight_tk import SvmlightTkScorer
from hedgerow.online.base import OnlineClassifier
from hedgerow.structured.classes import ClassProblem
from hedgerow.structured.learner import StructuredLearner


@dataclass(frozen=True, eq=False)
class Functions:
    """``f_c(x) = sum_i coefficients[c, i] K(supports[i], x) + biases[c]``.

    Attributes
    ----------
    kernel : Kernel
    supports : native items
    coefficients : array of functions by supports
    biases : array
    labels : list
        The class that a positive value speaks for, of each function.
    """

    kernel: Kernel
    supports: _core.Items
    coefficients: Matrix
    biases: Matrix
    labels: list[Any]


def best_of(model: Any) -> Any:
    """The model itself, or what a search has found to be best."""
    return getattr(model, "best_estimator_", model)


def has_kernel(model: Any) -> bool:
    """Whether a model scores by sums of kernel values."""
    if isinstance(model, OnlineClassifier):
        return not model._on_weights
    if isinstance(model, StructuredLearner):
        return getattr(model.problem_, "kernel", None) is not None
    return isinstance(model, KernelClassifier | Expansion | SvmlightTkScorer)


_known: WeakKeyDictionary[Any, tuple[tuple[Any, ...], Functions]] = WeakKeyDictionary()


def functions_of(model: Any) -> Functions:
    """The functions of a model; the same object again while the model does not change."""
    state = _state(model)
    known = _known.get(model)
    if known is not None and all(a is b or a == b for a, b in zip(known[0], state, strict=True)):
        return known[1]
    functions = _look_at(model)
    _known[model] = (state, functions)
    return functions


def _state(model: Any) -> tuple[Any, ...]:
    """What changes whenever a model does."""
    if isinstance(model, OnlineClassifier):
        return model._fitted(), model.n_seen_
    if isinstance(model, KernelClassifier):
        return (model._fitted(),)
    if isinstance(model, Expansion):
        return model._native.support_count, model.intercept.tobytes()
    if isinstance(model, SvmlightTkScorer):
        return (model.model,)
    if isinstance(model, StructuredLearner):
        model._check_fitted()
        return model.problem_, model.coef_.tobytes()
    raise TypeError(f"a {type(model).__name__} has no supports: fragments are of models on tree kernels")


def _look_at(model: Any) -> Functions:
    if isinstance(model, OnlineClassifier):
        return _of_learner(model)
    if isinstance(model, KernelClassifier):
        if not hasattr(model, "kernel_"):
            raise TypeError("with kernel='precomputed' the supports are not known, so nothing explains them")
        native: Any = model._fitted()
        labels = model.classes_.tolist()
        return Functions(
            model.kernel_,
            native.supports(),
            native.coefficients().reshape(native.functions, -1),
            native.biases(),
            labels[1:] if len(labels) == 2 else labels,
        )
    if isinstance(model, Expansion):
        native = model._native
        return Functions(
            model.kernel,
            native.supports(),
            native.coefficients().reshape(native.functions, -1),
            native.biases(),
            list(range(native.functions)),
        )
    if isinstance(model, SvmlightTkScorer):
        if model._expansion is None:
            raise ValueError(VOTES)
        found = _look_at(model._expansion)
        biases = found.biases - model.model.threshold
        return Functions(found.kernel, found.supports, found.coefficients, biases, [1])
    return _of_class_problem(model)


VOTES = (
    "votes of many predictors are no sum over fragments, so nothing adds up to them; train with "
    "averaging='average' instead, which predicts much the same"
)


def _of_learner(model: OnlineClassifier) -> Functions:
    if model._on_weights:
        raise TypeError(f"this {type(model).__name__} keeps weights of features, not supports; see weights")
    if model.averaging == "vote":
        raise ValueError(VOTES)
    expansion = model._kernel_learner().expansion
    coefficients = expansion.coefficients().reshape(expansion.functions, -1)
    coefficients, biases, labels = by_class(model, coefficients, expansion.biases())
    return Functions(model.kernel_, expansion.supports(), coefficients, biases, labels)


def by_class(model: OnlineClassifier, rows: Any, biases: Matrix) -> tuple[Any, Matrix, list[Any]]:
    """Coefficients (or weights) and biases of the scores of classes; where these are votes, of the functions."""
    classes = model.classes_.tolist()
    if model._decoding == "binary":
        return rows, biases, classes[1:]
    if model._decoding == "direct":
        return rows, biases, classes
    codes = model._codes.astype(np.float64)
    if model._decoding == "codes":
        mixing = codes / np.abs(codes).sum(axis=1, keepdims=True)
        return mixing @ rows, mixing @ biases, classes
    # Each function tells two classes apart, and classes score by how many of these decisions they win.
    pairs = [(int(np.flatnonzero(c > 0)[0]), int(np.flatnonzero(c < 0)[0])) for c in codes.T]
    return rows, biases, [f"{classes[winner]}, not {classes[loser]}" for winner, loser in pairs]


def _of_class_problem(model: StructuredLearner) -> Functions:
    problem = model.problem_
    if not isinstance(problem, ClassProblem) or problem.kernel is None:
        raise TypeError(
            f"a {type(model).__name__} of {type(problem).__name__} has no supports that its classes share; "
            "fragments are of classifiers on tree kernels"
        )
    coefficients = np.reshape(model.coef_, (-1, problem._n_output_features()))
    if problem.output_features_ is not None:
        coefficients = coefficients @ problem.output_features_.T
    used = np.flatnonzero(coefficients.any(axis=1))
    return Functions(
        problem.items_.kernel,
        problem.items_.items.select(used),
        np.ascontiguousarray(coefficients[used].T),
        np.zeros(coefficients.shape[1]),
        problem.classes_.tolist(),
    )
