"""Commands on a cluster: what they write is what they write without one."""

from __future__ import annotations

import json
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from hedgerow.datasets import load_questions
from hedgerow.io import write_svmlight_tk
from hedgerow.persistence.model_file import read_model

pytest.importorskip("distributed")
SENTENCES = "He PRP B-NP\nruns VBZ B-VP\n\nThe DT B-NP\ndog NN I-NP\nbarks VBZ B-VP\n\nIt PRP B-NP\n. . O\n\n"


@pytest.fixture(scope="module")
def scheduler():
    """The address of a scheduler with two workers."""
    from hedgerow.distributed import connected

    with connected(workers=2, quiet=True) as client:
        yield client.scheduler.address


@pytest.fixture
def parts(folder):
    """Questions in four parts: parts/0.tk to parts/3.tk.gz; of two classes in parts/two0.svm ..."""
    trees, y = load_questions()
    (folder / "parts").mkdir()
    for number in range(4):
        rows = slice(75 * number, 75 * number + 75)
        write_svmlight_tk(f"parts/{number}.tk{'.gz' * (number % 2)}", trees[rows], y[rows])
    return SimpleNamespace(folder=folder, trees=trees, y=y)


@pytest.fixture
def model(parts, hedgerow_command):
    hedgerow_command.good("train", "--learner", "perceptron", "parts/*.tk*", "-o", "m", "--quiet")
    return "m"


class TestPatterns:
    def test_they_are_files_in_the_order_of_their_names(self, parts, hedgerow_command):
        good = hedgerow_command.good
        good("train", "--learner", "perceptron", "parts/*.tk*", "-o", "a")
        files = (f"parts/{name}" for name in ("0.tk", "1.tk.gz", "2.tk", "3.tk.gz"))
        good("train", "--learner", "perceptron", *files, "-o", "b")
        assert (parts.folder / "a").read_bytes() == (parts.folder / "b").read_bytes()
        assert len(good("predict", "a", "parts/[01]*").splitlines()) == 150
        assert len(good("convert", "parts/*", "--to", "json").splitlines()) == 300

    def test_a_pattern_of_nothing(self, model, hedgerow_command):
        assert hedgerow_command.sentence("predict", model, "parts/*.zip") == "no file matches parts/*.zip"

    def test_a_file_that_is_called_like_a_pattern(self, parts, hedgerow_command, model):
        (parts.folder / "parts" / "[0].tk").write_text("NUM |BT| (S (A a)) |ET|\n")
        assert len(hedgerow_command.good("predict", model, "parts/[0].tk").splitlines()) == 1


class TestPredict:
    @pytest.mark.parametrize("more", [(), ("--scores",)])
    def test_the_same_lines(self, scheduler, model, hedgerow_command, more):
        here = hedgerow_command.good("predict", model, "parts/*", *more)
        there = hedgerow_command.good("predict", model, "parts/*", *more, "--scheduler", scheduler)
        assert here == there
        assert len(here.splitlines()) == 300

    def test_workers_of_its_own_and_an_output_file(self, parts, model, hedgerow_command):
        hedgerow_command.good("predict", model, "parts/*", "-o", "labels.gz", "--workers", 1)
        hedgerow_command.good("predict", model, "parts/*", "-o", "labels2.gz")
        assert (parts.folder / "labels.gz").read_bytes() == (parts.folder / "labels2.gz").read_bytes()

    def test_models_of_svm_light_tk(self, scheduler, parts, hedgerow_command):
        two = np.where(parts.y == "NUM", 1, -1)
        write_svmlight_tk("two.tk", parts.trees, two)
        hedgerow_command.run("svm_learn", "-t", "5", "two.tk", "svm.model")
        here = hedgerow_command.good("predict", "svm.model", "two.tk", "--scores")
        there = hedgerow_command.good("predict", "svm.model", "two.tk", "--scores", "--scheduler", scheduler)
        assert here == there
        assert len(set(here.splitlines())) > 2

    def test_broken_and_missing_files(self, scheduler, parts, model, hedgerow_command):
        where = ("--scheduler", scheduler)
        (parts.folder / "parts" / "2.tk").write_text("NUM |BT| (S (A a)) |ET|\nNUM |BT| (S |ET|\n")
        sentence = hedgerow_command.sentence("predict", model, "parts/*", "-o", "out", *where)
        assert "parts/2.tk, line 2" in sentence
        assert not (parts.folder / "out").exists()
        sentence = hedgerow_command.sentence("predict", model, "none.tk", *where)
        assert sentence.endswith("none.tk: No such file or directory")

    def test_standard_input(self, model, hedgerow_command):
        sentence = hedgerow_command.sentence("predict", model, "-", "--workers", 2, stdin="")
        assert sentence.startswith("standard input cannot be shared out among workers")

    def test_data_of_the_wrong_kind(self, scheduler, parts, model, hedgerow_command):
        (parts.folder / "v.svm").write_text("NUM 1:1\n")
        here = hedgerow_command.sentence("predict", model, "v.svm")
        there = hedgerow_command.sentence("predict", model, "v.svm", "--scheduler", scheduler)
        assert there == f"{parts.folder}/{here}"

    def test_nothing_there(self, scheduler, parts, model, hedgerow_command):
        (parts.folder / "empty.tk").write_text("")
        for more in ((), ("--scheduler", scheduler)):
            sentence = hedgerow_command.sentence("predict", model, "empty.tk", *more)
            assert sentence == "no example in empty.tk"


class TestEvaluate:
    def test_the_same_figures(self, scheduler, model, hedgerow_command):
        here = hedgerow_command.good("evaluate", model, "parts/*", "--json")
        there = hedgerow_command.good("evaluate", model, "parts/*", "--json", "--scheduler", scheduler)
        assert json.loads(here) == json.loads(there)
        tables = hedgerow_command.good("evaluate", model, "parts/*", "--scheduler", scheduler)
        assert tables == hedgerow_command.good("evaluate", model, "parts/*")

    def test_examples_without_labels(self, scheduler, parts, model, hedgerow_command):
        (parts.folder / "a.mrg").write_text("(S (A a))\n")
        for more in ((), ("--scheduler", scheduler)):
            assert "an example has no label" in hedgerow_command.sentence("evaluate", model, "a.mrg", *more)


class TestClusters:
    def test_no_scheduler(self, model, hedgerow_command, monkeypatch):
        monkeypatch.setattr("hedgerow.distributed.cluster.PATIENCE", 1)
        sentence = hedgerow_command.sentence("predict", model, "parts/*", "--scheduler", "tcp://127.0.0.1:9")
        assert sentence == "no Dask scheduler answers at tcp://127.0.0.1:9"
        sentence = hedgerow_command.sentence("predict", model, "parts/*", "--scheduler", "no such place")
        assert sentence == "no Dask scheduler answers at no such place"

    def test_a_scheduler_has_its_own_workers(self, scheduler, model, hedgerow_command):
        sentence = hedgerow_command.sentence(
            "predict", model, "parts/*", "--scheduler", scheduler, "--workers", 2, code=2
        )
        assert "--workers: the cluster of --scheduler has its own workers" in sentence

    def test_without_dask(self, model, hedgerow_command, monkeypatch):
        monkeypatch.setitem(sys.modules, "distributed", None)
        sentence = hedgerow_command.sentence("evaluate", model, "parts/*", "--workers", 2)
        assert sentence == "this needs Dask: pip install hedgerow[distributed]"


class TestStructured:
    @pytest.fixture
    def chunks(self, folder, hedgerow_command):
        for number in range(3):
            (folder / f"part{number}.txt").write_text(SENTENCES * (number + 1))
        hedgerow_command.good("train", "part0.txt", "-o", "m", "--problem", "sequence", "-C", "0.01")
        return "m"

    def test_sequences(self, scheduler, chunks, hedgerow_command):
        for command in (("predict",), ("evaluate",), ("evaluate", "--json")):
            name, *more = command
            here = hedgerow_command.good(name, chunks, "part*.txt", *more)
            assert hedgerow_command.good(name, chunks, "part*.txt", *more, "--scheduler", scheduler) == here
        assert json.loads(here)["sentences"] == 18

    def test_no_labels(self, scheduler, folder, chunks, hedgerow_command):
        (folder / "new.txt").write_text("He PRP\nbarks VBZ\n")
        where = ("--scheduler", scheduler)
        assert hedgerow_command.good("predict", chunks, "new.txt", *where).startswith("He PRP B-NP\n")
        sentence = hedgerow_command.sentence("evaluate", chunks, "new.txt", *where)
        assert sentence.endswith("new.txt: there are no labels: expected 3 columns")

    def test_grammars(self, scheduler, folder, hedgerow_command):
        trees = "(S (NP (N a)) (VP (V b)))\n(S (NP (N a)\n (N c)) (VP (V b)))\n"
        for number in range(2):
            (folder / f"{number}.mrg").write_text(trees)
        hedgerow_command.good("train", "0.mrg", "-o", "m", "--problem", "grammar")
        for name in ("predict", "evaluate"):
            here = hedgerow_command.good(name, "m", "*.mrg")
            assert hedgerow_command.good(name, "m", "*.mrg", "--scheduler", scheduler) == here


class TestTrain:
    """Models of shards: the same on a cluster and here, and with the notes of models that were trained as usual."""

    @pytest.fixture
    def points(self, folder):
        random = np.random.default_rng(0)
        for number in range(3):
            rows = random.normal(size=(40, 5 + number))
            lines = [
                f"{'spam' if row[:2].sum() > 0 else 'ham'} "
                + " ".join(f"{j}:{value:.3f}" for j, value in enumerate(row, 1))
                for row in rows
            ]
            (folder / f"part{number}.svm").write_text("\n".join(lines) + "\n")
            texts = "spam\tbuy now cheap\nham\tsee you soon\n" * 10
            (folder / f"part{number}.tsv").write_text(texts)
        return folder

    def train(self, hedgerow_command, pattern, options, scheduler):
        """Models here, there, and as usual; the first two must be the same."""
        seed = ("--seed", 1) if "--sampling" in options else ()
        good = hedgerow_command.good
        good("train", pattern, "-o", "here", *options, *seed, "--shards", 3)
        good("train", pattern, "-o", "there", *options, *seed, "--shards", 3, "--scheduler", scheduler)
        good(
            "train", pattern, "-o", "usual", *options, *seed, *(() if "--problem" in options else ["--quiet"])
        )

    @pytest.mark.parametrize(
        "options",
        [
            ("--learner", "perceptron", "--averaging", "average", "--epochs", 2),
            ("--learner", "arow"),
            ("--learner", "vrda", "--loss", "logistic", "--l1", 0.001, "--features", 9),
            ("--learner", "pa", "--hash-bits", 3),
            ("--learner", "cutting-plane", "-C", 3),
            ("--learner", "cutting-plane", "--sampling", "uniform", "--sample-size", 20),
        ],
    )
    def test_vectors(self, scheduler, points, hedgerow_command, options):
        self.train(hedgerow_command, "part*.svm", options, scheduler)
        assert read_model("there")[1] == read_model("usual")[1]
        figures = json.loads(hedgerow_command.good("evaluate", "there", "part*.svm", "--json"))
        assert figures["accuracy"] > 0.85
        if "cutting-plane" in options:
            usual = hedgerow_command.good("predict", "usual", "part*.svm", "--scores")
            there = hedgerow_command.good("predict", "there", "part*.svm", "--scores")
            np.testing.assert_allclose(*(np.array(text.split(), float) for text in (usual, there)), atol=1e-9)

    def test_hashed_texts(self, scheduler, points, hedgerow_command):
        options = ("--learner", "mbw", "--format", "text", "--ngrams", 2)
        self.train(hedgerow_command, "part*.tsv", options, scheduler)
        assert read_model("there")[1] == read_model("usual")[1]
        assert hedgerow_command.good("predict", "there", "part0.tsv").splitlines() == ["spam", "ham"] * 10

    def test_trees(self, scheduler, parts, hedgerow_command):
        options = ("--learner", "cutting-plane", "--kernel", "sst", "--decay", 0.3, "--tol", 0.1)
        self.train(hedgerow_command, "parts/*", options, scheduler)
        assert read_model("there")[1] == read_model("usual")[1]

    @pytest.mark.parametrize(
        "options",
        [
            ("--solver", "one-slack", "-C", 0.1),
            ("--learner", "structured-perceptron", "--epochs", 3, "--averaging", "average"),
        ],
    )
    def test_sequences(self, scheduler, folder, hedgerow_command, options):
        for number in range(3):
            (folder / f"part{number}.txt").write_text(SENTENCES * (number + 1))
        self.train(hedgerow_command, "part*.txt", ("--problem", "sequence", *options), scheduler)
        here, there = (hedgerow_command.good("predict", name, "part2.txt") for name in ("here", "there"))
        assert here == there
        assert read_model("there")[1] == read_model("usual")[1]

    def test_classes_and_taxonomies(self, scheduler, points, hedgerow_command):
        (points / "parents.tsv").write_text("all\tham\nall\tspam\n")
        for more in (("multiclass",), ("taxonomy", "--taxonomy", "parents.tsv")):
            options = ("--problem", *more, "--solver", "one-slack", "--slack", "linear")
            self.train(hedgerow_command, "part*.svm", options, scheduler)
            assert read_model("there")[1] == read_model("usual")[1]
            figures = json.loads(hedgerow_command.good("evaluate", "there", "part*.svm", "--json"))
            assert figures["accuracy"] > 0.85

    def test_what_shards_have_no_use_for(self, points, hedgerow_command):
        def refused(*options, code=2):
            command = ["train", "part*.svm", "-o", "m", *options, "--shards", 2]
            return hedgerow_command.sentence(*command, code=code)

        assert "--resume: it is not for learning from shards" in refused("--resume", "m")
        assert "--classes: it is not for learning from shards" in refused("--classes", "a,b")
        assert "the learner svm needs all examples in one memory" in refused("--learner", "svm")
        assert "--stream: it is not" in refused("--problem", "multiclass", "--stream")

    def test_what_goes_wrong(self, scheduler, points, hedgerow_command):
        where = ("--scheduler", scheduler)
        sentence = hedgerow_command.sentence(
            "train", "--learner", "perceptron", "part*.svm", "-o", "m", "--shards", 4, *where
        )
        assert sentence == "shards must be at most 3, the number of files, got 4"
        sentence = hedgerow_command.sentence(
            "train", "--learner", "perceptron", "part*.svm", "-o", "m", "--features", 3, *where
        )
        assert sentence == "--features must be at least 5, the highest feature in the data, got 3"
        (points / "part1.svm").write_text("spam 1:1\nham 1:x\n")
        sentence = hedgerow_command.sentence(
            "train", "--learner", "perceptron", "part*.svm", "-o", "m", *where
        )
        assert "part1.svm, line 2, column 7" in sentence
        (points / "one.svm").write_text("spam 1:1\n")
        sentence = hedgerow_command.sentence("train", "--learner", "perceptron", "one.svm", "-o", "m", *where)
        assert "all 1 examples have the label spam" in sentence
        assert not (points / "m").exists()
