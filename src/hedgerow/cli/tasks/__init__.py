"""Kinds of outputs on the command line, one file each: how their examples are read, written and counted."""

from __future__ import annotations

from typing import Any

from hedgerow.cli.tasks.candidates import RerankingTask
from hedgerow.cli.tasks.classes import MulticlassTask, OutputFeaturesTask, TaxonomyTask
from hedgerow.cli.tasks.grammars import GrammarTask
from hedgerow.cli.tasks.labels import LabelTask
from hedgerow.cli.tasks.sequences import SequenceTask
from hedgerow.cli.tasks.strings import StringTask
from hedgerow.cli.tasks.task import Task
from hedgerow.registry import problems

TASKS: dict[str, type[Task]] = {  # by the name of the problem
    "sequence": SequenceTask,
    "taxonomy": TaxonomyTask,
    "grammar": GrammarTask,
    "multiclass": MulticlassTask,
    "reranking": RerankingTask,
    "output-features": OutputFeaturesTask,
    "string-mapping": StringTask,
}


def task_of(model: Any, notes: dict[str, Any], path: str) -> Task:
    """How to deal with the examples of the model in a file; models that were saved from Python have no notes."""
    problem = getattr(model, "problem_", None)
    if problem is None:
        return LabelTask.from_model(model, notes, path)
    for name, row in problems().items():
        if type(problem) is row.cls:
            return TASKS[name].from_model(model, notes, path)
    known = ", ".join(row.cls.__name__ for row in problems().values())
    raise ValueError(
        f"the model is one of {type(problem).__name__}, whose examples have no files here; these have: {known}"
    )
