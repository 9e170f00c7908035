"""Predictions, scores and figures over shards: equal to local ones, in order, whatever happens to workers."""

from __future__ import annotations

import gzip
import os
import signal
import threading
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import sparse

from hedgerow import distributed
from hedgerow.data import FormatError
from hedgerow.data.candidate_lists import CandidateLists
from hedgerow.datasets import load_questions
from hedgerow.distributed import connected, decision_function, evaluate, predict
from hedgerow.io import iter_svmlight_tk, read_svmlight_tk, write_svmlight_tk
from hedgerow.kernels import RBF, Linear, Normalized, OnColumn, Spectrum, SubsetTree
from hedgerow.models.tallies import Confusion, evaluation
from hedgerow.online import Perceptron
from hedgerow.structured import (
    GrammarSVC,
    Reranking,
    SequenceSVC,
    StructuredPerceptron,
    TaxonomySVC,
    Templates,
    bracket_scores,
    span_scores,
)
from hedgerow.structured.hierarchy import Hierarchy
from hedgerow.svm import SVC
from hedgerow.svmlight_tk import SvmlightTkModel, SvmlightTkParameters, SvmlightTkScorer

N_PARTS = 5


@pytest.fixture(scope="module")
def questions(tmp_path_factory):
    """Questions in five parts, and models of them."""
    folder = tmp_path_factory.mktemp("questions")
    trees, y = load_questions()
    paths = []
    for number, rows in enumerate(np.array_split(np.arange(len(y)), N_PARTS)):
        paths.append(folder / f"part{number}.tk.gz")
        write_svmlight_tk(paths[-1], trees[rows[0] : rows[-1] + 1], y[rows])
    six = Perceptron(Normalized(SubsetTree()), averaging="average").fit(trees[:200], y[:200])
    two = SVC(Normalized(SubsetTree())).fit(trees[:150], y[:150] == "NUM")
    return SimpleNamespace(folder=folder, paths=paths, trees=trees, y=y, six=six, two=two)


def both(client):
    return (None, client)


def shards(questions, n=N_PARTS):
    return distributed.read(questions.folder / "part*.gz", shards=n)


class TestClassifiers:
    def test_labels_are_those_of_the_model_in_order(self, client, questions):
        local = [questions.six.predict(read_svmlight_tk(path)[0]) for path in questions.paths]
        for where in both(client):
            found = list(predict(questions.six, shards(questions), client=where))
            assert [labels.tolist() for labels in found] == [labels.tolist() for labels in local]
            assert found[0].dtype == questions.six.classes_.dtype
            joined = np.concatenate(list(predict(questions.six, shards(questions, 2), client=where)))
            assert joined.tolist() == questions.six.predict(questions.trees).tolist()

    def test_scores_are_the_same_bits(self, client, questions):
        for model in (questions.six, questions.two):
            local = [model.decision_function(read_svmlight_tk(path)[0]) for path in questions.paths]
            for where in both(client):
                found = list(decision_function(model, shards(questions), client=where))
                for ours, wanted in zip(found, local, strict=True):
                    np.testing.assert_array_equal(ours, wanted)

    def test_figures_are_those_of_the_command_line(self, client, questions):
        predicted = questions.six.predict(questions.trees)
        confusion = Confusion(zip(questions.y.tolist(), predicted.tolist(), strict=True))
        wanted = evaluation(confusion, questions.six.classes_.tolist())
        for where in both(client):
            assert evaluate(questions.six, shards(questions), client=where) == wanted

    def test_a_shard_is_read_in_pieces(self, questions, monkeypatch):
        monkeypatch.setattr("hedgerow.io.svmlight_tk.STREAM_PIECE", 1000)  # bytes
        pieces = []
        real = questions.six.decision_function
        monkeypatch.setattr(questions.six, "decision_function", lambda X: pieces.append(len(X)) or real(X))
        found = np.concatenate(list(predict(questions.six, shards(questions))))
        assert max(pieces) < 30  # of 60
        assert found.tolist() == questions.six.predict(questions.trees).tolist()

    def test_only_some_shards_are_under_way(self, client, questions):
        done = []
        results = predict(questions.six, shards(questions), client=client, watch=done.append)
        next(results)
        assert len(done) == 1
        results.close()

    def test_progress_counts_examples(self, questions):
        seen = []
        list(predict(questions.six, shards(questions), watch=seen.append))
        assert [progress.done for progress in seen] == [60, 120, 180, 240, 300]
        assert seen[0].total == seen[-1].total == 300
        assert "examples/s" in str(seen[-1])

    def test_models_of_svm_light_tk(self, client, questions):
        model = SvmlightTkModel(
            SvmlightTkParameters(kernel_type=5), questions.trees[:20], np.linspace(-1, 1, 20), threshold=0.1
        )
        scorer = SvmlightTkScorer(model)
        for where in both(client):
            found = np.concatenate(list(predict(scorer, shards(questions), client=where)))
            assert found.tolist() == scorer.predict(questions.trees).tolist()
            assert set(found.tolist()) == {-1, 1}

    def test_texts(self, tmp_path):
        (tmp_path / "a.txt").write_text("x\tabcabc\nx\tabab\ny\tcdcd\ny\tccdd\n")
        model = Perceptron(Spectrum(2)).fit(["abab", "cdcd"], ["x", "y"])
        data = distributed.read(tmp_path / "a.txt", "text")
        assert evaluate(model, data)["accuracy"] == 1.0
        (tmp_path / "b.txt").write_text("abab\ncdcd\n")
        assert [x.tolist() for x in predict(model, distributed.read(tmp_path / "b.txt", "text"))] == [
            ["x", "y"]
        ]

    def test_records(self, client, questions, tmp_path):
        """Trees with vectors: files whose vectors are narrower or wider than the supports'."""
        lines = [
            "1 |BT| (S (A a)) |ET| 1:1 3:1 |EV|",
            "-1 |BT| (S (B b)) |ET| 2:1 |EV|",
            "1 |BT| (S (A a)) |ET| 1:1 |EV|",
        ]
        (tmp_path / "train.tk").write_text("\n".join(lines) + "\n")
        X, y = read_svmlight_tk(tmp_path / "train.tk")
        model = Perceptron(OnColumn(SubsetTree(), "tree") + OnColumn(Linear(), "vector")).fit(X, y)
        (tmp_path / "part1.tk").write_text(lines[2] + "\n")
        (tmp_path / "part2.tk").write_text("-1 |BT| (S (B b)) |ET| 2:1 9:5 |EV|\n")
        data = distributed.read(tmp_path / "part*.tk", shards=2)
        assert [labels.tolist() for labels in predict(model, data, client=client)] == [[1], [-1]]


class TestWidths:
    """Files of vectors have the highest feature that they have; the model knows its own."""

    @pytest.fixture
    def points(self, tmp_path):
        (tmp_path / "part1.svm").write_text("1 1:1\n-1 2:1\n")
        (tmp_path / "part2.svm").write_text("1 1:2 3:1\n-1 2:1 9:4\n")
        return distributed.read(tmp_path / "part*.svm", shards=2)

    def test_narrower_and_wider_ones(self, client, points):
        X = sparse.csr_matrix([[1.0, 0, 0.5], [0, 1.0, 0]])
        for model in (Perceptron(), Perceptron(Linear()), SVC(Linear())):
            model.fit(X, [1, -1])
            for where in both(client):
                labels = [labels.tolist() for labels in predict(model, points, client=where)]
                assert labels == [[1, -1], [1, -1]]

    def test_features_that_training_had_none_of_change_a_kernel(self, client, points):
        X = np.array([[1.0, 0, 0.5], [0, 1.0, 0]])
        model = Perceptron(RBF()).fit(sparse.csr_matrix(X), [1, -1])
        read = sparse.csr_matrix(([1.0, 1.0, 2.0, 1.0, 1.0, 4.0], ([0, 1, 2, 2, 3, 3], [0, 1, 0, 2, 1, 8])))
        wanted = model.dual_coef_[0] @ RBF()(np.hstack([X, np.zeros((2, 6))]), read.toarray())
        for where in both(client):
            scores = np.concatenate(list(decision_function(model, points, client=where)))
            np.testing.assert_allclose(scores, wanted)


class TestWhatGoesWrong:
    @pytest.mark.slow
    def test_a_worker_that_is_killed_changes_nothing(self, questions):
        wanted = np.concatenate(list(decision_function(questions.six, shards(questions))))
        data = distributed.read([*questions.paths] * 8, shards=40)
        with connected(workers=2) as client:
            pids = list(client.run(os.getpid).values())
            found = []
            for number, scores in enumerate(decision_function(questions.six, data, client=client)):
                found.append(scores)
                if number == 3:
                    os.kill(pids[0], signal.SIGKILL)
        np.testing.assert_array_equal(np.concatenate(found), np.tile(wanted, (8, 1)))

    def test_broken_and_missing_files_are_named(self, client, questions, tmp_path):
        for path in questions.paths:
            (tmp_path / path.name).write_bytes(path.read_bytes())
        data = distributed.read(tmp_path / "*.gz", shards=N_PARTS)
        (tmp_path / "part3.tk.gz").write_bytes(gzip.compress(b"NUM |BT| (S (A a)) |ET|\nNUM |BT| (S |ET|\n"))
        for where in both(client):
            with pytest.raises(FormatError, match=r"part3\.tk\.gz, line 2"):
                list(predict(questions.six, data, client=where))
        (tmp_path / "part3.tk.gz").unlink()
        for where in both(client):
            with pytest.raises(FileNotFoundError, match=r"part3\.tk\.gz"):
                evaluate(questions.six, data, client=where)

    def test_what_is_no_data_or_has_no_scores(self, questions):
        with pytest.raises(TypeError, match="data must be Shards, made by read or from_dask, got a list"):
            predict(questions.six, [1])
        with pytest.raises(TypeError, match="a StructuredPerceptron has no decision_function"):
            decision_function(StructuredPerceptron(Reranking()), shards(questions))

    def test_labels_are_needed_to_evaluate_only(self, client, questions, tmp_path):
        (tmp_path / "a.mrg").write_text("(S (A a))\n\n(S (B b)\n  (C c))\n")
        data = distributed.read(tmp_path / "a.mrg")
        for where in both(client):
            assert len(next(predict(questions.six, data, client=where))) == 2
            with pytest.raises(
                FormatError, match=r"an example has no label.*a\.mrg|a\.mrg: an example has no"
            ):
                evaluate(questions.six, data, client=where)

    def test_nothing_to_evaluate(self, questions, tmp_path):
        (tmp_path / "a.tk").write_text("")
        data = distributed.read(tmp_path / "a.tk")
        assert [labels.tolist() for labels in predict(questions.six, data)] == [[]]
        assert next(decision_function(questions.six, data)).shape == (0, 6)
        with pytest.raises(ValueError, match="no example in the data"):
            evaluate(questions.six, data)


class TestDaskCollections:
    def test_bags_and_arrays(self, client, questions):
        bag, array = pytest.importorskip("dask.bag"), pytest.importorskip("dask.array")
        trees = questions.trees[:40].to_brackets()
        data = distributed.from_dask(
            bag.from_sequence(trees, npartitions=4), array.from_array(questions.y[:40], chunks=10)
        )
        wanted = questions.six.predict(questions.trees[:40])
        for where in both(client):
            assert (
                np.concatenate(list(predict(questions.six, data, client=where))).tolist() == wanted.tolist()
            )
            accuracy = evaluate(questions.six, data, client=where)["accuracy"]
            assert accuracy == np.mean(wanted == questions.y[:40])
        unlabelled = distributed.from_dask(bag.from_sequence(trees, npartitions=4))
        with pytest.raises(ValueError, match="block 0 has no labels"):
            evaluate(questions.six, unlabelled)


SENTENCES = "He PRP B-NP\nruns VBZ B-VP\n\nThe DT B-NP\ndog NN I-NP\nbarks VBZ B-VP\n\nIt PRP B-NP\n. . O\n\n"


class TestStructuredLearners:
    def test_sequences(self, client, tmp_path):
        for number in range(3):
            (tmp_path / f"part{number}.txt").write_text(SENTENCES * (number + 1))
        data = distributed.read(tmp_path / "part*.txt", "columns", shards=3)
        (X, Y), *_ = (shard.load() for shard in data.parts)
        # Too small a C to be right everywhere.
        model = SequenceSVC(C=0.01, templates=Templates("chunking")).fit(X, Y)
        for where in both(client):
            outputs = [output for part in predict(model, data, client=where) for output in part]
            assert outputs == [*model.predict(X)] * 6
            figures = evaluate(model, data, client=where)
            assert figures["accuracy"] == model.score(X, Y)
            assert figures["span_f1"] == span_scores(Y * 6, outputs).f1
            assert figures["sentences"] == 18

    def test_sentences_without_labels(self, client, tmp_path):
        (tmp_path / "train.txt").write_text(SENTENCES)
        (shard,) = distributed.read(tmp_path / "train.txt", "columns").parts
        model = SequenceSVC(templates=Templates("chunking")).fit(*shard.load())
        (tmp_path / "new.txt").write_text("He PRP\nbarks VBZ\n")
        data = distributed.read(tmp_path / "new.txt", "columns")
        for where in both(client):
            assert list(predict(model, data, client=where)) == [[["B-NP", "B-VP"]]]
            with pytest.raises(FormatError, match="there are no labels: expected 3 columns"):
                evaluate(model, data, client=where)

    def test_grammars(self, client, tmp_path):
        trees = ["(S (NP (N a)) (VP (V b)))", "(S (NP (N a) (N c)) (VP (V b)))"]
        model = GrammarSVC().fit(trees, trees)
        (tmp_path / "a.txt").write_text("\n".join(trees))
        data = distributed.read(tmp_path / "a.txt", read_trees)
        for where in both(client):
            (found,) = predict(model, data, client=where)
            assert list(map(str, found)) == list(map(str, model.predict(trees)))
            assert evaluate(model, data, client=where)["f1"] == bracket_scores(trees, found).f1

    def test_classes_and_taxonomies(self, client, tmp_path):
        rows = sparse.csr_matrix([[1.0, 0, 0], [0, 1.0, 0], [0, 0, 1.0]])
        parents = {"a": "x", "b": "x", "c": "y", "x": "root", "y": "root"}
        model = TaxonomySVC(parents).fit(rows, ["a", "b", "c"])
        (tmp_path / "a.svm").write_text("a 1:1 3:0\nb 1:1 2:0.5 3:0\n")
        (tmp_path / "b.svm").write_text("c 3:1\nb 3:1\n")
        data = distributed.read(tmp_path / "*.svm", shards=2)
        for where in both(client):
            labels = np.concatenate(list(predict(model, data, client=where)))
            assert labels.tolist() == ["a", "a", "c", "c"]
            figures = evaluate(model, data, client=where)
            assert figures["accuracy"] == 0.5
            losses = Hierarchy(parents).tree_losses(["a", "b", "c"])
            assert figures["tree_loss"] == losses[[0, 0, 2, 2], [0, 1, 2, 1]].mean()

    def test_lists_of_candidates(self, client, tmp_path):
        for name in ("a.txt", "b.txt"):
            (tmp_path / name).write_text("")
        model = StructuredPerceptron(Reranking(), epochs=2)
        lists, best = candidate_lists(os.fspath(tmp_path / "a.txt"))
        model.fit(lists, best)
        data = distributed.read(tmp_path / "*.txt", candidate_lists, shards=2)
        chosen = model.predict(lists)
        for where in both(client):
            assert [part.tolist() for part in predict(model, data, client=where)] == [chosen.tolist()] * 2
            figures = evaluate(model, data, client=where)
            assert figures["lists"] == 4
            assert figures["grade"] == pytest.approx(lists.grades[lists.begins[:-1] + chosen].mean())


def read_trees(path):
    with open(path) as file:
        trees = file.read().splitlines()
    return trees, trees


def candidate_lists(path):
    features = [[1.0, 0.0], [0.0, 1.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0]]
    lists = CandidateLists([2, 3], features=features, grades=[0.2, 1, 0.1, 0.5, 0.9])
    return lists, lists.oracles()


@pytest.mark.shared_data
def test_srl_by_two_workers(client, data_folder, tmp_path):
    """Scores of real trees, in part files, are those of one process."""
    train, test = (data_folder / "srl_ewt" / f"{name}.tk.gz" for name in ("train", "test"))
    X, y = next(iter_svmlight_tk(train, batch_size=3000))
    model = Perceptron(Normalized(SubsetTree())).fit(X, y)
    for number in range(4):
        (tmp_path / f"part{number}.tk.gz").write_bytes(test.read_bytes())
    data = distributed.read(tmp_path / "*.gz", shards=4)
    parts = list(decision_function(model, data, client=client))
    wanted = np.concatenate([model.decision_function(X) for X, _ in iter_svmlight_tk(test, batch_size=5000)])
    for part in parts:
        np.testing.assert_array_equal(part, wanted)


def test_threads_may_score_at_the_same_time(questions):
    """Workers with several threads share one model."""
    found = [None] * 4

    def run(place):
        found[place] = np.concatenate(list(decision_function(questions.six, shards(questions))))

    threads = [threading.Thread(target=run, args=(place,)) for place in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for scores in found[1:]:
        np.testing.assert_array_equal(scores, found[0])
