"""Spans against a literal version of the rules that conlleval applies between two neighbouring labels."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hedgerow.structured import marks_spans, span_scores, spans, token_accuracy

LABELS = ["O", "B-X", "I-X", "E-X", "S-X", "B-Y", "I-Y"]


def conlleval_spans(labels):
    """Two tables of moves, from the label before (O before the first) to the next (O behind the last)."""

    def ends(before, before_type, after, after_type):
        if (before, after) in {(a, b) for a in "BI" for b in "BSO"} or before in "ES":
            return True
        return before != "O" and before_type != after_type

    def starts(before, before_type, after, after_type):
        if after in "BS" or (before, after) in {(a, b) for a in "ESO" for b in "EI"}:
            return True
        return after != "O" and before_type != after_type

    found, start = [], None
    moves = [("O", "")] + [(label[0], label[2:]) for label in labels] + [("O", "")]
    for place, ((before, before_type), (after, after_type)) in enumerate(itertools.pairwise(moves)):
        if ends(before, before_type, after, after_type):
            found.append((start, place, before_type))
        if starts(before, before_type, after, after_type):
            start = place
    return found


@given(st.lists(st.sampled_from(LABELS), max_size=8))
def test_spans_follow_the_rules_of_conlleval(labels):
    assert spans(labels) == conlleval_spans(labels)


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        ([], []),
        (["O", "O"], []),
        (["I-X", "I-X", "O", "I-X"], [(0, 2, "X"), (3, 4, "X")]),  # IOB1
        (["I-X", "B-X", "I-X"], [(0, 1, "X"), (1, 3, "X")]),  # IOB1, neighbours
        (["B-X", "I-Y", "I-Y"], [(0, 1, "X"), (1, 3, "Y")]),  # a change of type
        (["S-X", "I-X", "E-X", "I-X"], [(0, 1, "X"), (1, 3, "X"), (3, 4, "X")]),
        (["B-X", "E-X", "E-X"], [(0, 2, "X"), (2, 3, "X")]),
        (["B-X-Y", "I-X-Y"], [(0, 2, "X-Y")]),  # the first hyphen counts
        (["B", "I", "O", "I"], [(0, 2, ""), (3, 4, "")]),  # no types
        (["U-X", "B-X", "L-X"], [(0, 1, "X"), (1, 3, "X")]),
    ],
)
def test_tricky_spans(labels, expected):
    assert spans(labels) == expected


def test_spans_end_with_their_sequence():
    scores = span_scores([["B-X"], ["I-X"]], [["I-X"], ["I-X"]])
    assert (scores.n_true, scores.n_predicted, scores.n_correct) == (2, 2, 2)
    assert scores.accuracy == 0.5


def test_scores_by_type():
    scores = span_scores(
        [["B-X", "I-X", "B-Y", "O"], ["B-X", "O"]], [["B-X", "I-X", "I-X", "O"], ["B-X", "B-Z"]]
    )
    assert (scores.precision, scores.recall, scores.f1) == (1 / 3, 1 / 3, 1 / 3)
    assert {name: (s.n_true, s.n_predicted, s.n_correct) for name, s in scores.by_type.items()} == {
        "X": (2, 2, 1),
        "Y": (1, 0, 0),
        "Z": (0, 1, 0),
    }
    assert scores.by_type["Y"].precision == 0.0
    assert scores.by_type["Z"].f1 == 0.0
    assert "100.00" not in str(scores)


def test_nothing_to_score():
    assert span_scores([], []).f1 == 0.0
    assert token_accuracy([[]], [[]]) == 0.0


def test_errors_name_the_place():
    with pytest.raises(ValueError, match="2 sequences, but y_pred has 1"):
        token_accuracy([[], []], [[]])
    with pytest.raises(ValueError, match="sequence 1 has 2 labels in y_true, but 1"):
        span_scores([["O"], ["O", "O"]], [["O"], ["O"]])
    with pytest.raises(ValueError, match="got 'NN'"):
        spans(["NN"])
    with pytest.raises(TypeError, match="got 3"):
        spans([3])


def test_which_labels_mark_spans():
    assert marks_spans(["O", "B-X"])
    assert not marks_spans(["O"])
    assert not marks_spans(["B-X", "NN"])
    assert not marks_spans([1, 2])
