"""The best point on a line, for an objective made of a parabola and hinge losses."""

from __future__ import annotations

import numpy as np

from hedgerow.kernels.base import Matrix

FAR = 2.0**30  # no step is longer


def best_step(curvature: float, slope: float, gaps: Matrix, changes: Matrix, costs: Matrix) -> float:
    """The step s >= 0 with the least ``1/2 curvature s^2 + slope s + sum costs max(0, gaps + s changes)``.

    The derivative only grows: steadily, and by jumps where an example enters or leaves its margin. Strides that double
    find where it is no longer negative; only the few examples that jump on the last one have to be put in order.
    """
    slopes = costs * changes

    def within(step: float) -> Matrix:
        """The examples whose loss grows or falls from there on."""
        ahead = gaps + step * changes
        found: Matrix = (ahead > 0) | ((ahead == 0) & (changes > 0))
        return found

    start, stop = 0.0, 1.0
    at_start, at_stop = within(start), within(stop)
    of_losses = slope + _sum(slopes, at_start)  # the derivative at the start, without the parabola
    if of_losses >= 0:
        return 0.0
    while (ahead := slope + _sum(slopes, at_stop)) + curvature * stop < 0:
        if stop >= FAR:
            return stop  # falls for ever: cannot be, but for rounding
        start, stop = stop, 2 * stop
        at_start, at_stop, of_losses = at_stop, within(stop), ahead

    jumping = np.flatnonzero(at_start != at_stop)
    places = np.clip(-gaps[jumping] / changes[jumping], start, stop)
    order = np.argsort(places)
    begins = np.concatenate([[start], places[order]])
    ends = np.append(begins[1:], stop)
    pieces = of_losses + np.concatenate([[0.0], np.cumsum(np.abs(slopes[jumping[order]]))])
    # The first piece at whose end the derivative is not negative holds the minimum; by rounding there may be none.
    rising = np.flatnonzero(pieces + curvature * ends >= 0)
    if len(rising) == 0:
        return stop
    piece = rising[0]
    if pieces[piece] + curvature * begins[piece] >= 0:
        return float(begins[piece])
    return float(min(-pieces[piece] / curvature, ends[piece]))


def _sum(values: Matrix, chosen: Matrix) -> float:
    return float(values @ chosen.astype(np.float64))
