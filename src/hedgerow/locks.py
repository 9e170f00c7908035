"""One model used by several threads: any number may read it, or one may change it, never both."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, ClassVar, NamedTuple, TypeVar, cast

from hedgerow import _core
from hedgerow.parameters import Estimator

Method = TypeVar("Method", bound=Callable[..., Any])
Model = TypeVar("Model", bound="Shared")


class Lock(NamedTuple):
    """The two ways into a lock; a thread may enter again, so that methods may call each other."""

    reading: _core.Entrance
    writing: _core.Entrance


class OwnLock:
    """Gives an object its lock when it is first used: scikit-learn wants nothing but parameters in a new one."""

    def __get__(self, model: Any, owner: type | None = None) -> Lock:
        # Once it is in there, Python finds it without asking here.
        lock: Lock = model.__dict__.setdefault("_lock", Lock(*_core.new_lock()))
        return lock


class Shared(Estimator):
    """An estimator with a lock, which copies do not share.

    What reads more than one attribute is marked with `reads`, what changes any with `writes`; where microseconds count,
    ``with self._lock.reading`` does the same. `fit` learns in a `replacement`.
    """

    _lock = OwnLock()
    # Objects that learning changes in place. Copying or pickling would reach them after the lock was released.
    _changing: ClassVar[tuple[str, ...]] = ()

    _final = False  # whether it was saved without the state that learning continues from

    def _check_resumable(self) -> None:
        if self._final:
            raise ValueError(
                f"this {type(self).__name__} was saved with resumable=False (train --final), without the state "
                "that learning continues from; it predicts, and fit learns from scratch"
            )

    def __getstate__(self) -> dict[str, Any]:
        with self._lock.reading:
            state: dict[str, Any] = dict(super().__getstate__())
            state.pop("_lock", None)
            return state | {name: copy.deepcopy(state[name]) for name in self._changing if name in state}


def reads(method: Method) -> Method:
    """A method that sees the model before or after a change, never between."""

    @wraps(method)
    def read(self: Shared, *args: Any, **kwargs: Any) -> Any:
        with self._lock.reading:
            return method(self, *args, **kwargs)

    return cast("Method", read)


def writes(method: Method) -> Method:
    """A method that changes the model; no other thread uses it meanwhile."""

    @wraps(method)
    def write(self: Shared, *args: Any, **kwargs: Any) -> Any:
        with self._lock.writing:
            return method(self, *args, **kwargs)

    return cast("Method", write)


@contextmanager
def replacement(model: Model) -> Iterator[Model]:
    """A copy of the model for `fit`, which takes its place when it has learned, or was interrupted.

    Until then other threads use what was learned before.
    """
    lock = model._lock
    new = object.__new__(type(model))
    new.__dict__.update(model.__dict__)
    new.__dict__.pop("_final", None)
    try:
        yield new
    finally:
        with lock.writing:
            model.__dict__ = new.__dict__
