"""What a plot of an experiment shows; whoever draws it decides how it looks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True)
class Line:
    """A measure at some values of a parameter, with words beside the points if there are any."""

    name: str
    points: Mapping[float, float]
    beside: Mapping[float, str] = field(default_factory=dict)
    joined: bool = True  # else points alone
    deviations: Mapping[float, float] = field(default_factory=dict)  # bars at the points


@dataclass(frozen=True)
class Plot:
    """Lines over a parameter, and levels that the line of the same name should reach."""

    title: str
    parameter: str
    measure: str
    lines: tuple[Line, ...]
    levels: Mapping[str, float] = field(default_factory=dict)
    parameter_scale: Literal["linear", "log"] = "log"
    measure_scale: Literal["linear", "log"] = "linear"
    diagonal: bool = False  # where both axes show the same
