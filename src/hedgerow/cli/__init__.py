"""The command ``hedgerow``. Every command is one file here, registered in ``app``."""

from __future__ import annotations

import sys

import hedgerow
from hedgerow.cli.later import import_later
from hedgerow.interrupts import how_it_ended, signals_interrupt, was_interrupted


def version_line() -> str:
    """What --version prints."""
    return f"hedgerow {hedgerow.__version__}"


def main() -> None:
    """The entry point."""
    if sys.argv[1:] == ["--version"]:  # which need not wait for the application
        print(version_line())
        return
    with signals_interrupt():
        try:
            from hedgerow.cli.app import app

            import_later("pandas", "scipy.stats")
            app(prog_name="hedgerow")
        except (KeyboardInterrupt, RuntimeError) as error:
            if not was_interrupted(error):  # while the command was still being imported
                raise
            sentence, code = how_it_ended()
            print(f"hedgerow: {sentence}", file=sys.stderr)
            sys.exit(code)
