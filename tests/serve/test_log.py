"""The log: positions, keys, groups, what is erased, and what does not fit."""

from __future__ import annotations

import json
import secrets
import sqlite3

import pytest

from hedgerow.data import FormatError
from hedgerow.serve.records import Answer, Feedback
from hedgerow.serve.sqlite import SqliteStorage
from hedgerow.serve.storage import Conflict, Snapshot, StorageError


@pytest.fixture
def sqlite_log(tmp_path):
    storage = SqliteStorage(tmp_path / "m")
    storage.create(b"model", {"about": 1})
    yield storage
    storage.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def log(request):
    if request.param == "sqlite":
        yield request.getfixturevalue("sqlite_log")
        return
    from hedgerow.serve.postgresql import PostgresStorage

    storage = PostgresStorage(request.getfixturevalue("postgres").url, f"log{secrets.token_hex(4)}")
    storage.create(b"model", {"about": 1})
    yield storage
    storage.close()


def some(*keys, label="a"):
    return [Feedback(key, [1.0], label, time=2.0, who="w") for key in keys]


def test_positions_count_from_one(log):
    assert log.append([some("x", "y"), some("z")]) == [[1, 2], [3]]
    assert [(r.position, r.key, r.example, r.label, r.who) for r in log.records()] == [
        (1, "x", [1.0], "a", "w"),
        (2, "y", [1.0], "a", "w"),
        (3, "z", [1.0], "a", "w"),
    ]
    assert [r.position for r in log.records(1, 2)] == [2]
    assert [r.position for r in log.records(limit=2)] == [1, 2]
    assert log.last() == 3


def test_a_key_that_comes_again_has_its_position(log):
    assert log.append([some("x"), some("x", "y", "y")]) == [[1], [1, 2, 2]]
    assert log.append([some("y", "n")]) == [[2, 3]]
    assert log.last() == 3


def test_a_conflict_refuses_its_request_alone(log):
    log.append([some("x")])
    first, second, third = log.append(
        [some("n", "x", label="b"), some("m"), some("q", "q")[:1] + some("q", label="b")]
    )
    assert isinstance(first, Conflict)
    assert (first.number, second) == (1, [2])
    assert isinstance(third, Conflict)
    assert [r.key for r in log.records()] == ["x", "m"]


def test_what_was_predicted_stays_with_the_record(log):
    answer = Answer("i", {"0": 1.5}, "b", {"a": -0.1, "b": 0.1}, {"a": 0.4, "b": 0.6}, 7, 3.0)
    log.append([[Feedback("k", answer.example, "a", answer=answer)]])
    (record,) = log.records()
    assert record.answer == answer
    assert log.record("k") == record


def test_predictions_are_remembered_up_to_a_number(log):
    answers = [Answer(f"i{n}", "é\0", "a", {}, None, 0, float(n)) for n in range(30)]
    for answer in answers:
        log.keep([answer], 10)
    assert log.answer("i29") == answers[29]
    kept = [answer for answer in answers if log.answer(answer.id)]
    assert 10 <= len(kept) <= 12
    assert kept == answers[-len(kept) :]


def test_erased_records_leave_nothing_behind(log, tmp_path):
    answer = Answer("i", "SECRET", "b", {"b": 0.1}, None, 7, 3.0)
    log.keep([answer], 10)
    log.append([[Feedback("the-key", "SECRET", "a", who="SECRET-who", answer=answer)], some("y")])
    log.write_snapshot(Snapshot(0, 2), b"knows it", 3)
    assert log.erase([1]) == log.revision() == 1
    first, second = log.records()
    assert first.erased
    assert (first.example, first.label, first.answer) == (None, None, None)
    assert second.key == "y"
    assert log.record("the-key") is None
    assert log.answer("i") is None
    # Known when it comes again, whatever it says, and not learned again.
    assert log.append([some("the-key", label="z")]) == [[1]]
    assert log.snapshots() == [Snapshot(0, 0)]
    if isinstance(log, SqliteStorage):
        content = _all_of(log, tmp_path)
    else:
        dump = "SELECT string_agg(t::text, '') FROM {} t"
        with log._reading() as cursor:
            content = b""
            for table in ("records", "predictions", "snapshots"):
                cursor.execute(dump.format(table))
                content += str(cursor.fetchone()[0]).encode()
    assert b"SECRET" not in content
    assert b"the-key" not in content


def _all_of(log, tmp_path):
    log.close()
    return b"".join(path.read_bytes() for path in (tmp_path / "m").iterdir())


def test_history(log):
    log.append([[Feedback(f"k{n}", f"text {n} 100% é", "a_b" if n == 3 else "a") for n in range(1, 6)]])
    assert [r.position for r in log.newest(None, 2)] == [5, 4]
    assert [r.position for r in log.newest(4, 2)] == [3, 2]
    assert [r.position for r in log.newest(None, 9, "text 2")] == [2]
    assert [r.position for r in log.newest(None, 9, "a_b")] == [3]
    assert len(log.newest(None, 9, "100% é")) == 5
    assert log.newest(None, 9, "_%_") == []
    assert [r.position for r in log.newest(None, 9, "k4")] == [4]


def test_snapshots(log):
    for position in range(1, 6):
        log.write_snapshot(Snapshot(0, position), b"m%d" % position, 2)
    assert log.snapshots() == [Snapshot(0, 5), Snapshot(0, 4), Snapshot(0, 0)]
    assert log.read_snapshot(Snapshot(0, 4)) == b"m4"
    assert log.read_snapshot(Snapshot(0, 0)) == b"model"


def test_one_process_writes(sqlite_log, tmp_path):
    with pytest.raises(BlockingIOError, match="another service is using it"):
        SqliteStorage(tmp_path / "m")
    sqlite_log.append([some("x")])
    reader = SqliteStorage(tmp_path / "m", read_only=True)
    assert reader.last() == 1
    with pytest.raises(StorageError):
        reader.append([some("y")])
    reader.close()


def test_a_log_of_a_newer_version(sqlite_log, tmp_path):
    sqlite_log.close()
    connection = sqlite3.connect(tmp_path / "m" / "log.sqlite")
    connection.execute("UPDATE facts SET value = '99' WHERE name = 'format_version'")
    connection.commit()
    connection.close()
    before = (tmp_path / "m" / "log.sqlite").read_bytes()
    storage = SqliteStorage(tmp_path / "m")
    with pytest.raises(FormatError, match=r"a newer version of hedgerow wrote this log .format 99"):
        storage.facts()
    storage.close()
    assert (tmp_path / "m" / "log.sqlite").read_bytes() == before


def test_a_damaged_log(sqlite_log, tmp_path):
    sqlite_log.append([some(str(n)) for n in range(300)])
    sqlite_log.close()
    path = tmp_path / "m" / "log.sqlite"
    path.write_bytes(b"no database of any kind" * 100)
    with pytest.raises(FormatError, match="the log is damaged or not one of hedgerow"):
        SqliteStorage(tmp_path / "m")


def test_a_log_without_its_database(sqlite_log, tmp_path):
    sqlite_log.write_snapshot(Snapshot(0, 9), b"m", 2)
    sqlite_log.close()
    for path in (tmp_path / "m").glob("log.sqlite*"):
        path.unlink()
    storage = SqliteStorage(tmp_path / "m")
    with pytest.raises(FormatError, match=r"their log .log.sqlite. is missing"):
        storage.create(b"model", {})
    storage.close()


def test_a_disk_that_is_full(sqlite_log):
    sqlite_log.append([some("x")])
    pages = sqlite_log._connection().execute("PRAGMA page_count").fetchone()[0]
    sqlite_log._connection().execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StorageError, match="full"):
        sqlite_log.append([[Feedback("big", "x" * 100_000, "a")]])
    sqlite_log._connection().execute("PRAGMA max_page_count = 100000")
    assert sqlite_log.append([some("y")]) == [[2]]
    assert [r.key for r in sqlite_log.records()] == ["x", "y"]


def test_rows_are_plain_json(sqlite_log, tmp_path):
    sqlite_log.append([[Feedback("k", {"0": 0.1, "7": 1e-300}, 3)]])
    row = (
        sqlite3.connect(tmp_path / "m" / "log.sqlite")
        .execute("SELECT example, label FROM records")
        .fetchone()
    )
    assert [json.loads(text) for text in row] == [{"0": 0.1, "7": 1e-300}, 3]
