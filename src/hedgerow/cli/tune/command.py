"""``hedgerow tune``: choose kernel, C and other parameters by comparing them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import typer

from hedgerow.cli.derived_command import Derived
from hedgerow.cli.failures import refused
from hedgerow.cli.options import Inputs, Normalize
from hedgerow.cli.train.command import ProblemName
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
        help='Also expressions, as "sst + 0.5 * linear". Default: st,sst,sst-bow,pt,upt for trees, beside linear for '
        "vectors, linear,rbf for vectors alone, spectrum for texts.",
    ),
]
LearnerName = Annotated[
    str | None, typer.Option(metavar="NAME", help="Default: svm; structured-svm with --problem.")
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
    learner: LearnerName = None,
    problem: ProblemName = None,
    kernels: KernelNames = None,
    refit: Refit = None,
    refit_sample_size: RefitSampleSize = None,
    as_json: Json = False,
    plot: Plot = None,
    normalize: Normalize = None,
    **values: Any,
) -> None:
    """Choose kernel, C and other parameters quickly, of a support vector machine unless a learner is named.

    All combinations are compared by cross-validation, on a sample of the examples, then on larger ones up to all, while
    hopeless ones leave and time allows. Prints the candidates, best first, with the mean and standard deviation of
    their scores over the folds and the mean time for one, then the `hedgerow train` command that uses the best; = marks
    those that are not significantly worse. With --output that training is done at once. Ctrl-C prints the ranking so
    far, or writes the best model so far. Parameters take values between commas; --learner, --problem and --kernels add
    theirs.

    - `hedgerow tune questions.tk`
    - `hedgerow tune questions.tk --kernels sst,pt --decay 0.2,0.4 -C 1,3,10 --cost-factor 1,balanced -o best.model`
    - `hedgerow tune messages.txt --format text --learner arow --regularization 0.1,1,10 --ngrams 2`
    - `hedgerow tune chunks.txt --problem sequence -C 0.1,1 --templates chunking,names`
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
    search = given["Search"]
    if "sample_size" in search and search.setdefault("sampling", "uniform") == "none":
        raise refused("--sample-size", "nothing is sampled with --sampling none")
    if "seconds" in search and search.get("sampling", "none") != "none":
        raise refused("--seconds", "it is for comparisons on growing parts of the data")
    wanted = Wanted(output, refit == "sampled", refit_sample_size, as_json, plot)
    run(inputs, tried.grid(given, normalize), SearchOptions(**given["Search"]), wanted)


tune = Derived(_tune, Tried)
