"""What ``hedgerow train`` does with its options."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import typer

from hedgerow.cli.cluster import ShardOptions, whole_files
from hedgerow.cli.cluster_training import fit, train_on_shards
from hedgerow.cli.examples import Passes, Stream, Tables, look_at, stream
from hedgerow.cli.failures import as_sentences, plain_warnings
from hedgerow.cli.learning import check_output, learn, resumed, trained_on
from hedgerow.cli.machines import fit_machine, how_far, outcome
from hedgerow.cli.progressive import ProgressiveReport
from hedgerow.cli.traces import write_trace
from hedgerow.cli.train.choice import Choice
from hedgerow.cli.weights import hashed_features, learn_weights, may_keep_weights, prepare_weights
from hedgerow.distributed.sources import from_files
from hedgerow.io.readers import TableReader
from hedgerow.io.schema import Schema
from hedgerow.models.schema import schema_of
from hedgerow.persistence.model_file import write_model


def start(
    inputs: Sequence[str],
    output: str,
    choice: Choice,
    trace: str | None,
    progress: ProgressOptions,
) -> None:
    """Learns a new model and writes it."""
    check_outputs(inputs, output, trace)
    schema = choice.schema()
    live, features, classes = may_keep_weights(choice), choice.data.features, choice.data.classes
    with plain_warnings(), as_sentences():
        tables = Tables(inputs, schema, live)
        of_weights = prepare_weights(tables.first(), choice, schema) if live else None
        if of_weights is not None:
            model = choice.make_learner(**hashed_features(choice, of_weights))
            report = progress.on_weights()
            schema = learn_weights(model, tables, of_weights, classes, output, report)
        else:
            training = (
                look_at(inputs, schema, features, tables=tables)
                if classes is None
                else Stream(tables, schema, classes, features)
            )
            schema = training.schema
            model = choice.make_learner(choice.kernel.make(schema.columns))
            passes = training.passes(model.epochs, model.shuffle)
            learn(model, schema, passes, training.classes, output, progress.on_kernels())
    _write(model, schema, output, trace, trained_on(inputs))


def start_batch(
    inputs: Sequence[str],
    output: str,
    choice: Choice,
    trace: str | None,
) -> None:
    """Fits a machine to all examples together and writes it."""
    check_outputs(inputs, output, trace)
    schema = choice.schema()
    # Machines that draw samples need not have all examples in memory, if they can draw from files.
    streams = choice.given.get("sampling") == "uniform" and all(map(os.path.isfile, inputs))
    with plain_warnings(), as_sentences():
        training = look_at(inputs, schema, choice.data.features, keep_all=not streams)
        schema = training.schema
        machine = choice.make_learner(choice.kernel.make(schema.columns))
        if training.kept is None:
            data = from_files(whole_files(inputs), TableReader(schema))
            fit(machine, data, None, None, schema.notes(), how_far, output, quiet=False)
        else:
            X, y = training.everything()
            fit_machine(machine, X, y, output, lambda path: write_model(machine, path, schema.notes()))
    _write(machine, schema, output, trace, trained_on(inputs, training.n))
    if output != "-":
        typer.echo(
            f"{training.n} examples of {len(machine.classes_)} classes, {machine.n_support_} supports, "
            f"{outcome(machine)}"
        )


def start_on_shards(
    inputs: Sequence[str],
    output: str,
    choice: Choice,
    trace: str | None,
    shards: ShardOptions,
) -> None:
    """Learns a new model from shards, on a cluster or here, and writes it."""
    check_outputs(inputs, output, trace)
    with plain_warnings(), as_sentences():
        model, schema = train_on_shards(inputs, output, choice, shards)
    _write(model, schema, output, trace, trained_on(inputs))


def go_on(
    resume: str, inputs: Sequence[str], output: str, trace: str | None, progress: ProgressOptions
) -> None:
    """Goes on with a model and writes it."""
    check_outputs(inputs, output, trace)
    file = resumed(resume)
    model, notes = file.model, file.notes
    # Imported here, because they need this module.
    from hedgerow.cli.structured.training import go_on_structured

    if hasattr(model, "problem_"):
        go_on_structured(file, inputs, output, trace)
        return
    schema = schema_of(model, notes)
    if trace is not None and model.trace_every is None:
        raise ValueError(f"{resume} was trained without --trace, so it has no trace to go on with")
    report = progress.on_weights() if model._on_weights else progress.on_kernels()
    with plain_warnings(), as_sentences():
        passes = Passes(stream(Tables(inputs, schema, live=model._on_weights), schema))
        learn(model, schema, passes, None, output, report)
    _write(model, schema, output, trace, trained_on(inputs, before=file.trained_on))


@dataclass
class ProgressOptions:
    """What was said about the progressive error."""

    every: int | None
    quiet: bool

    def on_weights(self) -> ProgressiveReport | None:
        return None if self.quiet else ProgressiveReport(self.every)

    def on_kernels(self) -> ProgressiveReport | None:
        """Predictions take their time there, so that they have to be asked for."""
        return None if self.quiet or self.every is None else ProgressiveReport(self.every)


def check_outputs(inputs: Sequence[str], output: str, trace: str | None) -> None:
    """Complains before the work, not after it."""
    check_output(output, inputs)
    if trace is not None:
        check_output(trace, [*inputs, output])


def _write(model: Any, schema: Schema, output: str, trace: str | None, data: dict[str, Any]) -> None:
    write_model(model, output, schema.notes(), data)
    if trace is not None:
        write_trace(model.trace_.to_dict(), trace)
