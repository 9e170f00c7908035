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
from hedgerow.cli.learner_choice import choose_learner, takes
from hedgerow.cli.learning import how_far, rescue
from hedgerow.cli.machines import how_far as how_far_machine
from hedgerow.cli.machines import outcome
from hedgerow.cli.names import BATCH, LearnerName
from hedgerow.cli.weights import HashingOptions, may_keep_weights, prepare_weights
from hedgerow.distributed import Shards
from hedgerow.distributed.progress import showing
from hedgerow.distributed.shards import Surveyed
from hedgerow.distributed.sources import from_files
from hedgerow.distributed.workers import workers_for
from hedgerow.io.readers import TableReader
from hedgerow.io.schema import Schema
from hedgerow.persistence.model_file import write_model


def train_on_shards(
    inputs: Sequence[str],
    output: str,
    learner: LearnerName,
    of_learner: dict[str, Any],
    kernel: Any,
    hashing: HashingOptions,
    schema: Schema,
    features: int | None,
    options: ShardOptions,
) -> tuple[Any, Schema]:
    """Learns a model; returns it with the schema to note, which is that of learning on one machine."""
    if learner is LearnerName.svm:
        raise typer.BadParameter(
            "the learner svm needs all examples in one memory; cutting-plane learns from shards",
            param_hint="--learner",
        )
    paths = whole_files(inputs)
    of_learner, budget = _with_budget(learner, of_learner)
    of_weights = None
    if learner not in BATCH and may_keep_weights(learner, kernel, hashing):
        first = Tables(paths, schema).first()
        of_weights = prepare_weights(first, learner, kernel, hashing, schema, features)
    with options.cluster.client() as client:
        data = from_files(paths, TableReader(of_weights or schema, features=features), options.shards)
        surveyed = data.surveyed(workers_for(client))
        schema = _settled(surveyed)
        if of_weights is not None:
            model = choose_learner(learner, None, of_learner | hashing.of_learner(of_weights))
            schema = replace(of_weights, labels=schema.labels)
        else:
            model = choose_learner(learner, kernel.choose(schema), of_learner)
        how = how_far_machine if learner in BATCH else how_far
        fit(model, data, client, budget, schema.notes(), how, output, options.quiet)
    if output != "-":
        typer.echo(f"{surveyed.n} examples of {len(model.classes_)} classes{_outcome(model, learner)}")
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


def _with_budget(learner: LearnerName, of_learner: dict[str, Any]) -> tuple[dict[str, Any], int | None]:
    """The learner's parameters, and the budget of what shards have learned, if it is not one of these."""
    budget = of_learner["budget"]
    if budget is None or takes(learner, "budget") or learner in BATCH:
        return of_learner, None
    return {**of_learner, "budget": None}, budget


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


def _outcome(model: Any, learner: LearnerName) -> str:
    if learner in BATCH:
        return f", {model.n_support_} supports, {outcome(model)}"
    return f", {model.n_nonzero_} weights" if model._on_weights else f", {model.n_support_} supports"
