"""How machines close in on the optimum, round by round."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Self

import numpy as np

from hedgerow.inspection.drawing import further_styles, pyplot, tidy_axes
from hedgerow.inspection.traces import TraceDisplay

PANELS = {
    "dual_objective": "Objective (thin: primal)",
    "violation": "Violation",
    "certificate": "Certificate",
    "support": "Support vectors",
    "constraints": "Constraints",
}
TOLERATED = ("violation", "certificate")  # what is compared with tol
AGAINST = {"iteration": "Round", "seconds": "Seconds"}


class ConvergenceDisplay(TraceDisplay):
    """How `CuttingPlaneSVC` and `StructuredSVM` converge, round by round.

    The objective is that of the dual, which rises to the optimum; thin lines from above are primal objectives, where
    the machine knows them. The violation, or certificate, is on a logarithmic axis; after a round without one there is
    a gap. The last panel has the number of support vectors, or of constraints.

    Parameters
    ----------
    traces : mapping from names to traces
        Then call `plot`. The class methods `from_trace`, `from_estimator` and `from_estimators` do both.
    tol : float, optional
        Where training stops; drawn as a line across violations and certificates.

    Attributes
    ----------
    axes_ : list of matplotlib Axes
        One for each panel.
    figure_ : matplotlib Figure
    lines_ : dict from panels, and from "objective", to lists of matplotlib Line2D
        One line for each function of each machine.

    Examples
    --------
    >>> from hedgerow.datasets import make_two_gaussians
    >>> from hedgerow.inspection import ConvergenceDisplay
    >>> from hedgerow.kernels import RBF
    >>> from hedgerow.svm import CuttingPlaneSVC
    >>> X, y = make_two_gaussians(200, random_state=0)
    >>> display = ConvergenceDisplay.from_estimator(CuttingPlaneSVC(RBF()).fit(X, y))
    >>> [ax.get_ylabel() for ax in display.axes_]
    ['Objective (thin: primal)', 'Violation', 'Support vectors']
    >>> display.axes_[1].get_yscale()
    'log'
    """

    _needed = " of rounds: give a fitted CuttingPlaneSVC or StructuredSVM"

    def __init__(self, traces: Mapping[str, Any], tol: float | None = None) -> None:
        super().__init__(traces)
        self.tol = tol

    @classmethod
    def _of(cls, estimators: Mapping[str, Any]) -> Self:
        display = super()._of(estimators)
        limits = {getattr(estimator, "tol", None) for estimator in estimators.values()}
        display.tol = limits.pop() if len(limits) == 1 else None
        return display

    @classmethod
    def _draws(cls, trace: Any) -> bool:
        return hasattr(trace, "iteration")

    def plot(
        self,
        axes: Any = None,
        *,
        against: str = "iteration",
        panels: Iterable[str] | None = None,
        **line_kw: Any,
    ) -> Self:
        """Draw into the axes, or into a new figure.

        Parameters
        ----------
        axes : matplotlib Axes or a sequence of them, optional
            One for each panel.
        against : {"iteration", "seconds"}
            What is to the right.
        panels : some of {"dual_objective", "violation", "certificate", "support", "constraints"}, optional
            By default all that every trace has.
        **line_kw
            For matplotlib's ``plot``; they hold for every line.
        """
        if against not in AGAINST:
            raise ValueError(f"against must be one of {', '.join(map(repr, AGAINST))}, got {against!r}")
        drawn = self._panels(panels)
        self.axes_ = _axes_for(drawn, axes)
        self.figure_ = self.axes_[0].figure
        self.lines_: dict[str, list[Any]] = {panel: [] for panel in (*drawn, "objective")}
        for panel, ax in zip(drawn, self.axes_, strict=True):
            self._draw(panel, ax, against, line_kw)
            ax.set(xlabel=AGAINST[against], ylabel=PANELS[panel])
        if any(self.traces):
            self.axes_[0].legend(frameon=False, handlelength=3.2)
        return self

    def _panels(self, panels: Iterable[str] | None) -> list[str]:
        known = [name for name in PANELS if all(hasattr(trace, name) for trace in self.traces.values())]
        if panels is None:
            return known
        chosen = [panels] if isinstance(panels, str) else list(panels)
        if not chosen or not set(chosen) <= set(known):
            raise ValueError(f"panels must be some of {', '.join(map(repr, known))}, got {panels!r}")
        return chosen

    def _draw(self, panel: str, ax: Any, against: str, line_kw: dict[str, Any]) -> None:
        styles = further_styles(ax, len(self.traces))
        for (name, trace), style in zip(self.traces.items(), styles, strict=True):
            label = name or None
            functions = getattr(trace, "function", np.zeros(len(trace)))
            for function in np.unique(functions):
                mine = functions == function
                x = getattr(trace, against)[mine]
                options = {"label": label, "linewidth": 1.6, **style, **line_kw}
                values = getattr(trace, panel)[mine].astype(np.float64)
                if panel in TOLERATED:
                    values[values <= 0] = np.nan  # a logarithmic axis has no place for them
                self.lines_[panel] += ax.plot(x, values, **options)
                if panel == "dual_objective" and not np.isnan(trace.objective[mine]).all():
                    thin = {**options, "label": None, "linewidth": 0.7}
                    self.lines_["objective"] += ax.plot(x, trace.objective[mine], **thin)
                label = None  # one entry of the legend for all functions
        if panel in TOLERATED:
            ax.set_yscale("log")
            if self.tol is not None:
                ax.axhline(self.tol, color="#888888", linewidth=0.8, zorder=1)
        tidy_axes(ax)
        ax.set_xlim(left=0)
        if panel == "dual_objective":
            # Primal objectives begin far above the optimum; they come into sight where they matter.
            ax.set_ylim(
                0, 2 * max(trace.dual_objective.max(initial=0.0) for trace in self.traces.values()) or 1
            )
        elif panel not in TOLERATED:
            ax.set_ylim(bottom=0)


def _axes_for(panels: list[str], axes: Any) -> list[Any]:
    if axes is None:
        _, drawn = pyplot().subplots(
            1, len(panels), figsize=(0.6 + 3.8 * len(panels), 3.4), layout="constrained", squeeze=False
        )
        return list(drawn[0])
    given = [axes] if hasattr(axes, "plot") else list(np.ravel(axes))
    if len(given) != len(panels):
        raise ValueError(f"axes must be one for each of {len(panels)} panels, got {len(given)}")
    return given
