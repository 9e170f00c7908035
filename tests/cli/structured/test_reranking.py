"""``--problem reranking``: lists of candidates."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy import sparse

from hedgerow.data import CandidateLists
from hedgerow.io import write_svmlight_tk
from hedgerow.structured import Reranking, StructuredSVM


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

        out = hedgerow_command.good("train", "lists.svm", "-o", "a.model", "--problem", "reranking", "-C", 10)
        assert out.startswith("30 lists, ")
        expected = StructuredSVM(Reranking(), C=10).fit(lists, lists.oracles()).predict(lists)
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
