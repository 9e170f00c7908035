"""Errors as problem documents (RFC 9457): what is wrong, with which field, and what is accepted."""

from __future__ import annotations

import json
from http import HTTPStatus

from hedgerow.serve.engine import Busy, Stopped
from hedgerow.serve.examples import Refused
from hedgerow.serve.storage import Conflict, StorageError


class Problem(Exception):
    """An answer other than the wanted one."""

    def __init__(
        self,
        status: int,
        detail: str,
        *,
        field: str | None = None,
        retry_after: int | None = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        super().__init__(detail)
        self.status, self.field = status, field
        self.headers = dict(headers or {})
        if retry_after is not None:
            self.headers["Retry-After"] = str(retry_after)

    def content(self) -> bytes:
        document = {
            "type": "about:blank",
            "title": HTTPStatus(self.status).phrase,
            "status": self.status,
            "detail": str(self),
            **({} if self.field is None else {"field": self.field}),
        }
        return json.dumps(document).encode()


def problem_of(error: BaseException) -> Problem | None:
    """What to answer for an error that is not a fault of the service itself."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, Refused):
        return Problem(422, f"{error.field}: {error}", field=error.field)
    if isinstance(error, Conflict):
        return Problem(409, str(error), field=f"feedback[{error.number}].key")
    if isinstance(error, Busy):
        return Problem(429, str(error), retry_after=1)
    if isinstance(error, Stopped):
        return Problem(503, str(error), retry_after=5)
    if isinstance(error, StorageError):
        return Problem(503, f"nothing was stored: {error.strerror}", retry_after=5)
    if isinstance(error, MemoryError):
        return Problem(503, "not enough memory", retry_after=5)
    return None


EXPECTED = (Problem, Refused, Conflict, Busy, Stopped, StorageError, MemoryError)  # what `problem_of` knows
