"""The machines of a search: the sampled one that ranks parameters, and what the winner becomes.

An estimator is a support vector machine, or contains some, like a pipeline.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

from sklearn.base import clone

from hedgerow.svm import CuttingPlaneSVC
from hedgerow.svm.machine import KernelMachine

CHOSEN_BY_SEARCH = ("sampling", "sample_size", "random_state")


def machines_of(estimator: Any) -> dict[str, KernelMachine]:
    """The machines by the names that their parameters begin with."""
    if isinstance(estimator, KernelMachine):
        return {"": estimator}
    parameters = estimator.get_params() if hasattr(estimator, "get_params") else {}
    machines = {f"{name}__": value for name, value in parameters.items() if isinstance(value, KernelMachine)}
    if not machines:
        raise TypeError(
            f"estimator must be an SVC or a CuttingPlaneSVC of hedgerow, or contain one, got {estimator!r}"
        )
    return machines


def own_parameters(machine: KernelMachine) -> tuple[str, ...]:
    """Parameters that do not mean the same to the sampled machine."""
    return () if isinstance(machine, CuttingPlaneSVC) else ("tol", "max_iter")


def with_parameters(estimator: Any, parameters: dict[str, Any]) -> Any:
    """A copy of the estimator with these parameters; kernels among them stay as they are."""
    return clone(estimator).set_params(
        **{name: clone(value, safe=False) for name, value in parameters.items()}
    )


def sampled(estimator: Any, sampling: str, sample_size: int, random_state: Any) -> Any:
    """A copy with cutting-plane machines over samples, which keep all parameters that they know."""

    def change(machine: KernelMachine) -> Any:
        fast = _cutting_plane(machine).set_params(sampling=sampling, sample_size=sample_size)
        return fast if random_state is None else fast.set_params(random_state=random_state)

    return _with_machines(estimator, change)


def exact(estimator: Any) -> Any:
    """A copy without sampling."""

    def change(machine: KernelMachine) -> Any:
        copy = clone(machine)
        if not isinstance(copy, CuttingPlaneSVC):
            return copy
        return copy.set_params(sampling=None, sample_size=CuttingPlaneSVC.sample_size)

    return _with_machines(estimator, change)


def _with_machines(estimator: Any, change: Callable[[KernelMachine], Any]) -> Any:
    changed = {name: change(machine) for name, machine in machines_of(estimator).items()}
    if "" in changed:
        return changed[""]
    return clone(estimator).set_params(
        **{name.removesuffix("__"): machine for name, machine in changed.items()}
    )


def _cutting_plane(machine: KernelMachine) -> Any:
    if isinstance(machine, CuttingPlaneSVC):
        return clone(machine)
    known = CuttingPlaneSVC().get_params(deep=False).keys() - own_parameters(machine)
    given = machine.get_params(deep=False)
    fast = CuttingPlaneSVC(**{name: clone(given[name], safe=False) for name in known if name in given})
    if hasattr(machine, "_metadata_request"):  # as clone does
        fast._metadata_request = deepcopy(machine._metadata_request)
    return fast
