"""Modules that scikit-learn imports and commands hardly ever use, imported when they are used.

scipy.stats and pandas take as long to load as all else that a prediction needs.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any


class Later(ModuleType):
    """Stands for a module until something in it is asked for."""

    def __getattr__(self, name: str) -> Any:
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        module = import_module(self.__name__)
        self.__dict__.update(vars(module))
        return getattr(module, name)


def import_later(*names: str) -> None:
    """Let imports of these modules wait, unless they have been imported already or are not there."""
    for name in names:
        if name in sys.modules:
            continue
        if find_spec(name.partition(".")[0]) is not None:
            sys.modules[name] = Later(name)
