"""What ``hedgerow train`` does with its options."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import typer

from hedgerow.cli.cluster import ShardOptions, whole_files
from hedgerow.cli.cluster_training import fit, train_on_shards
from hedgerow.cli.examples import Passes, Stream, Tables, look_at, stream
from hedgerow.cli.failures import as_sentences, plain_warnings
from hedgerow.cli.kernel_choice import choose_kernel, is_for_text
from hedgerow.cli.learner_choice import choose_learner, option_name
from hedgerow.cli.learning import check_output, learn, resumed, trained_on
from hedgerow.cli.machines import fit_machine, how_far, outcome
from hedgerow.cli.names import KernelName, LearnerName, Sampling
from hedgerow.cli.progressive import ProgressiveReport
from hedgerow.cli.traces import write_trace
from hedgerow.cli.weights import HashingOptions, learn_weights, may_keep_weights, prepare_weights
from hedgerow.distributed.sources import from_files
from hedgerow.io.formats import DataFormat
from hedgerow.io.readers import TableReader
from hedgerow.io.schema import Schema
from hedgerow.kernels import Kernel, Linear
from hedgerow.models.schema import schema_of
from hedgerow.persistence.model_file import write_model


@dataclass
class KernelOptions:
    """What was said about the kernel; None, here and among the parameters, was not said."""

    name: KernelName | None
    parameters: dict[str, Any]
    normalize: bool | None
    column: str | None

    @property
    def silent(self) -> bool:
        """Whether nothing was said."""
        return (
            self.name is None
            and self.normalize is None
            and all(value is None for value in self.parameters.values())
        )

    def choose(self, schema: Schema) -> Kernel:
        """The kernel for examples of this schema."""
        return choose_kernel(self.name, self.parameters, self.normalize, self.column, schema.columns)


def start(
    inputs: Sequence[str],
    output: str,
    learner: LearnerName,
    of_learner: dict[str, Any],
    kernel: KernelOptions,
    hashing: HashingOptions,
    schema: Schema,
    classes: str | None,
    features: int | None,
    trace: str | None,
    progress: ProgressOptions,
) -> None:
    """Learns a new model and writes it."""
    check_outputs(inputs, output, trace)
    schema = _expecting_texts(kernel, schema)
    live = may_keep_weights(learner, kernel, hashing)
    with plain_warnings(), as_sentences():
        tables = Tables(inputs, schema, live)
        of_weights = (
            prepare_weights(tables.first(), learner, kernel, hashing, schema, features) if live else None
        )
        if of_weights is not None:
            given = of_learner | hashing.of_learner(of_weights)
            model = choose_learner(learner, None, given)
            report = progress.on_weights()
            schema = learn_weights(model, tables, of_weights, classes, output, given, report)
        else:
            training = (
                look_at(inputs, schema, features, tables=tables)
                if classes is None
                else Stream(tables, schema, classes, features)
            )
            schema = training.schema
            passes = training.passes(of_learner["epochs"] or 1, bool(of_learner["shuffle"]))
            model = choose_learner(learner, kernel.choose(schema), of_learner)
            learn(model, schema, passes, training.classes, output, progress.on_kernels())
    _write(model, schema, output, trace, trained_on(inputs))


def start_batch(
    inputs: Sequence[str],
    output: str,
    learner: LearnerName,
    of_learner: dict[str, Any],
    kernel: KernelOptions,
    schema: Schema,
    features: int | None,
    trace: str | None,
) -> None:
    """Fits a machine to all examples together and writes it."""
    check_outputs(inputs, output, trace)
    schema = _expecting_texts(kernel, schema)
    choose_learner(learner, Linear(), of_learner)  # complains before the data are read
    # Machines that draw samples need not have all examples in memory, if they can draw from files.
    streams = of_learner["sampling"] == Sampling.uniform and all(map(os.path.isfile, inputs))
    with plain_warnings(), as_sentences():
        training = look_at(inputs, schema, features, keep_all=not streams)
        schema = training.schema
        machine = choose_learner(learner, kernel.choose(schema), of_learner)
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
    learner: LearnerName,
    of_learner: dict[str, Any],
    kernel: KernelOptions,
    hashing: HashingOptions,
    schema: Schema,
    features: int | None,
    trace: str | None,
    shards: ShardOptions,
) -> None:
    """Learns a new model from shards, on a cluster or here, and writes it."""
    check_outputs(inputs, output, trace)
    schema = _expecting_texts(kernel, schema)
    with plain_warnings(), as_sentences():
        model, schema = train_on_shards(
            inputs, output, learner, of_learner, kernel, hashing, schema, features, shards
        )
    _write(model, schema, output, trace, trained_on(inputs))


def go_on(
    resume: str,
    inputs: Sequence[str],
    output: str,
    given: dict[str, Any],
    trace: str | None,
    progress: ProgressOptions,
) -> None:
    """Goes on with a model and writes it; nothing that it has settled may be given again."""
    check_outputs(inputs, output, trace)
    for parameter, value in given.items():
        if value is not None and parameter != "trace_every":
            raise typer.BadParameter(
                "the model that --resume names has this settled already", param_hint=option_name(parameter)
            )
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


def _expecting_texts(kernel: KernelOptions, schema: Schema) -> Schema:
    """Kernels of texts say what the files hold, unless --format does."""
    if is_for_text(kernel.name) and schema.format is None:
        return replace(schema, format=DataFormat.text.value)
    return schema


def check_outputs(inputs: Sequence[str], output: str, trace: str | None) -> None:
    """Complains before the work, not after it."""
    check_output(output, inputs)
    if trace is not None:
        check_output(trace, [*inputs, output])


def _write(model: Any, schema: Schema, output: str, trace: str | None, data: dict[str, Any]) -> None:
    write_model(model, output, schema.notes(), data)
    if trace is not None:
        write_trace(model.trace_.to_dict(), trace)
