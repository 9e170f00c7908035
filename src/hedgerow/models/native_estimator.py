"""Estimators around a native model, and how arrays of a model's state are named."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from sklearn.exceptions import NotFittedError

from hedgerow.kernels.base import Matrix
from hedgerow.locks import Shared, reads


class NativeEstimator(Shared, ABC):
    """An estimator that has learned what its native model holds, and is copied by way of that model's arrays."""

    @abstractmethod
    def _make_native(self) -> Any:
        """An empty native model, for `load`."""

    def _take_native(self, arrays: dict[str, Any]) -> None:
        """Have learned what a native model had saved."""
        native = self._make_native()
        native.load(arrays)
        self._native = native

    def _fitted(self) -> Any:
        """The native model."""
        try:
            return self._native
        except AttributeError:
            how = "fit or partial_fit" if hasattr(self, "partial_fit") else "fit"
            raise NotFittedError(f"this {type(self).__name__} has not been fitted yet; call {how}") from None

    @reads
    def __getstate__(self) -> dict[str, Any]:
        state = super().__getstate__()
        if "_native" in state:
            state["_native"] = state["_native"].save()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        if "_native" in self.__dict__:
            self._take_native(self.__dict__.pop("_native"))


def above(prefix: str, arrays: Mapping[str, Any]) -> dict[str, Any]:
    """The arrays with the prefix before their names."""
    return {f"{prefix}{name}": values for name, values in arrays.items()}


def below(prefix: str, arrays: Mapping[str, Matrix]) -> dict[str, Matrix]:
    """The arrays whose names begin with the prefix, by the rest of their names."""
    return {name.removeprefix(prefix): values for name, values in arrays.items() if name.startswith(prefix)}
