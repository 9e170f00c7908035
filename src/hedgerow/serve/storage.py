"""What a service keeps, whatever keeps it: the log of feedback, recent predictions, snapshots of the model."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from hedgerow.serve.records import Answer, Feedback, Record

FORMAT_VERSION = 1


class Conflict(ValueError):
    """A key that was used before, for other feedback."""

    def __init__(self, number: int, key: str, position: int) -> None:
        super().__init__(f"the key {key!r} was used before, for other feedback, at position {position}")
        self.number = number  # of the feedback in its request


class StorageError(OSError):
    """The disk or the database does not take it now; nothing was written."""


@dataclass(frozen=True, order=True)
class Snapshot:
    """A model file beside the log. Those of earlier revisions know records that have been erased since."""

    revision: int
    position: int


class Storage(ABC):
    """One model's log. One thread writes; others may read at the same time.

    Positions count from 1 without gaps. What `append` has returned is on the disk. `erase` makes a new revision, for
    which snapshots of others no longer count, but for the first one, at position 0, which knows no record.
    """

    name: str

    @abstractmethod
    def create(self, model: bytes, facts: dict[str, Any]) -> None:
        """Begins with a model file, the snapshot at position 0, and facts that never change."""

    @abstractmethod
    def facts(self) -> dict[str, Any] | None:
        """What `create` was given; None before. A FormatError when a newer version of hedgerow wrote it."""

    @property
    @abstractmethod
    def writes(self) -> bool:
        """Whether this process may write; false for those that follow another."""

    def lead(self) -> bool:
        """Tries to become the process that writes; whether it is now."""
        return self.writes

    def writer(self) -> str:
        """Where to reach the process that writes, if that is known."""
        return ""

    @abstractmethod
    def append(self, requests: Sequence[Sequence[Feedback]]) -> list[list[int] | Conflict]:
        """Commits all requests at once, each whole or not at all; gives positions.

        A key that comes again with the same content has its old position. StorageError: nothing was written.
        """

    @abstractmethod
    def last(self) -> int:
        """The position of the last record, 0 if there is none."""

    @abstractmethod
    def revision(self) -> int:
        """How often records were erased."""

    @abstractmethod
    def records(self, after: int = 0, to: int | None = None, limit: int | None = None) -> Iterator[Record]:
        """In order."""

    @abstractmethod
    def newest(self, before: int | None, limit: int, search: str = "") -> list[Record]:
        """The newest records before a position, the newest first; with a text in the example, label or key."""

    @abstractmethod
    def mark(self, position: int, fault: str) -> None:
        """Notes that the learner refused a record."""

    @abstractmethod
    def keep(self, answers: Sequence[Answer], at_most: int) -> None:
        """Remembers predictions, and forgets the oldest of more than ``at_most``."""

    @abstractmethod
    def answer(self, id: str) -> Answer | None:
        """A prediction that is still remembered."""

    @abstractmethod
    def record(self, key: str) -> Record | None:
        """The record with a key; erased ones have none."""

    @abstractmethod
    def erase(self, positions: Sequence[int]) -> int:
        """Erases what these records hold for good; returns the new revision. All or nothing."""

    @abstractmethod
    def snapshots(self) -> list[Snapshot]:
        """Those that count, the newest first; the last is the one at position 0."""

    @abstractmethod
    def read_snapshot(self, snapshot: Snapshot) -> bytes: ...

    @abstractmethod
    def write_snapshot(self, snapshot: Snapshot, model: bytes, keep: int) -> None:
        """Whole or not at all; keeps the first and the newest few, and removes others."""

    @abstractmethod
    def close(self) -> None: ...
