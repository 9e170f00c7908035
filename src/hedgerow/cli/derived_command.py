"""Commands whose options follow from their arguments."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from typing import Annotated, Any, Self

from hedgerow.cli.derived import DerivedOption, option_name
from hedgerow.cli.failures import refused


class Naming(ABC):
    """What the arguments of a command name; its options follow from that."""

    absent: tuple[str, ...] = ()  # arguments of the command that are left out

    @classmethod
    @abstractmethod
    def among(cls, arguments: list[str]) -> Self:
        """What these arguments name."""

    @abstractmethod
    def options(self) -> list[DerivedOption]:
        """Further options of the command."""

    @abstractmethod
    def why_not(self, option: str) -> str:
        """Who takes an option that is not taken here; empty for what nobody takes."""

    def hides(self, name: str) -> bool:
        """Whether the help does not show an argument or option."""
        return False


@dataclass(frozen=True)
class Derived:
    """A command whose function is made when its arguments are known."""

    template: Callable[
        ..., None
    ]  # takes what is named, and as keywords its arguments and the values of options
    naming: type[Naming]

    def for_arguments(self, arguments: list[str]) -> Callable[..., None]:
        named = self.naming.among(arguments)

        def command(**values: Any) -> None:
            self.template(named, **values)

        signature = inspect.signature(self.template, eval_str=True)
        own = [
            _hidden(parameter) if named.hides(name) else parameter
            for name, parameter in list(signature.parameters.items())[1:]
            if name not in named.absent and parameter.kind is not inspect.Parameter.VAR_KEYWORD
        ]
        parameters = [*own, *(option.argument(named.hides(option.key)) for option in named.options())]
        command.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        command.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        command.__doc__ = self.template.__doc__
        _refuse_others(arguments, parameters, named)
        return command


def _refuse_others(arguments: list[str], parameters: list[inspect.Parameter], named: Naming) -> None:
    """Raise a BadParameter for options that are not taken, if there is something to say about them."""
    known = {"-h", "--help"} | {name for parameter in parameters for name in _names(parameter)}
    for argument in arguments[: arguments.index("--") if "--" in arguments else None]:
        option = argument.partition("=")[0] if argument.startswith("--") else argument[:2]
        if not option.startswith("-") or option in known:
            continue
        if sentence := named.why_not(option.replace("--no-", "--")):
            raise refused(option, sentence)


def value_among(arguments: list[str], option: str) -> str | None:
    """The last value that the option has among the arguments."""
    found = None
    for argument, following in zip(arguments, [*arguments, None][1:], strict=True):
        name, equals, value = argument.partition("=")
        if name == option:
            found = value if equals else following
    return found


def _hidden(parameter: inspect.Parameter) -> inspect.Parameter:
    kind, option = parameter.annotation.__origin__, deepcopy(parameter.annotation.__metadata__[0])
    option.hidden = True
    return parameter.replace(annotation=Annotated[kind, option])


def _names(parameter: inspect.Parameter) -> list[str]:
    option = parameter.annotation.__metadata__[0]
    # In an annotation the first name stands where typer otherwise has the default.
    declared = [option.default, *(option.param_decls or ())]
    names = [name for words in declared if isinstance(words, str) for name in words.split("/")]
    return names or [option_name(parameter.name)]
