"""Names and labels of others are words wherever they are shown: on pages, in drawings, on terminals."""

from __future__ import annotations

import html
import os
import pty
import re
import shutil
import subprocess
import warnings
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser

import numpy as np
import pytest
from rich.table import Table
from typer.testing import CliRunner

from hedgerow.cli.app import app
from hedgerow.cli.class_report import print_classes
from hedgerow.cli.failures import complain
from hedgerow.cli.terminal import Terminal, say
from hedgerow.data import Forest
from hedgerow.data.files import writing
from hedgerow.inspection import explain, fragments, weights
from hedgerow.kernels import SubsetTree
from hedgerow.models.tallies import tally_for
from hedgerow.online import PassiveAggressive, Perceptron
from hedgerow.report import Report
from hedgerow.report.figures import new_axes, picture
from hedgerow.visible import blotted, visible
from tests.hostile.strings import HOSTILE

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u2028\u2029]")
TAGS = re.compile(  # of hedgerow's pages
    "html|head|meta|link|title|style|body|header|h[1-4]|nav|ul|li|a|main|section|p|dl|dt|dd|div|small|strong|details|"
    "summary|table|caption|span|thead|tbody|tr|th|td|figure|figcaption|footer|hr|svg|g|path|defs|clippath|rect|text|"
    "line|use|tspan"
)
RUNNING = re.compile(r"on\w+|formaction|srcdoc|src|action")


class Page(HTMLParser):
    """What a page is made of."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str | None]] = []
        self.words: list[str] = []
        self.others: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes += attrs

    def handle_data(self, data):
        self.words.append(data)

    def handle_comment(self, data):
        self.others.append(data)

    unknown_decl = handle_pi = handle_comment


def check(page: str, *shown: str) -> None:
    """All strings are there as words, and the page has nothing that is not hedgerow's."""
    found = Page(page)
    assert [tag for tag in found.tags if not TAGS.fullmatch(tag)] == []
    assert found.others == []
    for name, value in found.attributes:
        assert not RUNNING.fullmatch(name), (name, value)
        assert "javascript:" not in (value or "") or name == "aria-label"
    assert not UNSEEN.search(page)
    text = "".join(found.words)
    for one in shown:
        assert visible(one) in text or visible(one, lines=True) in text, one


@pytest.fixture(scope="module")
def trees():
    """Trees of which nodes and words are hostile, two of each."""
    without_nul = [one.replace("\0", "") for one in HOSTILE]  # which trees refuse
    nodes = [label for one in without_nul for i in range(2) for label in (f"{one} {i}", one)]
    return Forest.from_postorder(nodes, [0, 1] * (len(nodes) // 2), [2] * (len(nodes) // 2))


@pytest.fixture(scope="module")
def tree_model(trees):
    return PassiveAggressive(SubsetTree(), trace_every=10).fit(trees, np.repeat(HOSTILE, 2))


@pytest.fixture(scope="module")
def vector_model():
    return Perceptron(trace_every=10).fit(np.repeat(np.eye(len(HOSTILE)), 2, axis=0), np.repeat(HOSTILE, 2))


@pytest.fixture(scope="module")
def page(trees, tree_model, vector_model):
    """A page of everything."""
    report = Report(HOSTILE[0])
    for name, one in zip(HOSTILE, [tree_model, vector_model, *[tree_model.trace_] * 5], strict=False):
        report.add(one, name)
    for name in ("$x^2$", "$\\frac{", "_a", "_b"):
        report.add(vector_model.trace_, name)
    for n in (5, len(HOSTILE)):  # few classes make a table, many a picture
        y = np.repeat(HOSTILE[:n], 2)
        report.add(figures(vector_model, y, np.roll(y, 1)), HOSTILE[n - 1])
    report.add(explain(tree_model, trees[[0]], n_largest=5)[0], HOSTILE[4])
    report.add(fragments(tree_model, 3, label=HOSTILE[1]), HOSTILE[5])
    report.add(weights(vector_model, 5, HOSTILE, label=HOSTILE[2]), HOSTILE[6])
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph")  # matplotlib's font does not know, the browser's does
        return report.html()


def figures(model, y, predicted):
    tally = tally_for(model)
    tally.add(np.zeros((len(y), 1)), y, predicted)
    return {**tally.figures(), "model": HOSTILE[2], "data": HOSTILE[3:5]}


def test_a_page(page):
    check(page, *HOSTILE)


in_a_browser = pytest.mark.skipif(CHROMIUM is None, reason="no chromium to look at the page with")


def browsed(page, folder):
    """The page as the browser has it after scripts ran, and what it logged."""
    path = folder / "page.html"
    path.write_text(page, encoding="utf-8")
    command = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"]
    command += ["--disable-background-networking", "--virtual-time-budget=5000", "--enable-logging=stderr"]
    command += [f"--user-data-dir={folder / 'profile'}", "--dump-dom", path.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    return done.stdout, done.stderr


@in_a_browser
def test_a_page_in_a_browser(page, trees, tree_model, tmp_path):
    """Scripts that run would change the title."""
    inner = (
        "".join(explain(tree_model, trees[[2 * i]])[0]._repr_html_() for i in range(7)) + trees._repr_html_()
    )
    found, logged = browsed(page.replace("<main>", f"<main>{inner}"), tmp_path)
    title = re.search(r"<title>(.*?)</title>", found, re.DOTALL)
    assert title is not None, logged[-1000:]
    assert html.unescape(title[1]) == HOSTILE[0]
    assert "<script" not in found
    assert "<img" not in found
    assert not [line for line in logged.splitlines() if "CONSOLE" in line]


@in_a_browser
def test_the_browser_would_notice(tmp_path):
    found, _ = browsed(f"<title>a</title>{HOSTILE[0]}", tmp_path)
    assert "<title>hacked</title>" in found


@pytest.mark.filterwarnings("ignore:Glyph", "ignore:constrained_layout")
@pytest.mark.parametrize("one", HOSTILE)
def test_words_of_a_plot(one):
    with new_axes() as ax:
        ax.plot([0, 1], [0, 1], label=f"a {one}$")
        ax.set(xlabel=one, ylabel=f"{one}$x$")
        ax.annotate(f"$\\{one}$", (0.5, 0.5))
        ax.legend()
        svg = picture(ax, one).svg
    check(svg, one)
    ElementTree.fromstring(svg)


def test_notebooks(trees, tree_model, vector_model):
    for i, one in enumerate(HOSTILE):
        short = one[:20]
        check(trees[2 * i]._repr_html_())
        ElementTree.fromstring(trees[2 * i]._repr_html_().replace("<hr/>", ""))
        check(explain(tree_model, trees[[2 * i]])[0]._repr_html_())
        check(fragments(tree_model, 2, label=one)._repr_html_())
        check(weights(vector_model, 3, HOSTILE, label=one)._repr_html_(), short)
    check(trees._repr_html_())


class TestTerminals:
    @pytest.mark.parametrize("one", HOSTILE)
    def test_visible(self, one):
        assert not UNSEEN.search(visible(one))
        assert visible(visible(one)) == visible(one)
        assert not UNSEEN.search(blotted(one))
        assert len(blotted(one)) == len(one)

    def test_names_that_are_not_utf8(self, capsys):
        complain(f"{os.fsdecode(b'a' + bytes([255]) + b'b')}: no")
        say(os.fsdecode(bytes([255])))
        out, errors = capsys.readouterr()
        assert (out, errors) == ("\\udcff\n", "hedgerow: a\\udcffb: no\n")

    def test_sentences_are_one_line(self, capsys):
        complain("\n".join(HOSTILE))
        errors = capsys.readouterr().err
        assert errors.count("\n") == 1
        assert not UNSEEN.search(errors)

    def test_tables(self, capsys, vector_model):
        y = np.array(HOSTILE)
        for width in (80, 20000):  # confusions as a list and as a table
            print_classes(figures(vector_model, y, np.roll(y, 1)), Terminal(width=width))
        table = Table(*HOSTILE, title=HOSTILE[16])
        Terminal(width=5000).print(table)
        out = capsys.readouterr().out
        assert not UNSEEN.search(out)
        assert "[/nothing]" in out
        assert "[red]markup[/red]" in out


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


NAME = "\x1b[2J\u202ea[b]"


def test_commands(folder):
    """Files and labels of such names, through the commands that people look at."""
    rows = [
        f"{label}\t{word} again"
        for label in ("\x1b[31mred", "[/b]", "\u202eb")
        for word in ("one", "two\x9b")
    ]
    (folder / f"{NAME}.tsv").write_text("\n".join(rows * 3) + "\n")
    data, model = f"{NAME}.tsv", f"{NAME}.model"
    said = []
    for arguments in (
        ["train", data, "-o", model, "--format", "text", "--progress-every", "3", "--learner", "pa"],
        ["evaluate", model, data],
        ["evaluate", model, data, "--json"],
        ["explain", model],
        ["explain", model, data],
        ["report", model, "-o", f"{NAME}.html"],
        ["tune", data, "--format", "text", "--kernels", "spectrum", "-C", "1"],
        ["train", f"{NAME}.nothing", "-o", model],
        ["train", data, "-o", model, "--learner", NAME],
        ["convert", data, "-o", "x.tk", "--from", NAME],
        [NAME],
    ):
        result = CliRunner().invoke(app, arguments)
        assert result.exception is None or isinstance(result.exception, SystemExit), arguments
        said.append(result.stdout + result.stderr)
        assert not UNSEEN.search(said[-1]), (arguments, said[-1])
        assert said[-1].strip(), arguments
    assert r"no file matches \x1b[2J\u202ea[b].nothing" in said[7]
    check((folder / f"{NAME}.html").read_text(), NAME)


def test_predictions_on_a_terminal(folder, monkeypatch):
    """A pipe gets labels as they are, a terminal what can be seen of them."""
    main, terminal = pty.openpty()
    with open(terminal, "w") as out:
        monkeypatch.setattr("sys.stdout", out)
        with writing("-") as data:
            data.write("a\x1b[2J\tb\n\xff".encode() + bytes([255]))
        out.flush()
        shown = os.read(main, 1000)
    os.close(main)
    assert shown.replace(b"\r", b"") == rb"a\x1b[2J" + b"\tb\n\xc3\xbf" + rb"\xff"
