"""The classes that a model file may name: hedgerow's public ones, never what a file asks to import."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

_MODULES = (
    "hedgerow.feature_extraction",
    "hedgerow.feature_selection",
    "hedgerow.kernels",
    "hedgerow.models",
    "hedgerow.online",
    "hedgerow.structured",
    "hedgerow.svm",
)


@cache
def public_classes() -> dict[str, type[Any]]:
    """Kernels, models and extractors of features by name."""
    # Imported when first needed: whoever only reads trees need not wait for scikit-learn.
    from sklearn.base import BaseEstimator

    modules = [import_module(name) for name in _MODULES]
    return {
        name: value
        for module in modules
        for name in module.__all__
        if isinstance(value := getattr(module, name), type) and issubclass(value, BaseEstimator)
    }


def is_public(value: object) -> bool:
    return public_classes().get(type(value).__name__) is type(value)
