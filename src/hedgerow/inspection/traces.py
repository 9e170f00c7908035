"""The three figures of online learning: performance, support growth and runtime over a pass."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, Self

from hedgerow.inspection.drawing import line_styles, new_axes, show_settled_part, tidy_axes
from hedgerow.inspection.trace_display import TraceDisplay


class _OnlineDisplay(TraceDisplay):
    """Lines over the number of examples."""

    _needed = ": set trace_every (examples between two samples) and fit it before drawing"

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
        if from_zero:
            ax.set_ylim(bottom=0)
        else:
            show_settled_part(ax)
        if any(self.traces):
            ax.legend(frameon=False, handlelength=3.2)
        return self


_MEASURES: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "f1": ("Cumulative F1", lambda trace: trace.f1),
    "accuracy": ("Cumulative accuracy", lambda trace: 1 - trace.mistakes / trace.examples),
    "error": ("Cumulative error", lambda trace: trace.mistakes / trace.examples),
    "mistakes": ("Mistakes", lambda trace: trace.mistakes),
}


class OnlinePerformanceDisplay(_OnlineDisplay):
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
        if measure not in _MEASURES:
            raise ValueError(f"measure must be 'f1', 'accuracy', 'error' or 'mistakes', got {measure!r}")
        label, values = _MEASURES[measure]
        return self._draw(ax, label, values, line_kw, from_zero=measure == "mistakes")


class SupportGrowthDisplay(_OnlineDisplay):
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


class RuntimeDisplay(_OnlineDisplay):
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
