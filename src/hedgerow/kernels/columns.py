"""Records given to a kernel that was not told which column to use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hedgerow.data import Records


def only_column(records: Records, kind: str, accepts: Callable[[Any], bool]) -> Any:
    """The one column that ``accepts`` takes; an error names the columns when there are none or several."""
    fitting = [name for name in records.columns if accepts(records[name])]
    if len(fitting) != 1:
        count = "no" if not fitting else "more than one"
        raise ValueError(
            f"the Records have {count} {kind} column; choose one of the columns "
            f'{", ".join(map(repr, records.columns))} with kernel.on("name")'
        )
    return records[fitting[0]]
