"""Plots are drawn without a screen, and closed after every test."""

from __future__ import annotations

import importlib.util

import pytest

HAS_MATPLOTLIB = importlib.util.find_spec("matplotlib") is not None
PLOTS = ("test_convergence.py", "test_parameter_choice.py", "test_traces.py")
collect_ignore = [] if HAS_MATPLOTLIB else list(PLOTS)

if HAS_MATPLOTLIB:
    import matplotlib

    matplotlib.use("Agg")


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    if HAS_MATPLOTLIB:
        import matplotlib.pyplot as plt

        plt.close("all")
