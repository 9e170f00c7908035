"""Who may do what: tokens with roles, from a file or from the environment."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from hedgerow.data.errors import FormatError
from hedgerow.serve.problems import Problem

ROLES = ("predict", "feedback", "admin")  # the last includes the others
VARIABLE = "HEDGEROW_TOKENS"


@dataclass(frozen=True)
class Holder:
    """Of a token."""

    name: str
    roles: frozenset[str]

    def may(self, role: str) -> bool:
        return role in self.roles or "admin" in self.roles


ANYONE = Holder("", frozenset({"admin"}))  # where there are no tokens


class Tokens:
    """Lines ``NAME ROLE,ROLE TOKEN``; empty lines and those that begin with # say nothing.

    Examples
    --------
    >>> from hedgerow.serve.tokens import Tokens
    >>> tokens = Tokens(["mail-server predict,feedback 6ad0b4", "carla admin 97f2c1"])
    >>> tokens.holder("Bearer 97f2c1").name
    'carla'
    """

    def __init__(self, lines: Iterable[str] = (), path: str | None = None) -> None:
        self._holders: list[tuple[bytes, Holder]] = []
        for number, line in enumerate(lines, 1):
            parts = line.split()
            if not parts or parts[0].startswith("#"):
                continue
            roles = parts[1].split(",") if len(parts) == 3 else []
            if not roles or not set(roles) <= set(ROLES):
                raise FormatError(
                    f"a line is NAME ROLES TOKEN, with roles of {', '.join(ROLES)} between commas",
                    path=path,
                    line=number,
                )
            self._holders.append((_digest(parts[2]), Holder(parts[0], frozenset(roles))))

    @classmethod
    def found(cls, path: str | None) -> Tokens:
        """Those of a file, or else of the environment variable HEDGEROW_TOKENS, where ; ends a line, too."""
        if path is not None:
            return cls(Path(path).read_text(encoding="utf-8").splitlines(), path)
        return cls(os.environ.get(VARIABLE, "").replace(";", "\n").splitlines(), VARIABLE)

    def __bool__(self) -> bool:
        return bool(self._holders)

    def holder(self, authorization: str | None) -> Holder:
        """Who sent the header; a browser sends the token as a password. Problem 401 where nobody is known by it."""
        if not self._holders:
            return ANYONE
        digest = _digest(_token_in(authorization or ""))
        found = None
        for known, holder in self._holders:  # all of them, so that time tells nothing
            if hmac.compare_digest(known, digest):
                found = holder
        if found is None:
            raise Problem(
                401,
                "a token is needed: send the header Authorization: Bearer TOKEN",
                headers={"WWW-Authenticate": 'Basic realm="hedgerow", charset="UTF-8"'},
            )
        return found


def _token_in(authorization: str) -> str:
    scheme, _, value = authorization.partition(" ")
    if scheme.lower() == "bearer":
        return value.strip()
    if scheme.lower() == "basic":
        try:
            return base64.b64decode(value, validate=True).decode().partition(":")[2]
        except (binascii.Error, UnicodeDecodeError):
            return ""
    return ""


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()
