"""A problem in Python needs a row in the registry, and nothing else, to be learned, saved and used by commands."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise, permutations

import pytest

from hedgerow import load, registry
from hedgerow.checks import Positive
from hedgerow.persistence.classes import classes_in
from hedgerow.structured import Problem, StructuredPerceptron
from hedgerow.structured.problem import KnownPairs


@dataclass(eq=False, repr=False)
class Ordering(Problem):
    """Letters in their order.

    Parameters
    ----------
    step : float, default=1.0
        The value of a feature.
    ignored : str, default=""
        Letters to leave out.
    """

    texts = True

    step: Positive = 1.0
    ignored: str = ""

    def prepare(self, X, y):
        self.settle([self.survey(X, y)])

    def survey(self, X, y):
        return set("".join(y))

    def settle(self, surveys):
        self.letters_ = sorted(set().union(*surveys))

    def joint_features(self, x, y):
        pairs = [pair for pair in pairwise(y) if set(pair) <= set(self.letters_)]
        return {
            self.letters_.index(a) * len(self.letters_) + self.letters_.index(b): self.step for a, b in pairs
        }

    def candidates(self, x):
        return ("".join(order) for order in permutations(sorted(set(x) - set(self.ignored))))


@pytest.fixture(autouse=True)
def known(monkeypatch, folder):
    monkeypatch.setitem(registry.problems(), "ordering", registry.ProblemRow("ordering", Ordering))
    monkeypatch.setitem(classes_in("hedgerow.structured"), "Ordering", Ordering)
    (folder / "hands.tsv").write_text("ba\tab\ncb-\tbc\ndca\tacd\n")
    (folder / "new.txt").write_text("cba\n")


TRAIN = ("train", "--problem", "ordering", "--learner", "structured-perceptron", "hands.tsv", "-o", "m")


def test_commands(hedgerow_command):
    hedgerow_command.good(*TRAIN, "--step", 2, "--ignored=-", "--epochs", 5)
    assert hedgerow_command.good("predict", "m", "new.txt") == "abc\n"
    assert "accuracy 1.0000" in hedgerow_command.good("evaluate", "m", "hands.tsv")
    model = load("m")
    assert (model.problem_.step, model.problem_.ignored, model.problem_.letters_) == (2.0, "-", list("abcd"))
    model.partial_fit(["dc"], ["cd"])


def test_a_parameter_that_is_no_text():
    with pytest.raises(TypeError, match="ignored must be a text, got 3"):
        StructuredPerceptron(Ordering(ignored=3)).fit(["ba"], ["ab"])


def test_state_that_prepare_does_not_set():
    with pytest.raises(ValueError, match="_check_params is not an attribute that prepare sets"):
        Ordering()._from_state({"_check_params": 1}, {})


def test_a_joint_kernel_is_not_saved():
    class ByKernel(Problem):
        def joint_kernel(self, x, y, x2, y2):
            return float(y == y2)

    problem = ByKernel()
    problem.pairs_ = KnownPairs()
    with pytest.raises(TypeError, match="cannot be saved"):
        problem._to_state()
