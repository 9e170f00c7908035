"""Parameter checks that name the parameter and the accepted values."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Integral, Real
from typing import Any

import numpy as np
from sklearn.utils import check_random_state


def check_number(
    name: str,
    value: object,
    *,
    above: float | None = None,
    at_least: float | None = None,
    at_most: float | None = None,
) -> None:
    """A finite real number within the bounds."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{name} must be a number, got {value!r}")
    _check_bounds(name, float(value), value, "a number", above, at_least, at_most)


def check_whole(name: str, value: object, *, at_least: int | None = None, at_most: int | None = None) -> None:
    """A whole number within the bounds."""
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise TypeError(f"{name} must be a whole number, got {value!r}")
    _check_bounds(name, float(value), value, "a whole number", None, at_least, at_most)


def check_flag(name: str, value: object) -> None:
    if not isinstance(value, bool):
        raise TypeError(f"{name} must be True or False, got {value!r}")


def as_list(name: str, value: Any, accepted: str) -> list[Any]:
    """A parameter that is a list, or anything else with entries, but no text."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise TypeError(f"{name} must be {accepted}, got {value!r}")
    return list(value)


def as_matrix(name: str, value: Any, accepted: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    """A new matrix of the numbers that a parameter has."""
    try:
        return np.array(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be {accepted}, got {value!r}") from None


def as_random_state(value: Any) -> Any:
    """What a parameter random_state stands for: a numpy RandomState."""
    try:
        return check_random_state(value)
    except ValueError:
        raise ValueError(
            f"random_state must be None, a whole number or a numpy RandomState, got {value!r}"
        ) from None


def check_decay(name: str, value: object) -> None:
    check_number(name, value, above=0, at_most=1)


def _check_bounds(
    name: str,
    number: float,
    value: object,
    kind: str,
    above: float | None,
    at_least: float | None,
    at_most: float | None,
) -> None:
    inside = (
        number - number == 0  # neither infinite nor nan
        and (above is None or number > above)
        and (at_least is None or number >= at_least)
        and (at_most is None or number <= at_most)
    )
    if not inside:
        bounds = [
            text
            for bound, text in (
                (above, f"above {above}"),
                (at_least, f"at least {at_least}"),
                (at_most, f"at most {at_most}"),
            )
            if bound is not None
        ]
        raise ValueError(f"{name} must be {kind} {' and '.join(bounds)}".rstrip() + f", got {value!r}")


def check_choice(name: str, value: object, choices: tuple[object, ...]) -> None:
    if not any(value is choice or (isinstance(value, str) and value == choice) for choice in choices):
        raise ValueError(f"{name} must be one of {', '.join(map(repr, choices))}, got {value!r}")
