"""Counts of labelled brackets: the rules of evalb, by hand and on all parses of the web treebank."""

from __future__ import annotations

import gzip
import json

import pytest

from hedgerow.data import CandidateLists
from hedgerow.structured import bracket_scores

TRUE = "(TOP (S (NP (PRP I)) (VP (VBP give) (PRT (RP up))) (. .)))"


def counts(true, found, rules):
    scores = bracket_scores([true], [found], rules=rules)
    return scores.n_correct, scores.n_predicted, scores.n_true


@pytest.mark.parametrize(
    ("found", "plain", "evalb"),
    [
        (TRUE, (4, 4, 4), (4, 4, 4)),
        # A particle is an adverb.
        ("(TOP (S (NP (PRP I)) (VP (VBP give) (ADVP (RP up))) (. .)))", (3, 4, 4), (4, 4, 4)),
        # The stop may hang anywhere, and a bracket around it alone is none.
        ("(TOP (S (NP (PRP I)) (VP (VBP give) (PRT (RP up)) (. .))))", (3, 4, 4), (4, 4, 4)),
        ("(TOP (S (NP (PRP I)) (VP (VBP give) (PRT (RP up))) (X (. .))))", (4, 5, 4), (4, 4, 4)),
        # What the true tree calls a stop is one, and nothing else is.
        ("(TOP (S (NP (PRP I)) (VP (VBP give) (PRT (RP up))) (NP (NN .))))", (4, 5, 4), (4, 4, 4)),
        ("(TOP (S (NP (PRP I)) (VP (VBP give) (PRT (, up))) (. .)))", (4, 4, 4), (4, 4, 4)),
        # Chains of one label count as often as they occur.
        ("(TOP (S (S (NP (PRP I)) (VP (VBP give) (PRT (RP up)))) (. .)))", (4, 5, 4), (4, 5, 4)),
    ],
)
def test_rules(found, plain, evalb):
    assert counts(TRUE, found, "plain") == plain
    assert counts(TRUE, found, "evalb") == evalb
    lists = CandidateLists([1], trees=[found])
    assert lists.with_brackets([TRUE]).brackets.tolist() == [list(evalb)]
    assert lists.with_brackets([TRUE], rules="plain").brackets.tolist() == [list(plain)]


def test_refusals():
    lists = CandidateLists([2], trees=[TRUE, TRUE])
    with pytest.raises(ValueError, match="there are 1 lists, but 2 true trees"):
        lists.with_brackets([TRUE, TRUE])
    with pytest.raises(
        ValueError, match=r"the true trees of candidates\[0\] has 1 words, but trees\[0\] has 4"
    ):
        lists.with_brackets(["(S (A a))"])
    with pytest.raises(ValueError, match="the lists have no trees"):
        CandidateLists([2]).with_brackets([TRUE])
    with pytest.raises(ValueError, match="rules must be"):
        bracket_scores([TRUE], [TRUE], rules="collins")


@pytest.mark.shared_data
@pytest.mark.slow
@pytest.mark.parametrize("subset", ["train", "dev", "test"])
def test_counts_of_the_web_treebank(data_folder, subset):
    """All candidates have the brackets that evalb has counted."""
    with gzip.open(data_folder / f"ewt_nbest/{subset}.jsonl.gz", "rt") as file:
        items = [json.loads(line) for line in file]
    candidates = [candidate for item in items for candidate in item["cands"]]
    lists = CandidateLists([len(item["cands"]) for item in items], trees=[c[4] for c in candidates])
    lists = lists.with_brackets([item["gold"] for item in items])
    assert lists.brackets.tolist() == [candidate[1:4] for candidate in candidates]
