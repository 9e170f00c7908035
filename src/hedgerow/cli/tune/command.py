"""``hedgerow tune``: choose kernel, C and other parameters with machines that learn from small samples."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

import typer

from hedgerow.cli.derived import said
from hedgerow.cli.derived_command import Derived, refuse_others, with_options
from hedgerow.cli.options import Inputs, Normalize
from hedgerow.cli.train.choice import DataOptions
from hedgerow.cli.train.named import owners
from hedgerow.cli.tune.candidates import Tried

_SEARCH = "Search"

Output = Annotated[
    str | None,
    typer.Option(
        "--output", "-o", metavar="MODEL", help="Train with the best parameters, and write the model here."
    ),
]
Refit = Annotated[
    Literal["exact", "sampled", "none"] | None,
    typer.Option(
        help="How that model is trained. exact: as by the learner svm; sampled: as by cutting-plane, for very many "
        "examples. Default: exact with --output, else none."
    ),
]
RefitSampleSize = Annotated[
    int | None, typer.Option(min=1, metavar="N", help="Of --refit sampled. Default: 5000.")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of a table.")]
Plot = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="Draw the score against what was tried (.png, .pdf, .svg)."),
]
Sampling = Annotated[
    Literal["uniform", "importance", "none"] | None,
    typer.Option(
        help="Samples of the machines that are compared, as in hedgerow train; none: they are exact. Default: none for "
        "up to 10,000 examples, where these are quicker, else uniform.",
        rich_help_panel=_SEARCH,
    ),
]
SampleSize = Annotated[
    int | None,
    typer.Option(
        min=1,
        metavar="N",
        help="Examples in a sample. Default: 100; giving it asks for --sampling uniform.",
        rich_help_panel=_SEARCH,
    ),
]
Folds = Annotated[
    int, typer.Option(min=2, metavar="N", help="Of the cross-validation.", rich_help_panel=_SEARCH)
]
Score = Annotated[
    Literal["accuracy", "f1"],
    typer.Option(
        help="f1 is that of the second class when there are two, else the mean over classes.",
        rich_help_panel=_SEARCH,
    ),
]
Seed = Annotated[
    int,
    typer.Option(
        min=0, metavar="N", help="Another seed gives other folds and samples.", rich_help_panel=_SEARCH
    ),
]
Jobs = Annotated[
    int,
    typer.Option(
        min=1,
        metavar="N",
        help="Candidates that are compared at the same time; changes no figure but times.",
        rich_help_panel=_SEARCH,
    ),
]
KernelNames = Annotated[
    str | None,
    typer.Option(
        metavar="A,B,...",
        help="Names as in hedgerow train. Default: st,sst,sst-bow,pt,upt for trees, linear,rbf for vectors alone, "
        "spectrum for texts.",
    ),
]


def _tune(
    tried: Tried,
    inputs: Inputs,
    output: Output = None,
    kernels: KernelNames = None,
    refit: Refit = None,
    refit_sample_size: RefitSampleSize = None,
    as_json: Json = False,
    plot: Plot = None,
    sampling: Sampling = None,
    sample_size: SampleSize = None,
    folds: Folds = 3,
    score: Score = "accuracy",
    seed: Seed = 0,
    jobs: Jobs = 1,
    normalize: Normalize = None,
    **values: Any,
) -> None:
    """Choose kernel, C and other parameters of a support vector machine quickly.

    All combinations are compared by cross-validation; of many examples with machines whose planes are made of small
    samples, which rank parameters much as exact machines do, in a small part of the time. Prints the candidates, best
    first, with the mean and standard deviation of their scores over the folds and the mean time for one, then the
    `hedgerow train` command that uses the best. With --output that training is done at once; Ctrl-C then writes the
    best model so far. Parameters take values between commas; --kernels adds those of the kernels that it names.

    - `hedgerow tune questions.tk`
    - `hedgerow tune questions.tk --kernels sst,pt --decay 0.2,0.4,0.6 -C 1,3,10 --j 1,balanced -o questions.model`
    - `hedgerow tune huge.tk --score f1 --refit sampled -o huge.model --plot choice.pdf`
    """
    # Imported here: what is needed for searches takes its time to load.
    from hedgerow.cli.tune.search import Outcome, SearchOptions, tune_and_report

    _check_refit(output, refit, refit_sample_size)
    if sampling == "none" and sample_size is not None:
        raise typer.BadParameter("nothing is sampled with --sampling none", param_hint="--sample-size")
    given = {o.parameter.name: said(value) for o in tried.data if (value := values.get(o.key)) is not None}
    search = SearchOptions(sampling, sample_size, folds, score, seed, jobs)
    outcome = Outcome(output, refit == "sampled", refit_sample_size, as_json, plot)
    tune_and_report(inputs, DataOptions(**given), tried.grid(values, normalize), search, outcome)


def _check_refit(output: str | None, refit: str | None, sample_size: int | None) -> None:
    if output is None and refit not in (None, "none"):
        raise typer.BadParameter("there is no file for the model; give --output too", param_hint="--refit")
    if output is not None and refit == "none":
        raise typer.BadParameter("without a refit there is no model to write", param_hint="--refit")
    if sample_size is not None and refit != "sampled":
        raise typer.BadParameter("it belongs to --refit sampled", param_hint="--refit-sample-size")
    if output == "-":
        raise typer.BadParameter("the table goes to standard output; name a file", param_hint="--output")


def _for_arguments(arguments: list[str]) -> Callable[..., None]:
    tried = Tried.among(arguments)
    command = with_options(_tune, tried, [*tried.options(), *tried.data])

    def why(option: str) -> str:
        takers = owners(option)
        return f"{tried} does not take it; it is for {takers}" if takers else ""

    refuse_others(arguments, command, why)
    return command


tune = Derived(_for_arguments)
