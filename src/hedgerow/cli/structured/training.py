"""``hedgerow train`` with a structured problem."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import typer

from hedgerow.cli.cluster import ShardOptions, whole_files
from hedgerow.cli.cluster_training import fit
from hedgerow.cli.failures import INTERRUPTED, as_sentences, complain, plain_warnings
from hedgerow.cli.learning import rescue, trained_on
from hedgerow.cli.progress import counting, spinning
from hedgerow.cli.structured.task import Task
from hedgerow.cli.structured.tasks import TASKS, task_of
from hedgerow.cli.traces import write_trace
from hedgerow.cli.train.choice import Choice
from hedgerow.cli.training import check_outputs
from hedgerow.data.files import name_of
from hedgerow.distributed.sources import from_files
from hedgerow.distributed.workers import workers_for
from hedgerow.io.tables import no_example
from hedgerow.persistence.model_file import ModelFile, write_model
from hedgerow.structured import StructuredPerceptron


def train_structured(
    inputs: Sequence[str], output: str, choice: Choice, trace: str | None, shards: ShardOptions
) -> None:
    """Learns a model of structured outputs and writes it."""
    check_outputs(inputs, output, trace)
    assert choice.problem is not None
    task = TASKS[choice.problem.name].from_choice(choice)
    data = choice.data
    with plain_warnings(), as_sentences():
        if shards.wanted:
            shards.refuse({"stream": data.stream, "classes": data.classes})
            model, n = _learn_from_shards(task, choice, inputs, output, shards)
        elif data.stream:
            model, n = _learn_from_stream(task, choice, inputs, output)
        else:
            if data.classes is not None:
                raise typer.BadParameter("it names the labels of a --stream", param_hint="--classes")
            X, Y = task.read(inputs)
            model, n = choice.make_learner(problem=task.parameters()), len(Y)
            _fit(model, X, Y, task, output)
    _finish(model, task, n, output, trace, trained_on(inputs, n))


def go_on_structured(file: ModelFile, inputs: Sequence[str], output: str, trace: str | None) -> None:
    """Goes on with a model, in one pass, and writes it."""
    model = file.model
    task = task_of(model, file.notes)
    n = 0
    with plain_warnings(), as_sentences(), counting("Learning", None) as advance:
        for X, Y in task.pieces(inputs):
            with _rescuing(model, task, output):
                model.partial_fit(X, Y)
            advance(len(Y))
            n += len(Y)
    if n == 0:
        raise no_example(inputs)
    _finish(model, task, n, output, trace, trained_on(inputs, n, file.trained_on))


def _finish(model: Any, task: Task, n: int, output: str, trace: str | None, data: dict[str, Any]) -> None:
    write_model(model, output, task.notes(), data)
    if trace is not None:
        write_trace(model.trace_.to_dict(), trace)
    if output != "-":
        typer.echo(f"{n} {task.examples}, {_outcome(model)}")


def _fit(model: Any, X: Any, Y: Any, task: Task, output: str) -> None:
    with _rescuing(model, task, output), spinning("Learning") as say:
        model._watch = lambda entry: say(
            f"round {entry['iteration']}, certificate {entry['certificate']:.4f}, "
            f"{entry['constraints']} constraints"
        )
        try:
            model.fit(X, Y)
        finally:
            del model._watch


def _learn_from_shards(
    task: Task, choice: Choice, inputs: Sequence[str], output: str, shards: ShardOptions
) -> tuple[Any, int]:
    """Learns from all files, on a cluster if one is wanted."""
    paths = whole_files(inputs)
    reader = task.reader(paths)
    with shards.cluster.client() as client:
        data = from_files(paths, reader, shards.shards)
        surveyed = data.surveyed(workers_for(client))
        task.settle(surveyed)
        model = choice.make_learner(problem=task.parameters())
        fit(model, data, client, None, task.notes(), _how_far, output, shards.quiet)
    return model, surveyed.n


def _learn_from_stream(task: Task, choice: Choice, inputs: Sequence[str], output: str) -> tuple[Any, int]:
    """Learns from one piece after the other; files are read again for every pass."""
    epochs = choice.given.get("epochs", 1)
    if choice.given.get("shuffle"):
        raise typer.BadParameter("a stream has its own order", param_hint="--shuffle")
    for path in inputs if epochs > 1 else ():
        if not os.path.isfile(path):
            raise ValueError(f"{name_of(path)} can be read only once, so --epochs is not possible")
    model, n = None, 0
    for epoch in range(epochs):
        pieces = task.stream(inputs, choice.data.classes)
        with counting("Learning", n * epochs or None) as advance:
            advance(n * epoch)
            for X, Y in pieces:
                model = model or choice.make_learner(problem=task.parameters())
                if getattr(model, "solver", "frank-wolfe") != "frank-wolfe":
                    raise typer.BadParameter(_NO_STREAM, param_hint="--stream")
                with _rescuing(model, task, output):
                    model.partial_fit(X, Y)
                advance(len(Y))
                n += len(Y) if epoch == 0 else 0
    if model is None:
        raise no_example(inputs)
    return model, n


_NO_STREAM = "only structured-perceptron, and structured-svm with --solver frank-wolfe, learn in pieces"


@contextmanager
def _rescuing(model: Any, task: Task, output: str) -> Iterator[None]:
    """Ctrl-C writes the model as far as it has come, and ends the command."""
    try:
        yield
    except KeyboardInterrupt:

        def write(path: str) -> None:
            write_model(model, path, task.notes())

        complain(rescue(_how_far(model), "the model learned so far", output, write))
        raise typer.Exit(INTERRUPTED) from None


def _how_far(model: Any) -> str | None:
    if isinstance(model, StructuredPerceptron):
        seen = getattr(model, "n_seen_", 0)
        return f"{seen} examples" if seen else None
    rounds = getattr(model, "n_iter_", 0)
    return f"{rounds} rounds" if rounds else None


def _outcome(model: Any) -> str:
    """How training ended, in words."""
    if isinstance(model, StructuredPerceptron):
        return f"{model.mistakes_} mistakes in {model.n_seen_} predictions while learning"
    if not hasattr(model, "certificate_"):
        return f"{len(model.coef_)} weights"
    return (
        f"{model.n_iter_} rounds, {model.n_constraints_} constraints, certificate {model.certificate_:.2g}, "
        f"{'' if model.converged_ else 'not '}converged"
    )
