"""Data for experiments that read a folder."""

from __future__ import annotations

import gzip

import numpy as np
import pytest

from hedgerow.datasets import load_questions


@pytest.fixture
def small_data(tmp_path):
    """A folder laid out as the data folder, with little in it."""
    random = np.random.RandomState(0)

    def write(name, lines):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(gzip.compress("\n".join(lines).encode()))

    for subset, n in (("train", 60), ("test", 30)):
        lines = []
        for _ in range(n):
            label = random.choice([-1, 1])
            on = sorted({(1 if label > 0 else 2), *random.randint(3, 123, size=5).tolist()})
            lines.append(f"{label:+d} " + " ".join(f"{feature}:1" for feature in on))
        write(f"a9a/{subset}.libsvm.gz", lines)
        trees, y = load_questions()
        chosen = random.permutation(len(y))[:n]
        pairs = list(zip(trees[chosen].to_brackets(), y[chosen], strict=True))
        write(f"qc/{subset}.ct.tk.gz", [f"{label}:x |BT| {tree} |ET|" for tree, label in pairs])
        write(
            f"srl_ewt/{subset}.tk.gz",
            [f"{'+1' if label == 'HUM' else '-1'} |BT| {tree} |ET|" for tree, label in pairs],
        )
    return tmp_path
