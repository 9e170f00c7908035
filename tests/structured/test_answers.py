"""What a user's problem returns is looked at: a bad answer is an error with the example's number, whoever asks."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone

from hedgerow.structured import Problem, StructuredPerceptron, StructuredSVM

X, Y = [[1.0, 0.0], [0.0, 1.0], [2.0, 3.0]], ["r", "g", "b"]
MACHINES = {
    "one-slack": StructuredSVM(None, solver="one-slack"),
    "n-slack": StructuredSVM(None, solver="n-slack"),
    "quadratic": StructuredSVM(None, solver="n-slack", slack="quadratic"),
    "frank-wolfe": StructuredSVM(None, solver="frank-wolfe", random_state=0),
    "perceptron": StructuredPerceptron(None, epochs=3),
}


class Colours(Problem):
    """Right but for the answers about one example, or one output."""

    def __init__(self, loss=1.0, features=None):
        self.loss = loss
        self.features = features

    def joint_features(self, x, y):
        if self.features is not None and x == [2.0, 3.0] and y == "g":
            return self.features
        return {2 * "rgb".index(y) + j: value for j, value in enumerate(x)}

    def candidates(self, x):
        return "rgb"

    def compute_loss(self, y_true, y):
        return 0.0 if y_true == y else self.loss if y_true == "b" else 1.0


def fit(machine, problem):
    return clone(MACHINES[machine]).set_params(problem=problem).fit(X, Y)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("loss", [np.nan, np.inf, -1.0, "much", None])
def test_losses(machine, loss):
    with pytest.raises(
        ValueError, match=r"compute_loss must give finite numbers from 0 on, .* \(example 2\)"
    ):
        fit(machine, Colours(loss=loss))


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(
    ("features", "words"),
    [
        ({2: np.nan}, "joint_features must be finite, got nan at the index 2"),
        ({2: 1.0, 3: np.inf}, "joint_features must be finite, got inf at the index 3"),
        ({2.5: 1.0}, "indices of joint_features must be whole numbers from 0 .*got 2.5"),
        ({"word": 1.0}, "indices of joint_features must be whole numbers from 0 .*got 'word'"),
        ({-1: 1.0}, "indices of joint_features must be whole numbers from 0 .*got -1"),
        ({True: 1.0}, "indices of joint_features must be whole numbers from 0 .*got True"),
        ({2: "a lot"}, "values of joint_features must be numbers"),
        (np.array([0.0, np.nan]), "joint_features must be finite, got nan at the index 1"),
        (sparse.csr_array([[0.0, -np.inf]]), "joint_features must be finite, got -inf at the index 1"),
        ("text", "joint_features must give a dense array, a scipy sparse row, or a dict"),
    ],
)
def test_features(machine, features, words):
    with pytest.raises(ValueError, match=rf"{words}.* \(example 2\)"):
        fit(machine, Colours(features=features))


@pytest.mark.parametrize("machine", MACHINES)
def test_joint_kernels(machine):
    class Kernel(Colours):
        joint_features = Problem.joint_features

        def joint_kernel(self, x, y, x2, y2):
            bad = [2.0, 3.0] in (x, x2) and x != x2
            return np.nan if bad else float(y == y2) * float(np.dot(x, x2))

    with pytest.raises(ValueError, match=r"joint_kernel must give finite numbers, got nan .*\(example \d\)"):
        fit(machine, Kernel())


@pytest.mark.parametrize("machine", MACHINES)
def test_numpy_numbers_are_numbers(machine):
    class Numpy(Colours):
        def joint_features(self, x, y):
            features = super().joint_features(x, y)
            return {np.int64(index): np.float32(value) for index, value in features.items()}

    assert len(fit(machine, Numpy(loss=np.float32(2.0))).predict(X)) == 3
