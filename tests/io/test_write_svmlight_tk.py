"""What is written reads back exactly, SVM-light-TK would read it as meant, and failures leave nothing."""

from __future__ import annotations

import gzip
import io
import os
import stat
import string
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from hedgerow import Forest, Records
from hedgerow.io import iter_svmlight_tk, read_svmlight_tk, write_svmlight_tk

EMPTY = Forest.from_postorder([], [], [0])


def written(path, *args, **options) -> str:
    write_svmlight_tk(path, *args, **options)
    return path.read_text()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "out.tk"


class TestLines:
    def test_forest(self, path):
        trees = Forest(["(N dog)", "(NP a b (C d))", "(leaf)"]) + EMPTY
        assert written(path, trees, [1, -1, 2, 3]) == (
            "1 |BT| (N dog) |ET|\n-1 |BT| (NP (a) (b) (C d)) |ET|\n2 |BT| (leaf) |ET|\n3 |BT| |ET|\n"
        )

    def test_matrix(self, path):
        X = np.array([[0.1, 0, 1], [0, -2.5, 0], [0, 0, 0], [1e-300, 1e22, 0]])
        expected = "1 1:0.1 3:1\n2 2:-2.5\n3\n4 1:1e-300 2:1e+22\n"
        assert written(path, X, [1, 2, 3, 4]) == expected
        assert written(path, sparse.coo_array(X), [1, 2, 3, 4]) == expected

    def test_first_line_keeps_the_width(self, path):
        assert written(path, [[1, 0, 0], [0, 1, 0]], [1, 1]) == "1 1:1 3:0\n1 2:1\n"
        assert written(path, [[0, 0], [1, 1]], [1, 1]) == "1 2:0\n1 1:1 2:1\n"

    def test_standard_names_make_standard_lines(self, path):
        X = Records(tree=Forest(["(A b)"]), tree_2=Forest(["(C d)"]), vector=[[1.0]], vector_2=[[2.0]])
        assert written(path, X, ["x"]) == "x |BT| (A b) |BT| (C d) |ET| 1:1 |BV| 1:2 |EV|\n"

    def test_other_names_make_named_columns(self, path):
        X = Records(question=Forest(["(A b)"]), bow=[[1.0]])
        assert written(path, X, ["x"]) == "x |BT:question| (A b) |ET| |BV:bow| 1:1 |EV|\n"

    def test_comments_and_query_ids(self, path):
        text = written(path, [[1.0], [2.0]], [1, 2], comments=["first # one", None], query_id=[3, -1])
        assert text == "1 qid:3 1:1 # first # one\n2 1:2\n"

    def test_labels(self, path):
        y = [True, np.int32(2), 0.5, np.float64(1), "ü", 3]
        assert [line.split()[0] for line in written(path, np.ones((6, 1)), y).splitlines()] == [
            "1", "2", "0.5", "1.0", "ü", "3",
        ]  # fmt: skip

    def test_duplicate_entries_are_summed_without_changing_the_callers(self, path):
        X = sparse.csr_matrix(
            (np.array([1.0, 2.0, 5.0]), np.array([1, 1, 0]), np.array([0, 3])), shape=(1, 2)
        )
        assert written(path, X, [1]) == "1 1:5 2:3\n"
        assert X.nnz == 3


labels = st.text(string.ascii_letters + "#|é:$,.-'", min_size=1, max_size=5).map(lambda s: s.replace(" ", ""))
tree_texts = st.recursive(
    labels, lambda below: st.tuples(labels, st.lists(below, min_size=1, max_size=3)), max_leaves=8
)


def brackets(node, root=True) -> str:
    if isinstance(node, str):
        return f"({node})" if root else node
    return f"({node[0]} {' '.join(brackets(child, False) for child in node[1])})"


@st.composite
def forests(draw, n):
    parts = [Forest()]
    for node in draw(st.lists(st.none() | tree_texts, min_size=n, max_size=n)):
        parts.append(EMPTY if node is None else Forest([brackets(node)]))
    return Forest.concatenate(parts)


@st.composite
def matrices(draw, n):
    width = draw(st.integers(1, 4))
    values = st.just(0.0) | st.floats(allow_nan=False, allow_infinity=False)
    return sparse.csr_matrix(
        np.array([[draw(values) for _ in range(width)] for _ in range(n)]).reshape(n, width)
    )


names = st.sampled_from(
    ["tree", "tree_2", "tree_3", "vector", "vector_2", "vector_3", "question", "a b", "é:", "(#", "BT"]
)


@st.composite
def examples(draw):
    n = draw(st.integers(1, 4))
    kind = draw(st.sampled_from(["forest", "matrix", "records"]))
    if kind == "forest":
        X = draw(forests(n))
    elif kind == "matrix":
        X = draw(matrices(n))
    else:
        chosen = draw(st.lists(names, min_size=2, max_size=5, unique=True))
        X = Records({name: draw(forests(n) | matrices(n)) for name in chosen})
    word = st.text("abcXYZé:#|(", min_size=1, max_size=4).filter(lambda s: s[0] not in "|(#")
    label = draw(
        st.sampled_from(
            [st.integers(-(2**63), 2**63 - 1), st.floats(allow_nan=False, allow_infinity=False), word]
        )
    )
    y = draw(st.lists(label, min_size=n, max_size=n))
    return X, np.array(y), draw(st.lists(st.integers(-1, 9), min_size=n, max_size=n))


def same(a, b) -> bool:
    if sparse.issparse(a):
        return sparse.issparse(b) and a.shape == b.shape and np.array_equal(a.toarray(), b.toarray())
    return a == b


@settings(deadline=None, max_examples=300)
@given(examples())
def test_round_trip_is_exact(tmp_path_factory, example):
    X, y, queries = example
    path = tmp_path_factory.getbasetemp() / "round_trip.tk"
    write_svmlight_tk(path, X, y, query_id=queries)
    again, labels_again, queries_again = read_svmlight_tk(path, query_id=True)
    assert same(X, again)
    assert labels_again.dtype.kind == y.dtype.kind
    np.testing.assert_array_equal(labels_again, y)
    assert queries_again.tolist() == queries
    # Every column shows on the first line, so a stream settles on the same layout.
    (first, _), *_ = iter_svmlight_tk(path, 1, labels="word")
    assert type(first) is type(X)
    if isinstance(X, Records):
        assert first.columns == X.columns


class TestFiles:
    def test_gzip_is_reproducible(self, tmp_path):
        trees = Forest(["(A b)"] * 2500)
        contents = []
        for name in ("a.tk.gz", "b.tk.gz"):
            write_svmlight_tk(tmp_path / name, trees, np.arange(2500))
            contents.append((tmp_path / name).read_bytes())
        assert contents[0] == contents[1]
        assert gzip.decompress(contents[0]).count(b"\n") == 2500
        X, y = read_svmlight_tk(tmp_path / "a.tk.gz")
        assert trees == X
        assert y.tolist() == list(range(2500))

    def test_failure_leaves_the_old_file_and_nothing_else(self, path, tmp_path):
        path.write_text("old")
        trees = Forest(["(A b)"] * 1500) + Forest.from_postorder(["a b", "N"], [0, 1], [2])
        with pytest.raises(ValueError, match="cannot be written"):
            write_svmlight_tk(path, trees, np.zeros(1501))
        assert path.read_text() == "old"
        assert os.listdir(tmp_path) == ["out.tk"]

    def test_rights_are_those_of_any_new_file(self, path):
        write_svmlight_tk(path, [[1.0]], [1])
        other = path.with_name("other")
        other.write_text("")
        assert path.stat().st_mode == other.stat().st_mode
        path.chmod(0o600)
        write_svmlight_tk(path, [[1.0]], [1])
        assert stat.S_IMODE(path.stat().st_mode) == 0o600

    def test_link_keeps_pointing_to_its_file(self, path):
        link = path.with_name("link")
        link.symlink_to(path)
        write_svmlight_tk(link, [[1.0]], [1])
        assert link.is_symlink()
        assert path.read_text() == "1 1:1\n"

    def test_device_is_written_not_replaced(self):
        write_svmlight_tk("/dev/null", [[1.0]], [1])
        assert stat.S_ISCHR(os.stat("/dev/null").st_mode)

    def test_standard_streams(self, capsysbinary, monkeypatch):
        write_svmlight_tk("-", Forest(["(A é)"]), [1])
        text = capsysbinary.readouterr().out
        assert text == "1 |BT| (A é) |ET|\n".encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
        X, y = read_svmlight_tk("-")
        assert X.to_brackets() == ["(A é)"]
        assert y.tolist() == [1]

    def test_missing_folder(self, tmp_path):
        with pytest.raises(FileNotFoundError, match=r"none/out\.tk"):
            write_svmlight_tk(tmp_path / "none" / "out.tk", [[1.0]], [1])

    def test_spaces_in_leaves(self, path):
        trees = Forest.from_postorder(["New York", "N", "b", "V", "S"], [0, 1, 0, 1, 2], [5])
        with pytest.raises(ValueError, match=r"label 'New York' cannot be written.*spaces_in_leaves=True"):
            write_svmlight_tk(path, trees, [1])
        assert written(path, trees, [1], spaces_in_leaves=True) == "1 |BT| (S (N New York) (V b)) |ET|\n"
        assert read_svmlight_tk(path, spaces_in_leaves=True)[0] == trees

    @pytest.mark.parametrize(
        ("labels", "arity"),
        [(["a b", "c", "N"], [0, 0, 2]), (["c", "a b"], [0, 1]), (["a b"], [0]), ([" a", "N"], [0, 1])],
    )
    def test_spaces_where_no_reader_would_understand_them(self, path, labels, arity):
        with pytest.raises(ValueError, match="cannot be written"):
            write_svmlight_tk(
                path, Forest.from_postorder(labels, arity, [len(labels)]), [1], spaces_in_leaves=True
            )


class TestErrors:
    @pytest.mark.parametrize(
        "label",
        ["a b", "", "|x", "(x", "#x", "3:1", "3:-.5e3", "1:nan", "qid:4", "a\tb", "x\0", "\ufeffx", "a\n"],
    )
    def test_labels_that_would_read_as_something_else(self, path, label):
        with pytest.raises(ValueError, match=r"y\[1\] is .* cannot be written as a label"):
            write_svmlight_tk(path, [[1.0], [2.0]], ["fine", label])

    @pytest.mark.parametrize("label", ["NUM:dist", "3:x", "a|b", "x(", "C#"])
    def test_labels_that_only_look_odd(self, path, label):
        write_svmlight_tk(path, [[1.0]], [label])
        assert read_svmlight_tk(path)[1].tolist() == [label]

    def test_values_must_be_finite(self, path):
        with pytest.raises(ValueError, match="values must be finite, got nan in row 1, feature 0"):
            write_svmlight_tk(path, [[1.0, 1.0], [np.nan, 2.0]], [1, 1])
        with pytest.raises(ValueError, match=r"y\[0\] is inf; labels must be finite"):
            write_svmlight_tk(path, [[1.0]], [np.inf])

    def test_lengths_must_agree(self, path):
        with pytest.raises(ValueError, match="X has 2 examples, but y has 1"):
            write_svmlight_tk(path, [[1.0], [2.0]], [1])
        with pytest.raises(ValueError, match="X has 1 examples, but comments has 2"):
            write_svmlight_tk(path, [[1.0]], [1], comments=["a", "b"])
        with pytest.raises(ValueError, match="X has 1 examples, but query_id has 2"):
            write_svmlight_tk(path, [[1.0]], [1], query_id=[1, 2])

    def test_other_errors(self, path):
        with pytest.raises(TypeError, match="column 'words': SVM-light-TK lines hold trees"):
            write_svmlight_tk(path, Records(words=["a"], tree=Forest(["(A b)"])), [1])
        with pytest.raises(TypeError, match=r"y\[0\] is a NoneType"):
            write_svmlight_tk(path, [[1.0]], [None])
        with pytest.raises(ValueError, match=r"comments\[0\] holds a line break"):
            write_svmlight_tk(path, [[1.0]], [1], comments=["a\nb"])
        with pytest.raises(ValueError, match="query_id must be a sequence of whole numbers"):
            write_svmlight_tk(path, [[1.0]], [1], query_id=[0.5])
        with pytest.raises(ValueError, match=r"column name 'a\|b' cannot be written"):
            write_svmlight_tk(path, Records({"a|b": [[1.0]], "c": [[1.0]]}), [1])
        with pytest.raises(ValueError, match="without features"):
            write_svmlight_tk(path, sparse.csr_matrix((1, 0)), [1])
        assert not path.exists()
