"""What a learner records while it learns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hedgerow.kernels.base import Matrix


@dataclass(frozen=True, eq=False)
class Trace:
    """Cumulative figures of a learner, sampled while it learned.

    Every example is predicted before it is learned from, as ``predict`` would at that moment; so the figures
    are those of a learner in use.

    Attributes
    ----------
    examples : array of int
        Examples seen so far, at each sample.
    mistakes : array of int
        Wrong predictions so far; a score of 0, or a tie, is wrong.
    f1 : array of float
        F1 of the predictions so far: of the second class if there are two, else the mean over the classes.
    support : array of int
        Number of supports; on weights, of weights that are not 0.
    seconds : array of float
        CPU time spent learning.

    Examples
    --------
    >>> from hedgerow.datasets import make_two_gaussians
    >>> from hedgerow.online import Perceptron
    >>> X, y = make_two_gaussians(1000, random_state=0)
    >>> trace = Perceptron(trace_every=250).fit(X, y).trace_
    >>> trace.examples.tolist()
    [250, 500, 750, 1000]
    >>> bool((trace.mistakes <= trace.examples).all())
    True
    """

    examples: Matrix
    mistakes: Matrix
    f1: Matrix
    support: Matrix
    seconds: Matrix

    def __len__(self) -> int:
        return len(self.examples)

    def to_dict(self) -> dict[str, list[Any]]:
        """The columns as lists, for JSON or a data frame."""
        return {name: getattr(self, name).tolist() for name in COLUMNS}


COLUMNS = ("examples", "mistakes", "f1", "support", "seconds")
