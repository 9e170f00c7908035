"""The three figures of online learning: performance, support growth and runtime over a pass."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, Self

from hedgerow.inspection.drawing import by_name, line_styles, pyplot, show_settled_part, tidy_axes


class _TraceDisplay(ABC):
    """Lines over the number of examples, one for each trace."""

    def __init__(self, traces: Mapping[str, Any]) -> None:
        if not traces:
            raise ValueError("there is no trace to draw")
        self.traces = dict(traces)

    @classmethod
    def from_trace(cls, trace: Any, *, name: str | None = None, ax: Any = None, **options: Any) -> Self:
        """Draw one trace.

        Parameters
        ----------
        trace : hedgerow.models.Trace
            Or anything with the arrays ``examples``, ``mistakes``, ``f1``, ``support`` and ``seconds``.
        name : str, optional
            Its name in the legend; without one there is no legend.
        ax : matplotlib Axes, optional
            Where to draw. By default a new figure.
        **options
            As in `plot`.

        Returns
        -------
        display
            With the attributes ``ax_``, ``figure_``, ``lines_`` and ``line_``.
        """
        return cls({name or "": trace}).plot(ax=ax, **options)

    @classmethod
    def from_estimator(
        cls, estimator: Any, *, name: str | None = None, ax: Any = None, **options: Any
    ) -> Self:
        """Draw the trace of a learner that was fitted with ``trace_every``.

        Parameters
        ----------
        estimator : fitted online learner
        name : str, optional
            Its name in the legend. By default the name of its class.
        ax, **options
            As in `plot`.
        """
        return cls({name or type(estimator).__name__: _trace_of(estimator)}).plot(ax=ax, **options)

    @classmethod
    def from_estimators(
        cls, estimators: Mapping[str, Any] | Iterable[Any], *, ax: Any = None, **options: Any
    ) -> Self:
        """Draw the traces of several learners in one plot.

        Parameters
        ----------
        estimators : mapping from names to fitted online learners, or the learners
            Without names the legend has those of the classes, with a number where they repeat.
        ax, **options
            As in `plot`.
        """
        named = by_name(estimators)
        traces = {name: _trace_of(estimator) for name, estimator in named.items()}
        return cls(traces).plot(ax=ax, **options)

    @abstractmethod
    def plot(self, ax: Any = None, **line_kw: Any) -> Self:
        """Draw into the axes, or into a new figure."""

    def _draw(
        self,
        ax: Any,
        label: str,
        values: Callable[[Any], Any],
        line_kw: dict[str, Any],
        *,
        from_zero: bool = True,
    ) -> Self:
        if ax is None:
            _, ax = pyplot().subplots(figsize=(6.4, 4.0), layout="constrained")
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
        if from_zero:
            ax.set_ylim(bottom=0)
        else:
            show_settled_part(ax)
        if any(self.traces):
            ax.legend(frameon=False, handlelength=3.2)
        return self


class OnlinePerformanceDisplay(_TraceDisplay):
    """How well learners predicted each example before they learned from it, over all examples so far.

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
    >>> import matplotlib
    >>> matplotlib.use("Agg")
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
        if measure == "f1":
            return self._draw(ax, "Cumulative F1", lambda trace: trace.f1, line_kw, from_zero=False)
        if measure == "accuracy":
            return self._draw(
                ax,
                "Cumulative accuracy",
                lambda trace: 1 - trace.mistakes / trace.examples,
                line_kw,
                from_zero=False,
            )
        if measure == "error":
            return self._draw(
                ax,
                "Cumulative error",
                lambda trace: trace.mistakes / trace.examples,
                line_kw,
                from_zero=False,
            )
        if measure == "mistakes":
            return self._draw(ax, "Mistakes", lambda trace: trace.mistakes, line_kw)
        raise ValueError(f"measure must be 'f1', 'accuracy', 'error' or 'mistakes', got {measure!r}")


class SupportGrowthDisplay(_TraceDisplay):
    """How many supports learners kept while they learned.

    Parameters and attributes are those of `OnlinePerformanceDisplay`.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
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

    def plot(self, ax: Any = None, **line_kw: Any) -> Self:
        """Draw into the axes, or into a new figure.

        Parameters
        ----------
        ax : matplotlib Axes, optional
        **line_kw
            For matplotlib's ``plot``; they hold for every line.
        """
        return self._draw(ax, "Supports", lambda trace: trace.support, line_kw)


class RuntimeDisplay(_TraceDisplay):
    """How much CPU time learners had used while they learned.

    Parameters and attributes are those of `OnlinePerformanceDisplay`.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> from hedgerow.datasets import make_two_gaussians
    >>> from hedgerow.inspection import RuntimeDisplay
    >>> from hedgerow.kernels import RBF
    >>> from hedgerow.online import Perceptron
    >>> X, y = make_two_gaussians(500, random_state=0)
    >>> display = RuntimeDisplay.from_trace(Perceptron(RBF(), trace_every=10).fit(X, y).trace_)
    >>> display.ax_.get_ylabel()
    'CPU time in seconds'
    """

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
        self._draw(ax, "CPU time in seconds", lambda trace: trace.seconds, line_kw)
        if scale == "log":
            self.ax_.set_ylim(auto=True)  # there is no 0 to start from
            self.ax_.set_yscale("log")
            self.ax_.relim()
            self.ax_.autoscale_view(scalex=False)
            tidy_axes(self.ax_)
        return self


def _trace_of(estimator: Any) -> Any:
    trace = getattr(estimator, "trace_", None)
    if trace is None:
        raise ValueError(
            f"{type(estimator).__name__} has no trace: set trace_every (examples between two samples) "
            "and fit it before drawing"
        )
    return trace
