"""A model and the position of the last record that it knows: it predicts, and learns in the order of the log."""

from __future__ import annotations

from collections.abc import Sequence
from inspect import signature
from itertools import groupby
from math import isfinite
from typing import Any, NamedTuple

from hedgerow.persistence.model_file import ModelFile, model_bytes
from hedgerow.serve.examples import Examples, Refused
from hedgerow.serve.records import Record

EXPLAINED = 10  # contributions for and against
REFUSALS = (ValueError, TypeError, OverflowError)  # by which learners refuse an example


class Prediction(NamedTuple):
    """What the model says of an example."""

    label: Any
    scores: dict[str, float]
    probabilities: dict[str, float] | None


class Learned:
    """The model of a file, and what it learns after that.

    Threads may predict while one learns: an answer and its position belong together.
    """

    def __init__(self, file: ModelFile, facts: dict[str, Any], revision: int, position: int) -> None:
        self.model = file.model
        self.examples = Examples(file.model, facts)
        self.revision = revision
        self.position = position
        self._notes, self._trained_on = file.notes, file.trained_on
        self._lock = file.model._lock

    @property
    def learns(self) -> bool:
        """Whether the model can continue learning."""
        return hasattr(self.model, "partial_fit")

    @property
    def n_seen(self) -> int:
        """How many examples it has learned from, before the log too."""
        return int(getattr(self.model, "n_seen_", self.position))

    @property
    def labels(self) -> list[Any]:
        """All labels that it knows."""
        model: Any = self.model
        known: list[Any] = getattr(model, "problem_", model).classes_.tolist()
        return known

    def content(self) -> tuple[int, bytes]:
        """The position and the model file."""
        with self._lock.reading:
            return self.position, model_bytes(self.model, self._notes, self._trained_on)

    # -- predicting -----------------------------------------------------------------------------------------

    def predict(
        self,
        examples: Sequence[Any],
        fields: Sequence[str],
        explain: bool = False,
        most_nodes: int | None = None,
    ) -> tuple[int, list[Prediction], list[dict[str, Any]]]:
        """The position of the model that answers, its answers and, if wanted, why.

        Refused names the field that is wrong.
        """
        checked = [self.examples.check(*pair) for pair in zip(examples, fields, strict=True)]
        if most_nodes is not None:
            for one, field in zip(checked, fields, strict=True):
                self.examples.check_size(one, field, most_nodes)
        runs = self.examples.runs(checked, fields)
        try:
            with self._lock.reading:
                found = [prediction for X in runs for prediction in self._predicted(X)]
                why = (
                    [self._explained(*pair) for pair in zip(checked, fields, strict=True)] if explain else []
                )
                return self.position, found, why
        except (
            REFUSALS
        ) as error:  # what only the model knows, such as that comparing trees would take too long
            raise Refused(fields[0], str(error)) from error

    def _predicted(self, X: Any) -> list[Prediction]:
        if self.examples.sequences:
            return [Prediction(list(labels), {}, None) for labels in self.model.predict(X)]
        if hasattr(self.model, "_predicted"):
            labels, scores = self.model._predicted(X)
        else:  # of a structured problem
            labels, scores = self.model.predict(X), self.model.decision_function(X)
        names = list(map(str, self.model.classes_.tolist()))
        chances = self._chances(scores)
        rows = scores.tolist()
        rows = [[-score, score] for score in rows] if scores.ndim == 1 else rows
        if not all(isfinite(score) for row in rows for score in row):
            raise ValueError("its numbers are too large")
        return [
            Prediction(
                label,
                dict(zip(names, row, strict=True)),
                None if chances is None else dict(zip(names, chances[i].tolist(), strict=True)),
            )
            for i, (label, row) in enumerate(zip(labels.tolist(), rows, strict=True))
        ]

    def _chances(self, scores: Any) -> Any:
        """Probabilities, if the model has them by now."""
        if not hasattr(self.model, "predict_proba"):
            return None
        if self.model.probability is not None and not hasattr(self.model, "_held_out"):
            return None
        return self.model._probabilities(scores)

    def _explained(self, checked: Any, field: str) -> dict[str, Any]:
        from hedgerow.inspection import explain  # which few need

        (X,) = self.examples.runs([checked], [field])
        try:
            (found,) = explain(self.model, X, EXPLAINED)
        except REFUSALS as error:
            return {"error": str(error)}
        told: dict[str, Any] = found.to_dict()
        return told

    # -- learning -------------------------------------------------------------------------------------------

    def check_weight(self, weight: float, field: str) -> None:
        if weight != 1.0 and not self._weighs:
            raise Refused(field, "the learner takes no weights of examples")

    @property
    def _weighs(self) -> bool:
        return "sample_weight" in signature(self.model.partial_fit).parameters

    def learn(self, records: Sequence[Record]) -> dict[int, str]:
        """Records in the order of the log, as if each came alone; what the learner refused, by position."""
        faults: dict[int, str] = {}
        with self._lock.writing:
            lessons = [lesson for record in records if (lesson := self._lesson(record, faults)) is not None]
            for _, run in groupby(lessons, key=lambda lesson: lesson.kind):
                self._learn_run(list(run), faults)
            self.position = records[-1].position
        return faults

    def _lesson(self, record: Record, faults: dict[int, str]) -> _Lesson | None:
        if record.erased:
            return None
        try:
            checked = self.examples.check(record.example, "example")
            label = self.examples.label(self.model, record.label, checked, "label")
        except Refused as error:  # it was checked before it came into the log, by whatever version that was
            faults[record.position] = str(error)
            return None
        kind = self.examples.kind(checked), record.weight == 1.0
        return _Lesson(record.position, checked, label, record.weight, kind)

    def _learn_run(self, run: list[_Lesson], faults: dict[int, str]) -> None:
        """Learning from many at once equals learning from one after the other, and is quicker."""
        before = self.model.n_seen_
        try:
            (X,) = self.examples.runs([lesson.example for lesson in run], ["example"] * len(run))
            y = [lesson.label for lesson in run]
            if run[0].weight == 1.0:
                self.model.partial_fit(X, y)
            else:
                self.model.partial_fit(X, y, sample_weight=[lesson.weight for lesson in run])
        except REFUSALS as error:
            if len(run) == 1:
                faults[run[0].position] = str(error)
                return
            # Those before the one that it refused have been learned from.
            for lesson in run[self.model.n_seen_ - before :]:
                self._learn_run([lesson], faults)


class _Lesson(NamedTuple):
    position: int
    example: Any
    label: Any
    weight: float
    kind: Any
