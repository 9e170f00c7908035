"""Kinds of outputs on the command line, one file each: how their examples are read, written and counted."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from hedgerow.cli.tasks.labels import LabelTask
from hedgerow.cli.tasks.task import Task
from hedgerow.registry import ProblemRow, problems

# By the name of the problem: file and class, imported when they are needed, since much comes with them. Problems of
# texts need none.
TASKS = {
    "sequence": ("sequences", "SequenceTask"),
    "taxonomy": ("classes", "TaxonomyTask"),
    "grammar": ("grammars", "GrammarTask"),
    "multiclass": ("classes", "MulticlassTask"),
    "reranking": ("candidates", "RerankingTask"),
    "output-features": ("classes", "OutputFeaturesTask"),
    "string-mapping": ("strings", "StringTask"),
}


def has_files(problem: ProblemRow) -> bool:
    """Whether examples of the problem are read from files."""
    return problem.name in TASKS or problem.cls.texts


def task_for(problem: ProblemRow | None) -> type[Task]:
    """The task of a problem; of none, that of labels."""
    if problem is None:
        return LabelTask
    file, name = TASKS.get(problem.name, ("strings", "PairTask"))
    found: type[Task] = getattr(import_module(f"{__name__}.{file}"), name)
    return found


def task_of(model: Any, notes: dict[str, Any], path: str) -> Task:
    """How to deal with the examples of the model in a file; models that were saved from Python have no notes."""
    problem = getattr(model, "problem_", None)
    if problem is None and hasattr(model, "classes_"):
        return LabelTask.from_model(model, notes, path)
    of_files = [row for row in problems().values() if has_files(row)]
    for row in of_files:
        if type(problem) is row.cls or type(model) is row.online:
            return task_for(row).from_model(model, notes, path)
    if problem is None:
        return LabelTask.from_model(model, notes, path)
    known = ", ".join(row.cls.__name__ for row in of_files)
    raise ValueError(
        f"the model is one of {type(problem).__name__}, whose examples have no files here; these have: {known}"
    )
