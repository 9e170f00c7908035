"""Loaders of sets with structured outputs: what they read, and what they say when files are missing or broken."""

from __future__ import annotations

import pytest

from hedgerow import FormatError
from hedgerow.datasets import load_conll2000, load_conll2002_esp
from tests.datasets.test_loaders import write


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
    def test_columns(self, data_folder):
        for load, subset, size, labels in (
            (load_conll2000, "test", 2012, 19),
            (load_conll2002_esp, "testa", 1915, 9),
        ):
            sentences, tags = load(data_folder, subset)
            assert (len(sentences), len({tag for row in tags for tag in row})) == (size, labels)
            assert all(len(sentence) == len(row) for sentence, row in zip(sentences, tags, strict=True))
