"""The API over HTTP: FastAPI, and in front of it a short way for the two requests that come often."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import parse_qs, unquote

from fastapi import FastAPI, Request, Response
from starlette.exceptions import HTTPException

import hedgerow
from hedgerow.serve import page
from hedgerow.serve.engine import Engine
from hedgerow.serve.metrics import CONTENT_TYPE, Metrics
from hedgerow.serve.openapi import described
from hedgerow.serve.problems import EXPECTED, Problem, problem_of
from hedgerow.serve.service import Service, whole
from hedgerow.serve.tokens import ANYONE, Holder, Tokens

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Log = Callable[[str, dict[str, Any]], object]

# What a role is needed for; all else needs the role "predict".
OPEN = ("/healthz", "/readyz")
NEEDS = {
    "feedback": "feedback",
    "history": "feedback",
    "": "feedback",
    "report": "feedback",
    "model": "admin",
    "undo": "admin",
}
KEEP = {"Cache-Control": "max-age=300", "X-Content-Type-Options": "nosniff"}
JSON, PROBLEM = b"application/json", b"application/problem+json"


class App:
    """An ASGI application: who may come in, how much they may send, and how faults are answered."""

    def __init__(self, service: Service, tokens: Tokens | None = None, log: Log = lambda event, facts: None):
        self.service = service
        self.tokens = tokens or Tokens()
        self._log = log
        self.metrics = Metrics(service.engines)
        self._rest = _rest(self)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._rest(scope, receive, send)
            return
        begin = time.perf_counter()
        status = 0  # of the answer that has begun

        async def sending(message: MutableMapping[str, Any]) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        path, method = scope["path"], scope["method"]
        name, verb = _parts(path)
        try:
            holder = self._admitted(scope, path, verb)
            if verb in ("predict", "feedback"):
                if method != "POST":
                    raise Problem(405, f"/{verb} takes POST", headers={"Allow": "POST"})
                content = await self._quick(scope, receive, name, verb, holder)
                await respond(sending, 200, content)
            else:
                scope["hedgerow.holder"] = holder
                await self._rest(scope, self._bounded(scope, receive), sending)
        except Exception as error:
            problem = problem_of(error)
            if problem is None:
                self._log("error", {"path": path, "message": f"{type(error).__name__}: {error}"})
                problem = Problem(500, "the service has a fault, which is in its log")
            if not status:
                await respond(sending, problem.status, problem.content(), PROBLEM, problem.headers)
        finally:
            self.metrics.count(verb if verb in KNOWN else "other", status, time.perf_counter() - begin)

    async def _quick(
        self, scope: Scope, receive: Receive, name: str | None, verb: str, holder: Holder
    ) -> bytes:
        try:
            async with asyncio.timeout(self.service.limits.seconds):
                body = await read_body(self._bounded(scope, receive))
        except TimeoutError:
            raise Problem(408, "the body did not come in time", headers={"Connection": "close"}) from None
        engine = self.service.engine(name)
        wait = _query(scope).get("wait") or _header(scope, b"hedgerow-wait")
        if verb == "predict":
            answer = await self.service.predict(engine, body, wait)
        else:
            answer = await self.service.feedback(engine, body, holder.name, wait)
        return json.dumps(answer).encode()

    def _admitted(self, scope: Scope, path: str, verb: str) -> Holder:
        """Who asks; refuses those who may not, and pages of other sites that make a browser ask."""
        if path in OPEN:
            return ANYONE
        holder = self.tokens.holder(_header(scope, b"authorization")) if self.tokens else ANYONE
        role = NEEDS.get(verb, "predict")
        if not holder.may(role):
            raise Problem(403, f"this needs a token with the role {role}")
        origin = _header(scope, b"origin")
        if origin is not None and origin.partition("://")[2] != _header(scope, b"host"):
            raise Problem(403, "pages of other sites may not use this service")
        return holder

    def _bounded(self, scope: Scope, receive: Receive) -> Receive:
        """Bodies up to the limit."""
        most = self.service.limits.body
        told = _header(scope, b"content-length") or ""
        seen = 0
        too_large = Problem(413, f"a request may have at most {most} bytes", headers={"Connection": "close"})

        async def bounded() -> MutableMapping[str, Any]:
            nonlocal seen
            if told.isdigit() and int(told) > most:
                raise too_large
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > most:
                raise too_large
            return message

        return bounded


async def read_body(receive: Receive) -> bytes:
    pieces = []
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Problem(400, "the body is cut short")
        pieces.append(message.get("body", b""))
        if not message.get("more_body", False):
            return b"".join(pieces)


async def respond(
    send: Send, status: int, content: bytes, kind: bytes = JSON, headers: dict[str, str] | None = None
) -> None:
    lines = [(b"content-type", kind), (b"content-length", str(len(content)).encode())]
    lines += [(name.lower().encode(), value.encode()) for name, value in (headers or {}).items()]
    await send({"type": "http.response.start", "status": status, "headers": lines})
    await send({"type": "http.response.body", "body": content})


def _parts(path: str) -> tuple[str | None, str]:
    """The name of the model, if the path has one, and what is wanted of it."""
    parts = path.split("/")
    if len(parts) >= 4 and parts[1] == "models":
        return unquote(parts[2]), "/".join(parts[3:])
    return None, "/".join(parts[1:])


def _query(scope: Scope) -> dict[str, str]:
    text = scope.get("query_string", b"")
    return {name: values[-1] for name, values in parse_qs(text.decode("latin-1")).items()} if text else {}


def _header(scope: Scope, name: bytes) -> str | None:
    for found, value in scope["headers"]:
        if found == name:
            text: str = value.decode("latin-1")
            return text
    return None


# -- all that comes less often ------------------------------------------------------------------------------


def _rest(app: App) -> FastAPI:
    """The routes that FastAPI serves, and the document about all."""
    api = FastAPI(title="hedgerow", version=hedgerow.__version__, docs_url=None, redoc_url=None)
    service = app.service

    async def status(request: Request) -> Response:
        return _json(service.status(_engine(service, request)))

    async def model(request: Request) -> Response:
        engine = _engine(service, request)
        position, content = await service.model(engine, request.query_params.get("position"))
        headers = {
            "Hedgerow-Position": str(position),
            "Content-Disposition": f'attachment; filename="{engine.name}.model"',
        }
        return Response(content, media_type="application/octet-stream", headers=headers)

    async def history(request: Request) -> Response:
        query = request.query_params
        found = await service.in_thread(
            service.history,
            _engine(service, request),
            query.get("before"),
            query.get("limit"),
            query.get("search", ""),
        )
        return _json(found)

    async def undo(request: Request) -> Response:
        return _json(await service.undo(_engine(service, request), await request.body()))

    for verb, method, function in (
        ("status", "GET", status),
        ("model", "GET", model),
        ("history", "GET", history),
        ("undo", "POST", undo),
    ):
        for path in (f"/{verb}", f"/models/{{name}}/{verb}"):
            api.add_api_route(path, function, methods=[method], include_in_schema=False)

    @api.get("/models", include_in_schema=False)
    async def models() -> Response:
        return _json({"models": [service.status(engine) for engine in service.engines.values()]})

    @api.get("/metrics", include_in_schema=False)
    async def metrics() -> Response:
        return Response(app.metrics.text(), media_type=CONTENT_TYPE)

    @api.get("/healthz", include_in_schema=False)
    async def healthz() -> Response:
        failures = {name: engine.failure for name, engine in service.engines.items() if engine.failure}
        return _json({"healthy": not failures, "failures": failures}, 503 if failures else 200)

    @api.get("/readyz", include_in_schema=False)
    async def readyz() -> Response:
        waiting = [name for name, engine in service.engines.items() if not engine.ready]
        ready = not waiting and not service.stopping
        return _json({"ready": ready, "waiting": waiting}, 200 if ready else 503)

    @api.exception_handler(HTTPException)
    async def refused(request: Request, error: HTTPException) -> Response:
        known = ", ".join(f"/{verb}" for verb in KNOWN)
        detail = f"there is {known}, the same below /models/NAME, and /docs"
        problem = Problem(error.status_code, detail if error.status_code == 404 else str(error.detail))
        return Response(problem.content(), error.status_code, error.headers, PROBLEM.decode())

    async def expected(request: Request, error: Exception) -> Response:
        problem = problem_of(error) or Problem(500, "the service has a fault, which is in its log")
        return Response(problem.content(), problem.status, problem.headers, PROBLEM.decode())

    for kind in (*EXPECTED, Exception):
        api.add_exception_handler(kind, expected)

    @api.get("/docs", include_in_schema=False)
    async def docs() -> Response:
        return _html(page.docs_page(api.openapi()), page.POLICY)

    @api.get("/page.css", include_in_schema=False)
    async def style() -> Response:
        return Response(page.style(), media_type="text/css", headers=KEEP)

    @api.get("/page.js", include_in_schema=False)
    async def script() -> Response:
        return Response(page.script(), media_type="text/javascript", headers=KEEP)

    async def show(request: Request) -> Response:
        name = request.path_params.get("name")
        if name is None and len(service.engines) > 1:
            return _html(page.list_page(service.engines), page.POLICY)
        engine, query = service.engine(name), request.query_params
        before = whole(query["before"], "before") if query.get("before") else None
        base = "" if name is None else f"/models/{engine.name}"
        search, latency = query.get("search", ""), app.metrics.latency()
        content = await service.in_thread(
            page.model_page, engine, service.status(engine), base, search, before, latency
        )
        return _html(content, page.POLICY)

    async def report(request: Request) -> Response:
        content = await service.in_thread(_reported, _engine(service, request))
        return _html(content, page.REPORT_POLICY)

    for path in ("/", "/models/{name}/"):
        api.add_api_route(path, show, methods=["GET"], include_in_schema=False)
    for path in ("/report", "/models/{name}/report"):
        api.add_api_route(path, report, methods=["GET"], include_in_schema=False)

    api.openapi = lambda: described(hedgerow.__version__, service)  # type: ignore[method-assign]
    return api


KNOWN = (
    "predict",
    "feedback",
    "status",
    "model",
    "history",
    "undo",
    "healthz",
    "readyz",
    "metrics",
    "models",
)


def _engine(service: Service, request: Request) -> Any:
    return service.engine(request.path_params.get("name"))


def _reported(engine: Engine) -> bytes:
    """The page that ``hedgerow report`` makes of the model as it is now."""
    try:
        from hedgerow.report import Report

        report = Report(f"{engine.name} at position {engine.learned.position}")
    except ImportError as error:
        raise Problem(404, str(error)) from None
    return report.add(engine.learned.model, engine.name).html().encode()


def _html(content: bytes, policy: str) -> Response:
    headers = {
        "Content-Security-Policy": policy,
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "same-origin",
        "Cache-Control": "no-store",
    }
    return Response(content, media_type="text/html", headers=headers)


def _json(value: Any, status: int = 200) -> Response:
    return Response(json.dumps(value), status, media_type="application/json")
