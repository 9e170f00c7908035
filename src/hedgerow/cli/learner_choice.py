"""Learners by the names that the command line gives them."""

from __future__ import annotations

import inspect
from typing import Any

import typer

from hedgerow import online
from hedgerow.cli.kernel_choice import option
from hedgerow.cli.names import LearnerName
from hedgerow.kernels import Kernel

_LEARNERS: dict[LearnerName, Any] = {
    LearnerName.perceptron: online.Perceptron,
    LearnerName.pa: online.PassiveAggressive,
    LearnerName.stoptron: online.Stoptron,
    LearnerName.random_budget: online.RandomBudgetPerceptron,
    LearnerName.forgetron: online.Forgetron,
    LearnerName.projectron: online.Projectron,
    LearnerName.projectron_plus_plus: online.ProjectronPlusPlus,
    LearnerName.forgetful_projectron: online.ForgetfulProjectron,
    LearnerName.ahpatron: online.Ahpatron,
}
_OPTIONS = {"C": "-C", "random_state": "--seed"}  # the others are called as the parameters are


def option_name(parameter: str) -> str:
    return _OPTIONS.get(parameter, option(parameter))


def choose_learner(name: LearnerName, kernel: Kernel, given: dict[str, Any]) -> Any:
    """The learner with the parameters that are not None; one that it does not have is refused."""
    learner = _LEARNERS[name]
    known = inspect.signature(learner).parameters
    for parameter, value in given.items():
        if value is not None and parameter not in known:
            owners = [
                other.value
                for other, cls in _LEARNERS.items()
                if parameter in inspect.signature(cls).parameters
            ]
            raise typer.BadParameter(
                f"the learner {name.value} has no such parameter; it is for {', '.join(owners)}",
                param_hint=option_name(parameter),
            )
    chosen = {parameter: value for parameter, value in given.items() if value is not None}
    model = learner(kernel, **chosen)
    model._check_params()
    return model
