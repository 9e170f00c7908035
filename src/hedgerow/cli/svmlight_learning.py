"""What ``hedgerow svm_learn`` does with its flags: reading, learning by either method, and the model file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import typer

from hedgerow.cli import svmlight_batch, svmlight_online
from hedgerow.cli.examples import Training, look_at
from hedgerow.cli.failures import as_sentences, plain_warnings
from hedgerow.cli.flags import SPACES_IN_LEAVES, parse_flags, whole
from hedgerow.cli.learning import check_output
from hedgerow.cli.machines import fit_machine
from hedgerow.cli.svmlight_labels import signs
from hedgerow.io import SvmlightTkModel, SvmlightTkParameters, write_svmlight_tk_model
from hedgerow.io.examples import Examples, Vector
from hedgerow.io.formats import DataFormat
from hedgerow.io.schema import Schema
from hedgerow.io.svmlight_tk_model import FLAGS
from hedgerow.io.tables import join
from hedgerow.kernels.svmlight_tk import COMBINATION, kernel_for

_OF_THE_SOLVER = "belongs to the solver of SVM-light; that of hedgerow chooses working sets by itself"
_OF_TRANSDUCTION = "belongs to transduction, which hedgerow does not do"
_REFUSED = {
    **dict.fromkeys("qnhf", _OF_THE_SOLVER),
    **dict.fromkeys("ok", "belongs to estimates of the error, which hedgerow does not make"),
    "i": "hedgerow keeps inconsistent examples",
    "x": "hedgerow has no leave-one-out; cross_val_score in Python estimates errors",
    **dict.fromkeys("pl", _OF_TRANSDUCTION),
    "w": "belongs to regression (-z r), which hedgerow does not have yet",
    "a": "hedgerow writes coefficients to the model file only",
    "y": "hedgerow writes coefficients to the model file only",
    "D": "version 1.5 has -F 0 (ST) and -F 1 (SST) instead",
}
_METHODS = {"c": svmlight_batch.FLAGS, "o": svmlight_online.FLAGS}  # and the flags that belong to them
_MISSING = {"r": "regression", "p": "ranking"}


def learn_and_write(arguments: list[str]) -> None:
    """Everything from the flags to the model file."""
    known = "zv" + "".join(_METHODS.values()) + "".join(FLAGS)
    flags, files = parse_flags(arguments, known, _REFUSED, (SPACES_IN_LEAVES,))
    method = _method(flags)
    learner = svmlight_batch.machine(flags) if method == "c" else svmlight_online.online_learner(flags)
    learner._check_params()
    parameters = SvmlightTkParameters.from_flags({key: v for key, v in flags.items() if key in FLAGS})
    examples, output = _files(files)
    check_output(output, [examples])
    spaces = SPACES_IN_LEAVES in flags

    def write(path: str) -> None:
        model = _model(learner, parameters, training)
        if method == "o":
            model = svmlight_online.with_votes(model, learner)
        write_svmlight_tk_model(path, model, spaces_in_leaves=spaces)

    with plain_warnings(), as_sentences():
        schema = Schema(DataFormat.svmlight_tk.value, spaces)
        training = look_at([examples], schema, None, keep_all=method == "c")
        schema = training.schema
        training = replace(training, schema=replace(schema, columns=_used(parameters, schema.columns)))
        learner.set_params(kernel=kernel_for(parameters, list(training.schema.columns)))
        if method == "o":
            said = svmlight_online.learn_online(learner, training, examples)
        else:
            X, labels = training.everything()
            y = signs(labels, examples)
            svmlight_batch.check_signs(y, examples)
            svmlight_batch.settle_C(learner, X, flags)
            fit_machine(learner, X, y, output, write)
            said = svmlight_batch.summary(learner)
    write(output)
    if whole(flags, "v", 1) and output != "-":
        typer.echo(f"{training.n} examples, {said}")


def _method(flags: dict[str, str]) -> str:
    kind = flags.get("z", "c")
    accepted = "-z c (classification) and -z o (online learning) are there"
    if kind in _MISSING:
        raise typer.BadParameter(f"-z {kind} is {_MISSING[kind]}, which hedgerow does not have; {accepted}")
    if kind not in _METHODS:
        raise typer.BadParameter(f"-z must be c (classification) or o (online learning), got {kind!r}")
    for other, letters in _METHODS.items():
        for letter in letters:
            if letter in flags and letter not in _METHODS[kind]:
                raise typer.BadParameter(f"-{letter} belongs to -z {other}, not to -z {kind}")
    return kind


def _files(files: list[str]) -> tuple[str, str]:
    if len(files) not in (1, 2):
        what = "no file of examples" if not files else f"too many files: {' '.join(files)}"
        raise typer.BadParameter(f"{what}; expected [FLAGS] EXAMPLE_FILE [MODEL_FILE]")
    return files[0], files[1] if len(files) == 2 else "svm_model"


def _used(parameters: SvmlightTkParameters, columns: Mapping[str, str]) -> Mapping[str, str]:
    """The columns that the kernel looks at; the model file has no others."""
    if parameters.kernel_type != COMBINATION:
        vectors = [name for name, kind in columns.items() if kind == "vector"]
        return dict.fromkeys(vectors[:1], "vector") or columns
    wanted = {"T": ("tree",), "V": ("vector",)}.get(parameters.combination, ("tree", "vector"))
    return {name: kind for name, kind in columns.items() if kind in wanted} or columns


def _model(learner: Any, parameters: SvmlightTkParameters, training: Training) -> SvmlightTkModel:
    schema = training.schema
    widths = [width for name, width in schema.n_features.items() if name in schema.columns]
    return SvmlightTkModel(
        parameters,
        _supports(training, learner.support_),
        learner.dual_coef_[0],
        threshold=-float(learner.intercept_[0]),
        n_documents=training.n,
        highest_feature=max(widths, default=0),
    )


def _supports(training: Training, numbers: Vector) -> Examples:
    """The examples with these numbers."""
    found, first = [], 0
    for X, y in training:
        here = numbers[(numbers >= first) & (numbers < first + len(y))] - first
        if len(here):
            found.append(X[here])
        first += len(y)
    return join(found)
