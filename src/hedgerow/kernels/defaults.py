"""Kernels for those who name none: one for each kind of data, and their sum over the columns of Records."""

from __future__ import annotations

from collections.abc import Mapping

from hedgerow import registry
from hedgerow.data import Records
from hedgerow.kernels.base import Kernel
from hedgerow.kernels.combinations import Normalized
from hedgerow.registry import DataKind, KernelRow

_NAMES: Mapping[DataKind, str] = {"tree": "sst", "text": "spectrum", "vector": "linear"}


def default_kernel(kind: DataKind) -> KernelRow:
    """The kernel for data of that kind."""
    return registry.kernels()[_NAMES[kind]]


def combined(
    columns: Records | Mapping[str, DataKind],
    *,
    tree: Kernel | None = None,
    text: Kernel | None = None,
    vector: Kernel | None = None,
    normalize: bool = True,
) -> Kernel:
    """The sum of one normalised kernel per column, so that no column is left out and none outweighs the others.

    Parameters
    ----------
    columns : Records, or mapping of names to "tree", "text" or "vector"
    tree, text, vector : Kernel, optional
        The kernels for columns of that kind, by default `SubsetTree`, `Spectrum` and `Linear`.
    normalize : bool, default=True
        Whether each kernel is normalised.

    Returns
    -------
    Kernel
        For Records with these columns, in their order.

    Examples
    --------
    >>> from hedgerow import Forest, Records
    >>> from hedgerow.kernels import combined
    >>> records = Records(parse=Forest(["(NP (D a) (N dog))", "(NP (D a) (N cat))"]), length=[[1.0], [2.0]])
    >>> kernel = combined(records)
    >>> kernel(records).round(3)
    array([[2.   , 1.606],
           [1.606, 2.   ]])
    """
    kinds = columns.kinds if isinstance(columns, Records) else dict(columns)
    if not kinds:
        raise ValueError("combined needs at least one column")
    chosen = {"tree": tree, "text": text, "vector": vector}
    total: Kernel | None = None
    for name, kind in kinds.items():
        if kind not in chosen:
            raise ValueError(f"column {name!r} must be one of {', '.join(chosen)}, got {kind!r}")
        kernel = chosen[kind] or default_kernel(kind).make()
        part = (Normalized(kernel) if normalize else kernel).on(name)
        total = part if total is None else total + part
    assert total is not None
    return total
