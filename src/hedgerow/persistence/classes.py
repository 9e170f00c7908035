"""The classes that a model file may name: hedgerow's public ones, never what a file asks to import."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

# Searched in this order, each imported when its turn comes: those of most models first, the slowest last.
_MODULES = (
    "hedgerow.kernels",
    "hedgerow.models",
    "hedgerow.svm",
    "hedgerow.online",
    "hedgerow.structured",
    "hedgerow.feature_extraction",
    "hedgerow.feature_selection",
    "hedgerow.neighbors",
)


@cache
def classes_in(module: str) -> dict[str, type[Any]]:
    """The public estimators of a module, by name."""
    # Imported when first needed: a program that only reads trees need not wait for scikit-learn.
    from sklearn.base import BaseEstimator

    found = import_module(module)
    return {
        name: value
        for name in found.__all__
        if isinstance(value := getattr(found, name), type) and issubclass(value, BaseEstimator)
    }


def public_class(name: str) -> type[Any] | None:
    """The kernel, model or extractor of features of that name."""
    return next((found[name] for module in _MODULES if name in (found := classes_in(module))), None)


def public_classes() -> dict[str, type[Any]]:
    """All of them, by name."""
    return {name: value for module in _MODULES for name, value in classes_in(module).items()}


def is_public(value: object) -> bool:
    return public_class(type(value).__name__) is type(value)
