"""Sentences in columns, and taxonomies: what is read, what is written, and where broken files are broken."""

from __future__ import annotations

import gzip
import io
import os
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hedgerow import FormatError
from hedgerow.io import columns, iter_columns, read_columns, read_conll, read_taxonomy, write_columns

# Words may hold what str.split() and str.splitlines() take for spaces and ends of lines.
CELLS = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters=" \t\n\v\f\r\x1c\x1d\x1e\x1f"),
    min_size=1,
    max_size=4,
)


class TestReading:
    def test_users_of_the_shared_tasks_find_it(self):
        assert read_conll is read_columns

    def test_sentences_and_documents(self, tmp_path):
        path = tmp_path / "ner.txt"
        path.write_text("-DOCSTART- -X- O O\n\nEU NNP B-ORG\r\nrejects\tVBZ O\n \t\r\n\n\nPeter NNP B-PER")
        assert read_columns(path) == [
            [("EU", "NNP", "B-ORG"), ("rejects", "VBZ", "O")],
            [("Peter", "NNP", "B-PER")],
        ]
        assert read_columns(path, fields=[0, -1])[1] == [("Peter", "B-PER")]

    def test_gzip_byte_order_mark_and_empty(self, tmp_path):
        (tmp_path / "a.gz").write_bytes(gzip.compress(b"\xef\xbb\xbfa b\n"))
        assert read_columns(tmp_path / "a.gz") == [[("a", "b")]]
        (tmp_path / "b").write_text("\n\n")
        assert read_columns(tmp_path / "b") == []

    def test_words_with_odd_spaces_stay_whole(self):
        text = "10\u00a0000 Z\nfoo\u2028bar\x85 N\n"
        assert read_columns(io.BytesIO(text.encode())) == [[("10\u00a0000", "Z"), ("foo\u2028bar\x85", "N")]]

    def test_comments_only_where_asked_for(self):
        text = b"# id 7\n# SYM O\n3 CD O\n\n"
        assert read_columns(io.BytesIO(text), comments="# id") == [[("#", "SYM", "O"), ("3", "CD", "O")]]
        assert read_columns(io.BytesIO(text), comments="#") == [[("3", "CD", "O")]]
        assert len(read_columns(io.BytesIO(text))[0]) == 3  # all have three columns

    def test_errors(self, tmp_path):
        path = tmp_path / "bad.txt"
        path.write_text("a X O\n\nb X\nc X O\n\nd X O\n\ne X O\nf X O O")
        with pytest.raises(FormatError, match=r"bad\.txt, line 3: expected 3 columns .*, found 2"):
            read_columns(path)
        sentences, errors = read_columns(path, errors="collect")
        assert sentences == [[("a", "X", "O")], [("d", "X", "O")]]
        assert [(e.line, e.path) for e in errors] == [(3, str(path)), (9, str(path))]
        with pytest.raises(FormatError, match="line 1: no column 3: there are 3"):
            read_columns(path, fields=[3])
        path.write_bytes(b"a X\n\xe9 Y\n")
        with pytest.raises(FormatError, match="line 2, column 1: byte 0xE9 is not UTF-8 here"):
            read_columns(path)
        path.write_bytes(gzip.compress(b"a X\n" * 9999)[:-20])
        with pytest.raises(FormatError, match=r"bad\.txt: the gzip file is damaged or cut short"):
            read_columns(path)


class TestBatches:
    def test_sizes(self):
        content = b"".join(b"w%d N\n\n" % i for i in range(7))
        batches = list(iter_columns(io.BytesIO(content), 3))
        assert [len(batch) for batch in batches] == [3, 3, 1]
        assert [sentence for batch in batches for sentence in batch] == read_columns(io.BytesIO(content))
        with pytest.raises(ValueError, match="batch_size must be at least 1, got 0"):
            iter_columns("-", 0)

    def test_bad_lines_are_handed_over(self):
        found = []
        content = io.BytesIO(b"a X\n\nb\nc X\n\nd X\n")
        assert list(iter_columns(content, 9, errors=found.append)) == [[[("a", "X")], [("d", "X")]]]
        assert [error.line for error in found] == [3]

    def test_pieces_of_any_size_give_the_same(self, monkeypatch):
        content = "\ufeffé a\r\nb c\n\n\nd ü\n-DOCSTART- x\ne f".encode()
        expected = [[("é", "a"), ("b", "c")], [("d", "ü")], [("e", "f")]]
        for size in range(1, len(content) + 1):
            monkeypatch.setattr(columns, "STREAM_PIECE", size)
            assert read_columns(io.BytesIO(content)) == expected
            with pytest.raises(FormatError, match="line 7, column 4: byte 0xE9 is not UTF-8 here"):
                read_columns(io.BytesIO(content + b"\xe9"))

    def test_a_pipe_gives_batches_as_they_are_full(self):
        source, target = os.pipe()
        met = threading.Event()

        def write():
            with open(target, "wb") as out:
                out.write(b"a X\n\nb X\n\nc")
                out.flush()
                met.wait(10)
                out.write(b" X\n")

        writer = threading.Thread(target=write)
        writer.start()
        with open(source, "rb") as file:
            batches = iter_columns(file, 2)
            assert next(batches) == [[("a", "X")], [("b", "X")]]  # before the rest is there
            met.set()
            assert list(batches) == [[[("c", "X")]]]
        writer.join()


class TestWriting:
    @given(st.integers(1, 3).flatmap(lambda n: st.lists(st.lists(st.tuples(*[CELLS] * n), min_size=1))))
    def test_what_is_written_reads_back(self, tmp_path_factory, sentences):
        path = tmp_path_factory.mktemp("columns") / "a.txt.gz"
        expected = [[token for token in sentence if token[0] != "-DOCSTART-"] for sentence in sentences]
        write_columns(path, expected)
        assert read_columns(path) == expected

    @pytest.mark.parametrize(
        ("sentence", "message"),
        [
            ([("a", "b"), ("c",)], "item 1: expected 2 columns as the first token has"),
            ([("a", "")], "item 1: a column must be a text without spaces, got ''"),
            ([("a", "b c")], "item 1: a column must be a text without spaces, got 'b c'"),
            ([("a", 3)], "item 1: a column must be a text without spaces, got 3"),
            ([], "item 1: a sentence without tokens has no form in columns"),
            ([("-DOCSTART-", "O")], "item 1: no token may begin with -DOCSTART-"),
        ],
    )
    def test_what_could_not_be_read_back_is_refused(self, tmp_path, sentence, message):
        with pytest.raises(FormatError, match=message):
            write_columns(tmp_path / "a", [[("x", "y")], sentence])
        assert list(tmp_path.iterdir()) == []


class TestTaxonomies:
    def test_links(self, tmp_path):
        path = tmp_path / "classes.tsv.gz"
        path.write_bytes(gzip.compress(b"ROOT\tmotor sport\r\n\nmotor sport\tcars\nROOT cars\n"))
        assert read_taxonomy(path) == {"motor sport": ("ROOT",), "cars": ("motor sport", "ROOT")}

    @pytest.mark.parametrize(
        ("line", "message"),
        [
            ("a", "line 2: expected parent and child with a tab between, found 'a'"),
            ("a\tb\tc", "line 2: expected parent and child"),
            ("a\t", "line 2: expected parent and child"),
            ("ROOT\tsport", "line 2: the link from ROOT to sport appears twice"),
        ],
    )
    def test_errors(self, tmp_path, line, message):
        (tmp_path / "bad.tsv").write_text(f"ROOT\tsport\n{line}\n")
        with pytest.raises(FormatError, match=rf"bad\.tsv, {message}"):
            read_taxonomy(tmp_path / "bad.tsv")

    def test_errors_are_collected(self, tmp_path):
        path = tmp_path / "bad.tsv"
        path.write_text("ROOT\ta\nalone\nROOT\ta\nROOT\tb\n")
        parents, errors = read_taxonomy(path, errors="collect")
        assert parents == {"a": ("ROOT",), "b": ("ROOT",)}
        assert [error.line for error in errors] == [2, 3]
        with pytest.raises(ValueError, match="errors must be 'raise' or 'collect', got 'skip'"):
            read_taxonomy(path, errors="skip")


@pytest.mark.shared_data
@pytest.mark.parametrize(
    ("name", "sentences", "tokens"),
    [
        ("conll2000/train", 8936, 211727),
        ("conll2000/test", 2012, 47377),
        ("conll2002_esp/train", 8323, 264715),
        ("conll2002_esp/testa", 1915, 52923),
    ],
)
def test_shared_tasks_have_their_sizes(data_folder, name, sentences, tokens):
    read = read_columns(data_folder / f"{name}.txt.gz")
    assert (len(read), sum(map(len, read))) == (sentences, tokens)
