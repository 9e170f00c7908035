"""Parameters of a class, read from its signature and its numpydoc text: type, choices, default and help."""

from __future__ import annotations

import inspect
import re
import types
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from sklearn.base import BaseEstimator

from hedgerow.checks import Bounds, check_choice, is_choice

REQUIRED = inspect.Parameter.empty
_SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}$", re.MULTILINE)
_ENTRY = re.compile(r"^(?=\w)(?P<names>\w+(?:, \\?\n?\w+)*)(?: ?:(?P<type>.*))?$", re.MULTILINE)
_ELSEWHERE = re.compile(r"(?:[Aa]s (?:for|in)|[Ss]ee) `(\w+)`")
_REST = re.compile(
    r"Other\s+parameters\s+(?:and\s+attributes\s+)?are\s+those\s+of\s+`(\w+)`(?:\s+and\s+`(\w+)`)?"
)
_PLAIN: dict[tuple[Any, ...], tuple[str, ...]] = {(bool,): ("True", "False"), (str,): ("a text",)}
_SENTENCE = re.compile(r"(.+?[.])(?=\s|$)", re.DOTALL)


@dataclass(frozen=True)
class Parameter:
    """A parameter of a constructor."""

    name: str
    types: tuple[Any, ...]  # the members of its annotation, without Literal and None
    bounds: Bounds | None  # of a number
    choices: tuple[Any, ...]  # the values of Literal, None first if it may be None
    optional: bool  # whether it may be None
    default: Any
    help: str  # the whole text

    @property
    def summary(self) -> str:
        """The first sentence of the help, without markup."""
        found = _SENTENCE.match(self.help)
        return re.sub(r"`+", "", found[1] if found else self.help)


@cache
def parameters_of(thing: Any) -> dict[str, Parameter]:
    """The parameters of a class's constructor, or of a function, by name, in order."""
    if not inspect.isclass(thing):
        function = getattr(thing, "__func__", thing)
        hints = get_type_hints(function, include_extras=True)
        return _described(inspect.signature(thing), hints, _entries(thing))
    if thing.__init__ is object.__init__:
        return {}
    signature = inspect.signature(thing.__init__)
    own = list(signature.parameters.values())[1:]
    return _described(signature.replace(parameters=own), _hints(thing), _helps(thing))


def _described(
    signature: inspect.Signature, hints: dict[str, Any], helps: dict[str, str]
) -> dict[str, Parameter]:
    found = {}
    for name, parameter in signature.parameters.items():
        annotated = tuple(_members(hints.get(name, Any)))
        members = tuple(get_args(m)[0] if get_origin(m) is Annotated else m for m in annotated)
        bounds = next((m.__metadata__[0] for m in annotated if get_origin(m) is Annotated), None)
        choices = tuple(value for m in members if get_origin(m) is Literal for value in get_args(m))
        optional = type(None) in members or None in choices
        if choices and optional and None not in choices:
            choices = (None, *choices)
        plain = tuple(m for m in members if m is not type(None) and get_origin(m) is not Literal)
        text = helps.get(name, "")
        found[name] = Parameter(name, plain, bounds, choices, optional, parameter.default, text)
    return found


def _hints(cls: type[Any]) -> dict[str, Any]:
    """The types of the constructor's parameters, as those who wrote them meant them."""
    owner = next(base for base in cls.__mro__ if "__init__" in vars(base))
    # Constructors of dataclasses have the parameters of other modules' classes, whose names only these know.
    meant = owner if "__dataclass_fields__" in vars(owner) else vars(owner)["__init__"]
    try:
        return get_type_hints(meant, include_extras=True)
    except NameError:  # of types that only a function, or a type checker, knows
        return {}


class Estimator(BaseEstimator):  # type: ignore[misc]
    """Something with parameters, as scikit-learn reads, sets and clones them."""

    def _check_params(self) -> None:
        """Raise a ValueError or TypeError that names the parameter and the accepted values."""
        check_parameters(self)


def check_parameters(thing: Any) -> None:
    """Raise a ValueError or TypeError for a parameter that is not what its annotation allows.

    Choices, True and False, texts, and numbers with bounds are looked at.
    """
    kind: Any = type(thing)
    for name, parameter in parameters_of(kind).items():
        value = getattr(thing, name)
        if is_choice(value, parameter.choices) or (value is None and parameter.optional):
            continue
        if parameter.choices and not parameter.types:
            check_choice(name, value, parameter.choices)
        elif parameter.bounds is not None:
            parameter.bounds.check(name, value, whole=parameter.types == (int,))
        elif parameter.types in _PLAIN and not isinstance(value, parameter.types):
            accepted = ", ".join(_PLAIN[parameter.types]) + (", None" if parameter.optional else "")
            raise TypeError(f"{name} must be {' or '.join(accepted.rsplit(', ', 1))}, got {value!r}")


def check_unused(thing: Any, why: str, *names: str) -> None:
    """Raise a ValueError for a parameter that has no effect, unless it has its default."""
    kind: Any = type(thing)
    for name in names:
        value, default = getattr(thing, name), parameters_of(kind)[name].default
        if value is not default and not _equal(value, default):
            raise ValueError(f"{name} has no effect {why}, got {value!r}; leave it at {default!r}")


def _equal(value: Any, default: Any) -> bool:
    return isinstance(equal := value == default, bool) and equal  # of an array it is an array


def _members(annotation: Any) -> Iterator[Any]:
    if get_origin(annotation) in (Union, types.UnionType):
        for member in get_args(annotation):
            yield from _members(member)
    else:
        yield annotation


def _helps(cls: type[Any]) -> dict[str, str]:
    """The text for every parameter, also where it stands in the docstring of another class."""
    found: dict[str, str] = {}
    for base in reversed(cls.__mro__):  # a subclass may leave it to the class that it derives from
        if rest := _REST.search(base.__doc__ or ""):
            for name in filter(None, rest.groups()):
                found |= _helps(_named(name, base))
        for name, text in _entries(base).items():
            elsewhere = _ELSEWHERE.match(text)
            others = _helps(_named(elsewhere[1], base)) if elsewhere else {}
            found[name] = others.get(name, text)
    return found


def _entries(thing: Any) -> dict[str, str]:
    """The text for every parameter that the docstring names."""
    sections = {head[1]: body for head, body in _parts(_SECTION, inspect.cleandoc(thing.__doc__ or ""))}
    return {
        name: " ".join((text.strip() or entry["type"] or "").split())
        for entry, text in _parts(_ENTRY, sections.get("Parameters", ""))
        for name in re.findall(r"\w+", entry["names"])
    }


def _parts(heading: re.Pattern[str], text: str) -> Iterator[tuple[re.Match[str], str]]:
    """All headings of the text, and what stands below each."""
    heads = list(heading.finditer(text))
    ends = [head.start() for head in heads[1:]] + [len(text)]
    for head, end in zip(heads, ends, strict=False):
        yield head, text[head.end() : end]


def _named(name: str, near: type[Any]) -> type[Any]:
    """The public class of that name in the same package."""
    package = ".".join(near.__module__.split(".")[:2])
    found: type[Any] = getattr(import_module(package), name)
    return found
