"""Which columns of the data a kernel looks at."""

from __future__ import annotations

from collections.abc import Mapping

from hedgerow import registry
from hedgerow.kernels import Kernel
from hedgerow.registry import DataKind


def placed(kernel: Kernel, columns: Mapping[str, DataKind], column: str | None = None) -> Kernel:
    """The kernel with each part on the column that it names, else on the given one, else on the only one of its kind.

    Data with one column are not Records, so there it says nothing of columns.
    """
    places = used_columns(kernel, columns, column)
    if len(columns) == 1:
        return _bare(kernel)
    if len(places) == 1:
        return _bare(kernel).on(places.pop())
    below = column if kernel._column is None else kernel._column
    return _with_parts(kernel, {name: placed(part, columns, below) for name, part in kernel._parts.items()})


def used_columns(kernel: Kernel, columns: Mapping[str, DataKind], column: str | None = None) -> set[str]:
    """The columns that some part of the kernel looks at; complains about what the data do not have."""
    below = column if kernel._column is None else kernel._column
    if below is not None and below not in columns:
        raise ValueError(f"the data have the columns {', '.join(columns)}, but not {below}")
    parts = [used_columns(part, columns, below) for part in kernel._parts.values()]
    return set().union(*parts) if parts else {_column_of(kernel, columns, below)}


def _column_of(kernel: Kernel, columns: Mapping[str, DataKind], column: str | None) -> str:
    kind, name = kernel.data_kind, _name_of(kernel)
    if column is not None:
        if columns[column] != kind:
            raise ValueError(
                f"the kernel {name} takes {kind}s, but the column {column} has {columns[column]}s"
            )
        return column
    fitting = [name for name, holds in columns.items() if holds == kind]
    if not fitting:
        found = " and ".join(sorted({f"{holds}s" for holds in columns.values()}))
        raise ValueError(f"the kernel {name} takes {kind}s, but the data have {found} only")
    if len(fitting) > 1:
        raise ValueError(
            f"the data have several columns of {kind}s; choose one of {', '.join(fitting)} with --column, or say "
            f'more with --kernel "{" + ".join(f"{name} on {column}" for column in fitting)}"'
        )
    return fitting[0]


def _name_of(kernel: Kernel) -> str:
    """What the command line calls it."""
    own = kernel.get_params()
    rows = [row for row in registry.kernels().values() if row.cls is type(kernel)]
    fitting = [row for row in rows if all(own[name] == value for name, value in row.fixed.items())]
    return max(fitting, key=lambda row: len(row.fixed)).name if fitting else type(kernel).__name__


def _with_parts(kernel: Kernel, parts: Mapping[str, Kernel]) -> Kernel:
    """The kernel with other parts; what it says of columns is settled in these."""
    if kernel._column is not None:
        return parts["kernel"]
    made: Kernel = type(kernel)(**{**kernel.get_params(deep=False), **parts})
    return made


def _bare(kernel: Kernel) -> Kernel:
    """Without columns."""
    return _with_parts(kernel, {name: _bare(part) for name, part in kernel._parts.items()})
