"""CoNLL column files and treebanks."""

from __future__ import annotations

import gzip

import pytest

from hedgerow import FormatError
from hedgerow.io import read_conll, read_ptb


class TestConll:
    def test_sentences_and_documents(self, tmp_path):
        path = tmp_path / "ner.txt"
        path.write_text("-DOCSTART- -X- O O\n\nEU NNP B-ORG\r\nrejects\tVBZ O\n\n\n\nPeter NNP B-PER")
        assert read_conll(path) == [
            [("EU", "NNP", "B-ORG"), ("rejects", "VBZ", "O")],
            [("Peter", "NNP", "B-PER")],
        ]
        assert read_conll(path, fields=[0, -1])[1] == [("Peter", "B-PER")]

    def test_gzip_and_empty(self, tmp_path):
        (tmp_path / "a.gz").write_bytes(gzip.compress(b"a b\n"))
        assert read_conll(tmp_path / "a.gz") == [[("a", "b")]]
        (tmp_path / "b").write_text("")
        assert read_conll(tmp_path / "b") == []

    def test_errors(self, tmp_path):
        path = tmp_path / "bad.txt"
        path.write_text("a X O\n\nb X\nc X O\n\nd X O\n")
        with pytest.raises(FormatError, match=r"bad\.txt, line 3: expected 3 columns .*, found 2"):
            read_conll(path)
        sentences, errors = read_conll(path, errors="collect")
        assert sentences == [[("a", "X", "O")], [("d", "X", "O")]]
        assert [e.line for e in errors] == [3]
        with pytest.raises(FormatError, match="no column 3: there are 3"):
            read_conll(path, fields=[3])
        path.write_bytes(b"a X\n\xe9 Y\n")
        with pytest.raises(FormatError, match="line 2, column 1: byte 0xE9 is not UTF-8 here"):
            read_conll(path)


class TestPtb:
    def test_folder_in_sorted_order(self, tmp_path):
        (tmp_path / "01").mkdir()
        (tmp_path / "01" / "b.mrg").write_text("( (S (N b)) )\n")
        (tmp_path / "00").mkdir()
        (tmp_path / "00" / "z.mrg.gz").write_bytes(gzip.compress(b"( (S\n    (N a)) )\n( (S (N a2)) )"))
        (tmp_path / "README").write_text("no tree")
        assert read_ptb(tmp_path).to_brackets() == ["(S (N a))", "(S (N a2))", "(S (N b))"]
        assert len(read_ptb(tmp_path / "01" / "b.mrg")) == 1

    def test_errors(self, tmp_path):
        (tmp_path / "a.mrg").write_text("( (S (N a)) )\n( (S (N b) )\n( (S (N c)) )\n")
        with pytest.raises(FormatError, match=r"a\.mrg, line 2"):
            read_ptb(tmp_path)
        forest, errors = read_ptb(tmp_path, errors="collect")
        assert forest.to_brackets() == ["(S (N a))", "(S (N c))"]
        assert [e.line for e in errors] == [2]

    def test_folder_without_treebank(self, tmp_path):
        with pytest.raises(FileNotFoundError, match=r"no \.mrg or \.mrg\.gz file"):
            read_ptb(tmp_path)
