"""The best point on a line, for an objective made of a parabola and hinge losses."""

from __future__ import annotations

import numpy as np

from hedgerow.kernels.base import Matrix


def best_step(curvature: float, slope: float, gaps: Matrix, changes: Matrix, costs: Matrix) -> float:
    """The step s >= 0 with the least ``1/2 curvature s^2 + slope s + sum costs max(0, gaps + s changes)``.

    The derivative only grows, by jumps where an example enters or leaves its margin: it is added up in the order of
    these, until it is no longer negative.
    """
    active = (gaps > 0) | ((gaps == 0) & (changes > 0))
    derivative = slope + float(costs[active] @ changes[active])  # at 0
    if derivative >= 0:
        return 0.0
    # Active ones leave when their gap closes; others enter when it opens.
    moving = np.flatnonzero(np.where(active, changes < 0, (changes > 0) & (gaps < 0)))
    places = -gaps[moving] / changes[moving]
    order = np.argsort(places)
    places = places[order]
    jumps = (costs[moving] * np.abs(changes[moving]))[order]
    before = derivative + np.concatenate([[0.0], np.cumsum(jumps)])  # on each piece, without the parabola
    ends = np.append(places, np.inf)
    # The first piece at whose end the derivative is not negative holds the minimum.
    with np.errstate(invalid="ignore"):
        at_end = before + curvature * ends
    at_end[-1] = np.inf if curvature > 0 else before[-1]
    crossed = at_end >= 0
    if not crossed.any():
        return float(places[-1]) if len(places) else 0.0  # falls forever: cannot be, but for rounding
    piece = int(np.argmax(crossed))
    start = float(places[piece - 1]) if piece else 0.0
    if before[piece] + curvature * start >= 0:
        return start
    return min(-float(before[piece]) / curvature, float(ends[piece])) if curvature > 0 else float(ends[piece])
