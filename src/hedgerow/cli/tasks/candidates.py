"""Lists of candidates, of which the best is chosen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Self

from rich.console import Console

from hedgerow.cli.failures import refused
from hedgerow.cli.tasks.task import Task
from hedgerow.cli.train.choice import Choice, warn_unused
from hedgerow.data import CandidateLists
from hedgerow.feature_extraction import ParseFeatures
from hedgerow.io.readers import Batch, ListReader
from hedgerow.models.schema import schema_of

STREAM_BITS = 20  # features of parses in a stream share 2 to this power columns


class RerankingTask(Task):
    data = ("format", "column", "hash_bits", "stream", "spaces_in_leaves")
    formats = ("svmlight-tk", "nbest")
    extractor = ParseFeatures
    option_names: ClassVar[dict[str, str]] = {"loss": "candidate-loss"}  # learners have a loss of their own
    examples = "lists"

    reader: ListReader
    trees = False  # whether candidates have trees

    @classmethod
    def from_choice(cls, choice: Choice) -> Self:
        return cls(ListReader(choice.schema()), choice)

    def everything(self, paths: Sequence[str]) -> Batch:
        lists = self.reader.everything(paths)
        self._look_at(lists)
        return lists, lists.oracles()

    def pieces(self, paths: Sequence[str]) -> Iterator[Batch]:
        for number, (lists, y) in enumerate(super().pieces(paths)):
            if number == 0:
                self._look_at(lists)
            yield lists, y

    def _look_at(self, lists: CandidateLists) -> None:
        self.trees = lists.trees is not None
        if self.trees and lists.features is not None:
            warn_unused(["vector"], "candidates with trees are compared by these")

    def parameters(self) -> dict[str, Any]:
        choice, bits = self.choice, self.choice.data.hash_bits
        if self.trees and choice.kernel.silent:
            if choice.data.stream and bits is None:
                bits = STREAM_BITS
            shared = {} if bits is None else {"n_features": 2**bits}
            return {"transformer": ParseFeatures(**choice.features, **shared)}
        for option, value in {
            "--hash-bits": bits,
            **{f"--{n}": v for n, v in choice.features.items()},
        }.items():
            if value is not None:
                raise refused(option.replace("_", "-"), "only features of parses take it, without a kernel")
        if choice.kernel.silent:
            return {}
        return {"kernel": choice.kernel.make({"tree": "tree"} if self.trees else {"vector": "vector"})}

    @classmethod
    def from_model(cls, model: Any, notes: dict[str, Any], path: str) -> Self:
        return cls(ListReader(schema_of(model, notes)))

    def told(self, data_format: str | None, spaces_in_leaves: bool) -> None:
        super().told(data_format, spaces_in_leaves)
        schema = self.reader.schema.told(data_format, spaces_in_leaves)
        self.reader = replace(self.reader, schema=schema)

    def notes(self) -> dict[str, Any]:
        return self.reader.schema.notes()

    def outputs(self, X: Any, predicted: Any) -> list[Any]:
        """The places of the chosen ones, from 1, and their trees if they have some."""
        places = [place + 1 for place in predicted.tolist()]
        if X.trees is None:
            return places
        chosen = X.trees[X.begins[:-1] + predicted].to_brackets()
        return [f"{place}\t{tree}" for place, tree in zip(places, chosen, strict=True)]

    def one_text(self, X: Any, example: int, output: Any) -> str:
        tree = "" if X.trees is None else f"\t{X.trees[[X.begins[example] + output]].to_brackets()[0]}"
        return f"{output + 1}{tree}"

    def show(self, figures: dict[str, Any], console: Console) -> None:
        lines = [f"{figures['lists']} lists, accuracy {figures['accuracy']:.4f}"]
        for name, words in (("grade", "mean grade"), ("f1", "F1 of brackets")):
            if f"baseline_{name}" in figures:
                lines.append(
                    f"{words} {figures[name]:.4f}; of first candidates {figures[f'baseline_{name}']:.4f}, of the best "
                    f"ones {figures[f'oracle_{name}']:.4f}"
                )
        console.print("\n".join(lines), highlight=False)
