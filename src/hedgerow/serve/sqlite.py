"""The log in a folder: a database of SQLite, with the model files beside it."""

from __future__ import annotations

import errno
import os
import re
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, cast

from hedgerow.data.errors import FormatError
from hedgerow.data.files import writing
from hedgerow.serve.storage import Snapshot, StorageError
from hedgerow.serve.tables import TABLES, Cursor, TableStorage

_FILE = re.compile(r"(\d+)-(\d+)\.model")


class SqliteStorage(TableStorage):
    """A folder. Every commit is synced to the disk; one process at a time may write.

    Parameters
    ----------
    folder : path
        Made if it is not there, unless ``read_only``.
    read_only : bool, default=False
        To look at a log that a service may be writing.
    """

    def __init__(self, folder: str | os.PathLike[str], *, read_only: bool = False) -> None:
        self.folder = Path(folder)
        self.name = os.fspath(folder)
        self._read_only = read_only
        self._file = self.folder / "log.sqlite"
        self._own = threading.local()  # each thread's connection
        self._connections: list[sqlite3.Connection] = []
        self._lock: BinaryIO | None = None
        if read_only:
            if not self._file.is_file():
                raise FileNotFoundError(errno.ENOENT, "no log of hedgerow serve", self.name)
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        self._lock = _locked(self.folder)
        try:
            with self._writing() as cursor:
                for statement in TABLES:
                    cursor.execute(statement)
        except BaseException:
            self.close()
            raise

    @property
    def writes(self) -> bool:
        return not self._read_only

    def create(self, model: bytes, facts: dict[str, Any]) -> None:
        if any(found.position for found in self._files()):
            raise FormatError("there are model files, but their log (log.sqlite) is missing", path=self.name)
        self.write_snapshot(Snapshot(0, 0), model, 1)
        _sync_folder(self.folder)
        self._write_facts(facts)

    def erase(self, positions: Sequence[int]) -> int:
        revision = super().erase(positions)
        connection = self._connection()
        # Nothing stays behind in the journal either. Who reads at the moment may delay that.
        with self._clear_errors():
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self._remove([found for found in self._files() if found.revision < revision and found.position])
        return revision

    # -- the database ---------------------------------------------------------------------------------------

    def _connection(self) -> sqlite3.Connection:
        connection = getattr(self._own, "connection", None)
        if connection is None:
            with self._clear_errors():
                path = f"{self._file.absolute().as_uri()}?mode={'ro' if self._read_only else 'rwc'}"
                connection = sqlite3.connect(
                    path, uri=True, isolation_level=None, check_same_thread=False, timeout=30
                )
                if not self._read_only:
                    connection.execute("PRAGMA journal_mode=WAL")
                    connection.execute("PRAGMA synchronous=FULL")
                    connection.execute("PRAGMA secure_delete=ON")  # erased is overwritten
            self._own.connection = connection
            self._connections.append(connection)
        return cast(sqlite3.Connection, connection)

    @contextmanager
    def _clear_errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:
            raise StorageError(errno.EIO, str(error), self.name) from error
        except sqlite3.DatabaseError as error:
            raise FormatError(
                f"the log is damaged or not one of hedgerow: {error}", path=self.name
            ) from error

    @contextmanager
    def _writing(self) -> Iterator[Cursor]:
        with self._clear_errors():
            cursor = self._connection().cursor()
            cursor.execute("BEGIN IMMEDIATE")
            try:
                yield cursor
                cursor.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.OperationalError):
                    cursor.execute("ROLLBACK")
                raise

    @contextmanager
    def _noting(self) -> Iterator[Cursor]:
        connection = self._connection()
        connection.execute("PRAGMA synchronous=NORMAL")
        try:
            with self._writing() as cursor:
                yield cursor
        finally:
            connection.execute("PRAGMA synchronous=FULL")

    @contextmanager
    def _reading(self) -> Iterator[Cursor]:
        with self._clear_errors():
            cursor = self._connection().cursor()
            try:
                yield cursor
            finally:
                cursor.close()

    def close(self) -> None:
        for connection in self._connections:
            connection.close()
        self._connections.clear()
        self._own = threading.local()
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    # -- model files ----------------------------------------------------------------------------------------

    def _path(self, snapshot: Snapshot) -> Path:
        return self.folder / f"{snapshot.revision:06}-{snapshot.position:012}.model"

    def _files(self) -> list[Snapshot]:
        found = (_FILE.fullmatch(path.name) for path in self.folder.iterdir())
        return sorted((Snapshot(int(one[1]), int(one[2])) for one in found if one), reverse=True)

    def snapshots(self) -> list[Snapshot]:
        revision = self.revision()
        return [found for found in self._files() if found.revision == revision or found.position == 0]

    def read_snapshot(self, snapshot: Snapshot) -> bytes:
        return self._path(snapshot).read_bytes()

    def write_snapshot(self, snapshot: Snapshot, model: bytes, keep: int) -> None:
        with writing(self._path(snapshot)) as out:
            out.write(model)
        self._remove([found for found in self._files() if found.position][keep:])

    def _remove(self, snapshots: list[Snapshot]) -> None:
        for snapshot in snapshots:
            self._path(snapshot).unlink(missing_ok=True)


def _locked(folder: Path) -> BinaryIO | None:
    """The lock of the folder, held until it is closed; None where there are no locks."""
    try:
        import fcntl
    except ImportError:  # Windows
        return None
    file = open(folder / "lock", "wb")  # noqa: SIM115
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        file.close()
        if error.errno not in (errno.EAGAIN, errno.EACCES):
            return None  # a file system without locks
        raise BlockingIOError(errno.EAGAIN, "another service is using it", os.fspath(folder)) from None
    return file


def _sync_folder(folder: Path) -> None:
    """So that the names of new files survive a crash too."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
