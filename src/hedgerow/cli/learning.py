"""Running a learner over its examples, and what is left when it is interrupted."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Sequence
from typing import Any

import typer
from sklearn.exceptions import NotFittedError

from hedgerow.cli.examples import Passes
from hedgerow.cli.failures import INTERRUPTED, complain
from hedgerow.cli.progress import counting
from hedgerow.cli.progressive import ProgressiveReport
from hedgerow.data.files import name_of
from hedgerow.io.examples import Vector
from hedgerow.io.schema import Schema
from hedgerow.persistence.model_file import ModelFile, read_model_file, write_model


def learn(
    model: Any,
    schema: Schema,
    passes: Passes,
    classes: Vector | None,
    output: str,
    report: ProgressiveReport | None = None,
) -> None:
    """Learns; Ctrl-C writes the model as far as it has come, and ends the command.

    With a report, every example is predicted before it is learned from.
    """
    try:
        # Lines of a report and a bar would be in each other's way.
        with counting("Learning", passes.total, wanted=report is None) as advance:
            for X, y in passes.batches:
                if passes.whole:
                    model.fit(X, y)
                elif report is not None:
                    report.add(X, y, model._predict_then_learn(X, y, classes))
                else:
                    model.partial_fit(X, y, classes=classes)
                advance(len(y))
        if report is not None:
            report.finish()
    except KeyboardInterrupt:

        def write(path: str) -> None:
            write_model(model, path, schema.notes())

        complain(rescue(how_far(model), "the model learned so far", output, write))
        raise typer.Exit(INTERRUPTED) from None
    if not hasattr(model, "classes_"):
        raise ValueError("no example in the data")


def rescue(how_far: str | None, what: str, output: str, write: Callable[[str], object]) -> str:
    """Saves what was learned before an interruption; returns a sentence about it.

    ``how_far`` is None when nothing was learned yet; ``write`` writes to the path that it is given.
    """
    if how_far is None or output == "-":
        return "interrupted; nothing was written"
    path = f"{output}.interrupted" if os.path.exists(output) else output
    write(path)
    kept = f"; {output} is as it was" if path != output else ""
    return f"interrupted after {how_far}; {what} was written to {path}{kept}"


def how_far(model: Any) -> str | None:
    try:
        return f"{model.n_seen_} examples" if model.n_seen_ else None
    except NotFittedError:
        return None


def resumed(path: str) -> ModelFile:
    """A saved learner, and what was noted about its examples."""
    file = read_model_file(path)
    if not hasattr(file.model, "partial_fit"):
        raise ValueError(f"{path} holds a {type(file.model).__name__}, which does not go on learning")
    return file


def trained_on(
    inputs: Sequence[str], examples: int | None = None, before: dict[str, Any] | None = None
) -> dict[str, Any]:
    """What a model file says about its training data: names and, if it is known, the number of examples.

    A model that goes on has ``before`` what was said about it then; if that is nothing, nothing is said now.
    """
    if before is None:
        before = {"data": [], "examples": 0}
    if not before:
        return {}
    data = {"data": [*before["data"], *map(public_name, inputs)]}
    earlier = before.get("examples")
    return data if examples is None or earlier is None else {**data, "examples": earlier + examples}


def public_name(path: str) -> str:
    """A path for others to see: the folders of an absolute one are nobody's business."""
    return os.path.basename(path) if os.path.isabs(path) else name_of(path)


def check_output(output: str, inputs: Sequence[str]) -> None:
    """Complains before the work, not after it, when a file cannot be written."""
    if output == "-":
        return
    folder = os.path.dirname(os.path.realpath(output))
    if os.path.isdir(output):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), output)
    if not os.path.isdir(folder):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), output)
    if not os.access(output if os.path.exists(output) else folder, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), output)
    for path in inputs:
        if os.path.exists(path) and os.path.exists(output) and os.path.samefile(path, output):
            raise ValueError(f"{output} is also an input, which the output would replace")
