"""Many clients at once, against a slow checker: every answer is what the model at its position says."""

from __future__ import annotations

import os
import random
import threading
import time

import pytest

from hedgerow.persistence.model_file import model_file
from hedgerow.serve import Client
from hedgerow.serve.sqlite import SqliteStorage
from tests.serve.services import Process, vector_model, vectors

CLIENTS = int(os.environ.get("HEDGEROW_CLIENTS", "64"))
SECONDS = float(os.environ.get("HEDGEROW_CLIENT_SECONDS", "10"))


def mixed(tmp_path, clients, seconds):
    data = tmp_path / "data"
    answers, positions = [], []
    with Process(vector_model(tmp_path / "ab.model"), "--data", data, "--snapshot-records", "500") as process:
        end = time.monotonic() + seconds

        def work(seed):
            draw, client = random.Random(seed), Client(process.url)
            while time.monotonic() < end:
                examples = [x for x, _ in vectors(draw.randrange(10**6), draw.choice([1, 1, 3]))]
                found = client.predict_many(examples)
                answers.extend(zip(examples, found, strict=True))
                if draw.random() < 0.5:
                    one = {"id": found[0]["id"], "label": draw.choice("ab")}
                    positions.extend(client.feedback_many([one]))

        threads = [threading.Thread(target=work, args=(seed,)) for seed in range(clients)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert process.stop() == 0
    storage = SqliteStorage(data / "ab", read_only=True)
    assert sorted(positions) == list(range(1, storage.last() + 1))
    model = model_file(storage.read_snapshot(storage.snapshots()[-1]), "first").model
    records, position = storage.records(), 0
    for example, answer in sorted(answers, key=lambda pair: pair[1]["position"]):
        while position < answer["position"]:
            record = next(records)
            assert record.answer.position < record.position
            model.partial_fit([record.example], [record.label])
            position = record.position
        score = model.decision_function([example])[0]
        assert (answer["scores"], answer["label"]) == ({"a": -score, "b": score}, "b" if score > 0 else "a")
    storage.close()
    return len(answers), len(positions)


def test_a_few_clients(tmp_path):
    mixed(tmp_path, 6, 1.0)


@pytest.mark.slow
def test_many_clients(tmp_path):
    print(mixed(tmp_path, CLIENTS, SECONDS))
