"""The report: things that are added one by one, and the page that is made of them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from importlib.resources import files
from typing import Any, Self

import hedgerow
from hedgerow.data.files import writing
from hedgerow.report.blocks import Item, Section
from hedgerow.report.evaluations import EVALUATION
from hedgerow.report.figures import inliner, need_extra
from hedgerow.report.inputs import item_of, read_item
from hedgerow.report.numbers import several
from hedgerow.report.traces import TraceItem, trace_section
from hedgerow.visible import visible

# What was trained, how it learned, how well it does; then what other packages add.
_ORDER = ("model", "trace", "evaluation", "explanation")


class Report:
    """One HTML page about models, their training and how well they do.

    The page is one file that loads nothing else: styles and figures are inside. It suits wide screens, phones and
    paper, in light and dark. The extra ``report`` makes it (matplotlib and jinja2).

    Parameters
    ----------
    title : str
        Of the page.

    Examples
    --------
    >>> from hedgerow.datasets import load_questions
    >>> from hedgerow.kernels import Normalized, SubsetTree
    >>> from hedgerow.online import Perceptron
    >>> from hedgerow.report import Report
    >>> trees, y = load_questions()
    >>> model = Perceptron(Normalized(SubsetTree()), trace_every=20).fit(trees[:200], y[:200])
    >>> report = Report("Questions").add(model).add_evaluation(model, trees[200:], y[200:])
    >>> page = report.html()
    >>> page.startswith("<!DOCTYPE html>"), "<title>Questions</title>" in page, "http:" in page
    (True, True, False)

    ``report.write("questions.html")`` writes it to a file.
    """

    def __init__(self, title: str = "hedgerow report") -> None:
        need_extra()
        self.title = title
        self._items: list[Item] = []

    def add(self, thing: Any, name: str | None = None) -> Self:
        """Add a model, a trace, an evaluation, an explanation, or what an installed package adds to reports.

        Parameters
        ----------
        thing : fitted estimator, trace, dict, Explanation, or path of a file that holds one of the first three
            Traces are what learners have as ``trace_``, or results of `progressive_validation`; dicts are what
            `hedgerow.distributed.evaluate` and ``hedgerow evaluate --json`` give, and with the package
            ``hedgerow-papers`` ``hedgerow reproduce --json``. A model brings its trace with it.
        name : str, optional
            What the page calls it. By default the name of the file, or of the estimator's class.
        """
        item = read_item(thing) if isinstance(thing, str | os.PathLike) else item_of(thing)
        taken = {other.name for other in self._items if type(other) is type(item)}
        self._items.append(replace(item, name=_unlike(name or item.name, taken)))
        return self

    def add_evaluation(
        self, model: Any, X: Any, y: Any, name: str | None = None, k_best: int | None = None
    ) -> Self:
        """Evaluate a fitted model on labelled examples, as ``hedgerow evaluate`` does, and add the figures.

        With ``k_best``, for structured models, the page also says how often true outputs are among so many best ones,
        and how often predictions are right by how far they are above the next best.
        """
        from hedgerow.models.tallies import tally_for

        tally = tally_for(model, k_best)
        tally.count(model, X, y)
        return self.add(tally.figures(), name or type(model).__name__)

    def html(self) -> str:
        """The page."""
        return _page(self.title, self._sections())

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file, all or nothing; "-" is standard output."""
        page = self.html().encode()
        with writing(path) as out:
            out.write(page)

    def summary(self) -> str:
        """What the page is about, in words."""
        return ", ".join(several(len(items), kind) for kind, items in self._by_kind().items() if items)

    def _by_kind(self) -> dict[str, list[Item]]:
        groups: dict[str, list[Item]] = {kind: [] for kind in _ORDER}
        for item in self._items:
            groups.setdefault(item.kind, []).append(item)
        return groups

    def _sections(self) -> list[Section]:
        if not self._items:
            raise ValueError("there is nothing to report yet: add a model, a trace or an evaluation")
        sections: list[Section] = []
        for kind, items in self._by_kind().items():
            if kind != "trace":
                sections += [item.section() for item in items]
            elif traces := self._traces():
                sections.append(trace_section(traces))
        return sections

    def _traces(self) -> list[TraceItem]:
        """Of models, and others; a trace that was written beside its model is there once."""
        models, others = (
            [trace for item in self._items if item.kind == kind and (trace := item.trace()) is not None]
            for kind in ("model", "trace")
        )
        return [*models, *(one for one in others if not any(one.same_as(trace) for trace in models))]


def write(
    path: str | os.PathLike[str], things: Iterable[Any] | Mapping[str, Any], *, title: str = "hedgerow report"
) -> None:
    """Write a report page.

    Parameters
    ----------
    path : path, or "-" for standard output
    things : models, traces, dicts and paths, as `Report.add` takes them; or a mapping from names to them
    title : str
        Of the page.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from hedgerow import report
    >>> page = Path(tempfile.mkdtemp(), "page.html")
    >>> report.write(page, {"test": {"accuracy": 0.9, "f1": 0.8}}, title="A test")
    >>> "accuracy, test" in page.read_text()
    True
    """
    page = Report(title)
    named = things.items() if isinstance(things, Mapping) else ((None, thing) for thing in things)
    for name, thing in named:
        page.add(thing, name)
    page.write(path)


def _unlike(name: str, taken: set[str]) -> str:
    """The name, with a number if there is one like it."""
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name} ({number})"
    return free


def _page(title: str, sections: Sequence[Section]) -> str:
    """By way of the template and the style beside this file. Texts are escaped; only drawings go in as they are."""
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    folder = files("hedgerow.report")
    environment = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda value: visible(value, lines=True) if type(value) is str else value,
    )
    inline = inliner()
    # How well something does comes before how large it is.
    by_weight = sorted(sections, key=lambda section: section.kicker != EVALUATION)
    environment.filters["inline"] = lambda svg: Markup(inline(svg))
    template = environment.from_string(folder.joinpath("page.html.jinja").read_text(encoding="utf-8"))
    return template.render(
        title=title,
        style=Markup(folder.joinpath("page.css").read_text(encoding="utf-8")),
        sections=list(zip(_anchors(sections), sections, strict=True)),
        highlights=[highlight for section in by_weight for highlight in section.highlights],
        version=hedgerow.__version__,
    )


def _anchors(sections: Sequence[Section]) -> list[str]:
    """What links within the page call the sections."""
    words = [re.sub(r"\W+", "-", section.title.lower()).strip("-") for section in sections]
    return [f"section-{number}-{word}" for number, word in enumerate(words, start=1)]
