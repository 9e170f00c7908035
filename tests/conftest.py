import os
from pathlib import Path

import pytest

import hedgerow


@pytest.fixture(scope="session", autouse=True)
def _one_thread():
    """Tests are many and small; those of threads ask for them."""
    hedgerow.set_n_jobs(1)


@pytest.fixture(scope="session")
def data_folder():
    """The folder of reference data: HEDGEROW_DATA, or ../shared/data beside the project."""
    beside = Path(__file__).parents[2] / "shared" / "data"
    folder = Path(os.environ.get("HEDGEROW_DATA", beside))
    if not folder.is_dir():
        pytest.skip(f"no reference data in {folder}; set HEDGEROW_DATA")
    return folder
