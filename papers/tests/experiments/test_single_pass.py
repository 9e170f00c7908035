"""Single-pass learners: folds, learners, figures and what they are said to show."""

from __future__ import annotations

import gzip
import json

import numpy as np
import pytest
from scipy import sparse

from hedgerow.online import PassiveAggressive
from hedgerow_papers.experiments import EXPERIMENTS, Run, Settings, run_all, summarise
from hedgerow_papers.experiments.published import published_table
from hedgerow_papers.experiments.single_pass import (
    LEARNERS,
    all_learners,
    make_learner,
    median_and_rank,
    one_fold,
)
from hedgerow_papers.experiments.two_class_sets import NLP_LIKE, OTHERS, TwoClassSet, load_two_class_set

EXPERIMENT = EXPERIMENTS["single_pass"]
F1 = {name: 50.0 + i for i, name in enumerate(all_learners())}
WORDS = {True: ("buy", "money", "won"), False: ("meet", "lunch", "plan")}


@pytest.fixture
def messages(tmp_path):
    """A folder with short messages that are easy to tell apart."""
    random = np.random.RandomState(0)
    lines = []
    for _ in range(60):
        spam = bool(random.randint(2))
        words = [*random.choice(WORDS[spam], 3), *(f"word{i}" for i in random.randint(20, size=4))]
        lines.append(f"{'spam' if spam else 'ham'}\t{' '.join(words)}")
    (tmp_path / "sms_spam").mkdir()
    (tmp_path / "sms_spam" / "all.tsv.gz").write_bytes(gzip.compress("\n".join(lines).encode()))
    return tmp_path


def tables_of(f1):
    """Tables of one run, from F1 by set and learner."""
    return summarise(EXPERIMENT, Settings(), [Run(row, 0, figures) for row, figures in f1.items()])


class TestFolds:
    @pytest.fixture
    def examples(self):
        return TwoClassSet(sparse.csr_matrix(np.arange(1.0, 41)[:, None]), np.arange(40) % 4 == 0)

    def test_every_example_is_tested_once(self, examples):
        splits = [one_fold(examples, i, Settings()) for i in range(5)]
        tested = np.sort(np.concatenate([split.X_test.toarray().ravel() for split in splits]))
        np.testing.assert_array_equal(tested, examples.X.toarray().ravel())
        for split in splits:
            both = np.sort(np.concatenate([split.X.toarray().ravel(), split.X_test.toarray().ravel()]))
            np.testing.assert_array_equal(both, examples.X.toarray().ravel())
            assert split.y_test.sum() == 2  # a quarter, as everywhere

    def test_examples_keep_their_labels_and_come_in_random_order(self, examples):
        split = one_fold(examples, 0, Settings())
        order = split.X.toarray().ravel()
        np.testing.assert_array_equal(split.y, (order - 1) % 4 == 0)
        assert (np.diff(order) < 0).any()

    def test_further_runs_have_other_folds(self, examples):
        first, again, next_round, other_seed = (
            one_fold(examples, run, Settings(seed=seed)).X_test.toarray().ravel().tolist()
            for run, seed in ((0, 0), (0, 0), (5, 0), (0, 1))
        )
        assert first == again
        assert first != next_round
        assert first != other_seed


class TestLearners:
    def test_passive_aggressive_step_is_the_paper_s(self):
        """tau = loss / (|x|^2 + 0.1)"""
        learner = make_learner("PA").fit([[2.0, 1.0], [0.0, 0.0]], [1, -1])
        np.testing.assert_allclose(learner.coef_, [np.array([2.0, 1.0]) / 5.1])
        assert isinstance(learner, PassiveAggressive)

    def test_voted_ones_differ_in_averaging_only(self):
        for name in LEARNERS:
            plain, voted = make_learner(name), make_learner(f"v-{name}")
            assert type(plain) is type(voted)
            assert {**plain.get_params(), "averaging": "average", "counting": "correct"} == voted.get_params()
            assert plain.averaging is None


def test_messages(messages):
    settings = Settings(data=messages, rows=("SMS",))
    runs = list(run_all(EXPERIMENT, settings))
    assert [run.row for run in runs] == ["SMS"] * 5
    for run in runs:
        assert set(run.figures) == set(all_learners())
    means = {name: np.mean([run.figures[name] for run in runs]) for name in all_learners()}
    assert means["MBW"] > 90
    assert means["SVM"] > 90
    again = list(run_all(EXPERIMENT, settings))
    assert [run.figures for run in again] == [run.figures for run in runs]


class TestFindings:
    def test_median_and_rank(self):
        names = ("MBW", "PW", "BW")
        sets = {
            "a": {"MBW": 90.0, "PW": 80.0, "BW": 80.0},
            "b": {"MBW": 70.0, "PW": 60.0, "BW": 75.0},
            "c": {"MBW": 50.0, "PW": 40.0, "BW": 45.0},
        }
        found = median_and_rank(sets, names)
        assert found["MBW"] == (70.0, pytest.approx(4 / 3))
        assert found["PW"] == (60.0, pytest.approx((2.5 + 3 + 3) / 3))
        assert found["BW"] == (75.0, pytest.approx((2.5 + 1 + 2) / 3))

    def test_found(self):
        best = {**F1, "MBW": 99.0}
        findings = EXPERIMENT.findings(tables_of({"Spam": best, "Credit": F1}))
        assert findings[0].startswith(
            "NLP-like sets: median F1 (average rank among ten) MBW 99.0 (1.00), PW 51.0 (10.00)"
        )
        assert findings[1].startswith("Other sets: ")
        assert findings[2:] == [
            "MBW has the best median and the best average rank of the five plain learners on the NLP-like sets: found "
            "(median: MBW 99.0; rank: MBW 1.00).",
            "MBW has the best median and the best average rank of the ten learners on the NLP-like sets: found "
            "(median: MBW 99.0; rank: MBW 1.00).",
            "Average ranks in the paper's figures of those of these sets that it has: MBW 2.50 and v-MBW 2.50.",
            "Voting lifts every learner's median on the other sets: found (MBW +5.0, PW +5.0, BW +5.0, PA +5.0, ROMMA "
            "+5.0).",
        ]

    def test_not_found(self):
        findings = EXPERIMENT.findings(tables_of({"SMS": F1, "Credit": {**F1, "v-PA": 40.0}}))
        assert findings[3] == (
            "MBW has the best median and the best average rank of the ten learners on the NLP-like sets: not found "
            "(median: v-ROMMA 59.0, MBW 50.0; rank: v-ROMMA 1.00, MBW 10.00)."
        )
        assert "not found" in findings[4]
        assert "PA -13.0" in findings[4]

    def test_of_what_there_is(self):
        assert EXPERIMENT.findings(tables_of({})) == []
        assert len(EXPERIMENT.findings(tables_of({"Credit": F1}))) == 2

    def test_plots(self):
        (plot,) = EXPERIMENT.plots(tables_of({"Spam": F1, "SMS": {**F1, "MBW": 60.0, "v-MBW": 70.0}}))
        assert plot.title == "NLP-like sets"
        line = plot.lines[0]
        assert (line.name, line.points, line.joined) == ("MBW", {50.0: 55.0, 60.0: 70.0}, False)
        assert plot.diagonal


@pytest.mark.shared_data
class TestSharedData:
    def test_sets(self, data_folder):
        """What the paper says of its sets holds of those that are the same; Reuters has all stories with a topic."""
        shapes = {name: load_two_class_set(name, data_folder) for name in ("Reuters", "Credit", "WiscBreast")}
        assert shapes["Reuters"].X.shape[0] == 10794
        assert shapes["Reuters"].y.sum() == 883
        assert shapes["Credit"].X.shape == (653, 46)
        assert shapes["WiscBreast"].X.shape == (683, 89)

    def test_quick(self, data_folder):
        settings = Settings(data=data_folder, quick=True, rows=("Congressional", "WiscBreast", "Ads"))
        for run in run_all(EXPERIMENT, settings):
            assert max(run.figures.values()) > 85

    def test_published_figures_are_those_of_the_reference(self, data_folder):
        path = data_folder.parent / "published" / "tables.json"
        if not path.exists():
            pytest.skip(f"no published tables at {path}")
        reference = json.loads(path.read_text())["single_pass"]
        tables = [published_table(layout.published).rows for layout in EXPERIMENT.layouts]
        for row, cells in reference["rows"].items():
            own = {name: figure.mean for table in tables for name, figure in table[row].items()}
            assert own == dict(zip(reference["columns"], cells, strict=True))
        at_hand = {row.name for row in EXPERIMENT.chosen_rows(Settings())}
        assert at_hand == {*NLP_LIKE, *OTHERS}
        assert at_hand - set(reference["rows"]) == {"SMS", "Reuters earn"}
