"""Experiments on taxonomies and string mapping: rows, samples, figures and what they are said to show."""

from __future__ import annotations

import math

import numpy as np
import pytest

from hedgerow.structured import StringMapping
from hedgerow_papers.experiments import EXPERIMENTS, Run, Settings, run_all, summarise
from hedgerow_papers.experiments.comparisons import compare
from hedgerow_papers.experiments.published import published_table
from hedgerow_papers.experiments.string_mapping import KERNEL, MACHINES, make_machine
from hedgerow_papers.experiments.taxonomy import MODELS, ROWS, sample_of_each_class
from hedgerow_papers.experiments.taxonomy import make_machine as make_tree_machine

TAXONOMY, STRINGS = EXPERIMENTS["taxonomy"], EXPERIMENTS["string_mapping"]
GROUPS = {"rec.cars": "rec", "rec.bikes": "rec", "sci.space": "sci", "rec": "ROOT", "sci": "ROOT"}
WORDS = {"rec.cars": "wheel motor road", "rec.bikes": "wheel chain road", "sci.space": "star orbit light"}


@pytest.fixture
def folder(tmp_path):
    random = np.random.RandomState(0)
    (tmp_path / "newsgroups20").mkdir()
    (tmp_path / "imageclef07").mkdir()
    tree = "".join(f"{parent}\t{child}\n" for child, parent in GROUPS.items())
    (tmp_path / "newsgroups20" / "hierarchy.tsv").write_text(tree)
    (tmp_path / "imageclef07" / "hierarchy.tsv").write_text(tree)
    for subset in ("train", "test"):
        posts, images = [], []
        for number in range(30):
            group = list(WORDS)[number % 3]
            words = random.choice([*WORDS[group].split(), "hello", "today"], 6)
            posts.append(f"{group}\t{number}\tFrom: me\t{' '.join(words)}\n")
            values = random.randint(0, 4, 5) + 3 * (np.arange(5) == number % 3)
            features = " ".join(f"{place + 1}:{value}" for place, value in enumerate(values) if value)
            images.append(f"{group} {features}\n")
        (tmp_path / "newsgroups20" / f"{subset}.tsv").write_text("".join(posts))
        (tmp_path / "imageclef07" / f"{subset}.libsvm").write_text("".join(images))
    return tmp_path


class TestTaxonomy:
    def test_all_rows(self, folder):
        settings = Settings(data=folder, quick=True, permutations=1)
        runs = {run.row: run.figures for run in run_all(TAXONOMY, settings)}
        assert runs.keys() == ROWS.keys()
        for figures in runs.values():
            assert figures.keys() == {"accuracy_4", "tree_loss_4", "accuracy_2", "tree_loss_2"}
            # A mistake costs 1 or 2 here, and a model that guesses is right for a third.
            assert figures["accuracy_4"] > 40
            wrong = 1 - figures["accuracy_4"] / 100
            assert wrong - 1e-9 <= figures["tree_loss_4"] <= 2 * wrong + 1e-9

    def test_published_rows_are_there(self):
        assert published_table("taxonomy").rows.keys() == set(MODELS)
        assert published_table("taxonomy").rows["taxonomy tree loss"]["tree_loss_2"].mean == 1.33

    def test_samples_have_so_many_of_each_class_and_small_ones_are_part_of_large_ones(self):
        y = np.array(list("aaaabbbbbc"))
        small, large = (sample_of_each_class(y, n, np.random.RandomState(3)) for n in (2, 4))
        assert [int((y[small] == label).sum()) for label in "abc"] == [2, 2, 1]
        assert [int((y[large] == label).sum()) for label in "abc"] == [4, 4, 1]
        assert set(small) <= set(large)

    def test_machines_are_what_rows_say(self, folder):
        tree = TAXONOMY.load(Settings(data=folder))["Newsgroups"]
        machines = {
            model: make_tree_machine("Newsgroups", model, tree).fit(tree.split.X, tree.split.y)
            for model in MODELS
        }
        assert {model: machine.rescaling for model, machine in machines.items()} == {
            "flat 0/1": None,
            "taxonomy 0/1": None,
            "flat tree loss": "margin",
            "taxonomy tree loss": "slack",
        }
        for model, machine in machines.items():
            assert (
                machine.problem_.compute_loss("rec.cars", "sci.space") == 2
            )  # the judge is the same for all
            assert (machine.problem_.output_features_ is None) == model.startswith("flat")

    def test_findings(self):
        runs = [
            Run(
                row,
                permutation,
                {f"tree_loss_{n}": 1.0 + ("0/1" in row) * (1 + 0.1 * permutation) for n in (2, 4)}
                | {
                    f"accuracy_{n}": 50.0 + (3 + permutation) * (row.endswith("taxonomy tree loss"))
                    for n in (2, 4)
                },
            )
            for row in ROWS
            for permutation in range(3)
        ]
        found = TAXONOMY.findings(summarise(TAXONOMY, Settings(), runs))
        lowered = [words for words in found if "training for" in words]
        assert len(lowered) == 8
        assert all(": found (1.000 against 2.100, difference -1.100 ± 0.058)" in words for words in lowered)
        shared = [words for words in found if "machines that are trained for it" in words]
        assert [": not found (1.000 against 1.000" in words for words in shared] == [True] * 4
        raised = [words for words in found if "raise the accuracy" in words]
        assert [
            ": found (54.000 against 50.000, difference +4.000 ± 0.577)" in words for words in raised
        ] == [True] * 4


class TestStrings:
    def test_all_rows(self):
        settings = Settings(quick=True, permutations=1)
        runs = {run.row: run.figures for run in run_all(STRINGS, settings)}
        assert runs.keys() == {"Baseline", "Best constant", *MACHINES}
        assert runs["Best constant"]["test_loss"] < runs["Baseline"]["test_loss"]
        assert runs["SVM2 margin"]["test_loss"] < runs["Baseline"]["test_loss"]
        assert STRINGS.notes(settings)

    def test_the_baseline_is_a_draw_among_training_outputs(self):
        (run,) = run_all(STRINGS, Settings(permutations=1, rows=("Baseline",)))
        assert run.figures["test_loss"] == pytest.approx(0.903, abs=0.026)  # as published

    def test_machines(self):
        machine, divided = make_machine("SVM2 slack", 150), make_machine("SVM2, C/n", 150)
        # Half the C of the thesis, where quadratic slacks cost C/2 xi^2.
        assert (machine.C, machine.rescaling, machine.slack) == (0.5, "slack", "quadratic")
        assert (divided.C, divided.rescaling) == (0.5 / 150, None)
        assert isinstance(machine.problem, StringMapping)
        assert KERNEL.kernel.get_params() == {"length": 3, "decay": 0.01}

    def test_findings(self):
        losses = {"SVM2": 0.8, "SVM2 slack": 0.7, "SVM2 margin": 0.6}
        runs = [Run(row, n, {"test_loss": loss + n / 100}) for row, loss in losses.items() for n in range(2)]
        found = STRINGS.findings(summarise(STRINGS, Settings(), runs))
        assert [words.split(" (")[0] for words in found] == [
            "SVM2 slack has a lower loss than SVM2: found",
            "SVM2 margin has a lower loss than SVM2: found",
            "SVM2 slack reaches a loss of 0.65: not found",
            "SVM2 margin reaches a loss of 0.65: found",
        ]


@pytest.mark.parametrize(
    ("mine", "theirs", "words"),
    [
        ([1.0, 2.0], [2.0, 3.1], "found"),
        ([1.0, 2.0], [0.5, 3.0], "not beyond chance"),
        ([1.0, 2.0], [0.5, 2.0], "not found"),
        ([1.0], [2.0], "found"),
        ([2.0], [1.0], "not found"),
    ],
)
def test_comparisons_are_run_by_run(mine, theirs, words):
    runs = [
        Run(row, n, {"test_loss": value})
        for row, values in (("SVM2", mine), ("SVM2 slack", theirs))
        for n, value in enumerate(values)
    ]
    (table,) = summarise(STRINGS, Settings(), runs)
    (found,) = compare(table, "SVM2", "SVM2 slack", "test_loss", "lower")
    assert found.startswith(f"lower: {words} (")
    if len(mine) == 2:
        differences = np.subtract(mine, theirs)
        error = differences.std(ddof=1) / math.sqrt(2)
        assert f"difference {differences.mean():+.3f} ± {error:.3f}" in found
    assert compare(table, "SVM2", "SVM2 margin", "test_loss", "lower") == []
