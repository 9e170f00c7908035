"""How many threads are used where nobody says."""

import pytest

import hedgerow
from hedgerow.threads import resolve


@pytest.fixture
def default():
    before = hedgerow.get_n_jobs()
    hedgerow.set_n_jobs(None)
    yield hedgerow.get_n_jobs()
    hedgerow.set_n_jobs(before)


def test_environment(default, monkeypatch):
    """Of a process that others have not started to work for them; Dask sets the first one there too."""
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    assert hedgerow.get_n_jobs() == default
    monkeypatch.setenv("HEDGEROW_NUM_THREADS", "3")
    assert hedgerow.get_n_jobs() == 3
    for wrong in ("0", "-1", "many", "1025"):
        monkeypatch.setenv("HEDGEROW_NUM_THREADS", wrong)
        words = f"HEDGEROW_NUM_THREADS must be a number of threads from 1 to 1024, got '{wrong}'"
        with pytest.raises(ValueError, match=words):
            hedgerow.get_n_jobs()


def test_what_a_call_says_counts_most(default):
    hedgerow.set_n_jobs(3)
    assert (resolve(None), resolve(2)) == (3, 2)
    assert resolve(-1) >= 1


@pytest.mark.parametrize("wrong", [0, -2, True, 1.0])
def test_wrong_numbers(wrong):
    with pytest.raises(ValueError, match="positive number of threads, -1 or None"):
        hedgerow.set_n_jobs(wrong)
