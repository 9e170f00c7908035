"""Names of files with wildcards, for those whose shell has not expanded them."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable


def matching(paths: Iterable[str]) -> list[str]:
    """The paths, with the files that match a pattern such as ``parts/*.gz``, sorted, in its place.

    A file that is called like a pattern is that file. A pattern that nothing matches is an error.
    """
    found: list[str] = []
    for path in paths:
        if not glob.has_magic(path) or os.path.exists(path):
            found.append(path)
            continue
        files = sorted(name for name in glob.glob(path, recursive=True) if os.path.isfile(name))
        if not files:
            raise FileNotFoundError(f"no file matches {path}")
        found.extend(files)
    return found
