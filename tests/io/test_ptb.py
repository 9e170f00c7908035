"""Treebanks."""

from __future__ import annotations

import gzip

import pytest

from hedgerow import FormatError
from hedgerow.io import read_ptb


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
