"""Opening input and output: plain or gzip by content, "-" for the standard streams."""

from __future__ import annotations

import gzip
import io
import os
import sys
import zlib
from typing import BinaryIO, cast

from hedgerow.data.errors import FormatError

GZIP_MAGIC = b"\x1f\x8b"


def open_bytes(path: str | os.PathLike[str]) -> BinaryIO:
    """Open for reading; gzip is recognised by its first bytes, whatever the name."""
    standard_input = path == "-"
    raw = io.BufferedReader(
        io.FileIO(sys.stdin.fileno() if standard_input else path, closefd=not standard_input)
    )
    if raw.peek(2)[:2] == GZIP_MAGIC:
        file = gzip.GzipFile(fileobj=raw)
        file.myfileobj = raw  # so that closing the one closes the other
        return cast(BinaryIO, file)
    return raw


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """The whole content."""
    with open_bytes(path) as file:
        try:
            return file.read()
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise FormatError(f"the gzip data are damaged ({error})", path=os.fspath(path)) from error
