"""Lists of candidates, of which the best is chosen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Self

import numpy as np
import typer
from rich.console import Console

from hedgerow.cli.failures import as_sentences
from hedgerow.cli.structured.task import Examples, Task
from hedgerow.cli.train.choice import Choice, KernelChoice
from hedgerow.data import CandidateLists, Forest, FormatError
from hedgerow.data.files import name_of
from hedgerow.io.examples import Table
from hedgerow.io.formats import DataFormat
from hedgerow.io.schema import Schema, SchemaBuilder
from hedgerow.io.tables import no_example
from hedgerow.kernels import Kernel
from hedgerow.structured import Reranking
from hedgerow.structured.learner import StructuredLearner


class RerankingTask(Task):
    """Lines ``GRADE qid:7 1:0.5 ...`` with the candidates of an item one after the other."""

    name = "reranking"
    problem = Reranking
    data = ("format", "column", "spaces_in_leaves", "stream")
    examples = "lists"

    def __init__(self, schema: Schema, kernel: KernelChoice | None = None) -> None:
        self.schema = schema
        self.kernel_options = kernel
        self.kernel: Kernel | None = None

    @classmethod
    def from_choice(cls, choice: Choice) -> Self:
        return cls(choice.schema(), choice.kernel)

    def read(self, paths: Sequence[str]) -> Examples:
        tables = [table for path in paths for table in self.schema.tables(path)]
        if not tables:
            raise no_example(paths)
        builder = SchemaBuilder(self.schema)
        for table in tables:
            builder.meet(table)
        self.schema = builder.build()
        options = self.kernel_options
        if options is not None and (not options.silent or "tree" in self.schema.columns.values()):
            self.kernel = options.make(self.schema.columns)
        lists = _lists(Table.concatenate(tables), ", ".join(map(name_of, paths)))
        return lists, lists.oracles()

    def stream(self, paths: Sequence[str], classes: Sequence[str] | None) -> Iterator[Examples]:
        if classes is not None:
            raise typer.BadParameter("lists of candidates have no labels", param_hint="--classes")
        return self.pieces(paths)

    def pieces(self, paths: Sequence[str]) -> Iterator[Examples]:
        for path in paths:
            for lists in self._lists_of(path):
                yield lists, lists.oracles()

    def parameters(self) -> dict[str, Any]:
        return {} if self.kernel is None else {"kernel": self.kernel}

    def notes(self) -> dict[str, Any]:
        return self.schema.notes()

    @classmethod
    def from_model(cls, model: StructuredLearner, notes: dict[str, Any]) -> Self:
        return cls(Schema.from_notes(notes))

    def expect(self, data_format: DataFormat | None, spaces_in_leaves: bool) -> None:
        self.schema = self.schema.told(data_format and data_format.value, spaces_in_leaves)

    def inputs(self, path: str) -> Iterator[CandidateLists]:
        return self._lists_of(path)

    def predicted(self, model: StructuredLearner, path: str) -> Iterator[tuple[str, int]]:
        for _, _, chosen in self.compared(model, path):
            yield "".join(f"{place + 1}\n" for place in chosen.tolist()), len(chosen)

    def compared(self, model: StructuredLearner, path: str) -> Iterator[tuple[Any, Any, Any]]:
        for lists in self._lists_of(path):
            with as_sentences():
                chosen = model.predict(lists)
            yield lists, lists.oracles(), chosen

    def show(self, figures: dict[str, Any], console: Console) -> None:
        console.print(
            f"{figures['lists']} lists, accuracy {figures['accuracy']:.4f}\n"
            f"mean grade {figures['grade']:.4f}; of first candidates {figures['baseline_grade']:.4f}, of the best ones "
            f"{figures['oracle_grade']:.4f}",
            highlight=False,
        )

    def _lists_of(self, path: str) -> Iterator[CandidateLists]:
        """Whole lists, some at a time: the last one of a table may go on in the next."""
        held: Table | None = None
        for table in self.schema.tables(path):
            joined = table if held is None else Table.concatenate([held, table])
            of_others = np.flatnonzero(joined.queries != joined.queries[-1])
            cut = int(of_others[-1]) + 1 if len(of_others) else 0
            if cut:
                yield _lists(joined.rows(slice(cut)), name_of(path))
            held = joined.rows(slice(cut, None))
        if held is not None:
            yield _lists(held, name_of(path))


def _lists(table: Table, path: str) -> CandidateLists:
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
