"""``hedgerow evaluate``: how well a model predicts."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from hedgerow.cli.names import DataFormat
from hedgerow.data import FormatError

MOST_CONFUSIONS = 20


def evaluate(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="A model file of hedgerow or SVM-light-TK.")],
    inputs: Annotated[
        list[str], typer.Argument(metavar="DATA", help="Files of labelled examples; - is standard input.")
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of tables.")] = False,
    data_format: Annotated[
        DataFormat | None, typer.Option("--format", help="Default: as in training, else by file name.")
    ] = None,
    spaces_in_leaves: Annotated[
        bool, typer.Option("--spaces-in-leaves", help="Read (N New York) as one leaf, as SVM-light-TK does.")
    ] = False,
) -> None:
    """Compare a model's predictions with the labels of examples.

    Prints accuracy, precision, recall and F1 of every class, their means over classes (macro) and over examples
    (micro), and the confusion table: a row for each true label, a column for each predicted one, or the most frequent
    confusions where that table is wider than the terminal.

    With --json: an object with `examples`, `accuracy`, `f1` (of the second class when there are two, else macro),
    `macro`, `micro`, `classes` and `confusion`.

    Examples:

    - `hedgerow evaluate questions.model test.tk`
    - `hedgerow evaluate questions.model test.tk --json | jq .f1`
    """
    # Imported here: scikit-learn takes a second to load, which help and other commands need not wait for.
    from hedgerow.cli.metrics import Confusion, evaluation
    from hedgerow.cli.scoring import load_scorer, score_files, winners
    from hedgerow.cli.sources import shown

    scorer, layout = load_scorer(model, data_format, spaces_in_leaves)
    confusion = Confusion()
    for values, table, path in score_files(scorer, layout, inputs):
        if (table.y == "").any():
            raise FormatError("an example has no label", path=shown(path))
        confusion.add(layout.labels_of(table, path), winners(scorer, values))
    figures = evaluation(confusion, scorer.classes_.tolist())
    if as_json:
        typer.echo(json.dumps(figures, ensure_ascii=False))
    else:
        _print(figures)


def _print(figures: dict[str, Any]) -> None:
    console = Console()
    console.print(f"{figures['examples']} examples, accuracy {figures['accuracy']:.4f}", highlight=False)
    scores = Table("class")
    for name in ("examples", "precision", "recall", "F1"):
        scores.add_column(name, justify="right")
    for label, values in figures["classes"].items():
        scores.add_row(label, str(values["examples"]), *_ratios(values))
    scores.add_section()
    for mean in ("macro", "micro"):
        scores.add_row(mean, str(figures["examples"]), *_ratios(figures[mean]))
    console.print(scores)
    labels, counts = figures["confusion"]["labels"], figures["confusion"]["counts"]
    table = Table("true / predicted", title="Confusion")
    for label in labels:
        table.add_column(str(label), justify="right")
    for label, row in zip(labels, counts, strict=True):
        table.add_row(str(label), *map(str, row))
    fits = console.measure(table, options=console.options.update(width=10_000)).maximum <= console.width
    console.print(table if fits else _most_frequent(labels, counts))


def _most_frequent(labels: list[Any], counts: list[list[int]]) -> Table:
    """Confusions of more classes than the terminal has columns for."""
    wrong = [
        (count, str(true), str(predicted))
        for true, row in zip(labels, counts, strict=True)
        for predicted, count in zip(labels, row, strict=True)
        if count and true != predicted
    ]
    shown = sorted(wrong, key=lambda entry: -entry[0])[:MOST_CONFUSIONS]
    table = Table(
        "true", "predicted", title=f"The {len(shown)} most frequent of {len(wrong)} confusions (all: --json)"
    )
    table.add_column("examples", justify="right")
    for count, true, predicted in shown:
        table.add_row(true, predicted, str(count))
    return table


def _ratios(values: dict[str, float]) -> list[str]:
    return [f"{values[name]:.4f}" for name in ("precision", "recall", "f1")]
