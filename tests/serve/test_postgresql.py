"""Several processes on one log: followers answer as the writer does, and take over when it is gone."""

from __future__ import annotations

import os
import random
import secrets
import threading

import pytest
from typer.testing import CliRunner

from hedgerow.cli.app import app
from hedgerow.serve import Client, ServiceError
from hedgerow.serve.engine import Engine, Stopped
from hedgerow.serve.opening import names_in, open_logs
from hedgerow.serve.postgresql import PostgresStorage
from hedgerow.serve.records import Feedback
from hedgerow.serve.storage import StorageError
from tests.serve.crashing import Crashes
from tests.serve.postgres import Postgres, why_not
from tests.serve.services import Process, replay_of, until, vector_model, vectors

KILLS = int(os.environ.get("HEDGEROW_KILLS", "8"))
SEED = int(os.environ.get("HEDGEROW_SEED", "0")) or random.SystemRandom().randrange(1, 10**6)


@pytest.fixture
def name():
    return f"m{secrets.token_hex(4)}"


def engine_of(model, name, url):
    (storage,) = open_logs([f"{name}={model}"], url).values()
    engine = Engine(name, storage)
    engine.start()
    return engine


def given(seed, n, prefix):
    return [Feedback(f"{prefix}{i}", x, label) for i, (x, label) in enumerate(vectors(seed, n))]


def test_followers_have_the_same_model(postgres, tmp_path, name):
    model = vector_model(tmp_path / "ab.model")
    writer, follower = (engine_of(model, name, postgres.url) for _ in range(2))
    assert (writer.storage.writes, follower.storage.writes) == (True, False)
    with pytest.raises(Stopped, match="another process writes"):
        follower.submit(given(1, 1, "x"))
    with pytest.raises(StorageError, match="another process writes"):
        follower.storage.append([given(1, 1, "x")])
    writer.submit(given(1, 50, "k")).result()
    until(lambda: follower.learned.position == 50)
    writer.reach(50).result()
    assert follower.learned.content() == writer.learned.content()
    # What is erased is unlearned everywhere.
    writer.erase([7])
    until(lambda: follower.learned.revision == 1)
    assert follower.learned.content() == writer.learned.content()
    # A prediction of one is known to the other.
    _, (answer,), _ = follower.predict([[0.1, 0.2]], ["x"])
    until(lambda: writer.storage.answer(answer.id) is not None)
    writer.stop()
    until(lambda: follower.storage.writes)
    assert follower.submit(given(2, 5, "n")).result() == [51, 52, 53, 54, 55]
    follower.stop()
    storage = PostgresStorage(postgres.url, name, read_only=True)
    assert follower.learned.content()[1] == replay_of(storage)
    storage.close()


def test_a_writer_that_loses_its_session_stops_writing(postgres, tmp_path, name):
    model = vector_model(tmp_path / "ab.model")
    writer = engine_of(model, name, postgres.url)
    writer.submit(given(1, 5, "k")).result()
    end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
    follower = engine_of(model, name, postgres.url)
    with follower.storage._reading() as cursor:
        cursor.execute(end)
    with pytest.raises(StorageError):
        writer.submit(given(2, 5, "n")).result()
    until(lambda: writer.storage.writes or follower.storage.writes)
    leading = writer if writer.storage.writes else follower
    until(lambda: leading.last == 5)
    assert leading.submit(given(2, 5, "n")).result() == [6, 7, 8, 9, 10]
    until(lambda: writer.learned.position == follower.learned.position == 10)
    assert writer.learned.content() == follower.learned.content()
    writer.stop()
    follower.stop()


def test_replay_from_the_command_line(postgres, tmp_path, name):
    engine = engine_of(vector_model(tmp_path / "ab.model"), name, postgres.url)
    engine.submit(given(1, 20, "k")).result()
    assert name in names_in(postgres.url)
    out = tmp_path / "out.model"
    arguments = ["replay", postgres.url, "--model", name, "-o", str(out)]
    assert CliRunner().invoke(app, arguments).exit_code == 0
    engine.reach(20).result()
    assert out.read_bytes() == engine.learned.content()[1]
    refused = CliRunner().invoke(app, [*arguments, "--without", "k1", "--erase"])
    assert (refused.exit_code, "another service is using it" in refused.output) == (1, True)
    engine.stop()
    assert CliRunner().invoke(app, [*arguments, "--without", "k1", "--erase"]).exit_code == 0
    again = engine_of(tmp_path / "ab.model", name, postgres.url)
    assert again.reach(20).result() == 20
    assert again.learned.content()[1] == out.read_bytes()
    again.stop()


def test_no_database():
    done = CliRunner().invoke(app, ["serve", "--data", "postgresql://u:secret@127.0.0.1:9/none"])
    assert done.exit_code == 1
    assert "secret" not in done.output


class Pair:
    """Two services on one log, of which one is killed; the client knows both."""

    def __init__(self, model, url, name):
        self._arguments = (f"{name}={model}", "--data", url, "--snapshot-records", "200")
        self.processes = []

    def __call__(self):
        self.processes = [one for one in self.processes if one.process.poll() is None]
        # The one that lived through the last kill is the writer soon.
        until(lambda: all(Client(one.url).status()["writes"] for one in self.processes[:1]))
        while len(self.processes) < 2:
            self.processes.append(Process(*self._arguments))
        return self.processes[0]


def crashes(tmp_path, url, name, kills, start=None):
    print(f"seed {SEED}: HEDGEROW_SEED={SEED} repeats it")
    model = vector_model(tmp_path / "ab.model")
    pair = start or Pair(model, url, name)
    try:
        Crashes(SEED, pair, lambda: PostgresStorage(url, name, read_only=True)).run(kills)
    finally:
        for process in pair.processes:
            if process.process.poll() is None:
                process.kill()


def test_killed_writers(postgres, tmp_path, name):
    crashes(tmp_path, postgres.url, name, 1)


@pytest.mark.slow
def test_killed_writers_often(postgres, tmp_path, name):
    crashes(tmp_path, postgres.url, name, KILLS)


@pytest.mark.slow
def test_killed_servers(tmp_path, name):
    """PostgreSQL itself is killed under load; the service goes on when it is back."""
    if reason := why_not():
        pytest.skip(reason)
    draw = random.Random(SEED)
    server = Postgres()
    acknowledged: dict[str, int] = {}
    try:
        with Process(f"{name}={vector_model(tmp_path / 'ab.model')}", "--data", server.url) as process:
            client = Client(process.url, retries=200)

            def load(worker, stop):
                number = 0
                while not stop.is_set():
                    number += 1
                    key = f"{worker}-{number}"
                    one = {"key": key, "example": [draw.random(), draw.random()], "label": draw.choice("ab")}
                    try:
                        acknowledged[key] = client.feedback_many([one])[0]
                    except ServiceError as error:
                        raise AssertionError(f"seed {SEED}") from error

            stop = threading.Event()
            threads = [threading.Thread(target=load, args=(worker, stop)) for worker in range(3)]
            for thread in threads:
                thread.start()
            for _ in range(max(2, KILLS // 5)):
                threading.Event().wait(2 * draw.random())
                server.kill()
                server.start()
            stop.set()
            for thread in threads:
                thread.join()
            storage = PostgresStorage(server.url, name, read_only=True)
            found = {record.key: record.position for record in storage.records()}
            assert {key: found.get(key) for key in acknowledged} == acknowledged, f"seed {SEED}"
            last = storage.last()
            assert sorted(found.values()) == list(range(1, last + 1))
            client.predict_many([], wait=last)
            assert client.model() == replay_of(storage)
            storage.close()
            process.stop()
    finally:
        server.close()
