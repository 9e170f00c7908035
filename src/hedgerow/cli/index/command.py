"""``hedgerow index``: the functions of code bases, and those most similar to others."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from hedgerow.cli.code_trees import (
    CodeTrees,
    Jobs,
    KernelText,
    Limits,
    MaxBytes,
    MaxNodes,
    MinNodes,
    Paths,
    Quiet,
    kernel_named,
    read_base,
)
from hedgerow.cli.commands import LazyCommand, made
from hedgerow.cli.derived_command import Derived
from hedgerow.cli.options import Output
from hedgerow.cli.progress import spinning
from hedgerow.visible import visible

IndexFile = Annotated[str, typer.Argument(metavar="INDEX", help="A file of hedgerow index build.")]
Kept = Annotated[
    str | None,
    typer.Option("--output", "-o", metavar="OUT", help="File to write. Default: INDEX itself."),
]
Neighbors = Annotated[
    int, typer.Option("--neighbors", "-n", min=1, metavar="N", help="How many functions to find for each.")
]
AsJson = Annotated[
    bool, typer.Option("--json", help="Print one JSON object a line, for each function that was asked for.")
]


def _build(
    trees: CodeTrees,
    paths: Paths,
    output: Output,
    kernel: KernelText = "sst(decay=0.1)",
    min_nodes: MinNodes = 10,
    max_nodes: MaxNodes = 10_000,
    max_bytes: MaxBytes = 10_000_000,
    jobs: Jobs = None,
    quiet: Quiet = False,
    **values: Any,
) -> None:
    """Build an index of the functions of a code base.

    - `hedgerow index build src/ lib/ -o code.index`
    """
    # Imported here: scikit-learn takes a second to load, which help and other commands need not wait for.
    from hedgerow.cli.index.code_index import CodeIndex
    from hedgerow.cli.paths import check_output

    check_output(output, [])
    chosen, options = kernel_named(kernel), trees.given(values)
    base = read_base(paths, options, Limits(min_nodes, max_nodes, max_bytes), jobs=jobs, quiet=quiet)
    if not base.units:
        raise ValueError(f"no function with {min_nodes} nodes or more in {', '.join(paths)}")
    with spinning("Indexing", wanted=not quiet):
        index = CodeIndex.built(chosen, options, base, jobs)
        index.write(output)


def _add(
    index: IndexFile,
    paths: Paths,
    output: Kept = None,
    min_nodes: MinNodes = 10,
    max_nodes: MaxNodes = 10_000,
    max_bytes: MaxBytes = 10_000_000,
    jobs: Jobs = None,
    quiet: Quiet = False,
) -> None:
    """Add the functions of more code to an index.

    They become trees in the way that the index was built with.

    - `hedgerow index add code.index plugins/`
    """
    from hedgerow.cli.index.code_index import CodeIndex

    found = CodeIndex.read(index, jobs)
    limits = Limits(min_nodes, max_nodes, max_bytes)
    found.add(read_base(paths, found.options, limits, jobs=jobs, quiet=quiet))
    found.write(output or index)


def _query(
    index: IndexFile,
    paths: Paths,
    neighbors: Neighbors = 10,
    as_json: AsJson = False,
    min_nodes: MinNodes = 10,
    max_nodes: MaxNodes = 10_000,
    max_bytes: MaxBytes = 10_000_000,
    jobs: Jobs = None,
    quiet: Quiet = False,
) -> None:
    """Find the functions of an index that are most similar to those of some files.

    - `hedgerow index query code.index new.py`
    - `hedgerow index query code.index new/ -n 3 --json`
    """
    from hedgerow.cli.index.code_index import CodeIndex

    found = CodeIndex.read(index, jobs)
    limits = Limits(min_nodes, max_nodes, max_bytes)
    base = read_base(paths, found.options, limits, jobs=jobs, quiet=quiet)
    for unit, similar in found.similar(base, neighbors):
        if as_json:
            rows = [{"similarity": value, **vars(other)} for value, other in similar]
            typer.echo(json.dumps({**vars(unit), "neighbors": rows}))
            continue
        typer.echo(f"{visible(str(unit))}  {visible(unit.name)}")
        for value, other in similar:
            typer.echo(f"  {value:.4f}  {visible(str(other))}  {visible(other.name)}")


def _always(function: Callable[..., None]) -> Callable[[list[str]], Any]:
    return lambda _: function


_COMMANDS: dict[str, tuple[Callable[[list[str]], Any], str]] = {
    "build": (Derived(_build, CodeTrees).for_arguments, "Build an index of the functions of a code base."),
    "query": (
        _always(_query),
        "Find the functions of an index that are most similar to those of some files.",
    ),
    "add": (_always(_add), "Add the functions of more code to an index."),
}


class _IndexGroup(TyperGroup):
    def list_commands(self, ctx: Any) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in _COMMANDS:
            return None
        make, summary = _COMMANDS[cmd_name]
        return LazyCommand(cmd_name, summary, lambda arguments: made(make(arguments), cmd_name))


index = typer.Typer(cls=_IndexGroup, no_args_is_help=True, add_completion=False, rich_markup_mode="markdown")


@index.callback()
def _index() -> None:
    """Build an index of the functions of a code base, add to it, and ask it for the most similar ones.

    - `hedgerow index build src/ -o code.index`
    - `hedgerow index query code.index new.py`
    - `hedgerow index add code.index plugins/`
    """
