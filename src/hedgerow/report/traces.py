"""Learning curves: what learners, machines and solvers recorded while they were trained."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow.inspection import (
    ConvergenceDisplay,
    OnlinePerformanceDisplay,
    RuntimeDisplay,
    SupportGrowthDisplay,
)
from hedgerow.inspection.drawing import line_styles, tidy_axes
from hedgerow.models.trace import Trace
from hedgerow.report.blocks import Block, CellTable, Gallery, Heading, Paragraph, Picture, Section, row
from hedgerow.report.figures import new_axes, picture
from hedgerow.report.items import Item
from hedgerow.report.numbers import figure, ratio, seconds, whole

# The columns by which a trace is recognised; others may stand beside them.
ONLINE = ("examples", "mistakes")
ROUNDS = ("function", "iteration", "objective", "dual_objective", "violation", "support", "seconds")
SOLVER = ("iteration", "objective", "dual_objective", "certificate", "constraints", "seconds")


@dataclass(frozen=True)
class TraceItem(Item):
    """A named trace: equally long arrays by name. All traces of a report are in one section."""

    kind = "trace"
    columns: Mapping[str, Any]

    def trace(self) -> TraceItem:
        return self

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    @property
    def columns_kind(self) -> tuple[str, ...] | None:
        return kind_of(self.columns)

    @property
    def arrays(self) -> Trace:
        """The columns as attributes, which displays look for."""
        return Trace(self.columns)

    def same_as(self, other: TraceItem) -> bool:
        """Whether both tell of the same training."""
        mine, its = vars(self.arrays), vars(other.arrays)
        return mine.keys() == its.keys() and all(
            np.array_equal(mine[name], its[name], equal_nan=True) for name in mine
        )


def kind_of(columns: Any) -> tuple[str, ...] | None:
    """Which of the three kinds of traces has these columns, if any."""
    for kind in (ROUNDS, SOLVER, ONLINE):
        if set(kind) <= set(columns):
            return kind
    return None


def trace_section(traces: Sequence[TraceItem]) -> Section:
    return Section("Learning curves", trace_blocks(traces), kicker="Training")


def trace_blocks(traces: Sequence[TraceItem]) -> list[Block]:
    """All traces, those of one kind together, so that they can be compared."""
    draw: dict[tuple[str, ...], Callable[[dict[str, Any]], list[Block]]] = {
        ONLINE: _online,
        ROUNDS: _rounds,
        SOLVER: _solver,
    }
    blocks: list[Block] = []
    for kind in draw:
        if named := {
            trace.name: trace.arrays for trace in traces if trace.columns_kind == kind and len(trace)
        }:
            blocks += draw[kind](named)
    if empty := [trace.name for trace in traces if not len(trace)]:
        blocks.append(Paragraph(f"Nothing was recorded in {', '.join(empty)}.", aside=True))
    return blocks


def _online(traces: dict[str, Any]) -> list[Block]:
    """Learners that see one example after the other."""
    named = len(traces) > 1
    # Those with most to tell first, so that their colours are the same in all pictures.
    traces = dict(sorted(traces.items(), key=lambda item: -len(item[1].columns)))
    pictures = [_performance(traces, "accuracy", named)]
    if with_f1 := _having(traces, "f1"):
        pictures.append(_performance(with_f1, "f1", named))
    if with_loss := _having(traces, "loss"):
        pictures.append(_lines(with_loss, "examples", "loss", "Examples seen", "Mean loss", named=named))
    if growing := _having(traces, "support"):
        with new_axes() as ax:
            SupportGrowthDisplay(growing).plot(ax=ax)
            label = f"Supports kept, or weights that are not 0, over the examples seen: {_ends(growing, 'support')}"
            pictures.append(picture(ax, label, "Supports kept, or weights that are not 0", legend=named))
    if timed := _having(traces, "seconds"):
        with new_axes() as ax:
            RuntimeDisplay(timed).plot(ax=ax)
            label = f"CPU time over the examples seen: {_ends(timed, 'seconds')}"
            pictures.append(picture(ax, label, "CPU time spent learning", legend=named))
    table = CellTable(
        ["", "Examples", "Mistakes", "Accuracy", "F1", "Supports", "CPU time"],
        [
            row(
                name,
                whole(trace.examples[-1]),
                whole(trace.mistakes[-1]),
                ratio(1 - trace.mistakes[-1] / trace.examples[-1]),
                _last(trace, "f1", ratio),
                _last(trace, "support", whole),
                _last(trace, "seconds", seconds),
            )
            for name, trace in traces.items()
        ],
        caption="At the end of learning",
    )
    said = Paragraph(
        "Every example was predicted before it was learned from; in a second pass it was known from the first. "
        "Accuracy and F1 are those of all predictions so far."
    )
    return [Heading("Example by example"), said, Gallery(pictures), table]


def _performance(traces: dict[str, Any], measure: str, named: bool) -> Picture:
    with new_axes() as ax:
        OnlinePerformanceDisplay(traces).plot(ax=ax, measure=measure)  # type: ignore[arg-type]
        name = "F1" if measure == "f1" else "Accuracy"
        ends = [
            f"{learner} {ratio(trace.f1[-1] if measure == 'f1' else 1 - trace.mistakes[-1] / trace.examples[-1])}"
            for learner, trace in traces.items()
        ]
        label = f"{name} over the examples seen, in the end {', '.join(ends)}"
        return picture(ax, label, f"{name} of predictions so far", legend=named)


def _rounds(traces: dict[str, Any]) -> list[Block]:
    """Cutting-plane machines."""
    pictures = []
    captions = {
        "dual_objective": "Objective of the dual; thin: of the primal",
        "violation": "Violation, which ends below tol",
        "support": "Support vectors",
    }
    for panel, caption in captions.items():
        with new_axes() as ax:
            ConvergenceDisplay(traces).plot([ax], panels=[panel])
            label = f"{caption}, over rounds: {_ends(traces, panel)}"
            pictures.append(picture(ax, label, caption, legend=len(traces) > 1))
    table = CellTable(
        ["", "Rounds", "Functions", "Largest violation", "Supports", "Time"],
        [
            row(
                name,
                whole(len(trace)),
                whole(len(np.unique(trace.function))),
                figure(float(max(_last_of_functions(trace, "violation")))),
                whole(max(_last_of_functions(trace, "support"))),
                seconds(trace.seconds[-1]),
            )
            for name, trace in traces.items()
        ],
        caption="At the end of learning",
    )
    return [Heading("Round by round"), Gallery(pictures), table]


def _solver(traces: dict[str, Any]) -> list[Block]:
    """Solvers of structured problems."""
    named = len(traces) > 1
    rounds = "Pass or round"
    pictures = [
        _lines(
            traces, "iteration", "dual_objective", rounds, "Dual objective", thin="objective", named=named
        ),
        _lines(traces, "iteration", "certificate", rounds, "Certificate", log=True, named=named),
        _lines(traces, "iteration", "constraints", rounds, "Constraints in the working set", named=named),
        _lines(traces, "seconds", "certificate", "Seconds", "Certificate", log=True, named=named),
    ]
    table = CellTable(
        ["", "Rounds", "Objective", "Dual objective", "Certificate", "Constraints", "Time"],
        [
            row(
                name,
                whole(trace.iteration[-1]),
                figure(float(trace.objective[-1])),
                figure(float(trace.dual_objective[-1])),
                figure(float(trace.certificate[-1])),
                whole(trace.constraints[-1]),
                seconds(trace.seconds[-1]),
            )
            for name, trace in traces.items()
        ],
        caption="At the end of learning",
    )
    said = Paragraph(
        "The certificate bounds how far the solver is from the optimum; it stops when that falls below tol."
    )
    return [Heading("Towards the optimum"), said, Gallery(pictures), table]


def _lines(
    traces: dict[str, Any],
    x: str,
    y: str,
    right: str,
    up: str,
    *,
    named: bool,
    thin: str | None = None,
    log: bool = False,
) -> Picture:
    """One column of traces against another."""
    with new_axes() as ax:
        for (name, trace), style in zip(traces.items(), line_styles(len(traces)), strict=True):
            values = getattr(trace, y).astype(np.float64)
            if log:
                values[values <= 0] = np.nan  # a logarithmic axis has no place for them
            marked = {"marker": "o", "markersize": 3} if len(values) < 12 else {}
            ax.plot(getattr(trace, x), values, label=name, linewidth=1.6, **style, **marked)
            if thin is not None and not np.isnan(getattr(trace, thin)).all():
                ax.plot(getattr(trace, x), getattr(trace, thin), linewidth=0.7, **style)
        if log:
            ax.set_yscale("log")
        tidy_axes(ax)
        ax.set(xlabel=right, ylabel=up)
        ax.set_xlim(left=0)
        ax.legend()
        caption = f"{up}; thin: of the primal" if thin else up
        return picture(ax, f"{up} over {right.lower()}: {_ends(traces, y)}", caption, legend=named)


def _having(traces: dict[str, Any], column: str) -> dict[str, Any]:
    return {name: trace for name, trace in traces.items() if hasattr(trace, column)}


def _ends(traces: dict[str, Any], column: str) -> str:
    shown = {"seconds": seconds, "support": whole}.get(column, lambda value: figure(float(value)))
    return ", ".join(f"{name} ends at {shown(getattr(trace, column)[-1])}" for name, trace in traces.items())


def _last(trace: Any, column: str, shown: Callable[[Any], str]) -> str:
    return shown(getattr(trace, column)[-1]) if hasattr(trace, column) else "–"


def _last_of_functions(trace: Any, column: str) -> list[Any]:
    return [getattr(trace, column)[trace.function == j][-1] for j in np.unique(trace.function)]
