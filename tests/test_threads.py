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


def test_whoever_changes_the_environment_later_changes_nothing(default, monkeypatch):
    """Dask does, in a process that starts workers."""
    for setting in ("1", "7"):
        monkeypatch.setenv("OMP_NUM_THREADS", setting)
        assert hedgerow.get_n_jobs() == default


def test_what_a_call_says_counts_most(default):
    hedgerow.set_n_jobs(3)
    assert (resolve(None), resolve(2)) == (3, 2)
    assert resolve(-1) >= 1


@pytest.mark.parametrize("wrong", [0, -2, True, 1.0])
def test_wrong_numbers(wrong):
    with pytest.raises(ValueError, match="positive number of threads, -1 or None"):
        hedgerow.set_n_jobs(wrong)
