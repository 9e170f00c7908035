"""The command `hedgerow` without the second that its imports take, for tests that run it many times.

`serve` starts a process that has all modules of the command line imported, and writes a small program `hedgerow` that
asks it to fork. The fork takes over the arguments, folder, environment and open files of whoever asked, and the signals
that are sent to it, and does what the real command does, as a process of its own.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import pkgutil
import shlex
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

PROGRAM = f"""#!/bin/sh
exec {shlex.quote(sys.executable)} -ISc '
import json, os, signal, socket, sys
server = socket.socket(socket.AF_UNIX)
server.connect(sys.argv[1])
request = json.dumps([["hedgerow", *sys.argv[2:]], os.getcwd(), dict(os.environ)]).encode()
socket.send_fds(server, [len(request).to_bytes(4, "big")], [0, 1, 2])
server.sendall(request)
answers = server.makefile()
process = int(answers.readline())
for one in signal.SIGTERM, signal.SIGINT, signal.SIGHUP:
    signal.signal(one, lambda number, _: os.kill(process, number))
sys.exit(int(answers.read() or 1))
' "$(dirname "$0")/socket" "$@"
"""


@contextlib.contextmanager
def serve(folder: Path) -> Iterator[None]:
    """While this lasts, there is a program `hedgerow` in the folder."""
    program = folder / "hedgerow"
    program.write_text(PROGRAM, encoding="utf-8")
    program.chmod(0o755)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(folder / "socket"))
        server.listen(16)
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.warm_command", str(server.fileno())],
            pass_fds=[server.fileno()],
            cwd=Path(__file__).parents[1],
        )
        try:
            yield
        finally:
            process.terminate()
            process.wait()


def _accept(server: socket.socket) -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # forks that ended leave nothing behind
    while True:
        client, _ = server.accept()
        if os.fork() == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            server.close()
            _answer(client)
        client.close()


def _answer(client: socket.socket) -> None:
    client.sendall(f"{os.getpid()}\n".encode())
    length, files, _, _ = socket.recv_fds(client, 4, 3)
    argv, folder, environment = json.loads(client.makefile("rb").read(int.from_bytes(length, "big")))
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = argv
    code = 1
    try:
        sys.exit(importlib.import_module("hedgerow.cli").main())
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        client.sendall(str(code).encode())
        os._exit(code)


if __name__ == "__main__":
    package = importlib.import_module("hedgerow.cli")
    for module in pkgutil.walk_packages(package.__path__, "hedgerow.cli."):
        importlib.import_module(module.name)
    _accept(socket.socket(fileno=int(sys.argv[1])))
