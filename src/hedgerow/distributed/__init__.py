"""Learning and predicting on many machines with Dask, and beyond memory on one."""

from hedgerow.distributed.cluster import connected
from hedgerow.distributed.progress import Progress
from hedgerow.distributed.shards import Shards
from hedgerow.distributed.sources import from_dask, read
from hedgerow.distributed.training import fit

__all__ = ["Progress", "Shards", "connected", "fit", "from_dask", "read"]
