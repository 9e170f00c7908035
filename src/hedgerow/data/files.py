"""Opening input and output: plain or gzip by content, "-" for the standard streams."""

from __future__ import annotations

import gzip
import io
import os
import sys
from typing import BinaryIO, cast

GZIP_MAGIC = b"\x1f\x8b"


def open_bytes(path: str | os.PathLike[str]) -> BinaryIO:
    """Open for reading; gzip is recognised by its first bytes, whatever the name."""
    raw = io.BufferedReader(io.FileIO(sys.stdin.fileno(), closefd=False)) if path == "-" else open(path, "rb")
    if raw.peek(2)[:2] == GZIP_MAGIC:
        return cast(BinaryIO, gzip.GzipFile(fileobj=raw))
    return raw


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """The whole content."""
    with open_bytes(path) as file:
        return file.read()
