"""Descriptions of classes."""

from __future__ import annotations

import pytest

from hedgerow.data import FormatError
from hedgerow.io.classes import read_class_features


@pytest.fixture
def read(tmp_path):
    def found(text):
        path = tmp_path / "classes.tsv"
        path.write_text(text)
        return read_class_features(path)

    return found


def test_vectors_have_one_width(read):
    found = read("a\t1:1 3:-0.5\n\nb c\t2:1e1\r\n")
    assert {label: row.tolist() for label, row in found.items()} == {"a": [1, 0, -0.5], "b c": [0, 10, 0]}


def test_texts(read):
    assert read("a\tone two\nb\t1:1 is a score\n") == {"a": "one two", "b": "1:1 is a score"}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a 1:1\n", "line 1: expected a class and its features with a tab between, found 'a 1:1'"),
        ("a\t\n", "line 1: expected a class"),
        ("a\t1:1\na\t2:1\n", "line 2: the class a appears twice"),
        ("\n", "there are no classes"),
        ("a\t1:1 0:1\n", "line 1, column 7: features are counted from 1"),
        ("a\t1:1\nbb\t2:1 2:1\n", "line 2, column 8: the feature 2 appears twice"),
        ("a\t1:1 2:x\n", "line 1, column 7: expected a finite number after the colon, found '2:x'"),
        ("a\t1:inf\n", "line 1, column 3: expected a finite number after the colon, found '1:inf'"),
    ],
)
def test_failures_have_a_place(read, text, problem):
    with pytest.raises(FormatError, match=problem):
        read(text)
