"""One public file onto the disk: resumed where it broke off, and checked."""

from __future__ import annotations

import hashlib
import http.client
import os
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

from hedgerow.datasets.sources import Original

PIECE = 1 << 16
TIMEOUT = 30.0  # seconds without a byte
PARTIAL_CONTENT, RANGE_NOT_SATISFIABLE = 206, 416

OnProgress = Callable[[str, int, int | None], object]
"""Called with an address, the bytes that are there and those that there will be, if that is known."""


def download(original: Original, path: Path, progress: OnProgress | None = None) -> None:
    """Get a file, unless it is there and right.

    What has come stays in ``path`` with ``.part`` at its end when the connection breaks, and the next call goes on
    there. A file whose checksum is wrong is removed.
    """
    if path.exists():
        _check(path, original)
        return
    part = path.with_name(path.name + ".part")
    try:
        _receive(original, part, progress)
    except urllib.error.HTTPError as error:
        if error.code != RANGE_NOT_SATISFIABLE or not part.exists():
            raise OSError(f"{original.address}: the server says {error.code} {error.reason}") from None
        part.unlink()  # what was there is no beginning of what the server has
        download(original, path, progress)
        return
    except (OSError, http.client.HTTPException) as error:  # no network, no such host, broken off
        reason = getattr(error, "reason", None) or error
        raise OSError(
            f"{original.address} cannot be downloaded ({reason}). The same call continues where it stopped. "
            f"Without a network, get that file elsewhere, save it as {path} and call again"
        ) from None
    os.replace(part, path)
    _check(path, original)


def _receive(original: Original, part: Path, progress: OnProgress | None) -> None:
    there = part.stat().st_size if part.exists() else 0
    request = urllib.request.Request(original.address)
    if there:
        request.add_header("Range", f"bytes={there}-")
    with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:
        if answer.status != PARTIAL_CONTENT:
            there = 0  # the server does not know how to go on
        length = answer.headers.get("Content-Length")
        total = original.bytes if length is None else there + int(length)
        with open(part, "ab" if there else "wb") as out:
            while piece := answer.read(PIECE):
                out.write(piece)
                there += len(piece)
                if progress is not None:
                    progress(original.address, there, total)
    if total is not None and there < total:
        raise OSError(f"it broke off after {there:,} of {total:,} bytes")


def _check(path: Path, original: Original) -> None:
    if original.sha256 is None:
        return
    with open(path, "rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != original.sha256:
        path.unlink()
        raise ValueError(
            f"{original.address}: its SHA-256 is {found}, not {original.sha256}; it was removed, since it is "
            "damaged or another file than expected"
        )
