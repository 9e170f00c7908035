"""Ctrl-C during a long native computation."""

import pytest

from tests.interrupting import output_of_interrupted

PROGRAM = """
import numpy as np
from hedgerow.kernels import RBF, PartialTree, Subsequence

rng = np.random.default_rng(0)
words = ["(S " + " ".join(f"(N w{i})" for i in rng.integers(0, 50, 60)) + ")" for _ in range(3000)]
strings = ["".join(rng.choice(list("abcd"), 300)) for _ in range(3000)]
print("ready", flush=True)
try:
    CALL
except KeyboardInterrupt:
    print("interrupted", flush=True)
print(RBF()(np.eye(2)).shape, flush=True)
"""


def interrupted(call: str, n_jobs: int) -> str:
    """What the program prints when Ctrl-C comes while the call runs, which takes a minute by itself."""
    program = PROGRAM.replace("CALL", call.format(n_jobs=n_jobs))
    return output_of_interrupted(program)


class TestInterrupt:
    @pytest.mark.slow
    def test_trees(self):
        for n_jobs in (1, 2):
            assert interrupted("PartialTree()(words, n_jobs={n_jobs})", n_jobs) == "interrupted\n(2, 2)\n"

    def test_strings(self):
        assert interrupted("Subsequence(length=5)(strings, n_jobs={n_jobs})", 1) == "interrupted\n(2, 2)\n"
