"""What ``hedgerow explain`` shows, of a model or of each example, and how.

In colours on a terminal, plain in a pipe, as JSON, as a page.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Group
from rich.table import Table
from rich.text import Text
from sklearn.utils.validation import _num_samples

from hedgerow.cli.failures import as_sentences, refused
from hedgerow.cli.progress import counting
from hedgerow.cli.tasks import task_of
from hedgerow.cli.terminal import Terminal, say, words
from hedgerow.data.files import writing
from hedgerow.inspection import explain, fragments, weights
from hedgerow.inspection.findings import Findings, Listing
from hedgerow.inspection.functions import functions_of
from hedgerow.io.examples import no_example


@dataclass(frozen=True)
class Wanted:
    """What was asked for."""

    n_largest: int
    labels: list[str]  # of classes; none: all
    examples: list[range] | None  # numbers from 1; None: all
    limit: int
    data_format: str | None
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
                raise refused("--class", f"{name} is none of {', '.join(by_name)}")
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
            raise refused("--examples", f"expected numbers from 1 as in 1,5 or 3-7, got {text!r}")
        found.append(range(int(first), int(last or first) + 1))
    return found


def explain_model(model: Any, wanted: Wanted) -> Explained:
    """What a model has learned."""
    with as_sentences():
        expansion = functions_of(model).expansion
        if expansion is not None and (expansion.kernel._has_fragments or not expansion.kernel._has_features):
            found: Findings = fragments(model, wanted.n_largest, limit=wanted.limit)
        else:
            found = weights(model, wanted.n_largest, _feature_names(model))
    return Explained(wanted.among(found))


def _feature_names(model: Any) -> Callable[[int], str] | None:
    """What features are called: as files number them, from 1, unless the model knows it."""
    functions = functions_of(model)
    if any(getattr(functions, name, None) is not None for name in ("names", "texts")):
        return None
    return lambda feature: f"feature {feature + 1}"


def explain_examples(
    model: Any, notes: dict[str, Any], path: str, inputs: Sequence[str], wanted: Wanted
) -> Iterator[Explained]:
    """The explanations of the chosen examples of all files."""
    task = task_of(model, notes, path)
    task.told(wanted.data_format, wanted.spaces_in_leaves)
    seen, names = 0, _feature_names(model)
    with counting("Explaining", None) as advance:
        for X, true in (piece for file in inputs for piece in task.described(file)):
            n = _num_samples(X)
            places = [i for i in range(n) if wanted.wants(seen + i + 1)]
            for i in places:
                with as_sentences():
                    (found,) = explain(
                        model, X[i : i + 1], wanted.n_largest, feature_names=names, limit=wanted.limit
                    )
                yield Explained(wanted.among(found), seen + i + 1, true[i] if true else "")
                advance(1)
            seen += n
            if wanted.is_done(seen + 1):
                return
    if seen == 0:
        raise no_example(inputs)
    if wanted.examples is not None and not any(wanted.wants(number) for number in range(1, seen + 1)):
        raise ValueError(f"--examples names none of the {seen} examples")


def write(found: Iterable[Explained], as_json: str | None, as_html: str | None, title: str) -> None:
    """To files, if these are asked for, else to the terminal as it comes."""
    if as_json is not None or as_html is not None:
        everything = list(found)
        if as_json is not None:
            with writing(as_json) as out:
                text = json.dumps(_dictionary(everything), ensure_ascii=False, default=str)
                out.write(f"{text}\n".encode())
        if as_html is not None:
            from hedgerow.report import Report

            page = Report(title)
            for one in everything:
                page.add(one.findings, one.heading or None)
            page.write(as_html)
        return
    console = Terminal()
    for number, one in enumerate(found):
        if number:
            say("")
        if console.is_terminal:
            console.print(_shown(one))
        else:
            say(_headed(one, str(one.findings)))


def _dictionary(found: Sequence[Explained]) -> dict[str, Any]:
    if found and found[0].number is None:
        return found[0].findings.to_dict()
    return {
        "explanations": [
            {"example": one.number, "true": one.true or None, **one.findings.to_dict()} for one in found
        ]
    }


def _headed(one: Explained, text: str) -> str:
    return f"{one.heading}: {text}" if one.heading else text


def _shown(one: Explained) -> Group:
    """Tables in colours, with trees drawn by lines."""
    findings = one.findings
    title = _headed(one, findings.title)
    return Group(
        *([words(title, "bold")] if title else []),
        *(words(drawing.to_text()) for drawing in findings.drawings()),
        *map(_table, findings.listings()),
    )


def _table(listing: Listing) -> Table:
    table = Table(title=listing.title, title_justify="left", title_style="bold", box=None, show_header=False)
    table.add_column(justify="right", vertical="top", no_wrap=True)
    table.add_column(overflow="fold")
    for entry in listing.entries:
        table.add_row(_number(entry.amount), words(entry.what.to_text()))
    for name, value in listing.rest:
        table.add_row(_number(value), words(name, "dim"))
    if listing.note:
        table.add_row("", words(listing.note, "dim"))
    return table


def _number(value: float) -> Text:
    return Text(f"{value:+.4g}", style="blue" if value > 0 else "dark_orange3")
