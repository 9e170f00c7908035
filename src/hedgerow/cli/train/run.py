"""What ``hedgerow train`` does with what was chosen."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from hedgerow.cli.cluster import ShardOptions
from hedgerow.cli.derived import option_name
from hedgerow.cli.failures import as_sentences, complain, plain_warnings, refused
from hedgerow.cli.paths import check_output
from hedgerow.cli.progress import silenced
from hedgerow.cli.rescue import rescuing, whole_or_not
from hedgerow.cli.tasks import task_for, task_of
from hedgerow.cli.tasks.task import Task
from hedgerow.cli.terminal import say
from hedgerow.cli.train.choice import Choice
from hedgerow.cli.train.lessons import Lesson, ProgressOptions
from hedgerow.cli.train.saving import Every, Saving, before_stream, seen_before
from hedgerow.cli.train.searched import averaged, searched
from hedgerow.io.examples import no_example
from hedgerow.persistence.model_file import read_model_file


def run(
    choice: Choice,
    inputs: Sequence[str],
    output: str,
    *,
    trace: str | None,
    resume: str | None,
    skip_seen: bool | None,
    save_every: Every | None,
    final: bool,
    progress: ProgressOptions,
    shards: ShardOptions,
) -> None:
    """Train a model, or continue training one, and write it."""
    check_output(output, inputs)
    if trace is not None:
        check_output(trace, [*inputs, output])
    if shards.wanted:
        _check_shards(choice, trace, resume, progress)
    with (
        silenced(progress.quiet),
        whole_or_not(output),
        plain_warnings(),
        as_sentences(),
        shards.cluster.client() as client,
    ):
        before: dict[str, Any] | None = None
        skipped = 0
        if resume is not None:
            model, task, lesson, before, skipped = _resumed(resume, inputs, trace, skip_seen)
            if skipped and not progress.quiet:
                complain(f"the first {skipped} examples are skipped, since {resume} has seen them")
        else:
            if choice.searched:
                asked = {"--trace": trace, "--save-every": save_every}
                once = _read_once(choice, inputs, asked, progress, shards)
                choice = averaged(choice, once, progress) if once else searched(choice, inputs, progress)
            task = _task_for(choice, trace)
            lesson = task.sharded(inputs, shards, client) if shards.wanted else task.lesson(inputs)
            model = choice.make_learner(**task.for_learner())
        if save_every is not None and (output == "-" or not lesson.resumable):
            why = (
                "standard output is written once" if output == "-" else "training uses all examples together"
            )
            raise refused("--save-every", why)
        saving = Saving(model, output, inputs, task.notes, lesson, before, skipped, save_every, final)
        own = save_every is not None or _same_file(resume, output)
        with rescuing(model, output, saving.write, own=own):
            with saving.at_times():
                lesson.learn(model, progress, saving)
            if lesson.n == 0:
                raise no_example(inputs)
            saving.finished = True
    if trace is not None:
        model.trace_.write(trace)
    said = task.outcome(model, lesson)
    if said and output != "-":
        say(said)


def _same_file(one: str | None, other: str) -> bool:
    return one is not None and os.path.exists(one) and os.path.exists(other) and os.path.samefile(one, other)


def _read_once(
    choice: Choice,
    inputs: Sequence[str],
    asked: dict[str, Any],
    progress: ProgressOptions,
    shards: ShardOptions,
) -> str:
    """Why examples are not looked at before they are learned from; empty if they can be."""
    asked = {
        "--classes": choice.data.classes,
        **asked,
        "--progress-every": progress.every,
        "shards": shards.wanted,
    }
    if said := next((name for name, value in asked.items() if value), None):
        return f"with {said} nothing is searched"
    once = any(path == "-" or (os.path.exists(path) and not os.path.isfile(path)) for path in inputs)
    return "what can be read only once is not searched" if once else ""


def _task_for(choice: Choice, trace: str | None) -> Task:
    if trace is not None and not choice.learner.traces:
        raise refused("--trace", f"the learner {choice.learner.name} records none")
    return task_for(choice.problem).from_choice(choice)


def _resumed(
    path: str, inputs: Sequence[str], trace: str | None, skip_seen: bool | None
) -> tuple[Any, Task, Lesson, dict[str, Any], int]:
    """A saved model, its task, what it continues with, what it was trained on before, and how much of that to skip."""
    file = read_model_file(path)
    model = file.model
    if not hasattr(model, "partial_fit"):
        raise ValueError(f"{path} holds a {type(model).__name__}, which cannot continue learning")
    if getattr(model, "_final", False):
        raise ValueError(f"{path} was written with --final, without the state that learning continues from")
    if trace is not None and getattr(model, "trace_every", ...) is None:
        raise ValueError(f"{path} was trained without --trace, so it has no trace to continue")
    task = task_of(model, file.notes, path)
    skipped = seen_before(model, file.trained_on, inputs, path, skip_seen)
    before = before_stream(file.trained_on, path) if skipped else file.trained_on
    # A pass that was stopped is ended, and those after it are done.
    passes = getattr(model, "epochs", 1) if skipped and all(map(os.path.isfile, inputs)) else 1
    return model, task, task.more(model, inputs, passes), before, skipped


def _check_shards(choice: Choice, trace: str | None, resume: str | None, progress: ProgressOptions) -> None:
    """Refuses what shards have no use for."""
    online = choice.problem is None and not choice.learner.batch
    unwanted = {"resume": resume, "progress_every": progress.every, "classes": choice.data.classes}
    unwanted |= {"stream": choice.data.stream, "trace": trace if online else None}
    for name, value in unwanted.items():
        if value:
            why = "it is not for learning from shards (--scheduler, --workers, --shards)"
            raise refused(option_name(name), why)
    if not hasattr(choice.estimator, "_sharding"):
        advice = "; cutting-plane learns from shards" if choice.problem is None else ""
        raise refused(
            "--learner", f"the learner {choice.learner.name} needs all examples in one memory{advice}"
        )
