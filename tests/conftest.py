"""Fixtures for all tests."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

import hedgerow


@pytest.fixture(scope="session", autouse=True)
def _one_thread():
    """Tests are many and small; those of threads ask for them."""
    hedgerow.set_n_jobs(1)


@pytest.fixture(scope="session", autouse=True)
def _heed_interrupts():
    """Shells have what they start in the background ignore Ctrl-C."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The folder of reference data, which is not part of the project."""
    beside = Path(__file__).resolve().parents[2] / "shared" / "data"
    folder = Path(os.environ.get("HEDGEROW_DATA", beside))
    if not folder.is_dir():
        pytest.skip(f"no reference data at {folder}; set HEDGEROW_DATA")
    return folder
