"""Feature templates."""

from __future__ import annotations

import pytest
from sklearn.base import clone

from hedgerow.structured import Templates

SENTENCE = [("Él", "PP"), ("vio", "VB"), ("a", "IN"), ("IBM-2", "NP")]


def only(template, sentence=SENTENCE, **parameters):
    """What one template says of each token, without its name."""
    features = Templates([template], **parameters).features(sentence)
    assert all(len(token) <= 1 for token in features)
    return [token[0].removeprefix(template + "=") if token else None for token in features]


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("word", ["Él", "vio", "a", "IBM-2"]),
        ("word[0]", ["Él", "vio", "a", "IBM-2"]),
        ("word[-1]", ["_B-1", "Él", "vio", "a"]),
        ("word[2]", ["a", "IBM-2", "_B+1", "_B+2"]),
        ("word[+2]", ["a", "IBM-2", "_B+1", "_B+2"]),
        ("tag[0]", ["PP", "VB", "IN", "NP"]),
        ("lower[0]", ["él", "vio", "a", "ibm-2"]),
        ("prefix2[0]", ["Él", "vi", None, "IB"]),
        ("suffix1[1]", ["o", "a", "2", "_B+1"]),
        ("shape[0]", ["Xx", "x", "x", "X-d"]),
        ("pattern[0]", ["Xx", "xxx", "x", "XXX-d"]),
        ("length[0]", ["2", "3", "1", "5"]),
        ("tag.suffix1[0]", ["P", "B", "N", "P"]),
        ("word[-1] tag[0]", ["_B-1|PP", "Él|VB", "vio|IN", "a|NP"]),
        ("U1:%x[0,1]", ["PP", "VB", "IN", "NP"]),
        ("U2:%x[-1,0]/%x[0,1]", ["_B-1|PP", "Él|VB", "vio|IN", "a|NP"]),
        ("B3:%x[0,1]", ["PP", "VB", "IN", "NP"]),
        ("B: tag[0]", ["PP", "VB", "IN", "NP"]),
        ("U4", ["U4"] * 4),
    ],
)
def test_what_templates_see(template, expected):
    assert only(template) == expected


def test_sets_of_templates():
    for name, n in (("chunking", 19), ("names", 27), ("tagged-names", 36), ("text", 41)):
        features = Templates(name).features([("Brasilia", "NP")] * 3)
        assert [len(token) for token in features] == [n, n, n]
    assert "word[-1] word[0]=_B-1|Él" in Templates("chunking").features(SENTENCE)[0]


def test_the_default_looks_at_tags_where_there_is_such_a_column():
    words = Templates("names", ["word"]).features([word for word, _ in SENTENCE])
    assert Templates(columns=["word"]).features([word for word, _ in SENTENCE]) == words
    tagged = Templates().features(SENTENCE)
    assert [set(own) > set(of_words) for own, of_words in zip(tagged, words, strict=True)] == [True] * len(
        words
    )
    assert {"tag[-1] tag[0] tag[1]=PP|VB|IN", "tag[0] shape[0]=VB|x"} <= set(tagged[1])
    assert Templates.for_columns(1).columns == ["word"]


def test_lines_of_a_file():
    lines = ["# Unigram", "U00:%x[0,0]", "", "# Bigram", "B"]
    assert Templates(lines).features(SENTENCE[:1]) == [["U00:%x[0,0]=Él"]]


def test_tokens_that_are_strings_have_one_column():
    assert only("suffix2[0]", ["cats", "x"]) == ["ts", None]


def test_other_columns():
    token = ("Katzen", "Katze", "NN")
    parameters = {"columns": ("word", "lemma", "tag")}
    assert only("lemma[0]", [token], **parameters) == ["Katze"]
    assert only("lemma.suffix2[0] tag[0]", [token], **parameters) == ["ze|NN"]


def test_no_tokens():
    assert Templates().features([]) == []


@pytest.mark.parametrize(
    ("parameters", "sentence", "message"),
    [
        ({"templates": "chunks"}, SENTENCE, "'chunking', 'names', 'tagged-names' or a list"),
        ({"templates": ["word[x]"]}, SENTENCE, "'word\\[x\\]' is not written as"),
        ({"templates": ["lemma[0]"]}, SENTENCE, "'lemma' is neither a column \\(word, tag\\)"),
        ({"templates": ["lemma.lower[0]"]}, SENTENCE, "no column 'lemma', only word, tag"),
        ({"templates": ["prefix12[0]"]}, SENTENCE, "prefix1 to prefix9"),
        ({"templates": ["U1:%x[0,0] %y"]}, SENTENCE, "not written as U01"),
        ({"columns": "word"}, SENTENCE, "columns must be a list of names"),
        (
            {},
            [("a", "A"), ("b",)],
            "token 1 of sequence 0 has 1 columns, but templates look at column 1 \\(tag\\)",
        ),
        ({}, ["a"], "token 0 of sequence 0 is a string, but templates look at column 1"),
        ({}, [(1, "A")], "token 0 of sequence 0 must have texts as columns, got 1"),
        ({}, [3], "token 0 of sequence 0 must be a string or a tuple of columns, got 3"),
    ],
)
def test_errors(parameters, sentence, message):
    with pytest.raises((ValueError, TypeError), match=message):
        Templates(**parameters).features(sentence)


def test_clone():
    templates = clone(Templates(["word[0]"], columns=["word"]))
    assert templates.get_params() == {"templates": ["word[0]"], "columns": ["word"]}
