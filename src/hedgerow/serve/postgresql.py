"""The log in PostgreSQL, for several machines: one process writes, which an advisory lock decides; others follow."""

from __future__ import annotations

import errno
import hashlib
import json
import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import psycopg

from hedgerow.serve.storage import Snapshot, StorageError
from hedgerow.serve.tables import TABLES, Cursor, TableStorage

PREFIX = "hedgerow_"  # of schemas, one per model
_SNAPSHOTS = (
    "CREATE TABLE IF NOT EXISTS snapshots (revision BIGINT, position BIGINT, content BYTEA NOT NULL, "
    "PRIMARY KEY (revision, position))"
)


class PostgresStorage(TableStorage):
    """A schema of a database.

    The session that holds the lock is the one that appends, so that a process that loses one loses the other: two
    processes never write at the same time.

    Parameters
    ----------
    url : str
        As psycopg takes it: ``postgresql://user:password@host/database``.
    model : str
        The name of the model.
    read_only : bool, default=False
        Never to write.
    address : str, default=""
        Where others reach this process; followers send feedback there while it writes.
    """

    mark_of_value = "%s"

    def __init__(self, url: str, model: str, *, read_only: bool = False, address: str = "") -> None:
        self.name = f"{PREFIX}{model} at {_without_password(url)}"
        self._url, self._schema, self._address = url, f"{PREFIX}{model}", address
        self._read_only = read_only
        self._number = int.from_bytes(hashlib.sha256(self._schema.encode()).digest()[:8], "big", signed=True)
        self._own = threading.local()
        self._connections: list[psycopg.Connection[Any]] = []
        self._session: psycopg.Connection[Any] | None = None  # that holds the lock
        self._candidate: psycopg.Connection[Any] | None = None  # that waits for it
        self._session_lock = threading.RLock()
        if not read_only:
            self._make_tables()
            self.lead()

    def _make_tables(self) -> None:
        with self._clear_errors(), self._connect() as connection, connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", (self._number ^ 1,))  # one process makes them
            cursor.execute(f'CREATE SCHEMA IF NOT EXISTS "{self._schema}"'.encode())
            for statement in (*TABLES, _SNAPSHOTS):
                cursor.execute(statement.replace("INTEGER", "BIGINT").encode())

    # -- who writes -----------------------------------------------------------------------------------------

    @property
    def writes(self) -> bool:
        return self._session is not None

    def lead(self) -> bool:
        """Tries to become the one that writes."""
        if self._read_only or self.writes:
            return self.writes
        with self._session_lock, self._clear_errors():
            candidate = self._candidate
            if candidate is None or candidate.closed or candidate.broken:
                candidate = self._candidate = self._connect()
            candidate.autocommit = True
            row = candidate.execute("SELECT pg_try_advisory_lock(%s)", (self._number,)).fetchone()
            if row is None or not row[0]:
                return False
            candidate.autocommit = False
            self._session, self._candidate = candidate, None
        with self._writing() as cursor:
            cursor.execute(
                "INSERT INTO facts VALUES ('writer', %s) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                (json.dumps(self._address),),
            )
        return True

    def writer(self) -> str:
        """The address of the process that writes, or did last."""
        with self._reading() as cursor:
            return str(self._fact(cursor, "writer") or "")

    # -- connections ----------------------------------------------------------------------------------------

    def _connect(self) -> psycopg.Connection[Any]:
        # A machine that has vanished is noticed within seconds, so that its lock is free again.
        alive = "".join(f" -c tcp_keepalives_{name}" for name in ("idle=5", "interval=2", "count=3"))
        options = f'-c search_path="{self._schema}" -c synchronous_commit=on{alive}'
        return psycopg.connect(self._url, options=options, connect_timeout=5)

    @contextmanager
    def _clear_errors(self) -> Iterator[None]:
        try:
            yield
        except psycopg.Error as error:
            raise StorageError(errno.EIO, str(error).partition("\n")[0], self.name) from error

    @contextmanager
    def _writing(self) -> Iterator[Cursor]:
        with self._session_lock, self._clear_errors():
            session = self._session
            if session is None:
                raise StorageError(errno.EROFS, "another process writes", self.name)
            try:
                with session.transaction(), session.cursor() as cursor:
                    yield _Cursor(cursor)
            except psycopg.Error:
                if session.closed or session.broken:  # and with it the lock
                    self._session = None
                raise

    @contextmanager
    def _noting(self) -> Iterator[Cursor]:
        with self._reading() as cursor:
            cursor.execute("BEGIN")
            try:
                cursor.execute("SET LOCAL synchronous_commit = off")
                yield cursor
                cursor.execute("COMMIT")
            except BaseException:
                with suppress(psycopg.Error):
                    cursor.execute("ROLLBACK")
                raise

    @contextmanager
    def _reading(self) -> Iterator[Cursor]:
        with self._clear_errors():
            connection = getattr(self._own, "connection", None)
            if connection is None or connection.closed or connection.broken:
                connection = self._connect()
                connection.autocommit = True
                self._own.connection = connection
                self._connections.append(connection)
            with connection.cursor() as cursor:
                yield _Cursor(cursor)

    def _sql(self, statement: str) -> str:
        return super()._sql(statement).replace(" LIKE ", " ILIKE ")

    def close(self) -> None:
        for connection in (*self._connections, self._candidate, self._session):
            if connection is not None:
                connection.close()
        self._connections.clear()
        self._session = self._candidate = None
        self._own = threading.local()

    # -- snapshots ------------------------------------------------------------------------------------------

    def create(self, model: bytes, facts: dict[str, Any]) -> None:
        self.write_snapshot(Snapshot(0, 0), model, 1)
        self._write_facts(facts)

    def erase(self, positions: Sequence[int]) -> int:
        revision = super().erase(positions)
        with self._writing() as cursor:
            cursor.execute("DELETE FROM snapshots WHERE position > 0 AND revision < %s", (revision,))
        # Old versions of rows go at once, instead of when the server comes by.
        with self._reading() as cursor:
            for table in ("records", "predictions", "snapshots"):
                cursor.execute(f"VACUUM {table}")
        return revision

    def snapshots(self) -> list[Snapshot]:
        revision = self.revision()
        with self._reading() as cursor:
            cursor.execute("SELECT revision, position FROM snapshots ORDER BY revision DESC, position DESC")
            found = [Snapshot(*row) for row in cursor.fetchall()]
        return [one for one in found if one.revision == revision or one.position == 0]

    def read_snapshot(self, snapshot: Snapshot) -> bytes:
        with self._reading() as cursor:
            cursor.execute(
                "SELECT content FROM snapshots WHERE revision = %s AND position = %s",
                (snapshot.revision, snapshot.position),
            )
            row = cursor.fetchone()
        if row is None:
            raise FileNotFoundError(errno.ENOENT, "no such snapshot", self.name)
        return bytes(row[0])

    def write_snapshot(self, snapshot: Snapshot, model: bytes, keep: int) -> None:
        with self._writing() as cursor:
            cursor.execute(
                "INSERT INTO snapshots VALUES (%s, %s, %s) ON CONFLICT (revision, position) "
                "DO UPDATE SET content = excluded.content",
                (snapshot.revision, snapshot.position, model),
            )
            cursor.execute(
                "DELETE FROM snapshots WHERE position > 0 AND (revision, position) NOT IN (SELECT revision, position "
                "FROM snapshots WHERE position > 0 ORDER BY revision DESC, position DESC LIMIT %s)",
                (keep,),
            )


class _Cursor:
    """Takes statements of any text: they are all ours."""

    def __init__(self, cursor: psycopg.Cursor[Any]) -> None:
        self._cursor = cursor

    def execute(self, statement: str, values: Sequence[Any] = ()) -> None:
        self._cursor.execute(statement.encode(), values or None)

    def executemany(self, statement: str, values: Sequence[Sequence[Any]]) -> None:
        self._cursor.executemany(statement.encode(), values)

    def fetchone(self) -> Any:
        return self._cursor.fetchone()

    def fetchall(self) -> Any:
        return self._cursor.fetchall()


def names_at(url: str) -> list[str]:
    """The models whose logs are in a database."""
    try:
        with psycopg.connect(url, connect_timeout=5) as connection:
            rows = connection.execute("SELECT nspname FROM pg_namespace ORDER BY nspname").fetchall()
    except psycopg.Error as error:
        raise StorageError(errno.EIO, str(error).partition("\n")[0], _without_password(url)) from error
    return [name.removeprefix(PREFIX) for (name,) in rows if name.startswith(PREFIX)]


def _without_password(url: str) -> str:
    return re.sub(r"(://[^:/@]*):[^@]*@", r"\1@", url)
