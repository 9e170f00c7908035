"""What a model is made of, asked of the model."""

from __future__ import annotations

from typing import Any

from hedgerow.models.functions import Functions


def best_of(model: Any) -> Any:
    """The model itself, or what a search has found to be best."""
    return getattr(model, "best_estimator_", model)


def functions_of(model: Any) -> Functions:
    """The functions of a fitted model."""
    if not hasattr(type(model), "functions"):
        raise TypeError(
            "explanations, fragments and weights are of models with supports, learners on weights and structured "
            f"learners, not of a {type(model).__name__}"
        )
    functions: Functions = model.functions()
    return functions
