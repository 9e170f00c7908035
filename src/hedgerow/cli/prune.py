"""``hedgerow prune``: a model that keeps the features that matter most."""

from __future__ import annotations

from typing import Annotated

import typer

from hedgerow.cli.failures import refused
from hedgerow.cli.options import Output

Model = Annotated[str, typer.Argument(metavar="MODEL", help="A model file of a learner on weights.")]
Features = Annotated[
    int, typer.Option("--features", metavar="N", min=1, help="How many features each function keeps.")
]
Top = Annotated[
    float,
    typer.Option(
        metavar="SHARE",
        min=0,
        max=1,
        help="Share of these with the largest weights; the rest have the smallest.",
    ),
]


def prune(model: Model, features: Features, output: Output, top: Top = 0.9) -> None:
    """Keep the features of a model with the largest weights, and a few with the smallest.

    The smallest weights are usually those of common words, which Winnows use to scale texts; for other learners `--top
    1` is better. The pruned model predicts, and continues learning with `train --resume`.

    Examples:

    - `hedgerow prune spam.model --features 1000 -o small.model`
    """
    # Imported here: scikit-learn takes a second to load, which help and other commands need not wait for.
    from hedgerow.cli.paths import check_output
    from hedgerow.cli.rescue import whole_or_not
    from hedgerow.persistence.model_file import read_model_file, write_model

    check_output(output, [])
    file = read_model_file(model)
    if not hasattr(file.model, "prune"):
        raise refused("MODEL", f"{type(file.model).__name__} has no weights of features that could be pruned")
    file.model.prune(features, top)
    with whole_or_not(output):
        write_model(file.model, output, file.notes, file.trained_on)
