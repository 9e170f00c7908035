"""What ``hedgerow tune`` tries: kernels with all combinations of the values that are theirs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import typer

from hedgerow.cli.kernel_choice import choose_kernel, option, takes
from hedgerow.cli.learner_choice import option_name
from hedgerow.cli.names import KernelName
from hedgerow.io.schema import Schema
from hedgerow.kernels import Kernel

_WHOLE = ("degree", "k", "length")
_DEFAULT_KERNELS = {
    "tree": (KernelName.st, KernelName.sst, KernelName.sst_bow, KernelName.pt, KernelName.upt),
    "text": (KernelName.spectrum,),
    "vector": (KernelName.linear, KernelName.rbf),
}
_DEFAULT_VALUES: dict[KernelName, dict[str, list[Any]]] = {KernelName.rbf: {"gamma": [0.01, 0.1, 1.0]}}


@dataclass
class DataOptions:
    """The examples, and which part of them kernels look at."""

    inputs: Sequence[str]
    schema: Schema
    normalize: bool | None
    column: str | None
    features: int | None

    def arguments(self) -> list[str]:
        """The options of ``hedgerow train`` that read the same."""
        schema = self.schema
        found = [] if self.normalize is None else ["--normalize" if self.normalize else "--no-normalize"]
        found += [] if schema.format is None else ["--format", schema.format]
        found += [] if self.column is None else ["--column", self.column]
        found += [] if self.features is None else ["--features", str(self.features)]
        found += ["--tokens"] * schema.tokens + ["--spaces-in-leaves"] * schema.spaces_in_leaves
        return found


@dataclass(frozen=True)
class KernelChoice:
    """A kernel with its name and the parameters that were tried."""

    name: KernelName
    parameters: dict[str, Any]
    kernel: Kernel


def parse_kernels(text: str) -> list[KernelName]:
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in list(KernelName):
            raise typer.BadParameter(
                f"{name!r} is not one of {', '.join(KernelName)}", param_hint="--kernels"
            )
    return list(dict.fromkeys(map(KernelName, names)))


def parse_values(parameter: str, text: str) -> list[Any]:
    """Numbers between commas, and for j the word balanced too."""
    kind = int if parameter in _WHOLE else float
    values: list[Any] = []
    for word in map(str.strip, text.split(",")):
        if parameter == "j" and word == "balanced":
            values.append(word)
            continue
        try:
            values.append(kind(word))
        except ValueError:
            what = "whole numbers" if kind is int else "numbers"
            raise typer.BadParameter(
                f"must be {what} between commas, got {text!r}", param_hint=option_name(parameter)
            ) from None
    return list(dict.fromkeys(values))


def kernel_choices(
    names: Sequence[KernelName], tried: dict[str, list[Any]], data: DataOptions
) -> list[KernelChoice]:
    """All kernels with all combinations of the values that are theirs."""
    for parameter in tried:
        if not any(parameter in takes(name) for name in names):
            raise typer.BadParameter(
                f"none of the kernels {', '.join(names)} has such a parameter", param_hint=option(parameter)
            )
    choices = []
    for name in names:
        own = {parameter: tried[parameter] for parameter in takes(name) if parameter in tried}
        own = {**_DEFAULT_VALUES.get(name, {}), **own}
        for values in product(*own.values()):
            parameters = dict(zip(own, values, strict=True))
            kernel = choose_kernel(name, parameters, data.normalize, data.column, data.schema.columns)
            choices.append(KernelChoice(name, parameters, kernel))
    return choices


def default_kernels(data: DataOptions) -> Sequence[KernelName]:
    columns = data.schema.columns
    kinds = [columns[data.column]] if data.column and data.column in columns else list(columns.values())
    return next(_DEFAULT_KERNELS[kind] for kind in ("tree", "text", "vector") if kind in kinds)


def value_text(value: Any) -> str:
    """Whole numbers without a point."""
    return (
        str(int(value))
        if isinstance(value, float) and value.is_integer() and abs(value) < 1e15
        else str(value)
    )
