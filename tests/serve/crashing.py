"""A service that is killed again and again under load: nothing acknowledged is lost, nothing is learned twice."""

from __future__ import annotations

import random
import threading
import time
from http.client import HTTPException

from hedgerow.persistence.model_file import model_bytes, model_file
from hedgerow.serve import Client, ServiceError
from tests.serve.services import Process, vectors


class Crashes:
    """Clients that send feedback with keys, and a slow checker that replays the log.

    ``start`` starts the service and gives its process; ``storage`` opens its log for reading.
    """

    def __init__(self, seed: int, start, storage) -> None:
        self.draw = random.Random(seed)
        self.seed = seed
        self._start, self._storage = start, storage
        self.acknowledged: dict[str, int] = {}  # positions by key
        self.unanswered: list[list[dict]] = []  # requests that may or may not have been committed
        self._sent = 0
        self._lock = threading.Lock()

    def run(self, kills: int) -> None:
        """Kills so many times, at random moments; then lets it end in good order."""
        for number in range(kills):
            with self._start() as process:
                self._resend(process.url)
                if number % 10 == 9:
                    self._compare(process.url)
                self._load(process, self.draw.choice([0.05, 0.2, 0.5]) * self.draw.random())
            self.check(f"after kill {number + 1}")
        with self._start() as process:
            self._resend(process.url)
            self._compare(process.url)
            assert process.stop() == 0
        self.check("at the end")

    def _load(self, process: Process, seconds: float) -> None:
        stop = threading.Event()
        threads = [threading.Thread(target=self._send, args=(process.url, stop)) for _ in range(3)]
        threads.append(threading.Thread(target=self._ask, args=(process.url, stop)))
        for thread in threads:
            thread.start()
        time.sleep(seconds)
        process.kill()
        stop.set()
        for thread in threads:
            thread.join()

    def _send(self, url: str, stop: threading.Event) -> None:
        client = Client(url, retries=0)
        while not stop.is_set():
            with self._lock:
                n = self.draw.choice([1, 1, 5, 30])
                examples = vectors(self.seed + self._sent, n)
                request = [
                    {"key": f"k{self._sent + i}", "example": x, "label": label}
                    for i, (x, label) in enumerate(examples)
                ]
                self._sent += n
                self.unanswered.append(request)
            try:
                self._acknowledge(request, client.feedback_many(request))
            except (OSError, HTTPException, ServiceError):
                return

    def _ask(self, url: str, stop: threading.Event) -> None:
        client = Client(url, retries=0)
        while not stop.is_set():
            try:
                answer = client.predict([0.3, 0.4])
                client.feedback("b", id=answer["id"])  # with a key of its own, of which nobody keeps count
            except (OSError, HTTPException, ServiceError):
                return

    def _acknowledge(self, request: list[dict], positions: list[int]) -> None:
        with self._lock:
            self.unanswered.remove(request)
            self.acknowledged.update(zip((one["key"] for one in request), positions, strict=True))

    def _resend(self, url: str) -> None:
        """With the same keys, as clients do."""
        for request in list(self.unanswered):
            self._acknowledge(request, Client(url).feedback_many(request))

    def check(self, when: str) -> None:
        """All that was acknowledged is in the log, where it was said to be, once."""
        storage = self._storage()
        found = {record.key: record.position for record in storage.records()}
        last = storage.last()
        storage.close()
        where = f"{when}, seed {self.seed}"
        assert sorted(found.values()) == list(range(1, last + 1)), where
        lost = {key: place for key, place in self.acknowledged.items() if found.get(key) != place}
        assert not lost, f"{where}: lost {lost}"

    def _compare(self, url: str) -> None:
        """The model of the service is the one that learns the log from the first snapshot, one by one."""
        storage = self._storage()
        first = storage.snapshots()[-1]
        assert first.position == 0
        file = model_file(storage.read_snapshot(first), "first")
        last = storage.last()
        for record in storage.records(to=last):
            file.model.partial_fit([record.example], [record.label])
        storage.close()
        client = Client(url)
        client.predict_many([], wait=last)
        assert client.status()["position"] == last
        assert client.model() == model_bytes(file.model, file.notes, file.trained_on), f"seed {self.seed}"
