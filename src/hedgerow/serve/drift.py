"""Has the stream changed? The drift detection method of Gama and others.

With p_i the share of errors after i examples and s_i = sqrt(p_i (1 - p_i) / i), remember the least p_min + s_min:

    warning  p_i + s_i > p_min + 2 s_min
    drift    p_i + s_i > p_min + 3 s_min, and start over

J. Gama, P. Medas, G. Castillo, P. Rodrigues: Learning with drift detection, Brazilian Symposium on Artificial
Intelligence, 2004.
"""

from __future__ import annotations

from math import inf, sqrt
from typing import Literal

LEAST = 30  # examples before anything is said

State = Literal["stable", "warning", "drift"]


class DriftDetection:
    """Meets errors one after the other.

    Examples
    --------
    >>> from hedgerow.serve.drift import DriftDetection
    >>> test = DriftDetection()
    >>> for number in range(400):
    ...     if test.meet(number % 10 == 0 if number < 200 else number % 2 == 0) == "drift":
    ...         print("changed before example", number)
    changed before example 222
    """

    def __init__(self) -> None:
        self.state: State = "stable"
        self._begin()

    def _begin(self) -> None:
        self._n = self._errors = 0
        self._least, self._least_deviation = inf, 0.0

    def meet(self, error: bool) -> State:
        """What is to be said after one more example. After drift it starts over."""
        if self.state == "drift":
            self._begin()
        self._n += 1
        self._errors += error
        share = self._errors / self._n
        deviation = sqrt(share * (1 - share) / self._n)
        self.state = "stable"
        if self._n < LEAST or not self._errors:  # without errors the least would be 0, and any error a drift
            return self.state
        if share + deviation <= self._least + self._least_deviation:
            self._least, self._least_deviation = share, deviation
        above = share + deviation - self._least
        if above > 3 * self._least_deviation:
            self.state = "drift"
        elif above > 2 * self._least_deviation:
            self.state = "warning"
        return self.state
