"""The two Gaussian clouds: moments, noise and repeatability."""

from __future__ import annotations

import numpy as np
import pytest

from hedgerow.datasets import make_two_gaussians


def test_moments():
    X, y = make_two_gaussians(200_000, label_noise=0, random_state=3)
    assert abs(np.mean(y == 1) - 0.5) < 0.005
    for label in (-1, 1):
        cloud = X[y == label]
        np.testing.assert_allclose(cloud.mean(axis=0), [label, label], atol=0.02)
        np.testing.assert_allclose(np.cov(cloud.T), np.diag([0.2, 2.0]), atol=0.03)


def test_noise_flips_labels_and_moves_no_point():
    X, clean = make_two_gaussians(50_000, label_noise=0, random_state=5)
    noisy_X, noisy = make_two_gaussians(50_000, random_state=5)
    np.testing.assert_array_equal(noisy_X, X)
    assert abs(np.mean(noisy != clean) - 0.1) < 0.005
    assert set(noisy.tolist()) == {-1, 1}


def test_state_decides():
    first, second = (make_two_gaussians(50, random_state=seed)[0] for seed in (0, 1))
    assert not np.array_equal(first, second)
    np.testing.assert_array_equal(make_two_gaussians(50, random_state=0)[0], first)
    state = np.random.RandomState(0)
    np.testing.assert_array_equal(make_two_gaussians(50, random_state=state)[0], first)
    assert not np.array_equal(make_two_gaussians(50, random_state=state)[0], first)


def test_the_best_line_is_right_for_nine_in_ten():
    X, y = make_two_gaussians(100_000, random_state=1)
    right = np.mean(np.sign(X @ [1 / 0.2, 1 / 2]) == y)
    assert abs(right - 0.892) < 0.004  # 0.9 of the 99.05% below the line, 0.1 of the others


@pytest.mark.parametrize("n_samples", [-1, 2.5, True, "many"])
def test_bad_size(n_samples):
    with pytest.raises(ValueError, match="n_samples must be a whole number"):
        make_two_gaussians(n_samples)


@pytest.mark.parametrize("label_noise", [-0.1, 1.5, float("nan")])
def test_bad_noise(label_noise):
    with pytest.raises(ValueError, match="label_noise must be a probability"):
        make_two_gaussians(10, label_noise=label_noise)
