"""What ``hedgerow tune`` tries: learners and kernels with all combinations of the values that are theirs."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import typer

from hedgerow import registry
from hedgerow.cli.derived import DerivedOption, derived, option_name, text_of, values_by_panel
from hedgerow.cli.derived_command import Naming, value_among
from hedgerow.cli.failures import refused
from hedgerow.cli.tasks import task_for
from hedgerow.cli.tasks.task import Task
from hedgerow.cli.train.choice import WORDS, Choice, DataOptions, KernelChoice, remark
from hedgerow.cli.train.named import (
    DATA,
    ELSEWHERE,
    FEATURES,
    Named,
    data_options,
    named_kernel,
    open_ones,
    owners,
)
from hedgerow.cli.tune.search import SearchOptions
from hedgerow.kernels.expressions import split_kernels
from hedgerow.parameters import Parameter, parameters_of
from hedgerow.registry import DataKind, KernelRow, Learner, ProblemRow

_DEFAULT_KERNELS = {
    "tree": ("st", "sst", "sst-bow", "pt", "upt", "fragments"),
    "text": ("spectrum",),
    "vector": ("linear", "rbf"),
}
# What is tried of parameters unless something is said, where the learner takes it.
_DEFAULT_VALUES: dict[str, list[Any]] = {
    "C": [0.1, 1.0, 10.0],
    "regularization": [0.1, 1.0, 10.0],
    "l1": [0.0, 1e-6, 1e-4],
    "epochs": [1, 5],
    "averaging": [None, "average"],
}
_OF_KERNELS: dict[str, dict[str, list[Any]]] = {"rbf": {"gamma": [0.01, 0.1, 1.0]}}
_WHERE_NONE_IS_NAMED = {"sst": {"decay": [0.1, 0.4]}}  # the smaller for large trees
_NOT_TRIED = (
    *ELSEWHERE,
    "precision",
    "tol",
    "cache_size",
    "active_set",
    "max_iter",
    "trace_every",
    "random_state",
)
_OF_MACHINES = ("sampling", "sample_size")  # how machines are searched
_EXACT = "svm"  # the learner unless one is named


@dataclass(frozen=True)
class Tried(Naming):
    """The learner and the kernels whose parameters are tried, and the problem if outputs have structure."""

    learner: Learner
    kernels: tuple[KernelRow, ...]  # none: those that suit the data
    problem: ProblemRow | None = None
    on_kernels: bool = True
    written: Mapping[str, str] | None = None  # options of the problem that name files

    @classmethod
    def among(cls, arguments: list[str]) -> Tried:
        train = Named.among(arguments)
        named = value_among(arguments, "--kernels")
        names = [] if named is None else split_kernels(named)
        rows = [named_kernel("--kernels", name) for name in dict.fromkeys(names)]
        tried = cls(train.learner, tuple(rows), train.problem, train.on_kernels)
        words = {option.name: value_among(arguments, option.name) or "" for option in tried._of_problem()}
        return replace(tried, written={name: word for name, word in words.items() if os.path.exists(word)})

    @property
    def exact(self) -> bool:
        return self.learner.name == _EXACT

    @property
    def absent(self) -> tuple[str, ...]:  # type: ignore[override]
        of_kernels = () if self.on_kernels else ("kernels", "normalize")
        return of_kernels if self.exact else (*of_kernels, "refit", "refit_sample_size")

    def __str__(self) -> str:
        kernels = f" with the kernels {', '.join(row.name for row in self.kernels)}" if self.kernels else ""
        return f"the learner {self.learner.name}{kernels}"

    def options(self) -> list[DerivedOption]:
        """For values of the parameters of learner, kernels and problem, for the search, and for the data."""
        of_learner = {
            name: _with_default(p) for name, p in self._of_learner().items() if name not in _NOT_TRIED
        }
        kernels = (self.kernels or _default_rows()) if self.on_kernels else ()
        of_kernels = {
            name: _with_default(p, _OF_KERNELS.get(row.name, {}))
            for row in kernels
            for name, p in row.parameters.items()
        }
        tried = [
            *derived(of_learner, f"Learner {self.learner.name}"),
            *derived(of_kernels, "Kernels"),
            *self._of_problem(),
        ]
        search = {
            name: p
            for name, p in parameters_of(SearchOptions).items()
            if self.exact or name not in _OF_MACHINES
        }
        unused = ("classes", "stream", *(("hash_bits", *WORDS) if self.exact else ()))
        task = self.task
        return [
            # A file holds one value.
            *(
                replace(option, several=option.reads is None or bool(option.parameter.choices))
                for option in tried
            ),
            *derived(search, "Search"),
            *derived(open_ones(parameters_of(task.extractor)) if task.extractor else {}, FEATURES),
            *data_options(tuple(name for name in task.data if name not in unused), task.formats),
        ]

    def _of_learner(self) -> dict[str, Parameter]:
        return (
            self.learner.parameters if self.problem is None else self.problem.parameters_with(self.learner)[0]
        )

    def _of_problem(self) -> list[DerivedOption]:
        if self.problem is None:
            return []
        own = self.problem.parameters_with(self.learner)[1]
        tried = {name: p for name, p in own.items() if name not in _NOT_TRIED}
        return derived(tried, f"Problem {self.problem.name}", self.task.option_names, self.task.files)

    @property
    def task(self) -> type[Task]:
        return task_for(self.problem)

    def why_not(self, option: str) -> str:
        if option in ("--kernels", "--normalize"):
            return f"{self} has no kernel here"
        if option in ("--refit", "--refit-sample-size", "--sampling", "--sample-size"):
            return f"it is for the learner {_EXACT}"
        takers = owners(option)
        return f"{self} does not take it; it is for {takers}" if takers else ""

    def given(self, values: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
        """Values of parameters by name, for the learner, the kernels, the problem, the search and the data."""
        panels = ("Learner", "Kernels", "Problem", "Search", FEATURES, DATA)
        given = values_by_panel(self.options(), values, panels)
        several = {option.parameter.name for option in self.options() if option.several}
        own = given["Problem"]
        given["Problem"] = {name: value if name in several else [value] for name, value in own.items()}
        return given

    def grid(self, given: Mapping[str, Mapping[str, Any]], normalize: bool | None) -> Grid:
        """What is to be tried."""
        of_data = dict(given[DATA])
        words = {name: of_data.pop(name) for name in WORDS if name in of_data}
        data = DataOptions(**of_data, words=words)
        if self.kernels and all(row.data_kind == "text" for row in self.kernels) and data.format is None:
            data = replace(data, format="text")
        seed = given["Search"].get("seed", SearchOptions.seed)
        values = (given["Learner"], given["Kernels"], given["Problem"], given[FEATURES])
        return Grid(self, *values, normalize, data, seed)


def variants() -> list[list[str]]:
    """Arguments that bring up all options."""
    return [["--kernels", ",".join(registry.kernels())]]


def _default_rows() -> list[KernelRow]:
    return [registry.kernels()[name] for names in _DEFAULT_KERNELS.values() for name in names]


def _with_default(parameter: Parameter, own: Mapping[str, list[Any]] = _DEFAULT_VALUES) -> Parameter:
    """With what is tried unless something is said."""
    return replace(parameter, default=own.get(parameter.name, parameter.default))


@dataclass(frozen=True)
class Grid:
    """Values of parameters that are tried."""

    named: Tried
    of_learner: Mapping[str, list[Any]]
    of_kernels: Mapping[str, list[Any]]
    of_problem: Mapping[str, list[Any]]
    features: Mapping[str, Any]
    normalize: bool | None
    data: DataOptions
    seed: int

    @property
    def base(self) -> Choice:
        """What all candidates share; it says how examples are read."""
        kernel = KernelChoice(next(iter(self.named.kernels), None), {}, self.normalize, self.data.column)
        settled = {name: values[0] for name, values in self.of_problem.items()}
        named = self.named
        return Choice(named.learner, {}, kernel, named.problem, settled, self.data, self.features)

    def check(self) -> None:
        """Raise a BadParameter for values that the learner, a kernel or the problem refuses."""
        for kernel in self._kernels(self.named.kernels or _default_rows()) if self.named.on_kernels else ():
            replace(self.base, kernel=kernel).check()
        for choice in self._choices(self.base.kernel, self.of_problem):
            choice.check()

    def candidates(self, task: Task) -> list[Choice]:
        """All combinations, for examples that the task has read."""
        kernels = [self.base.kernel]
        if self.named.kernels:
            kernels = list(self._kernels(self.named.kernels))
        elif task.kernel is not None:
            kernels = self._default_kernels(task.columns)
        if task.kernel is not None:
            remark(kernels, task.columns)
        of_problem = {**task.tried(), **self.of_problem}
        return [choice for kernel in kernels for choice in self._choices(kernel, of_problem)]

    def options_of(self, choice: Choice) -> dict[str, str]:
        """Options of the problem as they are written."""
        names = {option.parameter.name: option.name for option in self.named._of_problem()}
        written = self.named.written or {}
        return {
            names[name]: written.get(names[name], text_of(value)) for name, value in choice.of_problem.items()
        }

    def _choices(self, kernel: KernelChoice, of_problem: Mapping[str, list[Any]]) -> Iterator[Choice]:
        base = replace(self.base, kernel=kernel)
        of_learner = {**self._defaults(replace(base, given=_first(self.of_learner))), **self.of_learner}
        for settled in _combinations(of_problem):
            for given in _combinations(of_learner):
                yield replace(base, given=given, of_problem=settled).seeded(self.seed)

    def _defaults(self, base: Choice) -> dict[str, list[Any]]:
        """Values that the learner takes beside those that were given."""
        found = {}
        for name in self.named._of_learner():
            if name in _DEFAULT_VALUES and name not in self.of_learner:
                taken = [value for value in _DEFAULT_VALUES[name] if _takes(base, name, value)]
                if len(taken) > 1:
                    found[name] = taken
        return found

    def _default_kernels(self, columns: Mapping[str, DataKind]) -> list[KernelChoice]:
        column = self.data.column
        kinds = [columns[column]] if column is not None else list(columns.values())
        default = next(names for kind, names in _DEFAULT_KERNELS.items() if kind in kinds)
        combines = column is None and len(columns) > 1
        rows = [registry.kernels()[name] for name in default]
        return [replace(choice, combines=combines) for choice in self._kernels(rows)]

    def _kernels(self, rows: Sequence[KernelRow]) -> Iterator[KernelChoice]:
        """All kernels with all combinations of the values that are theirs."""
        for parameter in self.of_kernels:
            if not any(parameter in row.parameters for row in rows):
                raise refused(
                    option_name(parameter),
                    f"none of the kernels {', '.join(row.name for row in rows)} has such a parameter",
                )
        for row in rows:
            own = {name: values for name, values in self.of_kernels.items() if name in row.parameters}
            unnamed = {} if self.named.kernels else _WHERE_NONE_IS_NAMED.get(row.name, {})
            for given in _combinations({**_OF_KERNELS.get(row.name, {}), **unnamed, **own}):
                yield KernelChoice(row, given, self.normalize, self.data.column)


def _combinations(values: Mapping[str, list[Any]]) -> Iterator[dict[str, Any]]:
    for chosen in product(*values.values()):
        yield dict(zip(values, chosen, strict=True))


def _first(values: Mapping[str, list[Any]]) -> dict[str, Any]:
    return {name: choices[0] for name, choices in values.items()}


def _takes(choice: Choice, name: str, value: Any) -> bool:
    try:
        replace(choice, given={**choice.given, name: value}).check()
    except typer.BadParameter:
        return False
    return True
