"""Batches: together they equal the whole file, and the first one settles the layout."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from hedgerow import Forest, FormatError, Records
from hedgerow.io import iter_svmlight_tk, read_svmlight_tk
from hedgerow.io.svmlight_tk import read_table


@pytest.fixture
def file(tmp_path):
    def write(content):
        path = tmp_path / "examples.tk"
        path.write_text(content)
        return path

    return write


@pytest.mark.parametrize("piece", [7, 64, 1 << 20])
@pytest.mark.parametrize("batch_size", [1, 3, 10, 11, 100])
def test_batches_equal_the_whole_file(file, monkeypatch, batch_size, piece):
    monkeypatch.setattr("hedgerow.io.svmlight_tk.PIECE", piece)
    lines = [f"{i % 3} qid:{i} |BT| (S (N w{i}) (V x)) |ET| 1:{i} 9:0.5" for i in range(1, 11)]
    path = file("# head\n" + "\n\n".join(lines))
    X, y, q = read_svmlight_tk(path, query_id=True)
    parts = list(iter_svmlight_tk(path, batch_size, query_id=True))
    assert [len(part[1]) for part in parts] == [min(batch_size, 10 - i) for i in range(0, 10, batch_size)]
    assert Records.concatenate(part[0] for part in parts) == X
    np.testing.assert_array_equal(np.concatenate([part[1] for part in parts]), y)
    np.testing.assert_array_equal(np.concatenate([part[2] for part in parts]), q)


def test_empty_file_has_no_batches(file):
    assert list(iter_svmlight_tk(file(""))) == []


def test_all_batches_have_the_same_container(file):
    path = file("1 |BT| (A b) |ET| 1:1\n1 |BT| (A b) |ET|\n1\n")
    for X, _ in iter_svmlight_tk(path, 1):
        assert X.columns == ("tree", "vector")
    path = file("1 |BT| (A b) |ET|\n1\n")
    assert [X for X, _ in iter_svmlight_tk(path, 1)] == [Forest(["(A b)"]), Forest(["(A b)"])[:0] + _empty()]


def _empty() -> Forest:
    return Forest.from_postorder([], [], [0])


def test_width_grows_unless_given(file):
    path = file("1 2:1\n1 5:1\n1 1:1\n")
    assert [X.shape for X, _ in iter_svmlight_tk(path, 1)] == [(1, 2), (1, 5), (1, 5)]
    batches = [X for X, _ in iter_svmlight_tk(path, 1, n_features=6)]
    assert sparse.vstack(batches).shape == (3, 6)


def test_labels_alone_first(file):
    assert [X.shape for X, _ in iter_svmlight_tk(file("1\n2 2:1\n"), 1)] == [(1, 0), (1, 2)]


def test_later_column_is_an_error_that_says_what_to_do(file):
    path = file("1 |BT| (A b) |ET|\n2 |BT| (A b) |ET|\n1 |BT| (A b) |ET| 1:1\n")
    batches = iter_svmlight_tk(path, 2)
    next(batches)
    with pytest.raises(
        FormatError,
        match=r"line 3, column 19: the column 'vector' is not known.*'tree'.*columns=\('tree', 'vector'\)",
    ):
        next(batches)
    parts = [X for X, _ in iter_svmlight_tk(path, 2, columns=("tree", "vector"), n_features=1)]
    assert Records.concatenate(parts)["vector"].toarray().tolist() == [[0], [0], [1]]


@pytest.mark.parametrize(
    ("labels", "advice", "option", "kind"),
    [
        (["1", "0.5"], r"'0.5' is not a whole number.*labels='float'", "float", "f"),
        (["1", "word"], r"'word' is not a whole number.*'word' for words", "word", "U"),
        (["0.5", "word"], r"'word' is not a number.*labels='word'", "word", "U"),
    ],
)
def test_later_label_of_another_kind(file, labels, advice, option, kind):
    path = file("".join(f"{label} 1:1\n" for label in labels))
    batches = iter_svmlight_tk(path, 1)
    next(batches)
    with pytest.raises(FormatError, match=f"line 2, column 1: .*{advice}"):
        next(batches)
    assert [y.dtype.kind for _, y in iter_svmlight_tk(path, 1, labels=option)] == [kind] * 2


def test_words_first_then_numbers_stay_words(file):
    assert [y.tolist() for _, y in iter_svmlight_tk(file("a 1:1\n1 1:1\n"), 1)] == [["a"], ["1"]]


def test_on_error_is_called_and_the_rest_is_read(file):
    path = file("bad(\n1 |BT| (A b) |ET|\n1 |BT| (A b |ET|\n2 |BT| (A c) |ET|\n3 |BT| (A d) |ET|\n1 x\n")
    found: list[FormatError] = []
    batches = list(iter_svmlight_tk(path, 2, errors=found.append))
    assert [y.tolist() for _, y in batches] == [["bad(", "1"], ["2", "3"]]
    assert [(e.line, e.column) for e in found] == [(3, 8), (6, 3)]
    assert found[0].path == str(path)


def test_error_is_raised_by_default(file):
    with pytest.raises(FormatError, match="line 2"):
        list(iter_svmlight_tk(file("1 1:1\n1 x\n"), 10))


def test_bad_batch_size(file):
    with pytest.raises(ValueError, match="batch_size must be at least 1, got 0"):
        iter_svmlight_tk(file(""), 0)


WORDS = [
    "1", "-1", "x", "|BT|", "|ET|", "|BT:n|", "|BV:n|", "|BV|", "|EV|", "(A b)", "(A (B", "))", "1:1",
    "3:0.5", "2:nan", "qid:1", "#", "\xff", "\0", "\n", "\n", "\r\n",
]  # fmt: skip


@settings(deadline=None, max_examples=300)
@given(st.lists(st.sampled_from(WORDS)), st.integers(1, 4), st.integers(1, 40))
def test_any_text_reads_the_same_whole_and_in_batches(tmp_path_factory, words, batch_size, piece):
    path = tmp_path_factory.getbasetemp() / "soup.tk"
    path.write_bytes(" ".join(words).encode("latin-1"))
    table, errors = read_table(path)
    kinds = {
        name: "tree" if isinstance(column, Forest) else "vector" for name, column in table.columns.items()
    }
    found: list[FormatError] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("hedgerow.io.svmlight_tk.PIECE", piece)
        parts = list(
            iter_svmlight_tk(
                path, batch_size, labels="word", columns=kinds, n_features=5, errors=found.append
            )
        )
    assert [label for _, y in parts for label in y] == table.labels().tolist()
    assert [e.line for e in found] == [e.line for e in errors]
    for name, column in table.columns.items():
        pieces = [part[name] if isinstance(part, Records) else part for part, _ in parts]
        if isinstance(column, Forest):
            assert Forest.concatenate(pieces) == column
        elif parts:
            column.resize(len(table), 5)
            np.testing.assert_array_equal(sparse.vstack(pieces).toarray(), column.toarray())
