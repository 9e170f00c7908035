"""``--stream``: learning in pieces, from files and pipes."""

from __future__ import annotations

import gzip

import numpy as np
import pytest

import hedgerow
from hedgerow.io import write_columns
from hedgerow.structured import SequenceSVC
from tests.cli.structured.sentences import inputs, labels


class TestStreams:
    @pytest.mark.parametrize("epochs", [1, 3])
    def test_pieces_give_the_model_of_all(self, chunks, hedgerow_command, monkeypatch, epochs):
        from hedgerow.io import readers

        monkeypatch.setattr(readers, "SENTENCES", 7)
        options = ["--problem", "sequence", "--learner", "structured-perceptron", "--averaging", "average"]
        options += ["--epochs", epochs]
        hedgerow_command.good("train", "train.txt", "-o", "a.model", *options)
        out = hedgerow_command.good("train", "train.txt", "-o", "b.model", *options, "--stream")
        assert out.startswith("40 sentences, ")
        a, b = (hedgerow.load(name) for name in ("a.model", "b.model"))
        assert a.predict(inputs(chunks[1])) == b.predict(inputs(chunks[1]))
        assert (a.mistakes_, a.n_seen_) == (b.mistakes_, b.n_seen_)

    def test_frank_wolfe(self, chunks, hedgerow_command, monkeypatch):
        from hedgerow.io import readers

        monkeypatch.setattr(readers, "SENTENCES", 20)
        options = ["--problem", "sequence", "-C", 0.1, "--seed", 1]
        hedgerow_command.good("train", "train.txt", "-o", "a.model", *options)
        hedgerow_command.good("train", "train.txt", "-o", "b.model", *options, "--stream")
        train, test = chunks
        parts = [train[:20], train[20:]]
        expected = SequenceSVC(0.1, classes=["B-NP", "I-NP", "O"], random_state=1)
        for part in parts:
            expected.partial_fit(inputs(part), labels(part))
        np.testing.assert_array_equal(hedgerow.load("b.model").coef_, expected.coef_)
        a, b = (hedgerow.load(name).score(inputs(test), labels(test)) for name in ("a.model", "b.model"))
        assert b > a - 0.1

    def test_going_on(self, chunks, hedgerow_command):
        train, test = chunks
        for name, part in (("first.txt", train[:25]), ("second.txt", train[25:])):
            write_columns(name, part)
        options = ["--problem", "sequence", "--learner", "structured-perceptron", "--averaging", "average"]
        hedgerow_command.good("train", "train.txt", "-o", "a.model", *options)
        hedgerow_command.good("train", "first.txt", "-o", "b.model", *options)
        out = hedgerow_command.good("train", "second.txt", "--resume", "b.model", "-o", "b.model")
        assert out.startswith("15 sentences, ")
        a, b = (hedgerow.load(name) for name in ("a.model", "b.model"))
        assert a.predict(inputs(test)) == b.predict(inputs(test))
        assert (a.mistakes_, b.n_seen_) == (b.mistakes_, 40)
        text = hedgerow_command.sentence(
            "train", "second.txt", "--resume", "b.model", "-o", "c", "--order", 2, code=2
        )
        assert "the model that --resume names has this settled already" in text

    def test_pipe(self, chunks, hedgerow_command, folder):
        packed = gzip.compress((folder / "train.txt").read_bytes())
        command = [
            "train",
            "-",
            "-o",
            "a.model",
            "--problem",
            "sequence",
            "--learner",
            "structured-perceptron",
        ]
        command += ["--stream", "--classes", "B-NP,I-NP,O,B-VP"]
        hedgerow_command.good(*command, stdin=packed)
        assert list(hedgerow.load("a.model").problem_.classes_) == ["B-NP", "B-VP", "I-NP", "O"]
        assert "can be read only once, so --epochs is not possible" in hedgerow_command.sentence(
            *command, "--epochs", 2, stdin=packed
        )

    def test_labels_that_a_pipe_does_not_begin_with(self, hedgerow_command, folder, monkeypatch):
        from hedgerow.io import readers

        monkeypatch.setattr(readers, "SENTENCES", 1)
        command = [
            "train",
            "-",
            "-o",
            "a.model",
            "--problem",
            "sequence",
            "--learner",
            "structured-perceptron",
        ]
        text = b"a A\nb B\n\na A\n\nc C\nb B\n"
        words = "standard input: the label C is none of A, B; name all labels that will come with --classes"
        assert hedgerow_command.sentence(*command, "--stream", stdin=text) == words
        hedgerow_command.good(*command, "--stream", "--classes", "A,B,C", stdin=text)
        assert hedgerow_command.sentence(*command, "--stream", stdin=b"\n") == "no example in standard input"

    def test_labels_of_classes(self, hedgerow_command, folder):
        command = [
            "train",
            "-",
            "-o",
            "a.model",
            "--problem",
            "multiclass",
            "--learner",
            "structured-perceptron",
        ]
        words = "standard input: the label c is none of a, b"
        text = b"a 1:1\nb 2:1\nc 3:1\n"
        assert hedgerow_command.sentence(*command, "--stream", "--classes", "a,b", stdin=text) == words
        hedgerow_command.good(*command, "--stream", stdin=text)

    def test_what_learns_from_all_only(self, chunks, hedgerow_command):
        command = ["train", "train.txt", "-o", "a.model", "--problem", "sequence", "--stream"]
        text = hedgerow_command.sentence(*command, "--solver", "n-slack")
        assert text == "solver='n-slack' does not support further examples; use solver='frank-wolfe'"
        text = hedgerow_command.sentence(*command, "--learner", "structured-perceptron", "--shuffle", code=2)
        assert "a stream has its own order" in text
        text = hedgerow_command.sentence(*command[:-1], "--classes", "O,B", code=2)
        assert "it names the labels of a --stream" in text
