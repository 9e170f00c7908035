"""What ``hedgerow reproduce`` prints and writes of an experiment."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

import hedgerow
from hedgerow.cli.failures import complain
from hedgerow.data.files import writing

if TYPE_CHECKING:
    from hedgerow_papers.experiments import Experiment, Run, Settings

FILE_WIDTH = 120  # of tables that go to a file or a pipe
PLOTS = ".svg"  # the kind of plots in a folder


@dataclass(frozen=True)
class Outputs:
    """Where the figures of experiments go, besides the screen."""

    folder: Path | None = None
    json: str | None = None
    csv: str | None = None
    plot: str | None = None

    @property
    def plots_wanted(self) -> bool:
        return self.plot is not None or self.folder is not None

    @property
    def tables_wanted(self) -> bool:
        return "-" not in (self.json, self.csv)

    def write(self, experiment: Experiment, settings: Settings, runs: Sequence[Run]) -> None:
        """All files of an experiment."""
        from hedgerow_papers.experiments import summarise
        from hedgerow_papers.experiments.report import to_csv, to_json

        def path(asked: str | None, ending: str) -> list[str]:
            own = [] if self.folder is None else [str(self.folder / f"{experiment.name}{ending}")]
            return own if asked is None else [asked, *own]

        for file in path(self.json, ".json"):
            _write(file, to_json(experiment, settings, runs, version=hedgerow.__version__).encode())
        for file in path(self.csv, ".csv"):
            _write(file, to_csv(experiment, summarise(experiment, settings, runs)).encode())
        for file in path(self.plot, PLOTS):
            try:
                drawn = _drawn(experiment, settings, runs, Path(file).suffix.removeprefix("."))
            except ImportError as error:
                if self.plot is not None:
                    raise
                complain(f"warning: {experiment.name} is not drawn: {error}")
                continue
            if drawn is not None:
                _write(file, drawn)


def print_tables(experiment: Experiment, settings: Settings, runs: Sequence[Run]) -> None:
    """Tables, findings and notes, on standard output."""
    from hedgerow_papers.experiments import summarise
    from hedgerow_papers.experiments.report import legend, rich_table

    tables = summarise(experiment, settings, runs)
    console = output_console(FILE_WIDTH)
    for table in tables:
        if not any(row.runs for row in table.rows):
            continue  # its rows were not wanted
        console.print()
        console.print(rich_table(table, differences=not settings.quick))
        console.print(f"Published: {table.published.source}: {table.published.setting}.", style="dim")
    for finding in experiment.findings(tables):
        console.print(finding)
    notes = experiment.notes(settings)
    if left_out := _left_out(experiment, settings):
        notes = [f"Left out, because they take long (--rows '*' runs all): {left_out}.", *notes]
    if settings.quick:
        notes = ["--quick: little data, so the figures are not comparable with the published ones.", *notes]
    if explanation := legend(tables):
        notes = [explanation, *notes]
    for note in notes:
        console.print(note, style="dim")


def output_console(file_width: int) -> Console:
    """Standard output, with a width of its own where that is no terminal."""
    console = Console(highlight=False)
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = file_width
    return console


def _left_out(experiment: Experiment, settings: Settings) -> str:
    if settings.rows or settings.quick:
        return ""
    return "; ".join(
        f"{row.name} (about {row.minutes:.0f} minutes)" for row in experiment.rows if not row.by_default
    )


def _drawn(experiment: Experiment, settings: Settings, runs: Sequence[Run], kind: str) -> bytes | None:
    """The figure of an experiment; None where there is nothing to draw."""
    from hedgerow_papers.cli.plots import draw_plots, draw_traces
    from hedgerow_papers.experiments import summarise

    tables = summarise(experiment, settings, runs)
    if plots := [*experiment.plots(tables), *experiment.trace_plots(runs)]:
        return draw_plots(plots, kind)
    traces = {run.row: run.trace for run in runs if run.trace is not None and run.permutation == 0}
    return draw_traces(traces, kind) if traces else None


def _write(path: str, content: bytes) -> None:
    with writing(path) as out:
        out.write(content)
