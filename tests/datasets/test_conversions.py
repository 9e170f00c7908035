"""Originals as they are published, in little, and what the loaders make of the result."""

from __future__ import annotations

import io
import tarfile
import zipfile

import pytest

from hedgerow.datasets import conversions as made
from hedgerow_papers.datasets import load_newsgroups, load_newsgroups_taxonomy, load_question_types


def zipped(**files):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "/"), content)
    return out.getvalue()


def tarred(files):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return out.getvalue()


@pytest.fixture
def put(tmp_path):
    def put(name, content):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
        return tmp_path

    return put


def test_stripped_lines():
    assert made.stripped_lines(b"head\r\na,b \r\n\r\na,b\r\nc\n", skip=1) == b"a,b\na,b\nc\n"
    assert made.stripped_lines(b"a \nb\na\n", unique=True) == b"a\nb\n"


def test_zip_member():
    assert made.zip_member(zipped(x__train="a b c\n\n\n"), member="x/train") == b"a b c\n"


def test_labelled_trees(put):
    archive = zipped(qc__test="NUM:dist How far ?\nHUM:ind Who ?\n".encode("latin-1"))
    trees = b"(ROOT\n  (X (WRB How)\n (RB far)))\n\n(ROOT (X (WP Who)))\n\n"
    content = made.labelled_trees(archive, trees, member="qc/test")
    assert content.decode().splitlines()[0] == "NUM:dist |BT| (ROOT (X (WRB How) (RB far))) |ET|"
    forest, y = load_question_types(put("qc/test.ct.tk", content), "test")
    assert (len(forest), y.tolist()) == (2, ["NUM", "HUM"])
    with pytest.raises(ValueError, match="2 labels and 1 parses"):
        made.labelled_trees(archive, b"(ROOT a)", member="qc/test")


def test_newsgroups(put):
    archive = tarred(
        {
            "by/sci.med/100": b"From: me\nSubject: x\n\nI have\n\na cold.",
            "by/sci.med/99": b"From: you\r\n\r\nAh.",
            "by/alt.x-y/1": b"From: me",
            "by/.DS_Store": b"",
        }
    )
    content = made.newsgroup_posts(archive, folder="by")
    assert content.decode().splitlines() == [
        "alt.x-y\t1\tFrom: me\t",
        "sci.med\t99\tFrom: you\tAh.",
        "sci.med\t100\tFrom: me Subject: x\tI have a cold.",
    ]
    folder = put("newsgroups20/train.tsv", content)
    put("newsgroups20/hierarchy.tsv", made.newsgroup_tree(archive, folder="by"))
    assert load_newsgroups(folder)[1].tolist() == ["alt.x-y", "sci.med", "sci.med"]
    assert load_newsgroups_taxonomy(folder) == {
        "alt": "ROOT",
        "alt.x-y": "alt",
        "sci": "ROOT",
        "sci.med": "sci",
    }
