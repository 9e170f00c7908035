"""Learning and predicting on many machines with Dask, and beyond memory on one."""

from hedgerow.distributed.cluster import connected
from hedgerow.distributed.gram import gram
from hedgerow.distributed.prediction import decision_function, evaluate, predict
from hedgerow.distributed.progress import Progress
from hedgerow.distributed.shards import Shards
from hedgerow.distributed.sources import from_dask, read
from hedgerow.distributed.training import fit

__all__ = [
    "Progress",
    "Shards",
    "connected",
    "decision_function",
    "evaluate",
    "fit",
    "from_dask",
    "gram",
    "predict",
    "read",
]
