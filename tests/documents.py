"""Pages of Markdown whose code is run as it is printed, from top to bottom, in one folder.

What is run:

- ``python``: all such blocks of a page share their names. A block ``text`` that follows at once is what it prints.
- ``console``: lines ``$ command`` (which a backslash continues) are given to bash; other lines are what the command
  before them prints, errors included. In both, ``...`` stands for anything.
- a ``{code-block}`` with a caption is a file of that name.

Other blocks are looked at, not run: directives (``{code-cell}`` runs when the documentation is built), and ``text``
elsewhere. A kind that is none of these is an error, so that nothing is left out by an oversight. What cannot be run
says so, and why, in a comment before it, ``<!-- not run by the tests: they have no cluster -->``, or to readers too:
``*Run by the tests where this is installed:* `spacy` ``.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

NOT_RUN = "<!-- not run by the tests: "
RUN_WHERE = re.compile(r"\*Run by the tests where this is installed:\* `(\w+)`")
FENCE = re.compile(r"^(`{3,})(.*)$")
LIKE_DOCTESTS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@dataclass
class Block:
    kind: str
    text: str
    line: int  # of the first line of the text, from 1
    before: str  # the paragraph before it
    follows: bool  # a block, with nothing between the two

    @property
    def not_run(self) -> bool:
        needs = RUN_WHERE.match(self.before)
        return NOT_RUN in self.before or (needs is not None and find_spec(needs[1]) is None)


@dataclass
class Command:
    text: str
    printed: str
    line: int


def blocks(page: str) -> Iterator[Block]:
    """All blocks between fences, in order."""
    lines = page.splitlines()
    paragraph: list[str] = []
    follows, at = False, 0
    while at < len(lines):
        fence = FENCE.match(lines[at])
        if fence is None:
            if lines[at].strip():
                paragraph = [*paragraph, lines[at].strip()] if lines[at - 1].strip() else [lines[at].strip()]
                follows = False
            at += 1
            continue
        end = lines.index(fence[1], at + 1)
        text = "".join(f"{line}\n" for line in lines[at + 1 : end])
        yield Block(fence[2].strip(), text, at + 2, " ".join(paragraph), follows)
        paragraph, follows, at = [], True, end + 1


def commands(block: Block) -> Iterator[Command]:
    """The commands of a console block, each with what it prints."""
    lines = block.text.splitlines()
    at = 0
    while at < len(lines):
        line = block.line + at
        if not lines[at].startswith("$ "):
            raise ValueError(f"line {line}: a console begins with '$ command', not with {lines[at]!r}")
        text = lines[at][2:]
        while text.endswith("\\"):
            at += 1
            text += "\n" + lines[at]
        begin = at = at + 1
        while at < len(lines) and not lines[at].startswith("$ "):
            at += 1
        yield Command(text, "".join(f"{shown}\n" for shown in lines[begin:at]), line)


class Run:
    """Runs the blocks of a page in the current folder."""

    def __init__(self, environment: dict[str, str]) -> None:
        self.environment = environment
        self.names: dict[str, object] = {"__name__": "__main__"}  # those of python blocks
        self.path = ""

    def page(self, path: Path) -> None:
        self.path = str(path)
        last_printed: str | None = None  # by a python block, until something else follows
        for block in blocks(path.read_text(encoding="utf-8")):
            printed, last_printed = last_printed, None
            if block.not_run:
                continue
            if block.kind == "python":
                last_printed = self.python(block)
            elif block.kind == "console":
                for command in commands(block):
                    self.command(command)
            elif block.kind == "text":
                if block.follows and printed is not None:
                    self.compare(block.text, printed, block.line)
            elif block.kind.startswith("{code-block}") and block.text.startswith(":caption:"):
                self.file(block)
            elif not block.kind.startswith("{"):
                raise ValueError(f"{self.path}, line {block.line}: blocks {block.kind!r} are not known")

    def python(self, block: Block) -> str:
        """Run the code, and return what it prints."""
        code = compile("\n" * (block.line - 1) + block.text, self.path, "exec")
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(code, self.names)
        return printed.getvalue()

    def command(self, command: Command) -> None:
        done = subprocess.run(
            ["bash", "-o", "pipefail", "-c", command.text],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=self.environment,
        )
        where = f"{self.path}, line {command.line}: {command.text}"
        assert done.returncode == 0, f"{where}\nended with exit code {done.returncode}:\n{done.stdout}"
        if command.printed:
            self.compare(command.printed, done.stdout, command.line)

    def file(self, block: Block) -> None:
        caption, content = block.text.split("\n", 1)
        path = Path(caption.removeprefix(":caption:").strip())
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content.removeprefix("\n"), encoding="utf-8")

    def compare(self, shown: str, printed: str, line: int) -> None:
        if not doctest.OutputChecker().check_output(shown, printed, LIKE_DOCTESTS):
            raise AssertionError(f"{self.path}, line {line} shows\n{shown}\nbut this was printed:\n{printed}")


def environment(*folders: Path) -> dict[str, str]:
    """That of the tests, with commands of these folders before others, one thread and a terminal of fixed width."""
    path = os.pathsep.join([*map(str, folders), os.environ["PATH"]])
    return {**os.environ, "PATH": path, "HEDGEROW_NUM_THREADS": "1", "COLUMNS": "100"}
