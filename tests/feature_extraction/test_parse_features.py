"""Features of parses: counts by hand, against slow versions, and what lists leave out."""

from __future__ import annotations

import pickle
from collections import Counter

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from hedgerow import Forest
from hedgerow.data import CandidateLists
from hedgerow.feature_extraction import ParseFeatures

ATTACHED_TO_VERB = (
    "(TOP (S (NP (PRP I)) (VP (VBP eat) (NP (NN pasta)) (PP (IN with) (NP (DT a) (NN Fork)))) (. .)))"
)
ATTACHED_TO_NOUN = (
    "(TOP (S (NP (PRP I)) (VP (VBP eat) (NP (NP (NN pasta)) (PP (IN with) (NP (DT a) (NN Fork))))) (. .)))"
)
TREES = [
    ATTACHED_TO_VERB,
    ATTACHED_TO_NOUN,
    "(TOP (S (NP (NP (NNS cats)) (CC and) (NP (JJ old) (NNS dogs))) (VP (MD will) (VP (VB sleep)))))",
    "(TOP (FRAG (NP (NNP Rome) (POS 's)) (, ,) (ADVP (RB too))))",
    "(TOP (SBARQ (WHNP (WP Who)) (SQ (VBZ is) (VP (VBG coming)))))",
    "(X a b)",
    "(X (Y a) b)",
    "(a)",
]


def counts(tree, start=""):
    """All features of a tree, by name: an empty tree beside it has none, so nothing is left out."""
    extractor = ParseFeatures(min_lists=1)
    lists = CandidateLists([2], trees=Forest.from_postorder(*postorder(tree)))
    X = extractor.fit_transform(lists)
    names = extractor.get_feature_names_out()
    row = X[[0]]
    assert X[[1]].nnz == 0
    return {
        names[j]: int(v) for j, v in zip(row.indices, row.data, strict=True) if names[j].startswith(start)
    }


def postorder(text):
    """Labels, arities and sizes of a tree and an empty one."""
    labels, arity = [], []

    def visit(tree):
        for child in tree.children():
            visit(child)
        labels.append(tree.label)
        arity.append(len(tree.children()))

    visit(Forest([text])[0])
    return labels, arity, [len(labels), 0]


# -- slow versions of some templates --------------------------------------------------------------------------


def walk(tree, above=("|", "|"), begin=0):
    """(label, labels of children, two labels above, first word, behind the last word) of all phrases."""
    children = tree.children()
    end = begin
    if not children:
        return [], begin + 1
    nodes = []
    for child in children:
        found, end = walk(child, (tree.label, above[0]), end)
        nodes += found
    if any(child.children() for child in children):
        nodes.append((tree.label, [child.label for child in children], above, begin, end))
    return nodes, end


def tags(tree):
    found = []
    for child in tree.children():
        found += tags(child) if child.children() else [tree.label]
    return found


def slow_rules(tree):
    for label, below, (parent, grandparent), _, _ in walk(tree)[0]:
        rule = f"{label} -> {' '.join(below)}"
        yield f"rule: {rule}"
        yield f"parent rule: {parent} {rule}"
        yield f"grandparent rule: {grandparent} {parent} {rule}"


def slow_borders(tree):
    tag = ["|", *tags(tree), "|"]
    word = ["|", *(leaf.lower() for leaf in tree.leaves()), "|"]
    for label, _, _, begin, end in walk(tree)[0]:
        yield f"edges: {label} {tag[begin]} {tag[begin + 1]} {tag[end]} {tag[end + 1]}"
        yield f"left edge: {label} {tag[begin]} {tag[begin + 1]}"
        yield f"right edge: {label} {tag[end]} {tag[end + 1]}"
        yield f"word before: {label} {word[begin]} {tag[begin + 1]}"
        yield f"word after: {label} {tag[end]} {word[end + 1]}"
        length = end - begin
        yield f"length: {label} {length if length <= 5 else 6 if length <= 10 else 7 if length <= 20 else 8}"


def slow_tags(tree):
    tag, word = ["|", "|", *tags(tree)], [leaf.lower() for leaf in tree.leaves()]
    for i in range(len(tag) - 2):
        yield f"word tag: {word[i]} {tag[i + 2]}"
        yield f"2 tags: {tag[i + 1]} {tag[i + 2]}"
        yield f"3 tags: {tag[i]} {tag[i + 1]} {tag[i + 2]}"


@pytest.mark.parametrize("text", TREES)
@pytest.mark.parametrize("slow", [slow_rules, slow_borders, slow_tags])
def test_counts_equal_slow_versions(text, slow):
    expected = Counter(slow(Forest([text])[0]))
    kinds = ("rule:", "parent rule:", "grandparent rule:") if slow is slow_rules else ()
    kinds += (
        ("edges:", "left edge:", "right edge:", "word before:", "word after:", "length:")
        if slow is slow_borders
        else ()
    )
    kinds += ("word tag:", "2 tags:", "3 tags:") if slow is slow_tags else ()
    assert counts(text, kinds) == expected


def test_a_long_phrase():
    words = " ".join(f"(NN w{i})" for i in range(25))
    assert counts(f"(TOP (NP {words}))", "length:") == {"length: NP 8": 1, "length: TOP 8": 1}


class TestHeads:
    def test_words_that_modify_words(self):
        assert counts(ATTACHED_TO_VERB, "head words:") == {
            "head words: S VP NP 1 eat i": 1,
            "head words: VP VBP NP 0 eat pasta": 1,
            "head words: VP VBP PP 0 eat with": 1,
            "head words: PP IN NP 0 with fork": 1,
            "head words: NP NN DT 1 fork a": 1,
        }
        assert "head words: NP NP PP 0 pasta with" in counts(ATTACHED_TO_NOUN, "head words:")

    def test_function_and_content(self):
        assert counts(ATTACHED_TO_VERB, "head, function, content:") == {
            "head, function, content: VP eat with fork": 1
        }
        assert "content words: VP eat fork" in counts(ATTACHED_TO_VERB, "content words:")
        assert "content words: NP pasta fork" in counts(ATTACHED_TO_NOUN, "content words:")

    @pytest.mark.parametrize(
        ("tree", "syntax", "content"),
        [
            ("(VP (MD will) (VP (VB sleep)))", "will", "sleep"),
            ("(NP (NP (NN man)) (PP (IN in) (NP (NN car))))", "man", "man"),
            ("(NP (DT the) (NN tax) (NN rate))", "rate", "rate"),
            ("(NP (NNP Rome) (POS 's))", "'s", "'s"),
            ("(NP (CD two) (JJ big))", "two", "two"),
            ("(SBAR (IN that) (S (NP (PRP it)) (VP (VBZ is))))", "that", "is"),
            ("(S (NP (NN it)) (VP (TO to) (VP (VB go))))", "to", "go"),
            ("(ADVP (RB very) (RB soon))", "soon", "soon"),
            ("(X (Y a) (Z b) (. .))", "b", "b"),
            ("(X (. .) (, ,))", ",", ","),
            ("(NX (NN a) (NN b))", "b", "b"),
            ("(PP (IN of) (NP (NN it)))", "of", "it"),
        ],
    )
    def test_head_of_a_phrase(self, tree, syntax, content):
        # Beside a verb the phrase is a modifier, whose heads show.
        found = counts(f"(VP (VBZ rules) {tree})")
        label = tree[1:].split()[0]
        if label == "VP":  # would be the content itself
            found = counts(f"(SINV (VBZ rules) {tree})")
            assert f"head words: SINV VBZ VP 0 rules {syntax}" in found
            assert f"word projections: {content} VB < VP" not in found
            return
        assert f"head words: VP VBZ {label} 0 rules {syntax}" in found
        assert f"content words: VP rules {content}" in found

    def test_projections(self):
        assert counts(ATTACHED_TO_VERB, "word projections:") == {
            "word projections: i PRP NP < S": 1,
            "word projections: eat VBP VP S TOP < |": 1,
            "word projections: pasta NN NP < VP": 1,
            "word projections: with IN PP < VP": 1,
            "word projections: a DT < NP": 1,
            "word projections: fork NN NP < PP": 1,
            "word projections: . . < S": 1,
        }


def test_siblings():
    assert counts("(TOP (NP (DT a) (NN b)))", "2 siblings:") == {
        "2 siblings: NP 0 | DT": 1,
        "2 siblings: NP 1 DT NN": 1,
        "2 siblings: NP 2 NN |": 1,
        "2 siblings: TOP 1 | NP": 1,
        "2 siblings: TOP 2 NP |": 1,
    }
    assert "3 siblings: NP 1 | DT NN" in counts("(TOP (NP (DT a) (NN b)))")


def test_where_children_meet():
    tree = "(TOP (NP (NP (DT The) (NN cat)) (PP (IN of) (NP (PRP us)))))"
    assert counts(tree, "split") == {
        "split tags: NP DT NN DT NN": 1,
        "split left word: NP DT NN the": 1,
        "split right word: NP DT NN cat": 1,
        "split lengths: NP DT NN 1 1": 1,
        "split tags: NP NP PP NN IN": 1,
        "split left word: NP NP PP cat": 1,
        "split right word: NP NP PP of": 1,
        "split lengths: NP NP PP 2 2": 1,
        "split tags: PP IN NP IN PRP": 1,
        "split left word: PP IN NP of": 1,
        "split right word: PP IN NP us": 1,
        "split lengths: PP IN NP 1 1": 1,
    }


def test_rules_and_their_spans():
    found = counts("(TOP (NP (DT The) (NN cat)) (. !))")
    assert {name: n for name, n in found.items() if name.startswith("rule ") and "NP -> DT NN" in name} == {
        "rule word: cat NP -> DT NN": 1,
        "rule tag: NN NP -> DT NN": 1,
        "rule length: NP -> DT NN 2": 1,
        "rule first word: NP -> DT NN the": 1,
        "rule last word: NP -> DT NN cat": 1,
        "rule before: NP -> DT NN |": 1,
        "rule after: NP -> DT NN .": 1,
    }
    assert {"span shape: NP Xxx xx", "span tags: NP DT NN", "span shape: TOP Xxx xx !"} <= found.keys()


def test_coordination():
    alike = "(NP (NP (NN a)) (CC and) (NP (NN b)))"
    unlike = "(NP (NP (NN a)) (, ,) (CC or) (NP (DT the) (NN b)))"
    assert counts(alike, "conjunct") == {
        "conjuncts: NP NP NP": 1,
        "conjuncts alike: NP 4": 1,
        "conjunct lengths: NP 0": 1,
        "conjunct heads: NP NN NN": 1,
    }
    assert counts(unlike, "conjunct") == {
        "conjuncts: NP NP NP": 1,
        "conjuncts alike: NP 1": 1,
        "conjunct lengths: NP 1": 1,
        "conjunct heads: NP NN NN": 1,
    }


def test_right_branch():
    # On the way to "Fork": TOP S VP PP NP; off it: NP NP.
    assert counts(ATTACHED_TO_VERB, "right branch:") == {"right branch: 1": 5, "right branch: 0": 2}
    assert counts(ATTACHED_TO_NOUN, "right branch:") == {"right branch: 1": 6, "right branch: 0": 2}


def test_shapes():
    found = counts("(TOP (NP (NNP McDonald) (CD 1,234.5) (NN café)))", "shapes:")
    assert found == {"shapes: NP XxXxx xx": 1, "shapes: TOP XxXxx xx": 1}
    assert "outer shapes: QP | ..." not in found
    assert "outer shapes: QP xx 00,00.0" in counts(
        "(TOP (DT the) (QP (NN a)) (CD 11,234.5))".replace("(NN a)", "(NN (A a))")
    )


# -- lists ----------------------------------------------------------------------------------------------------


def test_differences_within_lists_are_those_of_all_counts():
    lists = CandidateLists([2, 3, 3], trees=TREES)
    extractor = ParseFeatures(min_lists=1)
    X = extractor.fit_transform(lists)
    names = extractor.get_feature_names_out()
    full = [counts(tree) for tree in TREES]
    dense = X.toarray()
    assert len(set(names)) == len(names)
    for begin, end in zip(lists.begins, lists.begins[1:], strict=False):
        assert (dense[begin:end].min(axis=0) == 0).all()
        for a in range(begin, end):
            for b in range(begin, end):
                expected = {n: full[a].get(n, 0) - full[b].get(n, 0) for n in full[a].keys() | full[b].keys()}
                found = dict(zip(names, dense[a] - dense[b], strict=True))
                for name, difference in expected.items():
                    assert found.get(name, 0) == difference


def test_features_must_vary_in_enough_lists():
    varies = [ATTACHED_TO_VERB, ATTACHED_TO_NOUN]
    lists = CandidateLists([2, 2, 1], trees=[*varies, *varies, TREES[2]])
    once = CandidateLists([2, 3], trees=[*varies, *[ATTACHED_TO_VERB] * 3])
    twice = ParseFeatures(min_lists=2).fit(lists)
    assert "rule: NP -> NP PP" in twice.get_feature_names_out()
    assert "rule: PP -> IN NP" not in twice.get_feature_names_out()  # the same in all
    assert ParseFeatures(min_lists=2).fit(once).n_features_out_ == 1
    assert ParseFeatures(min_lists=3).fit(lists).n_features_out_ == 1
    other = CandidateLists([2], trees=[TREES[2], TREES[3]])  # with features that were not there
    assert twice.transform(other).shape == (2, twice.n_features_out_)


def test_base_scores():
    lists = CandidateLists([2, 1], trees=TREES[:3], base_scores=[-3.0, -2.5, -8.0])
    X = ParseFeatures(min_lists=1, base_weight=2.0).fit_transform(lists)
    assert X[:, [0]].toarray().ravel().tolist() == [-1.0, 0.0, 0.0]
    without = ParseFeatures(min_lists=1).fit_transform(CandidateLists([2, 1], trees=TREES[:3]))
    assert without[:, [0]].nnz == 0
    np.testing.assert_array_equal(without.toarray()[:, 1:], X.toarray()[:, 1:])


def test_shared_columns():
    lists = CandidateLists([2, 3], trees=TREES[:5], base_scores=[-1.0, -2.0, 0.0, 0.0, 0.0])
    wide = ParseFeatures(n_features=2**20).fit_transform(lists)
    own = ParseFeatures(min_lists=1).fit_transform(lists)
    assert wide.shape == (5, 2**20)
    # With this much room features hardly meet: the same values in other columns.
    assert sorted(wide[[0]].data) == sorted(own[[0]].data)
    narrow = ParseFeatures(n_features=4, base_weight=1.0).fit(lists)
    X = narrow.transform(lists).toarray()
    assert X.shape == (5, 4)
    assert X[:, 0].tolist() == [0, -1, 0, 0, 0]
    assert (X[:2, 1:].min(axis=0) == 0).all()
    assert narrow.get_feature_names_out().tolist() == ["base score", "hash 1", "hash 2", "hash 3"]


def test_the_vocabulary_of_the_forest_does_not_matter():
    trees = Forest([*TREES[2:], *TREES[:2]])
    extractor = ParseFeatures(min_lists=1).fit(CandidateLists([2], trees=TREES[:2]))
    a = extractor.transform(CandidateLists([2], trees=TREES[:2]))
    b = extractor.transform(CandidateLists([6, 2], trees=trees)[1:])
    np.testing.assert_array_equal(a.toarray(), b.toarray())


def test_threads_change_nothing():
    lists = CandidateLists([2, 3, 3] * 4, trees=TREES * 4)
    results = [ParseFeatures(min_lists=2, n_jobs=n).fit_transform(lists) for n in (1, 3)]
    assert (results[0] != results[1]).nnz == 0


def test_copies():
    lists = CandidateLists([2, 3, 3], trees=TREES)
    extractor = ParseFeatures(min_lists=1).fit(lists)
    for copy in (
        pickle.loads(pickle.dumps(extractor)),
        ParseFeatures(min_lists=1)._from_state(*extractor._to_state()),
    ):
        assert (copy.transform(lists) != extractor.transform(lists)).nnz == 0
        assert copy.get_feature_names_out().tolist() == extractor.get_feature_names_out().tolist()
    with pytest.raises(NotFittedError, match="call fit"):
        clone(extractor).transform(lists)


@pytest.mark.parametrize(
    ("parameters", "error", "message"),
    [
        ({"min_lists": 0}, ValueError, "min_lists must be a whole number at least 1"),
        ({"base_weight": -1}, ValueError, "base_weight must be a number at least 0"),
        ({"n_features": 1000}, ValueError, "n_features must be None or a power of two from 2 to 2"),
        ({"n_features": 1}, ValueError, "n_features must be None or a power of two from 2 to 2"),
    ],
)
def test_refused_parameters(parameters, error, message):
    with pytest.raises(error, match=message):
        ParseFeatures(**parameters).fit(CandidateLists([1], trees=["(S a)"]))


def test_refused_lists():
    with pytest.raises(TypeError, match="ParseFeatures takes CandidateLists, got a Forest"):
        ParseFeatures().fit(Forest(TREES))
    with pytest.raises(ValueError, match="ParseFeatures needs trees"):
        ParseFeatures().fit(CandidateLists([1], grades=[1]))
