"""``hedgerow clones``."""

from __future__ import annotations

import json
from html.parser import HTMLParser

import pytest

pytest.importorskip("tree_sitter_language_pack")

FIRST = """def total(items, tax):
    result = 0
    for item in items:
        if item.price > 0:
            result += item.price * (1 + tax)
    return result
"""
COPY = FIRST.replace("def total(", "# a <script>comment</script>\n\ndef total(")
RENAMED = FIRST.replace("items", "things").replace("tax", "rate")
OTHER = """def other(x):
    return {"<b>": x, "b": [x, x + 1, x + 2], "c": (x for x in range(10) if x % 2), "d": print(x, x)}
"""


@pytest.fixture
def code(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "code"
    folder.mkdir()
    (folder / "a.py").write_text(FIRST + "\n\n" + OTHER)
    (folder / "b.py").write_text(COPY)
    (folder / "<i>c.py").write_text(RENAMED)
    return folder


def test_groups_as_text(hedgerow_command, code):
    printed = hedgerow_command.good("clones", "code", "--similarity", "0.5", "--no-cache")
    assert printed.splitlines() == [
        "group 1: 3 functions, similarity 0.854 or more",
        "  code/<i>c.py:1-6  total",
        "  code/a.py:1-6  total",
        "  code/b.py:3-8  total",
        "4 functions in 3 files (3 parsed, others from the cache): 3 alike, in 1 groups",
    ]
    printed = hedgerow_command.good("clones", "code", "--similarity", "1", "--no-cache")
    assert "code/<i>c.py" not in printed
    printed = hedgerow_command.good(
        "clones", "code", "--similarity", "1", "--no-cache", "--identifiers", "kind", "--min-nodes", "20"
    )
    assert "code/<i>c.py" in printed


def test_groups_as_json(hedgerow_command, code):
    (group,) = json.loads(
        hedgerow_command.good("clones", "code", "--similarity", "0.5", "--json", "--no-cache")
    )["groups"]
    assert [member["path"] for member in group["members"]] == ["code/<i>c.py", "code/a.py", "code/b.py"]
    assert [pair[:2] for pair in group["pairs"]] == [[0, 1]]
    assert group["pairs"][0][2] == pytest.approx(0.854, abs=1e-3)
    assert group["copies"] == [[1, 3]]


def test_a_second_run_parses_what_has_changed(hedgerow_command, code):
    def run():
        return hedgerow_command.good("clones", "code", "--similarity", "0.5", "--cache", "kept.cache")

    first = run()
    assert "(3 parsed" in first
    assert run() == first.replace("(3 parsed", "(0 parsed")
    (code / "d.py").write_text(FIRST.replace("price", "cost"))
    assert "(1 parsed" in run()
    kept = (code.parent / "kept.cache").read_bytes()
    (code.parent / "kept.cache").write_bytes(kept[:-10])
    assert "(4 parsed" in run()


class Page(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.marked, self.inside = set(), "", False

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.inside = self.inside or tag == "mark"

    def handle_endtag(self, tag):
        self.inside = self.inside and tag != "mark"

    def handle_data(self, data):
        self.marked += data if self.inside else ""


def test_pages_mark_what_is_shared_and_escape_everything(hedgerow_command, code):
    (code / "<i>c.py").write_text(RENAMED.replace("0\n", "'<img src=x>'\n", 1))
    (code / "a.py").write_text(FIRST.replace("0\n", "'<img src=x>'\n", 1))
    (code / "b.py").unlink()
    hedgerow_command.good("clones", "code", "--similarity", "0.4", "--html", "page.html", "--no-cache")
    text = (code.parent / "page.html").read_text()
    page = Page()
    page.feed(text)
    assert page.tags.isdisjoint({"img", "script", "i", "b"})
    assert "result = '<img src=x>'" in page.marked
    assert "things" not in page.marked
    assert "&lt;i&gt;c.py" in text


def test_hostile_code_is_left_out_with_a_word(hedgerow_command, code):
    """Any bytes, deep nesting, large files, files that are gone: nothing breaks."""
    (code / "bytes.py").write_bytes(bytes(range(256)) * 20 + b"\xff\xfe\x00def f(:\n")
    (code / "deep.py").write_text("def deep():\n    return " + "(" * 10_000 + ")" * 10_000 + "\n")
    (code / "large.py").write_text("def large():\n    return [" + "1, " * 200_000 + "]\n")
    (code / "gone.py").symlink_to("nowhere.py")
    (code / "cut.java").write_text("class A { void f( { if (")
    result = hedgerow_command.run(
        "clones", "code", "--max-bytes", "500000", "--similarity", "0.5", "--no-cache"
    )
    assert result.exit_code == 0
    assert "code/large.py: larger than --max-bytes 500000" in result.stderr
    assert "code/deep.py:1-2:" in result.stderr
    assert "more than --max-nodes 10000" in result.stderr
    assert "group 1: 3 functions" in result.stdout
    result = hedgerow_command.run("clones", "nowhere")
    assert result.exit_code == 1
    assert "nowhere: no such file or folder" in result.stderr


def test_kernels_that_have_no_index_are_refused(hedgerow_command, code):
    result = hedgerow_command.run("clones", "code", "--kernel", "rbf")
    assert result.exit_code == 2
    assert "an index takes SubTree" in result.stderr
