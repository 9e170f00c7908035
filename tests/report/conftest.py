"""Pages to look at, and a reader of HTML that notices what browsers forgive."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from hedgerow.datasets import load_questions
from hedgerow.inspection import explain
from hedgerow.kernels import Normalized, SubsetTree
from hedgerow.online import PassiveAggressive
from hedgerow.report import Report

VOID = {"meta", "link", "br", "hr", "img", "input", "col"}


class Page(HTMLParser):
    """All elements of a page; an element that is not closed where it should be is an error."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.html = html
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.texts: list[tuple[str, str]] = []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        names = [name for name, _ in attributes]
        assert len(names) == len(set(names)), (tag, names)
        self.elements.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open, tag
        assert self.open.pop() == tag, self.getpos()

    def handle_data(self, data):
        if data.strip():
            self.texts.append((self.open[-1] if self.open else "", data.strip()))

    def all(self, tag):
        return [attributes for name, attributes in self.elements if name == tag]

    def text(self, *tags):
        """What the elements of these names say; all of them without names."""
        return [text for tag, text in self.texts if not tags or tag in tags]

    def facts(self):
        return dict(zip(self.text("dt"), self.text("dd"), strict=True))


def table_after(page: Page, caption: str) -> list[list[str]]:
    """The rows of the table with the caption, without its headings."""
    start = page.html.index(f"<caption><span>{caption}</span></caption>")
    body = page.html[page.html.index("<tbody>", start) : page.html.index("</tbody>", start)]
    strip = re.compile(r"<[^>]*>")
    return [
        [strip.sub("", cell) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row)]
        for row in re.findall(r"<tr>(.*?)</tr>", body, re.DOTALL)
    ]


@pytest.fixture
def page_of():
    """Makes a page of things and reads it."""

    def page_of(*things, title="A title", **named):
        report = Report(title)
        for thing in things:
            report.add(thing)
        for name, thing in named.items():
            report.add(thing, name)
        return Page(report.html())

    return page_of


@pytest.fixture(scope="session")
def questions():
    return load_questions()


@pytest.fixture(scope="session")
def tree_model(questions):
    trees, y = questions
    kernel = Normalized(SubsetTree())
    return PassiveAggressive(kernel, averaging="average", epochs=2, trace_every=20).fit(trees[:200], y[:200])


@pytest.fixture(scope="session")
def full_page(tree_model, questions):
    """A page with figures, tables, trees and an explanation."""
    trees, y = questions
    report = Report("Questions").add(tree_model, "by trees")
    report.add_evaluation(tree_model, trees[200:], y[200:], "test")
    return report.add(explain(tree_model, trees[[250]], n_largest=3)[0]).html()
