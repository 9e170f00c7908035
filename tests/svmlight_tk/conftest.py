"""Commands, and data for them, as in the tests of the command line."""

from tests.cli.conftest import folder, hedgerow_command, points, questions

__all__ = ["folder", "hedgerow_command", "points", "questions"]
