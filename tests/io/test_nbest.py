"""n-best lists of parses, in text and in JSON."""

from __future__ import annotations

import io
import json

import pytest

from hedgerow.data import FormatError
from hedgerow.io import nbest, read_nbest

GOLD = ["(S (NP (NN time)) (VP (VBZ flies)))", "(S (VP (VB go)) (. .))"]
TREES = [
    "(S (VP (VB time) (NP (NNS flies))))",
    GOLD[0],
    GOLD[1],
    "(S (VP (VB go) (. .)))",
    "(S (NP (NN go)) (. .))",
]
SCORES = [-20.1, -20.5, -3.0, -4.0, -5.0]
BRACKETS = [[1, 3, 3], [3, 3, 3], [2, 2, 2], [2, 2, 2], [1, 2, 2]]
LENGTHS = [2, 3]


def as_text(gold=True):
    rows = iter(zip(SCORES, TREES, strict=True))
    lines = []
    for number, length in enumerate(LENGTHS):
        lines.append(f"qid:s{number} {GOLD[number]}" if gold else f"qid:s{number}")
        lines += [f"{score} {tree}" for score, tree in (next(rows) for _ in range(length))]
    return "\n".join(lines) + "\n"


def as_json(*, gold=True, counts=False):
    rows = iter(zip(SCORES, BRACKETS, TREES, strict=True))
    lines = []
    for number, length in enumerate(LENGTHS):
        item = {"id": number, **({"gold": GOLD[number]} if gold else {})}
        some = [next(rows) for _ in range(length)]
        item["cands"] = [[score, *(found if counts else []), tree] for score, found, tree in some]
        lines.append(json.dumps(item))
    return "\n\n".join(lines)


def read(text, **options):
    return read_nbest(io.BytesIO(text.encode()), **options)


@pytest.mark.parametrize(
    "text", [as_text(), as_json(), as_json(counts=True), as_json(gold=False, counts=True)]
)
@pytest.mark.parametrize("at_once", [1, 100])
def test_all_forms_say_the_same(text, at_once, monkeypatch):
    monkeypatch.setattr(nbest, "SENTENCES", at_once)
    lists = read(text)
    assert lists.lengths.tolist() == LENGTHS
    assert lists.base_scores.tolist() == SCORES
    assert lists.brackets.tolist() == BRACKETS
    assert lists.trees.to_brackets() == TREES
    assert len(read(text, limit=1)) == 1


@pytest.mark.parametrize("text", [as_text(gold=False), as_json(gold=False)])
def test_without_truth(text):
    lists = read(text)
    assert lists.base_scores.tolist() == SCORES
    assert lists.brackets is None
    with pytest.raises(FormatError, match=r"line 1: the list has no true tree"):
        list(nbest.iter_nbest(io.BytesIO(text.encode()), graded=True))
    (ungraded,) = nbest.iter_nbest(io.BytesIO(as_text().encode()), graded=False)
    assert ungraded.grades is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("-1 (S (A a))\n", "line 1: expected 'qid:NAME'"),
        ("qid:1\n\n(S (A a))\n", "line 3: expected .*; '' is not a score"),
        ("qid:1\nnan (S (A a))\n", "line 2: expected .*; 'nan' is not a score"),
        ("qid:1\n-1 (S (A a)\n", "line 2: the tree is not closed"),
        ("qid:1 (S (A a)\n-1 (S (A a))\n", "line 1: the tree is not closed"),
        ("qid:1 (S (A a))\nqid:2 (S (A a))\n", "line 1: the list has no candidates"),
        ("qid:1 (S (A a))\n-1 (S (A a) (B b))\n", "line 1: the true trees of .* has 1 words, but .* has 2"),
        ('{"gold": 7, "cands": [[-1, "(S (A a))"]]}', "line 1: expected .*a tree is a text"),
        ('{"gold": "(S (A a))", "cands": [[-1, 2, "(S (A a))"]]}', "line 1: expected .*three whole numbers"),
        ('{"cands": [[-1, 2, 1, 1, "(S (A a))"]]}', "line 1: matched brackets cannot be more"),
        ('{"cands": 5}', "line 1: expected"),
        ("[" * 100000, "line 1: expected"),
        ("", "there is no list"),
    ],
)
def test_what_is_wrong_and_where(text, message):
    with pytest.raises(FormatError, match=message):
        read(text)
