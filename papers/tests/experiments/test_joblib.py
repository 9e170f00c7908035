"""Experiments on joblib's Dask backend: the same figures, made by Dask's workers."""

from __future__ import annotations

from hedgerow_papers.experiments import EXPERIMENTS, Settings, run_all
from tests.distributed.conftest import client
from tests.distributed.test_joblib import on_dask

__all__ = ["client", "on_dask"]


def test_experiments(on_dask):
    experiment = EXPERIMENTS["online_synthetic"]
    settings = Settings(quick=True, permutations=1, rows=("Perceptron", "*rojectron*"))

    def figures(jobs):
        runs = {(run.row, run.permutation): dict(run.figures) for run in run_all(experiment, settings, jobs)}
        return {key: found | {"seconds": 0} for key, found in runs.items()}

    found = figures(2)
    assert found == figures(1)
    assert len(found) > 1
