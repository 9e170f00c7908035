"""``hedgerow tune``: choose kernel, C and other parameters with machines that learn from small samples."""

from __future__ import annotations

from typing import Annotated

import typer

from hedgerow.cli.names import Refit, Sampling, Score
from hedgerow.cli.options import DATA, Column, Features, Format, Inputs, SpacesInLeaves, Tokens

_SEARCH, _TRIED = "Search", "What is tried (values between commas)"


def tune(
    inputs: Inputs,
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="MODEL",
            help="Train with the best parameters, and write the model here.",
        ),
    ] = None,
    refit: Annotated[
        Refit | None,
        typer.Option(
            help="How that model is trained. exact: as by the learner svm; sampled: as by cutting-plane, for very "
            "many examples. Default: exact with --output, else none."
        ),
    ] = None,
    refit_sample_size: Annotated[
        int | None, typer.Option(min=1, help="Of --refit sampled. Default: 5000.")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object instead of a table.")
    ] = False,
    plot: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Draw the score against what was tried (.png, .pdf, .svg)."),
    ] = None,
    sampling: Annotated[
        Sampling | None,
        typer.Option(
            help="Samples of the machines that are compared, as in hedgerow train; none: they are exact. Default: none "
            "for up to 10,000 examples, where these are quicker, else uniform.",
            rich_help_panel=_SEARCH,
        ),
    ] = None,
    sample_size: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Examples in a sample. Default: 100; giving it asks for --sampling uniform.",
            rich_help_panel=_SEARCH,
        ),
    ] = None,
    folds: Annotated[int, typer.Option(min=2, help="Of the cross-validation.", rich_help_panel=_SEARCH)] = 3,
    score: Annotated[
        Score,
        typer.Option(
            help="f1 is that of the second class when there are two, else the mean over classes.",
            rich_help_panel=_SEARCH,
        ),
    ] = Score.accuracy,
    seed: Annotated[
        int, typer.Option(min=0, help="Another seed gives other folds and samples.", rich_help_panel=_SEARCH)
    ] = 0,
    jobs: Annotated[
        int,
        typer.Option(
            min=1,
            help="Candidates that are compared at the same time; changes no figure but times.",
            rich_help_panel=_SEARCH,
        ),
    ] = 1,
    kernels: Annotated[
        str | None,
        typer.Option(
            metavar="A,B,...",
            help="Names as in hedgerow train. Default: st,sst,sst-bow,pt,upt for trees, linear,rbf for vectors alone, "
            "spectrum for texts.",
            rich_help_panel=_TRIED,
        ),
    ] = None,
    C: Annotated[
        str, typer.Option("-C", "--C", metavar="X,Y,...", help="What an error costs.", rich_help_panel=_TRIED)
    ] = "0.1,1,10",
    j: Annotated[
        str | None,
        typer.Option(
            "--j",
            metavar="X,Y,...",
            help="Weights of positive examples: numbers or balanced. Default: 1.",
            rich_help_panel=_TRIED,
        ),
    ] = None,
    decay: Annotated[
        str | None,
        typer.Option(
            metavar="X,Y,...",
            help="Lambda, of trees and subsequence. Default: 0.4; 0.5.",
            rich_help_panel=_TRIED,
        ),
    ] = None,
    vertical_decay: Annotated[
        str | None,
        typer.Option(metavar="X,Y,...", help="Mu, of pt and upt. Default: 0.4.", rich_help_panel=_TRIED),
    ] = None,
    terminal_factor: Annotated[
        str | None,
        typer.Option(
            metavar="X,Y,...", help="Of matching leaves, of pt and upt. Default: 1.", rich_help_panel=_TRIED
        ),
    ] = None,
    gamma: Annotated[
        str | None,
        typer.Option(metavar="X,Y,...", help="Of rbf. Default: 0.01,0.1,1.", rich_help_panel=_TRIED),
    ] = None,
    degree: Annotated[
        str | None, typer.Option(metavar="X,Y,...", help="Of polynomial. Default: 3.", rich_help_panel=_TRIED)
    ] = None,
    k: Annotated[
        str | None,
        typer.Option(
            "--k", metavar="X,Y,...", help="Of spectrum and mismatch. Default: 3.", rich_help_panel=_TRIED
        ),
    ] = None,
    length: Annotated[
        str | None,
        typer.Option(metavar="X,Y,...", help="Of subsequence. Default: 3.", rich_help_panel=_TRIED),
    ] = None,
    normalize: Annotated[
        bool | None,
        typer.Option(
            "--normalize/--no-normalize",
            help="Give every item length 1. Default: trees only.",
            rich_help_panel=DATA,
        ),
    ] = None,
    data_format: Format = None,
    column: Column = None,
    features: Features = None,
    tokens: Tokens = False,
    spaces_in_leaves: SpacesInLeaves = False,
) -> None:
    """Choose kernel, C and other parameters of a support vector machine quickly.

    All combinations are compared by cross-validation; of many examples with machines whose planes are made of small
    samples, which rank parameters much as exact machines do, in a small part of the time. Prints the candidates, best
    first, with the mean and standard deviation of their scores over the folds and the mean time for one, then the
    `hedgerow train` command that uses the best. With --output that training is done at once; Ctrl-C then writes the
    best model so far.

    With --json: an object with `examples`, `score`, `folds`, `sampling`, `sample_size`, `candidates`, `best` and
    `command`.

    Examples:

    - `hedgerow tune questions.tk`
    - `hedgerow tune questions.tk --kernels sst,pt --decay 0.2,0.4,0.6 -C 1,3,10 --j 1,balanced -o questions.model`
    - `hedgerow tune huge.tk --score f1 --refit sampled -o huge.model --plot choice.pdf`
    """
    tried: dict[str, str | None] = {
        "decay": decay,
        "vertical_decay": vertical_decay,
        "terminal_factor": terminal_factor,
        "gamma": gamma,
        "degree": degree,
        "k": k,
        "length": length,
    }
    if output is None and refit not in (None, Refit.none):
        raise typer.BadParameter("there is no file for the model; give --output too", param_hint="--refit")
    if output is not None and refit is Refit.none:
        raise typer.BadParameter("without a refit there is no model to write", param_hint="--refit")
    if refit_sample_size is not None and refit is not Refit.sampled:
        raise typer.BadParameter("it belongs to --refit sampled", param_hint="--refit-sample-size")
    if sampling is Sampling.none and sample_size is not None:
        raise typer.BadParameter("nothing is sampled with --sampling none", param_hint="--sample-size")
    if output == "-":
        raise typer.BadParameter("the table goes to standard output; name a file", param_hint="--output")
    # Imported here: scikit-learn takes a second to load, which help and other commands need not wait for.
    from hedgerow.cli.tuning import SearchOptions, tune_and_report
    from hedgerow.cli.tuning_grid import DataOptions
    from hedgerow.io.schema import Schema

    data = DataOptions(
        inputs,
        Schema(data_format and data_format.value, spaces_in_leaves, tokens),
        normalize,
        column,
        features,
    )
    search = SearchOptions(sampling, sample_size, folds, score, seed, jobs)
    tune_and_report(
        data,
        search,
        kernels,
        tried,
        {"C": C, "j": j},
        output,
        refit=refit,
        refit_sample_size=refit_sample_size,
        as_json=as_json,
        plot=plot,
    )
