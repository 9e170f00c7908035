"""Kernels by the names that the command line gives them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import typer

from hedgerow import kernels
from hedgerow.cli.names import KernelName
from hedgerow.kernels import Kernel


@dataclass(frozen=True)
class _Entry:
    """A kernel class, the kind of data it is for, the options it takes, and what its name fixes."""

    make: type[Kernel]
    data: str
    options: tuple[str, ...]
    fixed: tuple[tuple[str, Any], ...] = ()


_PARTIAL = ("decay", "vertical_decay", "max_length", "terminal_factor")
_KERNELS = {
    KernelName.sst: _Entry(kernels.SubsetTree, "tree", ("decay",)),
    KernelName.st: _Entry(kernels.SubTree, "tree", ("decay",)),
    KernelName.sst_bow: _Entry(kernels.SubsetTree, "tree", ("decay",), (("bag_of_words", True),)),
    KernelName.pt: _Entry(kernels.PartialTree, "tree", _PARTIAL),
    KernelName.upt: _Entry(kernels.PartialTree, "tree", _PARTIAL, (("lexical", False),)),
    KernelName.subpath: _Entry(kernels.SubPath, "tree", ("decay",)),
    KernelName.linear: _Entry(kernels.Linear, "vector", ()),
    KernelName.polynomial: _Entry(kernels.Polynomial, "vector", ("degree", "scale", "offset")),
    KernelName.rbf: _Entry(kernels.RBF, "vector", ("gamma",)),
    KernelName.sigmoid: _Entry(kernels.Sigmoid, "vector", ("scale", "offset")),
    KernelName.spectrum: _Entry(kernels.Spectrum, "text", ("k",)),
    KernelName.subsequence: _Entry(kernels.Subsequence, "text", ("length", "decay")),
    KernelName.mismatch: _Entry(kernels.Mismatch, "text", ("k", "mismatches", "alphabet")),
}
_DEFAULTS = {"tree": KernelName.sst, "vector": KernelName.linear, "text": KernelName.spectrum}


def option(parameter: str) -> str:
    """What the command line calls a parameter."""
    return f"--{parameter.replace('_', '-')}"


def is_for_text(name: KernelName | None) -> bool:
    return name is not None and _KERNELS[name].data == "text"


def takes(name: KernelName) -> tuple[str, ...]:
    """The parameters of a kernel that options set."""
    return _KERNELS[name].options


def choose_kernel(
    name: KernelName | None,
    given: dict[str, Any],
    normalize: bool | None,
    column: str | None,
    columns: Mapping[str, str],
) -> Kernel:
    """The kernel that the options describe, for data with these columns (names to kinds).

    Parameters that are None were not given; the class has their defaults.
    """
    if column is not None and column not in columns:
        raise ValueError(f"--column must be one of {', '.join(columns)}, got {column!r}")
    if name is None:
        kinds = [columns[column]] if column is not None else list(columns.values())
        name = next(_DEFAULTS[kind] for kind in ("tree", "text", "vector") if kind in kinds)
    entry = _KERNELS[name]
    for parameter, value in given.items():
        if value is not None and parameter not in entry.options:
            takes = ", ".join(map(option, entry.options)) or "no parameters"
            raise typer.BadParameter(
                f"the kernel {name.value} has no such parameter; it takes {takes}",
                param_hint=option(parameter),
            )
    column = column or _only_column(name, entry.data, columns)
    if columns[column] != entry.data:
        raise ValueError(
            f"the kernel {name.value} takes {entry.data}s, but the column {column} has {columns[column]}s"
        )
    chosen = {parameter: value for parameter, value in given.items() if value is not None}
    kernel = entry.make(**dict(entry.fixed), **chosen)
    if normalize if normalize is not None else entry.data == "tree":
        kernel = kernels.Normalized(kernel)
    kernel._check_params()
    return kernel if len(columns) == 1 else kernel.on(column)


def _only_column(name: KernelName, kind: str, columns: Mapping[str, str]) -> str:
    fitting = [column for column, holds in columns.items() if holds == kind]
    if len(fitting) == 1:
        return fitting[0]
    if not fitting:
        found = " and ".join(sorted({f"{holds}s" for holds in columns.values()}))
        raise ValueError(f"the kernel {name.value} takes {kind}s, but the data have {found} only")
    raise ValueError(
        f"the data have several columns of {kind}s; choose one of {', '.join(fitting)} with --column"
    )
