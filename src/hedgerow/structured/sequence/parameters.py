"""Parameters of label sequences, which their problem and their machine share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from hedgerow.checks import Bounds, NotNegative
from hedgerow.kernels.base import Kernel
from hedgerow.structured.losses import LossTable
from hedgerow.structured.sequence.templates import Templates


@dataclass(eq=False, repr=False, kw_only=True)
class SequenceParameters:
    """See `LabelSequence`."""

    order: Annotated[int, Bounds(at_least=0, at_most=8)] = 1
    window: Annotated[int, Bounds(at_least=0, at_most=1000)] = 0
    templates: Literal["chunking", "names", "tagged-names"] | Templates | Sequence[str] | None = None
    kernel: Kernel | None = None
    classes: Any = None
    transition_scale: NotNegative = 1.0
    transition_features: Literal["all"] | Sequence[str] | Sequence[int] | Callable[[str], bool] | None = None
    boundaries: bool = False
    bias: bool = True
    loss: Literal["hamming", "mean", "zero-one"] | LossTable = "hamming"
    constraints: Literal["bio", "iobes"] | Sequence[tuple[Any, Any]] | None = None
    constrained_training: bool = False
