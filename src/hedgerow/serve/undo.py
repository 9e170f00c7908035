"""A model of a log that runs or not, written to a file: at a position, or without some records."""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence

from hedgerow.data.files import writing
from hedgerow.serve.replay import replayed
from hedgerow.serve.storage import Storage


def positions_of(storage: Storage, keys: Sequence[str]) -> list[int]:
    """Where keys are in the log; a ValueError for one that is not."""
    found = []
    for key in keys:
        record = storage.record(key)
        if record is None:
            raise ValueError(f"{storage.name}: no record has the key {key!r}")
        found.append(record.position)
    return found


def rebuilt(
    storage: Storage,
    path: str | os.PathLike[str],
    *,
    to: int | None = None,
    without: Sequence[str] = (),
    erase: bool = False,
) -> None:
    """Writes the model, and erases what it was made without if that is wanted."""
    if erase and not storage.writes:
        raise BlockingIOError(errno.EAGAIN, "another service is using it", storage.name)
    gone = positions_of(storage, without)
    last = storage.last()
    learned = replayed(storage, to, gone)
    with writing(path) as out:
        out.write(learned.content()[1])
    if erase:
        after = range(last + 1, last + 1) if to is None else range(to + 1, last + 1)
        storage.erase(sorted({*gone, *after}))
