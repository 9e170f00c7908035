"""Figures of a running model equal those of a slow look at its log; drift is found, and only where it is."""

from __future__ import annotations

import random

import pytest
from sklearn.metrics import f1_score

from hedgerow.serve.app import App
from hedgerow.serve.drift import DriftDetection
from hedgerow.serve.quality import STEP, WINDOW, Quality
from hedgerow.serve.records import Answer, Record
from tests.serve.services import call, closed, opened, vector_model, vectors


def judged(position, true, predicted, chance=None):
    probabilities = None if chance is None else {"a": 1 - chance, "b": chance}
    answer = Answer(f"i{position}", [1], predicted, {}, probabilities, position - 1, 0.0)
    return Record(position, f"k{position}", [1], true, 1.0, 0.0, "", answer)


def test_figures_equal_a_slow_look():
    draw = random.Random(0)
    records = [
        judged(i, draw.choice("ab"), draw.choice("ab"), draw.choice([0.1, 0.6, 0.9]))
        for i in range(1, WINDOW + 100)
    ]
    unjudged = Record(99_999, "k", [1], "a", 1.0, 0.0, "", None)
    quality = Quality(["a", "b"])
    quality.learned(records[:7])
    quality.learned([*records[7:], unjudged])
    figures = quality.figures()
    for name, some in (("so_far", records), ("recent", records[-WINDOW:])):
        true, predicted = [one.label for one in some], [one.answer.label for one in some]
        found = figures[name]
        assert found["predictions"] == len(some)
        assert found["error"] == sum(map(str.__ne__, true, predicted)) / len(some)
        assert found["f1"] == pytest.approx(f1_score(true, predicted, pos_label="b"))
        expected = 0.0
        for chance in (0.1, 0.6, 0.9):
            bin_ = [one for one in some if one.answer.probabilities["b"] == chance]
            likely = "b" if chance > 0.5 else "a"
            right = sum(one.label == likely for one in bin_)
            expected += abs(len(bin_) * max(chance, 1 - chance) - right)
        # 0.1 and 0.9 are equally sure, and share a bin
        assert found["calibration_error"] <= expected / len(some) + 1e-12
    assert figures["labels"] == {
        "a": sum(one.label == "a" for one in records) + 1,
        "b": sum(one.label == "b" for one in records),
    }
    assert len(quality.curve()) == len(records) // STEP
    assert quality.mistakes()[0] == [one for one in records if one.label != one.answer.label][-1]
    quality.forget()
    assert quality.figures()["so_far"] == {
        "predictions": 0,
        "error": None,
        "f1": None,
        "calibration_error": None,
    }


@pytest.mark.parametrize("seed", range(5))
def test_drift(seed):
    """Errors that become three times as frequent are found soon; without a change there is hardly an alarm."""
    draw = random.Random(seed)
    test = DriftDetection()
    early = [test.meet(draw.random() < 0.1) for _ in range(500)]
    late = [test.meet(draw.random() < 0.35) for _ in range(300)]
    assert early.count("drift") <= 1
    assert "drift" in late[:200]


def test_figures_of_a_service(tmp_path):
    service = opened([vector_model(tmp_path / "ab.model")], tmp_path / "data")
    app = App(service)
    wrong = 0
    for i, (x, label) in enumerate(vectors(7, 60)):
        (one,) = call(app, "POST", "/predict", {"examples": [x]}).json["predictions"]
        wrong += one["label"] != label
        call(
            app,
            "POST",
            "/feedback?wait=position",
            {"feedback": [{"key": f"k{i}", "id": one["id"], "label": label}]},
        )
    quality = call(app, "GET", "/status").json["quality"]
    assert quality["judged"] == 60
    assert quality["so_far"]["error"] == wrong / 60
    text = call(app, "GET", "/metrics").content.decode()
    assert 'hedgerow_position{model="ab"} 60.0' in text
    assert f'hedgerow_error{{model="ab",window="so_far"}} {wrong / 60}' in text
    assert 'hedgerow_requests_total{path="predict",status="200"} 60.0' in text
    closed(service)
    again = opened([], tmp_path / "data")  # from a snapshot: the log tells the rest
    again.engines["ab"].submit([]).result()
    while again.engines["ab"].quality.figures()["judged"] < 60:
        pass
    assert again.engines["ab"].quality.figures() == quality
    again.engines["ab"].erase([1])
    assert again.engines["ab"].quality.figures()["judged"] == 59
    closed(again)
