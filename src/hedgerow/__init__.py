"""Large-margin learning over trees, strings and vectors.

A hedgerow is a margin made of trees.
"""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING
from typing import Any as _Any

from hedgerow.threads import get_n_jobs, set_n_jobs

if TYPE_CHECKING:
    from hedgerow.data import Forest, FormatError, Records, Tree
    from hedgerow.limits import get_limits, set_limits
    from hedgerow.model_selection.choosing import auto
    from hedgerow.persistence import load, save

    __version__: str

__all__ = [
    "Forest",
    "FormatError",
    "Records",
    "Tree",
    "__version__",
    "auto",
    "get_limits",
    "get_n_jobs",
    "load",
    "save",
    "set_limits",
    "set_n_jobs",
]
_HOMES = {
    **dict.fromkeys(("Forest", "FormatError", "Records", "Tree"), "hedgerow.data"),
    "auto": "hedgerow.model_selection.choosing",
    **dict.fromkeys(("get_limits", "set_limits"), "hedgerow.limits"),
    **dict.fromkeys(("load", "save"), "hedgerow.persistence"),
}
_MODULES = (
    "data",
    "datasets",
    "distributed",
    "feature_extraction",
    "feature_selection",
    "inspection",
    "io",
    "kernels",
    "model_selection",
    "models",
    "neighbors",
    "online",
    "persistence",
    "report",
    "serve",
    "structured",
    "svm",
    "svmlight_tk",
    "testing",
)


def __getattr__(name: str) -> _Any:
    """Names and subpackages are imported when they are first asked for, so that commands start quickly."""
    if name == "__version__":
        from importlib.metadata import version

        value: _Any = version("hedgerow")
    elif name in _HOMES:
        value = getattr(_import_module(_HOMES[name]), name)
    else:
        try:
            return _import_module(f"hedgerow.{name}")
        except ModuleNotFoundError as error:
            if error.name != f"hedgerow.{name}":
                raise
            raise AttributeError(f"module 'hedgerow' has no attribute {name!r}") from None
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """What is public, imported or not, for those who complete names with a key."""
    return sorted({*__all__, *_MODULES})
