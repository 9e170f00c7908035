"""What there is, by public name: learners, kernels, problems and formats.

Rows stand beside the classes, in the ``__init__`` of the package that defines them. All else about a row is asked of
its class: what it is for, its parameters, what it can do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from inspect import getdoc, isclass, isfunction
from typing import Any, Literal

from hedgerow.parameters import Parameter, parameters_of

DataKind = Literal["tree", "vector", "text"]


class Row:
    """A name, the class behind it, and parameters that the name settles."""

    def __init__(self, name: str, cls: type[Any], /, **fixed: Any) -> None:
        self.name = name
        self.cls: Any = cls
        self.fixed = fixed

    def __repr__(self) -> str:
        settled = "".join(f", {name}={value!r}" for name, value in self.fixed.items())
        return f"{type(self).__name__}({self.name!r}, {self.cls.__name__}{settled})"

    @property
    def purpose(self) -> str:
        """The first line of the class's docstring, and what the name settles."""
        settled = ", ".join(f"{name}={value}" for name, value in self.fixed.items())
        line = (getdoc(self.cls) or "").partition("\n")[0].replace("``", "")
        return f"{line.removesuffix('.')} ({settled})." if settled else line

    @property
    def parameters(self) -> dict[str, Parameter]:
        """Parameters that are left to choose, by name."""
        return {name: value for name, value in parameters_of(self.cls).items() if name not in self.fixed}

    def make(self, **given: Any) -> Any:
        """An instance with these parameters."""
        return self.cls(**self.fixed, **given)


class Learner(Row):
    """An estimator."""

    @property
    def structured(self) -> bool:
        """Whether its outputs are those of a problem."""
        return hasattr(self.cls, "_make_problem")

    @property
    def on_kernels(self) -> bool:
        """Whether it takes a kernel; structured learners leave that to the problem."""
        return not self.structured and "kernel" in self.parameters

    @property
    def on_weights(self) -> bool:
        """Whether it keeps weights of features, if it is given no kernel."""
        return "n_features" in self.parameters

    @property
    def signed(self) -> bool:
        """Whether features may be negative."""
        from sklearn.utils import get_tags

        return self.structured or not get_tags(self.make()).input_tags.positive_only

    @property
    def traces(self) -> bool:
        """Whether it records what happens while it learns."""
        return any(
            "trace_" in (*vars(base), *vars(base).get("__annotations__", ())) for base in self.cls.__mro__
        )

    @property
    def batch(self) -> bool:
        """Whether it looks at all examples together."""
        return not hasattr(self.cls, "partial_fit")


class KernelRow(Row):
    """A kernel."""

    @property
    def data_kind(self) -> DataKind:
        """What it compares."""
        kind: DataKind = self.cls.data_kind
        return kind

    def kernel(self, normalize: bool | None = None, **given: Any) -> Any:
        """An instance, normalised if that is wanted; by default kernels of trees are."""
        made = self.make(**given)
        wanted = self.data_kind == "tree" if normalize is None else normalize
        return import_module("hedgerow.kernels").Normalized(made) if wanted else made


class ProblemRow(Row):
    """A structured problem, the estimator that makes it itself, and what makes learners on weights learn it."""

    def __init__(self, name: str, cls: type[Any], /, machine: type[Any] | None = None) -> None:
        super().__init__(name, cls)
        self.machine: Any = machine
        self.online: Any = None  # a class whose first parameter is the learner

    def takes(self, learner: Learner) -> bool:
        """Whether the learner is for this problem."""
        if not learner.structured:
            return self.online is not None and learner.on_weights and learner.signed
        return issubclass(self.cls, learner.cls.problem_class or self.cls)

    def on_kernels(self, learner: Learner) -> bool:
        """Whether inputs may be compared by a kernel."""
        return learner.structured and any(name.endswith("kernel") for name in self.parameters)

    def estimator(self, learner: Learner) -> Any:
        """The class that learns: the problem's own, if that has all that the learner has."""
        if not learner.structured:
            return self.online
        if self.machine is None or learner.cls.problem_class is not None:
            return learner.cls
        wanted = learner.parameters.keys() - {"problem"}
        return self.machine if wanted <= parameters_of(self.machine).keys() else learner.cls

    def parameters_with(self, learner: Learner) -> tuple[dict[str, Parameter], dict[str, Parameter]]:
        """Parameters of the learner, and those of the problem that it leaves open."""
        estimator = self.estimator(learner)
        of_estimator, own = parameters_of(estimator), self.parameters
        if not learner.structured:
            of_learner = {
                name: p for name, p in learner.parameters.items() if name not in estimator._without_effect
            }
            shared = {name: p for name, p in of_estimator.items() if name not in own}
            return {**of_learner, **shared}, {name: p for name, p in of_estimator.items() if name in own}
        of_learner = {name: p for name, p in of_estimator.items() if name not in own and name != "problem"}
        whole = estimator.problem_class is None
        return of_learner, {
            name: of_estimator.get(name, p) for name, p in own.items() if whole or name in of_estimator
        }

    def make_with(
        self, learner: Learner, of_learner: Mapping[str, Any], of_problem: Mapping[str, Any]
    ) -> Any:
        """The learner of this problem."""
        estimator = self.estimator(learner)
        if not learner.structured:
            own = parameters_of(estimator).keys() - self.parameters.keys()
            rest = {name: value for name, value in of_learner.items() if name not in own}
            shared = {name: value for name, value in of_learner.items() if name in own}
            return estimator(learner.make(**rest), **of_problem, **shared)
        if estimator.problem_class is None:
            return estimator(self.make(**of_problem), **of_learner)
        return estimator(**of_problem, **of_learner)


@dataclass(frozen=True)
class Format:
    """A kind of files of examples."""

    name: str
    purpose: str
    suffixes: tuple[str, ...] = ()  # what names of such files end with
    labelled: bool = False  # whether learners read it; others are converted first
    lists: bool = False  # or rerankers do
    trees: bool = True  # whether it holds trees, or what they are made of
    converter: str | None = None  # the class method of Forest that makes trees of it


@cache
def learners() -> Mapping[str, Learner]:
    """All learners, by name."""
    rows: list[Learner] = []
    for module in ("hedgerow.online", "hedgerow.svm", "hedgerow.structured"):
        rows += import_module(module).LEARNERS
    return _by_name(rows)


@cache
def kernels() -> Mapping[str, KernelRow]:
    """All kernels, by name."""
    return _by_name(import_module("hedgerow.kernels").KERNELS)


@cache
def problems() -> Mapping[str, ProblemRow]:
    """All structured problems, by name."""
    rows = _by_name(import_module("hedgerow.structured").PROBLEMS)
    for name, cls in import_module("hedgerow.online").PROBLEMS.items():
        rows[name].online = cls
    return rows


@cache
def formats() -> Mapping[str, Format]:
    """All formats of files, by name."""
    return _by_name(import_module("hedgerow.io").FORMATS)


def _by_name(rows: Iterable[Any]) -> dict[str, Any]:
    rows = list(rows)
    found = {row.name: row for row in rows}
    if len(found) < len(rows):
        raise ValueError(f"a name is taken twice among {', '.join(row.name for row in rows)}")
    return found


def public_names(package: str, namespace: Mapping[str, Any]) -> list[str]:
    """The classes and functions of the package that its ``__init__`` imports, for ``__all__``."""
    return sorted(
        name
        for name, value in namespace.items()
        if (isclass(value) or isfunction(value)) and value.__module__.startswith(f"{package}.")
    )
