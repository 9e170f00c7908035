"""Commands as processes of their own that get signals; they start quickly, since they are forks of one process."""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PATIENCE = 120  # seconds after which a command hangs


@dataclass
class Command:
    """A running `hedgerow`; `status` waits for its end, negative when a signal ended it."""

    pid: int
    errors: Path
    _answers: Any

    def send(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError):  # it has ended
            os.kill(self.pid, number)

    def status(self) -> int:
        pid, status = map(int, self._answers.readline().split())
        assert pid == self.pid
        return status

    def said(self) -> str:
        return self.errors.read_text()


class Commands:
    """Starts one command after the other."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def start(self, folder: Path, *arguments: object) -> Command:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        errors = folder / "stderr"
        request = {"folder": str(folder), "arguments": list(map(str, arguments)), "errors": str(errors)}
        print(json.dumps(request), file=self._process.stdin, flush=True)
        return Command(int(self._process.stdout.readline()), errors, self._process.stdout)

    def run(self, folder: Path, *arguments: object) -> int:
        return self.start(folder, *arguments).status()


@contextlib.contextmanager
def commands() -> Iterator[Commands]:
    with subprocess.Popen(
        [sys.executable, "-m", "tests.hostile.commands"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "HEDGEROW_NUM_THREADS": "1"},
        cwd=Path(__file__).parents[2],
    ) as process:
        yield Commands(process)
        process.stdin.close()  # type: ignore[union-attr]


def _serve() -> None:
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    for line in sys.stdin:
        request = json.loads(line)
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
        pid = os.fork()
        if pid == 0:
            _command(**request)
        signal.pthread_sigmask(signal.SIG_SETMASK, set())
        print(pid, file=answers, flush=True)
        print(pid, os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), file=answers, flush=True)


def _command(folder: str, arguments: list[str], errors: str) -> None:
    code: Any = 1
    try:
        os.chdir(folder)
        os.dup2(os.open(errors, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
        signal.alarm(PATIENCE)
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # as before and after Python
        sys.argv = ["hedgerow", *arguments]
        module = importlib.import_module("hedgerow.cli.app")
        app = module.app

        def open_to_signals(**named: str) -> None:
            signal.pthread_sigmask(signal.SIG_SETMASK, set())
            app(**named)

        module.app = open_to_signals  # type: ignore[assignment]
        importlib.import_module("hedgerow.cli").main()
    except SystemExit as end:
        code = end.code
    except BaseException as error:
        print(f"escaped: {error!r}", file=sys.stderr)
        code = 99
    finally:
        sys.stderr.flush()
        os._exit(code or 0)


if __name__ == "__main__":
    for module in (
        "cli.app",
        "cli.train.run",
        "cli.tune.run",
        "cli.convert.command",
        "svmlight_tk.commands.svm_learning",
    ):
        importlib.import_module(f"hedgerow.{module}")
    _serve()
