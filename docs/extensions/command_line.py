"""The directive ``command-line``: all commands of ``hedgerow`` as they are, so that the page cannot go stale."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import typer.main
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from hedgerow.cli.app import app as hedgerow
from hedgerow.cli.train.named import variants as train_variants
from hedgerow.cli.tune.candidates import variants as tune_variants

PROGRAM = "hedgerow"
VARIANTS = {"train": train_variants, "tune": tune_variants}  # arguments that add options


class CommandLine(SphinxDirective):
    """A section for each command: its usage, its description, and its options in the groups of ``--help``."""

    def run(self) -> list[nodes.Node]:
        group = typer.main.get_command(hedgerow)
        return self._sections(group, group.context_class(group, info_name=PROGRAM))

    def _sections(self, group: Any, parent: Any) -> list[nodes.Node]:
        return [
            self._section(name, command, parent)
            for name in group.list_commands(parent)
            if (command := group.get_command(parent, name)) is not None
        ]

    def _section(self, name: str, lazy: Any, parent: Any) -> nodes.section:
        command = lazy.load([])
        context = command.context_class(command, info_name=name, parent=parent)
        title = context.command_path
        section = nodes.section(ids=[nodes.make_id(title)], names=[title])
        section += nodes.title(title, title)
        usage = " ".join(command.get_usage(context).removeprefix("Usage:").split())
        section += nodes.literal_block(usage, usage, language="text")
        section += self.parse_text_to_nodes(command.help)  # the help is Markdown, as the page is
        panels = _panels(command, context)
        for arguments in VARIANTS.get(name, list)():
            for heading, records in _panels(lazy.load(arguments), context).items():
                panels.setdefault(heading, records)
        for heading, records in panels.items():
            section += nodes.rubric(heading, heading)
            section += _definitions(records)
        if hasattr(command, "list_commands"):  # a command of several
            section += self._sections(command, context)
        return section


def _panels(command: Any, context: Any) -> dict[str, list[tuple[str, str]]]:
    """Names and descriptions of arguments and options, by the headings that ``--help`` puts over them."""
    panels: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is None:
            continue  # hidden
        names, description = record
        if parameter.param_type_name == "argument":
            names = parameter.metavar or parameter.name.upper()
        panel = getattr(parameter, "rich_help_panel", None)
        panels[panel or f"{parameter.param_type_name.capitalize()}s"].append((names, description))
    return panels


def _definitions(records: list[tuple[str, str]]) -> nodes.definition_list:
    definitions = nodes.definition_list()
    for names, description in records:
        term = nodes.term("", "", nodes.literal(names, names))
        # Spaces stand before the brackets with defaults and bounds.
        text = " ".join(description.split())
        definition = nodes.definition("", nodes.paragraph(text, text))
        definitions += nodes.definition_list_item("", term, definition)
    return definitions


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("command-line", CommandLine)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
