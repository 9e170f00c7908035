"""Lists of candidates in SVM-light's form: lines ``GRADE qid:7 1:0.5 ...``, where a list has one qid."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from hedgerow.data import CandidateLists, Forest, FormatError
from hedgerow.data.files import name_of
from hedgerow.io.examples import Table, no_example
from hedgerow.io.schema import Schema


def iter_candidate_lists(path: str, schema: Schema) -> Iterator[CandidateLists]:
    """Whole lists, some at a time: the last one of a table may go on in the next."""
    held: Table | None = None
    for table in schema.tables(path):
        joined = table if held is None else Table.concatenate([held, table])
        of_others = np.flatnonzero(joined.queries != joined.queries[-1])
        cut = int(of_others[-1]) + 1 if len(of_others) else 0
        if cut:
            yield candidate_lists(joined.rows(slice(cut)), name_of(path))
        held = joined.rows(slice(cut, None))
    if held is not None:
        yield candidate_lists(held, name_of(path))


def read_candidate_lists(paths: Sequence[str], schema: Schema) -> CandidateLists:
    """All lists of some files."""
    tables = [table for path in paths for table in schema.tables(path)]
    if not tables:
        raise no_example(paths)
    return candidate_lists(Table.concatenate(tables), ", ".join(map(name_of, paths)))


def candidate_lists(table: Table, path: str) -> CandidateLists:
    """The lists of a table, whose labels are grades."""
    if (table.queries < 0).any():
        raise FormatError("a candidate has no qid; lines are GRADE qid:7 1:0.5 ...", path=path)
    try:
        grades = np.array(table.words).astype(np.float64)[table.label_of_row]
    except ValueError as error:
        raise FormatError(f"grades must be numbers ({error})", path=path) from None
    kinds = {
        "trees" if isinstance(column, Forest) else "features": column for column in table.columns.values()
    }
    if len(kinds) < len(table.columns):
        raise FormatError(
            f"a candidate has one tree and one vector at most, here are {', '.join(table.columns)}", path=path
        )
    begins = np.flatnonzero(np.diff(table.queries, prepend=-1, append=-1))
    return CandidateLists(np.diff(begins), grades=grades, **kinds)
