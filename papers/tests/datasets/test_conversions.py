"""Originals as they are published, in little, and what the loaders make of the result."""

from __future__ import annotations

import pytest

from hedgerow_papers.datasets import conversions as made
from hedgerow_papers.datasets import (
    load_enron_spam,
    load_imageclef07,
    load_imageclef07_taxonomy,
    load_internet_ads,
    load_reuters,
)
from tests.datasets.test_conversions import put, tarred, zipped

__all__ = ["put"]


def test_labelled_lines():
    assert made.labelled_lines(b"ham\tOk  lar \nspam\tFree\tentry\n") == b"ham\tOk lar\nspam\tFree entry\n"


def test_advertisements(put):
    lines = made.sparse_advertisements(b"height,width,x,class\n 125, ?,1,ad.\n0,0,0,nonad.\n0,1.5,0,nonad.\n")
    assert lines == b"+1 1:125 3:1\n-1 \n-1 2:1.5\n"
    X, y = load_internet_ads(put("uci/internet_ads_partial.libsvm", lines))
    assert (X.nnz, y.tolist()) == (3, [1, -1, -1])


def test_labelled_reviews():
    archive = zipped(
        **{"m__pos__cv1_2.txt": "a film .\nto see . \n", "m__neg__cv0_1.txt": "no .", "m__README": "x"}
    )
    assert made.labelled_reviews(archive, folder="m") == b"neg\tcv0_1\tno .\npos\tcv1_2\ta film . to see .\n"


def test_labelled_mail(put):
    archive = tarred(
        {
            "enron1/spam/2.txt": b"Subject: win\r\nnow\x01!",
            "enron1/ham/1.a.txt": "Subject: caf\xe9".encode("latin-1"),
            "enron1/Summary.txt": b"x",
        }
    )
    content = made.labelled_mail(archive, folder="enron1")
    assert content.decode() == "ham\t1.a\tSubject: café\nspam\t2\tSubject: win now !\n"
    texts, y = load_enron_spam(put("enron_spam/enron1.tsv", content), 1)
    assert (len(texts), y.tolist()) == (2, ["ham", "spam"])


def test_arff(put):
    text = b"@RELATION r\n@ATTRIBUTE a NUMERIC\n@ATTRIBUTE class hierarchical 2,2/1,2/1/3\n@DATA\n7,0,1,2@2/1@2/1/3\n"
    folder = put("imageclef07/train.libsvm", made.hierarchical_arff(text))
    put("imageclef07/hierarchy.tsv", made.arff_tree(text))
    X, y = load_imageclef07(folder)
    assert (X.nnz, y.tolist()) == (2, ["2/1/3"])
    assert load_imageclef07_taxonomy(folder) == {"2": "ROOT", "2/1": "2", "2/1/3": "2/1"}
    with pytest.raises(ValueError, match="class hierarchical"):
        made.arff_tree(b"@DATA\n")


def test_reuters(put):
    def story(split, topics, number, text, marked="YES"):
        head = f'<REUTERS TOPICS="{marked}" LEWISSPLIT="{split}" NEWID="{number}">'
        return f"{head}\n<TOPICS>{topics}</TOPICS><TEXT>{text}</TEXT></REUTERS>"

    whole = "<TITLE>A &lt;B></TITLE><DATELINE>here</DATELINE><BODY>Wheat&#127;rose.\n Reuter\n&#3;</BODY>"
    first = story("TRAIN", "<D>grain</D><D>wheat</D>", 12, whole) + story("TEST", "", 3, "x")
    second = story("TRAIN", "", 5, "***<TITLE>T</TITLE>Blah.") + story("TRAIN", "", 6, "x", marked="NO")
    content = made.reuters_stories(first.encode(), second.encode(), split="TRAIN")
    assert content.decode().splitlines() == ["5\t-\tT\t*** Blah.", "12\tgrain,wheat\tA <B>\tWheat rose."]
    assert load_reuters(put("reuters21578/train.tsv", content))[1] == [(), ("grain", "wheat")]
