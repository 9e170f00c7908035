"""Code bases on a command line: which trees functions become, and what was left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from hedgerow.cli.derived import DerivedOption, derived, said
from hedgerow.cli.derived_command import Naming
from hedgerow.cli.failures import as_refusal, complain
from hedgerow.cli.progress import counting
from hedgerow.data import Forest
from hedgerow.kernels import parse_kernel
from hedgerow.kernels.base import Kernel
from hedgerow.parameters import parameters_of

Paths = Annotated[
    list[str],
    typer.Argument(
        metavar="DIR", help="Folders of code, or files. Only files whose ending names a language count."
    ),
]
KernelText = Annotated[
    str,
    typer.Option(
        "--kernel", metavar="KERNEL", help="A tree kernel, normalised: st, sst(decay=0.1), pt, subpath."
    ),
]
MinNodes = Annotated[
    int, typer.Option(min=1, metavar="N", help="Leave out functions with fewer nodes, silently.")
]
MaxNodes = Annotated[
    int, typer.Option(min=1, metavar="N", help="Leave out functions with more nodes, and say so.")
]
MaxBytes = Annotated[
    int, typer.Option(min=1, metavar="N", help="Leave out files with more bytes, and say so.")
]
Jobs = Annotated[
    int | None,
    typer.Option(
        min=1, metavar="N", help="Threads and processes; results do not depend on it. Default: one per core."
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", help="Show neither progress nor what was left out.")]

_DEFAULTS: dict[str, Any] = {"language": None, "unit": "function", "tokens": False}
_SHOWN = 5  # sentences about what was left out


@dataclass(frozen=True)
class CodeTrees(Naming):
    """The parameters of `Forest.from_source` that can be chosen here, with defaults for functions."""

    @classmethod
    def among(cls, arguments: list[str]) -> CodeTrees:
        return cls()

    def options(self) -> list[DerivedOption]:
        found = parameters_of(Forest.from_source)
        wanted = ("language", "unit", "tokens", "identifiers", "literals", "fields")
        parameters = {name: found[name] for name in wanted}
        for name, default in _DEFAULTS.items():
            parameters[name] = replace(parameters[name], default=default)
        return derived(parameters, "Trees")

    def why_not(self, option: str) -> str:
        return ""

    def given(self, values: dict[str, Any]) -> dict[str, Any]:
        """All parameters, as they were said or as they are by default."""
        found = {option.parameter.name: values.get(option.key) for option in self.options()}
        chosen = {name: said(value) for name, value in found.items() if value is not None}
        return {**_DEFAULTS, **chosen}


@dataclass(frozen=True)
class Limits:
    """What of a code base is left out."""

    min_nodes: int
    max_nodes: int
    max_bytes: int


def read_base(
    paths: Sequence[str],
    options: dict[str, Any],
    limits: Limits,
    *,
    cache: Path | None = None,
    jobs: int | None = None,
    quiet: bool = False,
) -> Any:
    """The functions in these places; what was left out is said on standard error."""
    # Imported here: scikit-learn takes a second to load, which help and other commands need not wait for.
    from hedgerow.neighbors.code_units import read_code

    missing = [path for path in paths if not Path(path).exists()]
    if missing:
        raise FileNotFoundError(f"{missing[0]}: no such file or folder")
    with counting("Parsing", None, wanted=not quiet) as advance:
        base = read_code(
            paths, max_bytes=limits.max_bytes, cache=cache, progress=advance, n_jobs=jobs, **options
        )
    base = base.chosen(limits.min_nodes, limits.max_nodes)
    if not quiet:
        for sentence in base.left_out[:_SHOWN]:
            complain(f"left out: {sentence}")
        if len(base.left_out) > _SHOWN:
            complain(f"left out: {len(base.left_out) - _SHOWN} more")
    return base


def kernel_named(text: str) -> Kernel:
    """The kernel of a command line, which an index must be able to use."""
    with as_refusal():
        kernel = parse_kernel(text)
        kernel._index("kernel")
        return kernel
