import copy
import pickle

import pytest

from hedgerow import FormatError
from hedgerow.data.errors import check_on_error, error_handler, line_errors


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ({}, "a ')' too many"),
        ({"path": "x.mrg", "line": 3, "column": 7}, "x.mrg, line 3, column 7: a ')' too many"),
        ({"item": 0, "column": 7}, "item 0, column 7: a ')' too many"),
        ({"path": "x.mrg"}, "x.mrg: a ')' too many"),
    ],
)
def test_text(place, text):
    error = FormatError("a ')' too many", **place)
    assert str(error) == text
    assert error.message == "a ')' too many"
    for name in ("path", "line", "column", "item"):
        assert getattr(error, name) == place.get(name)


def test_it_is_a_value_error():
    assert issubclass(FormatError, ValueError)


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda e: pickle.loads(pickle.dumps(e))])
def test_copies_keep_the_place(duplicate):
    error = FormatError("oops", path="x.mrg", line=3, column=7, item=2)
    again = duplicate(error)
    assert type(again) is FormatError
    assert str(again) == str(error)
    assert vars(again) == vars(error)


def test_line_errors():
    (error,) = line_errors([(3, 7, "oops")], "x.mrg")
    assert str(error) == "x.mrg, line 3, column 7: oops"


def test_what_to_do_with_errors_is_checked():
    check_on_error("raise")
    check_on_error("collect")
    with pytest.raises(ValueError, match="errors must be 'raise' or 'collect', got 'skip'"):
        check_on_error("skip")


def test_what_is_done_with_each_error():
    found = []
    error_handler(found.append)(FormatError("bad"))
    assert [error.message for error in found] == ["bad"]
    with pytest.raises(FormatError, match="bad"):
        error_handler("raise")(FormatError("bad"))
    with pytest.raises(ValueError, match=r"errors must be 'raise' or a function that takes.*got 'collect'"):
        error_handler("collect")
