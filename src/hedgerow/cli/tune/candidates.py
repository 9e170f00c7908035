"""What ``hedgerow tune`` tries: kernels with all combinations of the values that are theirs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from hedgerow import registry
from hedgerow.cli.derived import DerivedOption, derived, option_name, values_by_panel
from hedgerow.cli.derived_command import Naming, value_among
from hedgerow.cli.failures import as_refusal, refused
from hedgerow.cli.train.choice import KernelChoice
from hedgerow.cli.train.named import DATA, data_options, named_row, owners
from hedgerow.cli.tune.search import SearchOptions
from hedgerow.parameters import Parameter, parameters_of
from hedgerow.registry import KernelRow, Learner, Row

_DEFAULT_KERNELS = {
    "tree": ("st", "sst", "sst-bow", "pt", "upt"),
    "text": ("spectrum",),
    "vector": ("linear", "rbf"),
}
_DEFAULT_VALUES: dict[str, dict[str, list[Any]]] = {
    "svm": {"C": [0.1, 1.0, 10.0]},
    "rbf": {"gamma": [0.01, 0.1, 1.0]},
}
_DATA = ("format", "column", "features", "tokens", "spaces_in_leaves")
_NOT_TRIED = ("kernel", "precision", "n_jobs", "tol", "cache_size", "active_set", "max_iter")


@dataclass(frozen=True)
class Tried(Naming):
    """The machine and the kernels whose parameters are tried."""

    learner: Learner
    kernels: tuple[KernelRow, ...]  # none: those that suit the data

    @classmethod
    def among(cls, arguments: list[str]) -> Tried:
        named = value_among(arguments, "--kernels")
        names = [] if named is None else [name.strip() for name in named.split(",")]
        rows = [named_row("kernel", name, registry.kernels()) for name in dict.fromkeys(names)]
        return cls(registry.learners()["svm"], tuple(rows))

    def __str__(self) -> str:
        kernels = f" with the kernels {', '.join(row.name for row in self.kernels)}" if self.kernels else ""
        return f"the learner {self.learner.name}{kernels}"

    def options(self) -> list[DerivedOption]:
        """For values of the parameters of the machine and of all kernels, for the search, and for the data."""
        of_kernels = {
            name: p for row in self.kernels or _default_rows() for name, p in _with_defaults(row).items()
        }
        of_machine = {name: p for name, p in _with_defaults(self.learner).items() if name not in _NOT_TRIED}
        tried = [*derived(of_machine, f"Learner {self.learner.name}"), *derived(of_kernels, "Kernels")]
        return [
            *(replace(option, several=True) for option in tried),
            *derived(parameters_of(SearchOptions), "Search"),
            *data_options(_DATA),
        ]

    def why_not(self, option: str) -> str:
        takers = owners(option)
        return f"{self} does not take it; it is for {takers}" if takers else ""

    def given(self, values: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
        """Values of parameters by name, for the learner, the kernels, the search and the data."""
        return values_by_panel(self.options(), values, ("Learner", "Kernels", "Search", DATA))

    def grid(self, given: Mapping[str, Mapping[str, Any]], normalize: bool | None) -> Grid:
        """What is to be tried."""
        of_machine = {**_DEFAULT_VALUES.get(self.learner.name, {}), **given["Learner"]}
        return Grid(self.learner, of_machine, self.kernels, given["Kernels"], normalize)


def variants() -> list[list[str]]:
    """Arguments that bring up all options."""
    return [["--kernels", ",".join(registry.kernels())]]


def _default_rows() -> list[KernelRow]:
    return [registry.kernels()[name] for names in _DEFAULT_KERNELS.values() for name in names]


def _with_defaults(row: Row) -> dict[str, Parameter]:
    """Parameters with what is tried unless something is said."""
    own = _DEFAULT_VALUES.get(row.name, {})
    return {name: replace(p, default=own.get(name, p.default)) for name, p in row.parameters.items()}


@dataclass(frozen=True)
class Grid:
    """Values of parameters that are tried."""

    learner: Learner
    of_machine: Mapping[str, list[Any]]
    kernels: Sequence[KernelRow]
    of_kernels: Mapping[str, list[Any]]
    normalize: bool | None

    def check(self) -> None:
        """Raise a BadParameter for values that the machine or a kernel refuses."""
        machines = (
            dict(zip(self.of_machine, values, strict=True)) for values in product(*self.of_machine.values())
        )
        kernels = (
            choice for row in self.kernels or _default_rows() for choice in self._with_values(row, None)
        )
        with as_refusal():
            for given in machines:
                self.learner.make(**given)._check_params()
            for choice in kernels:
                choice.check()

    def choices(self, columns: Mapping[str, str], column: str | None) -> list[KernelChoice]:
        """All kernels with all combinations of the values that are theirs, for data with these columns."""
        kinds = [columns[column]] if column is not None and column in columns else list(columns.values())
        default = next(names for kind, names in _DEFAULT_KERNELS.items() if kind in kinds)
        rows = self.kernels or [registry.kernels()[name] for name in default]
        for parameter in self.of_kernels:
            if not any(parameter in row.parameters for row in rows):
                raise refused(
                    option_name(parameter),
                    f"none of the kernels {', '.join(row.name for row in rows)} has such a parameter",
                )
        return [choice for row in rows for choice in self._with_values(row, column)]

    def _with_values(self, row: KernelRow, column: str | None) -> Iterator[KernelChoice]:
        own = {name: values for name, values in self.of_kernels.items() if name in row.parameters}
        own = {**_DEFAULT_VALUES.get(row.name, {}), **own}
        for values in product(*own.values()):
            yield KernelChoice(row, dict(zip(own, values, strict=True)), self.normalize, column)
