"""The pool of threads itself: rows, nesting, exceptions, interrupts, callers at once, forks."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
NATIVE = HERE.parents[1] / "cpp"
COMPILER = os.environ.get("CXX") or "c++"
TESTS = ["rows", "together", "nested", "exceptions", "interrupts", "callers"]


def output_of(folder: Path, flags: list[str], tests: list[str]) -> str:
    """What the program prints, compiled with these flags; empty if the compiler does not know them."""
    program = folder / "program"
    sources = [HERE / "thread_pool_program.cpp", NATIVE / "thread_pool.cpp", NATIVE / "platform.cpp"]
    options = ["-std=c++20", "-O1", "-g", "-pthread", f"-I{NATIVE}", *flags]
    if flags:
        empty = ["-x", "c++", "-", "-o", str(folder / "empty"), *flags]
        known = subprocess.run([COMPILER, *empty], input=b"int main() {}", capture_output=True, check=False)
        if known.returncode:
            return ""
    subprocess.run([COMPILER, *options, *sources, "-o", program], check=True)
    run = subprocess.run([program, *tests], capture_output=True, text=True, timeout=100, check=False)
    assert run.returncode == 0, run.stderr
    assert run.stderr == ""
    return run.stdout


@pytest.mark.slow
@pytest.mark.skipif(shutil.which(COMPILER) is None, reason="needs a compiler")
class TestThreadPool:
    def test_it_keeps_its_promises(self, tmp_path):
        tests = [*TESTS, "forks", "forks_inside"]
        assert output_of(tmp_path, [], tests).split() == tests

    def test_nothing_races(self, tmp_path):
        """Without forks, which the sanitizer does not follow."""
        output = output_of(tmp_path, ["-fsanitize=thread"], TESTS)
        if not output:
            pytest.skip("the compiler has no ThreadSanitizer")
        assert output.split() == TESTS
