"""Examples that are sorted by class are noticed, others never."""

from __future__ import annotations

import copy
import pickle
import warnings

import numpy as np
import pytest

from hedgerow.kernels import RBF
from hedgerow.online import AROW, Perceptron
from hedgerow.online.label_order import LabelOrder

MESSAGE = "sorted by class: the label changes"


def examples(labels: np.ndarray) -> np.ndarray:
    return np.eye(3)[labels % 3] + 0.1


@pytest.mark.parametrize(
    "model", [AROW(), Perceptron(RBF()), AROW(epochs=2)], ids=["weights", "kernel", "epochs"]
)
def test_fit(model):
    labels = np.repeat([0, 1, 2], 100)
    with pytest.warns(UserWarning, match=f"{MESSAGE} 2 times in 300 examples, where 200 .*shuffle=True"):
        model.fit(examples(labels), labels)
    model.set_params(shuffle=True, random_state=0).fit(examples(labels), labels)


@pytest.mark.parametrize("size", [1, 37, 5000])
def test_a_stream_is_told_once(size):
    labels = np.repeat([0, 1], 500)
    model = AROW()
    with pytest.warns(UserWarning, match=MESSAGE) as told:  # noqa: PT031
        for begin in range(0, 1000, size):
            rows = slice(begin, begin + size)
            model.partial_fit(examples(labels[rows]), labels[rows], classes=[0, 1])
            model = copy.deepcopy(model) if begin % 2 else pickle.loads(pickle.dumps(model))
    assert len(told) == 1


@pytest.mark.parametrize("shares", [[0.5, 0.5], [0.99, 0.01], [0.998, 0.001, 0.001], [0.02] * 50])
@pytest.mark.parametrize("size", [1, 1000])
def test_nothing_is_said_about_random_order(shares, size):
    for seed in range(20):
        labels = np.random.default_rng(seed).choice(len(shares), 20_000 if size > 1 else 2000, p=shares)
        order = LabelOrder(len(shares))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for begin in range(0, len(labels), size):
                order.meet(labels[begin : begin + size])


def test_nor_about_alternating_labels_runs_of_a_few_and_few_examples():
    for labels in (np.arange(1000) % 2, np.arange(3000) // 5 % 2, np.repeat([0, 1], 90), np.zeros(5000, int)):
        LabelOrder(2).meet(labels)


def test_a_rare_class_in_one_run_is_noticed():
    with pytest.warns(UserWarning, match=MESSAGE):
        LabelOrder(2).meet(np.repeat([0, 1], [9900, 100]))
