"""How the command line fails: one sentence on standard error and an exit code, never a traceback."""

from __future__ import annotations

import os
import re
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, suppress
from typing import Any, TextIO, cast

import typer
from typer.core import TyperGroup

from hedgerow.interrupts import how_it_ended, was_interrupted
from hedgerow.visible import visible

DATA, INTERRUPTED, BROKEN_PIPE = 1, 130, 141  # the last two as shells report signals
# The base of what click raises. Some versions of typer hold a copy of click, so its name depends on them.
_ClickException: Any = typer.BadParameter.__mro__[2]


class CleanGroup(TyperGroup):
    """The group of all commands, which turns exceptions into sentences."""

    _became = ""  # what became of work that was interrupted

    def main(self, args: Any = None, *rest: Any, standalone_mode: bool = True, **extra: Any) -> Any:
        extra["standalone_mode"] = False
        if not standalone_mode:
            return super().main(args, *rest, **extra)
        with redirect_stderr(cast(TextIO, LastingOutput(sys.stderr))):
            try:
                code = super().main(args, *rest, **extra)
            except _ClickException as error:
                context = getattr(error, "ctx", None)
                command = context.command_path if context is not None else "hedgerow"
                if message := error.format_message():  # without arguments the help was shown, and that is all
                    # Words of typer's own check of choices, and its lists of them, one per line.
                    message = re.sub(r"\s*\n\s*", " ", message.replace(": Value error, ", ": ", 1))
                    complain(f"{message} (see {command} --help)")
                code = error.exit_code
            except typer.Abort:
                code = INTERRUPTED
            if code == INTERRUPTED:  # of typer too, which may be interrupted before and after the command
                sentence, code = how_it_ended(self._became)
                complain(sentence)
            sys.exit(code if isinstance(code, int) else 0)

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            _ignore_rest_of(sys.stdout)
            raise typer.Exit(BROKEN_PIPE) from None
        except KeyboardInterrupt as error:
            self._became = str(error)
            raise typer.Exit(INTERRUPTED) from None
        except RuntimeError as error:
            if not was_interrupted(error):
                raise
            raise typer.Exit(INTERRUPTED) from None
        except OSError as error:
            place = f"{error.filename}: " if error.filename is not None else ""
            complain(f"{place}{error.strerror or error}")
        except (ValueError, OverflowError, ImportError) as error:
            complain(str(error))
        except MemoryError:
            complain("not enough memory")
        raise typer.Exit(DATA)


def refused(option: str, why: str) -> Exception:
    """What to raise for an option that is wrong with the others, or with the data."""
    return typer.BadParameter(why, param_hint=option)


@contextmanager
def as_refusal() -> Iterator[None]:
    """What is wrong with a value is wrong with the command line."""
    try:
        yield
    except (ValueError, TypeError) as error:
        raise typer.BadParameter(str(error)) from None


def complain(sentence: str) -> None:
    typer.echo(f"hedgerow: {visible(sentence)}", err=True)


@contextmanager
def plain_warnings() -> Iterator[None]:
    """Warnings as sentences, without the line of code that they come from."""
    with warnings.catch_warnings():
        warnings.simplefilter("default", UserWarning)
        warnings.showwarning = lambda message, *_: complain(f"warning: {message}")
        yield


@contextmanager
def as_sentences() -> Iterator[None]:
    """Data of the wrong kind for a model: its complaint is for the user."""
    try:
        yield
    except (TypeError, KeyError) as error:
        raise ValueError(error.args[0] if error.args else str(error)) from error


class LastingOutput:
    """Standard error, except that work goes on when nobody is left to read it, as after the end of a terminal."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        with self._lasting():
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        with self._lasting():
            self._stream.flush()

    @contextmanager
    def _lasting(self) -> Iterator[None]:
        try:
            yield
        except OSError:
            _ignore_rest_of(self._stream)


def _ignore_rest_of(stream: Any) -> None:
    """The reader has gone; Python must not fail again when it flushes the rest."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
