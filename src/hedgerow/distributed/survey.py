"""What must be known of all shards before learning begins."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from hedgerow.io.layout import Layout


@dataclass
class Survey:
    """What a look at a shard tells."""

    n: int = 0
    labels: set[Any] = field(default_factory=set)  # distinct ones; as they are written, where these are files
    layout: Layout | None = None  # of files of tables: the columns and the width that were met
