"""What wrong labels cost."""

from __future__ import annotations

from typing import Any

import numpy as np

from hedgerow.checks import as_matrix
from hedgerow.kernels.base import Matrix
from hedgerow.structured.losses import pair_losses
from hedgerow.structured.sequence.labels import LabelNumbers

LOSSES = ("hamming", "mean", "zero-one")  # those that count wrong labels


def loss_matrix(loss: Any, labels: LabelNumbers) -> Matrix | None:
    """Losses by true label and label; None when the loss has a name."""
    if isinstance(loss, str):
        return None
    n = len(labels)
    if isinstance(loss, dict):
        losses = pair_losses(loss, labels.numbers)
    else:
        losses = as_matrix("loss", loss, "the name of a loss, a matrix or a dict")
    if losses.shape != (n, n):
        raise ValueError(
            f"loss must have a row and a column for each of {n} labels, got shape {losses.shape}"
        )
    if not (np.isfinite(losses).all() and (losses >= 0).all() and not losses.diagonal().any()):
        raise ValueError("loss must have finite values of at least 0, and 0 for the true label")
    return np.ascontiguousarray(losses)
