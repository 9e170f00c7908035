"""Feature selection: information gain, what stays of a model, and what the figures are said to show."""

from __future__ import annotations

import gzip

import numpy as np
import pytest
from scipy import sparse
from sklearn.feature_selection import mutual_info_classif

from hedgerow.online import ModifiedBalancedWinnow
from hedgerow_papers.experiments import EXPERIMENTS, Run, Settings, run_all, summarise
from hedgerow_papers.experiments.feature_selection import (
    ALL,
    BATCH,
    ON_THE_FLY,
    ROWS,
    TOP_SHARES,
    _error,
    information_gain,
)
from hedgerow_papers.experiments.split import Split
from hedgerow_papers.experiments.two_class_sets import load_two_class_set

EXPERIMENT = EXPERIMENTS["feature_selection"]


def random_counts(n, width, seed):
    random = np.random.RandomState(seed)
    X = random.poisson(0.4, size=(n, width)).astype(float)
    y = X[:, 0] + X[:, 1] + 0.5 * random.normal(size=n) > 0.8
    return sparse.csr_matrix(X), y


def test_information_gain():
    X, y = random_counts(80, 30, 0)
    X = sparse.hstack(
        [X, sparse.csr_matrix((80, 1)), np.ones((80, 1))], format="csr"
    )  # never and always there
    expected = mutual_info_classif((X > 0).toarray(), y, discrete_features=True)
    np.testing.assert_allclose(information_gain(X, y), expected, atol=1e-12)


def test_features_that_are_not_selected_leave_the_model():
    """Scores are those of a model that has never seen them, weights of the others being equal."""
    X, y = random_counts(200, 12, 1)
    learner = ModifiedBalancedWinnow().fit(X[:150], y[:150])
    mask = np.arange(12) < 6
    up, down = (np.zeros(12), np.zeros(12))
    features, ups, downs = learner._weights_in_model(0)
    up[features], down[features] = ups, downs
    kept = X[150:].toarray() * mask
    total = kept.sum(axis=1) + 1
    scores = (kept @ (up - down) + learner.intercept_[0]) / total - learner.threshold
    expected = 100 * np.mean((scores > 0) != y[150:])
    split = Split(X[:150], y[:150], X[150:], y[150:])
    assert _error(learner, split, mask) == pytest.approx(expected)
    assert 0 < expected < 100


@pytest.fixture
def reviews(tmp_path):
    """A folder with reviews, of which the first words tell what they say."""
    random = np.random.RandomState(0)
    lines = []
    for i in range(80):
        good = bool(random.randint(2))
        words = ["great" if good else "awful", *(f"word{j}" for j in random.randint(400, size=12))]
        lines.append(f"{'pos' if good else 'neg'}\tcv{i:03}\t{' '.join(words)}")
    (tmp_path / "movie_reviews").mkdir()
    (tmp_path / "movie_reviews" / "all.tsv.gz").write_bytes(gzip.compress("\n".join(lines).encode()))
    return tmp_path


def test_reviews(reviews):
    settings = Settings(data=reviews, rows=("MovieReviews, 100",))
    runs = list(run_all(EXPERIMENT, settings))
    assert len(runs) == 5
    for run in runs:
        assert set(run.figures) == {*TOP_SHARES, ON_THE_FLY, *BATCH, ALL}
        assert all(0 <= error <= 60 for error in run.figures.values())
    assert [run.figures for run in run_all(EXPERIMENT, settings)] == [run.figures for run in runs]
    # The two words that matter have the largest scores by any criterion.
    assert np.mean([run.figures["chi-square"] for run in runs]) < 20


def tables_of(errors):
    """Tables of one run, from errors by row: those of EFS in the order of its shares, of batch criteria, of all."""
    runs = [
        Run(row, 0, dict(zip((*TOP_SHARES, ON_THE_FLY, *BATCH, ALL), values, strict=True)))
        for row, values in errors.items()
    ]
    return summarise(EXPERIMENT, Settings(), runs)


def test_findings():
    errors = {
        "Spam, 100": (5.0, 4.0, 6.0, 4.4, 3.5, 2.0, 1.0),
        "Ads, 300": (5.0, 5.5, 6.0, 5.5, 5.0, 5.0, 4.0),
    }
    assert EXPERIMENT.findings(tables_of(errors)) == [
        "P = 0.9 at most 1 point worse than chi-square at equal size: 2 of 2 rows; on average +0.50 points.",
        "P = 0.9 at most 1 point worse than information gain at equal size: 1 of 2 rows (not Spam, 100: +2.0); on "
        "average +1.25 points.",
        "Errors of selection on the fly are on average 1.05 times those of selection afterwards (P = 0.9).",
        "P = 0.9 has a smaller error than P = 1 in 1 of 2 rows; on average by 0.25 points.",
    ]
    assert EXPERIMENT.findings(tables_of({})) == []


def test_plots():
    errors = {
        "Spam, 100": (5.0, 4.0, 6.0, 4.4, 3.5, 2.0, 1.0),
        "Spam, 1,000": (3.0, 2.0, 4.0, 2.0, 1.5, 1.0, 1.0),
    }
    (plot,) = EXPERIMENT.plots(tables_of(errors))
    assert (plot.title, plot.levels) == ("Spam", {"all features": 1.0})
    assert plot.lines[1].name == "P = 0.9"
    assert plot.lines[1].points == {100: 4.0, 1000: 2.0}


@pytest.mark.shared_data
def test_no_row_asks_for_more_features_than_there_are(data_folder):
    for name in ("SMS", "Ads"):
        width = load_two_class_set(name, data_folder).X.shape[1]
        assert all(size < width for row, size in ROWS.values() if row == name)
