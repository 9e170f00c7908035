"""Types of parameters that many learners have; choices are checked by them, see `hedgerow.parameters`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

import numpy as np

from hedgerow.kernels.base import Kernel

ClassWeight: TypeAlias = Mapping[Any, float] | Literal["balanced"] | None
KernelOrValues: TypeAlias = Kernel | Literal["precomputed"] | None
Multiclass: TypeAlias = Literal["one-vs-rest", "one-vs-one", "codes", "direct"]
Probability: TypeAlias = Literal["sigmoid", "isotonic"] | None
Precision: TypeAlias = Literal["double", "single"]
RandomState: TypeAlias = int | np.random.RandomState | None
