"""What the log holds: feedback in the order in which it is learned, each with what was predicted before."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Answer:
    """A prediction as it was answered, kept so that feedback may name it."""

    id: str
    example: Any  # as JSON has it
    label: Any
    scores: dict[str, float]
    probabilities: dict[str, float] | None
    position: int  # of the model that answered
    time: float

    def public(self) -> dict[str, Any]:
        """What the client sees."""
        return {
            "id": self.id,
            "label": self.label,
            "scores": self.scores,
            "probabilities": self.probabilities,
        }


@dataclass(frozen=True, slots=True)
class Feedback:
    """What is to be appended to the log."""

    key: str
    example: Any
    label: Any
    weight: float = 1.0
    time: float = 0.0
    who: str = ""
    answer: Answer | None = None  # the prediction that it is about

    @property
    def digest(self) -> str:
        """Tells feedback that is sent again from other feedback with the same key."""
        about = self.example if self.answer is None else self.answer.id
        content = [self.answer is None, about, self.label, self.weight]
        return hashlib.sha256(compact(content).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Record:
    """Feedback at its place in the log; that of an erased record holds nothing else."""

    position: int
    key: str
    example: Any
    label: Any
    weight: float
    time: float
    who: str
    answer: Answer | None
    fault: str = ""  # why the learner refused it
    erased: bool = False

    def public(self) -> dict[str, Any]:
        """For the history."""
        if self.erased:
            return {"position": self.position, "erased": True}
        answer = self.answer
        return {
            "position": self.position,
            "key": self.key,
            "example": self.example,
            "label": self.label,
            "weight": self.weight,
            "time": self.time,
            "who": self.who,
            "predicted": None if answer is None else {**answer.public(), "position": answer.position},
            "fault": self.fault or None,
        }


_encoder = json.JSONEncoder(
    separators=(",", ":"), allow_nan=False
)  # made once: that takes longer than using it


def compact(value: Any) -> str:
    """JSON in one line of ASCII, which every database takes."""
    return _encoder.encode(value)


def erased_key(key: str) -> str:
    """What is left of the key of an erased record: enough to know it when it comes again."""
    return f"erased:{hashlib.sha256(key.encode()).hexdigest()}"


def row_of(position: int, feedback: Feedback) -> tuple[Any, ...]:
    """A record as tables hold it, in the order of `COLUMNS`."""
    answer = feedback.answer
    return (
        position,
        feedback.key,
        feedback.digest,
        compact(feedback.example),
        compact(feedback.label),
        feedback.weight,
        feedback.time,
        feedback.who,
        None if answer is None else answer.id,
        None if answer is None else _answer_text(answer),
    )


COLUMNS = "position, key, digest, example, label, weight, time, who, prediction, answer"
READ = "position, key, example, label, weight, time, who, prediction, answer, fault, erased"


def record_of(row: tuple[Any, ...]) -> Record:
    """The record of a row with the columns `READ`."""
    position, key, example, label, weight, time, who, prediction, answer, fault, erased = row
    if erased:
        return Record(position, key, None, None, 0.0, 0.0, "", None, erased=True)
    given = json.loads(example)
    told = None if answer is None else answer_of(prediction, given, answer)
    return Record(position, key, given, json.loads(label), weight, time, who, told, fault or "")


def answer_row(answer: Answer) -> tuple[Any, ...]:
    """A prediction as tables hold it: id, time, example and the rest."""
    return answer.id, answer.time, compact(answer.example), _answer_text(answer)


def answer_of(id: str, example: Any, text: str) -> Answer:
    label, scores, probabilities, position, time = json.loads(text)
    return Answer(id, example, label, scores, probabilities, position, time)


def _answer_text(answer: Answer) -> str:
    return compact([answer.label, answer.scores, answer.probabilities, answer.position, answer.time])
