"""What ``hedgerow train`` does with what was chosen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hedgerow.cli.cluster import ShardOptions
from hedgerow.cli.derived import option_name
from hedgerow.cli.failures import as_sentences, plain_warnings, refused
from hedgerow.cli.paths import check_output, trained_on
from hedgerow.cli.rescue import rescuing, whole_or_not
from hedgerow.cli.tasks import TASKS, task_of
from hedgerow.cli.tasks.labels import LabelTask
from hedgerow.cli.tasks.task import Task
from hedgerow.cli.terminal import say
from hedgerow.cli.train.choice import Choice
from hedgerow.cli.train.lessons import Lesson, ProgressOptions
from hedgerow.io.examples import no_example
from hedgerow.persistence.model_file import read_model_file, write_model


def run(
    choice: Choice,
    inputs: Sequence[str],
    output: str,
    *,
    trace: str | None,
    resume: str | None,
    progress: ProgressOptions,
    shards: ShardOptions,
) -> None:
    """Learns a model, or goes on with one, and writes it."""
    check_output(output, inputs)
    if trace is not None:
        check_output(trace, [*inputs, output])
    if shards.wanted:
        _check_shards(choice, trace, resume, progress)
    with whole_or_not(output), plain_warnings(), as_sentences(), shards.cluster.client() as client:
        before: dict[str, Any] | None = None
        if resume is not None:
            model, task, lesson, before = _resumed(resume, inputs, trace)
        else:
            task = _task_for(choice, trace)
            lesson = task.sharded(inputs, shards, client) if shards.wanted else task.lesson(inputs)
            model = choice.make_learner(**task.for_learner())
        lineage: dict[str, Any] | None = None
        with rescuing(model, output, lambda path: write_model(model, path, task.notes(), lineage)):
            lesson.learn(model, progress)
            if lesson.n == 0:
                raise no_example(inputs)
            lineage = trained_on(inputs, lesson.n, before)
    if trace is not None:
        model.trace_.write(trace)
    said = task.outcome(model, lesson)
    if said and output != "-":
        say(said)


def _task_for(choice: Choice, trace: str | None) -> Task:
    if trace is not None and not choice.learner.traces:
        raise refused("--trace", f"the learner {choice.learner.name} records none")
    kind = LabelTask if choice.problem is None else TASKS[choice.problem.name]
    return kind.from_choice(choice)


def _resumed(path: str, inputs: Sequence[str], trace: str | None) -> tuple[Any, Task, Lesson, dict[str, Any]]:
    """A saved model, its task, what it goes on with, and what it was trained on before."""
    file = read_model_file(path)
    model = file.model
    if not hasattr(model, "partial_fit"):
        raise ValueError(f"{path} holds a {type(model).__name__}, which does not go on learning")
    if trace is not None and getattr(model, "trace_every", ...) is None:
        raise ValueError(f"{path} was trained without --trace, so it has no trace to go on with")
    task = task_of(model, file.notes, path)
    return model, task, task.more(model, inputs), file.trained_on


def _check_shards(choice: Choice, trace: str | None, resume: str | None, progress: ProgressOptions) -> None:
    """Refuses what shards have no use for."""
    online = choice.problem is None and not choice.learner.batch
    unwanted = {"resume": resume, "progress_every": progress.every, "classes": choice.data.classes}
    unwanted |= {"stream": choice.data.stream, "trace": trace if online else None}
    for name, value in unwanted.items():
        if value:
            why = "it is not for learning from shards (--scheduler, --workers, --shards)"
            raise refused(option_name(name), why)
    if not hasattr(choice.learner.cls, "_sharding"):
        advice = "; cutting-plane learns from shards" if choice.problem is None else ""
        raise refused(
            "--learner", f"the learner {choice.learner.name} needs all examples in one memory{advice}"
        )
