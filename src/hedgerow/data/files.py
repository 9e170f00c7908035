"""Opening input and output: plain or gzip, "-" for the standard streams; output is all or nothing."""

from __future__ import annotations

import glob
import gzip
import io
import itertools
import os
import select
import stat
import sys
import tempfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from typing import BinaryIO, cast

from hedgerow.data.errors import FormatError
from hedgerow.visible import visible

if sys.platform != "win32":
    import fcntl

GZIP_MAGIC = b"\x1f\x8b"
PIECE = 4 << 20  # bytes read at once
STREAM_PIECE = (
    1 << 20
)  # of a stream: what is read, parsed and learned from while the processor's cache has it
Source = str | os.PathLike[str] | BinaryIO


def open_bytes(path: str | os.PathLike[str]) -> BinaryIO:
    """Open for reading; gzip is recognised by its first bytes, whatever the name."""
    raw = _standard_input() if path == "-" else open(path, "rb")  # noqa: SIM115
    if raw.peek(2)[:2] == GZIP_MAGIC:
        return cast(BinaryIO, _OwningGzip(raw))
    return raw


def _standard_input() -> io.BufferedReader:
    try:
        return io.BufferedReader(io.FileIO(sys.stdin.fileno(), closefd=False))
    except (AttributeError, io.UnsupportedOperation):  # something that plays standard input
        return io.BufferedReader(io.BytesIO(sys.stdin.buffer.read()))


class _OwningGzip(gzip.GzipFile):
    """A gzip reader that closes the file below it too, which gzip leaves to the caller."""

    def __init__(self, raw: BinaryIO) -> None:
        self._raw = raw
        super().__init__(fileobj=raw)

    def close(self) -> None:
        try:
            super().close()
        finally:
            self._raw.close()


@contextmanager
def reading(source: Source) -> Iterator[BinaryIO]:
    """`open_bytes` as a context in which a damaged gzip file is a FormatError; open files are read as they are."""
    opened = not isinstance(source, str | os.PathLike)
    with nullcontext(source) if opened else open_bytes(source) as file:  # type: ignore[arg-type]
        try:
            yield cast(BinaryIO, file)
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise FormatError(
                f"the gzip file is damaged or cut short ({error})", path=name_of(source)
            ) from None


def matching(paths: Iterable[str]) -> list[str]:
    """The paths, with the files that match a pattern such as ``parts/*.gz``, sorted, in its place.

    A file that is called like a pattern is that file. A pattern that nothing matches is an error.
    """
    found: list[str] = []
    for path in paths:
        if not glob.has_magic(path) or os.path.exists(path):
            found.append(path)
            continue
        files = sorted(name for name in glob.glob(path, recursive=True) if os.path.isfile(name))
        if not files:
            raise FileNotFoundError(f"no file matches {path}")
        found.extend(files)
    return found


def name_of(source: Source) -> str:
    """What messages call it."""
    if isinstance(source, str | os.PathLike):
        return "standard input" if source == "-" else os.fspath(source)
    return str(getattr(source, "name", "the file"))


def is_awaited(file: BinaryIO) -> bool:
    """Whether more may arrive later, as through a pipe."""
    raw = getattr(file, "raw", None)
    return isinstance(raw, io.FileIO) and not stat.S_ISREG(os.fstat(raw.fileno()).st_mode)


def read_available(file: BinaryIO, size: int) -> bytes:
    """At least one byte, unless the file has ended, and no more than have arrived yet or than ``size``."""
    if not is_awaited(file):
        return file.read(size)
    raw = file.raw  # type: ignore[attr-defined]
    pieces = [file.read1(size)]  # type: ignore[attr-defined]
    held = len(pieces[0])
    # A pipe hands over little at a time; as long as there is more at once, it is taken.
    while pieces[-1] and held < size and sys.platform != "win32" and select.select([raw], [], [], 0)[0]:
        pieces.append(file.read1(size - held))  # type: ignore[attr-defined]
        held += len(pieces[-1])
    return b"".join(pieces)


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """The whole content."""
    with reading(path) as file:
        return file.read()


def read_text(path: str | os.PathLike[str]) -> str:
    """The whole content, which must be UTF-8; a byte order mark is taken off."""
    return decode_utf8(read_bytes(path), path=os.fspath(path)).removeprefix("\ufeff")


def decode_utf8(content: bytes, *, path: str | None = None, first_line: int = 1) -> str:
    """The text, or a FormatError with the place of the first byte that is not UTF-8."""
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        before = content[: error.start].decode()
        raise FormatError(
            f"byte 0x{content[error.start]:02X} is not UTF-8 here",
            path=path,
            line=before.count("\n") + first_line,
            column=len(before) - (before.rfind("\n") + 1) + 1,
        ) from None


@contextmanager
def writing(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open for writing: all or nothing.

    The content goes to a temporary file in the same folder, which takes the name only when the block ends
    well and the content has reached the disk; otherwise nothing is left behind. A name that ends in ``.gz`` is
    written as gzip, without a time, so that equal content makes equal files. ``"-"`` is standard output,
    written as it comes, and so are devices and pipes.
    """
    if path == "-":
        sys.stdout.flush()
        # Notebooks and tests put something in the place of standard output that takes text only.
        standard = sys.stdout.buffer if hasattr(sys.stdout, "buffer") else cast(BinaryIO, _TextOutput())
        if sys.stdout.isatty():
            standard = cast(BinaryIO, _TerminalOutput(standard))
        yield standard
        standard.flush()
        return
    target = os.path.realpath(path)  # a link keeps pointing to its file
    if os.path.exists(target) and not os.path.isfile(target):
        with open(target, "wb") as out, _packed(out, target) as packed:
            yield packed
        return
    try:
        handle, temporary = _temporary_for(target)
    except OSError as error:
        raise type(error)(error.errno, error.strerror, os.fspath(path)) from None
    with open(handle, "wb") as out:  # which nobody else takes for a left-over until it is closed
        try:
            with _packed(out, target) as packed:
                yield packed
            if sys.platform != "win32":
                os.fchmod(out.fileno(), _mode_for(target))
            out.flush()
            os.fsync(out.fileno())  # else a crash could leave the new name with nothing behind it
            if sys.platform == "win32":  # where an open file cannot be renamed
                out.close()
            os.replace(temporary, target)
        except BaseException:
            with suppress(OSError):
                os.unlink(temporary)
            raise


def _temporary_for(target: str) -> tuple[int, str]:
    """A file in the folder of the target, open for writing, and its path.

    It is the first of a row of names that no process has locked. So what a killed process left behind is used again,
    and what another is writing is not.
    """
    folder, name = os.path.split(target)
    prefix = f".{name[:50]}."
    for number in itertools.count() if sys.platform != "win32" else ():
        path = os.path.join(folder, f"{prefix}{number}.part")
        try:
            handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        except OSError:
            if os.path.lexists(path):  # somebody else's, and not for us
                continue
            raise
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _is_ours(handle, path):
                os.ftruncate(handle, 0)
                return handle, path
        except BlockingIOError:
            pass
        except OSError:  # a file system without locks
            os.close(handle)
            os.unlink(path)
            break
        os.close(handle)
    return tempfile.mkstemp(prefix=prefix, suffix=".part", dir=folder)


def _is_ours(handle: int, path: str) -> bool:
    """Whether the open file is still the one of that name, which its last writer may have made the target."""
    opened = os.fstat(handle)
    with suppress(FileNotFoundError):
        return opened.st_uid == os.geteuid() and os.path.samestat(opened, os.lstat(path))
    return False


class _TextOutput(io.RawIOBase):
    """Takes whole lines as bytes and prints them."""

    def write(self, content: bytes) -> int:  # type: ignore[override]
        sys.stdout.write(content.decode())
        return len(content)


class _TerminalOutput(io.RawIOBase):
    """Takes bytes, of which a terminal gets what can be seen."""

    def __init__(self, out: BinaryIO) -> None:
        self._out = out

    def write(self, content: bytes) -> int:  # type: ignore[override]
        shown = visible(bytes(content).decode(errors="backslashreplace"), lines=True)
        self._out.write(shown.encode())
        return len(content)

    def flush(self) -> None:
        self._out.flush()


@contextmanager
def _packed(out: BinaryIO, name: str) -> Iterator[BinaryIO]:
    if not name.endswith(".gz"):
        yield out
        return
    with gzip.GzipFile(filename="", mode="wb", fileobj=out, mtime=0) as packed:
        yield cast(BinaryIO, packed)


def _mode_for(target: str) -> int:
    """Rights of the file that is replaced, or those that a new file gets."""
    with suppress(FileNotFoundError):
        return stat.S_IMODE(os.stat(target).st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
