"""Streams that are killed at any moment and started again: nothing is learned twice, or lost beyond the last save."""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from contextlib import suppress

import numpy as np
import pytest

import hedgerow
from hedgerow.feature_extraction import TextHasher
from hedgerow.online import AROW, ModifiedBalancedWinnow, Perceptron
from tests.hostile.commands import commands

KILLS = int(os.environ.get("HEDGEROW_KILLS", "12"))  # of each kind
EVERY = 100
ENDINGS = (signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
WORDS = [f"word{i}" for i in range(400)]
KINDS = {
    "file": (
        "--learner mbw",
        ModifiedBalancedWinnow(vectorizer=TextHasher(norm="none", alternate_sign=False)),
    ),
    "passes": (
        "--learner perceptron --averaging average --epochs 3 --counts tf-idf",
        Perceptron(averaging="average", epochs=3, vectorizer=TextHasher(counts="tf-idf")),
    ),
    "pipe-again": ("--learner arow --hash-bits 12", AROW(vectorizer=TextHasher(2**12))),
    "pipe-goes-on": (
        "--learner perceptron --averaging vote --hash-bits 10",
        Perceptron(averaging="vote", vectorizer=TextHasher(2**10)),
    ),
}


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    with commands() as found:
        found.run(tmp_path_factory.mktemp("first"), "--version")  # when this has ended, all is imported
        yield found


class Fed:
    """Writes lines into a pipe, a few at a time, until nobody reads them."""

    def __init__(self, path, lines, rng):
        self.path, self.lines, self.seed = path, lines, rng.random()
        self.thread = threading.Thread(target=self.feed)
        self.thread.start()

    def feed(self):
        rng, at = random.Random(self.seed), 0
        with suppress(BrokenPipeError), open(self.path, "w") as pipe:
            while at < len(self.lines):
                n = rng.randint(1, 300)
                pipe.write("".join(self.lines[at : at + n]))
                pipe.flush()
                at += n
                time.sleep(rng.random() * 0.005)

    def end(self):
        while self.thread.is_alive():  # who was killed before it began to read never will
            os.close(os.open(self.path, os.O_RDONLY | os.O_NONBLOCK))
            self.thread.join(0.05)


class Run:
    """One stream, started again and again; the oracle learns what a saved model must have learned."""

    def __init__(self, kind, folder, start, rng):
        self.kind, self.folder, self.start, self.rng = kind, folder, start, rng
        self.options = KINDS[kind][0].split()
        words = random.Random(1)
        texts = [" ".join(words.choices(WORDS, k=words.randint(3, 30))) for _ in range(2500)]
        labels = ["spam" if "word7" in text or words.random() < 0.1 else "ham" for text in texts]
        self.lines = [f"{label}\t{text}\n" for label, text in zip(labels, texts, strict=True)]
        self.texts, self.labels = texts, labels
        (folder / "mail.tsv").write_text("".join(self.lines))
        os.mkfifo(folder / "in")
        self.begin()

    def begin(self):
        (self.folder / "out").unlink(missing_ok=True)
        learner = KINDS[self.kind][1]
        self.oracle = type(learner)(**learner.get_params(deep=False))
        self.seen = 0
        self.total = len(self.texts) * learner.epochs

    def check(self, exact):
        """What was saved is what learning from so many examples gives, in their order."""
        out = self.folder / "out"
        if not out.exists():
            assert self.seen == 0
            return
        model = hedgerow.load(out)
        assert model.n_seen_ >= self.seen
        assert exact or model.n_seen_ % EVERY == self.seen % EVERY
        n = len(self.texts)
        while self.seen < model.n_seen_:
            begin, end = self.seen % n, min(n, self.seen % n + model.n_seen_ - self.seen)
            self.oracle.partial_fit(self.texts[begin:end], self.labels[begin:end], classes=["ham", "spam"])
            self.seen += end - begin
        some = self.texts[:200]
        np.testing.assert_array_equal(model.decision_function(some), self.oracle.decision_function(some))

    def once(self, ending):
        """Starts it, and ends it at some moment; whether it had come to its end."""
        piped = self.kind.startswith("pipe")
        arguments = ["train", "in" if piped else "mail.tsv", "-o", "out", "--save-every", EVERY, "--quiet"]
        if (self.folder / "out").exists():
            arguments += ["--resume", "out", *(["--skip-seen"] if self.kind == "pipe-again" else [])]
        else:
            arguments += ["--format", "text", "--classes", "ham,spam", *self.options]
        feeder = None
        if piped:
            lines = self.lines if self.kind == "pipe-again" else self.lines[self.seen :]
            feeder = Fed(self.folder / "in", lines, self.rng)
        command = self.start.start(self.folder, *arguments)
        time.sleep(self.rng.uniform(0, 0.7))
        command.send(ending)
        status = command.status()
        if feeder is not None:
            feeder.end()
        assert status in (0, -ending, 128 + ending), command.said()
        assert "Traceback" not in command.said()
        self.check(exact=status != -signal.SIGKILL)
        assert not (self.folder / "out.interrupted").exists()
        return status == 0


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_started_again(kind, tmp_path, start):
    seed = int(os.environ.get("HEDGEROW_SEED", random.randrange(10**6)))
    print(f"HEDGEROW_SEED={seed}")
    run = Run(kind, tmp_path, start, random.Random(seed))
    stopped = ended = 0
    while stopped < KILLS or not ended:
        # In the end it may come to its end.
        ending = run.rng.choice(ENDINGS) if stopped < KILLS else 0
        if run.once(ending):
            ended += 1
            assert run.seen == run.total
            run.begin()
        else:
            stopped += 1
            if kind == "pipe-goes-on" and run.seen == run.total:
                run.begin()  # stopped behind its last example: a pipe without any is an error
