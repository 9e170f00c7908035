"""Learning curves, against learners that are trained from the beginning for every point."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from hedgerow_papers.experiments import EXPERIMENTS, Run, Settings, summarise
from hedgerow_papers.experiments.learning_curves import CURVES, LEARNERS, ONLINE, SVM, training_sizes
from hedgerow_papers.experiments.single_pass import make_learner
from hedgerow_papers.experiments.split import f1_percent
from hedgerow_papers.experiments.two_class_sets import TwoClassSet

EXPERIMENT = EXPERIMENTS["learning_curves"]
SETTINGS = Settings()


@pytest.fixture(scope="module")
def run():
    """The curves of a set of 100 texts, 80 of which are learned from."""
    random = np.random.RandomState(3)
    y = random.rand(100) < 0.4
    counts = random.poisson(0.4 + 0.5 * np.outer(y, np.arange(30) < 6))
    data = {"SMS": TwoClassSet(sparse.csr_matrix(counts.astype(float)), y)}
    return data["SMS"], EXPERIMENT.run(data, "SMS", 0, SETTINGS)


@pytest.fixture(scope="module")
def split(run):
    from hedgerow_papers.experiments.feature_selection import four_fifths

    random = SETTINGS.random_state(0)
    return four_fifths(run[0], random).shuffled(random)


@pytest.mark.parametrize(
    ("n", "sizes"),
    [(5, [5]), (10, [10]), (14, [10, 11, 12, 13, 14]), (30, [*range(10, 21), 22, 24, 26, 28, 30])],
)
def test_sizes(n, sizes):
    assert training_sizes(n) == sizes


@pytest.mark.parametrize("name", LEARNERS)
def test_every_point_is_that_of_a_learner_trained_so_far(run, split, name):
    curve, sizes = run[1].trace[name], run[1].trace["examples"]
    assert sizes[-1] == len(split.y) == 80
    for place in (3, len(sizes) // 2, len(sizes) - 1):
        n = sizes[place]
        predicted = make_learner(name).fit(split.X[:n], split.y[:n]).predict(split.X_test)
        assert curve["f1"][place] == f1_percent(split.y_test, predicted)
        assert curve["error"][place] == pytest.approx(100 * np.mean(predicted != split.y_test))


@pytest.mark.parametrize("name", ONLINE)
def test_mistakes_are_made_before_learning(run, split, name):
    learner, wrong = make_learner(name), 0
    for i in range(len(split.y)):
        if i == 0 or learner.decision_function(split.X[i])[0] * (1 if split.y[i] else -1) <= 0:
            wrong += 1
        learner.partial_fit(split.X[i], split.y[i : i + 1], classes=[False, True])
    # The first prediction and ties are counted by the learner as it decides; nothing else may differ.
    assert abs(run[1].trace[name]["mistakes"][-1] - wrong) <= 1


def test_mistakes_of_the_machine(run, split):
    sizes, mistakes = run[1].trace["examples"], run[1].trace[SVM]["mistakes"]
    assert mistakes[0] == sizes[0]
    machine = make_learner(SVM).fit(split.X[: sizes[4]], split.y[: sizes[4]])
    piece = slice(sizes[4], sizes[5])
    assert mistakes[5] - mistakes[4] == np.sum(machine.predict(split.X[piece]) != split.y[piece])


def test_figures_are_the_ends_of_the_curves(run):
    for name in LEARNERS:
        for curve in CURVES:
            assert run[1].figures[f"{name} {curve}"] == run[1].trace[name][curve][-1]


def test_plots_and_findings(run):
    runs = [run[1]]
    plots = EXPERIMENT.trace_plots(runs)
    assert [plot.measure for plot in plots] == list(CURVES.values())
    assert [line.name for line in plots[0].lines] == list(LEARNERS)
    assert list(plots[0].lines[0].points) == run[1].trace["examples"]
    tables = summarise(EXPERIMENT, SETTINGS, runs)
    assert all("of 1 sets" in finding for finding in EXPERIMENT.findings(tables))
    assert EXPERIMENT.findings(summarise(EXPERIMENT, SETTINGS, [])) == EXPERIMENT.trace_plots([]) == []


def test_findings_count():
    def curves(row, perceptron):
        f1 = {"MBW": 90.0, "v-MBW": 91.0, "v-Perceptron": perceptron, SVM: 92.0}
        return Run(row, 0, {f"{name} f1": value for name, value in f1.items()})

    runs = [curves("SMS", 80.0), curves("Ads", 91.5)]
    lowest, closer = EXPERIMENT.findings(summarise(EXPERIMENT, SETTINGS, runs))
    assert "in the end: 1 of 2" in lowest
    assert "perceptron is: 1 of 2" in closer
