"""Plots of traces, and the three figures of online learning: performance, support growth and runtime over a pass."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, Literal, Self

from hedgerow.inspection.drawing import line_styles, new_axes, show_settled_part, tidy_axes


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


class _OnlineDisplay(TraceDisplay):
    """Lines over the number of examples."""

    _needed = ": set trace_every (examples between two samples) and fit it before drawing"
    _label: str  # what is drawn
    _column: str

    def plot(self, ax: Any = None, **line_kw: Any) -> Self:
        """Draw into the axes, or into a new figure.

        Parameters
        ----------
        ax : matplotlib Axes, optional
        **line_kw
            For matplotlib's ``plot``; they hold for every line.
        """
        self._draw(ax, self._label, lambda trace: getattr(trace, self._column), line_kw)
        self.ax_.set_ylim(bottom=0)
        return self

    def _draw(self, ax: Any, label: str, values: Callable[[Any], Any], line_kw: dict[str, Any]) -> None:
        if ax is None:
            ax = new_axes()
        self.ax_, self.figure_, self.lines_ = ax, ax.figure, []
        drawn = len(ax.lines)  # go on with the styles after lines that are there already
        styles = line_styles(drawn + len(self.traces))[drawn:]
        for (name, trace), style in zip(self.traces.items(), styles, strict=True):
            (line,) = ax.plot(
                trace.examples, values(trace), **{"label": name or None, "linewidth": 1.6, **style, **line_kw}
            )
            self.lines_.append(line)
        self.line_ = self.lines_[0]
        tidy_axes(ax)
        ax.set(xlabel="Examples seen", ylabel=label)
        ax.set_xlim(left=0)
        if any(self.traces):
            ax.legend(frameon=False, handlelength=3.2)


def wrong_predictions(trace: Any) -> Any:
    """How many predictions so far were wrong: of averages and votes, not of the predictor that they come from."""
    return getattr(trace, "errors", trace.mistakes)


_MEASURES: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "f1": ("Cumulative F1", lambda trace: trace.f1),
    "accuracy": ("Cumulative accuracy", lambda trace: 1 - wrong_predictions(trace) / trace.examples),
    "error": ("Cumulative error", lambda trace: wrong_predictions(trace) / trace.examples),
    "mistakes": ("Mistakes", lambda trace: trace.mistakes),
}


class OnlinePerformanceDisplay(_OnlineDisplay):
    """How well learners predicted each example before learning from it, over all examples so far.

    Parameters
    ----------
    traces : mapping from names to traces
        Then call `plot`. The class methods `from_estimator`, `from_estimators` and `from_trace` do both.

    Attributes
    ----------
    ax_ : matplotlib Axes
    figure_ : matplotlib Figure
    lines_ : list of matplotlib Line2D
        One for each trace.
    line_ : matplotlib Line2D
        The first of them.

    Examples
    --------
    >>> from hedgerow.datasets import make_two_gaussians
    >>> from hedgerow.inspection import OnlinePerformanceDisplay
    >>> from hedgerow.kernels import Polynomial
    >>> from hedgerow.online import PassiveAggressive, Perceptron
    >>> X, y = make_two_gaussians(500, random_state=0)
    >>> learners = [Perceptron(Polynomial(), trace_every=10), PassiveAggressive(Polynomial(), trace_every=10)]
    >>> display = OnlinePerformanceDisplay.from_estimators([learner.fit(X, y) for learner in learners])
    >>> [line.get_label() for line in display.lines_]
    ['Perceptron', 'PassiveAggressive']
    >>> display.ax_.get_ylabel()
    'Cumulative F1'
    """

    def plot(
        self,
        ax: Any = None,
        *,
        measure: Literal["f1", "accuracy", "error", "mistakes"] = "f1",
        **line_kw: Any,
    ) -> Self:
        """Draw into the axes, or into a new figure.

        Parameters
        ----------
        ax : matplotlib Axes, optional
        measure : {"f1", "accuracy", "error", "mistakes"}
            F1, the share of correct predictions, the share of wrong ones or their number, over the examples so far.
            Results of `hedgerow.model_selection.progressive_validation` have no F1.
        **line_kw
            For matplotlib's ``plot``; they hold for every line.
        """
        if measure not in _MEASURES:
            raise ValueError(f"measure must be 'f1', 'accuracy', 'error' or 'mistakes', got {measure!r}")
        self._draw(ax, *_MEASURES[measure], line_kw)
        if measure == "mistakes":
            self.ax_.set_ylim(bottom=0)
        else:
            show_settled_part(self.ax_)
        return self


class SupportGrowthDisplay(_OnlineDisplay):
    """How many supports learners kept while they learned.

    Parameters and attributes are those of `OnlinePerformanceDisplay`.

    Examples
    --------
    >>> from hedgerow.datasets import make_two_gaussians
    >>> from hedgerow.inspection import SupportGrowthDisplay
    >>> from hedgerow.kernels import RBF
    >>> from hedgerow.online import Forgetron
    >>> X, y = make_two_gaussians(500, random_state=0)
    >>> learner = Forgetron(RBF(), budget=20, trace_every=10).fit(X, y)
    >>> display = SupportGrowthDisplay.from_estimator(learner, name="Forgetron, at most 20")
    >>> int(display.line_.get_ydata().max())
    20
    """

    _label, _column = "Supports", "support"


class RuntimeDisplay(_OnlineDisplay):
    """How much CPU time learners had used while they learned.

    Parameters and attributes are those of `OnlinePerformanceDisplay`.

    Examples
    --------
    >>> from hedgerow.datasets import make_two_gaussians
    >>> from hedgerow.inspection import RuntimeDisplay
    >>> from hedgerow.kernels import RBF
    >>> from hedgerow.online import Perceptron
    >>> X, y = make_two_gaussians(500, random_state=0)
    >>> display = RuntimeDisplay.from_trace(Perceptron(RBF(), trace_every=10).fit(X, y).trace_)
    >>> display.ax_.get_ylabel()
    'CPU time in seconds'
    """

    _label, _column = "CPU time in seconds", "seconds"

    def plot(self, ax: Any = None, *, scale: str = "linear", **line_kw: Any) -> Self:
        """Draw into the axes, or into a new figure.

        Parameters
        ----------
        ax : matplotlib Axes, optional
        scale : {"linear", "log"}
            Of the time; ``"log"`` for learners that differ by more than a plain axis can show.
        **line_kw
            For matplotlib's ``plot``; they hold for every line.
        """
        if scale not in ("linear", "log"):
            raise ValueError(f"scale must be 'linear' or 'log', got {scale!r}")
        super().plot(ax, **line_kw)
        if scale == "log":
            self.ax_.set_ylim(auto=True)  # there is no 0 to start from
            self.ax_.set_yscale("log")
            self.ax_.relim()
            self.ax_.autoscale_view(scalex=False)
            tidy_axes(self.ax_)
        return self
