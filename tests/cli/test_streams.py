"""``hedgerow train`` without a kernel: one pass over files and pipes, hashed texts, and the progressive error."""

from __future__ import annotations

import gzip
import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress

import numpy as np
import pytest
from scipy import sparse
from sklearn.feature_extraction.text import HashingVectorizer

import hedgerow
from hedgerow import online, registry
from hedgerow.cli.train.saving import Saving
from hedgerow.feature_extraction import FragmentHasher, TextHasher
from hedgerow.io import write_svmlight_tk
from hedgerow.kernels import Linear, Spectrum
from hedgerow.model_selection import progressive_validation
from hedgerow.online import AROW, ROMMA, PassiveAggressive, Perceptron
from hedgerow.persistence.model_file import read_model_file, write_model

COMMAND = [sys.executable, "-m", "hedgerow"]


def same(model, expected, X):
    assert type(model) is type(expected)
    own, others = model.get_params(deep=False), expected.get_params(deep=False)
    assert {**own, "vectorizer": None} == {**others, "vectorizer": None}
    assert model.classes_.tolist() == expected.classes_.tolist()
    assert model.n_seen_ == expected.n_seen_
    np.testing.assert_array_equal(model.decision_function(X), expected.decision_function(X))


@pytest.fixture
def counts(folder):
    """Counts of features of three classes, which no Winnow refuses: counts.svm; two.svm has two classes."""
    rng = np.random.default_rng(1)
    y = rng.choice(["a", "b", "c"], 300)
    X = rng.poisson(0.2, size=(300, 40)).astype(float)
    X[np.arange(300), np.searchsorted(["a", "b", "c"], y)] += 1
    X = sparse.csr_matrix(X)
    write_svmlight_tk("counts.svm", X, y)
    write_svmlight_tk("two.svm", X, np.where(y == "a", 1, -1))
    return X, y


LEARNERS = [
    (["perceptron"], Perceptron()),
    (["perceptron", "--averaging", "average", "--bias"], Perceptron(bias=True, averaging="average")),
    (["pa", "--variant", "PA-II", "-C", "0.5"], PassiveAggressive(variant="PA-II", C=0.5)),
    (["romma", "--aggressive"], ROMMA(aggressive=True)),
    (["perceptron", "--hash-bits", "3"], Perceptron(n_features=8)),
    *(
        ([name], row.make())
        for name, row in registry.learners().items()
        if row.on_weights and not row.on_kernels
    ),
]


class TestLearners:
    @pytest.mark.parametrize(
        ("args", "learner"), LEARNERS, ids=lambda v: " ".join(v) if isinstance(v, list) else ""
    )
    def test_as_in_python(self, counts, hedgerow_command, args, learner):
        X, y = counts
        hedgerow_command.good("train", "counts.svm", "-o", "a.model", "--quiet", "--learner", *args)
        same(hedgerow.load("a.model"), learner.fit(X, y), X)
        figures = json.loads(hedgerow_command.good("evaluate", "a.model", "counts.svm", "--json"))
        assert figures["accuracy"] == learner.score(X, y)

    def test_parameters(self, counts, hedgerow_command):
        X, y = counts
        options = ["--promotion", 1.3, "--demotion", 0.7, "--threshold", 2, "--margin", 0.5]
        hedgerow_command.good("train", "counts.svm", "-o", "a.model", "--quiet", "--learner", "mbw", *options)
        learner = online.ModifiedBalancedWinnow(promotion=1.3, demotion=0.7, threshold=2.0, margin=0.5)
        same(hedgerow.load("a.model"), learner.fit(X, y), X)

    def test_linear_is_a_kernel_when_asked_for(self, points, hedgerow_command):
        hedgerow_command.good(
            "train", "--learner", "perceptron", "points.svm", "-o", "a.model", "--kernel", "linear"
        )
        assert isinstance(hedgerow.load("a.model").kernel, Linear)

    @pytest.mark.parametrize("piece", [100, 1 << 20])
    def test_epochs_and_shuffling(self, counts, hedgerow_command, monkeypatch, piece):
        monkeypatch.setattr("hedgerow.io.svmlight_tk.STREAM_PIECE", piece)
        X, y = counts
        run = [
            "train",
            "--learner",
            "perceptron",
            "counts.svm",
            "-o",
            "a.model",
            "--quiet",
            "--epochs",
            3,
            "--averaging",
            "average",
        ]
        hedgerow_command.good(*run)
        same(hedgerow.load("a.model"), Perceptron(epochs=3, averaging="average").fit(X, y), X)
        hedgerow_command.good(*run, "--shuffle", "--seed", 4)
        shuffled = Perceptron(epochs=3, averaging="average", shuffle=True, random_state=4)
        same(hedgerow.load("a.model"), shuffled.fit(X, y), X)
        assert hedgerow_command.sentence(*run, "--shuffle", "--classes", "a,b,c") == (
            "--classes is for streams, which cannot be shuffled"
        )

    def test_resuming(self, counts, hedgerow_command):
        X, y = counts
        write_svmlight_tk("first.svm", X[:100, :20], y[:100])
        write_svmlight_tk("second.svm", X[100:], y[100:])
        hedgerow_command.good(
            "train",
            "--learner",
            "perceptron",
            "first.svm",
            "-o",
            "a.model",
            "--quiet",
            "--averaging",
            "average",
        )
        hedgerow_command.good("train", "second.svm", "-o", "a.model", "--resume", "a.model", "--quiet")
        expected = Perceptron(averaging="average").partial_fit(X[:100, :20], y[:100], classes=["a", "b", "c"])
        same(hedgerow.load("a.model"), expected.partial_fit(X[100:], y[100:]), X)

    def test_several_files_and_new_features(self, folder, hedgerow_command):
        (folder / "a.svm").write_text("x 1:1\ny 2:1\n")
        (folder / "b.svm.gz").write_bytes(gzip.compress(b"y 5:1\nz 1000000:1\n"))
        hedgerow_command.good(
            "train", "--learner", "perceptron", "a.svm", "b.svm.gz", "-o", "a.model", "--quiet"
        )
        model = hedgerow.load("a.model")
        assert model.classes_.tolist() == ["x", "y", "z"]
        assert model.coef_.shape == (3, 1000000)
        (folder / "c.svm").write_text("z 1000000:1 2000000:1\n")
        assert hedgerow_command.good("predict", "a.model", "c.svm") == "z\n"

    def test_trace(self, counts, hedgerow_command):
        hedgerow_command.good(
            "train", "--learner", "perceptron", "two.svm", "-o", "a.model", "--quiet", "--trace", "t.csv"
        )
        with open("t.csv") as lines:
            assert [line.split(",")[0] for line in lines] == ["examples", "100", "200", "300"]


class TestProgress:
    def lines(self, result):
        assert result.exit_code == 0, result.output
        assert result.stdout.endswith((" supports\n", " weights\n"))
        head, *rows = (line.split() for line in result.stderr.splitlines())
        assert head == ["examples", "error", "since", "last", "label", "predicted", "features"]
        return rows

    @pytest.mark.parametrize("every", [None, 100, 130])
    def test_progressive_error(self, counts, hedgerow_command, every):
        X, y = counts
        options = [] if every is None else ["--progress-every", every]
        rows = self.lines(
            hedgerow_command.run("train", "counts.svm", "-o", "a.model", "--learner", "pa", *options)
        )
        expected = progressive_validation(
            PassiveAggressive(), X, y, trace_every=every, return_predictions=True
        )
        assert len(rows) == len(expected)
        for row, n, error, recent in zip(
            rows, expected.examples, expected.error, expected.recent_error, strict=True
        ):
            label, predicted, features = y[n - 1], expected.predictions[n - 1], X[n - 1].nnz
            assert row == [str(n), f"{error:.4f}", f"{recent:.4f}", label, predicted, str(features)]

    def test_only_the_first_pass_is_progressive(self, counts, hedgerow_command):
        rows = self.lines(
            hedgerow_command.run(
                "train", "--learner", "perceptron", "counts.svm", "-o", "a.model", "--epochs", 2
            )
        )
        assert rows[-1][0] == "300"
        assert hedgerow.load("a.model").n_seen_ == 600

    def test_when_resuming(self, counts, hedgerow_command):
        hedgerow_command.good("train", "--learner", "perceptron", "counts.svm", "-o", "a.model", "--quiet")
        rows = self.lines(hedgerow_command.run("train", "counts.svm", "-o", "b.model", "--resume", "a.model"))
        assert rows[-1][0] == "300"

    def test_with_a_kernel_when_asked_for(self, points, hedgerow_command):
        run = ["train", "--learner", "perceptron", "points.svm", "-o", "a.model", "--kernel", "rbf"]
        hedgerow_command.good(*run)  # without a line on standard error
        rows = self.lines(hedgerow_command.run(*run, "--progress-every", 90))
        assert [row[0] for row in rows] == ["90", "180", "200"]

    def test_long_labels_are_cut(self, folder, hedgerow_command):
        (folder / "a.svm").write_text("politics-and-economy 1:1\nweather 2:1\n")
        rows = self.lines(hedgerow_command.run("train", "--learner", "perceptron", "a.svm", "-o", "a.model"))
        assert rows[0][3] == "politics-an…"


TEXTS = [
    ("spam", "Buy cheap pills now, cheap!"),
    ("ham", "lunch at noon?"),
    ("spam", "cheap watches"),
    ("ham", "noon is fine, see you"),
]
LINES = "".join(f"{label}\t{text}\n" for label, text in TEXTS)


class TestTexts:
    @pytest.mark.parametrize(("bits", "ngrams"), [(None, None), (12, 2)])
    @pytest.mark.parametrize("learner", [name for name, row in registry.learners().items() if row.on_weights])
    def test_hashed_words(self, folder, hedgerow_command, learner, bits, ngrams):
        """Every learner that can keep weights has those of words; Winnows take counts, as their paper has it."""
        (folder / "mail.tsv").write_text(LINES)
        options = [] if bits is None else ["--hash-bits", bits, "--ngrams", ngrams]
        run = ["train", "mail.tsv", "-o", "a.model", "--quiet", "--format", "text", "--learner", learner]
        hedgerow_command.good(*run, *options)
        winnow = not registry.learners()[learner].signed
        vectorizer = HashingVectorizer(
            n_features=2 ** (bits or 20),
            ngram_range=(1, ngrams or 1),
            alternate_sign=not winnow,
            norm=None if winnow else "l2",
        )
        labels, texts = zip(*TEXTS, strict=True)
        X = vectorizer.transform(texts)
        expected = registry.learners()[learner].make().fit(X, list(labels))
        model = hedgerow.load("a.model")
        same(model, expected, X)
        # A loaded model takes what the command line took, and goes on with it.
        np.testing.assert_array_equal(model.decision_function(texts), expected.decision_function(X))
        assert model.partial_fit(texts[:2], labels[:2]).n_seen_ == 6
        # What was used is in the model: no options are needed any more, and labels may be left out.
        assert hedgerow_command.good("predict", "a.model", "mail.tsv").split() == expected.predict(X).tolist()
        assert hedgerow_command.good("predict", "a.model", "-", stdin="cheap pills\n") == "spam\n"
        figures = json.loads(hedgerow_command.good("evaluate", "a.model", "mail.tsv", "--json"))
        assert figures["accuracy"] == expected.score(X, list(labels))
        hedgerow_command.good("train", "mail.tsv", "-o", "b.model", "--resume", "a.model", "--quiet")
        same(hedgerow.load("b.model"), expected.partial_fit(X, list(labels)), X)

    def test_a_kernel_is_used_when_asked_for(self, folder, hedgerow_command):
        (folder / "mail.tsv").write_text(LINES)
        run = ["train", "--learner", "perceptron", "mail.tsv", "-o", "a.model", "--quiet", "--format", "text"]
        hedgerow_command.good(*run, "--hash-bits", 10)
        model = hedgerow.load("a.model")
        assert (model.kernel, model.n_features_in_) == (None, 1024)
        hedgerow_command.good(*run, "--kernel", "spectrum")
        model = hedgerow.load("a.model")
        assert (type(model.kernel), model.vectorizer) == (Spectrum, None)
        assert "only learners without a kernel" in hedgerow_command.sentence(
            *run, "--kernel", "spectrum", "--counts", "log", code=2
        )

    def test_preprocessing_is_chosen_and_kept(self, folder, hedgerow_command):
        (folder / "mail.tsv").write_text(LINES)
        run = ["train", "mail.tsv", "-o", "a.model", "--quiet", "--format", "text", "--learner", "mbw"]
        options = [
            "--counts",
            "tf-idf",
            "--norm",
            "l1",
            "--ngrams",
            "2,4",
            "--analyzer",
            "char_wb",
            "--no-lowercase",
        ]
        hedgerow_command.good(*run, *options)
        expected = TextHasher(
            analyzer="char_wb",
            ngrams=(2, 4),
            lowercase=False,
            counts="tf-idf",
            norm="l1",
            alternate_sign=False,
        )
        model = hedgerow.load("a.model")
        assert model.vectorizer.get_params() == expected.get_params()
        labels, texts = map(list, zip(*TEXTS, strict=True))
        learner = online.ModifiedBalancedWinnow(vectorizer=expected)
        learner.partial_fit(texts, labels, classes=["ham", "spam"])
        np.testing.assert_array_equal(model.decision_function(texts), learner.decision_function(texts))
        assert (
            hedgerow_command.good("predict", "a.model", "mail.tsv").split() == learner.predict(texts).tolist()
        )
        assert "--counts" in hedgerow_command.sentence(*run, "--counts", "twice", code=2)
        assert "ngrams must be" in hedgerow_command.sentence(*run, "--ngrams", "0", code=2)

    def test_words_explain(self, folder, hedgerow_command):
        (folder / "mail.tsv").write_text(LINES * 3)
        for learner in ("pa", "mbw"):
            hedgerow_command.good(
                "train", "mail.tsv", "-o", "a.model", "--quiet", "--format", "text", "--learner", learner
            )
            lines = hedgerow_command.good("explain", "a.model", "-k", 1).splitlines()
            assert [line.split()[-1] for line in lines[1:]] == ["cheap", "noon"]
        (folder / "new.tsv").write_text("cheap nonsense\n")
        assert "cheap" in hedgerow_command.good("explain", "a.model", "new.tsv", "--format", "text")

    def test_failures(self, folder, hedgerow_command):
        (folder / "mail.tsv").write_text(LINES + "no label here\n")
        run = ["train", "mail.tsv", "-o", "a.model", "--format", "text", "--learner", "arow"]
        assert hedgerow_command.sentence(*run) == "mail.tsv: an example has no label"
        assert "--tokens" in hedgerow_command.sentence(*run, "--tokens", code=2)
        assert not os.path.exists("a.model")


class TestPipes:
    def run(self, stdin, *args):
        return subprocess.run(
            [*COMMAND, "train", "--learner", "perceptron", "-", "-o", "a.model", *args],
            input=stdin,
            capture_output=True,
            check=False,
        )

    @pytest.mark.parametrize("options", [[], ["--classes", "a,b,c"]])
    @pytest.mark.parametrize("compress", [False, True])
    def test_the_same_as_the_file(self, counts, options, compress):
        X, y = counts
        with open("counts.svm", "rb") as file:
            text = file.read()
        result = self.run(gzip.compress(text) if compress else text, "--averaging", "average", *options)
        assert result.returncode == 0, result.stderr
        same(hedgerow.load("a.model"), Perceptron(averaging="average").fit(X, y), X)

    def test_labels(self, hedgerow_command, folder):
        run = ["train", "--learner", "perceptron", "-", "-o", "a.model"]
        first = "1 1:1\n-1 1:-1\n" * 600
        # More than one chunk: the last label is not among the first examples.
        many = first * 150 + "2 1:1\n"
        assert len(many) > 1 << 20
        assert hedgerow_command.sentence(*run, "--quiet", stdin=many) == (
            "standard input: the label 2 is none of -1, 1; name all labels that will come with --classes"
        )
        assert hedgerow_command.sentence(*run, stdin="1 1:1\n" * 5) == (
            "the first examples have the label 1; learning needs examples of two classes or more; name all "
            "labels that will come with --classes"
        )
        assert hedgerow_command.sentence(*run, "--quiet", "--classes", "3,4", stdin=first) == (
            "standard input: the label 1 is none of 3, 4"
        )
        assert hedgerow_command.sentence(*run, stdin="") == "no example in standard input"
        assert "can be read only once, so --epochs is not possible" in hedgerow_command.sentence(
            *run, "--epochs", 2, stdin=first
        )

    @pytest.mark.slow
    def test_constant_memory(self, folder):
        """Twenty times as many examples take no more memory."""
        program = (
            "import resource, sys\n"
            "from hedgerow.cli.app import app\n"
            "try:\n"
            "    app(['train', '-', '-o', 'a.model', '--quiet', '--classes', '-1,1'])\n"
            "except SystemExit as end:\n"
            "    assert not end.code\n"
            "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)\n"
        )
        rng = np.random.default_rng(0)
        features = np.sort(rng.choice(1000, (1000, 50)), axis=1) + np.arange(50) * 1000
        chunk = "".join(
            f"{1 - 2 * (i % 2)} {' '.join(f'{j}:0.25' for j in row)}\n" for i, row in enumerate(features + 1)
        ).encode()
        used = {}
        for times in (5, 100):
            process = subprocess.Popen(
                [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
            assert process.stdin is not None
            for _ in range(times):
                process.stdin.write(chunk)
            out, _ = process.communicate()
            assert process.returncode == 0
            used[times] = int(out.split()[-1])
            assert hedgerow.load("a.model").n_seen_ == times * 1000
        assert used[100] - used[5] < 20_000  # kilobytes; the text alone has fifty megabytes


class TestInterrupt:
    @pytest.mark.parametrize(
        ("lines", "options"),
        [("1 1:1\n-1 2:1\n", []), ("1\tbuy now\n-1\tlunch\n", ["--format", "text", "--learner", "arow"])],
        ids=["vectors", "texts"],
    )
    def test_the_model_so_far_is_written(self, folder, lines, options):
        """All examples that arrived count, though the pipe stays open."""
        os.mkfifo("in")
        run = [
            *COMMAND,
            "train",
            "--learner",
            "perceptron",
            "in",
            "-o",
            "a.model",
            "--classes",
            "-1,1",
            "--progress-every",
            "2",
        ]
        process = subprocess.Popen([*run, *options], stderr=subprocess.PIPE, text=True)
        assert process.stderr is not None
        with open("in", "w") as pipe:
            pipe.write(lines * 2)
            pipe.flush()
            said = [process.stderr.readline() for _ in range(3)]
            assert said[2].split()[0] == "4"
            running = True
            while running:  # a signal may come between two looks at it
                process.send_signal(signal.SIGINT)
                with suppress(subprocess.TimeoutExpired):
                    process.wait(timeout=5)
                    running = False
        assert process.returncode == 130
        assert re.fullmatch(
            r"hedgerow: interrupted after 4 examples; the model learned so far was written to a.model\n",
            process.stderr.read(),
        )
        process.stderr.close()
        assert hedgerow.load("a.model").n_seen_ == 4


class TestSaving:
    RUN = ("train", "-o", "a.model", "--quiet", "--save-every")

    def test_refusals(self, counts, hedgerow_command):
        fails = hedgerow_command.sentence
        for every in ("0", "-5", "5x", "1.5m", ""):
            said = fails(*self.RUN, every, "two.svm", "--learner", "arow", code=2)
            assert "must be a number of examples, such as 1000, or a time, such as 30s, 5m or 1h" in said
        together = "training uses all examples together"
        assert together in fails(*self.RUN, 5, "two.svm", "--learner", "svm", code=2)
        assert together in fails(*self.RUN, 5, "two.svm", "--learner", "arow", "--shuffle", code=2)
        assert "--resume" in fails("train", "two.svm", "-o", "a.model", "--skip-seen", code=2)
        assert not os.path.exists("a.model")
        hedgerow.save(Perceptron().fit(*counts), "a.model")
        assert "a.model does not say how many examples of its stream" in fails(
            "train", "counts.svm", "-o", "b.model", "--resume", "a.model", "--skip-seen"
        )

    @pytest.mark.parametrize(("epochs", "seen"), [(1, 140), (3, 770)])
    def test_files_go_on_where_training_was_stopped(
        self, counts, hedgerow_command, monkeypatch, epochs, seen
    ):
        X, y = counts
        run = [*self.RUN, 70, "counts.svm", "--learner", "pa", "--epochs", epochs]

        def crash(saving, examples, learned=Saving.learned):
            learned(saving, examples)
            if saving._learned == seen:
                raise RuntimeError("killed")

        with monkeypatch.context() as patched:
            patched.setattr(Saving, "learned", crash)
            assert hedgerow_command.run(*run).exit_code == 1
        # A model that was stopped, and one that has learned all, say so.
        assert hedgerow.load("a.model").n_seen_ == seen
        result = hedgerow_command.run("train", "counts.svm", "-o", "a.model", "--resume", "a.model")
        assert f"the first {seen} examples are skipped, since a.model has seen them" in result.stderr
        same(hedgerow.load("a.model"), PassiveAggressive(epochs=epochs).fit(X, y), X)
        assert read_model_file("a.model").trained_on["examples"] == 300
        assert read_model_file("a.model").trained_on["data"] == ["counts.svm"]
        hedgerow_command.good("train", "counts.svm", "-o", "a.model", "--resume", "a.model", "--quiet")
        assert hedgerow.load("a.model").n_seen_ == 300 * (epochs + 1)
        assert read_model_file("a.model").trained_on["examples"] == 600

    def test_while_nothing_arrives(self, folder):
        os.mkfifo("in")
        run = [*COMMAND, *self.RUN, "1s", "in", "--classes", "-1,1", "--learner", "pa"]
        with subprocess.Popen(run) as process, open("in", "w") as pipe:
            pipe.write("1 1:1\n-1 2:1\n")
            pipe.flush()
            while not os.path.exists("a.model"):
                assert process.poll() is None
                time.sleep(0.05)
            assert hedgerow.load("a.model").n_seen_ == 2
            process.kill()

    def test_a_full_disk_does_not_end_learning(self, counts, hedgerow_command, monkeypatch):
        def full(saving, path, write=Saving.write):
            if not saving.finished:
                raise OSError(28, "No space left on device")
            write(saving, path)

        monkeypatch.setattr(Saving, "write", full)
        result = hedgerow_command.run(*self.RUN, 200, "two.svm", "--learner", "arow")
        assert result.exit_code == 0
        assert result.stderr == (
            "hedgerow: warning: a.model could not be written, learning continues: No space left on device\n"
        )
        assert hedgerow.load("a.model").n_seen_ == 300

    def test_forged(self, counts, hedgerow_command):
        notes = {"columns": {"vector": "vector"}, "labels": "word"}
        for stream in (3, {}, {"data": 1}, {"data": ["a"], "begun": -1, "examples": 0, "finished": True}):
            trained = {"data": [], "examples": 0, "stream": stream}
            write_model(Perceptron().fit(*counts), "a.model", notes, trained)
            run = ["train", "counts.svm", "-o", "b.model", "--resume", "a.model"]
            assert "does not say how far its training had come" in hedgerow_command.sentence(*run)


class TestTrees:
    """Learners on weights hash fragments of trees."""

    def test_learners_without_kernels(self, questions, hedgerow_command):
        run = ["train", "six.tk", "-o", "a.model", "--quiet", "--learner", "arow"]
        hedgerow_command.good(*run)
        model = hedgerow.load("a.model")
        expected = AROW(vectorizer=FragmentHasher()).fit(questions.trees[:240], questions.y[:240])
        assert (model.coef_ != expected.coef_).sum() == 0
        predicted = hedgerow_command.good("predict", "a.model", "test.tk").split()
        assert predicted == expected.predict(questions.trees[240:]).tolist()
        explained = hedgerow_command.good("explain", "a.model", "test.tk", "--examples", 1)
        assert "(WHNP WDT NN)" in explained
        assert "all other fragments" in explained

    def test_others_when_told(self, questions, hedgerow_command):
        run = ["train", "six.tk", "-o", "a.model", "--quiet", "--learner", "pa", "--epochs", 2]
        hedgerow_command.good(*run, "--hash-bits", 12, "--counts", "log")
        model = hedgerow.load("a.model")
        hasher = FragmentHasher(n_features=2**12, counts="log")
        expected = PassiveAggressive(vectorizer=hasher, epochs=2).fit(
            questions.trees[:240], questions.y[:240]
        )
        assert (model.kernel, (model.coef_ != expected.coef_).sum()) == (None, 0)
        hedgerow_command.good(*run)
        assert hedgerow.load("a.model").kernel is not None

    def test_a_stream_of_trees(self, questions, hedgerow_command):
        lines = (questions.folder / "two.tk").read_text()
        run = ["train", "-", "-o", "a.model", "--quiet", "--learner", "ftrl", "--classes", "-1,1"]
        hedgerow_command.good(*run, stdin=lines)
        hedgerow_command.good("train", "two.tk", "-o", "b.model", "--quiet", "--learner", "ftrl")
        a, b = hedgerow.load("a.model"), hedgerow.load("b.model")
        assert (a.coef_ != b.coef_).sum() == 0
        hedgerow_command.good("train", "two.tk", "-o", "c.model", "--quiet", "--resume", "a.model")

    def test_models_from_python_read_trees(self, questions, hedgerow_command):
        model = AROW(vectorizer=FragmentHasher(2**12)).fit(questions.trees[:240], questions.y[:240])
        hedgerow.save(model, "a.model")
        predicted = hedgerow_command.good("predict", "a.model", "test.tk").split()
        assert predicted == model.predict(questions.trees[240:]).tolist()


class TestFailures:
    def test_what_does_not_fit(self, points, questions, hedgerow_command):
        run = ["train", "--learner", "perceptron", "points.svm", "-o", "a.model"]
        fails = hedgerow_command.sentence
        assert "the learner arow has no kernel" in fails(*run, "--learner", "arow", "--kernel", "rbf", code=2)
        assert "it is for the kernel rbf" in fails(*run, "--learner", "arow", "--gamma", 1, code=2)
        assert "it is for " in fails(*run, "--learner", "arow", "--budget", 5, code=2)
        assert "only learners without a kernel" in fails(*run, "--kernel", "rbf", "--hash-bits", 5, code=2)
        assert "the data are vectors, no texts" in fails(*run, "--ngrams", 2, code=2)
        trees = ["train", "two.tk", "-o", "a.model", "--learner"]
        assert "the data are trees, no texts" in fails(*trees, "arow", "--ngrams", 2, code=2)
        assert "counts must be" in fails(*trees, "arow", "--counts", "tf-idf")
        assert "only learners without a kernel" in fails(*trees, "perceptron", "--counts", "log", code=2)
        assert "--column must be one of vector" in fails(*run, "--column", "tree")
        assert "--hash-bits" in fails(*run, "--hash-bits", 31, code=2)
        assert not os.path.exists("a.model")

    def test_bad_lines_have_a_place(self, folder, hedgerow_command):
        (folder / "a.svm").write_text("1 1:1\n-1 1:x\n")
        assert hedgerow_command.sentence(
            "train", "--learner", "perceptron", "a.svm", "-o", "a.model"
        ).startswith("a.svm, line 2, column 6: expected a number as the value of feature 1")

    def test_winnows_refuse_negative_features(self, points, hedgerow_command):
        assert "Negative values" in hedgerow_command.sentence(
            "train", "points.svm", "-o", "a.model", "--learner", "mbw"
        )

    def test_columns(self, folder, hedgerow_command):
        (folder / "a.tk").write_text("1 1:1 |BV| 2:1 |EV|\n-1 1:-1 |BV| 3:1 |EV|\n")
        run = ["train", "a.tk", "-o", "a.model", "--quiet", "--learner"]
        assert "choose one of vector, vector_2 with --column" in hedgerow_command.sentence(*run, "rda")
        run.append("perceptron")
        assert "on vector + normalized(linear) on vector_2" in hedgerow_command.run(*run).stderr
        assert "only learners without a kernel" in hedgerow_command.sentence(*run, "--hash-bits", 4, code=2)
        hedgerow_command.good(*run, "--column", "vector_2")
        assert hedgerow.load("a.model").coef_.tolist() == [[0.0, 1.0, -1.0]]
        assert hedgerow_command.good("predict", "a.model", "a.tk") == "1\n-1\n"
