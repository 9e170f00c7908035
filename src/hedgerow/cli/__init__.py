"""The command ``hedgerow``. Every command is one file here, registered in ``app``."""

from __future__ import annotations


def main() -> None:
    """The entry point."""
    from hedgerow.cli.app import app

    app(prog_name="hedgerow")
