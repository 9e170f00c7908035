"""What tests of the service share: models, a service in this process, and one in a process of its own."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

import hedgerow
from hedgerow.feature_extraction import TextHasher
from hedgerow.kernels import Normalized, SubsetTree
from hedgerow.online import PassiveAggressive
from hedgerow.persistence.model_file import model_bytes, model_file
from hedgerow.serve.app import App
from hedgerow.serve.engine import Engine
from hedgerow.serve.opening import open_logs
from hedgerow.serve.replay import newest_sound
from hedgerow.serve.service import Service

TREES = ["(S (NP Mary) (VP sings))", "(S (NP Mary) (VP sleeps))", "(S (NP John) (VP sings))"]


def vector_model(path: Path) -> Path:
    """A learner on two numbers: whether the first is larger."""
    model = PassiveAggressive(random_state=0)
    hedgerow.save(model.partial_fit([[1.0, 0.0], [0.0, 1.0]], ["a", "b"], classes=["a", "b"]), path)
    return path


def tree_model(path: Path) -> Path:
    model = PassiveAggressive(Normalized(SubsetTree()), random_state=0)
    hedgerow.save(model.partial_fit(TREES, ["loud", "quiet", "loud"], classes=["loud", "quiet"]), path)
    return path


def text_model(path: Path) -> Path:
    model = PassiveAggressive(vectorizer=TextHasher(), random_state=0)
    texts = ["win cheap pens", "see you at lunch", "cheap watches", "the train is late"]
    hedgerow.save(model.partial_fit(texts, ["spam", "ham"] * 2, classes=["ham", "spam"]), path)
    return path


def vectors(seed: int, n: int) -> list[tuple[list[float], str]]:
    """Examples for `vector_model`, a tenth of them with the wrong label."""
    draw = random.Random(seed)
    found = []
    for _ in range(n):
        x = [draw.random(), draw.random()]
        found.append((x, "a" if (x[0] > x[1]) != (draw.random() < 0.1) else "b"))
    return found


def opened(models, data, settings=None, limits=None) -> Service:
    """A service that has started; `closed` ends it."""
    engines = {
        name: Engine(name, log, settings)
        for name, log in open_logs(list(map(str, models)), str(data)).items()
    }
    for engine in engines.values():
        engine.start()
    return Service(engines, limits)


def closed(service: Service) -> None:
    service.close()
    for engine in service.engines.values():
        engine.stop()


class Reply:
    def __init__(self, status, headers, content):
        self.status, self.headers, self.content = status, headers, content

    @property
    def json(self):
        return json.loads(self.content)


def call(app: App, method: str, target: str, body=None, headers=()) -> Reply:
    """One request to the application, without a network; a body that is not bytes goes as JSON."""
    content = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
    parts = urlsplit(target)
    lines = [(b"host", b"testing"), (b"content-length", str(len(content)).encode())]
    lines += [(name.lower().encode(), value.encode("latin-1")) for name, value in headers]
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": parts.path,
        "raw_path": parts.path.encode(),
        "query_string": parts.query.encode(),
        "root_path": "",
        "headers": lines,
        "client": ("127.0.0.1", 1),
        "server": ("testing", 80),
    }
    said: list[dict] = []

    async def receive():
        return {"type": "http.request", "body": content, "more_body": False}

    async def send(message):
        said.append(message)

    with contextlib.suppress(Exception):  # which the server logs; what was sent tells
        asyncio.run(app(scope, receive, send))
    assert said, f"{method} {target}: no answer"
    start, *rest = said
    headers = {name.decode(): value.decode() for name, value in start["headers"]}
    return Reply(start["status"], headers, b"".join(message.get("body", b"") for message in rest))


def replay_of(storage) -> bytes:
    """The model file after all records of a log, learned one after the other from the first snapshot."""
    first = storage.snapshots()[-1]
    assert first.position == 0
    file = model_file(storage.read_snapshot(first), "first")
    examples = newest_sound(storage, 0).examples
    for record in storage.records():
        if record.erased or record.fault:
            continue
        checked = examples.check(record.example, "example")
        (X,) = examples.runs([checked], ["example"])
        file.model.partial_fit(X, [record.label])
    return model_bytes(file.model, file.notes, file.trained_on)


class Process:
    """`hedgerow serve` in a process of its own, at a port that is free."""

    def __init__(self, *arguments: object, env: dict[str, str] | None = None) -> None:
        command = [sys.executable, "-m", "hedgerow", "serve", *map(str, arguments), "--port", "0"]
        self.process = subprocess.Popen(
            command,
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            text=True,
            env={**os.environ, **(env or {})},
        )
        self.lines: list[str] = []
        self.url = self._url()

    def _url(self) -> str:
        for line in self.process.stderr:
            self.lines.append(line)
            with contextlib.suppress(ValueError):
                if (told := json.loads(line)).get("event") == "listening":
                    return told["url"]
        raise AssertionError(f"it did not start: {''.join(self.lines)}")

    def kill(self) -> None:
        self.process.kill()
        self._end()

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self._end()

    def _end(self) -> int:
        self.lines += self.process.stderr.readlines()
        self.process.stderr.close()
        return self.process.wait(60)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.kill()


def until(condition, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.01)
