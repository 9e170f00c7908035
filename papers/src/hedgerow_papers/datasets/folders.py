"""The files of a data set in a local folder: finding them, and reading tables of text."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Literal

from hedgerow.data import FormatError
from hedgerow.data.files import read_text
from hedgerow.datasets.fetching import find_file

Subset = Literal["train", "test"]


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


def read_table(path: Path, columns: tuple[str, ...], separator: str = "\t") -> list[list[str]]:
    """The records of the file, each with the columns named; a line with more or fewer is an error."""
    records = []
    # Not splitlines(): texts may hold what that takes for the end of a line.
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if not line:
            continue
        record = line.removesuffix("\r").split(separator)
        if len(record) != len(columns):
            raise FormatError(
                f"expected the {len(columns)} columns {', '.join(columns)}, got {len(record)}",
                path=str(path),
                line=number,
            )
        records.append(record)
    return records


def read_tree(folder: str | os.PathLike[str], name: str) -> dict[str, str]:
    """The parent of each class, from lines of parent and child."""
    path = data_file(folder, name, "a tree of classes as lines parent and child, with a tab between")
    return {child: parent for parent, child in read_table(path, ("parent", "child"))}
