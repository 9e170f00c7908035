"""Images of classes in a taxonomy."""

from __future__ import annotations

import gzip

import pytest

from hedgerow import FormatError
from hedgerow_papers.datasets import load_imageclef07, load_imageclef07_taxonomy


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "imageclef07").mkdir()
    (tmp_path / "imageclef07" / "test.libsvm.gz").write_bytes(gzip.compress(b"2/1/3 1:7 3:0.5\n5/0 80:1\n"))
    (tmp_path / "imageclef07" / "hierarchy.tsv").write_text("ROOT\t2\n2\t2/1\n2/1\t2/1/3\n")
    return tmp_path


def test_images(folder):
    X, y = load_imageclef07(folder, "test")
    assert (X.shape, y.tolist()) == ((2, 80), ["2/1/3", "5/0"])
    assert X[0, 0] == 7
    assert load_imageclef07_taxonomy(folder) == {"2": "ROOT", "2/1": "2", "2/1/3": "2/1"}


def test_missing_and_bad_files(folder):
    with pytest.raises(FileNotFoundError, match="X-ray images"):
        load_imageclef07(folder, "train")
    with pytest.raises(ValueError, match="subset must be one of"):
        load_imageclef07(folder, "dev")
    (folder / "imageclef07" / "hierarchy.tsv").write_text("ROOT\t2\n2\t2/1\t2/1/3\n")
    with pytest.raises(FormatError, match="expected the 2 columns parent, child, got 3"):
        load_imageclef07_taxonomy(folder)


@pytest.mark.shared_data
def test_reference_data(data_folder):
    parents = load_imageclef07_taxonomy(data_folder)
    leaves = parents.keys() - set(parents.values())
    assert (len(parents), len(leaves)) == (96, 63)
    for subset, n in (("train", 10_000), ("test", 1_006)):
        X, y = load_imageclef07(data_folder, subset)
        assert X.shape == (n, 80)
        assert set(y.tolist()) <= leaves
