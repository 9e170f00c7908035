"""Loaders of texts and of the small UCI sets: what they read, how they encode it, what they complain about."""

from __future__ import annotations

import gzip
from collections import Counter

import numpy as np
import pytest

from hedgerow import FormatError
from hedgerow_papers.datasets import (
    load_breast_cancer_wisconsin,
    load_credit,
    load_enron_spam,
    load_house_votes,
    load_internet_ads,
    load_movie_reviews,
    load_nursery,
    load_reuters,
    load_sms_spam,
)

FILES = {
    load_movie_reviews: "movie_reviews/all.tsv",
    load_enron_spam: "enron_spam/enron1.tsv",
    load_sms_spam: "sms_spam/all.tsv",
    load_reuters: "reuters21578/train.tsv",
    load_house_votes: "uci/house_votes_84.csv",
    load_credit: "uci/crx.csv",
    load_breast_cancer_wisconsin: "uci/breast_cancer_wisconsin.csv",
    load_nursery: "uci/nursery.csv",
    load_internet_ads: "uci/internet_ads_partial.libsvm",
}
TABLES = {load: name for load, name in FILES.items() if load is not load_internet_ads}


def write(folder, name, text):
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())


@pytest.mark.parametrize(("load", "name"), FILES.items(), ids=lambda value: getattr(value, "__name__", ""))
def test_missing_file(load, name, tmp_path):
    with pytest.raises(FileNotFoundError, match=r"no such file, plain or with \.gz") as caught:
        load(tmp_path)
    assert caught.value.filename == str(tmp_path / name)


@pytest.mark.parametrize(("load", "name"), TABLES.items(), ids=lambda value: getattr(value, "__name__", ""))
def test_wrong_number_of_columns(load, name, tmp_path):
    write(tmp_path, name, "\nonly one column\n")
    with pytest.raises(FormatError, match=r"line 2: expected the \d+ columns \w+.*, got 1"):
        load(tmp_path)


@pytest.mark.parametrize("load", [load_reuters])
def test_unknown_subset(load, tmp_path):
    with pytest.raises(ValueError, match="subset must be one of 'train', 'test', got 'dev'"):
        load(tmp_path, "dev")


class TestTexts:
    def test_line_separators_inside_a_text(self, tmp_path):
        write(tmp_path, "sms_spam/all.tsv.gz", "ham\tone\u2028line\x85here\r\nspam\tanother\n")
        texts, y = load_sms_spam(tmp_path)
        assert texts == ["one\u2028line\x85here", "another"]
        assert y.tolist() == ["ham", "spam"]

    def test_enron_parts(self, tmp_path):
        write(tmp_path, "enron_spam/enron6.tsv", "ham\tfile\ttext\n")
        assert load_enron_spam(tmp_path, 6)[0] == ["text"]
        with pytest.raises(ValueError, match="part must be a whole number at least 1 and at most 6, got 7"):
            load_enron_spam(tmp_path, 7)


class TestUci:
    def test_votes_that_are_not_yes_count_as_no(self, tmp_path):
        write(tmp_path, "uci/house_votes_84.csv.gz", "republican" + ",?,y,n" * 5 + ",y\n")
        X, y = load_house_votes(tmp_path)
        np.testing.assert_array_equal(X.toarray(), [[0, 1, 0] * 5 + [1]])
        assert y.tolist() == ["republican"]

    def test_credit(self, tmp_path):
        lines = [
            "b,30.83,0,u,g,w,v,1.25,t,t,01,f,g,00202,0,+",
            "a,20,4.5,u,g,w,v,0,t,f,0,f,g,0,560,-",
            "a,20,4.5,?,g,w,v,0,t,f,0,f,g,0,560,-",
        ]
        write(tmp_path, "uci/crx.csv", "\n".join(lines))
        X, y = load_credit(tmp_path)
        # Two values of A1 and A10, one of the other nominal ones, then six numbers.
        np.testing.assert_array_equal(
            X.toarray(),
            [
                [0, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 30.83, 0, 1.25, 1, 202, 0],
                [1, 0, 1, 1, 1, 1, 1, 1, 0, 1, 1, 20, 4.5, 0, 0, 0, 560],
            ],
        )
        assert y.tolist() == ["+", "-"]
        write(tmp_path, "uci/crx.csv", lines[0].replace("30.83", "old"))
        with pytest.raises(FormatError, match=r"A2, A3, A8, A11, A14, A15 must be numbers: .*'old'"):
            load_credit(tmp_path)

    def test_breast_cancer_class(self, tmp_path):
        write(tmp_path, "uci/breast_cancer_wisconsin.csv", "1,5,1,1,1,2,1,3,1,1,3\n")
        with pytest.raises(FormatError, match="the class must be 2 or 4, got '3'"):
            load_breast_cancer_wisconsin(tmp_path)


@pytest.mark.shared_data
class TestSharedData:
    @pytest.mark.parametrize(
        ("load", "counts"),
        [
            (load_movie_reviews, {"neg": 1000, "pos": 1000}),
            (load_enron_spam, {"ham": 3672, "spam": 1500}),
            (load_sms_spam, {"ham": 4827, "spam": 747}),
        ],
    )
    def test_texts(self, data_folder, load, counts):
        texts, y = load(data_folder)
        assert len(texts) == len(y)
        assert Counter(y.tolist()) == counts

    def test_reuters(self, data_folder):
        parts = [load_reuters(data_folder, subset) for subset in ("train", "test")]
        assert [len(texts) for texts, _ in parts] == [9603, 3299]
        assert [sum(map(bool, topics)) for _, topics in parts] == [7775, 3019]
        assert [sum("earn" in topic for topic in topics) for _, topics in parts] == [2877, 1087]

    @pytest.mark.parametrize(
        ("load", "shape", "counts"),
        [
            (load_house_votes, (435, 16), {"democrat": 267, "republican": 168}),
            (load_credit, (653, 46), {"+": 296, "-": 357}),
            (load_breast_cancer_wisconsin, (683, 89), {"benign": 444, "malignant": 239}),
            (load_internet_ads, (998, 1558), {1: 459, -1: 539}),
        ],
    )
    def test_uci(self, data_folder, load, shape, counts):
        """The numbers of examples and features are those that the paper gives, but for the advertisements."""
        X, y = load(data_folder)
        assert X.shape == shape
        assert Counter(y.tolist()) == counts

    def test_nursery(self, data_folder):
        X, y = load_nursery(data_folder)
        assert X.shape == (12960, 27)
        assert np.sum(y == "priority") == 4266
