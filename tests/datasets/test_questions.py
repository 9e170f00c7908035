"""The questions that ship with the package."""

from __future__ import annotations

import runpy
from collections import Counter
from importlib.resources import files
from pathlib import Path

import pytest

from hedgerow.datasets import load_questions

ROOT = Path(__file__).parents[2]


def test_classes_are_balanced() -> None:
    trees, y = load_questions()
    assert len(trees) == len(y)
    assert Counter(y.tolist()) == dict.fromkeys(["ABBR", "DESC", "ENTY", "HUM", "LOC", "NUM"], 50)


def test_all_lines_are_read_in_order() -> None:
    content = files("hedgerow.datasets").joinpath("questions.tk").read_text(encoding="utf-8")
    lines = [line for line in content.splitlines() if not line.startswith("#")]
    trees, y = load_questions()
    assert [f"{label} |BT| {tree} |ET|" for label, tree in zip(y, trees.to_brackets(), strict=True)] == lines


def test_questions_are_distinct_sentences() -> None:
    trees, _ = load_questions()
    assert len(set(trees.to_brackets())) == len(trees)
    for tree in trees:
        assert tree.label in ("SBARQ", "S")
        leaves = tree.leaves()
        assert leaves[0][0].isupper(), leaves
        assert leaves[-1] in ("?", "."), leaves
        assert not set("{}") & set("".join(leaves)), leaves


def test_words_are_shared_between_classes() -> None:
    """Otherwise the set would show nothing about structure."""
    trees, y = load_questions()
    classes_of_word: dict[str, set[str]] = {}
    for tree, label in zip(trees, y.tolist(), strict=True):
        for word in tree.leaves()[:-1]:
            classes_of_word.setdefault(word, set()).add(label)
    shared = [word for word, classes in classes_of_word.items() if len(classes) >= 3]
    assert {"What", "Name", "did", "the"} <= set(shared)
    assert len(shared) >= len(classes_of_word) / 3


def test_the_tool_makes_the_file_that_ships() -> None:
    tool = ROOT / "tools" / "make_questions.py"
    if not tool.exists():
        pytest.skip("only in a checkout")
    made = runpy.run_path(str(tool))
    expected = made["HEADER"] + "".join(f"{line}\n" for line in made["make_lines"]())
    assert files("hedgerow.datasets").joinpath("questions.tk").read_text(encoding="utf-8") == expected
