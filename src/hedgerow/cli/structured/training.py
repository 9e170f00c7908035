"""``hedgerow train`` with a structured problem."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import typer

from hedgerow.cli.cluster import ShardOptions, whole_files
from hedgerow.cli.cluster_training import fit
from hedgerow.cli.failures import INTERRUPTED, as_sentences, complain, plain_warnings
from hedgerow.cli.kernel_choice import option
from hedgerow.cli.learning import rescue, trained_on
from hedgerow.cli.names import STRUCTURED, LearnerName, ProblemName, Solver
from hedgerow.cli.progress import counting, spinning
from hedgerow.cli.structured.learners import learner_maker
from hedgerow.cli.structured.task import Task, TaskOptions
from hedgerow.cli.structured.tasks import TASKS, task_of
from hedgerow.cli.traces import write_trace
from hedgerow.cli.training import check_outputs
from hedgerow.data.files import name_of
from hedgerow.distributed.sources import from_files
from hedgerow.distributed.workers import workers_for
from hedgerow.io.tables import no_example
from hedgerow.persistence.model_file import ModelFile, write_model
from hedgerow.structured import StructuredPerceptron


@dataclass
class Plan:
    """What was said about learning; None was not said."""

    problem: ProblemName
    learner: LearnerName
    parameters: dict[str, Any]  # of the learner
    epochs: int | None
    classes: str | None
    stream: bool
    trace: str | None


def train_structured(
    inputs: Sequence[str], output: str, plan: Plan, options: TaskOptions, shards: ShardOptions
) -> None:
    """Learns a model of structured outputs and writes it."""
    check_outputs(inputs, output, plan.trace)
    if plan.learner not in STRUCTURED:
        raise typer.BadParameter(
            f"the learners of --problem are {' and '.join(STRUCTURED)}", param_hint="--learner"
        )
    kind = TASKS[plan.problem]
    _check_options(kind, options)
    given = plan.parameters if plan.stream else {**plan.parameters, "epochs": plan.epochs}
    make = learner_maker(kind, plan.learner, given, options.loss)
    task = kind.from_options(options)
    with plain_warnings(), as_sentences():
        if shards.wanted:
            shards.refuse({"stream": plan.stream, "classes": plan.classes})
            model, n = _learn_from_shards(task, make, inputs, output, shards)
        elif plan.stream:
            model, n = _learn_from_stream(task, make, inputs, output, plan)
        else:
            if plan.classes is not None:
                raise typer.BadParameter("it names the labels of a --stream", param_hint="--classes")
            X, Y = task.read(inputs)
            model, n = make(task), len(Y)
            _fit(model, X, Y, task, output)
    _finish(model, task, n, output, plan.trace, trained_on(inputs, n))


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


def _check_options(kind: type[Task], options: TaskOptions) -> None:
    """Refuses what is for other problems."""
    for name, value in options.own.items():
        if value is not None and name not in kind.options:
            owners = ", ".join(task.name for task in TASKS.values() if name in task.options)
            raise typer.BadParameter(f"it is for --problem {owners}", param_hint=option(name))
    if options.loss is not None and options.loss not in kind.losses:
        raise typer.BadParameter(
            f"the losses of --problem {kind.name.value} are {', '.join(kind.losses)}", param_hint="--loss"
        )


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
    task: Task, make: Callable[[Task], Any], inputs: Sequence[str], output: str, shards: ShardOptions
) -> tuple[Any, int]:
    """Learns from all files, on a cluster if one is wanted."""
    paths = whole_files(inputs)
    reader = task.reader(paths)
    with shards.cluster.client() as client:
        data = from_files(paths, reader, shards.shards)
        surveyed = data.surveyed(workers_for(client))
        task.settle(surveyed)
        model = make(task)
        fit(model, data, client, None, task.notes(), _how_far, output, shards.quiet)
    return model, surveyed.n


def _learn_from_stream(
    task: Task, make: Callable[[Task], Any], inputs: Sequence[str], output: str, plan: Plan
) -> tuple[Any, int]:
    """Learns from one piece after the other; files are read again for every pass."""
    epochs = plan.epochs or 1
    if plan.parameters.get("shuffle"):
        raise typer.BadParameter("a stream has its own order", param_hint="--shuffle")
    for path in inputs if epochs > 1 else ():
        if not os.path.isfile(path):
            raise ValueError(f"{name_of(path)} can be read only once, so --epochs is not possible")
    model, n = None, 0
    for epoch in range(epochs):
        pieces = task.stream(inputs, plan.classes)
        with counting("Learning", n * epochs or None) as advance:
            advance(n * epoch)
            for X, Y in pieces:
                model = make(task) if model is None else model
                if getattr(model, "solver", Solver.frank_wolfe) != Solver.frank_wolfe:
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
    return (
        f"{model.n_iter_} rounds, {model.n_constraints_} constraints, certificate {model.certificate_:.2g}, "
        f"{'' if model.converged_ else 'not '}converged"
    )
