"""``hedgerow tune``: choose kernel, C and other parameters with machines that learn from small samples."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import typer

from hedgerow.cli.derived_command import Derived
from hedgerow.cli.failures import refused
from hedgerow.cli.options import Inputs, Normalize
from hedgerow.cli.train.choice import DataOptions
from hedgerow.cli.tune.candidates import Tried
from hedgerow.cli.tune.run import Wanted, run
from hedgerow.cli.tune.search import SearchOptions

Output = Annotated[
    str | None,
    typer.Option(
        "--output", "-o", metavar="MODEL", help="Train with the best parameters, and write the model here."
    ),
]
KernelNames = Annotated[
    str | None,
    typer.Option(
        metavar="A,B,...",
        help="Default: st,sst,sst-bow,pt,upt for trees, linear,rbf for vectors alone, spectrum for texts.",
    ),
]
Refit = Annotated[
    Literal["exact", "sampled", "none"] | None,
    typer.Option(
        help="How that model is trained: as by the learner svm or, for very many examples, as by cutting-plane. "
        "Default: exact with --output, else none."
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


def _tune(
    tried: Tried,
    inputs: Inputs,
    output: Output = None,
    kernels: KernelNames = None,
    refit: Refit = None,
    refit_sample_size: RefitSampleSize = None,
    as_json: Json = False,
    plot: Plot = None,
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
    if output is None and refit not in (None, "none"):
        raise refused("--refit", "there is no file for the model; give --output too")
    if output is not None and refit == "none":
        raise refused("--refit", "without a refit there is no model to write")
    if refit_sample_size is not None and refit != "sampled":
        raise refused("--refit-sample-size", "it belongs to --refit sampled")
    if output == "-":
        raise refused("--output", "the table goes to standard output; name a file")
    given = tried.given(values)
    if "sample_size" in given["Search"] and given["Search"].setdefault("sampling", "uniform") == "none":
        raise refused("--sample-size", "nothing is sampled with --sampling none")
    wanted = Wanted(output, refit == "sampled", refit_sample_size, as_json, plot)
    run(
        inputs,
        DataOptions(**given["Data"]),
        tried.grid(given, normalize),
        SearchOptions(**given["Search"]),
        wanted,
    )


tune = Derived(_tune, Tried)
