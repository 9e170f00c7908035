"""Examples of taxonomies, and synthetic pairs of strings."""

from __future__ import annotations

import gzip
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from hedgerow import FormatError
from hedgerow.datasets import (
    load_imageclef07,
    load_imageclef07_taxonomy,
    load_newsgroups,
    load_newsgroups_taxonomy,
    make_string_pairs,
)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "imageclef07").mkdir()
    (tmp_path / "newsgroups20").mkdir()
    (tmp_path / "imageclef07" / "test.libsvm.gz").write_bytes(gzip.compress(b"2/1/3 1:7 3:0.5\n5/0 80:1\n"))
    (tmp_path / "imageclef07" / "hierarchy.tsv").write_text("ROOT\t2\n2\t2/1\n2/1\t2/1/3\n")
    (tmp_path / "newsgroups20" / "hierarchy.tsv").write_text("ROOT\tsci\nsci\tsci.med\tsci.space\n")
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
    with pytest.raises(FormatError, match="expected the 2 columns parent, child, got 3"):
        load_newsgroups_taxonomy(folder)


@pytest.mark.shared_data
def test_reference_data(data_folder):
    parents = load_imageclef07_taxonomy(data_folder)
    leaves = parents.keys() - set(parents.values())
    assert (len(parents), len(leaves)) == (96, 63)
    for subset, n in (("train", 10_000), ("test", 1_006)):
        X, y = load_imageclef07(data_folder, subset)
        assert X.shape == (n, 80)
        assert set(y.tolist()) <= leaves
    groups = load_newsgroups_taxonomy(data_folder)
    assert set(load_newsgroups(data_folder, "test")[1].tolist()) == groups.keys() - set(groups.values())


class TestStringPairs:
    def test_letters_and_lengths(self):
        X, Y = make_string_pairs(2000, random_state=0)
        assert Counter(map(len, X)).keys() == set(range(10, 16))
        assert set("".join(X)) == set("".join(Y)) == set("abcd")
        assert abs(np.mean([set(x) <= set("cd") for x in X]) - 1 / 3) < 0.03

    def test_outputs_are_undisturbed_as_often_as_said(self):
        _, Y = make_string_pairs(6000, random_state=1)
        counts = Counter(Y)
        # Neither insertion nor deletion, or a deletion that undoes one insertion: a little more than 0.55^2.
        for output in ("abad", "abbd", "aabc"):
            assert 0.3 < counts[output] / 2000 < 0.4
        # Two deletions without any insertion, one with one, and so on: lengths from 2 to 6.
        lengths = Counter(map(len, Y))
        assert lengths.keys() == {2, 3, 4, 5, 6}
        assert lengths[2] / 6000 == pytest.approx(0.55 * 0.15, abs=0.01)
        assert lengths[6] / 6000 == pytest.approx(0.55 * 0.15, abs=0.01)

    def test_second_kind_repeats_letters(self):
        X, Y = make_string_pairs(3000, random_state=2)
        # abbd with two insertions or deletions is hard to tell from others; undisturbed it is not.
        repeats = {
            output: np.mean(
                [a == b for x, y in zip(X, Y, strict=True) if y == output for a, b in pairwise(x)]
            )
            for output in ("abad", "abbd", "aabc")
        }
        assert repeats["abad"] == pytest.approx(0.25, abs=0.02)
        assert repeats["abbd"] == pytest.approx(0.7, abs=0.02)
        assert repeats["aabc"] == pytest.approx(0.7, abs=0.02)

    def test_state_decides(self):
        assert make_string_pairs(20, random_state=0) == make_string_pairs(20, random_state=0)
        assert make_string_pairs(20, random_state=0) != make_string_pairs(20, random_state=1)
        assert make_string_pairs(0) == ([], [])
        with pytest.raises(ValueError, match="n_samples must be a whole number at least 0"):
            make_string_pairs(-1)
