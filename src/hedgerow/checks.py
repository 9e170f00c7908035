"""Parameter checks that name the parameter and the accepted values."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Annotated, Any, TypeAlias

import numpy as np
from sklearn.utils import check_random_state

_SMALLEST = sys.float_info.min


@dataclass(frozen=True)
class Bounds:
    """What numbers a parameter may be; stands in its annotation, ``Annotated[float, Bounds(above=0)]``."""

    above: float | None = None
    at_least: float | None = None
    at_most: float | None = None

    def check(self, name: str, value: Any, whole: bool) -> None:
        """Raise a TypeError or ValueError unless it is a finite number within the bounds."""
        kind = "a whole number" if whole else "a number"
        if isinstance(value, bool) or not isinstance(value, Integral if whole else Real):
            raise TypeError(f"{name} must be {kind}, got {value!r}")
        number = _as_float(value)
        inside = (
            number - number == 0  # neither infinite nor nan
            and (
                abs(number) >= _SMALLEST or number == 0
            )  # smaller numbers have few digits, and infinite inverses
            and (not whole or number < 2**63)  # as in native code
            and (self.above is None or number > self.above)
            and (self.at_least is None or number >= self.at_least)
            and (self.at_most is None or number <= self.at_most)
        )
        if not inside:
            stated = (("above", self.above), ("at least", self.at_least), ("at most", self.at_most))
            bounds = " and ".join(f"{word} {bound}" for word, bound in stated if bound is not None)
            if whole and number >= 2**63:
                bounds = f"{bounds} and below 2**63".removeprefix(" and ")
            raise ValueError(f"{name} must be {kind} {bounds}".rstrip() + f", got {value!r}")


def _as_float(value: Any) -> float:
    try:
        return float(value)
    except OverflowError:  # of a whole number
        return math.inf


Number: TypeAlias = Annotated[float, Bounds()]
Positive: TypeAlias = Annotated[float, Bounds(above=0)]
NotNegative: TypeAlias = Annotated[float, Bounds(at_least=0)]
# Of errors: beyond these, rounding decides what machines learn.
Cost: TypeAlias = Annotated[float, Bounds(at_least=1e-20, at_most=1e20)]
Share: TypeAlias = Annotated[float, Bounds(at_least=0, at_most=1)]
Decay: TypeAlias = Annotated[float, Bounds(above=0, at_most=1)]
Whole: TypeAlias = Annotated[int, Bounds(at_least=0)]
Count: TypeAlias = Annotated[int, Bounds(at_least=1)]


def check_number(name: str, value: object, **bounds: float) -> None:
    """A finite real number within the bounds."""
    Bounds(**bounds).check(name, value, whole=False)


def check_whole(name: str, value: object, **bounds: int) -> None:
    """A whole number within the bounds."""
    Bounds(**bounds).check(name, value, whole=True)


def as_list(name: str, value: Any, accepted: str) -> list[Any]:
    """A parameter that is a list, or anything else with entries, but no text."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise TypeError(f"{name} must be {accepted}, got {value!r}")
    return list(value)


def as_matrix(name: str, value: Any, accepted: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    """A new matrix of the numbers that a parameter has."""
    try:
        return np.array(value, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"{name} must be {accepted}, got {value!r}") from None


def as_random_state(value: Any) -> Any:
    """What a parameter random_state stands for: a numpy RandomState."""
    try:
        return check_random_state(value)
    except (ValueError, TypeError):  # the second from scikit-learn before 1.9, of a tuple
        raise ValueError(
            f"random_state must be None, a whole number from 0 to 2^32 - 1 or a numpy RandomState, got {value!r}"
        ) from None


def is_choice(value: object, choices: tuple[object, ...]) -> bool:
    """Whether it is one of the choices; 1 is not True."""
    return any(value is choice or (isinstance(value, str) and value == choice) for choice in choices)


def check_choice(name: str, value: object, choices: tuple[object, ...]) -> None:
    if not is_choice(value, choices):
        raise ValueError(f"{name} must be one of {', '.join(map(repr, choices))}, got {value!r}")
