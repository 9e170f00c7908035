"""Parts of data sets put together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import sparse

from hedgerow.data import CandidateLists, Forest, Records
from hedgerow.data.files import name_of
from hedgerow.io.examples import Examples


def no_example(paths: Sequence[str]) -> ValueError:
    return ValueError(f"no example in {', '.join(map(name_of, paths))}")


def join(parts: Sequence[Examples]) -> Examples:
    """The examples of all parts, which look alike."""
    if len(parts) == 1:
        return parts[0]
    if isinstance(parts[0], list):
        return [item for part in parts for item in part]
    if isinstance(parts[0], Forest | Records | CandidateLists):
        return type(parts[0]).concatenate(parts)
    return sparse.vstack(parts, format="csr") if sparse.issparse(parts[0]) else np.concatenate(parts)
