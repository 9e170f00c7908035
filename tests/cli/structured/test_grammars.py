"""``--problem grammar``: trees in brackets, or sentences as texts."""

from __future__ import annotations

import json

import numpy as np
import pytest

import hedgerow
from hedgerow import Forest
from hedgerow.structured import PCFG, GrammarSVC, StructuredPerceptron, WeightedGrammar, bracket_scores
from hedgerow.structured.grammar.functions import feature_names

TREES = [
    "(S (NP (D the) (N dog)) (VP (V barks)))",
    "(S (NP (N Rex)) (VP (V sees) (NP (D a) (N cat))))",
    "(S (NP (NP (D the) (N dog)) (PP (P in) (NP (N Rome)))) (VP (V barks)))",
    "(S (NP (N Ana)) (VP (V sees) (NP (D the) (N dog)) (PP (P in) (NP (N Rome)))))",
]


class TestGrammars:
    @pytest.fixture(autouse=True)
    def treebank(self, folder):
        (folder / "train.mrg").write_text("\n".join(TREES))
        (folder / "test.mrg").write_text("( (S (NP (D a)\n (N dog)) (VP (V barks))) )\n" + TREES[1])

    @pytest.mark.parametrize("options", [[], ["--rescaling", "slack"], ["--input", "words", "--markov", 1]])
    def test_the_same_as_from_python(self, hedgerow_command, options):
        out = hedgerow_command.good("train", "train.mrg", "-o", "a.model", "--problem", "grammar", *options)
        assert out.startswith("4 trees, ")
        given = dict(zip(options[::2], options[1::2], strict=True))
        settings = {name.removeprefix("--"): value for name, value in given.items()}
        trees = Forest(TREES)
        expected = GrammarSVC(**settings).fit(trees, trees)
        np.testing.assert_array_equal(hedgerow.load("a.model").coef_, expected.coef_)
        test = Forest.read("test.mrg")
        predicted = expected.predict(test)
        lines = hedgerow_command.good("predict", "a.model", "test.mrg").splitlines()
        assert lines == Forest(predicted).to_brackets()
        figures = json.loads(hedgerow_command.good("evaluate", "a.model", "test.mrg", "--json"))
        scores = bracket_scores(test, predicted)
        assert (figures["f1"], figures["exact"]) == (scores.f1, scores.exact_match)
        assert (figures["precision"], figures["recall"]) == (scores.precision, scores.recall)
        assert "2 trees" in hedgerow_command.good("evaluate", "a.model", "test.mrg")

    def test_perceptron_and_probabilities(self, hedgerow_command):
        trees = Forest(TREES)
        options = ["--problem", "grammar", "--learner", "structured-perceptron", "--epochs", 5, "--parents"]
        hedgerow_command.good("train", "train.mrg", "-o", "a.model", *options)
        expected = StructuredPerceptron(WeightedGrammar(parents=True), epochs=5).fit(trees, trees)
        np.testing.assert_array_equal(hedgerow.load("a.model").coef_, expected.coef_)
        hedgerow_command.good(
            "train", "train.mrg", "-o", "b.model", "--problem", "grammar", "--learner", "pcfg"
        )
        expected = PCFG().fit(trees, trees)
        np.testing.assert_array_equal(hedgerow.load("b.model").coef_, expected.coef_)
        for model in ("a.model", "b.model"):
            figures = json.loads(hedgerow_command.good("evaluate", model, "train.mrg", "--json"))
            assert figures["f1"] > 0.8

    def test_span_features(self, hedgerow_command):
        trees = Forest(TREES)
        train = ["train", "train.mrg", "-o", "a.model", "--problem", "grammar"]
        hedgerow_command.good(*train, "--span-features", "length,first:tag+last:tag")
        expected = GrammarSVC(span_features=["length", "first:tag+last:tag"]).fit(trees, trees)
        np.testing.assert_array_equal(hedgerow.load("a.model").coef_, expected.coef_)
        hedgerow_command.good(*train, "--span-features", "none")
        assert hedgerow.load("a.model").problem_.spans_ is None
        assert "first" in hedgerow_command.sentence(*train, "--span-features", "first", code=2)
        pcfg = [*train, "--learner", "pcfg", "--span-features", "auto"]
        assert "span-features" in hedgerow_command.sentence(*pcfg, code=2)

    def test_sentences_as_texts(self, hedgerow_command, folder):
        hedgerow_command.good("train", "train.mrg", "-o", "a.model", "--problem", "grammar")
        (folder / "tags.txt").write_text("D N V\n\nN V D N\n")
        first, empty, second = hedgerow_command.good("predict", "a.model", "tags.txt").splitlines()
        assert first == "(S (NP (D D) (N N)) (VP (V V)))"
        assert (empty, Forest([second])[0].leaves()) == ("", ["N", "V", "D", "N"])

    def test_failures(self, hedgerow_command, folder):
        train = ["train", "train.mrg", "-o", "a.model", "--problem", "grammar"]
        assert "the problem grammar has no kernel" in hedgerow_command.sentence(
            *train, "--kernel", "sst", code=2
        )
        stream = [*train, "--learner", "structured-perceptron", "--stream"]
        assert "the problem grammar does not take it" in hedgerow_command.sentence(
            *stream, "--classes", "S", code=2
        )
        (folder / "bad.mrg").write_text("(S (N a))\n(S (N b)\n")
        assert hedgerow_command.sentence("train", "bad.mrg", *train[2:]).startswith("bad.mrg, line 2")

    @pytest.mark.parametrize("source", ["train.mrg", "-"])
    def test_streams(self, hedgerow_command, folder, monkeypatch, source):
        monkeypatch.setattr("hedgerow.io.sources.BATCH", 2)
        broken = (folder / "train.mrg").read_text().replace(" (VP", "\n  (VP")  # a tree on several lines
        (folder / "train.mrg").write_text(broken)
        options = ["--problem", "grammar", "--learner", "structured-perceptron", "--stream"]
        hedgerow_command.good("train", source, "-o", "a.model", *options, stdin=broken.encode())
        trees = Forest.read("train.mrg")
        model, whole = hedgerow.load("a.model"), StructuredPerceptron(WeightedGrammar())
        assert model.n_seen_ == len(trees) == 4
        for begin in (0, 1, 2, 3):  # a piece is two lines or more, here one tree
            whole.partial_fit(trees[begin : begin + 1], trees[begin : begin + 1])
        # Features are numbered piece by piece: rules, then spans.
        mine, theirs = (dict(zip(feature_names(m.problem_), m.coef_, strict=True)) for m in (model, whole))
        assert mine == theirs
        more = hedgerow_command.good("train", "train.mrg", "--resume", "a.model", "-o", "b.model")
        assert more.startswith("4 trees, ")
        assert hedgerow.load("b.model").n_seen_ == 8

    def test_bad_lines_of_streams(self, hedgerow_command, folder, monkeypatch):
        monkeypatch.setattr("hedgerow.io.sources.BATCH", 2)
        (folder / "bad.mrg").write_text("(S (N a))\n(S (N b))\n(S (N c)))\n(S (N d))\n")
        command = ["train", "bad.mrg", "-o", "a.model", "--problem", "grammar"]
        said = hedgerow_command.sentence(*command, "--learner", "structured-perceptron", "--stream")
        assert said.startswith("bad.mrg, line 3")

    def test_models_saved_from_python(self, hedgerow_command):
        trees = Forest(TREES)
        hedgerow.save(GrammarSVC().fit(trees, trees), "b.model")
        assert json.loads(hedgerow_command.good("evaluate", "b.model", "train.mrg", "--json"))["trees"] == 4
