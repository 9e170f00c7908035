"""``hedgerow clones``: functions of a code base that are alike."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Annotated, Any

import typer

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
from hedgerow.cli.derived_command import Derived
from hedgerow.cli.progress import counting
from hedgerow.data.files import writing
from hedgerow.visible import visible

Similarity = Annotated[
    float,
    typer.Option(min=0.01, max=1.0, metavar="FLOAT", help="How alike two functions must be, from 0 to 1."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]
Page = Annotated[
    str | None,
    typer.Option(
        "--html",
        metavar="FILE",
        help="Also write a page with both sources side by side, shared parts marked.",
    ),
]
CacheFile = Annotated[
    str | None,
    typer.Option(
        "--cache",
        metavar="FILE",
        help="Cache parsed files here, so that the next run is quick. Default: in the user's cache folder.",
    ),
]
NoCache = Annotated[bool, typer.Option("--no-cache", help="Parse everything, without a cache.")]


def _clones(
    trees: CodeTrees,
    paths: Paths,
    similarity: Similarity = 0.9,
    kernel: KernelText = "sst(decay=0.1)",
    as_json: AsJson = False,
    page: Page = None,
    min_nodes: MinNodes = 40,
    max_nodes: MaxNodes = 10_000,
    max_bytes: MaxBytes = 10_000_000,
    cache: CacheFile = None,
    no_cache: NoCache = False,
    jobs: Jobs = None,
    quiet: Quiet = False,
    **values: Any,
) -> None:
    """Find functions of a code base that are alike, in groups.

    Functions are compared by a tree kernel on their syntax trees: all pairs above a similarity are found, exactly, and
    connected ones make a group. Groups come first where most code is repeated. Files are read by the grammars of
    tree-sitter (the extra `code`); what cannot be read is left out and named on standard error. Parsed files are cached
    by content.

    - `hedgerow clones src/`
    - `hedgerow clones src/ tests/ --similarity 0.8 --html clones.html`
    - `hedgerow clones app/ --identifiers kind --literals kind --json`
    """
    # Imported here: scikit-learn takes a second to load, which help and other commands need not wait for.
    from hedgerow.neighbors.clones import find_clones

    chosen = kernel_named(kernel)
    options = trees.given(values)
    kept = None if no_cache else Path(cache) if cache else _cache_of(options)
    limits = Limits(min_nodes, max_nodes, max_bytes)
    base = read_base(paths, options, limits, cache=kept, jobs=jobs, quiet=quiet)
    with counting("Comparing", len(base.units), wanted=not quiet) as advance:
        groups = find_clones(base.trees, chosen, similarity, n_jobs=jobs, progress=advance)
    if page is not None:
        from hedgerow.cli.clones.page import clone_page

        with writing(page) as out:
            out.write(clone_page(base, groups, options, kernel, similarity).encode("utf-8", "replace"))
    if as_json:
        typer.echo(json.dumps(_described(base, groups), ensure_ascii=True))
        return
    for number, group in enumerate(groups, 1):
        typer.echo(
            f"group {number}: {len(group.members)} functions, similarity {group.similarity:.3f} or more"
        )
        for member in group.members:
            typer.echo(f"  {visible(str(base.units[member]))}  {visible(base.units[member].name)}")
    typer.echo(_summary(base, groups))


def _summary(base: Any, groups: list[Any]) -> str:
    alike = sum(len(group.members) for group in groups)
    return (
        f"{len(base.units)} functions in {base.n_files} files ({base.n_parsed} parsed, others from the cache): "
        f"{alike} alike, in {len(groups)} groups"
    )


def _described(base: Any, groups: list[Any]) -> dict[str, Any]:
    return {
        "functions": len(base.units),
        "files": base.n_files,
        "left_out": base.left_out,
        "groups": [
            {
                "similarity": group.similarity,
                "members": [{"number": i, **vars(base.units[i])} for i in group.members],
                "pairs": [list(pair) for pair in group.pairs],
                "copies": [[first, *others] for first, others in group.copies.items()],
            }
            for group in groups
        ],
    }


def _cache_of(options: dict[str, Any]) -> Path:
    """One file for each choice of options and folder to start from."""
    import hashlib

    root = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    name = hashlib.sha256(json.dumps([os.getcwd(), options], sort_keys=True).encode()).hexdigest()[:16]
    return root / "hedgerow" / f"code-{name}.cache"


clones = Derived(_clones, CodeTrees)
