"""What a cutting-plane machine records in each round."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from hedgerow.kernels.base import Matrix


@dataclass(frozen=True)
class CuttingPlaneTrace:
    """One entry a round in every array.

    Attributes
    ----------
    function : which function the round belongs to: 0 for two classes, else the number of the class
    round : from 1, anew for each function
    objective : of the dual over the cuts so far
    primal : of the best point so far; NaN with uniform sampling, which never looks at all examples
    violation : what the stopping test compares with tol
    support : examples with a coefficient
    seconds : since the fit began

    Examples
    --------
    >>> from hedgerow.datasets import make_two_gaussians
    >>> from hedgerow.svm import CuttingPlaneSVC
    >>> X, y = make_two_gaussians(200, random_state=0)
    >>> machine = CuttingPlaneSVC().fit(X, y)
    >>> bool(len(machine.trace_) == machine.n_iter_[0])
    True
    >>> bool(machine.trace_.violation[-1] <= machine.tol)
    True
    """

    function: Matrix
    round: Matrix
    objective: Matrix
    primal: Matrix
    violation: Matrix
    support: Matrix
    seconds: Matrix

    def __len__(self) -> int:
        return len(self.round)

    def to_dict(self) -> dict[str, list[Any]]:
        """The columns as lists, for JSON or a data frame."""
        return {name: getattr(self, name).tolist() for name in COLUMNS}


COLUMNS = tuple(field.name for field in fields(CuttingPlaneTrace))
_WHOLE = ("function", "round", "support")


def trace_from_rows(rows: list[tuple[float, ...]]) -> CuttingPlaneTrace:
    """Rows have the columns in their order."""
    table = np.array(rows, dtype=np.float64).reshape(len(rows), len(COLUMNS))
    return CuttingPlaneTrace(
        *(
            column.astype(np.int64) if name in _WHOLE else column.copy()
            for name, column in zip(COLUMNS, table.T, strict=True)
        )
    )
