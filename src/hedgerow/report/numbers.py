"""Numbers and values as a reader likes to see them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn import config_context

MANY = 24  # things that are listed before the rest is counted


def whole(value: Any) -> str:
    return f"{int(value):,}"


def share(value: float) -> str:
    """A ratio as a percentage; small ones with enough digits to be seen."""
    percent = 100 * float(value)
    if 0 < abs(percent) < 0.1:
        return f"{percent:.2g}%"
    return f"{percent:.1f}%"


def ratio(value: float) -> str:
    """A measure between 0 and 1."""
    return "–" if np.isnan(value) else f"{value:.4f}"


def seconds(value: float) -> str:
    """A duration in the unit that suits it."""
    if value < 1:
        return f"{1000 * value:.3g} ms"
    if value < 120:
        return f"{value:.3g} s"
    if value < 7200:
        return f"{value / 60:.3g} min"
    return f"{value / 3600:.3g} h"


def figure(value: Any) -> str:
    """Any number, or none."""
    if value is None or value != value:  # NaN
        return "–"
    return f"{value:,}" if isinstance(value, int) else f"{value:.4g}"


def several(count: int, one: str, many: str | None = None) -> str:
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def listed(values: Sequence[Any]) -> str:
    """All, or the first ones and how many more there are."""
    some = ", ".join(str(value) for value in values[:MANY])
    rest = len(values) - MANY
    return f"{some} and {rest:,} more" if rest > 0 else some


def in_full(value: Any, most: int = 300) -> str:
    """A value of a parameter as Python would write it, with all parameters of kernels; cut where it is very long."""
    with config_context(print_changed_only=False):
        text = " ".join(repr(value).split())
    return text if len(text) <= most else f"{text[: most - 1]}…"
