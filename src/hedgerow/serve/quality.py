"""How well a model does while it runs: predictions that were answered before their feedback came, against it.

This is progressive validation: no answer knew the label that it is compared with. All of it follows from the log.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from itertools import groupby
from threading import Lock
from typing import Any

import numpy as np

from hedgerow.models.tallies import ClassTally
from hedgerow.serve.drift import DriftDetection
from hedgerow.serve.records import Record

WINDOW = 500  # judged predictions that count as recent
STEP = 50  # between two points of the learning curve
POINTS = 1000  # of it; older ones are forgotten
MISTAKES = 50  # that are kept to be looked at


class Quality:
    """Counts of all judged predictions, of recent ones, and whether they have become worse."""

    def __init__(self, classes: Sequence[Any]) -> None:
        self._classes = list(classes)
        self._lock = Lock()
        self.forget()

    def forget(self) -> None:
        """Starts over, as when records were erased."""
        with self._lock:
            self._tally = ClassTally(self._classes)
            self._recent: deque[Record] = deque(maxlen=WINDOW)
            self._judged = self._errors = 0
            self._given: Counter[str] = Counter()  # labels of all feedback
            self._drift = DriftDetection()
            self._alarms: deque[int] = deque(maxlen=100)  # positions
            self._curve: deque[tuple[int, float]] = deque(maxlen=POINTS)
            self._mistakes: deque[Record] = deque(maxlen=MISTAKES)

    def learned(self, records: Sequence[Record]) -> None:
        """Some more records, in the order of the log."""
        with self._lock:
            for record in records:
                if not record.erased:
                    self._meet(record)

    def _meet(self, record: Record) -> None:
        self._given.update(map(str, record.label) if isinstance(record.label, list) else [str(record.label)])
        answer = record.answer
        if answer is None or record.fault:
            return
        wrong = answer.label != record.label
        self._judged += 1
        self._errors += wrong
        self._recent.append(record)
        _count(self._tally, [record])
        if wrong:
            self._mistakes.append(record)
        if self._drift.meet(wrong) == "drift":
            self._alarms.append(record.position)
        if self._judged % STEP == 0:
            last = list(self._recent)[-STEP:]
            self._curve.append((self._judged, sum(_is_wrong(one) for one in last) / STEP))

    def figures(self) -> dict[str, Any]:
        """For JSON; what nothing is known of is None."""
        with self._lock:
            recent = ClassTally(self._classes)
            _count(recent, list(self._recent))
            wrong = sum(map(_is_wrong, self._recent))
            return {
                "judged": self._judged,
                "so_far": _figures(self._tally, self._judged, self._errors),
                "recent": _figures(recent, len(self._recent), wrong),
                "drift": {
                    "state": self._drift.state,
                    "alarms": list(self._alarms),
                    "test": "DDM (Gama et al., 2004)",
                },
                "labels": dict(self._given),
            }

    def curve(self) -> list[tuple[int, float]]:
        """Shares of errors among the last judged predictions, by how many there had been."""
        with self._lock:
            return list(self._curve)

    def mistakes(self) -> list[Record]:
        """Recent ones, the newest first."""
        with self._lock:
            return list(self._mistakes)[::-1]


def _is_wrong(record: Record) -> bool:
    return record.answer is not None and record.answer.label != record.label


def _count(tally: ClassTally, records: Sequence[Record]) -> None:
    pairs = [(one.label, one.answer.label) for one in records if one.answer is not None]
    for true, predicted in (pair for pair in pairs if isinstance(pair[0], list)):
        tally.add(None, true, predicted)
    if single := [pair for pair in pairs if not isinstance(pair[0], list)]:
        true, predicted = zip(*single, strict=True)
        tally.add(None, list(true), list(predicted))
    # New classes may have come in between, so that there are probabilities of other labels.
    for names, some in groupby(records, _names_of):
        if names:
            group = list(some)
            rows = [list(one.answer.probabilities.values()) for one in group]  # type: ignore[union-attr]
            tally.reliability.add(list(names), [str(one.label) for one in group], np.array(rows))


def _names_of(record: Record) -> tuple[str, ...]:
    chances = None if record.answer is None else record.answer.probabilities
    return () if chances is None else tuple(chances)


def _figures(tally: ClassTally, n: int, errors: int) -> dict[str, Any]:
    if n == 0:
        return {"predictions": 0, "error": None, "f1": None, "calibration_error": None}
    found = tally.figures()
    calibration = found.get("calibration", {}).get("error")
    return {"predictions": n, "error": errors / n, "f1": found["f1"], "calibration_error": calibration}
