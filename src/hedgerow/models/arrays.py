"""Arrays of a model's state, by names that say which part they belong to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hedgerow.kernels.base import Matrix


def above(prefix: str, arrays: Mapping[str, Any]) -> dict[str, Any]:
    """The arrays with the prefix before their names."""
    return {f"{prefix}{name}": values for name, values in arrays.items()}


def below(prefix: str, arrays: Mapping[str, Matrix]) -> dict[str, Matrix]:
    """The arrays whose names begin with the prefix, by the rest of their names."""
    return {name.removeprefix(prefix): values for name, values in arrays.items() if name.startswith(prefix)}
