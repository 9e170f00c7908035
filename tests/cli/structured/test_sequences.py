"""``--problem sequence``: the same models as from Python, predictions in columns, figures and failures."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import hedgerow
from hedgerow.io import read_columns, write_columns
from hedgerow.kernels import Polynomial
from hedgerow.structured import LabelSequence, SequenceSVC, StructuredPerceptron, Templates, span_scores
from tests.cli.structured.sentences import inputs, labels, sentences


class TestSequences:
    @pytest.mark.parametrize(
        ("options", "expected"),
        [
            ([], SequenceSVC()),
            (
                ["-C", 0.5, "--solver", "one-slack"],
                SequenceSVC(C=0.5, solver="one-slack"),
            ),
            (
                ["--slack", "quadratic", "--solver", "n-slack", "--rescaling", "slack", "--order", 2],
                SequenceSVC(slack="quadratic", rescaling="slack", solver="n-slack", order=2),
            ),
            (
                ["--learner", "structured-perceptron", "--epochs", 3, "--averaging", "average"],
                StructuredPerceptron(LabelSequence(), epochs=3, averaging="average"),
            ),
            (
                [
                    "--learner",
                    "structured-perceptron",
                    "--variant",
                    "PA-I",
                    "-C",
                    0.2,
                    "--constraints",
                    "bio",
                ],
                StructuredPerceptron(LabelSequence(constraints="bio"), variant="PA-I", C=0.2),
            ),
            (
                ["--learner", "structured-perceptron", "--kernel", "polynomial", "--degree", 2],
                StructuredPerceptron(LabelSequence(kernel=Polynomial(degree=2))),
            ),
        ],
        ids=lambda value: " ".join(map(str, value)) if isinstance(value, list) else "",
    )
    def test_the_same_as_from_python(self, chunks, hedgerow_command, options, expected):
        train, test = chunks
        if isinstance(expected, SequenceSVC) and expected.solver in ("auto", "frank-wolfe"):
            options = [*options, "--seed", 3]
            expected.random_state = 3
        out = hedgerow_command.good("train", "train.txt", "-o", "a.model", "--problem", "sequence", *options)
        assert out.startswith("40 sentences, ")
        model = hedgerow.load("a.model")
        expected.fit(inputs(train), labels(train))
        assert type(model) is type(expected)
        np.testing.assert_array_equal(model.coef_, expected.coef_)
        predicted = expected.predict(inputs(test))

        hedgerow_command.good("predict", "a.model", "test.txt", "-o", "out.txt")
        assert read_columns("out.txt") == [
            [(*token, label) for token, label in zip(sentence, row, strict=True)]
            for sentence, row in zip(test, predicted, strict=True)
        ]
        figures = json.loads(hedgerow_command.good("evaluate", "a.model", "test.txt", "--json"))
        scores = span_scores(labels(test), predicted)
        assert (figures["span_f1"], figures["accuracy"]) == (scores.f1, scores.accuracy)
        assert figures["spans"]["NP"]["recall"] == scores.by_type["NP"].recall
        assert 0 <= figures["f1"] <= 1
        assert (figures["sentences"], figures["examples"]) == (15, sum(map(len, test)))
        table = hedgerow_command.good("evaluate", "a.model", "test.txt")
        assert "15 sentences, " in table
        assert "NP" in table

    def test_data_without_labels(self, chunks, hedgerow_command):
        _, test = chunks
        hedgerow_command.good("train", "train.txt", "-o", "a.model", "--problem", "sequence")
        with_labels = hedgerow_command.good("predict", "a.model", "test.txt")
        write_columns("bare.txt", inputs(test))
        without = hedgerow_command.good("predict", "a.model", "bare.txt")
        assert [line.split()[-1:] for line in without.split("\n")] == [
            line.split()[-1:] for line in with_labels.split("\n")
        ]
        text = "bare.txt: there are no labels: expected 3 columns"
        assert hedgerow_command.sentence("evaluate", "a.model", "bare.txt") == text
        write_columns("wide.txt", [[(*token, "x") for token in sentence] for sentence in test])
        text = "wide.txt: expected 3 columns as before, or 2 without labels, found 4"
        assert hedgerow_command.sentence("predict", "a.model", "wide.txt", "-o", "b") == text

    def test_labels_in_another_column_and_comments(self, chunks, hedgerow_command, folder):
        train, _ = chunks
        lines = "".join("# id\n" + "".join(f"{c} {w} {t}\n" for w, t, c in row) + "\n" for row in train)
        (folder / "first.txt").write_text(lines)
        options = ["--problem", "sequence", "--seed", 1]
        hedgerow_command.good("train", "train.txt", "-o", "a.model", *options)
        for column in (1, -3):
            hedgerow_command.good(
                "train", "first.txt", "-o", "b.model", *options, "--label-column", column, "--comments", "#"
            )
            a, b = (hedgerow.load(name) for name in ("a.model", "b.model"))
            np.testing.assert_array_equal(a.coef_, b.coef_)
            out = hedgerow_command.good("evaluate", "b.model", "first.txt", "--json")
            assert json.loads(out)["sentences"] == len(train)

    def test_templates_of_a_file(self, chunks, hedgerow_command, folder):
        train, _ = chunks
        (folder / "templates").write_text("# comment\nword[0]\n\nU01:%x[-1,1]/%x[0,1]\n")
        options = ["--problem", "sequence", "--learner", "structured-perceptron"]
        hedgerow_command.good("train", "train.txt", "-o", "a.model", *options, "--templates", "templates")
        problem = LabelSequence(templates=Templates(["word[0]", "U01:%x[-1,1]/%x[0,1]"]))
        expected = StructuredPerceptron(problem).fit(inputs(train), labels(train))
        np.testing.assert_array_equal(hedgerow.load("a.model").coef_, expected.coef_)
        text = "must be a file or one of none, auto, text, chunking, names, tagged-names, got 'nowhere'"
        assert text in hedgerow_command.sentence(
            "train", "train.txt", "-o", "b", *options, "--templates", "nowhere", code=2
        )

    def test_the_k_best_with_scores(self, chunks, hedgerow_command):
        _, test = chunks
        hedgerow_command.good("train", "train.txt", "-o", "a.model", "--problem", "sequence", "--seed", 1)
        model = hedgerow.load("a.model")
        ranked = model.predict_k(inputs(test), 3)
        blocks = hedgerow_command.good("predict", "a.model", "test.txt", "--k-best", 3, "--scores").split(
            "\n\n"
        )[:-1]
        expected = [
            "\n".join(
                [
                    f"# {place} {score!r}",
                    *(" ".join((*token, label)) for token, label in zip(row, y, strict=True)),
                ]
            )
            for row, pairs in zip(test, ranked, strict=True)
            for place, (y, score) in enumerate(pairs, 1)
        ]
        assert blocks == expected
        plain = hedgerow_command.good("predict", "a.model", "test.txt", "--k-best", 1)
        assert plain == hedgerow_command.good("predict", "a.model", "test.txt")
        lines = hedgerow_command.good("predict", "a.model", "test.txt", "--scores").split("\n")
        margins = [float(line.split()[-1]) for line in lines if line]
        assert margins == pytest.approx(np.concatenate(model.token_margins(inputs(test))), rel=1e-5)
        figures = json.loads(
            hedgerow_command.good("evaluate", "a.model", "test.txt", "--k-best", 3, "--json")
        )
        found = figures["k_best"]
        assert found["within"][0] == figures["sentence_accuracy"]
        assert found["within"] == sorted(found["within"])
        assert sum(group["examples"] for group in found["margins"]) == figures["sentences"] == len(test)
        shown = hedgerow_command.good("evaluate", "a.model", "test.txt", "--k-best", 3)
        assert f"true outputs among the best 1 to 3: {found['within'][0]:.4f}, " in shown
        Path("sure.json").write_text(json.dumps(figures))
        hedgerow_command.good("report", "sure.json", "-o", "sure.html")
        assert "the best 3" in Path("sure.html").read_text()

    def test_final_models(self, chunks, hedgerow_command, folder):
        options = ["--problem", "sequence", "--seed", 1]
        hedgerow_command.good("train", "train.txt", "-o", "a.model", *options)
        hedgerow_command.good("train", "train.txt", "-o", "b.model", *options, "--final")
        assert hedgerow_command.good("predict", "a.model", "test.txt") == hedgerow_command.good(
            "predict", "b.model", "test.txt"
        )
        assert (folder / "b.model").stat().st_size < (folder / "a.model").stat().st_size
        text = "b.model was written with --final, without the state that learning continues from"
        assert hedgerow_command.sentence("train", "train.txt", "-o", "c.model", "--resume", "b.model") == text

    def test_templates_follow_the_columns(self, chunks, hedgerow_command):
        train, _ = chunks
        write_columns("words.txt", [[(word, label) for word, _, label in sentence] for sentence in train])
        hedgerow_command.good("train", "words.txt", "-o", "a.model", "--problem", "sequence")
        templates = hedgerow.load("a.model").templates
        assert (templates.templates, list(templates.columns)) == ("text", ["word"])

    def test_failures(self, chunks, hedgerow_command, folder):
        train = ["--problem", "sequence", "-o", "a.model"]
        (folder / "ragged.txt").write_text("a X O\nb X\n")
        text = "ragged.txt, line 2: expected 3 columns as on the first token's line, found 2"
        assert hedgerow_command.sentence("train", "ragged.txt", *train) == text
        (folder / "narrow.txt").write_text("a\n")
        text = "narrow.txt: expected a word and a label at least, found 1 column"
        assert hedgerow_command.sentence("train", "narrow.txt", *train) == text
        write_columns("two.txt", [[("a", "O")]])
        text = "two.txt: there are no labels: expected 3 columns"
        assert hedgerow_command.sentence("train", "train.txt", "two.txt", *train) == text
        text = "train.txt: there is no column 4 (--label-column): there are 3"
        assert hedgerow_command.sentence("train", "train.txt", *train, "--label-column", 4) == text
        text = "columns are counted from 1, or from -1 backwards"
        assert text in hedgerow_command.sentence("train", "train.txt", *train, "--label-column", 0, code=2)
        (folder / "empty.txt").write_text("\n")
        assert hedgerow_command.sentence("train", "empty.txt", *train) == "no example in empty.txt"
        assert not (folder / "a.model").exists()


@pytest.mark.parametrize("learner", ["structured-svm", "structured-perceptron"])
def test_interrupted_training_keeps_what_was_learned(chunks, hedgerow_command, monkeypatch, learner):
    kind = SequenceSVC if learner == "structured-svm" else StructuredPerceptron
    fit = kind.fit

    def interrupted(self, X, y):
        fit(self, X, y)
        raise KeyboardInterrupt

    monkeypatch.setattr(kind, "fit", interrupted)
    command = ["train", "train.txt", "-o", "a.model", "--problem", "sequence", "--learner", learner]
    text = hedgerow_command.sentence(*command, code=130)
    assert text.startswith("interrupted after ")
    assert text.endswith("the model learned so far was written to a.model")
    assert len(hedgerow.load("a.model").predict(inputs(chunks[1]))) == 15
    text = hedgerow_command.sentence(*command, code=130)
    assert text.endswith("written to a.model.interrupted; a.model is as it was")


def test_models_saved_from_python(folder, hedgerow_command):
    train = sentences(30)
    write_columns("test.txt", train)
    model = SequenceSVC().fit(inputs(train), labels(train))
    hedgerow.save(model, "a.model")
    figures = json.loads(hedgerow_command.good("evaluate", "a.model", "test.txt", "--json"))
    assert figures["accuracy"] == model.score(inputs(train), labels(train))
