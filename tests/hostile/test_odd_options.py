"""Odd values of every option of ``hedgerow train``: a model, or one sentence that names the option."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from hedgerow import registry
from hedgerow.cli.app import app
from hedgerow.cli.derived import derived
from hedgerow.cli.train.named import Named
from tests.cli.test_derived_options import FILES, FLAT, STRUCTURED, write_files
from tests.hostile.children import each_in_a_child, printed, some_of

NUMBERS = ("0", "1", "2", "-1", "0.5", "1e-20", "1e20", "1e300", "-1e300", "5e-324", "inf", "-inf", "nan")
WHOLE = ("1000000", str(2**31), str(2**63), "9" * 400)
TEXTS = ("", " ", "none", "nonsense", ",", "a,a", "a=1,b", "=", "\N{DECIDUOUS TREE}", "\x1b[2J", "x" * 10_000)
NEEDED = {"taxonomy": ["--taxonomy", "taxonomy.tsv"], "output-features": ["--class-features", "classes.tsv"]}
LONG = {"epochs", "max-iter", "features"}  # numbers that take as long, or as much memory, as they say
HARD = {"C", "cost_factor"}  # costs that take long to learn with
# What the sentence may name instead: the parameter of --seed, labels that --classes lacks, numbers too large to learn.
INSTEAD = ("random_state", "is none of", "cannot be learned from")


@dataclass(frozen=True)
class Case:
    """An option with an odd value, after what else the command needs."""

    command: tuple[str, ...]
    option: str
    value: str

    def __str__(self) -> str:
        return f"{shlex.join(self.command)} {self.option} {self.value[:60]!r}"


def cases(wanted: str) -> Iterator[Case]:
    for kind, command, options in commands():
        if kind != wanted:
            continue
        for option in options:
            if bool in option.parameter.types:
                continue
            for value in (*NUMBERS, *WHOLE, *TEXTS):
                if not _takes_long(option.name.lstrip("-"), value):
                    yield Case(command, option.name, value)


def commands() -> Iterator[tuple[str, tuple[str, ...], Any]]:
    for name in FLAT:
        named = ["--learner", name]
        yield "learner", ("vectors", *named), Named.among(named).options()
    for name, row in registry.kernels().items():
        options = derived(row.parameters, f"Kernel {name}")
        needed = ["--alphabet", "abcdefghijklmnopqrstuvwxyz "] if name == "mismatch" else []
        options = [option for option in options if option.name not in needed]
        yield "kernel", (FILES[row.data_kind], "--kernel", name, *needed), options
    for problem, learner in STRUCTURED:
        named = ["--problem", problem, "--learner", learner]
        needed = NEEDED.get(problem, [])
        options = [option for option in Named.among(named).options() if option.name not in needed]
        yield "problem", (FILES.get(problem, "pairs"), *named, *needed), options


def _takes_long(name: str, value: str) -> bool:
    try:
        number = float(value)
    except ValueError:
        return False
    hard = (name in HARD and 1e5 < number <= 1e20) or (name == "tol" and 0 < number < 1e-10)
    return hard or (name in LONG and number > 1000)


def outcome_of(case: Case) -> str:
    """It is "model", "refused", or what is wrong."""
    trace = ["--trace", "a.csv"] if case.option == "--trace-every" else []
    with printed() as output:
        given = [case.option, case.value] if len(case.option) == 2 else [f"{case.option}={case.value}"]
        result = CliRunner().invoke(app, ["train", *case.command, *trace, "-o", "a.model", "--quiet", *given])
    if output:
        return f"printed: {output[0]}"
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        return f"raised: {result.exception!r}"
    lines = [line for line in result.stderr.splitlines() if not line.startswith("hedgerow: warning: ")]
    if result.exit_code == 0:
        return f"warned: {lines[0]}" if lines else "model"
    if result.exit_code not in (1, 2) or len(lines) != 1 or "\x1b" in result.stderr:
        return f"unclear: {result.exit_code}, {result.stderr!r}"
    name = case.option.lstrip("-")
    words = (name, name.replace("-", "_"), case.value.strip() or name, *INSTEAD)
    named = any(word in lines[0] for word in words)
    return "refused" if named else f"unclear: {lines[0]}"


def faults(some: list[Case], folder: Path) -> list[str]:
    write_files(folder)
    found = each_in_a_child(some, outcome_of, seconds=20)
    return [f"{case}: {outcome}" for case, outcome in found if outcome not in ("model", "refused")]


SHORT = {
    "learner": ("--learner pa", "--learner forgetron", "--learner cutting-plane"),
    "kernel": ("--kernel polynomial", "--kernel pt"),
    "problem": ("--problem sequence --learner structured-svm", "--problem grammar --learner pcfg"),
}


@pytest.mark.parametrize("kind", SHORT)
def test_odd_options(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    some = [case for case in cases(kind) if " ".join(case.command[1:]).startswith(SHORT[kind])]
    assert faults(some[:: len(SHORT) + 1], tmp_path) == []


@pytest.mark.slow
@pytest.mark.parametrize("kind", SHORT)
def test_odd_options_everywhere(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert faults(some_of(cases(kind)), tmp_path) == []
