"""What learners count while they learn."""

from __future__ import annotations

from typing import ClassVar

from hedgerow.models.native_estimator import NativeEstimator
from hedgerow.models.trace import Trace


class Recorded(NativeEstimator):
    """A learner that counts what it has seen and got wrong, and records that now and then."""

    trace_every: int | None
    _counted: ClassVar[str] = "examples"
    _columns: ClassVar[tuple[str, ...]] = ("examples", "mistakes", "support", "seconds")

    @property
    def mistakes_(self) -> int:
        """How many the predictor of the time got wrong while learning, each before it was learned from."""
        mistakes: int = self._fitted().mistakes
        return mistakes

    @property
    def n_seen_(self) -> int:
        """How many were seen, each once for every pass."""
        seen: int = self._fitted().seen
        return seen

    @property
    def trace_(self) -> Trace:
        """What was recorded while learning; asked for with ``trace_every``."""
        if self.trace_every is None:
            raise AttributeError(
                f"there is no trace: set trace_every, the number of {self._counted} between two samples"
            )
        arrays = self._fitted().trace()
        return Trace({name: arrays[name] for name in self._columns})
