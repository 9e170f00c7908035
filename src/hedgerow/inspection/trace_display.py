"""Displays of traces: where the traces come from, and what they are called."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Self


class TraceDisplay(ABC):
    """Lines for each of some named traces."""

    _needed: ClassVar[str]  # what an estimator without a trace lacks

    def __init__(self, traces: Mapping[str, Any]) -> None:
        if not traces:
            raise ValueError("there is no trace to draw")
        self.traces = dict(traces)

    @classmethod
    def from_trace(cls, trace: Any, *, name: str | None = None, **options: Any) -> Self:
        """Draw one trace.

        Parameters
        ----------
        trace : hedgerow.models.Trace
            Or anything with the same arrays as attributes.
        name : str, optional
            Its name in the legend; without one there is no legend.
        **options
            As in `plot`, the axes among them.

        Returns
        -------
        display
        """
        return cls({name or "": trace}).plot(**options)

    @classmethod
    def from_estimator(cls, estimator: Any, *, name: str | None = None, **options: Any) -> Self:
        """Draw the trace of an estimator.

        Parameters
        ----------
        estimator : fitted online learner with ``trace_every``, or fitted machine that records rounds
        name : str, optional
            Its name in the legend. By default the name of its class.
        **options
            As in `plot`, the axes among them.
        """
        return cls.from_estimators({name or type(estimator).__name__: estimator}, **options)

    @classmethod
    def from_estimators(cls, estimators: Mapping[str, Any] | Iterable[Any], **options: Any) -> Self:
        """Draw the traces of several estimators in one plot.

        Parameters
        ----------
        estimators : mapping from names to fitted estimators, or the estimators
            Without names the legend has those of the classes, with a number where they repeat.
        **options
            As in `plot`, the axes among them.
        """
        return cls._of(_by_name(estimators)).plot(**options)

    @classmethod
    def _of(cls, estimators: Mapping[str, Any]) -> Self:
        return cls({name: cls._trace_of(estimator) for name, estimator in estimators.items()})

    @classmethod
    def _trace_of(cls, estimator: Any) -> Any:
        trace = getattr(estimator, "trace_", None)
        if trace is None or not cls._draws(trace):
            raise ValueError(f"{type(estimator).__name__} has no trace{cls._needed}")
        return trace

    @classmethod
    def _draws(cls, trace: Any) -> bool:
        """Whether the trace has what is drawn."""
        return True

    @abstractmethod
    def plot(self, **options: Any) -> Self:
        """Draw into the axes, or into a new figure."""


def _by_name(estimators: Mapping[str, Any] | Iterable[Any]) -> Mapping[str, Any]:
    """As they are called, or by the names of their classes, with a number from the second of a name on."""
    if isinstance(estimators, Mapping):
        return estimators
    named: dict[str, Any] = {}
    for estimator in estimators:
        kind = type(estimator).__name__
        number = sum(type(other) is type(estimator) for other in named.values()) + 1
        named[kind if number == 1 else f"{kind} ({number})"] = estimator
    return named
