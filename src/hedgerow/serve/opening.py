"""From the words of the command line to models: where their logs are, and how they begin."""

from __future__ import annotations

import hashlib
import os
import re
import time
from collections.abc import Sequence
from pathlib import Path

from hedgerow.data.errors import FormatError
from hedgerow.data.files import read_bytes
from hedgerow.persistence.model_file import model_file
from hedgerow.serve.examples import facts_of
from hedgerow.serve.sqlite import SqliteStorage
from hedgerow.serve.storage import Storage

PATIENCE = 30.0  # seconds
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")


def named(model: str) -> tuple[str, str]:
    """The name and the path of a model that is given as NAME=PATH, or as a path that ends in its name."""
    name, equals, path = model.partition("=")
    if not equals or os.path.exists(model):
        path = model
        name = Path(model).name.removesuffix(".gz")
        name = name.rpartition(".")[0] or name
    if not _NAME.fullmatch(name):
        raise ValueError(
            f"{name!r} cannot be the name of a model, which has letters, digits, dots, dashes and underscores; "
            f"write NAME={path}"
        )
    return name, path


def names_in(data: str) -> list[str]:
    """The models whose logs are there."""
    if is_url(data):
        from hedgerow.serve.postgresql import names_at

        return names_at(data)
    folder = Path(data)
    return sorted(path.parent.name for path in folder.glob("*/log.sqlite")) if folder.is_dir() else []


def is_url(data: str) -> bool:
    """Whether the data are in PostgreSQL."""
    return data.startswith(("postgresql://", "postgres://"))


def storage_of(data: str, name: str, *, read_only: bool = False, address: str = "") -> Storage:
    """The log of a model."""
    if is_url(data):
        from hedgerow.serve.postgresql import PostgresStorage

        return PostgresStorage(data, name, read_only=read_only, address=address)
    return SqliteStorage(Path(data) / name, read_only=read_only)


def open_logs(models: Sequence[str], data: str, address: str = "") -> dict[str, Storage]:
    """The logs of models, by name: those that are given, else all that are there. A new one begins with its file."""
    given = [named(model) for model in models]
    if len({name for name, _ in given}) < len(given):
        raise ValueError("two models have the same name; write NAME=PATH")
    wanted = dict(given) if given else dict.fromkeys(names_in(data), "")
    if not wanted:
        raise ValueError(f"{data} holds no model yet: name a model file to begin with")
    opened: dict[str, Storage] = {}
    try:
        for name, path in wanted.items():
            opened[name] = storage_of(data, name, address=address)
            if path:
                _begin(opened[name], path)
    except BaseException:
        for storage in opened.values():
            storage.close()
        raise
    return opened


def _begin(storage: Storage, path: str) -> None:
    """Begins a log with a model file, or sees that it is the one that it began with."""
    content = read_bytes(path)
    digest = hashlib.sha256(content).hexdigest()
    facts = storage.facts()
    begin = time.monotonic()
    while facts is None and not storage.lead():  # another process is about to begin it
        if time.monotonic() - begin > PATIENCE:
            raise FormatError("there is no model in it", path=storage.name)
        time.sleep(0.1)
        facts = storage.facts()
    if facts is None:
        file = model_file(content, path)
        storage.create(content, {**facts_of(file.model, file.notes), "sha256": digest})
    elif facts["sha256"] != digest:
        raise ValueError(
            f"{storage.name} began with another model than {path}; continue with that one by leaving out the file, or "
            "start over with other --data"
        )
