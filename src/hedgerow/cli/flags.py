"""Command lines in SVM-light's style: a letter and its value, attached or not, and names of files."""

from __future__ import annotations

import typer

SPACES_IN_LEAVES = "--spaces-in-leaves"


def parse_flags(
    arguments: list[str], known: str, refused: dict[str, str], switches: tuple[str, ...] = ()
) -> tuple[dict[str, str], list[str]]:
    """Values by letter, and the other arguments.

    Parameters
    ----------
    arguments : what stands behind the command
    known : the letters that are understood
    refused : reasons, by letter, why others are not
    switches : long options without a value, found under their names
    """
    flags: dict[str, str] = {}
    files: list[str] = []
    rest = iter(arguments)
    for argument in rest:
        if argument in switches:
            flags[argument] = ""
        elif argument == "-" or not argument.startswith("-"):
            files.append(argument)
        elif argument.startswith("--"):
            raise typer.BadParameter(f"no such option: {argument}")
        else:
            letter = argument[1]
            if letter in refused:
                raise typer.BadParameter(f"-{letter}: {refused[letter]}")
            if letter not in known:
                raise typer.BadParameter(f"no such option: -{letter}")
            value = argument[2:] or next(rest, None)
            if value is None:
                raise typer.BadParameter(f"-{letter} needs a value")
            if letter in flags and flags[letter] != value:
                raise typer.BadParameter(f"-{letter} is given twice, as {flags[letter]} and {value}")
            flags[letter] = value
    return flags, files


def number(flags: dict[str, str], letter: str, default: float) -> float:
    """The number given with the letter."""
    if letter not in flags:
        return default
    try:
        return float(flags[letter])
    except ValueError:
        raise typer.BadParameter(f"-{letter} must be a number, got {flags[letter]!r}") from None


def whole(flags: dict[str, str], letter: str, default: int) -> int:
    """The whole number given with the letter."""
    if letter not in flags:
        return default
    try:
        return int(flags[letter])
    except ValueError:
        raise typer.BadParameter(f"-{letter} must be a whole number, got {flags[letter]!r}") from None
