"""Trees to derivations and back, words, and sentences in all their forms."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hedgerow import Forest
from hedgerow.structured import PCFG, WeightedGrammar, bracket_scores
from hedgerow.structured.grammar.words import WordKinds, signatures
from tests.structured.slow_grammar import random_tree


@given(
    st.integers(0, 2**32),
    st.sampled_from(["right", "left"]),
    st.sampled_from(["all", 0, 1, 2]),
    st.booleans(),
    st.sampled_from(["tags", "words"]),
    st.sampled_from(["TOP", "", "A"]),
)
@settings(max_examples=60, deadline=None)
def test_a_true_tree_comes_back_as_it_was(seed, branching, markov, parents, input, root):
    rng = np.random.default_rng(seed)
    Y = [random_tree(rng, int(rng.integers(1, 9)), root=root, arity=6) for _ in range(4)]
    problem = WeightedGrammar(input=input, branching=branching, markov=markov, parents=parents)
    oracle = problem._bind(Y, Y, True).oracle
    for k, y in enumerate(Y):
        # Weights that like what the tree has and dislike all else leave no other tree the same score.
        weights = -np.ones(oracle.n_features)
        weights[list(problem.joint_features(y, y))] = 1e-3
        predicted = problem._decode([y], weights, 1)[0]
        assert problem.joint_features(y, predicted).keys() <= problem.joint_features(y, y).keys()
        if oracle.find(k, weights, "best")[3]:
            assert predicted == Forest([y]).to_brackets()[0]


def test_trees_of_one_sentence_are_restored_exactly():
    trees = [
        "(TOP (S (NP (DT the) (JJ big) (JJ old) (NN dog)) (VP (VBD saw) (NP (NP (PRP me)))) (. .)))",
        "(TOP (NP (NP (NN tea)) (, ,) (NP (NN milk)) (CC and) (NP (NNP X))))",
        "(TOP (UH yes))",
        "(UH no)",
        "(S (VP (VB go)))",
    ]
    for branching in ("right", "left"):
        for markov in ("all", 0, 2):
            for tree in trees:
                model = PCFG(branching=branching, markov=markov).fit([tree], [tree])
                assert model.predict([tree]) == [tree]


def test_outputs_are_of_the_kind_that_was_given():
    import nltk

    brackets = ["(S (NP (D a) (N dog)) (VP (V barks)))"]
    assert PCFG().fit(brackets, brackets).predict(brackets) == brackets
    forest = Forest(brackets)
    assert PCFG().fit(forest, forest).predict(forest) == forest
    trees = [nltk.Tree.fromstring(brackets[0])]
    assert PCFG().fit(trees, trees).predict(trees) == trees
    assert isinstance(PCFG().fit(brackets, list(forest)).predict(brackets), Forest)


def test_sentences_come_in_many_forms():
    tree = "(S (NP (D a) (N dog)) (VP (V barks)))"
    model = PCFG().fit(["D N V"], [tree])
    want = "(S (NP (D D) (N N)) (VP (V V)))"
    assert model.predict(["D N V", ["D", "N", "V"], ("D", "N", "V"), np.array(["D", "N", "V"])]) == [want] * 4
    assert model.predict([tree, "D N V"]) == [tree, want]
    with pytest.raises(TypeError, match="not one text"):
        model.predict("D N V")
    with pytest.raises(TypeError, match=r"X\[1\] must be a sentence"):
        model.predict(["D N V", 3])


def test_sentences_must_be_those_of_the_trees():
    tree = "(S (NP (D a) (N dog)) (VP (V barks)))"
    with pytest.raises(ValueError, match=r"X\[0\] is not the sentence .* 'V' and 'N' at position 1"):
        PCFG().fit(["D V V"], [tree])
    with pytest.raises(ValueError, match="2 tags and 3"):
        PCFG().fit(["D N"], [tree])
    with pytest.raises(ValueError, match="2 inputs, but 1 outputs"):
        PCFG().fit(["D N V", "D"], [tree])
    with pytest.raises(ValueError, match="no examples"):
        PCFG().fit([], [])
    with_empty = PCFG().fit(["D N V"], Forest([tree])).predict([tree, ""])
    with pytest.raises(ValueError, match=r"y\[1\] is an empty tree"):
        PCFG().fit(["D N V", ""], with_empty)


def test_words_need_parts_of_speech():
    with pytest.raises(ValueError, match=r"y\[0\] has the word 'a' beside other children of 'NP'"):
        PCFG().fit(["D N"], ["(NP a (N dog))"])
    with pytest.raises(ValueError, match=r"y\[0\] is the single word 'yes'"):
        PCFG().fit(["yes"], ["(yes)"])


def test_sentences_without_a_tree_get_a_flat_one():
    tree = "(TOP (S (NP (D a) (N dog)) (VP (V barks))))"
    model = PCFG().fit([tree], [tree])
    assert model.predict(["V V N", "D XYZ", "D", ""]) == [
        "(TOP (V V) (V V) (N N))",
        "(TOP (D D) (XYZ XYZ))",
        "(TOP (D D))",
        "",
    ]
    by_words = PCFG(input="words", min_word_count=1).fit([tree], [tree])
    assert by_words.predict(["barks dog", "a zebra barks"]) == [
        "(TOP (V barks) (N dog))",
        "(TOP (S (NP (D a) (N zebra)) (VP (V barks))))",
    ]


def test_one_word_sentences():
    trees = ["(TOP (INTJ (UH yes)))", "(TOP (UH no))", "(TOP (NP (NN tea)))"]
    model = PCFG().fit(trees, trees)
    assert model.predict(["NN"]) == ["(TOP (NP (NN NN)))"]


def test_unknown_words_go_by_their_signature():
    trees = [
        "(S (NP (NNP Bob)) (VP (VBD walked)))",
        "(S (NP (NNP Bob)) (VP (VBD walked)))",
        "(S (NP (NNP Ann)) (VP (VBD talked)))",
        "(S (NP (NNP Eve)) (VP (VBD balked)))",
        "(S (NP (CD 1984)) (VP (VBD walked)))",
        "(S (NP (CD 2001)) (VP (VBD walked)))",
    ]
    model = PCFG(input="words").fit(trees, trees)
    assert model.predict(["Zoe hiked", "77 mocked"]) == [
        "(S (NP (NNP Zoe)) (VP (VBD hiked)))",
        "(S (NP (CD 77)) (VP (VBD mocked)))",
    ]


def test_kinds_of_words_become_shorter_when_they_are_rare():
    kinds = WordKinds(2)
    kinds.learn(Counter(["the", "the", "walking", "talking", "oddly", "finally", "x1", "Alone"]))
    names = list(kinds.numbers)
    assert names[kinds["the"]] == "the"
    assert names[kinds["walking"]] == names[kinds["sulking"]] == " small ing"
    assert names[kinds["oddly"]] == " small"  # the two endings are different ones
    assert names[kinds["Alone"]] == names[kinds["???"]] == ""
    assert signatures("IBM") == (" CAPITALS", " CAPITALS", "")
    assert signatures("re-elected")[1] == " small-hyphen"


def test_bracket_scores_count_what_is_there():
    true = ["(TOP (S (NP (N a)) (VP (V b) (NP (N c)))))", "(TOP (NP (NP (N a))))", "(TOP (UH yes))"]
    found = ["(TOP (S (NP (N a)) (VP (V b)) (NP (N c))))", "(TOP (NP (N a)))", "(TOP (UH yes))"]
    scores = bracket_scores(true, found)
    assert (scores.n_correct, scores.n_true, scores.n_predicted) == (4, 6, 5)
    assert (scores.n_exact, scores.n_trees) == (1, 3)
    assert scores.precision == 0.8
    assert scores.recall == pytest.approx(4 / 6)
    assert scores.f1 == pytest.approx(8 / 11)
    assert scores.exact_match == pytest.approx(1 / 3)
    assert bracket_scores(true, found, uncounted=("TOP", "NP")).n_true == 2
    empty = bracket_scores([], [])
    assert empty.f1 == empty.precision == empty.recall == empty.exact_match == 1
    with pytest.raises(ValueError, match="3 trees, but y_pred has 2"):
        bracket_scores(true, found[:2])
    with pytest.raises(ValueError, match=r"y_true\[0\] has 1 words, but y_pred\[0\] has 3"):
        bracket_scores(["(UH yes)"], found[:1])
