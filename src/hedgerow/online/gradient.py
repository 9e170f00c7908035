"""What learners share that follow the gradient of a loss and keep weights small."""

from __future__ import annotations

from hedgerow.kernels.checks import check_number
from hedgerow.online.linear_learner import LinearClassifier


class GradientClassifier(LinearClassifier):
    """A learner on weights with a loss, a learning rate and l1 regularisation."""

    loss: str
    l1: float
    learning_rate: float
    bias: bool

    def _check_params(self) -> None:
        super()._check_params()
        check_number("l1", self.l1, at_least=0)
        check_number("learning_rate", self.learning_rate, above=0)
