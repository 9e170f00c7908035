"""Finding the files of a data set in a local folder."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Literal

Subset = Literal["train", "test"]


def find_file(folder: str | os.PathLike[str], name: str) -> Path | None:
    """The file ``name`` of the folder, plain or gzip (``name.gz``), if it is there."""
    path = Path(folder, name)
    for candidate in (path, path.with_name(path.name + ".gz")):
        if candidate.is_file():
            return candidate
    return None


def data_file(folder: str | os.PathLike[str], name: str, content: str) -> Path:
    """The file ``name`` of the folder, plain or gzip (``name.gz``), or an error that says what belongs there."""
    if path := find_file(folder, name):
        return path
    if not Path(folder).is_dir():
        raise FileNotFoundError(
            errno.ENOENT, f"there is no such data folder; expected {name} in it", str(folder)
        )
    raise FileNotFoundError(
        errno.ENOENT,
        f"no such file, plain or with .gz at its end; expected {content}",
        str(Path(folder, name)),
    )
