"""``hedgerow tune``: the ranking of Python's search, the command that it prints, and what it refuses."""

from __future__ import annotations

import json
import re
import shlex

import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV, StratifiedKFold

import hedgerow
from hedgerow.kernels import Linear, Normalized, PartialTree, SubsetTree
from hedgerow.model_selection import SampledSearchCV
from hedgerow.svm import SVC, CuttingPlaneSVC

EXACT = ("--kernels", "sst", "-C", "1,0.01")


def interrupted(*_):
    raise KeyboardInterrupt


QUICK = ("--kernels", "sst", "-C", "1,0.01", "--sample-size", "40")


class TestRanking:
    def test_as_from_python(self, questions, hedgerow_command):
        args = ["--kernels", "sst,pt", "--decay", "0.2,0.4", "-C", "0.1,1", "--seed", "3", "--folds", "2"]
        found = json.loads(hedgerow_command.good("tune", "two.tk", *args, "--json", "--sample-size", "40"))
        kernels = [Normalized(kind(decay)) for kind in (SubsetTree, PartialTree) for decay in (0.2, 0.4)]
        search = SampledSearchCV(
            SVC(),
            {"kernel": kernels, "C": [0.1, 1.0]},
            sample_size=40,
            cv=StratifiedKFold(2, shuffle=True, random_state=3),
            refit=None,
            random_state=3,
        ).fit(questions.trees[:240], np.where(questions.y[:240] == "NUM", 1, -1))
        names = {
            repr(kernel): (name, decay)
            for kernel, (name, decay) in zip(
                kernels, [(name, decay) for name in ("sst", "pt") for decay in (0.2, 0.4)], strict=True
            )
        }
        expected = {
            (*names[repr(p["kernel"])], p["C"]): (mean, deviation)
            for p, mean, deviation in zip(
                search.cv_results_["params"],
                search.cv_results_["mean_test_score"],
                search.cv_results_["std_test_score"],
                strict=True,
            )
        }
        rows = found["candidates"]
        assert {(r["kernel"], r["decay"], r["C"]): (r["mean"], r["deviation"]) for r in rows} == expected
        assert [row["mean"] for row in rows] == sorted((row["mean"] for row in rows), reverse=True)
        assert found["best"] == {name: rows[0][name] for name in ("kernel", "decay", "C")}
        assert (found["examples"], found["folds"], found["sample_size"]) == (240, 2, 40)
        assert rows[0]["mean"] == search.best_score_

    def test_few_examples_are_compared_by_exact_machines(self, questions, hedgerow_command):
        args = [
            "tune",
            "six.tk",
            "--kernels",
            "sst",
            "--decay",
            "0.4",
            "-C",
            "0.1,1",
            "--seed",
            "1",
            "--json",
        ]
        found = json.loads(hedgerow_command.good(*args))
        search = GridSearchCV(
            SVC(Normalized(SubsetTree())),
            {"C": [0.1, 1.0]},
            cv=StratifiedKFold(3, shuffle=True, random_state=1),
            refit=False,
        ).fit(questions.trees[:240], questions.y[:240])
        means = {row["C"]: row["mean"] for row in found["candidates"]}
        expected = dict(zip([0.1, 1.0], search.cv_results_["mean_test_score"].tolist(), strict=True))
        assert means == pytest.approx(expected, abs=1e-12)
        assert (found["sampling"], found["sample_size"]) == ("none", None)

    def test_ties_are_marked(self, questions, hedgerow_command):
        """Where every machine separates the examples, a larger C changes nothing."""
        args = ["tune", "six.tk", "--kernels", "sst", "-C", "0.001,100,1000,10000"]
        found = json.loads(hedgerow_command.good(*args, "--json"))
        assert [row["C"] for row in found["candidates"] if row["tied"]] == [100.0, 1000.0, 10000.0]
        text = hedgerow_command.good(*args)
        assert text.count("= 0.") == 3
        assert "Best: kernel sst, C 100 (= 2 others are not significantly worse)" in text

    def test_interrupted_it_prints_what_it_found(self, questions, hedgerow_command, monkeypatch):
        found = json.loads(hedgerow_command.good("tune", "six.tk", *EXACT, "--json"))
        monkeypatch.setattr("hedgerow.model_selection.race.Race._next", interrupted)
        result = hedgerow_command.run("tune", "six.tk", *EXACT)
        assert result.exit_code == 130
        assert result.stderr == f"hedgerow: interrupted; this trains the best so far: {found['command']}\n"
        assert "Best: kernel sst" in result.stdout

    @pytest.mark.parametrize("older", [False, True])
    def test_interrupted_it_writes_the_best_so_far(self, questions, hedgerow_command, monkeypatch, older):
        hedgerow_command.good("tune", "six.tk", *EXACT, "-o", "whole.model")
        if older:
            (questions.folder / "a.model").write_text("old")
        monkeypatch.setattr("hedgerow.model_selection.race.Race._next", interrupted)
        result = hedgerow_command.run("tune", "six.tk", *EXACT, "-o", "a.model")
        assert result.exit_code == 130
        written = "a.model.interrupted" if older else "a.model"
        assert result.stderr.endswith(f"hedgerow: interrupted; {written} is the best so far\n")
        assert f"{written}: " in result.stdout
        scores = [
            hedgerow.load(questions.folder / name).decision_function(questions.trees[:50])
            for name in (written, "whole.model")
        ]
        np.testing.assert_array_equal(*scores)
        if older:
            assert (questions.folder / "a.model").read_text() == "old"

    def test_samples_interrupted(self, questions, hedgerow_command, monkeypatch):
        """Candidates whose folds were all compared are kept."""
        found = json.loads(hedgerow_command.good("tune", "six.tk", *QUICK, "--json"))
        fit, fits = CuttingPlaneSVC.fit, []

        def interrupted_later(*args, **kwargs):
            fits.append(1)
            if len(fits) == 5:  # of six
                raise KeyboardInterrupt
            return fit(*args, **kwargs)

        monkeypatch.setattr(CuttingPlaneSVC, "fit", interrupted_later)
        result = hedgerow_command.run("tune", "six.tk", *QUICK, "--json")
        assert result.exit_code == 130
        kept = json.loads(result.stdout)["candidates"]
        whole = [row for row in found["candidates"] if row["C"] == 1]
        assert [row["mean"] for row in kept] == [row["mean"] for row in whole]
        fits[:] = [1, 1, 1]
        result = hedgerow_command.run("tune", "six.tk", *QUICK)
        assert (result.exit_code, result.stdout) == (130, "")  # nothing was compared

    def test_several_at_once_change_nothing(self, questions, hedgerow_command):
        args = ["tune", "two.tk", *QUICK, "--json"]
        one, two = (json.loads(hedgerow_command.good(*args, "--jobs", jobs)) for jobs in (1, 2))
        for row in (*one["candidates"], *two["candidates"]):
            del row["seconds"]
        assert one == two

    def test_table_with_the_best_first(self, questions, hedgerow_command):
        text = hedgerow_command.good("tune", "six.tk", *QUICK)
        lines = text.splitlines()
        assert lines[0] == "240 examples, 2 candidates, 3 folds, samples of 40"
        rows = [re.findall(r"[^\s│]+", line) for line in lines if line.startswith("│")]
        assert [row[:2] for row in rows] == [["sst", "1"], ["sst", "0.01"]]
        assert float(rows[0][2]) > float(rows[1][2])
        assert lines[-2:] == [
            "Best: kernel sst, C 1",
            "hedgerow train six.tk -o MODEL --learner svm --kernel sst -C 1",
        ]

    def test_f1(self, questions, hedgerow_command):
        """Of the class NUM, which is rare: with little C nothing is found, though most are right."""
        args = ["tune", "two.tk", "--kernels", "sst", "-C", "0.0001", "--json", "--cost-factor", "1,balanced"]
        f1 = json.loads(hedgerow_command.good(*args, "--score", "f1"))
        accuracy = json.loads(hedgerow_command.good(*args))
        (bad,) = (row["mean"] for row in f1["candidates"] if row["cost_factor"] == 1)
        assert f1["best"]["cost_factor"] == "balanced"
        assert bad < 0.2 < 0.7 < min(row["mean"] for row in accuracy["candidates"] if row["cost_factor"] == 1)
        six = json.loads(hedgerow_command.good("tune", "six.tk", *QUICK, "--json", "--score", "f1"))
        assert 0 < six["candidates"][0]["mean"] < 1

    def test_default_kernels_of_each_kind_of_data(self, points, hedgerow_command):
        found = json.loads(hedgerow_command.good("tune", "points.svm", "-C", "1", "--json"))
        tried = [(row["kernel"], row.get("gamma")) for row in found["candidates"]]
        assert sorted(tried, key=str) == [("linear", None), ("rbf", 0.01), ("rbf", 0.1), ("rbf", 1.0)]
        lines = "".join(f"{c}\t{t}\n" for c, t in (("x", "the cat sat"), ("y", "a dog ran")) * 6)
        (points.folder / "texts").write_text(lines)
        args = ["--kernels", "spectrum,subsequence", "--k", "2,3", "--length", "2", "--tokens", "-C", "1"]
        found = json.loads(hedgerow_command.good("tune", "texts", *args, "--json"))
        assert len(found["candidates"]) == 3
        assert "--format text --tokens" in found["command"]


class TestModel:
    @pytest.mark.parametrize(
        ("args", "kind"),
        [
            ([], SVC),
            (["--refit", "exact", "--cost-factor", "2,balanced", "--decay", "0.3"], SVC),
            (["--refit", "sampled", "--refit-sample-size", "60", "--seed", "4"], CuttingPlaneSVC),
        ],
    )
    def test_it_is_that_of_the_printed_command(self, questions, hedgerow_command, args, kind):
        said = hedgerow_command.good("tune", "two.tk", *QUICK, *args, "-o", "best.model").splitlines()
        model = hedgerow.load("best.model")
        assert type(model) is kind
        assert said[-1].startswith(f"best.model: {model.n_support_} supports, ")
        command = shlex.split(said[-2])
        assert command[:5] == ["hedgerow", "train", "two.tk", "-o", "best.model"]
        command[4] = "again.model"
        hedgerow_command.good(*command[1:])
        test = questions.trees[240:]
        again = hedgerow.load("again.model")
        assert np.array_equal(again.decision_function(test), model.decision_function(test))
        assert hedgerow_command.good("predict", "best.model", "test2.tk") == hedgerow_command.good(
            "predict", "again.model", "test2.tk"
        )

    def test_options_of_the_data_are_in_the_command(self, folder, hedgerow_command):
        (folder / "a b.tk").write_text(
            "1 |BT| (S (N New York)) |ET| 1:1\n-1 |BT| (S (N York)) |ET| 1:-1\n" * 6
        )
        args = ["--column", "vector", "--kernels", "linear", "-C", "1", "--features", "5", "--no-normalize"]
        said = hedgerow_command.good("tune", "a b.tk", *args, "--spaces-in-leaves", "-o", "a.model")
        assert (
            "hedgerow train 'a b.tk' -o a.model --learner svm --kernel linear -C 1 --no-normalize --column vector "
            "--features 5 --spaces-in-leaves\n"
        ) in said
        assert repr(hedgerow.load("a.model").kernel) == repr(Linear().on("vector"))

    def test_json_says_nothing_else(self, questions, hedgerow_command):
        text = hedgerow_command.good("tune", "two.tk", *QUICK, "-o", "best.model", "--json")
        assert json.loads(text)["best"] == {"kernel": "sst", "C": 1.0}
        assert hedgerow.load("best.model").converged_


class TestPlot:
    @pytest.mark.parametrize(
        "args",
        [
            ["--kernels", "sst,st", "--decay", "0.2,0.4"],
            ["--kernels", "sst,st", "-C", "1"],
            ["--kernels", "sst", "-C", "0.1,1"],
        ],
    )
    def test_it_is_drawn(self, questions, hedgerow_command, args):
        hedgerow_command.good("tune", "two.tk", *args, "--sample-size", 30, "--folds", 2, "--plot", "a.svg")
        assert (questions.folder / "a.svg").read_text().lstrip().startswith("<?xml")


class TestRefusals:
    @pytest.fixture
    def complaint(self, folder, hedgerow_command):
        def run(*args, code=2):
            (folder / "a.tk").write_text("1 |BT| (S a) |ET|\n-1 |BT| (S b) |ET|\n" * 5)
            return hedgerow_command.sentence("tune", "a.tk", *args, code=code).replace("'", "")

        return run

    @pytest.mark.parametrize(
        ("args", "words"),
        [
            (
                ["--kernels", "sst,tree"],
                "--kernels: the kernel tree, column 1: tree is not a kernel; accepted are",
            ),
            (["--decay", "0.2;0.4"], "--decay: must be a number, got 0.2;0.4"),
            (["-C", "1,,2"], "-C: must be a number, got "),
            (
                ["--degree", "1.5", "--kernels", "polynomial"],
                "--degree: must be a whole number, got 1.5",
            ),
            (["--cost-factor", "heavy"], "--cost-factor: must be a number or balanced, got heavy"),
            (
                ["--gamma", "1"],
                "--gamma: none of the kernels st, sst, sst-bow, pt, upt, fragments has such a parameter",
            ),
            (["--refit", "exact"], "--refit: there is no file for the model; give --output too"),
            (["--refit", "none", "-o", "m"], "--refit: without a refit there is no model to write"),
            (["--refit-sample-size", "9", "-o", "m"], "--refit-sample-size: it belongs to --refit sampled"),
            (
                ["--sampling", "none", "--sample-size", "9"],
                "--sample-size: nothing is sampled with --sampling",
            ),
            (["-o", "-"], "--output: the table goes to standard output; name a file"),
            (["--plot", "a.doc"], "--plot: a.doc must end in one of "),
        ],
    )
    def test_options(self, complaint, args, words):
        assert f"Invalid value for {words}" in complaint(*args)

    def test_values_that_classes_refuse(self, complaint):
        assert "-C: it must be a number at least 1e-20 and at most 1e+20, got -1.0" in complaint("-C", "1,-1")
        assert "--decay: it must be a number above 0 and at most 1, got 2.0" in complaint("--decay", "0.4,2")

    @pytest.mark.parametrize(
        ("args", "words"),
        [
            (["--kernels", "rbf"], "the kernel rbf takes vectors, but the data have trees only"),
            (["--column", "vector"], "--column must be one of tree, got vector"),
            (["-o", "a.tk"], "a.tk is also an input, which the output would replace"),
            (["--folds", "9"], "n_splits=9 cannot be greater than the number of members in each class."),
        ],
    )
    def test_values(self, complaint, args, words):
        assert complaint(*args, code=1) == words
