"""What ``hedgerow svm_learn`` does with its flags."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import typer

from hedgerow import online
from hedgerow.cli.examples import Training, join, look_at
from hedgerow.cli.failures import as_sentences, plain_warnings
from hedgerow.cli.flags import SPACES_IN_LEAVES, number, parse_flags, whole
from hedgerow.cli.layout import Layout
from hedgerow.cli.learning import check_output
from hedgerow.cli.names import DataFormat
from hedgerow.cli.progress import counting
from hedgerow.cli.sources import shown
from hedgerow.io import SvmlightTkModel, SvmlightTkParameters, write_svmlight_tk_model
from hedgerow.io.examples import Examples, Vector
from hedgerow.io.svmlight_tk_model import FLAGS
from hedgerow.kernels import Kernel, Linear
from hedgerow.kernels.svmlight_tk import COMBINATION, kernel_for

_OF_THE_SOLVER = "belongs to the solver of -z c, which hedgerow does not have yet"
_OF_TRANSDUCTION = "belongs to transduction, which hedgerow does not do"
_REFUSED = {
    **dict.fromkeys("eqnhmfix", _OF_THE_SOLVER),
    **dict.fromkeys("ok", "belongs to the estimates of -z c, which hedgerow does not have yet"),
    **dict.fromkeys("pl", _OF_TRANSDUCTION),
    "w": "belongs to regression (-z r), which hedgerow does not have yet",
    "a": "hedgerow writes coefficients to the model file only",
    "y": "hedgerow writes coefficients to the model file only",
    "D": "version 1.5 has -F 0 (ST) and -F 1 (SST) instead",
}
_TYPES = {"c": "classification by a batch solver", "r": "regression", "p": "ranking"}

Make = Callable[[Kernel, dict[str, str]], Any]


def _perceptron(averaging: str | None) -> Make:
    def make(kernel: Kernel, flags: dict[str, str]) -> Any:
        bias = whole(flags, "b", 0)
        if bias not in (0, 1):
            raise typer.BadParameter(f"-b must be 0 or 1, got {bias}")
        if bias and averaging == "vote":
            raise typer.BadParameter(
                "-b 1: the model file has one threshold, but every voter would have its own"
            )
        weight = number(flags, "j", 1.0)
        return online.Perceptron(
            kernel,
            bias=bool(bias),
            averaging=averaging,
            class_weight=None if weight == 1 else {-1: 1.0, 1: weight},
        )

    return make


def _passive_aggressive(variant: str) -> Make:
    def make(kernel: Kernel, flags: dict[str, str]) -> Any:
        weight = number(flags, "j", 1.0)
        return online.PassiveAggressive(
            kernel,
            variant=variant,
            C=number(flags, "c", 1.0),
            class_weight=None if weight == 1 else {-1: 1.0, 1: weight},
        )

    return make


def _forgetron(shrinking: str) -> Make:
    def make(kernel: Kernel, flags: dict[str, str]) -> Any:
        if "B" not in flags:
            raise typer.BadParameter(
                f"-A {flags['A']} keeps a limited number of support vectors; say how many with -B"
            )
        return online.Forgetron(kernel, budget=whole(flags, "B", 0), shrinking=shrinking)

    return make


def _projectron(learner: Any) -> Make:
    def make(kernel: Kernel, flags: dict[str, str]) -> Any:
        return learner(
            kernel, eta=number(flags, "E", 0.1), budget=whole(flags, "B", 0) if "B" in flags else None
        )

    return make


# Of each algorithm: how it is made, and the flags that mean something to it.
_ALGORITHMS: dict[str, tuple[Make, str]] = {
    "perceptron": (_perceptron(None), "bj"),
    "averaged": (_perceptron("average"), "bj"),
    "voted": (_perceptron("vote"), "bj"),
    "pa": (_passive_aggressive("PA"), "j"),
    "pai": (_passive_aggressive("PA-I"), "cj"),
    "paii": (_passive_aggressive("PA-II"), "cj"),
    "forgetron": (_forgetron("basic"), "B"),
    "tunedforgetron": (_forgetron("self-tuned"), "B"),
    "greedyforgetron": (_forgetron("greedy"), "B"),
    "projectron": (_projectron(online.Projectron), "BE"),
    "projectron++": (_projectron(online.ProjectronPlusPlus), "BE"),
}


def learn_and_write(arguments: list[str]) -> None:
    """Everything from the flags to the model file."""
    flags, files = parse_flags(arguments, "zAcjbBEv" + "".join(FLAGS), _REFUSED, (SPACES_IN_LEAVES,))
    learner = _algorithm(flags)(Linear(), flags)
    learner._check_params()
    parameters = SvmlightTkParameters.from_flags({key: v for key, v in flags.items() if key in FLAGS})
    examples, output = _files(files)
    check_output(output, [examples])
    spaces = SPACES_IN_LEAVES in flags
    layout = Layout(DataFormat.svmlight_tk.value, spaces)
    with plain_warnings(), as_sentences():
        training = look_at([examples], layout, None)
        layout.columns = _used(parameters, layout.columns)
        learner.set_params(kernel=kernel_for(parameters, list(layout.columns)))
        with counting("Learning", training.n) as advance:
            for X, y in training:
                learner.partial_fit(X, signs(y, examples), classes=[-1, 1])
                advance(len(y))
    if learner.n_support_ == 0:
        raise ValueError("the learner has kept no example, so there is no model to write; try a larger -B")
    model = _model(learner, parameters, training)
    write_svmlight_tk_model(output, model, spaces_in_leaves=spaces)
    if whole(flags, "v", 1) and output != "-":
        typer.echo(
            f"{training.n} examples, {learner.mistakes_} mistakes while learning, "
            f"{len(model.coefficients)} support vectors"
        )


def _algorithm(flags: dict[str, str]) -> Make:
    kind = flags.get("z", "c")
    if kind in _TYPES:
        said = f"-z {kind}" if "z" in flags else "-z c, the default,"
        raise typer.BadParameter(f"{said} is {_TYPES[kind]}, which is not there yet; online learning is -z o")
    if kind != "o":
        raise typer.BadParameter(f"-z must be o (online learning), got {kind!r}")
    name = flags.get("A")
    if name not in _ALGORITHMS:
        got = "nothing" if name is None else repr(name)
        raise typer.BadParameter(f"-A must be one of {', '.join(_ALGORITHMS)}, got {got}")
    make, wanted = _ALGORITHMS[name]
    for letter in "cjbBE":
        if letter in flags and letter not in wanted and not (letter == "b" and flags["b"] == "0"):
            owners = [other for other, (_, letters) in _ALGORITHMS.items() if letter in letters]
            raise typer.BadParameter(f"-{letter} means nothing to -A {name}; it is for {', '.join(owners)}")
    return make


def _files(files: list[str]) -> tuple[str, str]:
    if len(files) not in (1, 2):
        what = "no file of examples" if not files else f"too many files: {' '.join(files)}"
        raise typer.BadParameter(f"{what}; expected [FLAGS] EXAMPLE_FILE [MODEL_FILE]")
    return files[0], files[1] if len(files) == 2 else "svm_model"


def _used(parameters: SvmlightTkParameters, columns: dict[str, str]) -> dict[str, str]:
    """The columns that the kernel looks at; the model file has no others."""
    if parameters.kernel_type != COMBINATION:
        vectors = [name for name, kind in columns.items() if kind == "vector"]
        return dict.fromkeys(vectors[:1], "vector") or columns
    wanted = {"T": ("tree",), "V": ("vector",)}.get(parameters.combination, ("tree", "vector"))
    return {name: kind for name, kind in columns.items() if kind in wanted} or columns


def signs(y: Vector, path: str) -> Vector:
    """Labels as 1 and -1."""
    if y.dtype.kind == "U":
        word = next(str(label) for label in y)
        raise ValueError(f"{shown(path)}: labels must be numbers above or below 0, got {word!r}")
    if (y == 0).any():
        raise ValueError(
            f"{shown(path)}: the label 0 marks examples for transduction, which hedgerow does not do"
        )
    return np.where(y > 0, 1, -1)


def _model(learner: Any, parameters: SvmlightTkParameters, training: Training) -> SvmlightTkModel:
    coefficients, votes = learner.dual_coef_[0], None
    if learner.averaging is not None:
        # Every support was one predictor's last addition, and that predictor lived until the next mistake. The
        # file has the coefficients of the last predictor: the weights of the examples.
        weights = learner.class_weight or {}
        signs_of = np.sign(coefficients).astype(int).tolist()
        coefficients = np.array([sign * weights.get(sign, 1.0) for sign in signs_of])
        votes = np.diff(learner.support_, append=training.n)
    widths = training.layout.n_features
    return SvmlightTkModel(
        parameters,
        _supports(training, learner.support_),
        coefficients,
        threshold=-float(learner.intercept_[0]),
        votes=votes,
        voting="voted" if learner.averaging == "vote" else "averaged",
        n_documents=training.n,
        highest_feature=max((widths[name] for name in training.layout.columns if name in widths), default=0),
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
