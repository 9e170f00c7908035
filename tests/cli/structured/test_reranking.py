"""``--problem reranking``: lists of candidates."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy import sparse

from hedgerow import registry
from hedgerow.data import CandidateLists
from hedgerow.feature_extraction import ParseFeatures
from hedgerow.io import read_nbest, write_svmlight_tk
from hedgerow.online import RDA, Reranker
from hedgerow.structured import Reranking, StructuredSVM, bracket_scores

ROW = registry.problems()["reranking"]
LEARNERS = [name for name, learner in registry.learners().items() if ROW.takes(learner)]


def nbest_text(n=12, gold=True):
    """Lists whose second candidate is the true parse."""
    lines = []
    for i in range(n):
        phrase = f"(NP (N a{i % 3})) (%s (V b{i % 2}) (NP (N c{i % 3})))"
        lines += [f"qid:{i} (TOP (S {phrase % 'VP'} (. .)))" if gold else f"qid:{i}"]
        lines += [f"-1 (TOP (S {phrase % 'XP'} (. .)))", f"-2 (TOP (S {phrase % 'VP'} (. .)))"]
    return "\n".join(lines) + "\n"


class TestReranking:
    @pytest.fixture(autouse=True)
    def lists(self, folder):
        random = np.random.RandomState(0)
        lengths = random.randint(1, 5, size=30)
        X = random.normal(size=(lengths.sum(), 4))
        grades = np.round(1 / (1 + np.exp(-X @ [2, -1, 0, 0])), 3)
        queries = np.repeat(np.arange(30), lengths)
        write_svmlight_tk("lists.svm", sparse.csr_matrix(X), grades, query_id=queries)
        return CandidateLists(lengths, features=X, grades=grades)

    def test_the_same_as_from_python(self, lists, hedgerow_command, monkeypatch):
        from hedgerow.io import sources

        options = ["--problem", "reranking", "-C", 10, "--seed", 0]
        out = hedgerow_command.good("train", "lists.svm", "-o", "a.model", *options)
        assert out.startswith("30 lists, ")
        expected = StructuredSVM(Reranking(), C=10, random_state=0).fit(lists, lists.oracles()).predict(lists)
        monkeypatch.setattr(sources, "BATCH", 7)  # lists go on from batch to batch
        places = hedgerow_command.good("predict", "a.model", "lists.svm").split()
        assert places == [str(place + 1) for place in expected]
        figures = json.loads(hedgerow_command.good("evaluate", "a.model", "lists.svm", "--json"))
        assert figures["lists"] == 30
        assert figures["accuracy"] == pytest.approx(np.mean(expected == lists.oracles()))
        assert figures["baseline_grade"] <= figures["grade"] <= figures["oracle_grade"]
        assert "mean grade" in hedgerow_command.good("evaluate", "a.model", "lists.svm")

    def test_failures(self, hedgerow_command, folder):
        train = ["-o", "a.model", "--problem", "reranking"]
        (folder / "bad.svm").write_text("1 1:2\n")
        text = "bad.svm: a candidate has no qid; lines are GRADE qid:7 1:0.5 ..."
        assert hedgerow_command.sentence("train", "bad.svm", *train) == text
        (folder / "bad.svm").write_text("good qid:1 1:2\n")
        assert "grades must be numbers" in hedgerow_command.sentence("train", "bad.svm", *train)


class TestParses:
    @pytest.fixture(autouse=True)
    def files(self, folder):
        (folder / "lists.nbest").write_text(nbest_text())
        (folder / "new.nbest").write_text(nbest_text(4, gold=False))

    @pytest.mark.parametrize("learner", LEARNERS)
    def test_every_learner(self, learner, hedgerow_command):
        train = ("train", "lists.nbest", "-o", "a.model", "--problem", "reranking", "--learner", learner)
        assert hedgerow_command.good(*train, "--min-lists", 1).startswith("12 lists, ")
        figures = json.loads(hedgerow_command.good("evaluate", "a.model", "lists.nbest", "--json"))
        # Of five brackets, four are right in the parser's choices and all in the best ones: the stop is none.
        assert (figures["baseline_f1"], figures["oracle_f1"]) == (0.75, 1.0)
        places, trees = zip(
            *(
                line.split("\t")
                for line in hedgerow_command.good("predict", "a.model", "lists.nbest").splitlines()
            ),
            strict=True,
        )
        lists = read_nbest("lists.nbest")
        true = lists.trees[lists.begins[:-1] + lists.oracles()]
        assert figures["f1"] == bracket_scores(true, trees, rules="evalb").f1
        assert figures["accuracy"] == np.mean(np.array(places) == "2")
        # Base scores, all 1 apart, are what the learner must not trust; one pass is enough to see that for most.
        new = hedgerow_command.good("predict", "a.model", "new.nbest").splitlines()
        assert new == [f"{place}\t{tree}" for place, tree in zip(places, trees, strict=True)][:4]

    def test_the_same_as_from_python(self, hedgerow_command, folder):
        options = [
            "--learner",
            "vrda",
            "--loss",
            "logistic",
            "--l1",
            0.01,
            "--averaging",
            "average",
            "--epochs",
            3,
        ]
        data = ["--base-weight", 0.5, "--min-lists", 2, "--candidate-loss", "grade", "--problem", "reranking"]
        hedgerow_command.good("train", "lists.nbest", "-o", "a.model", *options, *data)
        lists = read_nbest("lists.nbest")
        learner = RDA(loss="logistic", l1=0.01, update="mistakes", averaging="average")
        model = Reranker(learner, ParseFeatures(base_weight=0.5, min_lists=2), epochs=3, loss="grade").fit(
            lists
        )
        figures = json.loads(hedgerow_command.good("evaluate", "a.model", "lists.nbest", "--json"))
        expected = model.evaluate(lists)["reranked"]
        assert {name: figures[name] for name in expected} == expected
        assert "rule: S -> NP VP ." in hedgerow_command.good("explain", "a.model", "-k", 1000)

    def test_streams_share_columns(self, hedgerow_command):
        train = ("train", "lists.nbest", "-o", "a.model", "--problem", "reranking", "--learner", "pa")
        hedgerow_command.good(*train, "--stream", "--epochs", 2, "--hash-bits", 8)
        hedgerow_command.good("train", "lists.nbest", "-o", "b.model", "--resume", "a.model")
        assert len(hedgerow_command.good("predict", "b.model", "new.nbest").splitlines()) == 4

    def test_failures(self, hedgerow_command, folder):
        train = ["-o", "a.model", "--problem", "reranking"]
        text = hedgerow_command.sentence("train", "new.nbest", *train)
        assert text == "new.nbest, line 1: the list has no true tree"
        (folder / "lists.svm").write_text("1 qid:1 1:1\n0 qid:1 2:1\n")
        text = hedgerow_command.sentence("train", "lists.svm", *train, "--min-lists", 3, code=2)
        assert "--min-lists: only features of parses take it" in text
        text = hedgerow_command.sentence(
            "train", "lists.nbest", *train, "--learner", "pa", "--kernel", "sst", code=2
        )
        assert "has no kernel; it keeps weights" in text
        text = hedgerow_command.sentence("train", "lists.nbest", *train, "--learner", "svm", code=2)
        assert "the learners of --problem reranking are perceptron, pa, " in text
        hedgerow_command.good("train", "lists.nbest", *train)
        text = hedgerow_command.sentence("predict", "a.model", "new.nbest", "--format", "brackets", code=2)
        assert "lists are in the form svmlight-tk or nbest" in text
