"""What the service does with requests, whatever brings them: models by name, limits, answers."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from hedgerow.serve.engine import Engine
from hedgerow.serve.examples import Refused
from hedgerow.serve.problems import Problem
from hedgerow.serve.records import Feedback
from hedgerow.serve.settings import Limits
from hedgerow.serve.storage import StorageError

QUICK = 0.002  # seconds that a prediction may take without a thread of its own
LONGEST_KEY = 200


class Service:
    """Models by name; the methods are those of the API, with JSON in and out."""

    def __init__(self, engines: Mapping[str, Engine], limits: Limits | None = None) -> None:
        self.engines = dict(engines)
        self.limits = limits or Limits()
        self._pool = ThreadPoolExecutor(2, thread_name_prefix="predict")
        self._running = 0
        self._cost: dict[str, float] = {}  # seconds that an example took, lately
        self.stopping = False

    def engine(self, name: str | None) -> Engine:
        """The model of that name, or the only one."""
        known = ", ".join(self.engines)
        if name is None and len(self.engines) > 1:
            raise Problem(
                404, f"there are several models: use /models/NAME/..., where NAME is one of {known}"
            )
        engine = next(iter(self.engines.values())) if name is None else self.engines.get(name)
        if engine is None:
            raise Problem(404, f"there is no model of that name; the models are {known}")
        return engine

    def close(self) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)

    # -- predictions ----------------------------------------------------------------------------------------

    async def predict(self, engine: Engine, body: bytes, wait: str | None = None) -> dict[str, Any]:
        given = read_object(body, {"examples", "explain"})
        examples = self._list(given, "examples")
        explain = given.get("explain", False)
        if not isinstance(explain, bool):
            raise Refused("explain", "expected true or false")
        if wait is not None:
            await self.reach(engine, wait)
        fields = [f"examples[{i}]" for i in range(len(examples))]
        if any(type(one) is dict for one in examples):
            plain = engine.learned.examples.plain
            examples = [plain(one, field) for one, field in zip(examples, fields, strict=True)]
        quick = self._cost.get(engine.name, 0.0) * len(examples) < QUICK and len(body) < 50_000
        if quick and not explain:
            position, answers, why = self._predicted(engine, examples, fields, False)
        else:
            position, answers, why = await self.in_thread(self._predicted, engine, examples, fields, explain)
        predictions = [answer.public() for answer in answers]
        for one, explanation in zip(predictions, why, strict=False):
            one["explanation"] = explanation
        return {"position": position, "predictions": predictions}

    def _predicted(self, engine: Engine, examples: list[Any], fields: list[str], explain: bool) -> Any:
        begin = time.perf_counter()
        found = engine.predict(examples, fields, explain, self.limits.nodes)
        if not explain:
            cost = (time.perf_counter() - begin) / max(len(examples), 1)
            before = self._cost.get(engine.name, cost)
            # Quickly down, slowly up: what takes long on a busy machine now and then is quick all the same.
            self._cost[engine.name] = cost if cost < before else before + 0.02 * (cost - before)
        return found

    # -- feedback -------------------------------------------------------------------------------------------

    async def feedback(
        self, engine: Engine, body: bytes, who: str, wait: str | None = None
    ) -> dict[str, Any]:
        given = self._list(read_object(body, {"feedback"}), "feedback")
        if not engine.learned.learns:
            raise Problem(409, f"a {type(engine.learned.model).__name__} cannot continue learning")
        if not engine.storage.writes:
            raise await self._elsewhere(engine, "feedback")
        if wait not in (None, "position", "true", "1"):
            raise Refused("wait", "expected position: answer when the feedback has been learned")
        now = time.time()
        request = [self._one(engine, one, f"feedback[{i}]", who, now) for i, one in enumerate(given)]
        positions = await asyncio.wrap_future(engine.submit(request)) if request else []
        if wait is not None and positions:
            await self.reach(engine, str(max(positions)))
        return {"positions": positions}

    def _one(self, engine: Engine, one: Any, field: str, who: str, now: float) -> Feedback:
        if not isinstance(one, dict):
            raise Refused(field, "expected an object with key, id or example, and label")
        for name in one:
            if name not in ("key", "id", "example", "label", "weight"):
                raise Refused(f"{field}.{name}", "expected key, id or example, label, weight")
        learned = engine.learned
        key = _key(one, field)
        if "label" not in one:
            raise Refused(f"{field}.label", "missing")
        weight = one.get("weight", 1.0)
        if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 <= weight <= 1e6:
            raise Refused(f"{field}.weight", "expected a number from 0 to 1e6")
        learned.check_weight(weight, f"{field}.weight")
        if ("id" in one) == ("example" in one):
            raise Refused(field, "expected either id, of a prediction, or example")
        answer = None
        if "id" in one:
            answer = engine.answer(one["id"], key) if isinstance(one["id"], str) else None
            if answer is None:
                raise Refused(f"{field}.id", "no prediction with this id is remembered; send the example")
            example = answer.example
        else:
            example = learned.examples.plain(one["example"], f"{field}.example")
        where = f"{field}.example"
        checked = learned.examples.check(example, where)
        if answer is None:  # else it was read before
            learned.examples.check_size(checked, where, self.limits.nodes)
            learned.examples.runs([checked], [where])
        label = learned.examples.label(learned.model, one["label"], checked, f"{field}.label")
        return Feedback(key, example, label, float(weight), now, who, answer)

    async def _elsewhere(self, engine: Engine, verb: str) -> Problem:
        """Refer clients that want to change something to the process that writes."""
        try:
            writer = await self.in_thread(engine.storage.writer)
        except StorageError:
            writer = ""
        if not writer:
            return Problem(503, "no process writes the log now", retry_after=1)
        path = f"{writer}/models/{engine.name}/{verb}"
        return Problem(307, f"{writer} writes the log", headers={"Location": path}, retry_after=1)

    # -- the rest -------------------------------------------------------------------------------------------

    def status(self, engine: Engine) -> dict[str, Any]:
        learned = engine.learned
        return {
            "name": engine.name,
            "model": type(learned.model).__name__,
            "position": learned.position,
            "committed": engine.last,
            "examples": learned.n_seen,
            "takes": learned.examples.form,
            "labels": learned.labels,
            "new_labels": bool(getattr(learned.model, "_open_classes", False)),
            "learns": learned.learns,
            "revision": learned.revision,
            "refused": engine.refused,
            "ready": engine.ready,
            "writes": engine.storage.writes,
            "failure": engine.failure or None,
            "quality": engine.quality.figures(),
        }

    async def model(self, engine: Engine, position: str | None) -> tuple[int, bytes]:
        """The model file, of now or of an earlier position."""
        found: tuple[int, bytes]
        if position is None:
            found = await self.in_thread(engine.learned.content)
            return found
        wanted = whole(position, "position")
        if wanted > engine.last:
            raise Refused("position", f"expected a position from 0 to {engine.last}")
        found = await self.in_thread(lambda: engine.at(wanted).content())
        return found

    def history(self, engine: Engine, before: str | None, limit: str | None, search: str) -> dict[str, Any]:
        most = 50 if limit is None else whole(limit, "limit")
        if not 1 <= most <= 1000:
            raise Refused("limit", "expected a whole number from 1 to 1000")
        at = None if before is None else whole(before, "before")
        return {"records": [record.public() for record in engine.storage.newest(at, most, search)]}

    async def undo(self, engine: Engine, body: bytes) -> dict[str, Any]:
        """Unlearns records, those with some keys or those after a position, and erases them."""
        given = read_object(body, {"without", "to"})
        if not engine.storage.writes:
            raise await self._elsewhere(engine, "undo")
        if ("without" in given) == ("to" in given):
            raise Problem(422, "expected either without, a list of keys, or to, a position")
        if "to" in given:
            to = given["to"]
            if type(to) is not int or not 0 <= to <= engine.last:
                raise Refused("to", f"expected a position from 0 to {engine.last}")
            positions = list(range(to + 1, engine.last + 1))
        else:
            keys = self._list(given, "without")
            positions = [self._position_of(engine, key, f"without[{i}]") for i, key in enumerate(keys)]
        revision = await self.in_thread(engine.erase, positions, patient=True)
        return {"erased": len(positions), "revision": revision, "position": engine.learned.position}

    def _position_of(self, engine: Engine, key: Any, field: str) -> int:
        record = engine.storage.record(key) if isinstance(key, str) else None
        if record is None:
            raise Refused(field, "no record in the log has this key")
        return record.position

    async def reach(self, engine: Engine, position: str) -> None:
        """Waits until the model has learned up to a position."""
        wanted = whole(position, "wait")
        if wanted <= engine.learned.position:
            return
        if wanted > engine.last and engine.storage.writes:
            raise Refused("wait", f"the log ends at position {engine.last}")
        try:
            await asyncio.wait_for(asyncio.wrap_future(engine.reach(wanted)), self.limits.seconds)
        except TimeoutError:
            raise Problem(503, f"position {wanted} has not been learned yet", retry_after=1) from None

    async def in_thread(self, work: Any, *args: Any, patient: bool = False) -> Any:
        """Work that takes longer than others should wait; too much of it is refused."""
        if self._running >= self.limits.running:
            raise Problem(503, "too many requests run already", retry_after=1)
        self._running += 1
        try:
            running = asyncio.get_running_loop().run_in_executor(self._pool, lambda: work(*args))
            return await asyncio.wait_for(running, None if patient else self.limits.seconds)
        except TimeoutError:
            raise Problem(503, f"it took more than {self.limits.seconds} seconds", retry_after=5) from None
        finally:
            self._running -= 1

    def _list(self, given: dict[str, Any], name: str) -> list[Any]:
        if name not in given:
            raise Refused(name, "missing; expected a list")
        values = given[name]
        if not isinstance(values, list):
            raise Refused(name, "expected a list")
        if len(values) > self.limits.batch:
            raise Problem(413, f"{name}: at most {self.limits.batch} at once, got {len(values)}", field=name)
        return values


def read_object(body: bytes, names: set[str]) -> dict[str, Any]:
    """The object that a body holds, whose names are among those given."""
    try:
        text = body.decode()
        given = _decoder.decode(text)
        if "\\u" in text:
            json.dumps(given, ensure_ascii=False).encode()  # halves of characters are in no text
    except UnicodeDecodeError as error:
        raise Problem(400, f"byte {error.start} of the body is not UTF-8") from None
    except UnicodeEncodeError:
        raise Problem(400, "the body has half a character, a surrogate without its other half") from None
    except RecursionError:
        raise Problem(400, "the body is nested too deeply") from None
    except ValueError as error:
        raise Problem(400, f"the body is not JSON: {error}") from None
    if not isinstance(given, dict):
        raise Problem(422, f"expected an object with {' and '.join(sorted(names))}")
    for name in given:
        if name not in names:
            raise Refused(name[:100], f"expected {' and '.join(sorted(names))}")
    return given


def whole(text: str, field: str) -> int:
    """A position or another number of a query."""
    if not (text.isascii() and text.isdigit() and len(text) <= 10):
        raise Refused(field, "expected a whole number from 0")
    return int(text)


def _key(one: dict[str, Any], field: str) -> str:
    key = one.get("key")
    if not isinstance(key, str) or not 0 < len(key) <= LONGEST_KEY or not key.isprintable():
        raise Refused(
            f"{field}.key",
            f"expected a text of 1 to {LONGEST_KEY} printable characters that tells this feedback from all other",
        )
    return key


def _no_number(text: str) -> None:
    raise ValueError(f"{text} is not a number of JSON")


_decoder = json.JSONDecoder(parse_constant=_no_number)  # made once: that takes longer than using it
