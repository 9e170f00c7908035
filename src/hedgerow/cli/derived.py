"""Options that are made from the parameters of classes: names, values and help are written in the class alone."""

from __future__ import annotations

import inspect
import os
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, get_args, get_origin

import typer

from hedgerow.cli.failures import as_refusal, refused
from hedgerow.io.examples import kind_of, label_array
from hedgerow.parameters import REQUIRED, Parameter

_NAMES = {"C": "-C", "random_state": "--seed", "n_jobs": "--jobs"}
_WORDS: dict[Any, tuple[str, str]] = {
    int: ("INT", "a whole number"),
    float: ("FLOAT", "a number"),
    str: ("TEXT", "a text"),
}
_FLAGS = {"yes": True, "no": False}
_NONE = object()  # what ``none`` says; None was not said

Reader = Callable[[str], Any]


@dataclass(frozen=True)
class DerivedOption:
    """An option for a parameter; ``reads`` makes its value from a file, where it may be in one."""

    parameter: Parameter
    panel: str
    called: str | None = None  # where it is not called as the parameter is
    reads: Reader | None = None
    several: bool = False  # whether it takes values between commas

    @property
    def name(self) -> str:
        return f"--{self.called}" if self.called is not None else option_name(self.parameter.name)

    @property
    def key(self) -> str:
        """What the command finds its value under."""
        return f"{self.panel.split()[0].lower()}_{self.parameter.name}"

    def argument(self, hidden: bool) -> inspect.Parameter:
        """The option as an argument of a command's function."""
        if bool in self.parameter.types and not self._metavar() and not self.several:
            declared = f"{self.name}/--no-{self.name.removeprefix('--')}"
            settings: dict[str, Any] = {}
            kind: Any = bool
        else:
            declared = self.name
            settings = {"parser": self.parse, "metavar": self._metavar()}
            kind = str
        option = typer.Option(
            declared,
            help=self.help,
            rich_help_panel=self.panel,
            hidden=hidden,
            show_default=False,
            **settings,
        )
        return inspect.Parameter(
            self.key, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[kind | None, option]
        )

    @property
    def help(self) -> str:
        """The first sentence of the docstring's text, and the default."""
        default = self.parameter.default
        silent = default is REQUIRED or (default is None and None not in self.parameter.choices)
        return self.parameter.summary + ("" if silent else f" Default: {text_of(default)}.")

    def parse(self, text: str) -> Any:
        """The value that was meant, or all values."""
        if not self.several:
            return self._value(text)
        values = [said(self._value(word.strip())) for word in text.split(",")]
        return [value for i, value in enumerate(values) if value not in values[:i]]

    def _value(self, text: str) -> Any:
        parameter = self.parameter
        if self.several and bool in parameter.types and text in _FLAGS:
            return _FLAGS[text]
        if text in parameter.choices:
            return text
        if text == "none" and parameter.optional:
            return _NONE
        if self.reads is not None and os.path.exists(text):
            return _InFile(self.reads, text)
        for kind in self._types:
            try:
                value = _value(kind, text)
            except ValueError:
                continue
            if parameter.bounds is not None and kind in (int, float):
                with as_refusal():
                    parameter.bounds.check("it", value, whole=kind is int)
            return value
        raise typer.BadParameter(f"must be {self._accepted()}, got {text!r}")

    @property
    def _types(self) -> tuple[Any, ...]:
        """What is written down as it is; what a file may hold is in a file."""
        if self.reads is not None:
            return ()
        return tuple(kind for kind in self.parameter.types if not self.several or kind in _WORDS)

    def _metavar(self) -> str:
        words = [text_of(choice) for choice in self.parameter.choices]
        shown = [f"[{'|'.join(words)}]"] if words else []
        shown += [word for kind in self._types if (word := _word(kind)[0])]
        whole = "|".join(shown + ["FILE"] * (self.reads is not None))
        return f"{whole or 'yes|no'},..." if self.several else whole

    def _accepted(self) -> str:
        words = [word for kind in self._types if (word := _word(kind)[1])]
        words += ["a file"] * (self.reads is not None)
        choices = [text_of(choice) for choice in self.parameter.choices]
        if self.parameter.optional and not choices:
            words.append("none")
        accepted = words + ([f"one of {', '.join(choices)}"] if len(choices) > 1 else choices)
        return " or ".join(accepted or ["yes or no"])


def option_name(parameter: str) -> str:
    """What the command line calls a parameter."""
    return _NAMES.get(parameter, f"--{parameter.replace('_', '-')}")


def derived(
    parameters: Mapping[str, Parameter],
    panel: str,
    called: Mapping[str, str] | None = None,
    files: Mapping[str, Reader] | None = None,
) -> list[DerivedOption]:
    """Options for all parameters that can be written on a command line."""
    called, files = called or {}, files or {}
    return [
        DerivedOption(parameter, panel, called.get(name), files.get(name))
        for name, parameter in parameters.items()
        if name in files
        or parameter.choices
        or any(kind is bool or _word(kind)[0] for kind in parameter.types)
    ]


def values_by_panel(
    options: Iterable[DerivedOption], values: Mapping[str, Any], panels: Iterable[str]
) -> dict[str, dict[str, Any]]:
    """What was said, by the first words of panels and the names of parameters; what is required must be there."""
    given: dict[str, dict[str, Any]] = {panel: {} for panel in panels}
    for option in options:
        value = values.get(option.key)
        if value is not None:
            given[option.panel.split()[0]][option.parameter.name] = said(value)
        elif option.parameter.default is REQUIRED:
            raise refused(option.name, f"the {option.panel.lower()} needs it")
    return given


def text_of(value: Any) -> str:
    """A value as it is written on the command line."""
    if value is None or isinstance(value, bool):
        return {None: "none", True: "yes", False: "no"}[value]
    if isinstance(value, Mapping):
        return ",".join(f"{name}={text_of(number)}" for name, number in value.items())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ",".join(map(text_of, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


@dataclass(frozen=True)
class _InFile:
    """A value that is yet to be read, since what is wrong with a file is not wrong with the command line."""

    reads: Reader
    path: str


def said(value: Any) -> Any:
    """The value of a parameter, from that of an option."""
    if isinstance(value, _InFile):
        return value.reads(value.path)
    return None if value is _NONE else value


def _word(kind: Any) -> tuple[str, str]:
    """What values of the type are called, in usage and in sentences; empty for those that cannot be written."""
    items = [item for item in get_args(kind) if item is not types.EllipsisType]
    if get_origin(kind) is tuple and set(items) <= _WORDS.keys():
        return ",".join(_WORDS[item][0] for item in items), "numbers between commas"
    if get_origin(kind) is Sequence and items == [str]:
        return "A,B,...", "words between commas"
    if get_origin(kind) is Mapping and items == [Any, float]:
        return "A=FLOAT,...", "weights as A=2,B=0.5"
    return _WORDS.get(kind, ("", ""))


def _value(kind: Any, text: str) -> Any:
    """Raises a ValueError for what is not of the type."""
    if kind in (int, float, str):
        return kind(text)
    words = [word.strip() for word in text.split(",")]
    if get_origin(kind) is tuple:
        return tuple(item(word) for item, word in zip(get_args(kind), words, strict=True))
    if get_origin(kind) is Sequence:
        return words
    if get_origin(kind) is Mapping:
        names, _, numbers = zip(*(word.rpartition("=") for word in words), strict=True)
        return dict(zip(label_array(names, kind_of(names)).tolist(), map(float, numbers), strict=True))
    raise ValueError
