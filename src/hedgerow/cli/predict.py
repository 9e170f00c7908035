"""``hedgerow predict``: labels or scores of examples."""

from __future__ import annotations

from typing import Annotated

import typer

from hedgerow.cli.cluster import ClusterOptions, Scheduler, WorkerCount
from hedgerow.cli.options import Format, Inputs, Model, Output, SpacesInLeaves
from hedgerow.cli.rescue import whole_or_not
from hedgerow.data.files import writing


def predict(
    model: Model,
    inputs: Inputs,
    output: Output = "-",
    scores: Annotated[
        bool,
        typer.Option(
            "--scores",
            help="Write decision values instead of labels: one a line, positive for the second class; for more "
            "than two classes one for each, between tabs, in the order of the sorted labels.",
        ),
    ] = False,
    data_format: Format = None,
    spaces_in_leaves: SpacesInLeaves = False,
    scheduler: Scheduler = None,
    workers: WorkerCount = None,
) -> None:
    """Predict the labels of examples, one per line, in the order of the examples.

    Examples have the form that they had in training; see `hedgerow train --help`. Their own labels are not
    looked at: SVM-light-TK lines need one, which may be 0, brackets and texts may leave it out. Examples are read
    in pieces, so files may be larger than memory. An output file appears only when all of it is written. On a cluster,
    several files are read at the same time.

    Models of structured problems write one prediction per line: a class, a tree, a string, the place of the best
    candidate, from 1; of sequences all columns, and the predicted labels as one more.

    Examples:

    - `hedgerow predict questions.model test.tk -o labels.txt`
    - `hedgerow predict questions.model test.tk --scores | sort -g`
    - `hedgerow predict chunks.model test.txt | cut -d" " -f1,4`
    - `hedgerow predict questions.model 'parts/*.tk.gz' -o labels.txt --workers 8`
    - `echo "(S (NP Mary) (VP sings))" | hedgerow predict questions.model - --format brackets`
    """
    # Imported here: scikit-learn takes a second to load, which help and other commands need not wait for.
    from hedgerow.cli.paths import check_output
    from hedgerow.cli.scoring import load_model, over_files, predicted, scored
    from hedgerow.cli.tasks import task_of

    check_output(output, [model, *inputs])
    loaded, notes = load_model(model, spaces_in_leaves)
    task = task_of(loaded, notes, model)
    task.told(data_format, spaces_in_leaves)
    work = scored if scores else predicted
    with whole_or_not(output), writing(output) as out:
        for text in over_files(work, loaded, task, inputs, ClusterOptions(scheduler, workers)):
            out.write(text.encode())
