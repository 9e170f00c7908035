"""The parameters of a kernel as SVM-light-TK has them, and the texts that stand for their values."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields
from typing import Any


def _flag(letter: str, default: Any) -> Any:
    return field(default=default, metadata={"flag": letter})


@dataclass(frozen=True)
class SvmlightTkParameters:
    """The parameters of a kernel, each with the letter and the default that SVM-light-TK gives it.

    Examples
    --------
    >>> from hedgerow.svmlight_tk import SvmlightTkParameters
    >>> parameters = SvmlightTkParameters.from_flags({"t": "5", "L": "0.2"})
    >>> parameters.kernel_type, parameters.decay
    (5, 0.2)
    """

    kernel_type: int = _flag("t", 0)
    degree: int = _flag("d", 3)
    gamma: float = _flag("g", 1.0)
    scale: float = _flag("s", 1.0)
    offset: float = _flag("r", 1.0)
    custom: str = _flag("u", "empty")
    decay: float = _flag("L", 0.4)
    tree_weight: float = _flag("T", 1.0)
    combination: str = _flag("C", "T")
    tree_kernel: int = _flag("F", 1)
    vector_kernel: int = _flag("S", 1)
    vertical_decay: float = _flag("M", 0.4)
    normalization: int = _flag("N", 3)
    vector_pairing: str = _flag("V", "S")
    tree_pairing: str = _flag("W", "S")
    tree_parameters: int = _flag("U", 0)

    @classmethod
    def from_flags(cls, flags: dict[str, str]) -> SvmlightTkParameters:
        """From letters and the texts given with them; a ValueError names the letter and what it takes."""
        return cls(**{FLAGS[letter]: parsed(letter, text) for letter, text in flags.items()})


FLAGS: dict[str, str] = {f.metadata["flag"]: f.name for f in fields(SvmlightTkParameters)}
_DEFAULTS = {f.metadata["flag"]: f.default for f in fields(SvmlightTkParameters)}
_CHOICES = {"C": "+*TV", "V": "SA", "W": "SA"}


def parsed(letter: str, text: str) -> Any:
    """The value that the text gives to a parameter."""
    default = _DEFAULTS[letter]
    if isinstance(default, int):
        return whole(f"-{letter}", text)
    if isinstance(default, float):
        return number(f"-{letter}", text)
    choices = _CHOICES.get(letter)
    if choices is not None and (len(text) != 1 or text not in choices):
        raise ValueError(f"-{letter} must be one of {', '.join(choices)}, got {text!r}")
    return text


def whole(what: str, text: str) -> int:
    """A whole number; "5.0" is one, too."""
    value = number(what, text)
    if value != int(value):
        raise ValueError(f"{what} must be a whole number, got {text!r}")
    return int(value)


def number(what: str, text: str) -> float:
    """A finite number."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ValueError(f"{what} must be a number, got {text!r}")
    return value
