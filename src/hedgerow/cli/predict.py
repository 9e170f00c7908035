"""``hedgerow predict``: labels or scores of examples."""

from __future__ import annotations

import os
from functools import partial
from typing import Annotated, Any

import typer

from hedgerow.cli.cluster import ClusterOptions, Scheduler, WorkerCount
from hedgerow.cli.failures import refused
from hedgerow.cli.options import Format, Inputs, Model, Output, SpacesInLeaves
from hedgerow.cli.rescue import whole_or_not
from hedgerow.data.files import writing

Scores = Annotated[
    bool,
    typer.Option(
        "--scores",
        help="Write decision values instead of labels: one per line, positive for the second class; for more "
        "than two classes one for each, between tabs, in the order of the sorted labels. Of structured problems, by "
        "how much the prediction is above the next best; of sequences that of each token, as one more column.",
    ),
]
KBest = Annotated[
    int | None,
    typer.Option(
        min=1,
        metavar="K",
        help="Of models of structured problems, the K best predictions of each example, one per line after their "
        "places, or each with a blank line behind it for sequences. With --scores, scores too.",
    ),
]
Probabilities = Annotated[
    bool,
    typer.Option(
        "--probabilities",
        help="Write probabilities instead of labels: one for each class, between tabs, in the order of the sorted "
        "labels. For models trained with --probability, or with --loss logistic.",
    ),
]
Jsonl = Annotated[
    bool,
    typer.Option(
        "--jsonl",
        help="Write a JSON object per line, with the label, and what --scores and --probabilities ask for, by class.",
    ),
]


def predict(
    model: Model,
    inputs: Inputs,
    output: Output = "-",
    scores: Scores = False,
    k_best: KBest = None,
    probabilities: Probabilities = False,
    jsonl: Jsonl = False,
    data_format: Format = None,
    spaces_in_leaves: SpacesInLeaves = False,
    scheduler: Scheduler = None,
    workers: WorkerCount = None,
) -> None:
    """Predict the labels of examples, one per line, in the order of the examples.

    Examples have the same form as in training; see `hedgerow train --help`. Their labels are ignored: SVM-light-TK
    lines need one, such as 0; brackets and texts may leave it out. Examples are read in pieces, so files may be larger
    than memory. An output file appears only when all of it is written. On a cluster, several files are read at the same
    time.

    Examples from a pipe are answered as they arrive, so another program can ask and wait for the answer: one line per
    example, in order. A sentence in columns ends with a blank line.

    Models of structured problems write one prediction per line: a class, a tree, a string, the place of the best
    candidate, from 1, and its tree after a tab; of sequences all columns, and the predicted labels as one more.

    Examples:

    - `hedgerow predict questions.model test.tk -o labels.txt`
    - `hedgerow predict questions.model test.tk --scores | sort -g`
    - `hedgerow predict questions.model test.tk --probabilities`
    - `hedgerow predict chunks.model test.txt --k-best 5 --scores`
    - `tail -f mail.tsv | hedgerow predict spam.model - --jsonl --scores`
    - `hedgerow predict chunks.model test.txt | cut -d" " -f1,4`
    - `hedgerow predict questions.model 'parts/*.tk.gz' -o labels.txt --workers 8`
    - `echo "(S (NP Mary) (VP sings))" | hedgerow predict questions.model - --format brackets`
    """
    # Imported here: scikit-learn takes a second to load, which help and other commands need not wait for.
    from hedgerow.cli.paths import check_output
    from hedgerow.cli.scoring import load_model, over_files
    from hedgerow.cli.tasks import task_of

    check_output(output, [model, *inputs])
    loaded, notes = load_model(model, spaces_in_leaves)
    task = task_of(loaded, notes, model)
    task.told(data_format, spaces_in_leaves)
    work = _work(task, loaded, scores, k_best, probabilities, jsonl)
    waited_for = output == "-" or (os.path.exists(output) and not os.path.isfile(output))
    with whole_or_not(output), writing(output) as out:
        for text in over_files(work, loaded, task, inputs, ClusterOptions(scheduler, workers)):
            out.write(text.encode())
            if waited_for:
                out.flush()


def _work(task: Any, model: Any, scores: bool, k_best: int | None, probabilities: bool, jsonl: bool) -> Any:
    """What makes lines of examples; complains about options that do not fit together, or not the model."""
    from hedgerow.cli.scoring import as_objects, estimated, predicted, ranked, scored

    if probabilities and (k_best or (scores and not jsonl)):
        raise refused(
            "--probabilities", "it cannot be combined with --k-best, nor with --scores but for --jsonl"
        )
    if jsonl and k_best:
        raise refused("--jsonl", "it cannot be combined with --k-best")
    if probabilities:
        task.check_probabilities(model)
    if k_best:
        check_ranks(model)
        return partial(ranked, k=k_best, scores=scores)
    if jsonl:
        return partial(as_objects, scores=scores, probabilities=probabilities)
    return estimated if probabilities else scored if scores else predicted


def check_ranks(model: Any) -> None:
    """Raise an error unless --k-best has a meaning."""
    if not hasattr(model, "predict_k"):
        raise refused(
            "--k-best", f"this {type(model).__name__} gives one prediction; --scores shows how others do"
        )
