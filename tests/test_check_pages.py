"""The check of built documentation finds dead links, and pages that readers would not find."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / "tools" / "check_pages.py"
SPECIFICATION = importlib.util.spec_from_file_location("check_pages", SCRIPT)
check_pages = importlib.util.module_from_spec(SPECIFICATION)
SPECIFICATION.loader.exec_module(check_pages)

SITE = {
    "index.html": '<link rel="next" href="howto/a.html"><a href="howto/a.html#place">a</a>',
    "howto/a.html": '<link rel="next" href="../b.html"><h2 id="place"></h2><a href="../b.html#">b</a>',
    "b.html": '<a href="index.html">start</a> <a href="https://elsewhere.invalid/x">not followed</a>',
    "genindex.html": '<a href="nothing.html">a page of Sphinx</a>',
}


@pytest.mark.parametrize(
    ("page", "text", "fault"),
    [
        (None, None, None),
        ("b.html", '<a href="gone.html">', "b.html links to {folder}/gone.html, which does not exist"),
        ("b.html", '<img src="gone.svg">', "b.html links to {folder}/gone.svg, which does not exist"),
        (
            "b.html",
            '<a href="howto/a.html#gone">',
            "b.html links to #gone of a.html, which has no such place",
        ),
        ("c.html", '<link rel="next" href="b.html">', "c.html is more than 2 clicks away"),
        (
            "index.html",
            '<a href="howto/a.html">a</a>',
            "more than one page has no next one: b.html, index.html",
        ),
    ],
)
def test_faults(tmp_path: Path, page: str | None, text: str | None, fault: str | None) -> None:
    for name, content in {**SITE, **({page: text} if page else {})}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    found = check_pages.faults(tmp_path)
    assert found == ([fault.format(folder=tmp_path.resolve())] if fault else [])
