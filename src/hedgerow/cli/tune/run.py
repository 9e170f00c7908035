"""What ``hedgerow tune`` does with its options: the ranking, and the training that uses the best."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from hedgerow import registry
from hedgerow.cli.failures import as_sentences, complain, plain_warnings
from hedgerow.cli.paths import check_output, check_plot, trained_on
from hedgerow.cli.rescue import beside, rescuing, whole_or_not
from hedgerow.cli.tasks.task import Task
from hedgerow.cli.terminal import say
from hedgerow.cli.train.choice import Choice
from hedgerow.cli.train.lessons import Whole
from hedgerow.cli.train.searched import described
from hedgerow.cli.tune.candidates import Grid
from hedgerow.cli.tune.report import Ranking, draw, print_json, print_table
from hedgerow.cli.tune.search import SearchOptions, rank
from hedgerow.persistence.model_file import write_model

REFIT_SAMPLE_SIZE = 5000


@dataclass(frozen=True)
class Wanted:
    """What is made of the ranking."""

    output: str | None
    sampled: bool  # whether that model is trained from samples
    sample_size: int | None
    as_json: bool
    plot: str | None


def run(inputs: Sequence[str], grid: Grid, options: SearchOptions, wanted: Wanted) -> None:
    """Everything from the options to the report and the model."""
    grid.check()
    for path in filter(None, (wanted.output, wanted.plot)):
        check_output(path, inputs)
    if wanted.plot is not None:
        check_plot(wanted.plot)
    with plain_warnings(), as_sentences(), whole_or_not(wanted.output or ""):
        task = grid.named.task.from_choice(grid.base)
        task.remarks = False  # the grid has other kernels
        X, y = task.everything(inputs)
        choices = grid.candidates(task)
        found = rank(X, y, [(choice, _made(choice, task)) for choice in choices], options)
        ranking = Ranking(len(y), options, *found)
    best = _trained(ranking, wanted)
    begin = shlex.join(["hedgerow", "train", *inputs, "-o", wanted.output or "MODEL"])
    command = f"{begin} {described(best, task.columns, grid.options_of(best))}"
    (print_json if wanted.as_json else print_table)(ranking, command)
    if wanted.plot is not None:
        draw(ranking, wanted.plot)
    output = wanted.output
    if output is not None:
        if not ranking.finished:
            output = beside(output)
            complain("interrupted; the best so far is being trained; another interruption ends that, too")
        with plain_warnings(), as_sentences():
            machine = _made(best, task)

            def write(path: str) -> None:
                write_model(machine, path, task.notes(), trained_on(inputs, len(y)))

            with rescuing(machine, output, write):
                Whole(X, y).learn(machine)
        if not wanted.as_json:
            say(f"{output}: {machine._outcome()}")
    if not ranking.finished:
        way = f"this trains the best so far: {command}" if output is None else f"{output} is the best so far"
        raise KeyboardInterrupt(f"; {way}")


def _made(choice: Choice, task: Task) -> Any:
    return choice.make_learner(**task.of(choice).for_learner())


def _trained(ranking: Ranking, wanted: Wanted) -> Choice:
    """How ``hedgerow train`` trains the best candidate."""
    best = ranking.best.choice
    if not wanted.sampled:
        return best
    of_samples = {
        "sampling": ranking.options.sampled,
        "sample_size": wanted.sample_size or REFIT_SAMPLE_SIZE,
        "random_state": ranking.options.seed,
    }
    return replace(best, learner=registry.learners()["cutting-plane"], given={**best.given, **of_samples})
