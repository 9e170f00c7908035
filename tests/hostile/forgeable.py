"""A file to be forged, and what came of using one: whether it is refused, or works, or what was wrong."""

from __future__ import annotations

import io
import traceback
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import hedgerow

Use = tuple[str, Callable[[], Any]]


@dataclass(frozen=True)
class Forgeable:
    content: bytes
    uses: Callable[[Path], Iterator[Use]]  # the first is loading; later ones see what earlier ones did
    saved_again: bool = True  # whether what can be loaded can be saved and loaded again


def outcome(forgeable: Forgeable, content: bytes, path: Path, natural: frozenset[str] = frozenset()) -> str:
    """ "loaded", "refused", or what was wrong; natural: failures that the true model has, too."""
    path.write_bytes(content)
    loaded = False
    for name, use in forgeable.uses(path):
        try:
            with redirect_stdout(io.StringIO()):
                use()
            loaded = True
        except hedgerow.FormatError as error:
            if not loaded:
                return "refused" if _asks_for_little(error) else f"load: asks for too much memory: {error}"
            # Two models with room for very many features may be more than the worker's limit allows.
            too_large = isinstance(error.__cause__, MemoryError)
            if name == "load again" and forgeable.saved_again and not too_large:
                return "load again: what was loaded is refused when it is saved and loaded again"
        except Exception as error:
            if not loaded or not (_is_said(error) or _key(name, error) in natural):
                return _described(name, error)
    return "loaded"


def natural_failures(forgeable: Forgeable, path: Path) -> frozenset[str]:
    """What the true model cannot do: weights of one with a kernel, for example."""
    path.write_bytes(forgeable.content)
    found = set()
    for name, use in forgeable.uses(path):
        try:
            with redirect_stdout(io.StringIO()):
                use()
        except Exception as error:
            if name == "load":
                raise
            found.add(_key(name, error))
    return frozenset(found)


def _asks_for_little(error: hedgerow.FormatError) -> bool:
    """Learners on weights reserve memory for as many features as a file says, which the worker's limit forbids."""
    return not isinstance(error.__cause__, MemoryError) or "features" in str(error)


def _is_said(error: Exception) -> bool:
    """Whether it is a clear sentence: a ValueError, what hedgerow raises itself, scores beyond the range of float64."""
    if isinstance(error, ValueError):
        return True
    if isinstance(error, OverflowError | MemoryError):  # a parameter may ask for 2**31 features
        return any(
            words in str(error)
            for words in (
                "range of",
                "too large",
                "cannot be learned from",
                "so many features",
                "Unable to allocate",
            )
        )
    place = traceback.extract_tb(error.__traceback__)[-1]
    return "hedgerow" in place.filename and (place.line or "").startswith("raise ")


def _key(name: str, error: Exception) -> str:
    return f"{name}: {type(error).__name__}"


def _described(name: str, error: Exception) -> str:
    place = traceback.extract_tb(error.__traceback__)[-1]
    return f"{name}: {type(error).__name__}: {str(error)[:200]} [{Path(place.filename).name}:{place.lineno}]"
