"""Loaders of data in a local folder: what they read, and what they say when files are missing."""

from __future__ import annotations

import gzip

import numpy as np
import pytest

from hedgerow import FormatError
from hedgerow_papers.datasets import (
    load_adult,
    load_conll2000,
    load_conll2002_esp,
    load_newsgroups,
    load_newsgroups_taxonomy,
    load_question_types,
)

LOADERS = [
    (load_adult, "a9a/train.libsvm", "LIBSVM"),
    (load_question_types, "qc/train.ct.tk", "COARSE:fine"),
    (load_newsgroups, "newsgroups20/train.tsv", "posts"),
    (load_conll2000, "conll2000/train.txt", "lines word tag label"),
    (load_conll2002_esp, "conll2002_esp/train.txt", "lines word tag label"),
]


def write(folder, name, text):
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())


@pytest.mark.parametrize(("load", "name", "content"), LOADERS)
class TestFailures:
    def test_missing_file(self, load, name, content, tmp_path):
        with pytest.raises(FileNotFoundError, match=content) as caught:
            load(tmp_path)
        assert caught.value.filename == str(tmp_path / name)

    def test_missing_folder(self, load, name, content, tmp_path):
        with pytest.raises(FileNotFoundError, match=f"no such data folder; expected {name} in it") as caught:
            load(tmp_path / "nowhere")
        assert caught.value.filename == str(tmp_path / "nowhere")

    def test_unknown_subset(self, load, name, content, tmp_path):
        with pytest.raises(ValueError, match=r"subset must be one of 'train', .*'test.*', got 'all'"):
            load(tmp_path, "all")


@pytest.mark.parametrize("ending", ["", ".gz"])
def test_adult_has_all_columns_in_both_subsets(tmp_path, ending):
    write(tmp_path, f"a9a/train.libsvm{ending}", "-1 3:1 11:1\n+1 123:1\n")
    write(tmp_path, f"a9a/test.libsvm{ending}", "+1 1:1\n")
    X, y = load_adult(tmp_path)
    np.testing.assert_array_equal(X.nonzero(), [[0, 0, 1], [2, 10, 122]])
    assert y.tolist() == [-1, 1]
    assert load_adult(tmp_path, "test")[0].shape == (1, 123)


def test_question_types(tmp_path):
    write(tmp_path, "qc/train.ct.tk.gz", "DESC:manner |BT| (S how) |ET|\nABBR:exp |BT| (S what) |ET|\n")
    write(tmp_path, "qc/train.lct.tk", "DESC:manner |BT| (how S) |ET|\nABBR:exp |BT| (what S) |ET|\n")
    trees, y = load_question_types(tmp_path)
    assert (trees.to_brackets(), y.tolist()) == (["(S how)", "(S what)"], ["DESC", "ABBR"])
    trees, y = load_question_types(tmp_path, labels="fine", trees="lct")
    assert (trees.to_brackets(), y.tolist()) == (["(how S)", "(what S)"], ["DESC:manner", "ABBR:exp"])
    with pytest.raises(ValueError, match="labels must be one of 'coarse', 'fine', got 'all'"):
        load_question_types(tmp_path, labels="all")
    with pytest.raises(ValueError, match="trees must be one of 'constituency', 'grct', 'lct', got 'ct'"):
        load_question_types(tmp_path, trees="ct")


def test_question_without_a_fine_label(tmp_path):
    write(tmp_path, "qc/test.ct.tk", "DESC:manner |BT| (S how) |ET|\nDESC |BT| (S what) |ET|\n")
    with pytest.raises(FormatError, match="item 1: the label DESC is not of the form COARSE:fine"):
        load_question_types(tmp_path, "test")


def test_newsgroups(tmp_path):
    with pytest.raises(ValueError, match="text must be one of 'body', 'all', got 'header'"):
        load_newsgroups(tmp_path, text="header")
    write(tmp_path, "newsgroups20/train.tsv", "\nonly one column\n")
    with pytest.raises(FormatError, match=r"line 2: expected the \d+ columns \w+.*, got 1"):
        load_newsgroups(tmp_path)
    write(tmp_path, "newsgroups20/hierarchy.tsv", "ROOT\tsci\nsci\tsci.med\tsci.space\n")
    with pytest.raises(FormatError, match="expected the 2 columns parent, child, got 3"):
        load_newsgroups_taxonomy(tmp_path)


@pytest.mark.parametrize("ending", ["", ".gz"])
@pytest.mark.parametrize(
    ("load", "name"), [(load_conll2000, "conll2000"), (load_conll2002_esp, "conll2002_esp")]
)
def test_columns(tmp_path, load, name, ending):
    write(tmp_path, f"{name}/train.txt{ending}", "Ana NP B-PER\nva V O\n\nSi C O\n")
    assert load(tmp_path) == ([[("Ana", "NP"), ("va", "V")], [("Si", "C")]], [["B-PER", "O"], ["O"]])


def test_other_columns_are_refused(tmp_path):
    write(tmp_path, "conll2000/test.txt", "Ana B-PER\n")
    with pytest.raises(FormatError, match=r"test\.txt: expected the 3 columns word, tag and label, found 2"):
        load_conll2000(tmp_path, "test")


@pytest.mark.shared_data
class TestSharedData:
    @pytest.mark.parametrize(("subset", "size", "positive"), [("train", 32561, 7841), ("test", 16281, 3846)])
    def test_adult(self, data_folder, subset, size, positive):
        X, y = load_adult(data_folder, subset)
        assert (X.shape, int(np.sum(y == 1))) == ((size, 123), positive)

    def test_question_types(self, data_folder):
        coarse = load_question_types(data_folder, "test")[1]
        assert dict(zip(*np.unique(coarse, return_counts=True), strict=True)) == {
            "ABBR": 9,
            "DESC": 138,
            "ENTY": 94,
            "HUM": 65,
            "LOC": 81,
            "NUM": 113,
        }
        for trees in ("constituency", "grct", "lct"):
            forest, fine = load_question_types(data_folder, labels="fine", trees=trees)
            assert (len(forest), len(fine), len(set(fine))) == (4795, 4795, 50)

    def test_newsgroups(self, data_folder):
        texts, y = load_newsgroups(data_folder, "test")
        assert (len(texts), len(set(y.tolist()))) == (7532, 20)
        groups = load_newsgroups_taxonomy(data_folder)
        assert set(y.tolist()) == groups.keys() - set(groups.values())

    def test_columns(self, data_folder):
        for load, subset, size, labels in (
            (load_conll2000, "test", 2012, 19),
            (load_conll2002_esp, "testa", 1915, 9),
        ):
            sentences, tags = load(data_folder, subset)
            assert (len(sentences), len({tag for row in tags for tag in row})) == (size, labels)
            assert all(len(sentence) == len(row) for sentence, row in zip(sentences, tags, strict=True))
