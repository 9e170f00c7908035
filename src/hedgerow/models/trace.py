"""What learners and machines record while they learn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

import numpy as np

from hedgerow.data.files import writing
from hedgerow.kernels.base import Matrix

MOST_ROWS = 10  # of a table in a notebook
COUNTS = frozenset(
    {"examples", "mistakes", "errors", "updates", "support", "function", "iteration", "constraints"}
)


class Trace:
    """Columns of equal length, with one entry for each time that a learner recorded its progress.

    Every column is an attribute, such as ``trace.seconds``; `columns` has their names. Which there are depends on who
    learned.

    Parameters
    ----------
    columns : mapping from names to sequences of numbers

    Attributes
    ----------
    examples, mistakes : arrays of int
        Examples (of a reranker: lists) seen so far, and how many the last predictor got wrong, each before it was
        learned from; a score of 0, or a tie, is wrong. The last entry is ``mistakes_``. Of online learners and
        structured perceptrons.
    errors : array of int
        The same of what ``predict`` would have said. Without averages or votes these are the mistakes.
    updates : array of int
        How often a function was changed by an example; the last entry is ``updates_``.
    f1, loss : arrays of float
        Of what ``predict`` would have said: of online classifiers the F1 of the second class if there are two, else the
        mean over the classes; of structured perceptrons the mean loss.
    support : array of int
        Number of supports; on weights, of weights that are not 0.
    l1_norm : array of float
        The sum of their coefficients, or of the weights, without signs, over all functions.
    seconds : array of float
        Time spent so far: CPU time of online learners, else seconds since the fit began.
    function : array of int
        Of `CuttingPlaneSVC`, which of the functions is trained: 0 for two classes, else the number of the class.
    iteration : array of int
        Rounds or passes, counted from 1 for each function. Machines have this and the next two.
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
    Trace(examples, mistakes, errors, updates, f1, support, l1_norm, seconds; 4 entries)
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

    def _repr_html_(self) -> str:
        """As a table, of long traces the first and last entries."""
        shown: list[int | None] = list(range(len(self)))
        if len(self) > MOST_ROWS:
            shown = [*range(MOST_ROWS // 2), None, *range(len(self) - MOST_ROWS // 2, len(self))]
        lines = [
            ["..." if at is None else f"{values[at]:.6g}" for values in vars(self).values()] for at in shown
        ]
        head = "".join(f"<th>{escape(name)}</th>" for name in self.columns)
        body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in line)}</tr>" for line in lines)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"

    def write(self, path: str) -> None:
        """Write a file of comma-separated values: a line of names, and one line per entry."""
        with writing(path) as out:
            out.write((",".join(self.columns) + "\n").encode())
            rows = zip(*self.to_dict().values(), strict=True)
            out.write("".join(",".join(map(repr, row)) + "\n" for row in rows).encode())

    def to_dict(self) -> dict[str, list[Any]]:
        """The columns as lists, for JSON or a data frame."""
        return {name: values.tolist() for name, values in vars(self).items()}
