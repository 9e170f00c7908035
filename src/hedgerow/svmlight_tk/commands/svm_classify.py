"""``hedgerow svm_classify``: decisions of SVM-light-TK's model files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated, Any

import numpy as np
import typer

from hedgerow.cli.cluster import ClusterOptions
from hedgerow.cli.rescue import whole_or_not
from hedgerow.data.files import writing
from hedgerow.io.examples import Vector


def svm_classify(
    arguments: Annotated[
        list[str],
        typer.Argument(metavar="[FLAGS] EXAMPLE_FILE MODEL_FILE [OUTPUT_FILE]", show_default=False),
    ],
) -> None:
    """Classify examples with a model file of SVM-light-TK, or of `hedgerow svm_learn`.

    OUTPUT_FILE, svm_predictions by default, gets one decision value a line. When the examples have labels,
    accuracy, precision and recall are printed.

    - **-f** 1: decision values (default); 0: the old form, `0.5:+1 -0.5:-1`
    - **-v** 0: print nothing (2)
    - **--spaces-in-leaves**: read (N New York) as one leaf

    Example: `hedgerow svm_classify test.dat model predictions`
    """
    # Imported here: scikit-learn takes a second to load, which help and other commands need not wait for.
    from hedgerow.cli.paths import check_output
    from hedgerow.cli.scoring import over_files
    from hedgerow.cli.tasks.labels import LabelTask
    from hedgerow.io.readers import TableReader
    from hedgerow.models.schema import drops_unseen
    from hedgerow.svmlight_tk import SvmlightTkScorer, read_svmlight_tk_model
    from hedgerow.svmlight_tk.flags import SPACES_IN_LEAVES

    flags, files = _understood(arguments)
    form = flags.get("f", "1")
    examples, model_file, output = [*files, "svm_predictions"][:3]
    check_output(output, [examples, model_file])
    spaces = SPACES_IN_LEAVES in flags
    scorer = SvmlightTkScorer(read_svmlight_tk_model(model_file, spaces_in_leaves=spaces))
    schema = replace(scorer.schema, labels="float").told("svmlight-tk", spaces)
    task = LabelTask(TableReader(schema, drops_unseen=drops_unseen(scorer)))
    counts = np.zeros((2, 2), dtype=np.int64)  # by true and by predicted sign
    with whole_or_not(output), writing(output) as out:
        for values, labels in over_files(_decided, scorer, task, [examples], ClusterOptions(), labelled=True):
            out.write("".join(f"{_text(value, form)}\n" for value in values.tolist()).encode())
            known = labels != 0
            np.add.at(counts, ((labels[known] > 0).astype(int), (values[known] > 0).astype(int)), 1)
    if flags.get("v") != "0" and output != "-" and counts.sum():
        _report(counts)


def _decided(shard: Any, scorer: Any, task: Any) -> Iterator[tuple[tuple[Vector, Vector], int]]:
    """Decision values and labels."""
    for X, labels in shard.pieces():
        yield (scorer.decision_function(X), labels), len(labels)


def _understood(arguments: list[str]) -> tuple[dict[str, str], list[str]]:
    from hedgerow.svmlight_tk.flags import FlagError, parse_flags

    try:
        flags, files = parse_flags(arguments, "fv", {})
        if flags.get("f", "1") not in ("0", "1"):
            raise FlagError(f"-f must be 0 or 1, got {flags['f']}")
        if len(files) not in (2, 3):
            raise FlagError(f"expected [FLAGS] EXAMPLE_FILE MODEL_FILE [OUTPUT_FILE], got {len(files)} files")
    except FlagError as error:
        raise typer.BadParameter(str(error)) from None
    return flags, files


def _text(value: float, form: str) -> str:
    if form == "1":
        return repr(value)
    return f"{value:.8g}:+1 {-value:.8g}:-1" if value > 0 else f"{-value:.8g}:-1 {value:.8g}:+1"


def _report(counts: Vector) -> None:
    total, right = int(counts.sum()), int(np.trace(counts))
    typer.echo(
        f"Accuracy on test set: {100 * right / total:.2f}% ({right} correct, {total - right} incorrect, {total} total)"
    )
    precision, recall = (
        100 * counts[1, 1] / max(int(whole_), 1) for whole_ in (counts[:, 1].sum(), counts[1].sum())
    )
    typer.echo(f"Precision/recall on test set: {precision:.2f}%/{recall:.2f}%")
