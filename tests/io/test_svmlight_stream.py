"""Vectors as a stream: what other readers read, whatever the chunks, and values to the last bit."""

from __future__ import annotations

import gzip
import io
import os
import subprocess
import sys
import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.datasets import dump_svmlight_file, load_svmlight_file

from hedgerow import FormatError, _core
from hedgerow.io import iter_svmlight, read_svmlight_tk


def whole(source, chunk_bytes=1 << 20, **options):
    """All chunks together."""
    chunks = list(iter_svmlight(source, chunk_bytes, **options))
    width = max(X.shape[1] for X, *_ in chunks)
    for X, *_ in chunks:
        X.resize(X.shape[0], width)
    return sparse.vstack([X for X, *_ in chunks], format="csr"), *map(
        np.concatenate, zip(*(rest for _, *rest in chunks), strict=True)
    )


def same_matrix(a, b):
    assert a.shape == b.shape
    np.testing.assert_array_equal(a.indptr, b.indptr)
    np.testing.assert_array_equal(a.indices, b.indices)
    np.testing.assert_array_equal(a.data, b.data)


def random_matrix(rows=60, width=200, seed=0):
    X = sparse.random(rows, width, 0.1, "csr", random_state=seed)
    X.data = np.random.default_rng(seed).normal(size=X.nnz) * 10.0 ** np.arange(-5, 5)[np.arange(X.nnz) % 10]
    return X


class TestAgainstScikitLearn:
    @pytest.mark.parametrize("zero_based", [False, True])
    @pytest.mark.parametrize("chunk_bytes", [1, 17, 100, 1000, 1 << 20])
    def test_a_file(self, tmp_path, chunk_bytes, zero_based):
        path, y = tmp_path / "x.svm", np.resize([-1, 1, 3], 60)
        dump_svmlight_file(random_matrix(), y, str(path), zero_based=zero_based, comment="made up")
        expected, labels = load_svmlight_file(str(path), zero_based=zero_based)
        X, found = whole(path, chunk_bytes, zero_based=zero_based)
        same_matrix(X, expected)
        assert found.dtype == np.int64
        assert found.tolist() == labels.tolist()

    def test_queries(self, tmp_path):
        path, queries = tmp_path / "x.svm", np.repeat(np.arange(6), 10)
        dump_svmlight_file(random_matrix(), np.zeros(60), str(path), query_id=queries, zero_based=False)
        expected, _, ids = load_svmlight_file(str(path), query_id=True, zero_based=False)
        X, _, found = whole(path, 100, query_id=True)
        same_matrix(X, expected)
        assert found.tolist() == ids.tolist()

    @pytest.mark.shared_data
    def test_adult(self, data_folder):
        path = data_folder / "a9a" / "train.libsvm.gz"
        X, y = whole(path)
        expected, labels = load_svmlight_file(str(path), n_features=X.shape[1])
        same_matrix(X, expected)
        np.testing.assert_array_equal(y, labels)


def values_read(texts):
    """Through the fast way of reading, which leaves the last line of a text to the other one."""
    reader = _core.SvmlightTkReader()
    text = "".join(f"1 7:{value}\n" for value in texts) + "# " + 20 * "." + "\n"
    reader.read(text.encode(), 0, 1 << 40, True)
    assert reader.errors == []
    (_, _, index, value, _) = reader.take_rows()[3][0]
    assert index.tolist() == [6] * len(texts)
    return value


class TestValues:
    @settings(deadline=None, max_examples=300)
    @given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1))
    def test_floats_as_python_prints_them(self, values):
        found = values_read([repr(value) for value in values])
        assert found.tobytes() == np.array(values).tobytes()

    @settings(deadline=None, max_examples=300)
    @given(
        st.lists(
            st.from_regex(r"[-+]?[0-9]{1,22}(\.[0-9]{0,22})?([eE][-+]?[0-9]{1,2})?", fullmatch=True),
            min_size=1,
        )
    )
    def test_any_decimal_number(self, texts):
        assert values_read(texts).tobytes() == np.array([float(text) for text in texts]).tobytes()

    @settings(deadline=None, max_examples=300)
    @given(st.integers(0, (1 << 53) - 1), st.integers(0, 60))
    def test_halfway_between_two_doubles(self, whole_number, power):
        """The numbers that are hardest to round: m + 1/2 times a power of two, and its neighbours."""
        exact = (2 * whole_number + (1 << 54) + 1) * 5**power  # over 10^power and 2^power
        digits = str(exact)
        texts = []
        for number in (exact - 1, exact, exact + 1):
            digits = str(number).rjust(power + 1, "0")
            texts.append(f"{digits[: len(digits) - power]}.{digits[len(digits) - power :]}")
        assert values_read(texts).tobytes() == np.array([float(text) for text in texts]).tobytes()


class TestSources:
    TEXT = b"spam 1:1 3:0.5\nham 2:1\n\n# a comment\n  spam\t3:2\t9:-1e3 # and another\r\nham\n"
    ROWS = ((0, 0, 1.0), (0, 2, 0.5), (1, 1, 1.0), (2, 2, 2.0), (2, 8, -1000.0))

    def check(self, source):
        X, y = whole(source)
        assert y.tolist() == ["spam", "ham", "spam", "ham"]
        coo = X.tocoo()
        assert tuple(zip(coo.row.tolist(), coo.col.tolist(), coo.data.tolist(), strict=True)) == self.ROWS
        assert X.shape == (4, 9)

    def test_a_path(self, tmp_path):
        (tmp_path / "x").write_bytes(self.TEXT)
        self.check(tmp_path / "x")
        self.check(str(tmp_path / "x"))

    def test_gzip(self, tmp_path):
        (tmp_path / "x").write_bytes(gzip.compress(self.TEXT))
        self.check(tmp_path / "x")
        (tmp_path / "x").write_bytes(gzip.compress(os.urandom(1000) + self.TEXT)[:-9])
        with pytest.raises(FormatError, match="damaged or cut short"):
            whole(tmp_path / "x")

    def test_an_open_file_stays_open(self, tmp_path):
        file = io.BytesIO(self.TEXT)
        self.check(file)
        assert not file.closed
        (tmp_path / "x").write_bytes(self.TEXT)
        with open(tmp_path / "x", "rb") as file:
            self.check(file)
            assert not file.closed

    def test_standard_input(self):
        program = (
            "import hedgerow.io as io\nfor X, y in io.iter_svmlight('-'):\n    print(X.shape, y.tolist())\n"
        )
        result = subprocess.run([sys.executable, "-c", program], input=self.TEXT, stdout=subprocess.PIPE)
        assert result.stdout.decode() == "(4, 9) ['spam', 'ham', 'spam', 'ham']\n"

    def test_a_pipe_gives_lines_as_they_arrive(self):
        """Without waiting for a chunk to be full, or for the end."""
        out, into = os.pipe()
        with open(out, "rb") as source, open(into, "wb", buffering=0) as sink:
            chunks = iter_svmlight(source)
            for label in (1, 2, 3):
                sink.write(b"%d 1:1\n4 1:" % label)
                _, y = next(chunks)
                assert y.tolist() == ([label] if label == 1 else [4, label])
                sink.write(b"2\n")
            threading.Thread(target=sink.close).start()
            assert [y.tolist() for _, y in chunks] == [[4]]


class TestLayout:
    def test_width_grows_unless_given(self):
        text = b"1 2:1\n1 5:1\n1 1:1\n"
        assert [X.shape for X, _ in iter_svmlight(io.BytesIO(text), 6)] == [(1, 2), (1, 5), (1, 5)]
        assert {X.shape for X, _ in iter_svmlight(io.BytesIO(text), 6, n_features=7)} == {(1, 7)}

    def test_nothing(self):
        assert list(iter_svmlight(io.BytesIO(b""))) == []
        assert list(iter_svmlight(io.BytesIO(b"\n# nothing\n"))) == []

    def test_labels_alone_are_rows_of_zeros(self):
        X, y = whole(io.BytesIO(b"1\n2\n"))
        assert (X.shape, X.nnz, y.tolist()) == ((2, 0), 0, [1, 2])

    def test_the_first_chunk_settles_what_labels_are(self):
        chunks = iter_svmlight(io.BytesIO(b"1 1:1\nx 1:1\n"), 6)
        next(chunks)
        with pytest.raises(FormatError, match=r"the file, line 2, column 1: .*'x' is not a whole number"):
            next(chunks)
        chunks = iter_svmlight(io.BytesIO(b"1 1:1\nx 1:1\n"), 6, labels="word")
        assert [y.tolist() for _, y in chunks] == [["1"], ["x"]]

    def test_highest_index(self):
        X, _ = whole(io.BytesIO(b"1 2147483647:1\n" + 30 * b"#" + b"\n"))
        assert X.indices.tolist() == [(1 << 31) - 2]


BAD_LINES = [
    ("1 1:1 0:2", 7, "feature index 0: indices start at 1"),
    ("1 3:1 2:1", 7, "feature index 2 follows 3: indices must increase"),
    ("1 3:1 3:1", 7, "feature index 3 follows 3: indices must increase"),
    ("1 1:x", 5, "expected a number as the value of feature 1, found 'x'"),
    ("1 1:", 5, "expected a number as the value of feature 1"),
    ("1 1:1.5x", 5, "expected a number as the value of feature 1, found '1.5x'"),
    ("1 1:nan", 5, "the value of feature 1 is not finite"),
    ("1 1:1e999", 5, "the value of feature 1 is out of range"),
    ("1 2147483648:1", 3, "feature index 2147483648 is above 2147483647"),
    ("1 99999999999999999999:1", 3, "expected a feature"),
    ("1 a:1", 3, "expected a feature index:value"),
    ("1 5", 3, "expected a feature index:value"),
    ("1:1 2:1", 1, "the label is missing"),
    ("1 |BT| (S a) |ET|", 3, "the column 'tree' is not known: lines of iter_svmlight are vectors"),
    ("1 1:1 # \xff", 9, "byte 0xFF is not UTF-8 here"),
]


@pytest.mark.parametrize(("line", "column", "message"), BAD_LINES)
@pytest.mark.parametrize("behind", ["", "\n", "\r\n-1 1:1 2:2 3:3 4:4\n"])
def test_bad_lines(line, column, message, behind):
    """On their own, and with lines before and behind them; the place is named."""
    text = ("1 1:1 2:0.5\n\n" + line + behind).encode("latin-1")
    with pytest.raises(FormatError) as raised:
        list(iter_svmlight(io.BytesIO(text)))
    assert (raised.value.line, raised.value.column) == (3, column)
    assert message in raised.value.message
    found: list[FormatError] = []
    (_, y) = whole(io.BytesIO(text), errors=found.append)
    assert y.tolist() == ([1, -1] if len(behind) > 2 else [1])
    assert [(error.line, error.column) for error in found] == [(3, column)]


def test_bad_options():
    with pytest.raises(ValueError, match="chunk_bytes must be at least 1, got 0"):
        iter_svmlight(io.BytesIO(b""), 0)
    with pytest.raises(ValueError, match="n_features must be"):
        iter_svmlight(io.BytesIO(b""), n_features=0)
    with pytest.raises(FormatError, match="beyond the 2 features asked for"):
        whole(io.BytesIO(b"1 3:1\n" + 30 * b" "), n_features=2)


WORDS = [
    "1", "-1", "x", "1:1", "2:0.5", "3:-2.25", "4:1e5", "5:0.1234567", "6:12345678.5", "12345678:1", "#", "\n",
    "\n", "\r\n", "\t", "2:", ":", "7:1#", "8:+3", "0:1", "9:nan", "qid:3", "1.", "3:1.", "3:.5", "|", "é",
]  # fmt: skip


@settings(deadline=None, max_examples=500)
@given(st.lists(st.sampled_from(WORDS)), st.sampled_from([" ", "", "  "]), st.integers(1, 50), st.booleans())
def test_any_text_reads_the_same_fast_and_thoroughly(words, blank, chunk_bytes, zero_based):
    """A line without slack behind it is read by the thorough reader; one byte at a time, all are."""
    text = blank.join(words).encode()
    results = []
    for size in (1, chunk_bytes, 1 << 20):
        found: list[FormatError] = []
        options = {"errors": found.append, "zero_based": zero_based, "labels": "word", "query_id": True}
        rows = [
            (label, query, X[i].indices.tolist(), X[i].data.tolist())
            for X, y, queries in iter_svmlight(io.BytesIO(text + 20 * b"\n"), size, **options)
            for i, (label, query) in enumerate(zip(y.tolist(), queries.tolist(), strict=True))
        ]
        results.append((rows, [str(error) for error in found]))
    assert results[0] == results[1] == results[2]


@settings(deadline=None, max_examples=50)
@given(st.integers(0, 10**6), st.integers(1, 2000))
def test_round_trip(tmp_path_factory, seed, chunk_bytes):
    path = tmp_path_factory.getbasetemp() / "round.svm"
    X = random_matrix(20, 50, seed)
    path.write_text(
        "".join(
            f"{i} {' '.join(f'{j + 1}:{v!r}' for j, v in zip(r.indices, r.data.tolist(), strict=True))}\n"
            for i, r in enumerate(X[k] for k in range(20))
        )
    )
    again, y = whole(path, chunk_bytes, n_features=50)
    same_matrix(again, X)
    assert y.tolist() == list(range(20))
    same_matrix(again, read_svmlight_tk(path, n_features=50)[0])
