"""A client in few lines, with nothing but the standard library."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Sequence
from http.client import HTTPException
from typing import Any


class ServiceError(RuntimeError):
    """What the service answered instead: ``status``, ``detail``, and the ``field`` that was wrong, if there is one.

    Examples
    --------
    >>> from hedgerow.serve import Client, ServiceError
    >>> try:  # doctest: +SKIP
    ...     Client("http://127.0.0.1:8000").feedback("eggs", example="a text")
    ... except ServiceError as error:
    ...     print(error.field)
    feedback[0].label
    """

    def __init__(self, status: int, detail: str, field: str | None = None) -> None:
        super().__init__(f"{status}: {detail}")
        self.status, self.detail, self.field = status, detail, field


class Client:
    """Asks a service of ``hedgerow serve``.

    What fails because the service is busy, starting again or out of reach is tried again, feedback with the same key,
    so that it is learned once.

    Parameters
    ----------
    url : str
        Of the service, or of one of its models, as ``http://127.0.0.1:8000/models/spam``.
    token : str, optional
    retries : int, default=8
        How often to try again, with pauses from 0.1 seconds that double, up to 5 seconds.
    timeout : float, default=30.0
        Seconds to wait for an answer.

    Examples
    --------
    >>> from hedgerow.serve import Client
    >>> client = Client("http://127.0.0.1:8000")
    >>> answer = client.predict("Win a prize now")  # doctest: +SKIP
    >>> client.feedback("spam", id=answer["id"])  # doctest: +SKIP
    18
    """

    def __init__(
        self, url: str, token: str | None = None, *, retries: int = 8, timeout: float = 30.0
    ) -> None:
        self.url = url.rstrip("/")
        self.retries, self.timeout = retries, timeout
        self._headers = {"Content-Type": "application/json"}
        if token is not None:
            self._headers["Authorization"] = f"Bearer {token}"

    def predict(self, example: Any, *, explain: bool = False, wait: int | None = None) -> dict[str, Any]:
        """The prediction for one example: id, label, scores, probabilities, and the position of the model."""
        return self.predict_many([example], explain=explain, wait=wait)[0]

    def predict_many(
        self, examples: Sequence[Any], *, explain: bool = False, wait: int | None = None
    ) -> list[dict[str, Any]]:
        """Predictions for many; with ``wait``, of a model that has learned up to that position."""
        path = "/predict" if wait is None else f"/predict?wait={wait}"
        answer = self._ask(path, {"examples": list(examples), "explain": explain})
        return [{**one, "position": answer["position"]} for one in answer["predictions"]]

    def feedback(
        self,
        label: Any,
        *,
        id: str | None = None,
        example: Any = None,
        key: str | None = None,
        weight: float = 1.0,
    ) -> int:
        """The true label of a prediction, by its id, or of an example; returns its position in the log."""
        one = {"label": label, "weight": weight} | ({"example": example} if id is None else {"id": id})
        return self.feedback_many([one if key is None else {**one, "key": key}])[0]

    def feedback_many(self, feedback: Sequence[dict[str, Any]]) -> list[int]:
        """Feedback as the API takes it; what has no key is given one. It is stored when this returns."""
        keyed = [{"key": uuid.uuid4().hex, **one} for one in feedback]
        positions: list[int] = self._ask("/feedback", {"feedback": keyed})["positions"]
        return positions

    def status(self) -> dict[str, Any]:
        """What the model is, takes and knows."""
        return self._ask("/status")

    def model(self, position: int | None = None) -> bytes:
        """The model file, of now or of an earlier position."""
        return self._bytes("/model" if position is None else f"/model?position={position}", None)

    def _ask(self, path: str, body: Any = None) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(self._bytes(path, body))
        return answer

    def _bytes(self, path: str, body: Any) -> bytes:
        data = None if body is None else json.dumps(body).encode()
        target = self.url + path
        for number in range(self.retries + 1):
            request = urllib.request.Request(target, data, self._headers)
            pause = min(0.1 * 2**number, 5.0)
            try:
                with urllib.request.urlopen(request, timeout=self.timeout) as answer:
                    content: bytes = answer.read()
                    return content
            except urllib.error.HTTPError as error:
                if error.code == 307 and number < self.retries:  # another process writes
                    error.close()
                    target = error.headers["Location"] + path.partition("?")[1] + path.partition("?")[2]
                    time.sleep(pause if number else 0.0)
                    continue
                if error.code not in (429, 503) or number == self.retries:
                    raise _error(error) from None
                told = error.headers.get("Retry-After", "")
                pause = min(float(told), 5.0) if told.isdigit() else pause
                error.close()
            except (OSError, HTTPException):  # out of reach, or gone in the middle
                if number == self.retries:
                    raise
                target = self.url + path
            time.sleep(pause)
        raise AssertionError


def _error(error: urllib.error.HTTPError) -> ServiceError:
    content = error.read()
    try:
        told = json.loads(content)
        return ServiceError(error.code, told["detail"], told.get("field"))
    except (ValueError, KeyError, TypeError):
        return ServiceError(error.code, content.decode(errors="replace")[:200])
