"""Online learning with the flags of SVM-light-TK (-z o): the algorithms of -A, and models with votes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import typer

from hedgerow import online
from hedgerow.cli.examples import Training
from hedgerow.cli.flags import number, whole
from hedgerow.cli.progress import counting
from hedgerow.cli.svmlight_labels import signs
from hedgerow.io import SvmlightTkModel
from hedgerow.kernels import Kernel, Linear

Make = Callable[[Kernel, dict[str, str]], Any]


def _perceptron(averaging: Any) -> Make:
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


def _passive_aggressive(variant: Any) -> Make:
    def make(kernel: Kernel, flags: dict[str, str]) -> Any:
        weight = number(flags, "j", 1.0)
        return online.PassiveAggressive(
            kernel,
            variant=variant,
            C=number(flags, "c", 1.0),
            class_weight=None if weight == 1 else {-1: 1.0, 1: weight},
        )

    return make


def _forgetron(variant: Any) -> Make:
    def make(kernel: Kernel, flags: dict[str, str]) -> Any:
        if "B" not in flags:
            raise typer.BadParameter(
                f"-A {flags['A']} keeps a limited number of support vectors; say how many with -B"
            )
        return online.Forgetron(kernel, budget=whole(flags, "B", 0), variant=variant)

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


FLAGS = "AcjbBE"


def online_learner(flags: dict[str, str]) -> Any:
    """The learner that the flags describe, for a kernel yet to come."""
    name = flags.get("A")
    if name not in _ALGORITHMS:
        got = "nothing" if name is None else repr(name)
        raise typer.BadParameter(f"-A must be one of {', '.join(_ALGORITHMS)}, got {got}")
    make, wanted = _ALGORITHMS[name]
    for letter in "cjbBE":
        if letter in flags and letter not in wanted and not (letter == "b" and flags["b"] == "0"):
            owners = [other for other, (_, letters) in _ALGORITHMS.items() if letter in letters]
            raise typer.BadParameter(f"-{letter} means nothing to -A {name}; it is for {', '.join(owners)}")
    return make(Linear(), flags)


def learn_online(learner: Any, training: Training, path: str) -> str:
    """One pass over the examples; returns what there is to say about it."""
    with counting("Learning", training.n) as advance:
        for X, y in training:
            learner.partial_fit(X, signs(y, path), classes=[-1, 1])
            advance(len(y))
    if learner.n_support_ == 0:
        raise ValueError("the learner has kept no example, so there is no model to write; try a larger -B")
    return f"{learner.mistakes_} mistakes while learning, {learner.n_support_} support vectors"


def with_votes(model: SvmlightTkModel, learner: Any) -> SvmlightTkModel:
    """Averaged and voted models have the votes of their predictors, and the coefficients of the last one."""
    if learner.averaging is None:
        return model
    # Every support was one predictor's last addition, and that predictor lived until the next mistake.
    weights = learner.class_weight or {}
    signs_of = np.sign(model.coefficients).astype(int).tolist()
    return replace(
        model,
        coefficients=np.array([sign * weights.get(sign, 1.0) for sign in signs_of]),
        votes=np.diff(learner.support_, append=model.n_documents),
        voting="voted" if learner.averaging == "vote" else "averaged",
    )
