"""``hedgerow evaluate``: how well a model predicts."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hedgerow.cli.cluster import ClusterOptions, Scheduler, WorkerCount
from hedgerow.cli.options import Format, Inputs, Model, SpacesInLeaves

if TYPE_CHECKING:
    from hedgerow.cli.tasks.task import Task


def evaluate(
    model: Model,
    inputs: Inputs,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of tables.")] = False,
    k_best: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="K",
            help="Of models of structured problems, how often the true output is among the K best, and how often "
            "predictions are right by how far they are above the next best.",
        ),
    ] = None,
    data_format: Format = None,
    spaces_in_leaves: SpacesInLeaves = False,
    scheduler: Scheduler = None,
    workers: WorkerCount = None,
) -> None:
    """Compare a model's predictions with the labels of examples.

    Prints accuracy, precision, recall and F1 of every class, their means over classes (macro) and over examples
    (micro), and the confusion table: a row for each true label, a column for each predicted one, or the most frequent
    confusions where that table is wider than the terminal.

    With --json: an object with `model` and `data` (names of files), `examples`, `accuracy`, `f1` (of the second class
    when there are two, else macro), `macro`, `micro`, `classes` and `confusion`; of models that give probabilities
    `calibration`: the expected calibration `error`, `log_loss`, `brier` and, by probability of the most likely class,
    `bins`.

    Models of structured problems: of sequences the accuracy and F1 of tokens and, with labels such as B-NP and I-NP, of
    spans (`span_f1`, `spans`); of parses labelled bracket precision, recall and F1, and the share of trees without a
    fault (`exact`); of taxonomies the mean `tree_loss` too; of lists of candidates the mean `grade` of those chosen
    and, of parses, the F1 of their brackets, beside those of the first and the best candidates. With --k-best, `k_best`
    has the share of true outputs `within` the first, the first two and so on, and the accuracy by `margins`.

    Examples:

    - `hedgerow evaluate questions.model test.tk`
    - `hedgerow evaluate questions.model test.tk --json | jq .f1`
    - `hedgerow evaluate chunks.model test.txt --k-best 5`
    - `hedgerow evaluate questions.model 'parts/*.tk.gz' --workers 8`
    """
    # Imported here: scikit-learn takes a second to load, which help and other commands need not wait for.
    from hedgerow.cli.paths import public_name
    from hedgerow.cli.scoring import load_model
    from hedgerow.cli.tasks import task_of
    from hedgerow.cli.terminal import say

    loaded, notes = load_model(model, spaces_in_leaves)
    task = task_of(loaded, notes, model)
    task.told(data_format, spaces_in_leaves)
    figures = _figures(loaded, task, inputs, k_best, ClusterOptions(scheduler, workers))
    if as_json:
        about = {"model": public_name(model), "data": [*map(public_name, inputs)]}
        say(json.dumps({**about, **figures}, ensure_ascii=False))
    else:
        _show(task, figures)


def _figures(
    loaded: Any, task: Task, inputs: list[str], k_best: int | None, cluster: ClusterOptions
) -> dict[str, Any]:
    from hedgerow.cli.predict import check_ranks
    from hedgerow.cli.scoring import compared, over_files
    from hedgerow.models.tallies import tally_for

    if k_best:
        check_ranks(loaded)
    tally = tally_for(loaded, k_best)
    for part in over_files(partial(compared, k_best=k_best), loaded, task, inputs, cluster, labelled=True):
        tally.update(part)
    return tally.figures()


def _show(task: Task, figures: dict[str, Any]) -> None:
    from hedgerow.cli.class_report import print_ranks
    from hedgerow.cli.terminal import Terminal

    task.show(figures, Terminal())
    if "k_best" in figures:
        print_ranks(figures["k_best"], Terminal())
