"""Large-margin learning over trees, strings and vectors.

A hedgerow is a margin made of trees.
"""

from importlib.metadata import version as _version

from hedgerow.data import Forest, FormatError, Records, Tree
from hedgerow.persistence import load, save
from hedgerow.threads import get_n_jobs, set_n_jobs

__version__ = _version("hedgerow")

__all__ = [
    "Forest",
    "FormatError",
    "Records",
    "Tree",
    "__version__",
    "get_n_jobs",
    "load",
    "save",
    "set_n_jobs",
]
