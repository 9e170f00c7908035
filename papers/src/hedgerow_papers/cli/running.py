"""A session of ``hedgerow reproduce``: the runs of one or several experiments, kept and shown as they end."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import rich.box
import rich.table
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

import hedgerow
from hedgerow.cli.failures import complain
from hedgerow.cli.progress import bar
from hedgerow_papers.cli.output import FILE_WIDTH, Outputs, output_console, print_tables

if TYPE_CHECKING:
    from hedgerow_papers.experiments import Experiment, KeptRuns, Run, Settings


class Session:
    """What is wanted, what is done, and what is not possible."""

    def __init__(
        self,
        experiments: Sequence[Experiment],
        settings: Settings,
        *,
        jobs: int,
        folder: Path,
        fresh: bool,
        outputs: Outputs,
    ) -> None:
        from hedgerow_papers.experiments import number_of_runs

        self.experiments = {experiment.name: experiment for experiment in experiments}
        self.settings, self.jobs, self.outputs = settings, jobs, outputs
        self.interrupted = False
        self.impossible: dict[str, str] = {}  # experiments, and why
        self._folder, self._fresh = folder, fresh
        self._runs: dict[str, list[Run]] = {}
        self._wanted = {name: number_of_runs(one, settings) for name, one in self.experiments.items()}

    @property
    def n_done(self) -> int:
        return sum(map(len, self._runs.values()))

    @property
    def n_wanted(self) -> int:
        return sum(wanted for name, wanted in self._wanted.items() if name not in self.impossible)

    def fetch(self) -> None:
        """Download the data that are missing, as far as that can be done."""
        from hedgerow_papers.cli.data import fetch_missing

        fetch_missing(list(self.experiments.values()), self.settings)

    def run(self) -> None:
        """Run what is not kept yet, and show each experiment when its last run has ended."""
        kept = self._take_up()
        for name in self._runs:
            self._announce(name)
            if self._is_complete(name):
                self._show(name)
        try:
            self._run_rest(kept)
        except KeyboardInterrupt:
            self.interrupted = True
            for name, runs in self._runs.items():
                if runs and not self._is_complete(name):
                    self._show(name)

    def summarise(self) -> None:
        """How each experiment went, where there were several."""
        if len(self.experiments) == 1:
            return
        console = output_console(FILE_WIDTH)
        console.print()
        console.print(self._summary())

    def _summary(self) -> rich.table.Table:
        from hedgerow_papers.experiments import summarise

        drawn = rich.table.Table(title="All experiments", box=rich.box.SIMPLE_HEAD, title_justify="left")
        drawn.add_column("Experiment", no_wrap=True)
        for heading in ("Runs", "Minutes", "Compared", "Within a deviation"):
            drawn.add_column(heading, justify="right")
        drawn.add_column("")
        for name, experiment in self.experiments.items():
            if why := self.impossible.get(name):
                drawn.add_row(name, "", "", "", "", why)
                continue
            runs, wanted = self._runs[name], self._wanted[name]
            tables = summarise(experiment, self.settings, runs)
            cells = [cell for table in tables for _, cell in table.cells()]
            judged = [cell.beyond_deviation for cell in cells if cell.beyond_deviation is not None]
            drawn.add_row(
                name,
                f"{len(runs)} of {wanted}",
                f"{sum(run.seconds for run in runs) / 60:.1f}",
                str(sum(cell.difference is not None and cell.measure.compared for cell in cells)),
                f"{judged.count(False)} of {len(judged)}" if judged else "",
                "" if len(runs) == wanted else "interrupted",
            )
        return drawn

    def _take_up(self) -> dict[str, KeptRuns]:
        """The runs that are kept of all experiments that can be run here."""
        from hedgerow_papers.experiments import KeptRuns
        from hedgerow_papers.experiments.missing_data import lacking

        kept = {}
        for name, experiment in self.experiments.items():
            if why := lacking(experiment, self.settings):
                self._give_up(name, why)
                continue
            self._folder.mkdir(parents=True, exist_ok=True)
            kept[name] = KeptRuns(self._folder, experiment, self.settings, hedgerow.__version__)
            if self._fresh:
                kept[name].forget()
            self._runs[name] = kept[name].read()
            if self._runs[name]:
                print(
                    f"{name}: {len(self._runs[name])} of {self._wanted[name]} runs were kept in {kept[name].path} "
                    "(--fresh begins anew)",
                    file=sys.stderr,
                    flush=True,
                )
        return kept

    def _run_rest(self, kept: dict[str, KeptRuns]) -> None:
        from hedgerow_papers.experiments import Plan, run_plans

        plans = [
            Plan(self.experiments[name], self.settings, {(run.row, run.permutation) for run in runs})
            for name, runs in self._runs.items()
        ]
        columns = (
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
        )
        with bar(*columns) as progress:
            task = progress.add_task(", ".join(self._runs), total=self.n_wanted, completed=self.n_done)
            for plan, outcome in run_plans(plans, self.jobs):
                name = plan.experiment.name
                if isinstance(outcome, Exception):
                    if len(self.experiments) == 1:
                        raise outcome
                    self._give_up(name, _words(outcome))
                    progress.update(task, total=self.n_wanted, completed=self.n_done)
                    continue
                kept[name].add(outcome)
                self._runs[name].append(outcome)
                said = f"{name}: {outcome.row}, run {outcome.permutation + 1}"
                progress.update(task, advance=1, description=said)
                if self._is_complete(name):
                    progress.stop()  # tables would be drawn over
                    self._show(name)
                    progress.start()

    def _give_up(self, name: str, why: str) -> None:
        """Go on with the others, if there are others."""
        if len(self.experiments) == 1:
            raise ValueError(why)
        self.impossible[name] = why
        self._runs.pop(name, None)
        complain(why if why.startswith(name) else f"{name}: {why}")

    def _announce(self, name: str) -> None:
        """Say how long it will take, if that is long."""
        experiment, left = self.experiments[name], self._wanted[name] - len(self._runs[name])
        minutes = experiment.minutes(self.settings) * left / self._wanted[name]
        if minutes >= 1:
            print(
                f"{name}: {left} runs, about {minutes:.0f} minutes on two cores", file=sys.stderr, flush=True
            )

    def _is_complete(self, name: str) -> bool:
        return len(self._runs[name]) == self._wanted[name]

    def _show(self, name: str) -> None:
        experiment, runs = self.experiments[name], self._runs[name]
        if self.outputs.tables_wanted:
            print_tables(experiment, self.settings, runs)
        self.outputs.write(experiment, self.settings, runs)


def _words(error: Exception) -> str:
    place = f"{error.filename}: " if isinstance(error, OSError) and error.filename is not None else ""
    return f"{place}{getattr(error, 'strerror', None) or error or type(error).__name__}"
