"""What structured solvers record."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from hedgerow.kernels.base import Matrix


@dataclass(frozen=True)
class SolverTrace:
    """One entry a pass over the examples, or a round, in every array.

    Attributes
    ----------
    iteration : from 1
    objective : of the primal; NaN where a pass changed the weights on its way
    dual_objective : a lower bound
    certificate : what is compared with tol
    constraints : in the working set
    seconds : since the solver began

    Examples
    --------
    >>> from hedgerow.structured import Multiclass, StructuredSVM
    >>> machine = StructuredSVM(Multiclass(), C=10).fit([[1.0, 0.0], [0.0, 1.0]], ["red", "blue"])
    >>> len(machine.trace_) == machine.n_iter_
    True
    >>> bool(machine.trace_.certificate[-1] <= machine.tol)
    True
    """

    iteration: Matrix
    objective: Matrix
    dual_objective: Matrix
    certificate: Matrix
    constraints: Matrix
    seconds: Matrix

    def __len__(self) -> int:
        return len(self.iteration)

    def to_dict(self) -> dict[str, list[Any]]:
        """The columns as lists, for JSON or a data frame."""
        return {name: getattr(self, name).tolist() for name in COLUMNS}


COLUMNS = tuple(field.name for field in fields(SolverTrace))
_WHOLE = ("iteration", "constraints")


def trace_from_columns(columns: dict[str, Any]) -> SolverTrace:
    """Whatever else a solver has recorded is left out."""
    return SolverTrace(
        *(np.asarray(columns[name], dtype=np.int64 if name in _WHOLE else np.float64) for name in COLUMNS)
    )
