"""The page as such: whole, by itself, the same every time, and safe whatever labels say."""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np
import pytest

from hedgerow import Forest
from hedgerow.kernels import SubsetTree
from hedgerow.online import Perceptron
from hedgerow.report import Report, write
from tests.report.conftest import Page

EVIL = "<script>alert(1)</script>&\"'</style>"


def test_elements_are_closed_and_names_unique(full_page):
    page = Page(full_page)
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(ids) == len(set(ids)) > 20
    used = re.findall(r'href="#([^"]*)"|url\(#([^)]*)\)|aria-labelledby="([^"]*)"', full_page)
    assert len(used) > 20
    assert {name for names in used for name in names if name} <= set(ids)


def test_loads_nothing(full_page):
    page = Page(full_page)
    assert not page.all("script")
    assert not page.all("img")
    assert page.all("link") == [{"rel": "icon", "href": "data:,"}]
    for _, attributes in page.elements:
        assert "src" not in attributes
        assert not any(name.startswith("on") for name in attributes)
        for name in ("href", "xlink:href"):
            assert attributes.get(name, "#").startswith(("#", "data:,"))
    assert not re.search(r"https?:|@import|@font-face", full_page)
    assert set(re.findall(r"url\((.)", full_page)) == {"#"}


def test_is_the_same_every_time(tree_model, full_page, questions):
    trees, y = questions
    pages = [
        Report("A").add(tree_model).add_evaluation(tree_model, trees[200:], y[200:]).html() for _ in range(2)
    ]
    assert pages[0] == pages[1]
    assert not re.search(r"20\d\d-\d\d-\d\d", pages[0])


def test_figures_take_the_colours_of_the_page(full_page):
    figures = re.findall(r"<svg.*?</svg>", full_page, re.DOTALL)
    assert len(figures) > 10
    plots = [figure for figure in figures if "matplotlib" in figure or "axes_1" in figure]
    assert len(plots) >= 5
    for figure in plots:
        assert "currentColor" in figure
        assert "var(--rule)" in figure
        assert re.findall(r"#[0-9a-f]{6}\b", figure) == []
        assert "DejaVu" not in figure
    style = full_page[full_page.index("<style>") : full_page.index("</style>")]
    for name in set(re.findall(r"var\((--[\w-]+)\)", full_page)) - {"--shade"}:
        assert f"{name}: " in style
    assert "prefers-color-scheme: dark" in style
    assert "@media print" in style


def test_can_be_read_by_those_who_do_not_see_it(full_page):
    page = Page(full_page)
    assert page.all("html") == [{"lang": "en"}]
    drawings = [attributes for attributes in page.all("div") if attributes.get("class") == "drawing"]
    assert len(drawings) == len(page.all("figure")) > 10
    assert all(attributes["role"] == "img" and attributes["aria-label"] for attributes in drawings)
    assert all(attributes["scope"] in ("row", "col") for attributes in page.all("th"))
    levels = [int(tag[1]) for tag, _ in page.elements if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_texts_are_escaped(page_of):
    trees = Forest.from_postorder([EVIL, "NP", "b", "NP"], [0, 1, 0, 1], [2, 2])
    model = Perceptron(SubsetTree(), trace_every=1).fit(trees, [EVIL, "z"])
    figures = {
        "accuracy": 0.5,
        "f1": 0.5,
        "model": EVIL,
        "data": [EVIL],
        "confusion": {"labels": [EVIL, "z"], "counts": [[1, 1], [0, 2]]},
    }
    page = page_of(figures, title=EVIL, **{EVIL: model})
    assert "<script" not in page.html
    assert page.html.count("</style>") == 1
    assert page.all("script") == []
    said = page.text()
    assert sum(EVIL in text for text in said) >= 12
    assert page.text("title") == [EVIL]
    assert EVIL in page.text("text")  # a leaf of a fragment


def test_nothing_to_report():
    with pytest.raises(ValueError, match="nothing to report yet"):
        Report().html()


def test_write(tmp_path, tree_model):
    path = tmp_path / "page.html"
    write(path, {"by trees": tree_model, "test": {"accuracy": 0.9, "f1": 0.8}}, title="Two things")
    page = Page(path.read_text(encoding="utf-8"))
    assert page.text("h1") == ["Two things"]
    assert page.text("h2") == ["by trees: PassiveAggressive", "Learning curves", "test"]
    write(path, [{"accuracy": 0.9, "f1": 0.8}] * 2)
    assert Page(path.read_text(encoding="utf-8")).text("h2") == ["evaluation", "evaluation (2)"]


def test_a_page_that_fails_leaves_no_file(tmp_path):
    path = tmp_path / "page.html"
    with pytest.raises(TypeError, match="got a ndarray"):
        write(path, [{"accuracy": 0.9, "f1": 0.8}, np.zeros(3)])
    assert not path.exists()


@pytest.mark.parametrize("name", ["jinja2", "matplotlib"])
def test_without_the_extra(monkeypatch, name):
    monkeypatch.setitem(__import__("sys").modules, name, None)
    with pytest.raises(ImportError, match=r"pip install 'hedgerow\[report\]'"):
        Report()
