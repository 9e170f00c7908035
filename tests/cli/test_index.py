"""``hedgerow index``."""

from __future__ import annotations

import json

import pytest

from tests.cli.test_clones import COPY, FIRST, OTHER, RENAMED

pytest.importorskip("tree_sitter_language_pack")


@pytest.fixture
def code(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.py").write_text(FIRST + "\n\n" + OTHER)
    (tmp_path / "b.py").write_text(RENAMED)
    (tmp_path / "c.py").write_text(COPY)
    return tmp_path


def test_build_query_and_add(hedgerow_command, code):
    hedgerow_command.good("index", "build", "a.py", "b.py", "-o", "code.index")
    printed = hedgerow_command.good("index", "query", "code.index", "c.py", "-n", "2")
    assert printed.splitlines() == [
        "c.py:3-8  total",
        "  1.0000  a.py:1-6  total",
        "  0.8537  b.py:1-6  total",
    ]
    hedgerow_command.good("index", "add", "code.index", "c.py")
    answer = json.loads(hedgerow_command.good("index", "query", "code.index", "c.py", "--json"))
    assert answer["name"] == "total"
    assert [(found["path"], found["first_line"]) for found in answer["neighbors"]] == [
        ("a.py", 1),
        ("c.py", 3),
        ("b.py", 1),
        ("a.py", 9),
    ]


def test_an_index_remembers_how_its_trees_were_made(hedgerow_command, code):
    hedgerow_command.good(
        "index", "build", "a.py", "-o", "code.index", "--identifiers", "kind", "--kernel", "st"
    )
    printed = hedgerow_command.good("index", "query", "code.index", "b.py", "-n", "1")
    assert "  1.0000  a.py:1-6  total" in printed


def test_what_is_no_index_is_refused(hedgerow_command, code):
    (code / "broken.index").write_bytes(b"index")
    result = hedgerow_command.run("index", "query", "broken.index", "a.py")
    assert result.exit_code == 1
    assert "not a hedgerow model" in result.stderr
    result = hedgerow_command.run("index", "build", "a.py", "-o", "code.index", "--min-nodes", "5000")
    assert result.exit_code == 1
    assert "no function with 5000 nodes or more in a.py" in result.stderr
    assert not (code / "code.index").exists()
