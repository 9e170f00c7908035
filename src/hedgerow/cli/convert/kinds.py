"""The formats that a command line names, and the options of what makes trees of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hedgerow.cli.derived import DerivedOption, derived, option_name, said
from hedgerow.cli.derived_command import Naming, value_among
from hedgerow.cli.failures import refused
from hedgerow.data import Forest
from hedgerow.io.formats import FORMATS, guess_format
from hedgerow.parameters import Parameter, parameters_of
from hedgerow.registry import Format

_SOURCES = {row.name: row for row in FORMATS if row.trees}
_OUTPUT = ("-o", "--output")
_OF_PYTHON = ("errors", "return_units")  # parameters that say what a method returns


@dataclass(frozen=True)
class Kinds(Naming):
    """The format that --from names, or those that names of files speak of."""

    named: Format | None
    of_files: tuple[Format, ...]

    @classmethod
    def among(cls, arguments: list[str]) -> Kinds:
        name = value_among(arguments, "--from")
        if name is not None:
            if name not in _SOURCES:
                raise refused("--from", f"must be one of {', '.join(_SOURCES)}, got {name!r}")
            return cls(_SOURCES[name], ())
        words = [
            word for before, word in zip(["", *arguments], arguments, strict=False) if before not in _OUTPUT
        ]
        found = {kind.name: kind for word in words if (kind := guess_format(word)) is not None}
        return cls(None, tuple(found.values()))

    def options(self) -> list[DerivedOption]:
        """All options of these formats; what two of them take is one option."""
        kinds = (self.named,) if self.named is not None else self.of_files
        names = " and ".join(kind.name for kind in kinds if _parameters(kind))
        parameters = {name: found for kind in kinds for name, found in _parameters(kind).items()}
        return derived(parameters, f"Trees from {names}")

    def given(self, kind: Format, values: dict[str, Any]) -> dict[str, Any]:
        """The values of options that are parameters of the format's converter."""
        said_of = {option.parameter.name: values.get(option.key) for option in self.options()}
        return {name: said(said_of[name]) for name in _parameters(kind) if said_of.get(name) is not None}

    def why_not(self, option: str) -> str:
        takers = [name for name, kind in _SOURCES.items() if option in map(option_name, _parameters(kind))]
        return f"it is for inputs of the format {' or '.join(takers)}" if takers else ""


def _parameters(kind: Format) -> dict[str, Parameter]:
    """What can be said about making trees of this format."""
    if kind.converter is None:
        return {}
    found = parameters_of(getattr(Forest, kind.converter))
    return {name: found[name] for name in list(found)[1:] if name not in _OF_PYTHON}
