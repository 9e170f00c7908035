"""What ``hedgerow train`` does with what was chosen."""

from __future__ import annotations

from collections.abc import Sequence

import typer

from hedgerow.cli.cluster import ShardOptions
from hedgerow.cli.structured.training import train_structured
from hedgerow.cli.train.choice import Choice
from hedgerow.cli.training import ProgressOptions, go_on, start, start_batch, start_on_shards


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
    learner = choice.learner
    if shards.wanted:
        shards.refuse({"resume": resume, "progress_every": progress.every})
    if resume is not None:
        go_on(resume, inputs, output, trace, progress)
    elif choice.problem is not None:
        train_structured(inputs, output, choice, trace, shards)
    elif shards.wanted:
        shards.refuse({"classes": choice.data.classes, "trace": trace if not learner.batch else None})
        start_on_shards(inputs, output, choice, trace, shards)
    elif learner.batch:
        if choice.data.classes is not None:
            raise typer.BadParameter(
                f"the learner {learner.name} needs all examples in memory, so that their classes are known",
                param_hint="--classes",
            )
        if trace is not None and not learner.traces:
            raise typer.BadParameter(f"the learner {learner.name} records none", param_hint="--trace")
        start_batch(inputs, output, choice, trace)
    else:
        start(inputs, output, choice, trace, progress)
