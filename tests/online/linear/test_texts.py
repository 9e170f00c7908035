"""Learners with a vectorizer: texts in, words in explanations."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn.feature_extraction.text import TfidfTransformer

import hedgerow
from hedgerow import registry
from hedgerow.feature_extraction import TextHasher, learned_texts
from hedgerow.inspection import explain, weights
from hedgerow.kernels import Linear, Spectrum
from hedgerow.online import AROW, Perceptron
from hedgerow.structured import Multiclass, StructuredPerceptron

WORDS = [
    "cheap",
    "pills",
    "now",
    "lunch",
    "at",
    "noon",
    "see",
    "you",
    "watches",
    "win",
    "prize",
    "late",
    "report",
    "call",
    "train",
]
LEARNERS = {name: row for name, row in registry.learners().items() if row.on_weights}


def mail(n, seed=0):
    """Texts of random words; those with "cheap" or "win" are spam."""
    random = np.random.default_rng(seed)
    texts = [" ".join(random.choice(WORDS, random.integers(3, 8))) for _ in range(n)]
    return texts, ["spam" if {"cheap", "win"} & set(text.split()) else "ham" for text in texts]


TEXTS, LABELS = mail(120)


def with_texts(row, **more):
    return row.make(vectorizer=TextHasher(2**12, norm="none", alternate_sign=row.signed, **more))


def in_pieces(learner, sizes=(1, 1, 7, 50, 61)):
    begin = 0
    for size in sizes:
        some = slice(begin, begin + size)
        learner.partial_fit(TEXTS[some], LABELS[some], classes=["ham", "spam"])
        begin += size
    return learner


@pytest.mark.parametrize("name", LEARNERS)
@pytest.mark.parametrize("counts", ["raw", "tf-idf"])
def test_pieces_copies_and_vectors(name, counts, tmp_path):
    row = LEARNERS[name]
    learner = with_texts(row, counts=counts)
    learner.partial_fit(TEXTS, LABELS, classes=["ham", "spam"])
    hedgerow.save(learner, tmp_path / "a.model")
    others = [in_pieces(with_texts(row, counts=counts))]
    others += [hedgerow.load(tmp_path / "a.model"), pickle.loads(pickle.dumps(learner))]
    for model in (learner, *others):
        model.partial_fit(TEXTS[:9], LABELS[:9])
    expected = learner.decision_function(TEXTS)
    for model in others:
        np.testing.assert_array_equal(model.decision_function(TEXTS), expected)
    if counts == "raw":
        np.testing.assert_array_equal(
            learner.decision_function(learner.vectorizer.transform(TEXTS)), expected
        )
        plain = row.make().fit(learner.vectorizer.transform(TEXTS), LABELS)
        fitted = with_texts(row).fit(TEXTS, LABELS)
        np.testing.assert_array_equal(
            fitted.decision_function(TEXTS), plain.decision_function(learner.vectorizer.transform(TEXTS))
        )


class TestTfIdf:
    def test_a_stream_knows_only_what_came_before(self):
        """Against a slow version: each text by the counts of those before it."""
        hasher = TextHasher(2**10, norm="l2")
        counts = TextHasher(2**10, norm="none").transform(TEXTS).toarray()
        slow = Perceptron()
        foreseen = []
        for i in range(len(TEXTS)):
            idf = np.log((1 + i) / (1 + (counts[:i] != 0).sum(axis=0))) + 1
            row = counts[[i]] * idf
            row /= np.linalg.norm(row)
            if i:
                foreseen.append(slow.predict(row)[0])
            slow.partial_fit(row, LABELS[i : i + 1], classes=["ham", "spam"])
        fast = Perceptron(vectorizer=hasher.set_params(counts="tf-idf"))
        predicted = fast._predict_then_learn(TEXTS, LABELS, ["ham", "spam"])
        assert predicted[1:].tolist() == foreseen
        np.testing.assert_allclose(fast.coef_, slow.coef_, rtol=1e-12, atol=1e-14)

    def test_fit_counts_all_texts_first(self):
        hasher = TextHasher(2**10, counts="tf-idf")
        counts = TextHasher(2**10, norm="none").transform(TEXTS)
        X = TfidfTransformer().fit_transform(counts)
        fitted, expected = AROW(vectorizer=hasher).fit(TEXTS, LABELS), AROW().fit(X, LABELS)
        np.testing.assert_allclose(
            fitted.decision_function(TEXTS), expected.decision_function(X), rtol=1e-9, atol=1e-12
        )

    def test_examples_that_were_not_learned_from_are_not_counted(self):
        learner, other = (Perceptron(vectorizer=TextHasher(2**10, counts="tf-idf")) for _ in range(2))
        learner.partial_fit(TEXTS[:9], LABELS[:9], classes=["ham", "spam"])
        other.partial_fit(TEXTS[:9], LABELS[:9], classes=["ham", "spam"])
        with pytest.raises(ValueError, match="eggs"):
            learner.partial_fit(TEXTS[9:], ["eggs"] * (len(TEXTS) - 9))
        with pytest.raises(ValueError, match="111"):
            learner.partial_fit(TEXTS[9:], LABELS[:3])
        np.testing.assert_array_equal(learner.decision_function(TEXTS), other.decision_function(TEXTS))


class TestWords:
    @pytest.mark.parametrize("name", LEARNERS)
    def test_weights_have_words_with_the_sign_of_their_influence(self, name):
        model = with_texts(LEARNERS[name]).fit(TEXTS, LABELS)
        shown = {str(feature.name): feature.weight for feature in weights(model, 50).of("spam")}
        assert set(shown) <= set(WORDS)
        scores = model.functions().weights.toarray().ravel()
        for word, weight in shown.items():
            (column,) = TextHasher(2**12).transform([word]).indices
            sign = TextHasher(2**12, alternate_sign=LEARNERS[name].signed).transform([word]).data[0]
            assert weight == sign * scores[column]
        (found,) = explain(model, ["cheap lunch unheard"], 5)
        assert {"cheap", "lunch"} & set(str(found).split())

    def test_words_that_share_a_column_are_said(self):
        model = Perceptron(vectorizer=TextHasher(2, alternate_sign=False, norm="none")).fit(TEXTS, LABELS)
        names = [str(feature.name) for table in weights(model) for feature in table.features]
        assert all(name.count(" / ") == 3 and name.endswith("…") for name in names)
        signed = Perceptron(vectorizer=TextHasher(2, norm="none")).fit(["at", " ".join(WORDS)], [0, 1])
        names = " ".join(str(feature.name) for table in weights(signed) for feature in table.features)
        assert "−" in names

    def test_memory_is_bounded_and_keeps_what_matters(self, monkeypatch, tmp_path):
        monkeypatch.setattr(learned_texts, "ROOM", 64)
        monkeypatch.setattr(learned_texts, "SAVED", 2)
        model = AROW(vectorizer=TextHasher(2**16))
        for number in range(40):
            texts = [f"{text} {number}x{i}" for i, text in enumerate(TEXTS[:30])]
            model.partial_fit(texts, LABELS[:30], classes=["ham", "spam"])
        assert len(model._texts.memory.words()) <= 2 * 64
        best = [str(feature.name) for feature in weights(model, 2).of("spam")]
        assert best[:2] == ["cheap", "win"] or best[:2] == ["win", "cheap"]
        hedgerow.save(model, tmp_path / "a.model")
        loaded = hedgerow.load(tmp_path / "a.model")
        assert [str(feature.name) for feature in weights(loaded, 2).of("spam")] == best
        assert len(loaded._texts.memory.words()) <= 8

    def test_learned_from_vectors_there_are_no_words(self):
        hasher = TextHasher(2**12)
        model = Perceptron(vectorizer=hasher).fit(hasher.transform(TEXTS), LABELS)
        assert str(weights(model, 1)[0].features[0].name).startswith("column ")


class TestStructured:
    def test_the_same_as_on_vectors(self, tmp_path):
        hasher = TextHasher(2**10)
        X = hasher.transform(TEXTS)
        model = StructuredPerceptron(Multiclass(vectorizer=hasher)).fit(TEXTS, LABELS)
        other = StructuredPerceptron(Multiclass()).fit(X, LABELS)
        np.testing.assert_array_equal(model.coef_, other.coef_)
        hedgerow.save(model, tmp_path / "a.model")
        loaded = hedgerow.load(tmp_path / "a.model")
        assert loaded.predict(TEXTS).tolist() == other.predict(X).tolist() == loaded.predict(X).tolist()
        (found,) = explain(loaded, ["cheap lunch"], 5)
        assert "cheap" in str(found)

    def test_refusals(self):
        with pytest.raises(ValueError, match="with a kernel it must be None"):
            StructuredPerceptron(Multiclass(Linear(), vectorizer=TextHasher())).fit(TEXTS, LABELS)
        with pytest.raises(ValueError, match="must not be 'tf-idf' here"):
            StructuredPerceptron(Multiclass(vectorizer=TextHasher(counts="tf-idf"))).fit(TEXTS, LABELS)


def test_refusals():
    with pytest.raises(ValueError, match="X holds texts, which need a vectorizer"):
        Perceptron().fit(TEXTS, LABELS)
    with pytest.raises(ValueError, match="vectorizer is for learners on weights"):
        Perceptron(Spectrum(), vectorizer=TextHasher()).fit(TEXTS, LABELS)
    with pytest.raises(ValueError, match="n_features must be None beside a vectorizer"):
        Perceptron(n_features=4, vectorizer=TextHasher()).fit(TEXTS, LABELS)
    with pytest.raises(
        TypeError, match="vectorizer must be a TextHasher, a FragmentHasher or None, got 'words'"
    ):
        Perceptron(vectorizer="words").fit(TEXTS, LABELS)
    with pytest.raises(ValueError, match="Negative values"):
        LEARNERS["mbw"].make(vectorizer=TextHasher()).fit(TEXTS, LABELS)
    fitted = Perceptron(vectorizer=TextHasher()).fit(TEXTS, LABELS)
    with pytest.raises(ValueError, match="has 2 features"):
        fitted.predict([[1.0, 2.0]])
