"""The data that benchmarks run on: real sets when they are at hand, else the questions that ship."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from hedgerow import Forest
from hedgerow.datasets import load_questions
from hedgerow.io import iter_svmlight_tk, read_svmlight_tk

DATA = Path(os.environ.get("HEDGEROW_DATA", Path(__file__).parents[2] / "shared" / "data"))


def first_trees(path: Path, n: int) -> Forest:
    return next(iter(iter_svmlight_tk(path, batch_size=n)))[0]


def forests() -> dict[str, Forest]:
    """Forests by the names that the design figures use."""
    if not DATA.is_dir():
        print(f"no data folder at {DATA} (set HEDGEROW_DATA): running on the 300 questions that ship\n")
        return {"questions": load_questions()[0]}
    return {
        "QC": read_svmlight_tk(DATA / "qc" / "train.ct.tk.gz")[0],
        "WSJ": Forest.read(DATA / "ptb_sample" / "all.tsv.gz", field=1),
        "SRL": first_trees(DATA / "srl_wsj" / "train.tk.gz", 20_000),
    }


def by_pairs(kernel: Any, X: Forest, Y: Forest | None = None) -> Any:
    """Values of a tree kernel pair by pair, without the collapsed index."""
    K = np.empty((len(X), len(X if Y is None else Y)))
    kernel._native().pairwise(X._native, None if Y is None else Y._native, K)
    return K
