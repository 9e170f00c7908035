"""Commands whose options follow from their arguments."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection
from copy import deepcopy
from dataclasses import dataclass
from typing import Annotated, Any

from hedgerow.cli.derived import DerivedOption, option_name
from hedgerow.cli.failures import refused


@dataclass(frozen=True)
class Derived:
    """Makes the function of a command when its arguments are known."""

    for_arguments: Callable[[list[str]], Callable[..., None]]


def with_options(
    template: Callable[..., None],
    first: Any,
    options: list[DerivedOption],
    *,
    absent: Collection[str] = (),
    hidden: Callable[[str], bool] = lambda name: False,
) -> Callable[..., None]:
    """A function that takes the arguments of the template and the options.

    Parameters
    ----------
    template : its first argument is ``first``, and it takes values of options as keywords
    first : what the options follow from
    options : further options
    absent : arguments that are left out
    hidden : whether the help does not show an argument or option
    """

    def command(**values: Any) -> None:
        template(first, **values)

    signature = inspect.signature(template, eval_str=True)
    own = [
        _hidden(parameter) if hidden(name) else parameter
        for name, parameter in list(signature.parameters.items())[1:]
        if name not in absent and parameter.kind is not inspect.Parameter.VAR_KEYWORD
    ]
    parameters = [*own, *(option.argument(hidden(option.key)) for option in options)]
    command.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    command.__doc__ = template.__doc__
    return command


def refuse_others(arguments: list[str], command: Callable[..., None], why: Callable[[str], str]) -> None:
    """Raise a BadParameter for options that the command does not take, if there is something to say about them."""
    parameters = inspect.signature(command).parameters.values()
    known = {"-h", "--help"} | {name for parameter in parameters for name in _names(parameter)}
    for argument in arguments[: arguments.index("--") if "--" in arguments else None]:
        option = argument.partition("=")[0] if argument.startswith("--") else argument[:2]
        if (
            option.startswith("-")
            and option not in known
            and (sentence := why(option.replace("--no-", "--")))
        ):
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
