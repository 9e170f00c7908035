"""Loads forged model files and uses what was loaded, in child processes with limits on memory and time.

::

    python -m tests.hostile.fuzz_models --seconds 60          # every kind of model in turn
    python -m tests.hostile.fuzz_models --seed 3 --kind weights/arow --cases 1000
    python -m tests.hostile.fuzz_models --seed 3 --kind weights/arow-vote --case 17 --keep bad.model   # one again

A case is all right if `hedgerow.load` raises FormatError, or if every use of the loaded model gives a result or a
clear sentence: a ValueError, or an OverflowError that says that scores are too large. Crashes, other errors, use of
much memory and use of much time are failures; each is printed with what makes it again.
"""

from __future__ import annotations

import argparse
import faulthandler
import os
import resource
import signal
import sys
import tempfile
import time
import traceback
import warnings
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import chdir
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path

import numpy as np

import hedgerow
from tests.hostile.forgeable import Forgeable, natural_failures, outcome
from tests.hostile.forged_kinds import forgeables, in_folder
from tests.hostile.forging import forged

MEMORY = 1 << 30  # beyond what the interpreter has: files are a few kilobytes
SECONDS = 20  # of one case, of processor time: on a busy machine everything takes long
PATIENCE = 30  # times that, for a case that waits for something
CASES_OF_A_WORKER = 2000
REPORT_EVERY = 20_000
IN_MEMORY = Path("/dev/shm")  # where there is one: otherwise most of the time goes into writing files


def content_of(forgeable: Forgeable, name: str, seed: int, case: int) -> bytes:
    return forged(forgeable.content, np.random.default_rng([seed, case, zlib.crc32(name.encode())]))


@dataclass
class Findings:
    seed: int
    counts: Counter[str] = field(default_factory=Counter)
    failures: list[tuple[str, int, str]] = field(default_factory=list)  # kind, case and what was wrong

    def add(self, name: str, case: int, result: str) -> None:
        if result in ("loaded", "refused"):
            self.counts[result] += 1
        else:
            self.counts["failed"] += 1
            self.failures.append((name, case, result))
            print(f"--seed {self.seed} --kind {name} --case {case}: {result}", flush=True)
        if self.counts.total() % REPORT_EVERY == 0:
            print(f"seed {self.seed}: {dict(self.counts)}", flush=True)


def cases(names: list[str], first: int, n: int | None) -> Iterator[tuple[str, int]]:
    case = first
    while n is None or case < first + n:
        yield names[case % len(names)], case
        case += 1


def fuzz(
    names: list[str], seed: int, *, first: int = 0, n: int | None = None, seconds: float = 1e9
) -> Findings:
    """The cases from the first on, until there were n or the seconds are over."""
    findings = Findings(seed)
    end = time.monotonic() + seconds
    with tempfile.TemporaryDirectory(dir=IN_MEMORY if IN_MEMORY.is_dir() else None) as folder, chdir(folder):
        in_folder(Path())
        natural = {name: natural_failures(forgeables()[name], Path("true.model")) for name in names}
        todo = cases(names, first, n)
        some: list[tuple[str, int]] = []
        while time.monotonic() < end and (some := some or list(islice(todo, CASES_OF_A_WORKER))):
            some = _work(some, seed, natural, end, findings)
    return findings


def _work(
    some: list[tuple[str, int]], seed: int, natural: dict[str, frozenset[str]], end: float, findings: Findings
) -> list[tuple[str, int]]:
    """Lets a child go through the cases until one of them kills it. Returns those that are left."""
    answers, to_parent = Pipe(duplex=False)
    pid = os.fork()
    if pid == 0:
        try:
            _serve(some, to_parent, seed, natural)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    to_parent.close()
    done = 0
    try:
        while done < len(some) and time.monotonic() < end:
            in_time = _is_answered(answers, pid)
            findings.add(*some[done], answers.recv() if in_time else f"took more than {SECONDS} seconds")
            done += 1
            if not in_time:
                break
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    except EOFError:
        _, status = os.waitpid(pid, 0)
        by = signal.Signals(os.WTERMSIG(status)).name if os.WIFSIGNALED(status) else status
        findings.add(*some[done], f"died: {by}")
        done += 1
    answers.close()
    return some[done:]


def _is_answered(answers: Connection, pid: int) -> bool:
    """Whether there is an answer in time."""
    begin = _processor_seconds(pid)
    for _ in range(PATIENCE):
        if answers.poll(SECONDS):
            return True
        if _processor_seconds(pid) - begin > SECONDS:
            break
    return False


def _processor_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _serve(
    some: list[tuple[str, int]], answers: Connection, seed: int, natural: dict[str, frozenset[str]]
) -> None:
    # The address sanitizer reserves terabytes, and has a limit of its own (see the Makefile).
    if "libasan" not in Path("/proc/self/maps").read_text():
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        limit = pages * resource.getpagesize() + MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    faulthandler.enable()
    warnings.simplefilter("ignore")
    path = Path(f"{os.getpid()}.model")
    for name, case in some:
        forgeable = forgeables()[name]
        content = content_of(forgeable, name, seed, case)
        answers.send(outcome(forgeable, content, path, natural[name]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--kind", default="", help="part of the names of kinds")
    parser.add_argument("--cases", type=int, help="how many, instead of seconds")
    parser.add_argument("--first", type=int, default=0, help="with --cases: the number of the first")
    parser.add_argument("--case", type=int, help="this one only")
    parser.add_argument("--keep", type=Path, help="with --case: write the forged file here")
    options = parser.parse_args()
    hedgerow.set_n_jobs(1)
    names = [name for name in forgeables() if options.kind in name]
    if options.case is not None:
        content = content_of(forgeables()[names[0]], names[0], options.seed, options.case)
        if options.keep:
            options.keep.write_bytes(content)
        findings = fuzz(names[:1], options.seed, first=options.case, n=1)
    elif options.cases is not None:
        findings = fuzz(names, options.seed, first=options.first, n=options.cases)
    else:
        findings = fuzz(names, options.seed, seconds=options.seconds)
    print(f"seed {options.seed}, {len(names)} kinds: {dict(findings.counts)}")
    sys.exit(bool(findings.failures))


if __name__ == "__main__":
    main()
