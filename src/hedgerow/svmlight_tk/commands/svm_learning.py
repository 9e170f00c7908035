"""What ``hedgerow svm_learn`` does: reading, learning by either method, and the model file."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import typer

from hedgerow.cli.examples import LabelledData, look_at
from hedgerow.cli.failures import as_sentences, plain_warnings
from hedgerow.cli.paths import check_output
from hedgerow.cli.rescue import rescuing, whole_or_not
from hedgerow.cli.terminal import say
from hedgerow.cli.train.lessons import Pieces, Whole
from hedgerow.io.examples import Examples, Vector, join
from hedgerow.io.readers import Batch
from hedgerow.io.schema import Schema
from hedgerow.svmlight_tk import kernel_for, write_svmlight_tk_model
from hedgerow.svmlight_tk.flags import FlagError
from hedgerow.svmlight_tk.kernel import columns_for
from hedgerow.svmlight_tk.learning import Learning, model_of, signs, understood, usual_C


def learn_and_write(arguments: list[str]) -> None:
    """Everything from the flags to the model file."""
    try:
        wanted = understood(arguments)
    except FlagError as error:
        raise typer.BadParameter(str(error)) from None
    check_output(wanted.output, [wanted.examples])
    with whole_or_not(wanted.output), plain_warnings(), as_sentences():
        said = _learn(wanted)
    if wanted.verbose and wanted.output != "-":
        say(said)


def _learn(wanted: Learning) -> str:
    """Learn, and write the model; returns what there is to say about it."""
    learner, parameters = wanted.learner, wanted.parameters
    schema = Schema("svmlight-tk", wanted.spaces_in_leaves)
    training = look_at([wanted.examples], schema, None, keep_all=wanted.shuffle or not wanted.online)
    schema = replace(training.schema, columns=columns_for(parameters, training.schema.columns))
    training = replace(training, schema=schema)
    learner.set_params(kernel=kernel_for(parameters, list(schema.columns)))
    batches = _shuffled(training) if wanted.shuffle else training

    def write(path: str) -> None:
        model = model_of(
            learner,
            parameters,
            _supports(batches, learner.support_),
            n_documents=training.n,
            highest_feature=max(
                (width for name, width in schema.n_features.items() if name in schema.columns), default=0
            ),
        )
        write_svmlight_tk_model(path, model, spaces_in_leaves=wanted.spaces_in_leaves)

    with rescuing(learner, wanted.output, write):
        said = (
            _learn_online(wanted, batches, training.n) if wanted.online else _learn_at_once(wanted, training)
        )
    return f"{training.n} examples, {said}"


def _shuffled(training: LabelledData) -> list[Batch]:
    X, y = training.everything()
    order = np.random.RandomState(0).permutation(training.n)
    return [(X[order], y[order])]


def _learn_online(wanted: Learning, training: Iterable[Batch], n: int) -> str:
    """One pass over the examples."""
    learner = wanted.learner
    batches = ((X, signs(y, wanted.examples)) for X, y in training)
    Pieces([batches], np.array([-1, 1]), n).learn(learner)
    if learner.n_support_ == 0:
        raise ValueError("the learner has kept no example, so there is no model to write; try a larger -B")
    return f"{learner.mistakes_} mistakes while learning, {learner.n_support_} support vectors"


def _learn_at_once(wanted: Learning, training: LabelledData) -> str:
    """A support vector machine of all examples."""
    machine = wanted.learner
    X, labels = training.everything()
    y = signs(labels, wanted.examples, both=True)
    if wanted.chooses_C:
        machine.set_params(C=usual_C(machine, X))
    Whole(X, y).learn(machine)
    return f"{machine.n_support_} support vectors, C = {machine.C:.6g}, {machine._convergence()}"


def _supports(training: Iterable[Batch], numbers: Vector) -> Examples:
    """The examples with these numbers."""
    found, first = [], 0
    for X, y in training:
        here = numbers[(numbers >= first) & (numbers < first + len(y))] - first
        if len(here):
            found.append(X[here])
        first += len(y)
    return join(found)
