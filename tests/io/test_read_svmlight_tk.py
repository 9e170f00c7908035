"""Whole files of SVM-light-TK lines: containers, labels, and every error with its place."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from hedgerow import Forest, FormatError, Records
from hedgerow.io import read_svmlight_tk


@pytest.fixture
def file(tmp_path):
    def write(content: str | bytes, name: str = "examples.tk") -> Path:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


class TestContainers:
    def test_one_tree_a_line_is_a_forest(self, file):
        X, y = read_svmlight_tk(file("+1 |BT| (S (NP Mary)) |ET|\n-1 |BT| (S (NP John)) |ET|\n"))
        assert isinstance(X, Forest)
        assert Forest(["(S (NP Mary))", "(S (NP John))"]) == X
        assert y.dtype == np.int64
        assert y.tolist() == [1, -1]

    def test_vectors_only_is_a_matrix(self, file):
        X, y = read_svmlight_tk(file("1 1:0.5 3:-2e-3\n2\n1 2:+7\n"))
        assert sparse.isspmatrix_csr(X)
        np.testing.assert_array_equal(X.toarray(), [[0.5, 0, -0.002], [0, 0, 0], [0, 7, 0]])
        assert y.tolist() == [1, 2, 1]

    def test_trees_and_vectors_are_records(self, file):
        line = "1 |BT| (A b) |BT| (C d) |ET| 1:1 |BV| 2:2 |EV|\n"
        X, _ = read_svmlight_tk(file(line + "2 |BT| (E f) |ET|\n"))
        assert isinstance(X, Records)
        assert X.columns == ("tree", "tree_2", "vector", "vector_2")
        assert X["tree"].to_brackets() == ["(A b)", "(E f)"]
        assert X["tree_2"].to_brackets() == ["(C d)", ""]
        assert X["vector"].toarray().tolist() == [[1], [0]]
        assert X["vector_2"].toarray().tolist() == [[0, 2], [0, 0]]

    def test_features_may_stand_before_the_trees(self, file):
        X, _ = read_svmlight_tk(file("1 2:3 |BT| (A b) |ET|\n"))
        assert X.columns == ("vector", "tree")
        assert X["vector"].toarray().tolist() == [[0, 3]]

    def test_leading_bv_makes_an_empty_first_vector(self, file):
        X, _ = read_svmlight_tk(file("1 |BV| 1:2 |EV|\n"))
        assert X.columns == ("vector", "vector_2")
        assert X["vector"].nnz == 0
        assert X["vector_2"].toarray().tolist() == [[2]]

    def test_column_that_appears_late(self, file):
        X, _ = read_svmlight_tk(file("1 |BT| (A b) |ET|\n1 |BT| (A b) |ET| 4:1\n1 |BT| |ET|\n"))
        assert X["tree"].to_brackets() == ["(A b)", "(A b)", ""]
        assert X["vector"].toarray().tolist() == [[0] * 4, [0, 0, 0, 1], [0] * 4]

    def test_kelp_names(self, file):
        text = (
            "a |BT:question| (Q x) |ET| |BT:answer| (A y) |ET| |BV:bow| 1:1 |EV|\n"
            "b |BV:bow| 2:1 |EV| |BT:answer| (A z) |ET|\n"
        )
        X, y = read_svmlight_tk(file(text))
        assert X.columns == ("question", "answer", "bow")
        assert X["question"].to_brackets() == ["(Q x)", ""]
        assert X["answer"].to_brackets() == ["(A y)", "(A z)"]
        assert X["bow"].toarray().tolist() == [[1, 0], [0, 1]]
        assert y.tolist() == ["a", "b"]

    def test_nameless_columns_beside_named_ones_keep_their_place(self, file):
        X, _ = read_svmlight_tk(file("1 |BT:x| (X a) |ET| |BT| (T b) |ET|\n" * 2))
        assert X.columns == ("x", "tree")
        assert X["tree"].to_brackets() == ["(T b)"] * 2

    def test_a_name_that_is_the_default_one_is_that_column(self, file):
        X, _ = read_svmlight_tk(file("1 |BT| (X a) |ET|\n1 |BT:tree| (X b) |ET|\n"))
        assert X.to_brackets() == ["(X a)", "(X b)"]

    def test_empty_trees(self, file):
        X, _ = read_svmlight_tk(file("1 |BT| |ET|\n1 |BT| (A b) |ET|\n"))
        assert X.tree_sizes().tolist() == [0, 2]

    @pytest.mark.parametrize("text", ["", "\n\n", "# only a comment\n", "\ufeff"])
    def test_empty_file_is_an_empty_forest(self, file, text):
        X, y = read_svmlight_tk(file(text))
        assert Forest() == X
        assert len(y) == 0

    def test_labels_alone_are_rows_of_zeros(self, file):
        X, y = read_svmlight_tk(file("1\n-1\n"), n_features=3)
        assert X.shape == (2, 3)
        assert X.nnz == 0
        assert y.tolist() == [1, -1]

    def test_columns_asked_for(self, file):
        X, _ = read_svmlight_tk(file("1 |BT| (A b) |ET|\n"), columns=("tree", "vector"), n_features=2)
        assert X.columns == ("tree", "vector")
        assert X["vector"].shape == (1, 2)
        X, _ = read_svmlight_tk(file("1 |BT:q| (A b) |ET|\n"), columns={"q": "tree", "bow": "vector"})
        assert X.columns == ("q", "bow")


class TestLabels:
    @pytest.mark.parametrize(
        ("labels", "expected", "kind"),
        [
            (["+1", "-1", "3"], [1, -1, 3], "i"),
            (["1", "0.5", "-2e3"], [1, 0.5, -2000], "f"),
            (["1.0", "2.0"], [1.0, 2.0], "f"),
            (["NUM:dist", "LOC:city"], ["NUM:dist", "LOC:city"], "U"),
            (["1", "x"], ["1", "x"], "U"),
            (["nan", "1"], ["nan", "1"], "U"),
            (["99999999999999999999", "1"], ["99999999999999999999", "1"], "U"),
            (["1,1.1,2", "2"], ["1,1.1,2", "2"], "U"),
            (["Zürich", "+"], ["Zürich", "+"], "U"),
        ],
    )
    def test_narrowest_kind(self, file, labels, expected, kind):
        _, y = read_svmlight_tk(file("\n".join(f"{label} 1:1" for label in labels)))
        assert y.dtype.kind == kind
        assert y.tolist() == expected

    def test_kind_asked_for(self, file):
        path = file("1 1:1\n2 1:1\n")
        assert read_svmlight_tk(path, labels="float")[1].dtype == np.float64
        assert read_svmlight_tk(path, labels="word")[1].tolist() == ["1", "2"]

    def test_query_ids(self, file):
        X, y, q = read_svmlight_tk(file("3 qid:7 1:1\n2 1:1 # none\n"), query_id=True)
        assert q.dtype == np.int64
        assert q.tolist() == [7, -1]
        assert X.shape == (2, 1)
        assert y.tolist() == [3, 2]


class TestText:
    def test_comments(self, file):
        text = (
            "# first\n1 |BT| (A b) |ET| # end\n  # indented\n2 |BT| (A c) |ET| 1:2# glued\n3 # no columns\n"
        )
        X, y = read_svmlight_tk(file(text))
        assert y.tolist() == [1, 2, 3]
        assert X["tree"].to_brackets() == ["(A b)", "(A c)", ""]
        assert X["vector"].toarray().tolist() == [[0], [2], [0]]

    def test_number_signs_inside_trees_are_no_comments(self, file):
        X, _ = read_svmlight_tk(file("1 |BT| (SYNT##root (POS##WP (LEX##who::w)) (# #)) |ET|\n"))
        assert X.to_brackets() == ["(SYNT##root (POS##WP LEX##who::w) (# #))"]

    @pytest.mark.parametrize(
        "change", [str, lambda s: s.replace("\n", "\r\n"), str.rstrip, "\ufeff{}".format]
    )
    def test_line_ends_and_byte_order_mark(self, file, change):
        text = "1 |BT| (A b) |ET|\n\n2 |BT| (A c) |ET| \n"
        X, y = read_svmlight_tk(file(change(text)))
        assert X.to_brackets() == ["(A b)", "(A c)"]
        assert y.tolist() == [1, 2]

    def test_gzip_whatever_the_name(self, file):
        X, _ = read_svmlight_tk(file(gzip.compress(b"1 |BT| (A b) |ET|\n"), "data.txt"))
        assert X.to_brackets() == ["(A b)"]

    def test_damaged_gzip(self, file):
        whole = gzip.compress(b"1 |BT| (A b) |ET|\n" * 100)
        with pytest.raises(FormatError, match="gzip file is damaged or cut short"):
            read_svmlight_tk(file(whole[:40]))

    def test_spaces_in_leaves(self, file):
        path = file("1 |BT| (N New York) |ET|\n")
        assert read_svmlight_tk(path)[0][0].leaves() == ["New", "York"]
        assert read_svmlight_tk(path, spaces_in_leaves=True)[0][0].leaves() == ["New York"]

    def test_zero_based(self, file):
        X, _ = read_svmlight_tk(file("1 0:5 2:1\n"), zero_based=True)
        assert X.toarray().tolist() == [[5, 0, 1]]

    def test_one_line_longer_than_a_piece(self, file, monkeypatch):
        monkeypatch.setattr("hedgerow.io.svmlight_tk.PIECE", 16)
        tree = "(S " + "(NP x) " * 500 + ")"
        X, y = read_svmlight_tk(file(f"1 |BT| {tree} |ET|\n2 |BT| (A b) |ET|"))
        assert Forest([tree, "(A b)"]) == X
        assert y.tolist() == [1, 2]

    def test_deep_tree(self, file):
        deep = "(X " * 100_000 + "y" + ")" * 100_000
        X, _ = read_svmlight_tk(file(f"1 |BT| {deep} |ET|\n"))
        assert X.n_nodes == 100_001


BAD_LINES = [
    ("|BT| (A b) |ET|", 1, "the label is missing: expected a number or a word before '|BT|'"),
    ("(A b)", 1, "the label is missing"),
    ("1:2 3:4", 1, "the label is missing"),
    ("qid:1 1:2", 1, "the label is missing"),
    ("1 |BT| (A b", 8, "the tree is not closed: 1 ')' is missing"),
    ("1 |BT| (A b) (C d) |ET|", 14, "expected |BT| or |ET| after the tree, found '('"),
    ("1 |BT| (A b))|ET|", 13, "expected |BT| or |ET| after the tree, found ')'"),
    ("1 |BT| (A b)", 13, "the trees are not closed: expected |ET|"),
    ("1 |BT| (A b) # |ET|", 14, "expected |BT| or |ET| after the tree"),
    ("1 |BT|", 7, "expected a tree or |ET| after |BT|"),
    ("1 |BT| ( ) |ET|", 10, "the tree is empty: expected a label after '('"),
    ("1 |BT| A |ET|", 8, "expected '(', found 'A'"),
    ("1 |ET|", 3, "|ET| without |BT|"),
    ("é 3:1 2:1", 7, "feature index 2 follows 3: indices must increase"),
    ("1 3:1 3:1", 7, "feature index 3 follows 3: indices must increase"),
    ("1 0:1", 3, "feature index 0: indices start at 1 (say zero_based=True when the file counts from 0)"),
    ("1 -4:1", 3, "feature index -4: indices start at 1"),
    ("1 2147483648:1", 3, "feature index 2147483648 is above 2147483647"),
    ("1 1:nan", 5, "the value of feature 1 is not finite: 'nan'"),
    ("1 1:-inf", 5, "the value of feature 1 is not finite: '-inf'"),
    ("1 1:1e999", 5, "the value of feature 1 is out of range: '1e999'"),
    ("1 1:x", 5, "expected a number as the value of feature 1, found 'x'"),
    ("1 1:", 5, "expected a number as the value of feature 1, found the end of the line"),
    ("1 1:2,3", 5, "expected a number as the value of feature 1, found '2,3'"),
    ("1 word", 3, "expected a feature index:value, |BT|, |BV| or #, found 'word'"),
    ("1 |BDV:x| 1.0", 3, "expected a feature index:value"),
    ("1 1:2 |EV| 2:3", 12, "expected the end of the line after |EV|, found '2:3'"),
    ("1 qid:x 1:2", 3, "expected qid: and a whole number, found 'qid:x'"),
    ("1 qid:-3 1:2", 3, "expected qid: and a whole number"),
    ("1 |BT:a| (A b) |ET| |BT:a| (A b) |ET|", 21, "the column 'a' stands twice on this line"),
    ("1 |BT:a| (A b) |ET| |BV:a| 1:1 |EV|", 21, "the column 'a' stands twice on this line"),
    ("1 1:1 |BV:vector| 1:1 |EV|", 7, "the column 'vector' stands twice on this line"),
]


class TestErrors:
    @pytest.mark.parametrize(("line", "column", "message"), BAD_LINES)
    def test_message_and_place(self, file, line, column, message):
        path = file(f"1 |BT| (A b) |ET|\n# comment\n\n{line}\n1 |BT| (A b) |ET|\n")
        with pytest.raises(FormatError) as caught:
            read_svmlight_tk(path)
        assert caught.value.message.startswith(message)
        assert (caught.value.line, caught.value.column) == (4, column)
        assert str(caught.value).startswith(f"{path}, line 4, column {column}: ")

    def test_collect_leaves_no_trace_of_bad_lines(self, file):
        good = "1 |BT| (A b) |ET|\n"
        path = file("".join(good + line + "\n" for line, _, _ in BAD_LINES) + good)
        X, y, errors = read_svmlight_tk(path, errors="collect")
        assert Forest(["(A b)"] * (len(BAD_LINES) + 1)) == X
        assert y.tolist() == [1] * (len(BAD_LINES) + 1)
        assert [e.line for e in errors] == [2 * i + 2 for i in range(len(BAD_LINES))]
        assert [e.column for e in errors] == [column for _, column, _ in BAD_LINES]

    def test_bad_line_does_not_widen_a_matrix(self, file):
        X, _, errors = read_svmlight_tk(file("1 2:1\n1 1:1 900:1 5:1\n1 3:1\n"), errors="collect")
        assert X.toarray().tolist() == [[0, 1, 0], [0, 0, 1]]
        assert len(errors) == 1

    def test_column_of_two_kinds(self, file):
        with pytest.raises(
            FormatError, match=r"line 2, column 3: the column 'a' holds trees, here is a vector"
        ):
            read_svmlight_tk(file("1 |BT:a| (A b) |ET|\n1 |BV:a| 1:1 |EV|\n"))
        with pytest.raises(FormatError, match="holds vectors, here is a tree"):
            read_svmlight_tk(file("1 |BV:a| 1:1 |EV|\n1 |BT:a| (A b) |ET|\n"))

    @pytest.mark.parametrize(
        ("content", "place", "message"),
        [
            (b"1 |BT| (A b) |ET|\n1 |BT| (A \xff) |ET|\n", (2, 11), "byte 0xFF is not UTF-8 here"),
            (b"1 |BT| (A \x00) |ET|\n", (1, 11), "a NUL byte"),
            ("1 |BT| (É é) |ET|\n".encode("latin-1"), (1, 9), "byte 0xC9 is not UTF-8 here"),
        ],
    )
    def test_bytes_that_are_no_text(self, file, content, place, message):
        with pytest.raises(FormatError, match=message) as caught:
            read_svmlight_tk(file(content))
        assert (caught.value.line, caught.value.column) == place

    def test_too_many_features(self, file):
        with pytest.raises(FormatError, match=r"line 2, column 3: feature index 4 is beyond the 3 features"):
            read_svmlight_tk(file("1 3:1\n1 4:1\n"), n_features=3)

    def test_label_of_another_kind(self, file):
        with pytest.raises(FormatError, match=r"line 2, column 1: the label '1.5' is not a whole number"):
            read_svmlight_tk(file("1 1:1\n1.5 1:1\n"), labels="int")
        with pytest.raises(FormatError, match=r"line 1, column 1: the label 'nan' is not a number"):
            read_svmlight_tk(file("nan 1:1\n"), labels="float")

    def test_column_not_asked_for(self, file):
        with pytest.raises(FormatError, match=r"column 19: the column 'vector' is not known: .* 'tree'"):
            read_svmlight_tk(file("1 |BT| (A b) |ET| 1:1\n"), columns=["tree"])

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"errors": "ignore"}, "errors must be 'raise' or 'collect', got 'ignore'"),
            ({"labels": "number"}, "labels must be 'auto', 'int', 'float' or 'word', got 'number'"),
            ({"n_features": 0}, "n_features must be a positive whole number"),
            ({"columns": "tree"}, "columns must be a sequence of names"),
            ({"columns": ("tree", "question")}, "columns must say what 'question' holds"),
            ({"columns": ("tree", "tree")}, "columns holds a name twice"),
        ],
    )
    def test_bad_options(self, file, options, message):
        with pytest.raises(ValueError, match=message):
            read_svmlight_tk(file("1 1:1\n"), **options)

    def test_missing_file(self, tmp_path):
        with pytest.raises(FileNotFoundError):
            read_svmlight_tk(tmp_path / "none.tk")
