"""``hedgerow reproduce``: published experiments done again."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import Progress

import hedgerow
from hedgerow.cli.failures import INTERRUPTED, complain
from hedgerow.cli.plot_files import check_plot
from hedgerow.data.files import writing

if TYPE_CHECKING:
    from hedgerow.experiments import Experiment, Run, Settings, Table

FILE_WIDTH = 120  # of tables that go to a file or a pipe


def reproduce(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The experiment; see the list above.")],
    data: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Folder of data sets, for experiments that need one."),
    ] = None,
    quick: Annotated[
        bool,
        typer.Option("--quick", help="Little data and few runs, to see that all works; not comparable."),
    ] = False,
    seed: Annotated[int, typer.Option(min=0, help="Another seed gives other permutations.")] = 0,
    permutations: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Runs of each row. Default: as published.")
    ] = None,
    rows: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Run this row only; may be repeated, and contain * and ?. '*' also runs what takes very long.",
        ),
    ] = None,
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", min=1, help="Runs at the same time; changes no figure but times.")
    ] = 1,
    json_file: Annotated[
        str | None,
        typer.Option("--json", metavar="FILE", help="Write all figures as JSON; - replaces the table."),
    ] = None,
    csv_file: Annotated[
        str | None,
        typer.Option("--csv", metavar="FILE", help="Write all means as CSV; - replaces the table."),
    ] = None,
    plot_file: Annotated[
        str | None,
        typer.Option(
            "--plot",
            metavar="FILE",
            help="Draw measures against the parameter, or performance, supports and CPU time of online learners over "
            "the first run of each row (.png, .pdf, .svg).",
        ),
    ] = None,
) -> None:
    """Do a published experiment again and print its figures beside the published ones.

    Experiments:

    - **online_synthetic**: two Gaussian clouds, polynomial kernel; needs no data
    - **online_adult**: census forms, RBF kernel; needs a9a
    - **online_questions**: question classification, subset tree kernel; needs qc
    - **online_srl**: argument boundaries, subset tree kernel, a million trees; needs srl_ewt
    - **sampled_cuts_kernels**: five tree kernels by sample size of the cutting-plane machine; needs srl_ewt
    - **sampled_cuts_size**: F1, time and support vectors by sample size, beside the exact machine; needs srl_ewt
    - **parameter_choice**: F1 by C and by decay, for exact and sampled machines; needs qc and srl_ewt
    - **single_pass**: online learners in one pass over texts and tables; needs the texts, uci and a9a
    - **feature_selection**: errors by number of features, selected in one pass or in batch; needs the texts, uci
    - **voted_rda**: parse reranking with sparse weights; needs ewt_nbest
    - **named_entities**: names in Spanish news as label sequences; needs conll2002_esp
    - **grammar**: parses of short sentences by learned grammars; needs wcfg10
    - **taxonomy**: few examples a class, with a class tree and its loss; needs newsgroups20 and imageclef07
    - **string_mapping**: noisy strings from strings, by string kernels on both; needs no data

    Figures are means and standard deviations over runs with other permutations of the training data. Ctrl-C
    stops, and what has been run until then is printed.

    Examples:

    - `hedgerow reproduce online_synthetic`
    - `hedgerow reproduce online_questions --data data/ --json questions.json --plot questions.pdf`
    """
    from hedgerow.experiments import EXPERIMENTS, Settings, number_of_runs, summarise
    from hedgerow.experiments.report import to_csv, to_json

    if name not in EXPERIMENTS:
        raise typer.BadParameter(f"{name!r} is not one of {', '.join(EXPERIMENTS)}", param_hint="NAME")
    experiment = EXPERIMENTS[name]
    if experiment.needs_data and data is None:
        raise typer.BadParameter(f"{name} reads data: give the folder that has them", param_hint="--data")
    _check_outputs(json_file, csv_file, plot_file)
    settings = Settings(data, quick, seed, permutations, plot_file is not None, tuple(rows or ()))
    runs: list[Run] = []
    _announce(experiment, settings)
    _run_with_progress(experiment, settings, jobs, runs)
    complete = len(runs) == number_of_runs(experiment, settings)
    tables = summarise(experiment, settings, runs)
    if runs and "-" not in (json_file, csv_file):
        _print_tables(experiment, settings, tables)
    if json_file and runs:
        text = to_json(experiment, settings, tables, complete=complete, version=hedgerow.__version__)
        _write(json_file, text.encode())
    if csv_file and runs:
        _write(csv_file, to_csv(experiment, tables).encode())
    if plot_file and runs:
        _write(plot_file, _drawn(experiment, tables, runs, Path(plot_file).suffix.removeprefix(".")))
    if not complete:
        complain(f"interrupted after {len(runs)} of {number_of_runs(experiment, settings)} runs")
        raise typer.Exit(INTERRUPTED)


def _announce(experiment: Experiment, settings: Settings) -> None:
    """Say how long it will take, if that is long."""
    from hedgerow.experiments import number_of_runs

    minutes = experiment.minutes(settings)
    if minutes >= 1:
        print(
            f"{experiment.name}: {number_of_runs(experiment, settings)} runs, about {minutes:.0f} minutes on two cores",
            file=sys.stderr,
            flush=True,
        )


def _run_with_progress(experiment: Experiment, settings: Settings, jobs: int, runs: list[Run]) -> None:
    """Fill the list with runs, until all are done or the user stops."""
    from hedgerow.experiments import number_of_runs, run_all

    with Progress(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task(experiment.name, total=number_of_runs(experiment, settings))
        try:
            for run in run_all(experiment, settings, jobs):
                runs.append(run)
                progress.update(task, advance=1, description=f"{run.row}, run {run.permutation + 1}")
        except KeyboardInterrupt:
            return


def _print_tables(experiment: Experiment, settings: Settings, tables: list[Table]) -> None:
    from hedgerow.experiments.report import legend, rich_table

    console = Console()
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = FILE_WIDTH
    for table in tables:
        if not any(row.runs for row in table.rows):
            continue  # its rows were not wanted
        console.print()
        console.print(rich_table(table))
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


def _left_out(experiment: Experiment, settings: Settings) -> str:
    if settings.rows or settings.quick:
        return ""
    return "; ".join(
        f"{row.name} (about {row.minutes:.0f} minutes)" for row in experiment.rows if not row.by_default
    )


def _drawn(experiment: Experiment, tables: list[Table], runs: list[Run], kind: str) -> bytes:
    from hedgerow.cli.reproduce_plots import draw_plots, draw_traces

    if plots := [*experiment.plots(tables), *experiment.trace_plots(runs)]:
        return draw_plots(plots, kind)
    return draw_traces({run.row: run.trace for run in runs if run.trace is not None}, kind)


def _check_outputs(*paths: str | None) -> None:
    """Complain now rather than after hours."""
    *_, plot = paths
    for path in paths:
        if path is None or path == "-":
            continue
        folder = Path(path).parent
        if not folder.is_dir():
            raise FileNotFoundError(f"{path}: there is no folder {folder}")
    if plot is not None:
        check_plot(plot)


def _write(path: str, content: bytes) -> None:
    with writing(path) as out:
        out.write(content)
