"""`hedgerow serve` on the loopback, one process: predictions of texts and trees, feedback with sync, and starts.

The load comes from this process, over connections that stay open, each with one request at a time. What it costs itself
is measured and said: on two busy cores the rate is that of both together. The processor time of the service for one
request is what a machine of its own would be bound by.

    python benchmarks/bench_serve.py
    python benchmarks/bench_serve.py --seconds 2 --records 20000
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from rich.console import Console
from rich.table import Table

import hedgerow
from hedgerow.datasets import load_questions
from hedgerow.feature_extraction import TextHasher
from hedgerow.kernels import Normalized, SubsetTree
from hedgerow.online import PassiveAggressive
from hedgerow.serve.opening import open_logs
from hedgerow.serve.records import Feedback

WORDS = [f"word{number}" for number in range(5000)]
TICKS = os.sysconf("SC_CLK_TCK")
console = Console(highlight=False, width=140)


def texts(n: int, seed: int = 0) -> list[tuple[str, str]]:
    """Messages of 20 words, as long as an SMS, whose labels depend on some of them."""
    draw = random.Random(seed)
    found = []
    for _ in range(n):
        label = draw.choice(["ham", "spam"])
        own = WORDS[:50] if label == "ham" else WORDS[50:100]
        found.append((" ".join([*draw.choices(own, k=3), *draw.choices(WORDS, k=17)]), label))
    return found


def text_model(path: Path) -> None:
    X, y = zip(*texts(2000), strict=True)
    model = PassiveAggressive(vectorizer=TextHasher(), random_state=0)
    hedgerow.save(model.partial_fit(list(X), list(y), classes=["ham", "spam"]), path)


def tree_model(path: Path) -> list[tuple[str, str]]:
    trees, y = load_questions()
    model = PassiveAggressive(Normalized(SubsetTree(decay=0.4)), averaging="average", random_state=0)
    hedgerow.save(model.partial_fit(trees, y, classes=sorted(set(y))), path)
    return list(zip(trees.to_brackets(), map(str, y), strict=True))


# -- the service --------------------------------------------------------------------------------------------


@contextmanager
def service(*arguments: object) -> Iterator[tuple[str, int, subprocess.Popen[str]]]:
    """Its host and port, and its process."""
    command = [
        sys.executable,
        "-m",
        "hedgerow",
        "serve",
        *map(str, arguments),
        "--port",
        "0",
        "--queue",
        "1000000",
    ]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        for line in process.stderr:
            if '"listening"' in line:
                place = urlsplit(json.loads(line)["url"])
                yield str(place.hostname), int(place.port or 0), process
                return
        raise RuntimeError("the service did not start")
    finally:
        process.terminate()
        process.communicate()


def cpu(process: subprocess.Popen[str]) -> float:
    """Seconds of processor time that a process has taken."""
    parts = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(parts[11]) + int(parts[12])) / TICKS


# -- the load -----------------------------------------------------------------------------------------------


class Connection(asyncio.Protocol):
    """One request at a time; the answer is only looked at for its length and status."""

    def __init__(self) -> None:
        self._waiting: asyncio.Future[bytes] | None = None
        self._held = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._held += data
        head, found, body = self._held.partition(b"\r\n\r\n")
        if found and len(body) >= int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0]):
            self._held = b""
            assert self._waiting is not None
            self._waiting.set_result(head + found + body)

    async def ask(self, request: bytes) -> bytes:
        self._waiting = asyncio.get_running_loop().create_future()
        self._transport.write(request)  # type: ignore[attr-defined]
        answer = await self._waiting
        assert answer.startswith(b"HTTP/1.1 200"), answer
        return answer


def posted(path: str, body: object) -> bytes:
    content = json.dumps(body).encode()
    return f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Length: {len(content)}\r\n\r\n".encode() + content


@dataclass
class Load:
    """What came of some seconds of load."""

    n: int
    seconds: float
    latencies: list[float]
    own: float  # processor time of this process
    theirs: float  # and of the service

    def row(self, per: int = 1) -> list[str]:
        ordered = sorted(self.latencies)
        p50, p99 = (1000 * ordered[int(q * (len(ordered) - 1))] for q in (0.5, 0.99))
        each = 1e6 / max(self.n * per, 1)
        return [
            f"{self.n * per / self.seconds:,.0f}",
            f"{p50:.2f}",
            f"{p99:.2f}",
            f"{self.theirs * each:.0f}",
            f"{self.own * each:.0f}",
        ]


async def loaded(
    place: tuple[str, int, subprocess.Popen[str]],
    requests: list[bytes],
    seconds: float,
    *,
    connections: int = 4,
    rate: float | None = None,
    beside: list[bytes] | None = None,
    beside_rate: float = 0.0,
) -> Load:
    """As many requests as come back; or at a rate, timed from when each was due. Others may run beside them."""
    host, port, process = place
    loop = asyncio.get_running_loop()
    made = [
        (await loop.create_connection(Connection, host, port))[1] for _ in range(connections + bool(beside))
    ]
    latencies: list[float] = []
    numbers = iter(range(1 << 40))
    begin = time.perf_counter()
    end = begin + seconds

    async def work(connection: Connection) -> None:
        while (now := time.perf_counter()) < end:
            number = next(numbers)
            due = now if rate is None else begin + number / rate
            if due > now:
                await asyncio.sleep(due - now)
            await connection.ask(requests[number % len(requests)])
            latencies.append(time.perf_counter() - due)

    async def trickle(connection: Connection, others: list[bytes]) -> None:
        for number, request in enumerate(others):
            due = begin + number / beside_rate
            if due > end:
                return
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            await connection.ask(request)

    own, theirs = time.process_time(), cpu(process)
    others = [trickle(made[-1], beside)] if beside else []
    await asyncio.gather(*map(work, made[:connections]), *others)
    took = time.perf_counter() - begin
    return Load(len(latencies), took, latencies, time.process_time() - own, cpu(process) - theirs)


def feedback(examples: list[tuple[str, str]], size: int, name: str) -> list[bytes]:
    """Requests with so much feedback each."""
    return [
        posted(
            "/feedback",
            {
                "feedback": [
                    {"key": f"{name}-{i + j}", "example": x, "label": label}
                    for j, (x, label) in enumerate(examples[i : i + size])
                ]
            },
        )
        for i in range(0, len(examples), size)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=5.0, help="of each measurement")
    parser.add_argument("--records", type=int, default=100_000, help="of the log that it starts from")
    options = parser.parse_args()
    try:
        import uvloop

        uvloop.install()
    except ImportError:
        pass
    table = Table("what", "a second", "p50 ms", "p99 ms", "service, µs each", "load, µs each", box=None)
    with tempfile.TemporaryDirectory() as folder:
        answers(Path(folder), options.seconds, table)
        console.print(table)
        starts(Path(folder), options.records)


def answers(folder: Path, seconds: float, table: Table) -> None:
    text_model(folder / "texts.model")
    trees = tree_model(folder / "trees.model")
    for name, examples in {"texts": texts(3000, 1), "trees": trees}.items():
        with service(folder / f"{name}.model", "--data", folder / f"{name}-data") as place:
            requests = [posted("/predict", {"examples": [x]}) for x, _ in examples]

            def measured(what: str, load: list[bytes], per: int = 1, **how: object) -> None:
                found = asyncio.run(loaded(place, load, seconds, **how))  # type: ignore[arg-type]
                table.add_row(what, *found.row(per))

            measured(f"predictions of {name}", requests)
            learned = feedback((examples * 10)[: int(200 * seconds) + 1], 1, "beside")
            measured(
                f"predictions of {name}, 200 feedbacks a second beside",
                requests,
                beside=learned,
                beside_rate=200.0,
            )
            if name == "texts":
                measured(
                    "the same at 3,000 a second", requests, rate=3000.0, beside=learned, beside_rate=200.0
                )
                many = texts(60_000, 2)
                measured("feedback, one by one", feedback(many[:20_000], 1, "single"))
                measured("feedback, in groups of 100", feedback(many * 5, 100, "group"), 100)


def starts(folder: Path, records: int) -> None:
    """From the process to the first answer, and until all of the log is learned."""
    data = folder / "long"
    (storage,) = open_logs([f"long={folder / 'texts.model'}"], str(data)).values()
    examples = texts(records, 3)
    for begin in range(0, records, 1000):
        some = enumerate(examples[begin : begin + 1000], begin)
        storage.append([[Feedback(str(number), x, label) for number, (x, label) in some]])
    storage.close()
    for what in ("without a snapshot", "with one"):
        begin_time = time.perf_counter()
        with service("--data", data) as place:
            listening = time.perf_counter() - begin_time
            requests = f"POST /predict?wait={records} HTTP/1.1\r\nHost: x\r\nContent-Length: 15\r\n\r\n"
            asyncio.run(_ready(place, (requests + '{"examples":[]}').encode()))
            ready = time.perf_counter() - begin_time
            used = cpu(place[2])
        console.print(
            f"start from {records:,} records, {what}: answers after {listening:.1f} s, all learned after "
            f"{ready:.1f} s ({used:.1f} s of processor time)"
        )


async def _ready(place: tuple[str, int, subprocess.Popen[str]], request: bytes) -> None:
    while True:  # 503 after some seconds of waiting
        _, connection = await asyncio.get_running_loop().create_connection(Connection, *place[:2])
        try:
            await connection.ask(request)
            return
        except AssertionError:
            continue


if __name__ == "__main__":
    main()
