"""Explanations of structured outputs name those that score next best."""

from __future__ import annotations

import json

import pytest

from hedgerow.inspection import explain
from hedgerow.report import Report
from hedgerow.structured import GrammarSVC, MulticlassSVC, SequenceSVC

SENTENCES, TAGS = [["the", "cat", "sat"], ["a", "dog", "ran"]], [["D", "N", "V"], ["D", "N", "V"]]
TREES = [
    "(S (NP (D a) (N c)) (VP (V d)))",
    "(S (NP (N c)) (VP (V d) (NP (N a))))",
    "(S (NP (NP (N c)) (NP (N a))) (VP (V d)))",
]


def check(model, X, explained):
    for i, one in enumerate(explained):
        (best, *others) = model.predict_k(X[i : i + 1], 3)[0]
        assert one.predicted == best[0]
        assert [next_best.output for next_best in one.next_best] == [output for output, _ in others]
        for next_best, (_, score) in zip(one.next_best, others, strict=True):
            assert next_best.behind == pytest.approx(best[1] - score)
            assert next_best.behind >= 0


def test_sequences():
    model = SequenceSVC(random_state=0).fit(SENTENCES, TAGS)
    X = [["the", "dog"], ["a", "cat", "ran"]]
    explained = explain(model, X, 3)
    check(model, X, explained)
    for one, margins in zip(explained, model.token_margins(X), strict=True):
        assert one.margins == tuple(margins)
        found = json.loads(json.dumps(one.to_dict(), allow_nan=False))
        assert [token["margin"] for token in found["tokens"]] == margins.tolist()
        assert found["next_best"][0] == {
            "predicted": one.next_best[0].output,
            "behind": one.next_best[0].behind,
        }
        assert str(one).splitlines()[0].endswith(f"above {' '.join(one.next_best[0].output)}")
        assert len(one.only(["N"]).margins) == len(one.only(["N"]).accounts)


def test_a_single_label(tmp_path):
    model = SequenceSVC(random_state=0, classes=["D", "N"]).fit([["a"]], [["D"]])
    (one,) = explain(model, [["a"]], 3)
    assert len(one.next_best) == 1
    json.dumps(one.to_dict(), allow_nan=False)
    page = Report("page")
    page.add(one)
    page.write(tmp_path / "page.html")
    assert "Next best" in (tmp_path / "page.html").read_text()


def test_parses():
    model = GrammarSVC(random_state=0).fit(TREES, TREES)
    X = ["N V N", "D N V"]
    explained = explain(model, X, 3)
    check(model, X, explained)
    for one in explained:
        found = json.loads(json.dumps(one.to_dict(), allow_nan=False))
        assert len(found.get("next_best", ())) == len(one.next_best)


def test_classes_have_scores_of_their_own():
    model = MulticlassSVC(random_state=0).fit([[0.0], [1.0], [2.0]], ["a", "b", "c"])
    (one,) = explain(model, [[1.0]])
    assert one.next_best == ()
    assert "next_best" not in one.to_dict()
