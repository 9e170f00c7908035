"""Whether examples come sorted by class, which ruins learners that see each of them once."""

from __future__ import annotations

import warnings

import numpy as np

from hedgerow.kernels.base import Matrix

LEAST_EXAMPLES = 200
LEAST_CHANGES = 20  # of the label, expected in random order, before anything can be said


class LabelOrder:
    """Counts how often the label changes from one example to the next, and warns once when that is far too rarely.

    In random order, counts c_k of n labels make ``n - sum_k c_k^2 / n`` changes on the mean (Wald and Wolfowitz), also
    when some classes are rare.
    """

    def __init__(self, n_classes: int) -> None:
        self._counts = np.zeros(n_classes)
        self._changes = 0
        self._last = -1
        self._settled = False

    def meet(self, labels: Matrix) -> None:
        """The numbers of the next labels; what is settled costs nothing more."""
        if self._settled or len(labels) == 0:
            return
        self._counts += np.bincount(labels, minlength=len(self._counts))
        self._changes += int(np.count_nonzero(labels[1:] != labels[:-1])) + int(labels[0] != self._last >= 0)
        self._last = int(labels[-1])
        n = float(self._counts.sum())
        expected = n - float(self._counts @ self._counts) / n
        if n < LEAST_EXAMPLES or expected < LEAST_CHANGES:
            return
        if self._changes <= expected / 10:
            self._settled = True
            warnings.warn(
                f"the examples seem to be sorted by class: the label changes {self._changes} times in {n:.0f} "
                f"examples, where {expected:.0f} changes are expected in random order. A learner that sees them one "
                "after the other forgets what came first: shuffle them (shuffle=True for fit, --shuffle on the command "
                "line, or the lines of the file)",
                stacklevel=2,
            )
        elif self._changes >= expected / 3:
            self._settled = True
