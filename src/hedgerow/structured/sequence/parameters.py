"""Parameters of label sequences, which their problem and their machine share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hedgerow.kernels.base import Kernel


@dataclass(eq=False, repr=False, kw_only=True)
class SequenceParameters:
    """See `LabelSequence`."""

    order: int = 1
    window: int = 0
    templates: Any = None
    kernel: Kernel | None = None
    classes: Any = None
    transition_scale: float = 1.0
    transition_features: Any = None
    boundaries: bool = False
    bias: bool = True
    loss: Any = "hamming"
    constraints: Any = None
    constrained_training: bool = False
