"""Strings with strings for outputs."""

from __future__ import annotations

from typing import Any, Self

from rich.console import Console

from hedgerow.cli.tasks.task import Task
from hedgerow.cli.train.choice import Choice
from hedgerow.io.readers import PairReader


class PairTask(Task):
    """Any problem of texts."""

    data = ("tokens",)
    examples = "pairs"
    formats = ()
    form = "pairs of strings"

    reader: PairReader

    @classmethod
    def from_choice(cls, choice: Choice) -> Self:
        return cls(PairReader(choice.data.tokens), choice)

    @classmethod
    def from_model(cls, model: Any, notes: dict[str, Any], path: str) -> Self:
        return cls(PairReader(notes.get("tokens", False)))

    def notes(self) -> dict[str, Any]:
        return {"tokens": self.reader.tokens}

    def outputs(self, X: Any, predicted: Any) -> list[Any]:
        return [self.one_text(X, example, output) for example, output in enumerate(predicted)]

    def one_text(self, X: Any, example: int, output: Any) -> str:
        return (" ".join if self.reader.tokens else "".join)(output)

    def show(self, figures: dict[str, Any], console: Console) -> None:
        console.print(f"{figures['examples']} pairs, accuracy {figures['accuracy']:.4f}", highlight=False)


class StringTask(PairTask):
    """Strings that are mapped to strings by kernels on both."""

    def parameters(self) -> dict[str, Any]:
        if self.choice.kernel.silent:
            return {}
        kernel = self.choice.kernel.make({"text": "text"})
        return {"input_kernel": kernel, "output_kernel": kernel}

    @classmethod
    def from_model(cls, model: Any, notes: dict[str, Any], path: str) -> Self:
        known = {"tokens": not all(isinstance(output, str) for output in model.problem_.outputs_[:1])}
        return super().from_model(model, {**known, **notes}, path)
