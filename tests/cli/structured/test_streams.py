"""``--stream``: learning in pieces, from files and pipes."""

from __future__ import annotations

import gzip

import pytest

import hedgerow
from tests.cli.structured.sentences import inputs


class TestStreams:
    @pytest.mark.parametrize("epochs", [1, 3])
    def test_pieces_give_the_model_of_all(self, chunks, hedgerow_command, monkeypatch, epochs):
        from hedgerow.cli.structured import sequences

        pieces = sequences.iter_columns
        monkeypatch.setattr(sequences, "iter_columns", lambda path, **options: pieces(path, 7, **options))
        options = ["--problem", "sequence", "--learner", "structured-perceptron", "--averaging", "average"]
        options += ["--epochs", epochs]
        hedgerow_command.good("train", "train.txt", "-o", "a.model", *options)
        out = hedgerow_command.good("train", "train.txt", "-o", "b.model", *options, "--stream")
        assert out.startswith("40 sentences, ")
        a, b = (hedgerow.load(name) for name in ("a.model", "b.model"))
        assert a.predict(inputs(chunks[1])) == b.predict(inputs(chunks[1]))
        assert (a.mistakes_, a.n_seen_) == (b.mistakes_, b.n_seen_)

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
        assert list(hedgerow.load("a.model").problem_.labels_) == ["B-NP", "B-VP", "I-NP", "O"]
        assert "can be read only once, so --epochs is not possible" in hedgerow_command.sentence(
            *command, "--epochs", 2, stdin=packed
        )

    def test_what_learns_from_all_only(self, chunks, hedgerow_command):
        command = ["train", "train.txt", "-o", "a.model", "--problem", "sequence", "--stream"]
        text = hedgerow_command.sentence(*command, "--solver", "n-slack", code=2)
        assert "only structured-perceptron, and structured-svm with --solver frank-wolfe" in text
        text = hedgerow_command.sentence(*command, "--learner", "structured-perceptron", "--shuffle", code=2)
        assert "a stream has its own order" in text
        text = hedgerow_command.sentence(*command[:-1], "--classes", "O,B", code=2)
        assert "it names the labels of a --stream" in text
