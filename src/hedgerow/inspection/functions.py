"""What a model is made of, asked of the model."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.pipeline import Pipeline

from hedgerow.feature_extraction import FragmentHasher
from hedgerow.feature_extraction.hashed_trees import HashedTrees
from hedgerow.models.functions import Functions, LinearFunctions


def best_of(model: Any) -> Any:
    """The model itself, or what a search has found to be best."""
    return getattr(model, "best_estimator_", model)


def functions_of(model: Any) -> Functions:
    """The functions of a fitted model, or of a pipeline that ends with one."""
    if isinstance(model, Pipeline):
        return _of_pipeline(model)
    if not hasattr(type(model), "functions"):
        raise TypeError(
            "explanations, fragments and weights are of models with supports, learners on weights and structured "
            f"learners, not of a {type(model).__name__}"
        )
    functions: Functions = model.functions()
    return functions


def _of_pipeline(pipeline: Pipeline) -> Functions:
    """Those of its last step, on what the steps before it make of inputs."""
    last, before = pipeline[-1], pipeline[:-1]
    functions = functions_of(last) if hasattr(type(last), "functions") else _of_linear(last)
    if not isinstance(functions, LinearFunctions):
        raise TypeError(
            f"a pipeline must end with a learner on weights, not with a {type(last).__name__} on a kernel"
        )
    rows = functions.rows
    functions = replace(functions, predict=pipeline.predict, rows=lambda X: rows(before.transform(X)))
    hasher = next((step for _, step in before.steps if isinstance(step, FragmentHasher)), None)
    if hasher is None:
        return functions
    if functions.weights.shape[1] != hasher.n_features:
        raise ValueError(
            f"steps between the FragmentHasher and the learner must keep its {hasher.n_features} columns, "
            f"got {functions.weights.shape[1]}"
        )
    return replace(functions, texts=HashedTrees(hasher))


def _of_linear(model: Any) -> LinearFunctions:
    """Those of a linear classifier of scikit-learn."""
    if not (hasattr(model, "coef_") and hasattr(model, "classes_")):
        raise TypeError(
            "explanations, fragments and weights are of pipelines that end with a fitted linear classifier, not with a "
            f"{type(model).__name__}"
        )
    weights = sparse.csr_array(model.coef_)
    labels = model.classes_.tolist()[-weights.shape[0] :]  # two classes have one function, of the second
    biases = np.broadcast_to(np.asarray(model.intercept_, dtype=float), len(labels))
    return LinearFunctions(labels, weights, biases, model.predict, lambda X: X)
