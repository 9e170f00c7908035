"""Readers: pieces of files for training and for new data."""

from __future__ import annotations

import pickle

import pytest

from hedgerow.data import FormatError
from hedgerow.io.readers import ColumnReader, ListReader, PairReader, TableReader, TreeReader
from hedgerow.io.schema import Schema


@pytest.fixture
def file(tmp_path):
    def written(text, name="file.txt"):
        (tmp_path / name).write_text(text)
        return str(tmp_path / name)

    return written


class TestColumns:
    def test_labels_in_any_column(self, file):
        path = file("a X N\nb Y V\n\nc X N\n")
        for column in (1, -2):
            reader = ColumnReader(column)
            ((X, y),) = reader.pieces(path)
            assert X == [[("a", "N"), ("b", "V")], [("c", "N")]]
            assert y == [["X", "Y"], ["X"]]
            assert reader.with_labels(X, y) == [[("a", "X", "N"), ("b", "Y", "V")], [("c", "X", "N")]]

    def test_new_data_may_have_no_labels(self, file):
        reader, bare = ColumnReader(inputs=1), file("a\nb\n")
        assert list(reader.for_new_data(labelled=False).pieces(bare)) == [([[("a",), ("b",)]], None)]
        with pytest.raises(FormatError, match="there are no labels: expected 2 columns"):
            list(reader.for_new_data(labelled=True).pieces(bare))

    @pytest.mark.parametrize(
        ("reader", "problem"),
        [
            (ColumnReader(inputs=2), "expected 3 columns as before, found 2|there are no labels"),
            (ColumnReader(inputs=3), "expected 4 columns as before, found 2"),
            (
                ColumnReader(inputs=3, labelled=False),
                "expected 4 columns as before, or 3 without labels, found 2",
            ),
            (ColumnReader(2), r"there is no column 3 \(--label-column\): there are 2"),
        ],
    )
    def test_failures(self, file, reader, problem):
        with pytest.raises(FormatError, match=problem):
            list(reader.pieces(file("a X\n")))


class TestTrees:
    def test_trees_are_their_own_labels(self, file):
        ((X, y),) = TreeReader().pieces(file("(A b)\n(A\n c)\n"))
        assert X.to_brackets() == y.to_brackets() == ["(A b)", "(A c)"]

    def test_new_data(self, file):
        reader = TreeReader().for_new_data(labelled=False)
        assert list(reader.pieces(file("a b\nc\n"))) == [(["a b", "c"], None)]

    def test_pieces_are_bounded(self, file):
        pieces = TreeReader(at_once=2).pieces(file("(A b)\n" * 5))
        assert [len(X) for X, _ in pieces] == [2, 2, 1]


def test_pairs(file):
    path = file("a b\tc d\n\ne\tf\n")
    assert list(PairReader().pieces(path)) == [(["a b", "e"], ["c d", "f"])]
    assert list(PairReader(tokens=True).pieces(path)) == [([["a", "b"], ["e"]], [["c", "d"], ["f"]])]
    assert list(PairReader().for_new_data(labelled=False).pieces(file("a b\n"))) == [(["a b"], None)]


def test_lists_of_candidates(file, monkeypatch):
    monkeypatch.setattr("hedgerow.io.sources.BATCH", 2)  # lists go on from batch to batch
    path = file("0.5 qid:1 1:1\n1 qid:1 2:1\n0 qid:1 1:2\n1 qid:2 5:1\n")
    lengths = [n for lists, _ in ListReader(Schema()).pieces(path) for n in lists.lengths]
    assert lengths == [3, 1]


@pytest.mark.parametrize("reader", [TableReader(Schema()), ColumnReader(), TreeReader(), PairReader()])
def test_they_travel_and_are_told_apart(reader):
    copy = pickle.loads(pickle.dumps(reader))
    assert copy == reader
    assert copy.token == reader.token
    assert reader.token != reader.for_new_data(labelled=False).token
