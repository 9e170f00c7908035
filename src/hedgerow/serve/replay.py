"""The model of a log: a sound snapshot, and the records after it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from hedgerow.data.errors import FormatError
from hedgerow.persistence.model_file import ModelFile, model_file
from hedgerow.serve.learned import Learned
from hedgerow.serve.storage import Storage

GROUP = 500  # records that are learned at once


def newest_sound(storage: Storage, at_most: int, warn: Callable[[str], object] = lambda _: None) -> Learned:
    """The model of the newest snapshot that can be loaded, of those up to a position."""
    facts = storage.facts()
    if facts is None:
        raise FormatError("there is no model in it", path=storage.name)
    reasons: list[Any] = []
    for snapshot in storage.snapshots():
        if snapshot.position > at_most:
            continue
        name = f"the snapshot at position {snapshot.position}"
        try:
            file = model_file(storage.read_snapshot(snapshot), name)
            return _learned(file, name, facts, storage.revision(), snapshot.position)
        except (FormatError, OSError) as error:
            reasons.append(error)
            warn(f"{error}; the one before it is used")
    why = f": {reasons[-1]}" if reasons else ""
    raise FormatError(f"no snapshot of the model can be loaded{why}", path=storage.name)


def _learned(file: ModelFile, name: str, facts: dict[str, Any], revision: int, position: int) -> Learned:
    try:
        return Learned(file, facts, revision, position)
    except ValueError as error:  # another kind of model than the log began with
        raise FormatError(str(error), path=name) from None


def replayed(storage: Storage, to: int | None = None, without: Collection[int] = ()) -> Learned:
    """The model at a position, as if some records had never been."""
    last = storage.last()
    if to is not None and not 0 <= to <= last:
        raise ValueError(f"the position must be between 0 and {last}, got {to}")
    before = min(without, default=last + 1) - 1
    learned = newest_sound(storage, min(before, last if to is None else to))
    catch_up(learned, storage, last if to is None else to, without)
    return learned


def catch_up(learned: Learned, storage: Storage, to: int, without: Collection[int] = ()) -> None:
    """Learns the records up to a position."""
    group = []
    for record in storage.records(learned.position, to):
        if record.position not in without:
            group.append(record)
        if len(group) == GROUP:
            learned.learn(group)
            group.clear()
    if group:
        learned.learn(group)
    learned.position = max(learned.position, to)
