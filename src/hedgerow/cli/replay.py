"""``hedgerow replay``: the model of a log at any position, or as if some feedback had never been."""

from __future__ import annotations

from typing import Annotated

import typer

from hedgerow.cli.failures import refused
from hedgerow.cli.options import Output

Data = Annotated[str, typer.Argument(metavar="DATA", help="What `hedgerow serve` was given with --data.")]
To = Annotated[
    int | None,
    typer.Option("--to", metavar="POSITION", min=0, help="The last record to learn. Default: all."),
]
Without = Annotated[
    list[str] | None,
    typer.Option("--without", metavar="KEY...", help="Leave out the feedback with these keys."),
]
Keys = Annotated[list[str] | None, typer.Argument(metavar="KEY", hidden=True)]
Name = Annotated[str | None, typer.Option("--model", metavar="NAME", help="The model, if there are several.")]
Erase = Annotated[
    bool,
    typer.Option(
        "--erase",
        help="Erase what is left out from the log, for good. The service must not be running; while it runs, "
        "POST /undo does the same.",
    ),
]


def replay(
    data: Data,
    output: Output,
    keys: Keys = None,
    to: To = None,
    without: Without = None,
    name: Name = None,
    erase: Erase = False,
) -> None:
    """Learn the feedback in the log of a service again, and write the model.

    The model is the same to the last bit as the one that the service had. The log may be in use.

    Examples:

    - `hedgerow replay spam-data --to 1200 -o before-the-attack.model`
    - `hedgerow replay spam-data --without m17 m18 -o spam.model`
    - `hedgerow replay spam-data --without m17 --erase -o spam.model`
    """
    # Imported here: scikit-learn takes a second to load, which help and other commands need not wait for.
    from hedgerow.serve.opening import names_in, storage_of
    from hedgerow.serve.undo import rebuilt

    if keys and not without:
        raise refused("KEY", f"expected --without before {keys[0]}")
    gone = [*(without or []), *(keys or [])]  # an option takes one value; further ones stand after it
    names = names_in(data) if name is None else [name]
    if len(names) != 1:
        if not names:
            raise ValueError(f"{data} holds no log of hedgerow serve")
        raise refused("--model", f"there are several models: {', '.join(names)}")
    if erase and to is None and not gone:
        raise refused("--erase", "say what to erase with --without, or --to")
    storage = storage_of(data, names[0], read_only=not erase)
    try:
        rebuilt(storage, output, to=to, without=gone, erase=erase)
    finally:
        storage.close()
