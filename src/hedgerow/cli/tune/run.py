"""What ``hedgerow tune`` does with its options: the ranking, and the training that uses the best."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace

from hedgerow import registry
from hedgerow.cli.derived import option_name, text_of
from hedgerow.cli.examples import look_at
from hedgerow.cli.failures import as_sentences, plain_warnings
from hedgerow.cli.paths import check_output, check_plot, trained_on
from hedgerow.cli.rescue import rescuing, whole_or_not
from hedgerow.cli.terminal import say
from hedgerow.cli.train.choice import Choice, DataOptions, KernelChoice
from hedgerow.cli.train.lessons import Whole
from hedgerow.cli.tune.candidates import Grid
from hedgerow.cli.tune.report import Ranking, draw, print_json, print_table
from hedgerow.cli.tune.search import SearchOptions, rank
from hedgerow.parameters import parameters_of
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


def run(inputs: Sequence[str], data: DataOptions, grid: Grid, options: SearchOptions, wanted: Wanted) -> None:
    """Everything from the options to the report and the model."""
    grid.check()
    for path in filter(None, (wanted.output, wanted.plot)):
        check_output(path, inputs)
    if wanted.plot is not None:
        check_plot(wanted.plot)
    if grid.kernels and all(row.data_kind == "text" for row in grid.kernels) and data.format is None:
        data = replace(data, format="text")
    choice = Choice(grid.learner, {}, KernelChoice(), None, {}, data)
    with plain_warnings(), as_sentences(), whole_or_not(wanted.output or ""):
        training = look_at(inputs, choice.schema(), data.features, keep_all=True)
        X, y = training.everything()
        columns = training.schema.columns
        kernels = [(kernel, kernel.make(columns)) for kernel in grid.choices(columns, data.column)]
        options = options.for_examples(len(y))
        ranking = Ranking(len(y), options, rank(X, y, kernels, dict(grid.of_machine), choice, options))
    best = _trained(ranking, wanted)
    command = train_command(best, inputs, wanted.output)
    (print_json if wanted.as_json else print_table)(ranking, command)
    if wanted.plot is not None:
        draw(ranking, wanted.plot)
    if wanted.output is None:
        return
    with plain_warnings(), as_sentences():
        machine = best.make_learner(best.kernel.make(columns))

        def write(path: str) -> None:
            write_model(machine, path, training.schema.notes(), trained_on(inputs, len(y)))

        with rescuing(machine, wanted.output, write):
            Whole(X, y).learn(machine)
    if not wanted.as_json:
        say(f"{wanted.output}: {machine._outcome()}")


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


def train_command(choice: Choice, inputs: Sequence[str], output: str | None) -> str:
    """The command line that trains what was chosen."""
    assert choice.kernel.row is not None
    words = ["hedgerow", "train", *inputs, "-o", output or "MODEL"]
    words += ["--learner", choice.learner.name, "--kernel", choice.kernel.row.name]
    normalize = {} if choice.kernel.normalize is None else {"normalize": choice.kernel.normalize}
    defaults = {name: parameter.default for name, parameter in parameters_of(DataOptions).items()}
    data = {name: value for name, value in vars(choice.data).items() if value != defaults[name]}
    for parameter, value in {**choice.kernel.given, **choice.given, **normalize, **data}.items():
        name = option_name(parameter)
        if isinstance(value, bool):
            words.append(name if value else name.replace("--", "--no-", 1))
        else:
            words += [name, text_of(value)]
    return shlex.join(words)
