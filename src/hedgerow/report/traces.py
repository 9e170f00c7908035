"""Learning curves: what learners, machines and solvers recorded while they were trained."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np

from hedgerow.inspection import (
    ConvergenceDisplay,
    OnlinePerformanceDisplay,
    RuntimeDisplay,
    SupportGrowthDisplay,
)
from hedgerow.inspection.drawing import line_styles, tidy_axes
from hedgerow.inspection.traces import wrong_predictions
from hedgerow.models.trace import Trace
from hedgerow.report.blocks import Block, CellTable, Gallery, Heading, Item, Paragraph, Picture, Section, row
from hedgerow.report.figures import new_axes, picture
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
        pictures.append(_losses(with_loss, named))
    if growing := _having(traces, "support"):
        caption = "Supports kept, or weights that are not 0"
        label = f"{caption}, over the examples seen: {_ends(growing, 'support')}"
        pictures.append(_drawn(SupportGrowthDisplay(growing).plot, label, caption, named))
    if timed := _having(traces, "seconds"):
        label = f"CPU time over the examples seen: {_ends(timed, 'seconds')}"
        pictures.append(_drawn(RuntimeDisplay(timed).plot, label, "CPU time spent learning", named))
    columns = {
        "Examples": _last("examples", whole),
        "Mistakes": _last("mistakes", whole),
        "Accuracy": _accuracy,
        "F1": _last("f1", ratio),
        "Supports": _last("support", whole),
        "CPU time": _last("seconds", seconds),
    }
    said = Paragraph(
        "Every example was predicted before the model learned from it; in a second pass it had been seen in the first. "
        "Accuracy and F1 are those of all predictions so far."
    )
    return [Heading("Example by example"), said, Gallery(pictures), _table(traces, columns)]


def _performance(traces: dict[str, Any], measure: Literal["f1", "accuracy"], named: bool) -> Picture:
    name, last = ("F1", _last("f1", ratio)) if measure == "f1" else ("Accuracy", _accuracy)
    ends = ", ".join(f"{learner} {last(trace)}" for learner, trace in traces.items())
    label = f"{name} over the examples seen, in the end {ends}"
    draw = partial(OnlinePerformanceDisplay(traces).plot, measure=measure)
    return _drawn(draw, label, f"{name} of predictions so far", named)


def _accuracy(trace: Any) -> str:
    return ratio(1 - wrong_predictions(trace)[-1] / trace.examples[-1])


def _rounds(traces: dict[str, Any]) -> list[Block]:
    """Cutting-plane machines."""
    captions = {
        "dual_objective": "Objective of the dual; thin: of the primal",
        "violation": "Violation, which ends below tol",
        "support": "Support vectors",
    }
    pictures = [_panel(traces, panel, caption, "rounds") for panel, caption in captions.items()]
    columns = {
        "Rounds": lambda trace: whole(len(trace)),
        "Functions": lambda trace: whole(len(np.unique(trace.function))),
        "Largest violation": lambda trace: _real(max(_last_of_functions(trace, "violation"))),
        "Supports": lambda trace: whole(max(_last_of_functions(trace, "support"))),
        "Time": _last("seconds", seconds),
    }
    return [Heading("Round by round"), Gallery(pictures), _table(traces, columns)]


def _solver(traces: dict[str, Any]) -> list[Block]:
    """Solvers of structured problems."""
    captions = {
        "dual_objective": "Dual objective; thin: of the primal",
        "certificate": "Certificate",
        "constraints": "Constraints in the working set",
    }
    pictures = [_panel(traces, panel, caption, "passes or rounds") for panel, caption in captions.items()]
    pictures.append(_panel(traces, "certificate", "Certificate", "seconds", against="seconds"))
    columns = {
        "Rounds": _last("iteration", whole),
        "Objective": _last("objective", _real),
        "Dual objective": _last("dual_objective", _real),
        "Certificate": _last("certificate", _real),
        "Constraints": _last("constraints", whole),
        "Time": _last("seconds", seconds),
    }
    said = Paragraph(
        "The certificate bounds how far the solver is from the optimum; it stops when that falls below tol."
    )
    return [Heading("Towards the optimum"), said, Gallery(pictures), _table(traces, columns)]


def _panel(traces: dict[str, Any], panel: str, caption: str, over: str, **options: Any) -> Picture:
    if max(map(len, traces.values())) < 12:
        options |= {"marker": "o", "markersize": 3}
    draw = partial(ConvergenceDisplay(traces).plot, panels=[panel], **options)
    return _drawn(draw, f"{caption}, over {over}: {_ends(traces, panel)}", caption, len(traces) > 1)


def _drawn(draw: Callable[[Any], object], label: str, caption: str, named: bool) -> Picture:
    """What is drawn into new axes."""
    with new_axes() as ax:
        draw(ax)
        return picture(ax, label, caption, legend=named)


def _losses(traces: dict[str, Any], named: bool) -> Picture:
    with new_axes() as ax:
        for (name, trace), style in zip(traces.items(), line_styles(len(traces)), strict=True):
            marked = {"marker": "o", "markersize": 3} if len(trace) < 12 else {}
            ax.plot(trace.examples, trace.loss, label=name, linewidth=1.6, **style, **marked)
        tidy_axes(ax)
        ax.set(xlabel="Examples seen", ylabel="Mean loss")
        ax.set_xlim(left=0)
        ax.legend()
        label = f"Mean loss over examples seen: {_ends(traces, 'loss')}"
        return picture(ax, label, "Mean loss", legend=named)


def _having(traces: dict[str, Any], column: str) -> dict[str, Any]:
    return {name: trace for name, trace in traces.items() if hasattr(trace, column)}


def _ends(traces: dict[str, Any], column: str) -> str:
    last = _last(column, {"seconds": seconds, "support": whole}.get(column, _real))
    return ", ".join(f"{name} ends at {last(trace)}" for name, trace in traces.items())


def _table(traces: dict[str, Any], columns: Mapping[str, Callable[[Any], str]]) -> CellTable:
    """A row for each trace, with what the columns say of its end."""
    rows = [row(name, *(shown(trace) for shown in columns.values())) for name, trace in traces.items()]
    return CellTable(["", *columns], rows, caption="At the end of learning")


def _last(column: str, shown: Callable[[Any], str]) -> Callable[[Any], str]:
    """The last value of a column, where a trace has it."""
    return lambda trace: shown(getattr(trace, column)[-1]) if hasattr(trace, column) else "–"


def _real(value: Any) -> str:
    return figure(float(value))


def _last_of_functions(trace: Any, column: str) -> list[Any]:
    return [getattr(trace, column)[trace.function == j][-1] for j in np.unique(trace.function)]
