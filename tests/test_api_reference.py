"""Every public name has an entry in the API reference and a docstring; what users call has an example in it."""

from __future__ import annotations

import dataclasses
import inspect
import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import hedgerow

PAGES = Path(__file__).parents[1] / "docs" / "api"
MODULES = (
    "hedgerow",
    "hedgerow.data",
    "hedgerow.datasets",
    "hedgerow.distributed",
    "hedgerow.feature_extraction",
    "hedgerow.feature_selection",
    "hedgerow.inspection",
    "hedgerow.io",
    "hedgerow.kernels",
    "hedgerow.model_selection",
    "hedgerow.models",
    "hedgerow.neighbors",
    "hedgerow.online",
    "hedgerow.persistence",
    "hedgerow.report",
    "hedgerow.serve",
    "hedgerow.structured",
    "hedgerow.svm",
    "hedgerow.svmlight_tk",
    "hedgerow.testing",
    "hedgerow_papers.datasets",
)
BEHIND_THE_COMMANDS = ("hedgerow.cli",)
PUBLIC = [
    f"{module}.{name}"
    for module in MODULES
    for name in import_module(module).__all__
    if name != "__version__"
]


def found(name: str) -> Any:
    module, _, attribute = name.rpartition(".")
    return getattr(import_module(module), attribute)


def is_result(thing: Any) -> bool:
    """Whether it is something that functions return, which their examples show."""
    made = dataclasses.is_dataclass(thing) and not hasattr(thing, "get_params")
    return made or (inspect.isclass(thing) and issubclass(thing, list))


def listed() -> tuple[list[str], list[str]]:
    """The modules and the full names that the pages list."""
    modules, names = [], []
    for page in sorted(PAGES.glob("*.md")):
        for line in page.read_text(encoding="utf-8").splitlines():
            if module := re.fullmatch(r"\.\. (?:module|currentmodule):: (\S+)", line):
                modules.append(module[1])
            elif name := re.fullmatch(r"(?:   |\.\. py:data:: )(\w+)", line):
                names.append(f"{modules[-1]}.{name[1]}")
    return modules, names


LISTED_MODULES, LISTED = listed()
SAID_OF_ALL = sorted({name for name in [*PUBLIC, *LISTED] if not inspect.ismodule(found(name))})


def test_no_module_is_forgotten() -> None:
    packages = {
        f"hedgerow.{path.parent.name}" for path in Path(hedgerow.__file__).parent.glob("*/__init__.py")
    }
    assert packages <= {*MODULES, *BEHIND_THE_COMMANDS}


def test_names_can_be_completed_before_they_are_imported() -> None:
    modules = {name.partition(".")[2] for name in MODULES if name.startswith("hedgerow.")}
    assert {*dir(hedgerow)} == {*hedgerow.__all__, *modules}


def test_no_name_is_listed_twice() -> None:
    assert len(LISTED) == len(set(LISTED))


@pytest.mark.parametrize("name", PUBLIC)
def test_name_is_listed(name: str) -> None:
    """Under its module, or under another one that has the same object."""
    if inspect.ismodule(found(name)):
        assert name in LISTED_MODULES
    else:
        assert any(found(other) is found(name) for other in LISTED), f"{name} has no entry in docs/api"


@pytest.mark.parametrize("name", SAID_OF_ALL)
def test_docstring(name: str) -> None:
    thing = found(name)
    if not (inspect.isclass(thing) or inspect.isfunction(thing)):
        return  # a type alias has the docstring of its type
    assert thing.__doc__, f"{name} has no docstring"
    assert ">>> " in thing.__doc__ or is_result(thing), f"{name} has no example"
    if inspect.isclass(thing):
        silent = [
            member
            for member, value in vars(thing).items()
            if not member.startswith("_")
            and (inspect.isfunction(value) or isinstance(value, property | classmethod | staticmethod))
            and not inspect.getdoc(value)
        ]
        assert not silent, f"members of {name} without a docstring: {', '.join(silent)}"
