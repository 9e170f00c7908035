"""``hedgerow serve``: a model that answers over HTTP and learns from feedback."""

from __future__ import annotations

from typing import Annotated, Any, Self

import typer

from hedgerow.cli.derived import DerivedOption, derived, values_by_panel
from hedgerow.cli.derived_command import Derived, Naming
from hedgerow.parameters import parameters_of
from hedgerow.serve.settings import Limits, Settings

KEEPING, LIMITS = "Keeping", "Limits"
_CALLED = {name: f"max-{name}" for name in parameters_of(Limits)}

Models = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="MODEL",
        help="Model files, or NAME=FILE. Default: the models in --data.",
    ),
]
Data = Annotated[
    str,
    typer.Option(
        "--data",
        metavar="FOLDER|URL",
        help="Where the log of feedback and the models are kept: a folder, or postgresql://USER@HOST/DATABASE, which "
        "several processes may share.",
    ),
]
Host = Annotated[str, typer.Option("--host", help="Address to listen on; 0.0.0.0 for all.")]
Port = Annotated[int, typer.Option("--port", min=0, max=65535, help="Port to listen on; 0 for any free one.")]
Address = Annotated[
    str | None,
    typer.Option(
        "--address",
        metavar="URL",
        help="Where other processes that share the data send feedback while this one writes. Default: host and port.",
    ),
]
TokenFile = Annotated[
    str | None,
    typer.Option(
        "--tokens",
        metavar="FILE",
        help="Lines NAME ROLES TOKEN, with roles of predict, feedback and admin between commas. Default: the "
        "environment variable HEDGEROW_TOKENS, else everyone may do everything.",
    ),
]


class _Settings(Naming):
    """All options follow from the classes of settings."""

    @classmethod
    def among(cls, arguments: list[str]) -> Self:
        return cls()

    def options(self) -> list[DerivedOption]:
        return [
            *derived(parameters_of(Settings), KEEPING),
            *derived(parameters_of(Limits), LIMITS, _CALLED),
        ]

    def why_not(self, option: str) -> str:
        return ""


def _serve(
    named: _Settings,
    models: Models = None,
    data: Data = ...,  # type: ignore[assignment]
    host: Host = "127.0.0.1",
    port: Port = 8000,
    address: Address = None,
    tokens: TokenFile = None,
    **values: Any,
) -> None:
    """Answer over HTTP with models, and let them learn from feedback that is never lost.

    A model starts from its file. What it learns later is kept in --data: the log of all feedback, which is
    authoritative, and snapshots of the model, from which the service continues when it starts again. Needs
    hedgerow[serve].

    Examples:

    - `hedgerow serve spam.model --data spam-data`
    - `curl --json '{"examples": ["Win a prize"]}' localhost:8000/predict`
    - `curl --json '{"feedback": [{"key": "1", "example": "Win a prize", "label": "spam"}]}' localhost:8000/feedback`
    - `hedgerow serve spam.model topics.model --data data --port 8080 --tokens tokens.txt`
    """
    given = values_by_panel(named.options(), values, (KEEPING, LIMITS))
    settings, limits = Settings(**given[KEEPING]), Limits(**given[LIMITS])
    try:
        from hedgerow.serve.run import run
    except ModuleNotFoundError as error:
        raise ImportError(f"hedgerow serve needs {error.name}: pip install 'hedgerow[serve]'") from None
    from hedgerow.serve.tokens import Tokens

    run(
        models or [],
        data,
        host=host,
        port=port,
        address=address,
        tokens=Tokens.found(tokens),
        settings=settings,
        limits=limits,
    )


serve = Derived(_serve, _Settings)
