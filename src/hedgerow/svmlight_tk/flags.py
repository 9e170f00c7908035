"""Command lines in SVM-light's style: a letter and its value, attached or not, and names of files."""

from __future__ import annotations

from collections.abc import Collection, Mapping

SPACES_IN_LEAVES = "--spaces-in-leaves"
SHUFFLE = "--shuffle"


class FlagError(ValueError):
    """A command line that cannot be meant."""


def parse_flags(
    arguments: list[str], known: Collection[str], refused: Mapping[str, str]
) -> tuple[dict[str, str], list[str]]:
    """Values by letter, and the other arguments.

    Parameters
    ----------
    arguments : what stands behind the command
    known : the letters that are understood, beside ``--spaces-in-leaves`` and ``--shuffle``, which are found by name
    refused : reasons, by letter, why others are not
    """
    flags: dict[str, str] = {}
    files: list[str] = []
    rest = iter(arguments)
    for argument in rest:
        if argument in (SPACES_IN_LEAVES, SHUFFLE):
            flags[argument] = ""
        elif argument == "-" or not argument.startswith("-"):
            files.append(argument)
        elif argument.startswith("--"):
            raise FlagError(f"no such option: {argument}")
        else:
            letter = argument[1]
            if letter in refused:
                raise FlagError(f"-{letter}: {refused[letter]}")
            if letter not in known:
                raise FlagError(f"no such option: -{letter}")
            value = argument[2:] or next(rest, None)
            if value is None:
                raise FlagError(f"-{letter} needs a value")
            if letter in flags and flags[letter] != value:
                raise FlagError(f"-{letter} is given twice, as {flags[letter]} and {value}")
            flags[letter] = value
    return flags, files
