"""Names in Spanish news: folds, figures, and what the figures are said to show."""

from __future__ import annotations

import gzip

import numpy as np
import pytest

from hedgerow_papers.experiments import EXPERIMENTS, Run, Settings, run_all, summarise
from hedgerow_papers.experiments.named_entities import ALL, FOLDS, MACHINES, MODELS, PERCEPTRON

EXPERIMENT = EXPERIMENTS["named_entities"]
SMALL = (*MODELS, PERCEPTRON, *MACHINES)


@pytest.fixture
def news(tmp_path):
    """A folder with sentences in which names are capitalised, and long if they are of two words."""
    random = np.random.RandomState(0)
    (tmp_path / "conll2002_esp").mkdir()
    for subset, n in (("train", 50), ("testa", 20)):
        lines = []
        for _ in range(n):
            for _ in range(random.randint(2, 6)):
                if random.randint(3):
                    lines.append(f"{random.choice(['el', 'va', 'dice', 'hoy'])} X O")
                else:
                    lines.append(f"{random.choice(['Ana', 'Luis', 'Eva', 'Juan'])} NP B-PER")
                    if random.randint(2):
                        lines.append(f"{random.choice(['Cortazar', 'Gutierrez'])} NP I-PER")
            lines.append("")
        (tmp_path / "conll2002_esp" / f"{subset}.txt.gz").write_bytes(
            gzip.compress("\n".join(lines).encode())
        )
    return tmp_path


def test_all_rows(news):
    settings = Settings(data=news, quick=True)
    runs = list(run_all(EXPERIMENT, settings))
    assert len(runs) == 2 * len(SMALL + ALL)
    for run in runs:
        assert 0 <= run.figures["test_error"] < 50
        if run.row in MACHINES:
            assert run.figures["constraints"] > 0
            assert 1 <= run.figures["average_loss"] < 5
        if run.row in ALL:
            assert 50 < run.figures["span_f1"] <= 100
    again = {(run.row, run.permutation): run.figures["test_error"] for run in run_all(EXPERIMENT, settings)}
    assert again == {(run.row, run.permutation): run.figures["test_error"] for run in runs}
    small, whole = summarise(EXPERIMENT, settings, runs)
    assert set(small.means("test_error")) == set(SMALL)
    assert set(whole.means("span_f1")) == set(ALL)
    assert len(EXPERIMENT.findings([small, whole])) == 3 + len(ALL)


def test_folds_test_every_sentence_once(news):
    settings = Settings(data=news, rows=("HMM",))
    assert len(list(run_all(EXPERIMENT, settings))) == FOLDS
    train, _ = EXPERIMENT.load(settings)
    assert len(train.labels) == 50
    parts = [EXPERIMENT._fold(train, fold, settings) for fold in range(FOLDS)]
    assert sum(len(outside.labels) for _, outside in parts) == 50
    assert all(len(inside.labels) + len(outside.labels) == 50 for inside, outside in parts)


@pytest.mark.parametrize(
    ("errors", "f1", "words"),
    [
        ({"SVM2": 5.0, "Perceptron": 6.0, "HMM": 9.0}, 75.0, ("all machines are below", "at least the 72")),
        ({"SVM2": 7.0, "Perceptron": 6.0, "HMM": 9.0}, 70.0, ("not all machines are below", "below the 72")),
    ],
)
def test_findings_follow_the_figures(errors, f1, words):
    runs = [Run(row, 0, {"test_error": error}) for row, error in errors.items()]
    runs.append(Run(ALL[0], 0, {"span_f1": f1}))
    text = " ".join(EXPERIMENT.findings(summarise(EXPERIMENT, Settings(), runs)))
    assert all(word in text for word in words)
    assert EXPERIMENT.findings(summarise(EXPERIMENT, Settings(), [])) == []
