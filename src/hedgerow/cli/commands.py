"""Commands that are imported when they are called: those of hedgerow, then those of other packages.

Other packages declare theirs as entry points of the group ``hedgerow.commands``.
"""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from functools import partial
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any

import typer
from typer.core import TyperCommand

from hedgerow.cli.failures import CleanGroup

GROUP = "hedgerow.commands"
# Their flags are their own, -h among them.
_SVM_LIGHT = {"ignore_unknown_options": True, "help_option_names": ["--help", "-?"]}
# Where each is, and the first line of its help.
COMMANDS = {
    "train": ("cli.train.command:train", "Learn a model from files of labelled examples."),
    "predict": (
        "cli.predict:predict",
        "Predict the labels of examples, one per line, in the order of the examples.",
    ),
    "evaluate": ("cli.evaluate:evaluate", "Compare a model's predictions with the labels of examples."),
    "explain": (
        "cli.explain.command:explain",
        "Show what a model has learned or, with DATA, why it predicts what it predicts.",
    ),
    "tune": (
        "cli.tune.command:tune",
        "Choose kernel, C and other parameters quickly, of a support vector machine unless a learner is named.",
    ),
    "convert": ("cli.convert.command:convert", "Convert files of examples from one format to another."),
    "prune": (
        "cli.prune:prune",
        "Keep the features of a model with the largest weights, and a few with the smallest.",
    ),
    "clones": ("cli.clones.command:clones", "Find functions of a code base that are alike, in groups."),
    "index": (
        "cli.index.command:index",
        "Build an index of the functions of a code base, add to it, and ask it for the most similar ones.",
    ),
    "report": ("cli.report:report", "Write one HTML page about trained models and how well they do."),
    "serve": (
        "cli.serve:serve",
        "Answer over HTTP with models, and let them learn from feedback that is never lost.",
    ),
    "replay": (
        "cli.replay:replay",
        "Learn the feedback in the log of a service again, and write the model.",
    ),
    "list": ("cli.listing:show", "List what there is, one per line: learners, kernels, problems or formats."),
    "svm_learn": (
        "svmlight_tk.commands.svm_learn:svm_learn",
        "Learn with the flags of SVM-light-TK, and write one of its model files.",
    ),
    "svm_classify": (
        "svmlight_tk.commands.svm_classify:svm_classify",
        "Classify examples with a model file of SVM-light-TK, or of `hedgerow svm_learn`.",
    ),
}


class LazyCommand(TyperCommand):
    """Stands for a command until it is called, and knows only its name and what it is for."""

    def __init__(self, name: str, summary: str, load: Callable[[list[str]], Any]) -> None:
        super().__init__(name, help=summary)
        self.load = load  # given the arguments, on which the options of some commands depend

    def make_context(self, info_name: Any, args: list[str], parent: Any = None, **extra: Any) -> Any:
        try:
            return self.load(args).make_context(info_name, args, parent=parent, **extra)
        except typer.BadParameter as error:
            if error.ctx is None:
                error.ctx = self.context_class(self, info_name=info_name, parent=parent)
            raise


class LazyGroup(CleanGroup):
    """All commands."""

    def list_commands(self, ctx: Any) -> list[str]:
        return [*COMMANDS, *sorted(_points().keys() - COMMANDS.keys())]

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if self.get_command(ctx, args[0]) is None and (
            close := get_close_matches(args[0], self.list_commands(ctx), n=1)
        ):
            ctx.fail(f"No such command '{args[0]}'; did you mean {close[0]}?")
        return super().resolve_command(ctx, args)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name in COMMANDS:
            return LazyCommand(cmd_name, COMMANDS[cmd_name][1], partial(_load, cmd_name))
        point = _points().get(cmd_name)
        if point is None:
            return None
        summaries = point.dist.metadata.get_all("Summary") if point.dist is not None else None
        summary = str(summaries[0]) if summaries else point.value
        return LazyCommand(cmd_name, summary, lambda _: _load_point(point))


def _load(name: str, arguments: list[str]) -> Any:
    module, attribute = COMMANDS[name][0].split(":")
    found = getattr(import_module(f"hedgerow.{module}"), attribute)
    if isinstance(found, typer.Typer):  # of several commands
        return typer.main.get_command(found)
    function = found.for_arguments(arguments) if hasattr(found, "for_arguments") else found
    settings = {"context_settings": _SVM_LIGHT} if name.startswith("svm_") else {}
    return made(function, name, **settings)


def _points() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP)}


def _load_point(point: EntryPoint) -> Any:
    try:
        return made(point.load(), point.name)
    except Exception as error:  # whatever is wrong with it must not break the other commands
        package = point.dist.name if point.dist is not None else point.value
        return _refusal(point.name, f"{package} cannot be loaded: {type(error).__name__}: {error}")


def _refusal(name: str, sentence: str) -> Any:
    """A command that only says why it cannot run."""

    def refuse(_: typer.Context) -> None:
        raise ImportError(sentence)

    anything = {"ignore_unknown_options": True, "allow_extra_args": True}
    return made(refuse, name, help=sentence, context_settings=anything)


def made(function: Any, name: str, **settings: Any) -> Any:
    """The command that the annotated function describes."""
    app = typer.Typer(rich_markup_mode="markdown", add_completion=False)
    app.command(name, **settings)(function)
    return typer.main.get_command(app)
