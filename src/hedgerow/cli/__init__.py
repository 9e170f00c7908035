"""The command ``hedgerow``. Every command is one file here, registered in ``app``."""

from __future__ import annotations

import sys

from hedgerow.interrupts import how_it_ended, signals_interrupt


def main() -> None:
    """The entry point."""
    with signals_interrupt():
        try:
            from hedgerow.cli.app import app

            app(prog_name="hedgerow")
        except KeyboardInterrupt:  # while the command was still being imported
            sentence, code = how_it_ended()
            print(f"hedgerow: {sentence}", file=sys.stderr)
            sys.exit(code)
