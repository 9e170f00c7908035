"""Sends a stream of messages to a service that learns, and the true labels some time later, as readers do.

The service is started here, with a model that knows a few messages, and ends with the stream; or name one that runs.
Messages are made up, as in spam_stream.py, or lines "label<tab>text" of a file.

    python examples/serve_messages.py
    python examples/serve_messages.py --messages sms.tsv --delay 200
    python examples/serve_messages.py --url http://127.0.0.1:8000
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from spam_stream import CLASSES, lines_of

import hedgerow
from hedgerow.feature_extraction import TextHasher
from hedgerow.online import PassiveAggressive
from hedgerow.serve import Client

GROUP = 20  # messages and labels that go in one request


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--messages", help="a file; - is standard input")
    parser.add_argument("--delay", type=int, default=100, help="messages after which a label is known")
    parser.add_argument("--url", help="of a service that runs")
    options = parser.parse_args()
    if options.url is not None:
        replay(Client(options.url), lines_of(options.messages), options.delay)
        return
    with tempfile.TemporaryDirectory() as folder, started(Path(folder)) as url:
        replay(Client(url), lines_of(options.messages), options.delay)


def replay(client: Client, lines: Iterator[str], delay: int) -> None:
    """Predicts every message, and gives its label when so many others have come."""
    waiting: deque[dict[str, str]] = deque()  # feedback, until it is due
    print(f"{'messages':>10} {'position':>10} {'so far':>10} {'recent':>10}   share of errors")
    for number, group in enumerate(groups(lines), 1):
        labels, texts = zip(*group, strict=True)
        for label, answer in zip(labels, client.predict_many(texts), strict=True):
            waiting.append({"id": answer["id"], "label": label, "key": f"message-{answer['id']}"})
        due = [waiting.popleft() for _ in range(len(waiting) - delay)]
        if due:
            client.feedback_many(due)
        if number % 10 == 0:
            show(client, number * GROUP)
    position = max(client.feedback_many(list(waiting))) if waiting else 0
    client.predict_many([], wait=position)  # until all is learned
    show(client, number * GROUP)
    drift = client.status()["quality"]["drift"]
    print(f"{drift['test']} found a change at {', '.join(map(str, drift['alarms'])) or 'no position'}.")


def show(client: Client, messages: int) -> None:
    status = client.status()
    errors = [status["quality"][window]["error"] for window in ("so_far", "recent")]
    shown = " ".join(f"{'-' if error is None else format(error, '.3f'):>10}" for error in errors)
    print(f"{messages:>10} {status['position']:>10} {shown}")


def groups(lines: Iterator[str]) -> Iterator[list[tuple[str, str]]]:
    group: list[tuple[str, str]] = []
    for line in lines:
        label, _, text = line.rstrip("\n").partition("\t")
        group.append((label, text))
        if len(group) == GROUP:
            yield group
            group = []


@contextmanager
def started(folder: Path) -> Iterator[str]:
    """The address of a service whose model has seen one message of each class."""
    model = PassiveAggressive(averaging=None, vectorizer=TextHasher(ngrams=2), random_state=0)
    model.partial_fit(["see you at lunch", "cheap luxury watches"], CLASSES, classes=CLASSES)
    hedgerow.save(model, folder / "spam.model")
    command = [sys.executable, "-m", "hedgerow", "serve", folder / "spam.model", "--data", folder / "data"]
    process = subprocess.Popen([*map(str, command), "--port", "0"], stderr=subprocess.PIPE, text=True)
    try:
        for line in process.stderr:
            if (told := json.loads(line))["event"] == "listening":
                yield told["url"]
                return
        raise RuntimeError("the service did not start")
    finally:
        process.terminate()
        process.communicate()


if __name__ == "__main__":
    main()
