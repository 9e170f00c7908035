"""Kernels on the command line: expressions, and data with several columns."""

import json

import numpy as np
import pytest

import hedgerow
from hedgerow import Records
from hedgerow.io import read_svmlight_tk
from hedgerow.kernels import combined, parse_kernel
from hedgerow.svm import SVC

ALL = "normalized(sst) on tree + normalized(linear) on vector"


@pytest.fixture
def both(folder):
    """Classes that only trees and vectors together tell apart."""
    rng = np.random.default_rng(0)
    lines = []
    for _ in range(60):
        left, right = rng.integers(2, size=2)
        label = 1 if left + right > 0 else -1
        lines.append(f"{label} |BT| (S (NP {'ab'[left]}) (VP x)) |ET| {1 + right}:1 4:0.1 |EV|\n")
    (folder / "both.tk").write_text("".join(lines))
    return read_svmlight_tk("both.tk")


def train(command, *args):
    result = command.run("train", "both.tk", "-o", "a.model", "--learner", "svm", *args)
    assert result.exit_code == 0, result.stderr
    return hedgerow.load("a.model"), result.stderr


class TestColumns:
    def test_all_are_used_unless_a_kernel_is_named(self, both, hedgerow_command):
        X, y = both
        assert isinstance(X, Records)
        model, said = train(hedgerow_command)
        assert f'all columns are used, as with --kernel "{ALL}"' in said
        assert repr(model.kernel) == repr(combined(X))
        expected = SVC(combined(X)).fit(X, y).decision_function(X)
        np.testing.assert_allclose(model.decision_function(X), expected)
        same, said = train(hedgerow_command, "--kernel", ALL)
        assert said.strip() == ""
        np.testing.assert_array_equal(same.decision_function(X), model.decision_function(X))

    @pytest.mark.parametrize(("kernel", "unused"), [("sst", "vector"), ("linear", "tree")])
    def test_a_named_kernel_is_used_alone_with_a_warning(self, both, hedgerow_command, kernel, unused):
        model, said = train(hedgerow_command, "--kernel", kernel)
        assert f'warning: the column {unused} is not used; --kernel "{ALL}" would use all' in said
        assert len(said.strip().splitlines()) == 1
        assert model.kernel.column != unused

    def test_the_line_of_a_search_says_it(self, both, hedgerow_command):
        result = hedgerow_command.run("train", "both.tk", "-o", "a.model")
        (line,) = result.stderr.splitlines()
        assert line.startswith("hedgerow: chose --learner svm")
        assert " on tree + normalized(linear) on vector" in line

    def test_a_named_column_needs_no_warning(self, both, hedgerow_command):
        _, said = train(hedgerow_command, "--column", "tree")
        assert said.strip() == ""

    def test_learners_on_weights_say_what_they_do_not_use(self, both, hedgerow_command):
        result = hedgerow_command.run("train", "both.tk", "-o", "a.model", "--learner", "rda", "--quiet")
        assert "warning: the column tree is not used; the learner rda keeps weights" in result.stderr

    def test_structured_problems_use_all_columns_too(self, both, hedgerow_command):
        X, y = both
        result = hedgerow_command.run("train", "both.tk", "-o", "a.model", "--problem", "multiclass")
        assert "all columns are used" in result.stderr
        assert (hedgerow.load("a.model").predict(X) == y).mean() > 0.9


class TestExpressions:
    def test_columns_that_are_not_named_are_found(self, both, hedgerow_command):
        X, _ = both
        model, said = train(
            hedgerow_command, "--kernel", "sst(decay=0.2) * rbf(gamma=0.1) on vector + linear"
        )
        assert said.strip() == ""
        expected = parse_kernel("sst(decay=0.2) on tree * rbf(gamma=0.1) on vector + linear on vector")
        np.testing.assert_allclose(model.kernel(X), expected(X))
        assert hedgerow_command.good("predict", "a.model", "both.tk").count("\n") == len(X)

    def test_normalisation(self, both, hedgerow_command):
        for option, kernel in [
            ("--no-normalize", "SubsetTree().on('tree') + Linear().on('vector')"),
            ("--normalize", "Normalized(SubsetTree()).on('tree') + Normalized(Linear()).on('vector')"),
        ]:
            model, _ = train(hedgerow_command, "--kernel", "sst + linear", option)
            assert repr(model.kernel) == kernel

    def test_one_column_has_no_name_to_learners(self, questions, hedgerow_command):
        hedgerow_command.good(
            "train", "--learner", "perceptron", "two.tk", "-o", "a.model", "--kernel", "sst on tree + pt"
        )
        kernel = hedgerow.load("a.model").kernel
        assert repr(kernel) == "Normalized(SubsetTree()) + Normalized(PartialTree())"

    @pytest.mark.parametrize(
        ("kernel", "code", "words"),
        [
            (
                "sst + liner",
                2,
                "column 7: liner is not a kernel; did you mean linear?",
            ),
            ("sst(decay=2)", 2, "column 1: decay must be a number above 0 and at most 1, got 2"),
            ("sst on trees", 1, "the data have the columns tree, vector, but not trees"),
            ("linear on tree", 1, "the kernel linear takes vectors, but the column tree has trees"),
            ("sst + upt on vector", 1, "the kernel upt takes trees, but the column vector has vectors"),
        ],
    )
    def test_errors(self, both, hedgerow_command, kernel, code, words):
        sentence = hedgerow_command.sentence(
            "train", "--learner", "perceptron", "both.tk", "-o", "m", "--kernel", kernel, code=code
        )
        assert words in sentence.replace("'", "")

    def test_expressions_have_no_options(self, both, hedgerow_command):
        args = ("train", "both.tk", "-o", "m", "--kernel", "sst + linear", "--decay", 0.3)
        assert "the kernel sst + linear does not take it" in hedgerow_command.sentence(*args, code=2)


class TestTune:
    def test_all_columns_by_default(self, both, hedgerow_command):
        result = hedgerow_command.run("tune", "both.tk", "--json", "-C", "10", "--decay", "0.3")
        assert "all columns are used" in result.stderr
        found = json.loads(result.stdout)
        assert found["best"]["decay"] == 0.3
        assert "(decay=0.3)) on tree + normalized(linear) on vector' -C 10" in found["command"]
        assert found["candidates"][0]["mean"] > 0.9

    def test_expressions_between_commas(self, both, hedgerow_command):
        kernels = "sst,sst(decay=0.1, bag_of_words=True) + linear on vector"
        result = hedgerow_command.run("tune", "both.tk", "--json", "-C", "10", "--kernels", kernels)
        found = json.loads(result.stdout)
        assert {c["kernel"] for c in found["candidates"]} == {"sst", kernels[4:]}
        assert found["best"]["kernel"] == kernels[4:]
        assert f"--kernel '{kernels[4:]}'" in found["command"]
        assert "is not used" not in result.stderr
