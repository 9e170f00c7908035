"""Memory that runs out in the midst of an update: the model is what it was after the last whole example."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
COMPILER = os.environ.get("CXX") or "c++"
FEW = [
    "perceptron 1",
    "mbw 1",
    "forgetron sst",
    "projectron rbf",
    "pa spectrum",
    "reranker",
    "sequence PA-I",
    "grammar PA-I",
]

pytestmark = [
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs LD_PRELOAD"),
    pytest.mark.skipif(shutil.which(COMPILER) is None, reason="needs a compiler"),
]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("native") / "failing_new.so"
    options = ["-std=c++20", "-O1", "-shared", "-fPIC"]
    subprocess.run([COMPILER, *options, HERE / "failing_new.cpp", "-o", path], check=True)
    return path


def run(library: Path, step: int, *cases: str) -> list[list[str]]:
    """What the program says of the cases, with every step-th allocation the last one; all cases without any."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.hostile.failing_memory", str(step), *cases],
        env={**os.environ, "LD_PRELOAD": str(library)},
        cwd=HERE.parents[1],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return [line.split("\t") for line in done.stdout.splitlines()]


@pytest.mark.slow
def test_interning_without_memory(tmp_path: Path) -> None:
    program = tmp_path / "program"
    options = ["-std=c++20", "-O1", f"-I{HERE.parents[1] / 'cpp'}"]
    subprocess.run([COMPILER, *options, HERE / "interning_program.cpp", "-o", program], check=True)
    found = subprocess.run([program], capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout
    assert int(found.stdout) > 30


@pytest.mark.slow
def test_updates_without_memory(library: Path) -> None:
    found = run(library, 7, *FEW)
    assert {name for name, _, _ in found} == set(FEW)
    assert sum(int(midway) for _, _, midway in found) > 30


@pytest.mark.slow
def test_updates_of_all_learners_without_memory(library: Path) -> None:
    found = run(library, 3)
    assert len(found) > 60
    assert all(int(failures) > 0 for _, failures, _ in found)
