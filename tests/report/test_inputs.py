"""What files hold is found by looking inside; whatever is nothing for a report is named."""

from __future__ import annotations

import gzip
import json

import pytest

import hedgerow
from hedgerow.data import FormatError
from hedgerow.online import RDA, Perceptron
from hedgerow.report import Report
from hedgerow.report.inputs import read_item
from hedgerow.report.models import ModelItem
from hedgerow.report.traces import TraceItem

TRACE = "examples,mistakes,f1,support,seconds\n10,4,0.5,4,0.001\n20,6,nan,6,0.002\n"


@pytest.fixture
def file(tmp_path):
    def file(content, name="anything.xyz"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return file


def test_kinds_by_content(file, tree_model, tmp_path):
    hedgerow.save(tree_model, tmp_path / "a.csv")
    item = read_item(tmp_path / "a.csv")
    assert isinstance(item, ModelItem)
    assert item.model.n_support_ == tree_model.n_support_
    assert item.training["version"] == hedgerow.__version__
    for content in (TRACE, TRACE.replace("\n", "\r\n"), gzip.compress(TRACE.encode())):
        item = read_item(file(content, "a.json"))
        assert isinstance(item, TraceItem)
        assert list(item.columns["examples"]) == [10, 20]
    assert read_item(file('\n {"accuracy": 0.5, "f1": 0.25}', "a.model")).figures["f1"] == 0.25
    named = {"accuracy": 1, "f1": 1, "model": "a.model", "data": ["b.tk", "c.tk"]}
    assert read_item(file(json.dumps(named))).name == "a.model on b.tk, c.tk"


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("", "not something that a report can use: a report takes model files"),
        ("1 |BT| (S a) |ET|\n", "hedgerow train --trace"),
        (b"\x89PNG\r\n\x1a\n\0\0\0", "hedgerow evaluate --json"),
        ('{"score": 1}', "JSON, but not something that a report can use: .*hedgerow reproduce --json"),
        ("[1, 2]", "JSON, but not something"),
        ('{"accuracy": 1,\n  "f1": }', "line 2, column 9: looks like JSON, but Expecting value"),
        (TRACE + "30,7\n", "line 4: expected 5 values, got 2"),
        (TRACE + "30,seven,0,0,0\n", "line 4: expected a number in the column mistakes, got 'seven'"),
        (TRACE.encode() + b"\xff", "not UTF-8"),
    ],
)
def test_other_files(file, content, expected):
    path = file(content)
    with pytest.raises(FormatError, match=expected) as error:
        Report().add(path)
    assert str(error.value).startswith(str(path))


def test_damaged_model(file, tree_model, tmp_path):
    hedgerow.save(tree_model, tmp_path / "a.model")
    content = (tmp_path / "a.model").read_bytes()
    with pytest.raises(FormatError, match="cut short"):
        Report().add(file(content[:-10]))


def test_no_file(tmp_path):
    with pytest.raises(FileNotFoundError):
        Report().add(tmp_path / "none")


@pytest.mark.parametrize("thing", [3, None, [1, 2], {"score": 1}, Perceptron, object()])
def test_other_things(thing):
    with pytest.raises(TypeError, match=r"a report takes fitted models, traces, .* got a"):
        Report().add(thing)


def test_a_learner_without_training():
    with pytest.raises(ValueError, match="RDA is not fitted"):
        Report().add(RDA())
