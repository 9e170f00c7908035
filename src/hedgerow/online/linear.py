"""What learners share that keep weights and nothing else."""

from __future__ import annotations

from hedgerow.kernels.checks import check_choice
from hedgerow.online.base import WeightedOnlineClassifier

AVERAGING = (None, "average", "vote")


class LinearClassifier(WeightedOnlineClassifier):
    """A learner of linear functions."""

    kernel = None
    precision = "double"

    @property
    def _on_weights(self) -> bool:
        return True

    def _check_params(self) -> None:
        super()._check_params()
        check_choice("averaging", self.averaging, AVERAGING)
