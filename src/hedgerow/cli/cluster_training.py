"""``hedgerow train`` over shards, on a cluster or here: what is learned is what `hedgerow.distributed.fit` learns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import typer

from hedgerow import distributed
from hedgerow.cli.cluster import ShardOptions, on_terminal, whole_files
from hedgerow.cli.examples import Tables
from hedgerow.cli.failures import INTERRUPTED, complain
from hedgerow.cli.learning import how_far, rescue
from hedgerow.cli.machines import how_far as how_far_machine
from hedgerow.cli.machines import outcome
from hedgerow.cli.train.choice import Choice
from hedgerow.cli.weights import hashed_features, may_keep_weights, prepare_weights
from hedgerow.distributed import Shards
from hedgerow.distributed.progress import showing
from hedgerow.distributed.shards import Surveyed
from hedgerow.distributed.sources import from_files
from hedgerow.distributed.workers import workers_for
from hedgerow.io.readers import TableReader
from hedgerow.io.schema import Schema
from hedgerow.persistence.model_file import write_model


def train_on_shards(
    inputs: Sequence[str], output: str, choice: Choice, options: ShardOptions
) -> tuple[Any, Schema]:
    """Learns a model; returns it with the schema to note, which is that of learning on one machine."""
    schema, features = choice.schema(), choice.data.features
    paths = whole_files(inputs)
    of_weights = None
    if may_keep_weights(choice):
        of_weights = prepare_weights(Tables(paths, schema).first(), choice, schema)
    with options.cluster.client() as client:
        data = from_files(paths, TableReader(of_weights or schema, features=features), options.shards)
        surveyed = data.surveyed(workers_for(client))
        schema = _settled(surveyed)
        if of_weights is not None:
            model = choice.make_learner(**hashed_features(choice, of_weights))
            schema = replace(of_weights, labels=schema.labels)
        else:
            model = choice.make_learner(choice.kernel.make(schema.columns))
        how = how_far_machine if choice.learner.batch else how_far
        fit(model, data, client, options.budget, schema.notes(), how, output, options.quiet)
    if output != "-":
        typer.echo(
            f"{surveyed.n} examples of {len(model.classes_)} classes{_outcome(model, choice.learner.batch)}"
        )
    return model, schema


def fit(
    model: Any,
    data: Shards,
    client: Any,
    budget: int | None,
    notes: dict[str, Any],
    how_far: Callable[[Any], str | None],
    output: str,
    quiet: bool,
) -> None:
    """Learns; Ctrl-C writes the model of the rounds so far, and ends the command."""
    try:
        with showing("Learning", not quiet and on_terminal()) as watch:
            distributed.fit(model, data, client=client, budget=budget, watch=watch)
    except KeyboardInterrupt:

        def write(path: str) -> None:
            write_model(model, path, notes)

        complain(rescue(how_far(model), "the model learned so far", output, write))
        raise typer.Exit(INTERRUPTED) from None


def _settled(surveyed: Surveyed) -> Schema:
    """The schema of all shards."""
    classes = surveyed.classes
    if classes is None or len(classes) < 2:
        which = "no label" if classes is None else f"the label {classes[0]}"
        raise ValueError(
            f"all {surveyed.n} examples have {which}; learning needs examples of two classes or more"
        )
    assert surveyed.schema is not None
    return surveyed.schema


def _outcome(model: Any, batch: bool) -> str:
    if batch:
        return f", {model.n_support_} supports, {outcome(model)}"
    return f", {model.n_nonzero_} weights" if model._on_weights else f", {model.n_support_} supports"
