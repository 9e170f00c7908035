"""The engine: what it has learned equals a replay of the log, whatever came in between."""

from __future__ import annotations

import random
import threading
import time

import pytest

from hedgerow.data import FormatError
from hedgerow.kernels import SubsetTree
from hedgerow.neighbors import TreeIndex
from hedgerow.persistence.model_file import model_file
from hedgerow.serve.engine import Busy, Engine, Stopped
from hedgerow.serve.opening import open_logs
from hedgerow.serve.records import Feedback
from hedgerow.serve.replay import replayed
from hedgerow.serve.settings import Settings
from hedgerow.serve.sqlite import SqliteStorage
from tests.serve.services import TREES, closed, opened, replay_of, tree_model, until, vector_model, vectors


@pytest.fixture
def model(tmp_path):
    return vector_model(tmp_path / "ab.model")


def given(seed, n, prefix="k"):
    return [Feedback(f"{prefix}{i}", x, label) for i, (x, label) in enumerate(vectors(seed, n))]


def engine_of(model, data, settings=None):
    (storage,) = open_logs([str(model)], str(data)).values()
    engine = Engine("ab", storage, settings)
    engine.start()
    return engine


def stopped_with(engine):
    engine.stop()
    return engine.learned.content()[1]


@pytest.mark.parametrize("sizes", [[300], [1] * 300, [7, 100, 1, 192]])
def test_learned_equals_a_replay(model, tmp_path, sizes):
    engine = engine_of(model, tmp_path / "data")
    feedback = iter(given(1, 300))
    for size in sizes:
        engine.submit([next(feedback) for _ in range(size)])
    content = stopped_with(engine)
    assert engine.learned.position == 300
    assert content == replay_of(SqliteStorage(tmp_path / "data" / "ab", read_only=True))


def test_trees(tmp_path):
    engine = engine_of(tree_model(tmp_path / "ab.model"), tmp_path / "data")
    draw = random.Random(0)
    engine.submit([Feedback(str(i), draw.choice(TREES), draw.choice(["loud", "quiet"])) for i in range(50)])
    content = stopped_with(engine)
    assert content == replay_of(SqliteStorage(tmp_path / "data" / "ab", read_only=True))


def test_it_goes_on_where_it_stopped(model, tmp_path):
    whole = engine_of(model, tmp_path / "whole")
    whole.submit(given(1, 90))
    expected = stopped_with(whole)
    feedback = given(1, 90)
    for begin in (0, 30, 60):
        engine = engine_of(model, tmp_path / "parts", Settings(snapshot_records=7))
        assert engine.submit(feedback[begin : begin + 30]).result() == list(range(begin + 1, begin + 31))
        content = stopped_with(engine)
    assert content == expected


@pytest.mark.parametrize("harm", ["empty", "cut", "forged", "another", "missing", "ahead"])
def test_unsound_snapshots_are_passed_over(model, tmp_path, harm):
    engine = engine_of(model, tmp_path / "data", Settings(snapshot_records=10))
    engine.submit(given(1, 40)).result()
    expected = stopped_with(engine)
    folder = tmp_path / "data" / "ab"
    newest = max(folder.glob("*.model"))
    content = newest.read_bytes()
    if harm == "missing":
        newest.unlink()
    elif harm == "ahead":  # of a log that lost its end
        newest.rename(folder / "000000-000000000099.model")
    elif harm == "another":  # a sound file, of what cannot be served
        TreeIndex(SubsetTree()).fit(TREES).save(newest)
    else:
        forged = content[:-8] + bytes(8)
        newest.write_bytes({"empty": b"", "cut": content[:100], "forged": forged}[harm])
    again = engine_of(model, tmp_path / "data")
    assert again.reach(40).result() == 40
    assert stopped_with(again) == expected


def test_a_storage_that_breaks(model, tmp_path):
    """What nobody foresaw stops the learning, and is said; answers go on, and nobody waits for ever."""
    engine = engine_of(model, tmp_path / "data")
    engine.storage.append = lambda requests: 1 / 0
    with pytest.raises(Stopped, match="division by zero"):
        engine.submit(given(1, 1)).result(60)
    until(lambda: engine.failure)
    assert not engine.ready
    with pytest.raises(Stopped, match="ZeroDivisionError"):
        engine.submit(given(1, 1))
    assert engine.predict([[1.0, 0.0]], ["x"])[0] == 0
    engine.stop()


def test_ready_stays_ready(model, tmp_path):
    engine = engine_of(model, tmp_path / "data")
    with engine._learning:  # nothing is learned meanwhile
        engine.submit(given(1, 5)).result()
        assert engine.last == 5
        assert engine.ready
    engine.stop()


def test_no_sound_snapshot_at_all(model, tmp_path):
    engine_of(model, tmp_path / "data").stop()
    (tmp_path / "data" / "ab" / "000000-000000000000.model").write_bytes(b"")
    (storage,) = open_logs([], str(tmp_path / "data")).values()
    with pytest.raises(FormatError, match=r"no snapshot of the model can be loaded: .* the file is empty"):
        Engine("ab", storage).start()
    storage.close()


def test_refused_examples_are_skipped_the_same_way_in_every_replay(model, tmp_path):
    """Numbers too large to learn from pass the check of the API, and the learner refuses them."""
    engine = engine_of(model, tmp_path / "data")
    feedback = given(1, 20)
    feedback[5] = Feedback("k5", [1e160, 0.0], "a")
    feedback[11] = Feedback("k11", [-1e200, 0.0], "b")
    engine.submit(feedback)
    content = stopped_with(engine)
    assert engine.refused == 2
    storage = SqliteStorage(tmp_path / "data" / "ab", read_only=True)
    assert [r.position for r in storage.records() if r.fault] == [6, 12]
    assert content == replay_of(storage) == replayed(storage).content()[1]


def test_positions_belong_to_answers(model, tmp_path):
    """Threads predict while it learns; what each answer says is what the model at its position says."""
    service = opened([model], tmp_path / "data")
    engine = service.engines["ab"]
    feedback = given(3, 160)
    answers = []

    def ask(seed):
        draw = random.Random(seed)
        while engine.learned.position < 160:
            answers.extend(engine.predict([[draw.random(), draw.random()]], ["x"])[1])
            time.sleep(0.001)  # which lets others in

    threads = [threading.Thread(target=ask, args=(seed,)) for seed in range(3)]
    for thread in threads:
        thread.start()
    for i in range(0, 160, 4):
        engine.submit(feedback[i : i + 4]).result()
    for thread in threads:
        thread.join()
    closed(service)
    storage = SqliteStorage(tmp_path / "data" / "ab", read_only=True)
    answers.sort(key=lambda answer: answer.position)
    assert len({answer.position for answer in answers}) > 5
    model_at = model_file(storage.read_snapshot(storage.snapshots()[-1]), "first").model
    records, position = storage.records(), 0
    for answer in answers[:: max(1, len(answers) // 500)]:
        while position < answer.position:
            record = next(records)
            model_at.partial_fit([record.example], [record.label])
            position = record.position
        assert answer.scores["b"] == model_at.decision_function([answer.example])[0]


def test_too_much_waits(model, tmp_path):
    engine = engine_of(model, tmp_path / "data", Settings(queue=50))
    with pytest.raises(Busy, match="more than 50 records"):
        engine.submit(given(1, 51))
    engine.submit(given(1, 50)).result()
    engine.stop()
    with pytest.raises(Stopped):
        engine.submit(given(2, 1, "n"))


@pytest.mark.parametrize("gone", [[1], [30], [3, 4, 17], list(range(11, 31))])
def test_erasing_equals_never_having_learned(model, tmp_path, gone):
    engine = engine_of(model, tmp_path / "data", Settings(snapshot_records=5))
    engine.submit(given(1, 30)).result()
    engine.reach(30).result()
    assert engine.erase(gone) == 1
    assert engine.submit(given(2, 10, "more")).result() == list(range(31, 41))
    content = stopped_with(engine)
    storage = SqliteStorage(tmp_path / "data" / "ab", read_only=True)
    assert content == replay_of(storage)
    never = engine_of(model, tmp_path / "never")
    kept = [one for i, one in enumerate(given(1, 30), 1) if i not in gone]
    never.submit(kept + given(2, 10, "more"))
    assert stopped_with(never) == content
    again = engine_of(model, tmp_path / "data")
    assert stopped_with(again) == content


def test_erasing_while_it_learns(model, tmp_path):
    engine = engine_of(model, tmp_path / "data", Settings(snapshot_records=50))
    engine.submit(given(1, 300)).result()
    stop = threading.Event()

    def more():
        for number in range(1000):
            if stop.is_set():
                return
            engine.submit(given(number, 3, f"{number}-")).result()

    thread = threading.Thread(target=more)
    thread.start()
    for position in (5, 100, 200):
        engine.erase([position])
    stop.set()
    thread.join()
    until(lambda: engine.learned.position == engine.last)
    content = stopped_with(engine)
    assert content == replay_of(SqliteStorage(tmp_path / "data" / "ab", read_only=True))


def test_another_model_is_refused(model, tmp_path):
    engine_of(model, tmp_path / "data").stop()
    other = tree_model(tmp_path / "ab2.model")
    with pytest.raises(ValueError, match="began with another model"):
        open_logs([f"ab={other}"], str(tmp_path / "data"))
    (storage,) = open_logs([], str(tmp_path / "data")).values()
    storage.close()


def test_a_disk_that_fills_up(model, tmp_path):
    engine = engine_of(model, tmp_path / "data")
    engine.submit(given(1, 5)).result()
    append, engine.storage.append = engine.storage.append, _full
    with pytest.raises(OSError, match="full"):
        engine.submit(given(2, 5, "n")).result()
    assert engine.predict([[1.0, 0.0]], ["x"])[0] <= 5
    engine.storage.append = append
    assert engine.submit(given(2, 5, "n")).result() == [6, 7, 8, 9, 10]
    content = stopped_with(engine)
    assert content == replay_of(SqliteStorage(tmp_path / "data" / "ab", read_only=True))


def _full(requests):
    from hedgerow.serve.storage import StorageError

    raise StorageError(28, "database or disk is full")
