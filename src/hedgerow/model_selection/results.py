"""Results of candidates on samples, and what they say: who is tied, who is behind, who has no hope."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from hedgerow.kernels.base import Matrix

TIED = 2.0  # standard errors of the difference that two candidates may be apart
HOPELESS = 1.5  # times the error of the best: learning curves cross, but hardly from so far
NEARLY = 0.1  # of the error of the best: what nearly equal ones differ by, at most


@dataclass(frozen=True)
class Result:
    """How a candidate did on the largest sample that it saw."""

    examples: int  # of the sample
    score: float
    deviations: Matrix  # of examples that were held out
    by_fold: tuple[float, ...]  # scores of the parts that were held out
    seconds: float  # of a processor, to learn from all parts but one and predict that one

    def behind(self, best: Result) -> float:
        """How many standard errors of the difference it is behind the best."""
        if self.examples != best.examples:
            return math.inf
        difference = best.score - self.score
        error = _standard_error(best.deviations - self.deviations)
        return difference / error if error > 0 else math.inf if difference > 0 else 0.0

    def hopeless(self, best: Result, before: Result | None, best_before: Result | None, n: int) -> bool:
        """Whether it is far behind, or comes nearer too slowly to be nearly as good on all n examples.

        Of those that are nearly as good chance says who came nearer, so they stay.
        """
        limit = HOPELESS
        if before is not None and best_before is not None and before.behind(best_before) > TIED:
            ratio, earlier = self.ratio(best), before.ratio(best_before)
            steps = math.log(n / self.examples) / math.log(self.examples / before.examples)
            if ratio * min(ratio / earlier, 1.0) ** steps > 1 + NEARLY:
                limit = 1 + NEARLY
        return self.behind(best) > TIED and self.ratio(best) > limit

    def ratio(self, best: Result) -> float:
        """Its error as a multiple of that of the best."""
        return (1 - self.score) / (1 - best.score) if best.score < 1 else math.inf

    def nearly_equals(self, best: Result) -> bool:
        """Whether it cannot be much worse than the best."""
        error = TIED * _standard_error(best.deviations - self.deviations)
        return best.score - self.score + error < NEARLY * (1 - best.score)


def _standard_error(deviations: Matrix) -> float:
    return float(np.std(deviations) / math.sqrt(len(deviations)))
