"""Learners of structured outputs, from the options of the command line."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import typer

from hedgerow.cli.learner_choice import option_name
from hedgerow.cli.names import Averaging, LearnerName, Loss, Rescaling, Slack, Solver
from hedgerow.cli.structured.task import Task
from hedgerow.structured import StructuredPerceptron, StructuredSVM

NONE = {Slack.none, Rescaling.none, Averaging.none}
_VARIANTS = ("PA", "PA-I", "PA-II")


def learner_maker(
    kind: type[Task], learner: LearnerName, given: dict[str, Any], loss: Loss | None
) -> Callable[[Task], Any]:
    """What makes the learner when the data are known; options that it does not have are refused at once."""
    chosen = {name: value for name, value in given.items() if value is not None}
    if learner is LearnerName.structured_perceptron:
        chosen = _of_perceptron(chosen)
        estimator: type[Any] = StructuredPerceptron
    else:
        chosen = _of_machine(chosen, kind, loss)
        estimator = kind.machine or StructuredSVM
    for name in chosen:
        if name not in inspect.signature(estimator).parameters:
            raise typer.BadParameter(
                f"the learner {learner.value} has no such parameter", param_hint=option_name(name)
            )
    chosen = {
        name: None if value in NONE else getattr(value, "value", value) for name, value in chosen.items()
    }

    def make(task: Task) -> Any:
        if estimator is kind.machine:
            return estimator(**task.parameters(), **chosen)
        return estimator(task.problem(**task.parameters()), **chosen)

    return make


def _of_perceptron(chosen: dict[str, Any]) -> dict[str, Any]:
    variant = chosen.get("variant")
    if variant not in (None, *_VARIANTS):
        raise typer.BadParameter(f"it must be one of {', '.join(_VARIANTS)}", param_hint="--variant")
    if "C" in chosen and variant not in ("PA-I", "PA-II"):
        raise typer.BadParameter(
            "a perceptron has none; it is for --variant PA-I and PA-II and for structured-svm",
            param_hint="-C",
        )
    if chosen.get("averaging") in (Averaging.vote, Averaging.normalized):
        raise typer.BadParameter("it must be none or average", param_hint="--averaging")
    return chosen


def _of_machine(chosen: dict[str, Any], kind: type[Task], loss: Loss | None) -> dict[str, Any]:
    if loss is Loss.zero_one and chosen.setdefault("rescaling", Rescaling.none) is not Rescaling.none:
        raise typer.BadParameter("with --loss zero-one there is nothing to scale", param_hint="--rescaling")
    if chosen.get("slack") in (Slack.quadratic, Slack.none):
        chosen.setdefault("solver", Solver.n_slack)
    if chosen.get("solver") in (Solver.one_slack, Solver.frank_wolfe):
        chosen.setdefault("slack", Slack.linear)
    return chosen
