"""What ``hedgerow explain`` shows: of a model, or of each example."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import typer
from sklearn.utils.validation import _num_samples

from hedgerow.cli.failures import as_sentences
from hedgerow.cli.progress import counting
from hedgerow.cli.scoring import scorer_of
from hedgerow.cli.structured.prediction import is_structured
from hedgerow.cli.structured.tasks import task_of
from hedgerow.inspection import explain, fragments, weights
from hedgerow.inspection.findings import Findings
from hedgerow.inspection.functions import functions_of
from hedgerow.io.formats import DataFormat
from hedgerow.io.hashing import Hashing
from hedgerow.io.schema import Schema
from hedgerow.io.tables import no_example
from hedgerow.models.schema import drops_unseen, schema_of


@dataclass(frozen=True)
class Choice:
    """What was asked for."""

    k: int
    labels: list[str]  # of classes; none: all
    examples: list[range] | None  # numbers from 1; None: all
    limit: int
    data_format: DataFormat | None
    spaces_in_leaves: bool

    def wants(self, number: int) -> bool:
        return self.examples is None or any(number in numbers for numbers in self.examples)

    def is_done(self, number: int) -> bool:
        """Whether no example from this one on is wanted."""
        return self.examples is not None and all(number >= numbers.stop for numbers in self.examples)

    def among(self, findings: Findings) -> Findings:
        """What was found about the classes asked for."""
        if not self.labels:
            return findings
        by_name = {str(label): label for label in findings.labels}
        for name in self.labels:
            if name not in by_name:
                raise typer.BadParameter(f"{name} is none of {', '.join(by_name)}", param_hint="--class")
        return findings.only([by_name[name] for name in self.labels])


@dataclass(frozen=True)
class Explained:
    """Something to show: what a model has learned, or the explanation of one example."""

    findings: Findings
    number: int | None = None  # of the example, from 1
    true: str = ""  # its label in the data, if there is one

    @property
    def heading(self) -> str:
        if self.number is None:
            return ""
        return f"example {self.number}, labelled {self.true}" if self.true else f"example {self.number}"


def numbers_of(text: str | None) -> list[range] | None:
    """Numbers and ranges of examples as they are written on the command line."""
    if text is None:
        return None
    found = []
    for part in text.split(","):
        first, dash, last = part.strip().partition("-")
        if not first.isdigit() or (dash and not last.isdigit()) or int(first) < 1:
            raise typer.BadParameter(
                f"expected numbers from 1 as in 1,5 or 3-7, got {text!r}", param_hint="--examples"
            )
        found.append(range(int(first), int(last or first) + 1))
    return found


def explain_model(model: Any, notes: dict[str, Any], choice: Choice) -> Explained:
    """What a model has learned."""
    with as_sentences():
        if functions_of(model).expansion is not None:
            found: Findings = fragments(model, choice.k, limit=choice.limit)
        else:
            found = weights(model, choice.k, _column_names(_schema(model, notes)))
    return Explained(choice.among(found))


def explain_examples(
    model: Any, notes: dict[str, Any], path: str, inputs: Sequence[str], choice: Choice
) -> Iterator[Explained]:
    """The explanations of the chosen examples of all files."""
    seen = 0
    with counting("Explaining", None) as advance:
        for X, true, names in _pieces(model, notes, path, inputs, choice):
            n = _num_samples(X)
            wanted = [i for i in range(n) if choice.wants(seen + i + 1)]
            for i in wanted:
                with as_sentences():
                    (found,) = explain(
                        model, X[i : i + 1], choice.k, feature_names=names(i), limit=choice.limit
                    )
                yield Explained(choice.among(found), seen + i + 1, true[i] if true else "")
                advance(1)
            seen += n
            if choice.is_done(seen + 1):
                return
    if seen == 0:
        raise no_example(inputs)
    if choice.examples is not None and not any(choice.wants(number) for number in range(1, seen + 1)):
        raise ValueError(f"there are {seen} examples, none of which --examples names")


Names = Callable[[int], Callable[[int], str] | None]  # of the features of an example, by its place
_Piece = tuple[Any, list[str], Names]


def _pieces(
    model: Any, notes: dict[str, Any], path: str, inputs: Sequence[str], choice: Choice
) -> Iterator[_Piece]:
    """Examples in pieces, with their labels and the names of their features."""
    if is_structured(model):
        task = task_of(model, notes)
        task.expect(choice.data_format, choice.spaces_in_leaves)
        names = _names(getattr(task, "schema", None), None)
        for file in inputs:
            for X in task.inputs(file):
                yield X, [], names
        return
    _, schema = scorer_of(model, notes, path, choice.data_format, choice.spaces_in_leaves)
    for file in inputs:
        for table in schema.tables(file):
            schema = schema.or_of(table)
            texts = _texts(table.columns) if schema.hashing is not None else None
            X = schema.arranged(table, file, drops_unseen=drops_unseen(model))
            yield X, table.labels().tolist(), _names(schema, texts)


def _schema(model: Any, notes: dict[str, Any]) -> Schema | None:
    if is_structured(model):
        return getattr(task_of(model, notes), "schema", None)
    return schema_of(model, notes) if hasattr(model, "classes_") else None


def _texts(columns: Mapping[str, Any]) -> Sequence[str]:
    (texts,) = columns.values()
    return list(texts)


def _names(schema: Schema | None, texts: Sequence[str] | None) -> Names:
    hashing = None if schema is None else schema.hashing
    if hashing is None or texts is None:
        return lambda _: _column_names(schema)
    return lambda i: _words(hashing, texts[i])


def _words(hashing: Hashing, text: str) -> Callable[[int], str]:
    names = hashing.names(text)
    return lambda column: names.get(column, f"column {column}")


def _column_names(schema: Schema | None) -> Callable[[int], str] | None:
    """Features as files number them: from 1, but for the columns of hashed words."""
    if schema is not None and schema.hashing is not None:
        return lambda column: f"column {column}"
    return lambda feature: f"feature {feature + 1}"
