"""Grammars of short sentences: figures, and what they are said to show."""

from __future__ import annotations

import json

import pytest

from hedgerow_papers.experiments import EXPERIMENTS, Run, Settings, run_all, summarise
from hedgerow_papers.experiments.grammar import GRAMMARS, METHODS, ROWS
from hedgerow_papers.experiments.published import published_table

EXPERIMENT = EXPERIMENTS["grammar"]
TREES = [
    "(TOP (S (NP (PRP It)) (VP (VBZ rains)) (. .)))",
    "(TOP (S (NP (DT The) (NN dog)) (VP (VBZ sees) (NP (DT a) (NN cat))) (. .)))",
    "(TOP (NP (DT The) (NN end) (. .)))",
    "(TOP (S (NP (NP (DT a) (NN man)) (PP (IN in) (NP (NN love)))) (VP (VBZ sings)) (. .)))",
]


@pytest.fixture
def treebanks(tmp_path):
    (tmp_path / "wcfg10").mkdir()
    for treebank in ("ewt", "ptb"):
        for subset, trees in (("train", TREES), ("test", TREES[1:])):
            (tmp_path / "wcfg10" / f"{treebank}.{subset}.mrg").write_text("\n".join(trees))
    return tmp_path


def test_all_rows(treebanks):
    settings = Settings(data=treebanks, quick=True)
    runs = list(run_all(EXPERIMENT, settings))
    assert [run.row for run in runs] == list(ROWS)
    assert len(runs) == 2 * len(GRAMMARS) * len(METHODS)
    for run in runs:
        assert 0 < run.figures["test_f1"] <= 100
        assert ("constraints" in run.figures) == ("SVM" in run.row)
        if "SVM2" in run.row:
            assert run.figures["train_f1"] > 90  # the trees can be told apart by their rules
            assert 0 <= run.figures["percent_in_qp"] <= 100
    tables = summarise(EXPERIMENT, settings, runs)
    assert [len(table.means("test_f1")) for table in tables[::2]] == [len(GRAMMARS) * len(METHODS)] * 2
    assert [len(table.means("constraints")) for table in tables[1::2]] == [
        len(GRAMMARS) * (len(METHODS) - 1)
    ] * 2
    assert len(EXPERIMENT.findings(tables)) == 2 * len(GRAMMARS)


@pytest.mark.parametrize(("f1", "words"), [(89.0, "at least 1.5 points"), (86.5, "less than 1.5 points")])
def test_findings_follow_the_figures(f1, words):
    runs = [Run("EWT PCFG", 0, {"test_f1": 86.0}), Run("EWT SVM2 margin F1", 0, {"test_f1": f1})]
    (text,) = EXPERIMENT.findings(summarise(EXPERIMENT, Settings(), runs))
    assert words in text
    assert EXPERIMENT.findings(summarise(EXPERIMENT, Settings(), [])) == []


@pytest.mark.shared_data
def test_published_figures_are_those_of_the_reference(data_folder):
    path = data_folder.parent / "published" / "tables.json"
    if not path.exists():
        pytest.skip(f"no published tables at {path}")
    table = json.loads(path.read_text())["grammar"]
    brackets, training = (published_table(f"grammar_{part}").rows for part in ("brackets", "training"))
    for row, figures in table["rows"].items():
        own = {name: figure.mean for name, figure in {**brackets[row], **training[row]}.items()}
        wanted = dict(zip(table["columns"], figures, strict=True))
        wanted["cpu_minutes"] = 60 * wanted.pop("cpu_hours") or None
        assert own == pytest.approx({name: figure for name, figure in wanted.items() if figure is not None})
