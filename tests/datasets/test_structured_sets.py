"""Loaders of sets with structured outputs: what they read, and what they say when files are missing or broken."""

from __future__ import annotations

import gzip

import numpy as np
import pytest

from hedgerow import FormatError
from hedgerow.datasets import load_conll2000, load_conll2002_esp, load_ocr, load_wcfg10

LOADERS = [
    (load_conll2000, "conll2000/train.txt", "lines word tag label"),
    (load_conll2002_esp, "conll2002_esp/train.txt", "lines word tag label"),
    (load_ocr, "ocr/train.tsv", "32 hexadecimal digits"),
    (load_wcfg10, "wcfg10/ewt.train.mrg", "parses in brackets"),
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
        with pytest.raises(FileNotFoundError, match=f"no such data folder; expected {name} in it"):
            load(tmp_path / "nowhere")

    def test_unknown_subset(self, load, name, content, tmp_path):
        with pytest.raises(ValueError, match=r"subset must be one of 'train', .*'test.*', got 'all'"):
            load(tmp_path, "all")


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


def test_ocr(tmp_path):
    image = ["00"] * 16
    image[3] = "a1"
    write(tmp_path, "ocr/train.tsv.gz", f"ab\t{''.join(image)} {'ff' * 16}\nc\t{'00' * 16}\n")
    words, letters = load_ocr(tmp_path)
    assert letters == [["a", "b"], ["c"]]
    assert [word.shape for word in words] == [(2, 128), (1, 128)]
    assert np.flatnonzero(words[0][0]).tolist() == [24, 26, 31]
    assert (words[0][1].all(), words[1].any()) == (True, False)


@pytest.mark.parametrize("images", ["00" * 16, f"{'00' * 16} {'00' * 15}", f"{'00' * 16} {'xy' * 16}", ""])
def test_ocr_says_which_word_is_bad(tmp_path, images):
    write(tmp_path, "ocr/test.tsv", f"a\t{'00' * 16}\nbc\t{images}\n")
    with pytest.raises(
        FormatError, match=r"test\.tsv, line 2: expected 32 hexadecimal digits for each of the 2"
    ):
        load_ocr(tmp_path, "test")


def test_wcfg10(tmp_path):
    write(tmp_path, "wcfg10/ewt.dev.mrg.gz", "(TOP (NP (NN a)))\n(TOP (UH b))\n")
    write(tmp_path, "wcfg10/ptb.test.mrg", "(TOP (NN c))\n")
    assert load_wcfg10(tmp_path, "dev").to_brackets() == ["(TOP (NP (NN a)))", "(TOP (UH b))"]
    assert load_wcfg10(tmp_path, "test", treebank="ptb").to_brackets() == ["(TOP (NN c))"]
    with pytest.raises(ValueError, match="subset must be one of 'train', 'test', got 'dev'"):
        load_wcfg10(tmp_path, "dev", treebank="ptb")
    with pytest.raises(ValueError, match="treebank must be one of 'ewt', 'ptb', got 'wsj'"):
        load_wcfg10(tmp_path, treebank="wsj")


@pytest.mark.shared_data
class TestSharedData:
    def test_columns(self, data_folder):
        for load, subset, size, labels in (
            (load_conll2000, "test", 2012, 19),
            (load_conll2002_esp, "testa", 1915, 9),
        ):
            sentences, tags = load(data_folder, subset)
            assert (len(sentences), len({tag for row in tags for tag in row})) == (size, labels)
            assert all(len(sentence) == len(row) for sentence, row in zip(sentences, tags, strict=True))

    def test_ocr(self, data_folder):
        words, letters = load_ocr(data_folder)
        assert (len(words), letters[0]) == (626, list("ommanding"))
        assert {letter for word in letters for letter in word} == set("abcdefghijklmnopqrstuvwxyz")

    @pytest.mark.parametrize(
        ("treebank", "subset", "size"), [("ewt", "train", 4651), ("ewt", "test", 1150), ("ptb", "train", 359)]
    )
    def test_wcfg10(self, data_folder, treebank, subset, size):
        trees = load_wcfg10(data_folder, subset, treebank=treebank)
        assert len(trees) == size
        assert max(len(tree.leaves()) for tree in trees) == 10
