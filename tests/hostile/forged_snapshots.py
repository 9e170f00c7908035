"""Snapshots of a service as files to be forged: it goes on with the one before, or with what it says."""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from hedgerow.data import FormatError
from hedgerow.persistence.model_file import model_file
from hedgerow.serve.examples import Column, Texts, Tokens, Trees, facts_of
from hedgerow.serve.learned import Learned
from hedgerow.serve.records import Record
from hedgerow.serve.replay import newest_sound
from hedgerow.serve.sqlite import SqliteStorage
from hedgerow.serve.storage import Snapshot
from tests.hostile.forgeable import Forgeable, Use
from tests.persistence.kinds import PARSES, STRINGS, TOKENS

POSITION = 3


def snapshots(content: bytes) -> Forgeable | None:
    """A model as a snapshot; none for one that cannot be served."""
    file = model_file(content, "a model")
    try:
        facts_of(file.model, file.notes)
    except ValueError:
        return None
    return Forgeable(content, _uses(content))


def _uses(true: bytes) -> Callable[[Path], Iterator[Use]]:
    def uses(path: Path) -> Iterator[Use]:
        learned: Any = None

        def load() -> None:
            nonlocal learned
            storage = _storage(Path.cwd() / f"log-{os.getpid()}-{zlib.crc32(true)}", true)
            storage._path(Snapshot(0, POSITION)).write_bytes(path.read_bytes())
            learned = newest_sound(storage, POSITION)
            if learned.position < POSITION:
                raise FormatError("the snapshot before it is used")

        def save() -> None:
            path.write_bytes(learned.content()[1])

        yield "load", load
        examples, fields = _examples(learned), ["examples[0]", "examples[1]", "examples[2]"]
        yield "labels", lambda: (learned.labels, learned.n_seen)
        yield "predict", lambda: learned.predict(examples, fields)
        yield "explain", lambda: learned.predict(examples, fields, explain=True, most_nodes=1000)
        yield "save", save
        yield "load again", load
        if learned.learns:
            for time in range(2):
                yield f"learn {time}", lambda: learned.learn(_records(learned, examples))
            yield "predict later", lambda: learned.predict(examples, fields)
            yield "save later", save  # may be refused: a counter at its end has gone on

    return uses


@cache
def _storage(folder: Path, content: bytes) -> SqliteStorage:
    file = model_file(content, "a model")
    storage = SqliteStorage(folder)
    storage.create(content, facts_of(file.model, file.notes))
    return storage


def _examples(learned: Learned) -> list[Any]:
    columns = learned.examples.columns
    rows = [{name: _value(column, i) for name, column in columns.items()} for i in range(3)]
    return rows if len(columns) > 1 else [next(iter(row.values())) for row in rows]


def _value(column: Column, i: int) -> Any:
    if isinstance(column, Trees):
        return PARSES[20 + i]
    if isinstance(column, Texts):
        return STRINGS[20 + i]
    if isinstance(column, Tokens):
        return [list(token) for token in TOKENS[20 + i]]
    return {"0": 0.5, str(2 + i): 1.5}


def _records(learned: Learned, examples: list[Any]) -> list[Record]:
    labels = learned.labels
    return [
        Record(
            learned.position + 1 + i,
            f"key {i}",
            example,
            [labels[i % len(labels)]] * len(example)
            if learned.examples.sequences
            else labels[i % len(labels)],
            1.0 + i % 2,
            0.0,
            "",
            None,
        )
        for i, example in enumerate(examples)
    ]
