"""``hedgerow explain``: what a model has learned, and why it predicts what it predicts."""

from __future__ import annotations

from typing import Annotated

import typer

from hedgerow.cli.failures import refused
from hedgerow.cli.options import Format, Model, SpacesInLeaves
from hedgerow.data.files import matching

Examples = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[DATA]",
        help="Files of examples to explain, or patterns such as 'parts/*.gz'; - is standard input.",
        callback=lambda paths: matching(paths) if paths else [],
        show_default=False,
    ),
]
Count = Annotated[
    int,
    typer.Option("--n-largest", "-k", min=1, help="How many fragments or weights to list, for each class."),
]
Labels = Annotated[
    list[str] | None,
    typer.Option("--class", metavar="LABEL", help="Only scores of this class; may be given several times."),
]
Numbers = Annotated[
    str | None,
    typer.Option(metavar="N,N", help="Only these examples, counted from 1, as in --examples 1,5 or 3-7."),
]
Json = Annotated[
    str | None, typer.Option("--json", metavar="FILE", help="Write all as one JSON object; - prints it.")
]
Html = Annotated[
    str | None,
    typer.Option("--html", metavar="FILE", help="Write a page with drawings of trees (extra report)."),
]
Limit = Annotated[int, typer.Option(min=0, help="How many partial fragments to look at, for each class.")]


def explain(
    model: Model,
    inputs: Examples = None,
    n_largest: Count = 10,
    label: Labels = None,
    examples: Numbers = None,
    as_json: Json = None,
    as_html: Html = None,
    limit: Limit = 100_000,
    data_format: Format = None,
    spaces_in_leaves: SpacesInLeaves = False,
) -> None:
    """Show what a model has learned or, with DATA, why it predicts what it predicts.

    Without DATA: of models on tree kernels the fragments with the largest weights, of learners on weights these, of
    sequences weights of features with labels and of moves between labels, of grammars weights of rules.

    With DATA, for each example: what speaks for and against each class, as numbers that add up to its score; of trees
    also what each node adds; of sequences, token by token, and of parses, rule by rule, the score of the prediction.
    With two classes there is one score, which is positive for the second class.

    Lists of fragments are exact: no other fragment has a larger weight. Where a search stops at its limit, a bound
    says what it may have missed.

    Examples:

    - `hedgerow explain questions.model`
    - `hedgerow explain questions.model --class LOC -k 5`
    - `hedgerow explain questions.model test.tk --examples 1,5 --html why.html`
    - `hedgerow explain questions.model test.tk --json - | jq '.explanations[0].scores[0].contributions[0]'`
    - `echo "(S (NP Mary) (VP sings))" | hedgerow explain questions.model - --format brackets`
    """
    # Imported here: scikit-learn takes a second to load, which help and other commands need not wait for.
    from hedgerow.cli.explain.findings import Wanted, explain_examples, explain_model, numbers_of, write
    from hedgerow.cli.paths import check_output
    from hedgerow.cli.scoring import load_model

    inputs = inputs or []
    if examples is not None and not inputs:
        raise refused("--examples", "needs DATA")
    for output in (as_json, as_html):
        if output is not None:
            check_output(output, [model, *inputs])
    wanted = Wanted(n_largest, label or [], numbers_of(examples), limit, data_format, spaces_in_leaves)
    loaded, notes = load_model(model, spaces_in_leaves)
    if not inputs:
        write([explain_model(loaded, wanted)], as_json, as_html, f"{model}: what it has learned")
        return
    found = explain_examples(loaded, notes, model, inputs, wanted)
    write(found, as_json, as_html, f"{model}: explanations")
