"""A server of PostgreSQL in a temporary folder, for tests: started, killed and started again."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path


def find(program: str) -> str | None:
    """Debian keeps programs of the server off the path."""
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{program}"))
    return shutil.which(program) or (str(found[-1]) if found else None)


def why_not() -> str:
    """Why there can be no server; empty if there can."""
    if find("initdb") is None or find("postgres") is None:
        return "no PostgreSQL to run (apt-get install postgresql)"
    if os.getuid() == 0 and (shutil.which("runuser") is None or _user() is None):
        return "PostgreSQL does not run as root, and there is no user postgres"
    return ""


def _user() -> str | None:
    import pwd

    try:
        return pwd.getpwnam("postgres").pw_name
    except KeyError:
        return None


class Postgres:
    """A server that listens in its folder alone."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="hedgerow-pg-"))
        self._as = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        if self._as:
            shutil.chown(self.folder, "postgres")
        self._data = self.folder / "data"
        initdb = [find("initdb"), "-D", self._data, "-U", "postgres", "-A", "trust", "--no-sync"]
        subprocess.run([*self._as, *map(str, initdb)], check=True, capture_output=True, cwd=self.folder)
        self.url = f"postgresql://postgres@/postgres?host={self.folder}"
        self.start()

    def start(self) -> None:
        settings = [f"unix_socket_directories={self.folder}", "listen_addresses=", "max_connections=200"]
        command = [
            find("postgres"),
            "-D",
            str(self._data),
            *(part for one in settings for part in ("-c", one)),
        ]
        import psycopg

        self._launch(command)

        end = time.monotonic() + 120
        while True:
            try:
                psycopg.connect(self.url, connect_timeout=5).close()
                return
            except psycopg.OperationalError:
                assert time.monotonic() < end, (self.folder / "server.log").read_text()
                time.sleep(0.05)
            if self._process.poll() is not None:  # processes of the killed one had not noticed yet
                self._launch(command)

    def _launch(self, command: list[str]) -> None:
        with open(self.folder / "server.log", "ab") as log:
            self._process = subprocess.Popen([*self._as, *command], stdout=log, stderr=log, cwd=self.folder)

    def _number(self) -> int:
        return int((self._data / "postmaster.pid").read_text().split()[0])

    def kill(self) -> None:
        """At once, as when the machine goes; its other processes end when they notice."""
        os.kill(self._number(), signal.SIGKILL)
        self._process.wait(60)
        time.sleep(0.2)

    def close(self) -> None:
        os.kill(self._number(), signal.SIGQUIT)
        self._process.wait(60)
        shutil.rmtree(self.folder, ignore_errors=True)
