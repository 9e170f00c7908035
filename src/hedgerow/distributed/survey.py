"""What must be known of all shards before learning begins."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from hedgerow.io.schema import SchemaBuilder


@dataclass
class Survey:
    """What a look at a shard tells."""

    n: int = 0
    labels: set[Any] = field(default_factory=set)  # distinct ones
    schema: SchemaBuilder | None = None  # of files of tables: it has their labels too
