"""What learners and machines record while they learn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from hedgerow.data.files import writing
from hedgerow.kernels.base import Matrix

COUNTS = frozenset({"examples", "mistakes", "support", "function", "iteration", "constraints"})


class Trace:
    """Columns of equal length, one entry for each time that a learner recorded how it did.

    Every column is an attribute, such as ``trace.seconds``; `columns` has their names. Which there are depends on who
    learned.

    Parameters
    ----------
    columns : mapping from names to sequences of numbers

    Attributes
    ----------
    examples, mistakes : arrays of int
        Examples (of a reranker: lists) seen so far, and wrong predictions, each made before its example was learned
        from; a score of 0, or a tie, is wrong. Of online learners and structured perceptrons.
    f1, loss : arrays of float
        Of these predictions: of online classifiers the F1 of the second class if there are two, else the mean over the
        classes; of structured perceptrons the mean loss.
    support : array of int
        Number of supports; on weights, of weights that are not 0.
    seconds : array of float
        Time spent so far: CPU time of online learners, else seconds since the fit began.
    function : array of int
        Of `CuttingPlaneSVC`, which of the functions is trained: 0 for two classes, else the number of the class.
    iteration : array of int
        Rounds or passes, from 1, anew for each function. Machines have this and the next two.
    objective, dual_objective : arrays of float
        Of the primal, at the best point so far, and a lower bound. NaN where that is not known: with uniform sampling,
        and after passes that changed the weights on their way.
    violation, certificate : array of float
        What is compared with ``tol``, of `CuttingPlaneSVC` and of `StructuredSVM`.
    constraints : array of int
        Of `StructuredSVM`, in the working set.

    Examples
    --------
    >>> from hedgerow.datasets import make_two_gaussians
    >>> from hedgerow.online import Perceptron
    >>> X, y = make_two_gaussians(1000, random_state=0)
    >>> trace = Perceptron(trace_every=250).fit(X, y).trace_
    >>> trace
    Trace(examples, mistakes, f1, support, seconds; 4 entries)
    >>> trace.examples
    array([ 250,  500,  750, 1000])
    >>> bool((trace.mistakes <= trace.examples).all())
    True
    """

    def __init__(self, columns: Mapping[str, Any]) -> None:
        for name, values in columns.items():
            self.__dict__[name] = np.asarray(values, dtype=np.int64 if name in COUNTS else np.float64)
        if len({values.shape for values in vars(self).values()}) > 1 or any(
            values.ndim != 1 for values in vars(self).values()
        ):
            raise ValueError("columns of a trace must be lists of the same length")

    @classmethod
    def from_rows(cls, rows: Sequence[Mapping[str, float]], names: Iterable[str]) -> Trace:
        """A trace of entries that have these names."""
        return cls({name: [row[name] for row in rows] for name in names})

    @property
    def columns(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(vars(self))

    def __getattr__(self, name: str) -> Matrix:
        raise AttributeError(f"the trace has no column {name!r}; it has {', '.join(self.columns)}")

    def __len__(self) -> int:
        return len(next(iter(vars(self).values()), ()))

    def __repr__(self) -> str:
        return f"Trace({', '.join(self.columns)}; {len(self)} entries)"

    def write(self, path: str) -> None:
        """Write a file of comma-separated values: a line of names, and one line per entry."""
        with writing(path) as out:
            out.write((",".join(self.columns) + "\n").encode())
            rows = zip(*self.to_dict().values(), strict=True)
            out.write("".join(",".join(map(repr, row)) + "\n" for row in rows).encode())

    def to_dict(self) -> dict[str, list[Any]]:
        """The columns as lists, for JSON or a data frame."""
        return {name: values.tolist() for name, values in vars(self).items()}
