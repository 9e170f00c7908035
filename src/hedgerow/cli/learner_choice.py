"""Learners by the names that the command line gives them."""

from __future__ import annotations

import inspect
from typing import Any

import typer

from hedgerow import online, svm
from hedgerow.cli.kernel_choice import option
from hedgerow.cli.names import BATCH, LearnerName
from hedgerow.kernels import Kernel

_LEARNERS: dict[LearnerName, Any] = {
    LearnerName.perceptron: online.Perceptron,
    LearnerName.pa: online.PassiveAggressive,
    LearnerName.romma: online.ROMMA,
    LearnerName.stoptron: online.Stoptron,
    LearnerName.random_budget: online.RandomBudgetPerceptron,
    LearnerName.forgetron: online.Forgetron,
    LearnerName.projectron: online.Projectron,
    LearnerName.projectron_plus_plus: online.ProjectronPlusPlus,
    LearnerName.forgetful_projectron: online.ForgetfulProjectron,
    LearnerName.ahpatron: online.Ahpatron,
    LearnerName.svm: svm.SVC,
    LearnerName.cutting_plane: svm.CuttingPlaneSVC,
}
# Learners without a kernel: their classes, and parameters that the name settles.
_ON_WEIGHTS: dict[LearnerName, tuple[Any, dict[str, Any]]] = {
    LearnerName.winnow: (online.PositiveWinnow, {}),
    LearnerName.bw: (online.BalancedWinnow, {}),
    LearnerName.mbw: (online.ModifiedBalancedWinnow, {}),
    LearnerName.rda: (online.RDA, {}),
    LearnerName.vrda: (online.RDA, {"update": "mistakes"}),
    LearnerName.adagrad_rda: (online.RDA, {"adaptive": True}),
    LearnerName.fobos: (online.FOBOS, {}),
    LearnerName.truncated_gradient: (online.TruncatedGradient, {}),
    LearnerName.ftrl: (online.FTRL, {}),
    LearnerName.arow: (online.AROW, {}),
    LearnerName.scw: (online.SCW, {}),
}
_LEARNERS |= {name: kind for name, (kind, _) in _ON_WEIGHTS.items()}
_OPTIONS = {"C": "-C", "random_state": "--seed"}  # the others are called as the parameters are
_OF_PASSES = ("epochs", "shuffle", "trace_every")


def option_name(parameter: str) -> str:
    return _OPTIONS.get(parameter, option(parameter))


def choose_learner(name: LearnerName, kernel: Kernel | None, given: dict[str, Any]) -> Any:
    """The learner with the parameters that are not None; one that it does not have is refused.

    Without a kernel it keeps weights.
    """
    chosen = {parameter: value for parameter, value in given.items() if value is not None}
    if chosen.get("bias") is False and not takes(name, "bias"):
        del chosen["bias"]  # it has none as it is
    for parameter in chosen:
        if not takes(name, parameter):
            raise typer.BadParameter(_why_not(name, parameter), param_hint=option_name(parameter))
    if name in _ON_WEIGHTS:
        chosen |= _ON_WEIGHTS[name][1]
    else:
        chosen["kernel"] = kernel
    model = _LEARNERS[name](**chosen)
    model._check_params()
    return model


def takes(name: LearnerName, parameter: str) -> bool:
    if parameter == "class_weight" and name not in BATCH:
        return False  # what balances the classes is not known before the last example
    if name in _ON_WEIGHTS and parameter in _ON_WEIGHTS[name][1]:
        return False
    return parameter in inspect.signature(_LEARNERS[name]).parameters


def _why_not(name: LearnerName, parameter: str) -> str:
    if name in BATCH and parameter in _OF_PASSES:
        return f"the learner {name.value} has no passes over the data: it looks at all examples together"
    owners = [other.value for other in _LEARNERS if takes(other, parameter)]
    return f"the learner {name.value} has no such parameter; it is for {', '.join(owners)}"
