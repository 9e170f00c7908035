"""A service that runs until it is told to stop: uvicorn, logs as JSON lines, and an end in good order."""

from __future__ import annotations

import gc
import json
import signal
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import uvicorn

from hedgerow.serve.app import App
from hedgerow.serve.engine import Engine
from hedgerow.serve.opening import open_logs
from hedgerow.serve.service import Service
from hedgerow.serve.settings import Limits, Settings
from hedgerow.serve.tokens import Tokens
from hedgerow.threads import resolve, set_n_jobs

CONNECTIONS = 1000  # that may be open; more are answered with 503
SWITCH = 0.001  # seconds after which a thread that learns lets another one answer


def log_line(event: str, facts: Mapping[str, Any]) -> None:
    """One line on standard error."""
    print(json.dumps({"time": round(time.time(), 3), "event": event, **facts}), file=sys.stderr, flush=True)


def _log_of(model: str, event: str, facts: Mapping[str, Any]) -> None:
    log_line(event, {"model": model, **facts})


def run(
    models: Sequence[str],
    data: str,
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    address: str | None = None,
    tokens: Tokens | None = None,
    settings: Settings | None = None,
    limits: Limits | None = None,
) -> None:
    """Serves until SIGTERM or Ctrl-C; then answers what has come, learns it, and writes snapshots."""
    tokens = tokens or Tokens()
    if host not in ("127.0.0.1", "::1", "localhost") and not tokens:
        log_line(
            "warning", {"message": f"everybody who reaches {host} may use this service: there are no tokens"}
        )
    sys.setswitchinterval(SWITCH)
    set_n_jobs(resolve(None))  # looked up once
    engines = {
        name: Engine(name, storage, settings, partial(_log_of, name))
        for name, storage in open_logs(models, data, address or f"http://{host}:{port}").items()
    }
    started: list[Engine] = []
    service = Service(engines, limits)
    try:
        for engine in engines.values():
            engine.start()
            started.append(engine)
        app = App(service, tokens, log_line)
        gc.collect()
        gc.freeze()  # what is there now stays, and need not be looked through again
        config = uvicorn.Config(
            app,
            host=host,
            port=port,
            log_config=None,
            access_log=False,
            limit_concurrency=CONNECTIONS,
            server_header=False,
            date_header=False,
            timeout_graceful_shutdown=30,
        )
        _Server(config, service).run()
    finally:
        service.close()
        for engine in started:
            engine.stop()
            log_line("stopped", {"model": engine.name, "position": engine.learned.position})


class _Server(uvicorn.Server):
    """Says where it listens, and ends well when it is told to."""

    def __init__(self, config: uvicorn.Config, service: Service) -> None:
        super().__init__(config)
        self._service = service

    async def startup(self, sockets: Any = None) -> None:
        await super().startup(sockets)
        for server in self.servers:
            for socket in server.sockets:
                host, port = socket.getsockname()[:2]
                shown = f"[{host}]" if ":" in host else host
                log_line(
                    "listening", {"url": f"http://{shown}:{port}", "models": list(self._service.engines)}
                )

    def handle_exit(self, sig: int, frame: Any) -> None:
        self._service.stopping = True
        super().handle_exit(sig, frame)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        signals = (signal.SIGINT, signal.SIGTERM)
        before = {one: signal.signal(one, self.handle_exit) for one in signals}
        try:
            yield
        finally:
            for one, handler in before.items():
                signal.signal(one, handler)
