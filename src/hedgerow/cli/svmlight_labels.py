"""Labels as SVM-light-TK understands them."""

from __future__ import annotations

import numpy as np

from hedgerow.data.files import name_of
from hedgerow.io.examples import Vector


def signs(y: Vector, path: str) -> Vector:
    """Labels as 1 and -1."""
    if y.dtype.kind == "U":
        word = next(str(label) for label in y)
        raise ValueError(f"{name_of(path)}: labels must be numbers above or below 0, got {word!r}")
    if (y == 0).any():
        raise ValueError(
            f"{name_of(path)}: the label 0 marks examples for transduction, which hedgerow does not do"
        )
    return np.where(y > 0, 1, -1)
