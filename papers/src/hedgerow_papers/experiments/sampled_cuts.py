"""What the experiments with sampled cuts share: kernels, argument boundaries, and one run of a machine."""

from __future__ import annotations

import time
import warnings
from typing import Any

from sklearn.exceptions import ConvergenceWarning

from hedgerow.kernels import Kernel, Normalized, PartialTree, SubsetTree, SubTree
from hedgerow.svm import CuttingPlaneSVC
from hedgerow_papers.datasets import load_srl_boundaries
from hedgerow_papers.experiments.experiment import Measure, Settings
from hedgerow_papers.experiments.split import Split, f1_percent

KERNELS = ("ST", "SST", "SST-bow", "PT", "uPT")
QUICK = 1_000
TRAINING_MEASURES = (
    Measure("support", "Supports", decimals=0, compared=False),
    Measure("rounds", "Rounds", decimals=0, compared=False),
    Measure("cpu_minutes", "CPU minutes", compared=False),
    Measure("minutes", "Minutes", compared=False),
)
BOUNDARY_FILES = ("srl_ewt/train.tk", "srl_ewt/test.tk")
BOUNDARIES_DIFFERENCE = "srl_ewt (English Web Treebank) instead of CoNLL-2005 (Wall Street Journal)"
OTHER_DATA_NOTE = (
    "The data differ: the paper used CoNLL-2005 (licensed; automatic parses; test sets are sections 23 and 24 of the "
    "Wall Street Journal, and its first F1 is that of section 23), hedgerow the English Web Treebank (gold parses, one "
    "test set)."
)
STOPPING_NOTE = (
    "Sampled cuts stop when the loss of the last sample is within epsilon and a standard error of what the cuts know, "
    "and after 1,000 rounds in any case; the paper's stop within epsilon."
)
SUPPORTS_NOTE = (
    "The 100,809 supports of the exact machine in the documentation were counted before cutting planes left out those "
    "that they do not need."
)
TIME_NOTE = (
    "Minutes are those of training, by the clock and of all threads together; the paper's are of one thread at "
    "2.33 GHz."
)


def make_kernel(name: str, decay: float = 0.4) -> Kernel:
    """The kernel of a column of the published table: normalised, all its decays the same."""
    if name == "ST":
        return Normalized(SubTree(decay))
    if name in ("SST", "SST-bow"):
        return Normalized(SubsetTree(decay, bag_of_words=name == "SST-bow"))
    if name in ("PT", "uPT"):
        return Normalized(PartialTree(decay, decay, lexical=name == "PT"))
    raise ValueError(f"name must be one of {', '.join(KERNELS)}, got {name!r}")


def exact_machine(C: float = 1.0, **options: Any) -> CuttingPlaneSVC:
    """What learns from a million examples without sampling; it has no bias."""
    return CuttingPlaneSVC(make_kernel("SST"), C=C, tol=1e-3, **options)


def load_boundaries(settings: Settings) -> Split:
    """All argument boundaries, or few."""
    folder, limit = settings.data_folder(), QUICK if settings.quick else None
    return Split(
        *load_srl_boundaries(folder, "train", limit=limit), *load_srl_boundaries(folder, "test", limit=limit)
    )


def train_and_test(machine: Any, split: Split) -> dict[str, float]:
    """F1 of the positive class in per cent, and what the training took."""
    started, cpu = time.perf_counter(), time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # the number of rounds tells
        machine.fit(split.X, split.y)
    minutes = (time.perf_counter() - started) / 60
    cpu_minutes = (time.process_time() - cpu) / 60
    predicted = machine.predict(split.X_test)
    return {
        "f1": f1_percent(split.y_test > 0, predicted > 0),
        "support": float(machine.n_support_),
        "rounds": float(machine.n_iter_.sum()),
        "cpu_minutes": cpu_minutes,
        "minutes": minutes,
    }
