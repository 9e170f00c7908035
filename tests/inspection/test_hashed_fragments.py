"""Hashed fragments: which ones the weights of a learner stand for, and where they are in source code."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

import hedgerow
from hedgerow import Forest, Records
from hedgerow.feature_extraction import FragmentHasher
from hedgerow.inspection import explain, fragments, weights
from hedgerow.kernels import PartialTree
from hedgerow.online import AROW, PassiveAggressive, Perceptron

TREES = Forest(
    [
        "(S (NP Mary) (VP sings))",
        "(S (NP Mary) (VP sleeps))",
        "(S (NP John) (VP sings))",
        "(S (NP (D the) (N dog)) (VP barks))",
    ]
)
LABELS = ["loud", "quiet", "loud", "loud"]
THREE = ["song", "rest", "song", "noise"]


def slow_names(hasher, trees):
    """By column, the fragments of all trees in words."""
    names = {}
    for i in range(len(trees)):
        for column, _, name in hasher.fragments(trees[[i]]):
            names.setdefault(column, set()).add(name)
    return names


@pytest.mark.parametrize("bits", [4, 16])
@pytest.mark.parametrize("labels", [LABELS, THREE])
def test_columns_stand_for_their_fragments(bits, labels):
    hasher = FragmentHasher(n_features=2**bits)
    model = make_pipeline(hasher, PassiveAggressive(epochs=5)).fit(TREES, labels)
    found, names = fragments(model, TREES, 5), slow_names(hasher, TREES)
    rows = model[-1].coef_
    expected_labels = model[-1].classes_.tolist()
    assert found.labels == (expected_labels if len(expected_labels) > 2 else expected_labels[1:])
    for table, row in zip(found, rows, strict=True):
        largest = np.sort(np.abs(row[row != 0]))[::-1][:5]
        assert np.sort([abs(one.weight) for one in table.features])[::-1] == pytest.approx(largest)
        for one in table.features:
            columns = np.flatnonzero(np.isclose(np.abs(row), abs(one.weight)))
            words = {word.removeprefix("\N{MINUS SIGN}") for word in one.name.split(" / ")}
            assert any(words == names[column] for column in columns)


def test_weights_have_the_sign_of_what_they_do():
    """A tree with nothing but the fragment scores its weight."""
    hasher = FragmentHasher(subtrees=0, paths=1, leaves=0, productions=False, siblings=False, norm="none")
    model = make_pipeline(hasher, PassiveAggressive(epochs=5)).fit(TREES, LABELS)
    for one in fragments(model, TREES, 20)[0].features:
        assert model.decision_function([f"({one.name})"])[0] == pytest.approx(one.weight)
    assert any(one.weight > 0 for one in fragments(model, TREES, 20, sign="for")[0].features)
    assert all(one.weight < 0 for one in fragments(model, TREES, 20, sign="against")[0].features)


def test_trees_may_lack_a_fragment():
    model = make_pipeline(FragmentHasher(), Perceptron(epochs=5)).fit(TREES, LABELS)
    assert "which these trees lack" in str(fragments(model, ["(A b)"], 3))


@pytest.mark.parametrize("last", [PassiveAggressive(epochs=3), LogisticRegression()])
@pytest.mark.parametrize("labels", [LABELS, THREE])
def test_explanations_of_pipelines_add_up(last, labels):
    model = make_pipeline(FragmentHasher(norm="none"), TfidfTransformer(), last).fit(TREES, labels)
    scores = model.decision_function(TREES)
    for i, one in enumerate(explain(model, TREES, 3)):
        assert one.predicted == model.predict(TREES)[i]
        total = [account.total() for account in one.accounts]
        assert total == pytest.approx(np.atleast_1d(scores[i]).tolist())
        names = {name for _, _, name in FragmentHasher().fragments(TREES[[i]])}
        for feature in one.main.contributions:
            assert {word.removeprefix("\N{MINUS SIGN}") for word in feature.name.split(" / ")} <= names
            assert feature.places


def test_places_are_nodes():
    hasher = FragmentHasher(subtrees=0, paths=0, productions=False, siblings=False, leaves=2, norm="none")
    model = make_pipeline(hasher, LogisticRegression()).fit(TREES, LABELS)
    (one,) = explain(model, TREES[:1], 10)
    places = {feature.name: feature.places for feature in one.main.contributions}
    assert places["Mary"] == ((0, 0),)
    assert places["Mary sings"] == ((0, 2),)


class TestLearnersOfTrees:
    """vectorizer=FragmentHasher() equals a pipeline."""

    @pytest.mark.parametrize("make", [Perceptron, PassiveAggressive, AROW])
    @pytest.mark.parametrize("of", [lambda X: X, lambda X: list(X.to_brackets()), lambda X: Records(tree=X)])
    def test_like_a_pipeline(self, make, of):
        hasher = FragmentHasher(n_features=2**8)
        expected = make().fit(hasher.transform(TREES), THREE)
        learner = make(vectorizer=hasher).fit(of(TREES), THREE)
        assert np.array_equal(learner.coef_, expected.coef_)
        assert np.array_equal(
            learner.decision_function(of(TREES)), expected.decision_function(hasher.transform(TREES))
        )
        piecewise = make(vectorizer=hasher)
        for i in range(len(TREES)):
            piecewise.partial_fit(of(TREES[[i]]), THREE[i : i + 1], classes=sorted(set(THREE)))
        assert np.array_equal(piecewise.coef_, expected.coef_)

    def test_saved_and_explained(self, tmp_path):
        model = AROW(vectorizer=FragmentHasher(n_features=2**8)).fit(TREES, THREE)
        hedgerow.save(model, tmp_path / "model")
        again = hedgerow.load(tmp_path / "model")
        assert np.array_equal(again.decision_function(TREES), model.decision_function(TREES))
        assert str(explain(again, TREES)) == str(explain(model, TREES))
        assert str(fragments(again, TREES, 3)) == str(fragments(model, TREES, 3))
        assert "column" in str(weights(again, 2))

    def test_texts_need_their_own(self):
        with pytest.raises(ValueError, match=r"FragmentHasher\(\) of the fragments"):
            AROW().fit(["(A b)"], [1])


class TestRefusals:
    def test_what_has_no_hashed_fragments(self):
        with pytest.raises(TypeError, match="FragmentHasher"):
            fragments(Perceptron().fit([[1.0], [-1.0]], [1, 2]), TREES)
        with pytest.raises(TypeError, match="no weights of features"):
            fragments(Perceptron(PartialTree()).fit(TREES, LABELS), TREES)
        with pytest.raises(TypeError, match=r"fragments\(model, X\)"):
            fragments(make_pipeline(FragmentHasher(), Perceptron()).fit(TREES, LABELS), 5)

    def test_steps_that_change_columns(self):
        model = make_pipeline(FragmentHasher(2**6), TruncatedSVD(2), Perceptron()).fit(TREES, LABELS)
        with pytest.raises(ValueError, match="must keep its 64 columns, got 2"):
            fragments(model, TREES)

    def test_pipelines_that_end_otherwise(self):
        with pytest.raises(TypeError, match="not with a TfidfTransformer"):
            fragments(make_pipeline(FragmentHasher(), TfidfTransformer()).fit(TREES), TREES)


class TestSources:
    CODE = ("int f(int x) {\n  return x + 1;\n}\n", "int g(int x) {\n  return x - 2;\n}\n")

    @pytest.fixture(autouse=True)
    def _parser(self):
        pytest.importorskip("tree_sitter_language_pack")

    @pytest.fixture
    def model(self):
        trees = Forest.from_source(self.CODE, "c", unit="function")
        hasher = FragmentHasher(subtrees=0, paths=0, productions=False, siblings=False, leaves=2)
        return make_pipeline(hasher, Perceptron(epochs=3)).fit(trees, ["more", "less"])

    def test_marks_are_where_the_words_are(self, model):
        trees = Forest.from_source(self.CODE, "c", unit="function")
        for code, one in zip(self.CODE, explain(model, trees), strict=True):
            marks = one.in_source(code, "c", "more", unit="function")
            assert marks
            begin = [0, *(i + 1 for i, character in enumerate(code) if character == "\n")]
            for mark in marks:
                text = code[
                    begin[mark.line - 1] + mark.column - 1 : begin[mark.end_line - 1] + mark.end_column
                ]
                words = mark.what.replace("-LRB-", "(").replace("-RRB-", ")")
                assert "".join(text.split()) == "".join(words.split())
            total = sum(mark.contribution for mark in marks)
            assert total == pytest.approx(sum(f.contribution for f in one["more"].contributions))
        assert "     2 |   return x - 2;\n       |          ------" in str(marks)
        assert "<span" in marks.to_html()

    def test_characters_and_bytes(self, model):
        """Columns count characters; bytes that are none count as one each."""
        code = "/* äöü \N{MUSICAL SYMBOL G CLEF} */ int f(int x) { return x + 1; }"
        other = b"/* \xff\xfe */ int f(int x) { return x + 1; }"
        for source, column in ((code, code.index("1") + 1), (other, other.index(b"1") + 1)):
            (one,) = explain(model, Forest.from_source([source], "c", unit="function"))
            marks = one.in_source(source, "c", "more", unit="function")
            assert column in {mark.column for mark in marks if mark.what == "1"}

    def test_kernels_mark_nodes(self):
        trees = Forest.from_source(self.CODE, "c")
        model = Perceptron(PartialTree()).fit(trees, ["more", "less"])
        (one,) = explain(model, trees[:1])
        marks = one.in_source(self.CODE[0], "c", "more")
        assert marks
        values = one["more"].nodes[""]
        assert marks[0].contribution == pytest.approx(max(values))
        with pytest.raises(ValueError, match="is not the tree of this source"):
            one.in_source(self.CODE[0], "c", "more", tokens=False)

    def test_other_sources_are_refused(self, model):
        (one,) = explain(model, Forest.from_source(self.CODE[:1], "c", unit="function"))
        with pytest.raises(ValueError, match="is not the tree of this source"):
            one.in_source("int f;", "c", "more")
        with pytest.raises(ValueError, match="which has 1, got 3"):
            one.in_source(self.CODE[0], "c", "more", place=3, unit="function")
