"""``hedgerow prune``: smaller models from the command line."""

from __future__ import annotations

import numpy as np
from numpy.testing import assert_array_equal

import hedgerow
from hedgerow.kernels import Linear
from hedgerow.online import ModifiedBalancedWinnow, Perceptron
from tests.online.linear.test_winnows import noisy_stream


def test_pruned_files(folder, hedgerow_command) -> None:
    X, y = noisy_stream(150, seed=0)
    model = ModifiedBalancedWinnow().fit(X, y)
    hedgerow.save(model, "all.model")
    assert (
        hedgerow_command.good("prune", "all.model", "--features", 10, "--top", 0.5, "-o", "few.model") == ""
    )
    few = hedgerow.load("few.model")
    assert_array_equal(few.decision_function(X), model.prune(10, 0.5).decision_function(X))
    hedgerow_command.good("prune", "few.model", "--features", 5, "-o", "few.model")
    assert len(hedgerow.load("few.model").features_[0]) == 5


def test_what_a_stream_goes_on_with_stays(folder, hedgerow_command) -> None:
    lines = [
        f"{'ham' if i % 2 else 'spam'}\t{'lunch' if i % 2 else 'pills'} word{i % 7}\n" for i in range(60)
    ]
    train = ("train", "-", "--format", "text", "--learner", "mbw", "--quiet")
    hedgerow_command.good(*train, "-o", "m.model", stdin="".join(lines))
    hedgerow_command.good("prune", "m.model", "--features", 4, "-o", "m.model")
    hedgerow_command.good(
        "train", "-", "--resume", "m.model", "-o", "m.model", "--quiet", stdin="".join(lines)
    )
    assert hedgerow_command.good("predict", "m.model", "-", stdin="pills\nlunch\n").split() == ["spam", "ham"]


def test_what_cannot_be_pruned_is_said(folder, hedgerow_command) -> None:
    hedgerow.save(Perceptron(Linear()).fit(np.eye(2), [0, 1]), "kernel.model")
    sentence = hedgerow_command.run("prune", "kernel.model", "--features", 1, "-o", "x").output
    assert "Perceptron has no weights of features" in " ".join(sentence.split())
    assert "--features" in hedgerow_command.run("prune", "kernel.model", "-o", "x").output
