"""What is asked of tables of examples while they are read."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import sparse

from hedgerow.data import CandidateLists, Forest, FormatError, Records
from hedgerow.io.examples import Examples, Table
from hedgerow.io.sources import shown


def words_of(table: Table) -> list[str]:
    """The distinct labels of a table, as they are written."""
    words: list[str] = np.unique(table.y).tolist() if table.coded is None else table.coded[0]
    return words


def require_labels(table: Table, path: str) -> None:
    if table.coded is None and (table.y == "").any():
        raise FormatError("an example has no label", path=shown(path))


def no_example(paths: Sequence[str]) -> ValueError:
    return ValueError(f"no example in {', '.join(map(shown, paths))}")


def join(parts: Sequence[Examples]) -> Examples:
    """The examples of all parts, which look alike."""
    if len(parts) == 1:
        return parts[0]
    if isinstance(parts[0], list):
        return [item for part in parts for item in part]
    if isinstance(parts[0], Forest | Records | CandidateLists):
        return type(parts[0]).concatenate(parts)
    return sparse.vstack(parts, format="csr") if sparse.issparse(parts[0]) else np.concatenate(parts)
