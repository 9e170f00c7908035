"""All kinds of structured problems that the command line knows."""

from __future__ import annotations

from typing import Any

from hedgerow.cli.structured.candidate_lists import RerankingTask
from hedgerow.cli.structured.class_labels import MulticlassTask, TaxonomyTask
from hedgerow.cli.structured.grammars import GrammarTask
from hedgerow.cli.structured.sequences import SequenceTask
from hedgerow.cli.structured.task import Task
from hedgerow.structured.learner import StructuredLearner

TASKS: dict[str, type[Task]] = {
    task.name: task for task in (SequenceTask, TaxonomyTask, GrammarTask, MulticlassTask, RerankingTask)
}


def task_of(model: StructuredLearner, notes: dict[str, Any]) -> Task:
    """How to deal with the examples of a model.

    Models that were saved from Python have no notes.
    """
    for task in TASKS.values():
        if type(model.problem_) is task.problem:
            return task.from_model(model, notes)
    known = ", ".join(task.problem.__name__ for task in TASKS.values())
    raise ValueError(
        f"the model is one of {type(model.problem_).__name__}, whose examples have no files here; these have: {known}"
    )
