"""The page of a model: rendered here, with a little script; all that others wrote is escaped."""

from __future__ import annotations

import json
import time
from functools import cache
from importlib.resources import files
from typing import Any

import jinja2

from hedgerow.serve.engine import Engine
from hedgerow.serve.examples import Texts, Tokens, Trees

SHOWN = 20  # records of a table
WIDTH, HEIGHT = 640, 180  # of the learning curve
# Nothing but what this service sends itself.
POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
REPORT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'"


@cache
def _template(name: str) -> jinja2.Template:
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True)
    environment.filters.update(short=short, moment=moment, share=share, pretty=pretty)
    return environment.from_string(_file(name).decode())


@cache
def _file(name: str) -> bytes:
    return (files("hedgerow.serve.page") / name).read_bytes()


def style() -> bytes:
    """That of reports, and what a form needs."""
    return (files("hedgerow.report") / "page.css").read_bytes() + _file("page.css")


def script() -> bytes:
    return _file("page.js")


def docs_page(document: dict[str, Any]) -> bytes:
    """What the API is, for those who read."""
    return _template("docs.html.jinja").render(document=document).encode()


def list_page(engines: dict[str, Engine]) -> bytes:
    """Of several models."""
    return _template("models.html.jinja").render(engines=engines).encode()


def model_page(
    engine: Engine,
    status: dict[str, Any],
    base: str,
    search: str,
    before: int | None,
    latency: dict[str, float],
) -> bytes:
    """Of one model, with its history."""
    found = engine.storage.newest(before, SHOWN + 1, search)
    return (
        _template("page.html.jinja")
        .render(
            status=status,
            base=base,
            search=search,
            kind=kind_of(engine),
            records=found[:SHOWN],
            older=found[SHOWN - 1].position if len(found) > SHOWN else None,
            mistakes=engine.quality.mistakes()[:SHOWN],
            curve=curve_of(engine.quality.curve()),
            latency=latency,
            width=WIDTH,
            height=HEIGHT,
        )
        .encode()
    )


def kind_of(engine: Engine) -> str:
    """How an example is typed: as it is, as words, or as JSON."""
    columns = list(engine.learned.examples.columns.values())
    if len(columns) > 1:
        return "json"
    if isinstance(columns[0], Tokens):
        return "tokens"
    return "text" if isinstance(columns[0], Trees | Texts) else "json"


def curve_of(points: list[tuple[int, float]]) -> dict[str, Any] | None:
    """The points of the learning curve in the picture, and its highest error."""
    if len(points) < 2:
        return None
    first, last = points[0][0], points[-1][0]
    top = max(max(error for _, error in points), 0.05)
    places = [
        (
            40 + (WIDTH - 50) * (n - first) / (last - first),
            10 + (HEIGHT - 40) * (1 - error / top),
        )
        for n, error in points
    ]
    return {
        "line": " ".join(f"{x:.1f},{y:.1f}" for x, y in places),
        "first": first,
        "last": last,
        "top": top,
        "now": points[-1][1],
    }


def short(value: Any, most: int = 200) -> str:
    """An example or a label, in few words."""
    text = value if isinstance(value, str) else _words(value)
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _words(value: Any) -> str:
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return " ".join(value)
    return str(value)


def pretty(value: Any) -> str:
    return json.dumps(value, indent=2)


def moment(seconds: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(seconds))


def share(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f}%"
