"""``hedgerow reproduce``: published experiments done again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hedgerow.cli.failures import DATA
from hedgerow.cli.paths import check_plot
from hedgerow_papers.cli.output import Outputs

if TYPE_CHECKING:
    from hedgerow_papers.experiments import Experiment

ALL = "all"
KEPT = Path("reproductions")  # where runs are kept unless told otherwise
RUNS, OUTPUT, DATA_PANEL = "Runs", "Output", "Data"  # panels of the help


def reproduce(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME", help="The experiments; see the list above. all: every one of them."),
    ] = None,
    listed: Annotated[
        bool,
        typer.Option(
            "--list",
            help="List every table and figure of the papers: which experiment does it, the data that it needs (and "
            "whether --data has them), and how long it takes. --json - prints the list as JSON.",
        ),
    ] = False,
    data: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Folder of data sets, for experiments that need one.",
            rich_help_panel=DATA_PANEL,
        ),
    ] = None,
    fetch: Annotated[
        bool,
        typer.Option(
            "--fetch",
            help="First download the data sets that are missing in --data, where that is possible, and check them.",
            rich_help_panel=DATA_PANEL,
        ),
    ] = False,
    quick: Annotated[
        bool,
        typer.Option(
            "--quick",
            help="Little data and few runs, to see that all works; not comparable.",
            rich_help_panel=RUNS,
        ),
    ] = False,
    seed: Annotated[
        int, typer.Option(min=0, help="Another seed gives other permutations.", rich_help_panel=RUNS)
    ] = 0,
    permutations: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="N", help="Runs of each row. Default: as published.", rich_help_panel=RUNS
        ),
    ] = None,
    rows: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Run this row only; may be repeated, and contain * and ?. '*' also runs what takes very long.",
            rich_help_panel=RUNS,
        ),
    ] = None,
    jobs: Annotated[
        int,
        typer.Option(
            "--jobs",
            "--n-jobs",
            "-j",
            min=1,
            help="Runs at the same time; changes no figure but times.",
            rich_help_panel=RUNS,
        ),
    ] = 1,
    fresh: Annotated[
        bool,
        typer.Option(
            "--fresh",
            help="Begin anew: forget the runs that were kept of these experiments and settings.",
            rich_help_panel=RUNS,
        ),
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FOLDER",
            help="Write NAME.json, NAME.csv and NAME.svg (plots, if matplotlib is there) of every experiment, and keep "
            f"the runs here. Default: keep runs in {KEPT}/, write no more.",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    json_file: Annotated[
        str | None,
        typer.Option(
            "--json",
            metavar="FILE",
            help="Write all figures as JSON; - replaces the table.",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    csv_file: Annotated[
        str | None,
        typer.Option(
            "--csv",
            metavar="FILE",
            help="Write all means as CSV; - replaces the table.",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    plot_file: Annotated[
        str | None,
        typer.Option(
            "--plot",
            metavar="FILE",
            help="Draw measures against the parameter, or performance, supports and CPU time of online learners over "
            "the first run of each row (.png, .pdf, .svg).",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
) -> None:
    """Do published experiments again and print their figures beside the published ones.

    Experiments:

    - **online_synthetic**: two Gaussian clouds, polynomial kernel; needs no data
    - **online_adult**: census forms, RBF kernel; needs a9a
    - **online_questions**: question classification, subset tree kernel; needs qc
    - **online_srl**: argument boundaries, subset tree kernel, a million trees; needs srl_ewt
    - **sampled_cuts_kernels**: five tree kernels by sample size of the cutting-plane machine; needs srl_ewt
    - **sampled_cuts_size**: F1, time and support vectors by sample size, beside the exact machine; needs srl_ewt
    - **parameter_choice**: F1 by C and by decay, for exact and sampled machines; needs qc and srl_ewt
    - **single_pass**: online learners in one pass over texts and tables; needs the texts, uci and a9a
    - **learning_curves**: F1, errors and mistakes on texts while examples come; needs the texts, uci
    - **feature_selection**: errors by number of features, selected in one pass or in batch; needs the texts, uci
    - **voted_rda**: parse reranking with sparse weights; needs ewt_nbest
    - **named_entities**: names in Spanish news as label sequences; needs conll2002_esp
    - **grammar**: parses of short sentences by learned grammars; needs wcfg10
    - **taxonomy**: few examples a class, with a class tree and its loss; needs newsgroups20 and imageclef07
    - **string_mapping**: noisy strings from strings, by string kernels on both; needs no data

    Figures are means and standard deviations over runs with other permutations of the training data. Every run is
    kept in a file as it ends (reproductions/NAME.runs.jsonl, or in the folder of --output), so that the same command
    goes on where it was stopped. Ctrl-C stops, and what has been run until then is printed.

    Examples:

    - `hedgerow reproduce --list --data data/`
    - `hedgerow reproduce online_synthetic`
    - `hedgerow reproduce online_questions --data data/ --json questions.json --plot questions.pdf`
    - `hedgerow reproduce all --quick --data data/ -j 2 -o reproductions/`
    """
    from hedgerow_papers.cli.listing import print_list
    from hedgerow_papers.cli.running import Session
    from hedgerow_papers.experiments import Settings

    if listed:
        print_list(data, json_file)
        return
    experiments = _chosen(names or [])
    outputs = Outputs(output, json_file, csv_file, plot_file)
    if len(experiments) > 1:
        _check_single(rows=rows, json=json_file, csv=csv_file, plot=plot_file)
    _check_files(outputs)
    settings = Settings(data, quick, seed, permutations, outputs.plots_wanted, tuple(rows or ()))
    session = Session(experiments, settings, jobs=jobs, folder=output or KEPT, fresh=fresh, outputs=outputs)
    if fetch:
        session.fetch()
    session.run()
    session.summarise()
    if session.interrupted:
        raise KeyboardInterrupt(
            f" after {session.n_done} of {session.n_wanted} runs; the same command goes on"
        )
    if session.impossible:
        raise typer.Exit(DATA)


def _chosen(names: list[str]) -> list[Experiment]:
    from hedgerow_papers.experiments import EXPERIMENTS

    if not names:
        raise typer.BadParameter("name an experiment, or all; --list shows them", param_hint="NAME")
    for name in names:
        if name not in EXPERIMENTS and name != ALL:
            raise typer.BadParameter(
                f"{name!r} is not one of {', '.join(EXPERIMENTS)}, {ALL}", param_hint="NAME"
            )
    wanted = EXPERIMENTS if ALL in names else dict.fromkeys(names)
    return [EXPERIMENTS[name] for name in wanted]


def _check_single(**options: object) -> None:
    """Options that have a meaning for one experiment only."""
    for name, value in options.items():
        if value:
            instead = "" if name == "rows" else "; --output writes files of all"
            raise typer.BadParameter(f"goes with a single experiment{instead}", param_hint=f"--{name}")


def _check_files(outputs: Outputs) -> None:
    """Complain now rather than after hours."""
    for path in (outputs.json, outputs.csv, outputs.plot):
        if path is not None and path != "-" and not Path(path).parent.is_dir():
            raise FileNotFoundError(f"{path}: there is no folder {Path(path).parent}")
    if outputs.plot is not None:
        check_plot(outputs.plot)
