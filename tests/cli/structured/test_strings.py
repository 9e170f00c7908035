"""``--problem string-mapping``: pairs of strings."""

from __future__ import annotations

import json

import pytest

from hedgerow.kernels import Spectrum
from hedgerow.structured import StringMapping, StructuredSVM

VERBS = [("walk", "walked"), ("talk", "talked"), ("jump", "jumped"), ("sing", "sang"), ("ring", "rang")]


@pytest.fixture(autouse=True)
def verbs(folder):
    (folder / "verbs.tsv").write_text("".join(f"{verb}\t{past}\n" for verb, past in VERBS))
    (folder / "new.txt").write_text("chalk\nbring\n")


@pytest.mark.parametrize(
    ("options", "parameters"),
    [
        ((), {}),
        (("--loss", "edit"), {"loss": "edit"}),
        (("--kernel", "spectrum", "--k", 2), {"input_kernel": Spectrum(2), "output_kernel": Spectrum(2)}),
    ],
)
def test_the_same_as_from_python(hedgerow_command, options, parameters):
    out = hedgerow_command.good(
        "train", "verbs.tsv", "-o", "a.model", "--problem", "string-mapping", "-C", 10, *options
    )
    assert out.startswith("5 pairs, ")
    model = StructuredSVM(StringMapping(**parameters), C=10).fit(*zip(*VERBS, strict=True))
    expected = model.predict(["chalk", "bring"])
    assert hedgerow_command.good("predict", "a.model", "new.txt").split() == list(expected)
    assert hedgerow_command.good("predict", "a.model", "verbs.tsv").split() == model.predict(
        [verb for verb, _ in VERBS]
    )
    figures = json.loads(hedgerow_command.good("evaluate", "a.model", "verbs.tsv", "--json"))
    assert (figures["examples"], figures["accuracy"]) == (5, 1.0)
    assert hedgerow_command.good("evaluate", "a.model", "verbs.tsv") == "5 pairs, accuracy 1.0000\n"


def test_words(hedgerow_command, folder):
    (folder / "words.tsv").write_text("good day\tguten tag\ngood night\tgute nacht\nnight\tnacht\n")
    options = ("--problem", "string-mapping", "--tokens", "--kernel", "spectrum", "--k", 1)
    hedgerow_command.good("train", "words.tsv", "-o", "a.model", *options)
    assert hedgerow_command.good("predict", "a.model", "-", stdin=b"good night\n") == "gute nacht\n"


def test_failures(hedgerow_command, folder):
    (folder / "bad.tsv").write_text("walk\twalked\n\ntalk\n")
    command = ("train", "bad.tsv", "-o", "a.model", "--problem", "string-mapping")
    text = "bad.tsv, line 3: expected an input and an output with a tab between, found 1 columns"
    assert hedgerow_command.sentence(*command) == text
    hedgerow_command.good("train", "verbs.tsv", "-o", "a.model", "--problem", "string-mapping")
    assert hedgerow_command.sentence("evaluate", "a.model", "new.txt").startswith("new.txt, line 1: expected")
    text = hedgerow_command.sentence("predict", "a.model", "new.txt", "--format", "text", code=2)
    assert "pairs of strings have no other form" in text
