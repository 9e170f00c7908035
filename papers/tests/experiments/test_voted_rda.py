"""Reranking with voted RDA: rows, epochs, figures and what they are said to show."""

from __future__ import annotations

import gzip
import json

import numpy as np
import pytest

from hedgerow.data import CandidateLists
from hedgerow.online import RDA, Perceptron, Reranker
from hedgerow_papers.experiments import EXPERIMENTS, Run, Settings, run_all, summarise
from hedgerow_papers.experiments.published import published_table
from hedgerow_papers.experiments.reranking_epochs import average_of_epoch
from hedgerow_papers.experiments.voted_rda import EPOCHS, LEARNERS, LOSSES, SWEEP, TUNED, make_learner

EXPERIMENT = EXPERIMENTS["voted_rda"]
VERBS = ("sees", "hears", "likes")
NOUNS = ("dogs", "cats", "birds", "fish")


def sentence(random):
    """Three parses; the second is the right one, the first the base model's."""
    verb, noun, other = random.choice(VERBS), *random.choice(NOUNS, 2)
    right = f"(S (NP (NN {noun})) (VP (VBZ {verb}) (NP (NNS {other}))))"
    wrong = f"(S (VP (NN {noun}) (VBZ {verb})) (NP (NNS {other})))"
    flat = f"(S (NN {noun}) (VBZ {verb}) (NNS {other}))"
    base = sorted(-10 * random.rand(3), reverse=True)
    return {
        "cands": [[base[0], 2, 3, 4, wrong], [base[1], 4, 4, 4, right], [base[2], 1, 1, 4, flat]],
    }


@pytest.fixture
def parses(tmp_path):
    random = np.random.RandomState(0)
    (tmp_path / "ewt_nbest").mkdir()
    for subset, n in (("train", 12), ("dev", 5), ("test", 6)):
        lines = "\n".join(json.dumps(sentence(random)) for _ in range(n))
        (tmp_path / "ewt_nbest" / f"{subset}.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    return tmp_path


class TestRunning:
    def test_all_rows(self, parses):
        settings = Settings(data=parses, quick=True, permutations=1)
        runs = {run.row: run for run in run_all(EXPERIMENT, settings)}
        assert set(runs) == {"Baseline", "Oracle", *LEARNERS, *SWEEP}
        assert runs["Baseline"].figures["f_score"] == pytest.approx(2 * 2 / (3 + 4))
        assert runs["Oracle"].figures["f_score"] == 1
        for row in LEARNERS:
            figures = runs[row].figures
            assert figures["f_score"] > runs["Baseline"].figures["f_score"]
            assert figures["nonzeros"] > 0
            assert figures["seconds"] >= 0
            assert runs[row].trace["mistakes"][-1] == figures["mistakes"]
        assert EXPERIMENT.trace_plots(list(runs.values()))

    def test_figures_are_those_after_each_epoch(self, parses):
        settings = Settings(data=parses, quick=True, rows=("Perceptron",))
        (run,) = run_all(EXPERIMENT, settings)
        data = EXPERIMENT.load(settings)
        f1, nonzeros, last = [], [], []
        for epochs in (1, 2, 3):
            average = Reranker(Perceptron(averaging="average"), epochs=epochs).fit(data.train)
            f1.append(average.score(data.test))
            nonzeros.append(average.n_nonzero_)
            last.append(Reranker(Perceptron(), epochs=epochs).fit(data.train).score(data.test))
        assert run.trace["f"]["average"] == f1
        assert run.trace["f"]["last"] == last
        assert run.figures["f_score"] == pytest.approx(np.mean(f1))
        assert run.figures["f_last_deviation"] == pytest.approx(np.std(last))
        assert run.figures["f_deviation"] == pytest.approx(np.std(f1))
        assert run.figures["nonzeros"] == pytest.approx(np.mean(nonzeros))
        assert run.figures["mistakes"] == average.mistakes_

    def test_further_runs_have_another_order(self, parses):
        settings = Settings(data=parses, quick=True, rows=("Perceptron",), permutations=4)
        runs = list(run_all(EXPERIMENT, settings))
        assert (
            len({(run.figures["mistakes"], run.figures["nonzeros"], *run.trace["mistakes"]) for run in runs})
            > 1
        )


def test_average_of_epoch():
    """Weights after every list of the second epoch, averaged, with zeros where none was ever another."""
    random = np.random.RandomState(0)
    features = random.poisson(0.2, size=(36, 60)).astype(float)
    lists = CandidateLists([3] * 12, features=features, grades=np.tile([0.0, 1.0, 0.5], 12))

    def reranker(averaging):
        return Reranker(RDA(l1=0.1, averaging=averaging))

    average, last = reranker("average"), reranker(None).partial_fit(lists)
    before = average.partial_fit(lists).coef_[0]
    so_far = average.partial_fit(lists).coef_[0]
    predictors = [last.partial_fit(lists[i : i + 1]).coef_[0].copy() for i in range(len(lists))]
    expected = np.mean(predictors, axis=0)
    found = average_of_epoch(so_far, before, 2)
    np.testing.assert_allclose(found, expected, atol=1e-12)
    np.testing.assert_array_equal(found == 0, expected == 0)
    assert 0 < np.count_nonzero(found) < np.count_nonzero(so_far)


class TestLearners:
    def test_parameters(self):
        for loss, name in LOSSES.items():
            voted, plain = make_learner(f"vRDA ({loss})", "average"), make_learner(f"RDA ({loss})", "average")
            assert (voted.loss, voted.update, plain.update) == (name, "mistakes", "all")
            assert (
                (voted.learning_rate, voted.l1) == (plain.learning_rate, plain.l1) == TUNED[f"vRDA ({loss})"]
            )
            gradient = make_learner(f"TG ({loss})", None)
            assert (gradient.learning_rate, gradient.l1) == TUNED[f"TG ({loss})"]
            assert (gradient.loss, gradient.averaging) == (name, None)
        swept = make_learner("vRDA (log), lambda 0.001", "average")
        assert (swept.loss, swept.l1, swept.update) == ("logistic", 0.001, "mistakes")
        assert swept.learning_rate == TUNED["vRDA (log)"][0]

    def test_changes_for_tuning(self):
        learner = make_learner("TG (log)", "average", learning_rate=7.0, l1=0.5)
        assert (learner.learning_rate, learner.l1, learner.loss) == (7.0, 0.5, "logistic")


def run_of(row, **figures):
    defaults = {
        "f_score": 0.9,
        "f_epoch": 0.9,
        "f_last": 0.89,
        "nonzeros": 1000.0,
        "nonzeros_epoch": 1000.0,
        "seconds": 2.0,
        "mistakes": 7.0,
    }
    trace = {
        "examples": [5, 10],
        "mistakes": [2, 3],
        "nonzeros": [4, 6],
        "f": {"average": [0.8], "epoch": [0.75], "last": [0.7]},
    }
    return Run(row, 0, {**defaults, **figures}, trace)


def findings_of(*runs):
    return EXPERIMENT.findings(summarise(EXPERIMENT, Settings(), runs))


class TestFindings:
    def test_found(self):
        assert findings_of(
            run_of("Perceptron", f_last=0.88),
            run_of(
                "vRDA (log)", f_score=0.91, nonzeros=200.0, f_epoch=0.92, nonzeros_epoch=10.0, seconds=1.0
            ),
            run_of("RDA (log)", nonzeros=400.0),
        ) == [
            "Voted RDA with log loss reaches the perceptron's F with at most 20% of its nonzeros, by the average of "
            "all predictors: found (F 0.9100 against 0.9000, 20.0% of the nonzeros).",
            "Voted RDA with log loss reaches the perceptron's F with at most 20% of its nonzeros, by the average of an "
            "epoch's predictors: found (F 0.9200 against 0.9000, 1.0% of the nonzeros).",
            "The average of all predictors beats the last one: found (F Perceptron +0.0200, vRDA (log) +0.0200, "
            "RDA (log) +0.0100).",
            "vRDA (log) beside RDA (log): F +0.0100, 50% of the nonzeros, 50% of the training time.",
        ]

    @pytest.mark.parametrize("worse", [{"f_score": 0.899}, {"nonzeros": 201.0}])
    def test_not_found(self, worse):
        voted = {"f_score": 0.91, "nonzeros": 200.0, **worse}
        found = findings_of(run_of("Perceptron", f_last=0.95), run_of("vRDA (log)", **voted))
        assert len(found) == 3
        assert all("not found" in sentence for sentence in found)

    @pytest.mark.parametrize(("single", "verdict"), [(0.02, "found"), (0.001, "not found")])
    def test_variance(self, single, verdict):
        row = run_of("vRDA (log), lambda 0", f_deviation=0.01, f_last_deviation=single)
        assert findings_of(row) == [
            f"The average varies less over epochs: {verdict} (standard deviation of F 0.0100, of the last predictor "
            f"{single:.4f}; means over the lambdas of voted RDA)."
        ]

    def test_of_what_there_is(self):
        assert findings_of() == []


def test_plots():
    sweep = [
        run_of(
            f"vRDA (log), lambda {l1}",
            nonzeros=n,
            f_score=f,
            f_deviation=0.01,
            f_last=0.6,
            f_last_deviation=0.1,
        )
        for l1, n, f in ((0, 9.0, 0.8), (0.001, 4.0, 0.7))
    ]
    runs = [run_of("Perceptron"), run_of("vRDA (log)"), *sweep]
    sparsity, by_lambda = EXPERIMENT.plots(summarise(EXPERIMENT, Settings(), runs))
    assert sparsity.lines[1].points == {4.0: 0.7, 9.0: 0.8}
    assert sparsity.levels == by_lambda.levels == {"Perceptron": 0.9}
    average, last = by_lambda.lines  # which 0 is not on
    assert (average.points, average.deviations) == ({0.001: 0.7}, {0.001: 0.01})
    assert (last.points, last.deviations) == ({0.001: 0.6}, {0.001: 0.1})
    nonzeros, mistakes, predictors, rda = EXPERIMENT.trace_plots(runs)
    assert nonzeros.lines[0].points == {5: 4, 10: 6}
    assert [line.name for line in mistakes.lines] == [
        "Perceptron",
        "vRDA (log), lambda 0",
        "vRDA (log), lambda 0.001",
    ]
    assert {line.name: line.points for line in predictors.lines} == {
        "vRDA (log), average": {1: 0.8},
        "vRDA (log), last": {1: 0.7},
    }
    assert [line.name for line in rda.lines] == ["vRDA (log)"]
    assert EXPERIMENT.plots(summarise(EXPERIMENT, Settings(), [])) == EXPERIMENT.trace_plots([]) == []


@pytest.mark.shared_data
def test_published_figures_are_those_of_the_reference(data_folder):
    path = data_folder.parent / "published" / "tables.json"
    if not path.exists():
        pytest.skip(f"no published tables at {path}")
    reference = json.loads(path.read_text())["voted_rda"]
    own = published_table("voted_rda").rows
    for row, cells in reference["rows"].items():
        known = {
            name: value for name, value in zip(reference["columns"], cells, strict=True) if value is not None
        }
        assert {name: figure.mean for name, figure in own[row].items()} == known
    assert EPOCHS == 20
