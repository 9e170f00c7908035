"""The log in tables of a database: the SQL that SQLite and PostgreSQL share."""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

import hedgerow
from hedgerow.data.errors import FormatError
from hedgerow.serve.records import (
    COLUMNS,
    READ,
    Answer,
    Feedback,
    Record,
    answer_of,
    answer_row,
    erased_key,
    record_of,
    row_of,
)
from hedgerow.serve.storage import FORMAT_VERSION, Conflict, Storage

PIECE = 1000  # records that are read at once
TABLES = (
    "CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS records (position INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, digest TEXT, "
    "example TEXT, label TEXT, weight DOUBLE PRECISION, time DOUBLE PRECISION, who TEXT, prediction TEXT, "
    "answer TEXT, fault TEXT, erased INTEGER NOT NULL DEFAULT 0)",
    "CREATE TABLE IF NOT EXISTS predictions (id TEXT PRIMARY KEY, time DOUBLE PRECISION NOT NULL, "
    "example TEXT NOT NULL, answer TEXT NOT NULL)",
    "CREATE INDEX IF NOT EXISTS predictions_by_time ON predictions (time)",
)


class Cursor(Protocol):
    """What both drivers offer."""

    def execute(self, statement: str, values: Sequence[Any] = (), /) -> Any: ...

    def executemany(self, statement: str, values: Sequence[Sequence[Any]], /) -> Any: ...

    def fetchone(self) -> Any: ...

    def fetchall(self) -> Any: ...


class TableStorage(Storage):
    """A subclass says how to come to the database, and where snapshots are."""

    mark_of_value = "?"
    _kept = 0  # predictions since the oldest were last forgotten

    @abstractmethod
    def _writing(self) -> AbstractContextManager[Cursor]:
        """A transaction that has reached the disk when the block ends; StorageError when it cannot."""

    @abstractmethod
    def _noting(self) -> AbstractContextManager[Cursor]:
        """A transaction of what may be lost in a crash; followers have it, too."""

    @abstractmethod
    def _reading(self) -> AbstractContextManager[Cursor]: ...

    def _sql(self, statement: str) -> str:
        return statement.replace("?", self.mark_of_value)

    # -- facts ----------------------------------------------------------------------------------------------

    def facts(self) -> dict[str, Any] | None:
        with self._reading() as cursor:
            found: dict[str, Any] | None = self._fact(cursor, "facts")
            version = self._fact(cursor, "format_version")
        if version is not None and version > FORMAT_VERSION:
            raise FormatError(
                f"a newer version of hedgerow wrote this log (format {version}; hedgerow {hedgerow.__version__} reads "
                f"format {FORMAT_VERSION}); please install a newer hedgerow",
                path=self.name,
            )
        return found

    def _write_facts(self, facts: dict[str, Any]) -> None:
        with self._writing() as cursor:
            for name, value in (("format_version", FORMAT_VERSION), ("revision", 0), ("facts", facts)):
                cursor.execute(self._sql("INSERT INTO facts VALUES (?, ?)"), (name, json.dumps(value)))

    def _fact(self, cursor: Cursor, name: str) -> Any:
        cursor.execute(self._sql("SELECT value FROM facts WHERE name = ?"), (name,))
        row = cursor.fetchone()
        return None if row is None else json.loads(row[0])

    def revision(self) -> int:
        with self._reading() as cursor:
            return int(self._fact(cursor, "revision") or 0)

    # -- the log --------------------------------------------------------------------------------------------

    def append(self, requests: Sequence[Sequence[Feedback]]) -> list[list[int] | Conflict]:
        with self._writing() as cursor:
            position = self._last(cursor)
            fresh: dict[str, tuple[int, str]] = {}  # what this transaction adds, by key
            found: list[list[int] | Conflict] = []
            for request in requests:
                adds: list[tuple[int, Feedback]] = []
                places = self._places(cursor, request, fresh, position, adds)
                found.append(places)
                if isinstance(places, Conflict):
                    continue
                position += len(adds)
                fresh.update((one.key, (place, one.digest)) for place, one in adds)
                rows = [row_of(place, one) for place, one in adds]
                if rows:
                    marks = ", ".join("?" * len(rows[0]))
                    cursor.executemany(self._sql(f"INSERT INTO records ({COLUMNS}) VALUES ({marks})"), rows)
            return found

    def _places(
        self,
        cursor: Cursor,
        request: Sequence[Feedback],
        fresh: dict[str, tuple[int, str]],
        last: int,
        adds: list[tuple[int, Feedback]],
    ) -> list[int] | Conflict:
        """Positions of a request; what is new is added to ``adds``."""
        own: dict[str, tuple[int, str]] = {}
        places = []
        for number, one in enumerate(request):
            known = own.get(one.key) or fresh.get(one.key) or self._known(cursor, one.key)
            if known is None:
                place = last + len(adds) + 1
                own[one.key] = place, one.digest
                adds.append((place, one))
            else:
                place, digest = known
                if digest not in ("", one.digest):
                    return Conflict(number, one.key, place)
            places.append(place)
        return places

    def _known(self, cursor: Cursor, key: str) -> tuple[int, str] | None:
        cursor.execute(
            self._sql("SELECT position, digest FROM records WHERE key = ? OR key = ?"), (key, erased_key(key))
        )
        row = cursor.fetchone()
        return None if row is None else (row[0], row[1] or "")

    def _last(self, cursor: Cursor) -> int:
        cursor.execute("SELECT MAX(position) FROM records")
        return int(cursor.fetchone()[0] or 0)

    def last(self) -> int:
        with self._reading() as cursor:
            return self._last(cursor)

    def records(self, after: int = 0, to: int | None = None, limit: int | None = None) -> Iterator[Record]:
        while limit is None or limit > 0:
            piece = PIECE if limit is None else min(PIECE, limit)
            with self._reading() as cursor:
                cursor.execute(
                    self._sql(
                        f"SELECT {READ} FROM records WHERE position > ? AND position <= ? ORDER BY position LIMIT ?"
                    ),
                    (after, 2**31 if to is None else to, piece),
                )
                rows = cursor.fetchall()
            yield from map(record_of, rows)
            if len(rows) < piece:
                return
            after = rows[-1][0]
            limit = None if limit is None else limit - piece

    def newest(self, before: int | None, limit: int, search: str = "") -> list[Record]:
        like = "%" + search.replace("\0", "").replace("!", "!!").replace("%", "!%").replace("_", "!_") + "%"
        # Examples are kept in ASCII, as JSON has it.
        escaped = json.dumps(like)[1:-1]
        where = "AND (example LIKE ? ESCAPE '!' OR label LIKE ? ESCAPE '!' OR key LIKE ? ESCAPE '!')"
        with self._reading() as cursor:
            cursor.execute(
                self._sql(
                    f"SELECT {READ} FROM records WHERE position < ? {where if search else ''} "
                    "ORDER BY position DESC LIMIT ?"
                ),
                (2**31 if before is None else before, *((escaped, escaped, like) if search else ()), limit),
            )
            return [record_of(row) for row in cursor.fetchall()]

    def mark(self, position: int, fault: str) -> None:
        with self._writing() as cursor:
            statement = self._sql("UPDATE records SET fault = ? WHERE position = ? AND erased = 0")
            cursor.execute(statement, (fault, position))

    def record(self, key: str) -> Record | None:
        with self._reading() as cursor:
            cursor.execute(self._sql(f"SELECT {READ} FROM records WHERE key = ? AND erased = 0"), (key,))
            row = cursor.fetchone()
        return None if row is None else record_of(row)

    def erase(self, positions: Sequence[int]) -> int:
        with self._writing() as cursor:
            revision = int(self._fact(cursor, "revision")) + 1
            for position in positions:
                cursor.execute(
                    self._sql("SELECT key, prediction FROM records WHERE position = ? AND erased = 0"),
                    (position,),
                )
                row = cursor.fetchone()
                if row is None:
                    continue
                cursor.execute(self._sql("DELETE FROM predictions WHERE id = ?"), (row[1],))
                cursor.execute(
                    self._sql(
                        "UPDATE records SET key = ?, digest = NULL, example = NULL, label = NULL, weight = NULL, "
                        "time = NULL, who = NULL, prediction = NULL, answer = NULL, fault = NULL, erased = 1 "
                        "WHERE position = ?"
                    ),
                    (erased_key(row[0]), position),
                )
            cursor.execute(self._sql("UPDATE facts SET value = ? WHERE name = 'revision'"), (str(revision),))
        return revision

    # -- predictions ----------------------------------------------------------------------------------------

    def keep(self, answers: Sequence[Answer], at_most: int) -> None:
        with self._noting() as cursor:
            cursor.executemany(
                self._sql("INSERT INTO predictions (id, time, example, answer) VALUES (?, ?, ?, ?)"),
                [answer_row(answer) for answer in answers],
            )
            self._kept += len(answers)
            if self._kept > at_most // 10:
                self._kept = 0
                cursor.execute(
                    self._sql(
                        "DELETE FROM predictions WHERE time < "
                        "(SELECT time FROM predictions ORDER BY time DESC LIMIT 1 OFFSET ?)"
                    ),
                    (at_most - 1,),
                )

    def answer(self, id: str) -> Answer | None:
        with self._reading() as cursor:
            cursor.execute(self._sql("SELECT example, answer FROM predictions WHERE id = ?"), (id,))
            row = cursor.fetchone()
        return None if row is None else answer_of(id, json.loads(row[0]), row[1])
