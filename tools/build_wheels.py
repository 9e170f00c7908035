"""Build wheels for several systems on one Linux machine, with zig (clang and libc++) as the compiler.

    python tools/build_wheels.py dist                                          # all of them
    python tools/build_wheels.py dist --platforms musllinux_1_2_x86_64 --pythons python3.12

Zig brings the C libraries of other systems: it links against any version of glibc, against musl, and for other
processors. The module holds its own libc++. A wheel made with Python 3.12 serves later versions too (the stable ABI).
The module is checked before the wheel gets the name of its platform: it must be for that processor, and need nothing
but the C library, of that version or older. (auditwheel does the same, but only for the system that it runs on.)
"""

import argparse
import io
import os
import re
import shutil
import subprocess
import sys
import zipfile
from importlib.util import find_spec
from pathlib import Path

from elftools.elf.elffile import ELFFile

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "wheels"
TARGETS = {
    "manylinux_2_28_x86_64": "x86_64-linux-gnu.2.28",
    "manylinux_2_28_aarch64": "aarch64-linux-gnu.2.28",
    "musllinux_1_2_x86_64": "x86_64-linux-musl",
}
PYTHONS = ("python3.11", "python3.12")
PROCESSORS = {"x64": "x86_64", "AArch64": "aarch64"}  # as pyelftools names them
# Parts of the C library, which are there wherever the library is.
C_LIBRARY = re.compile(r"lib(c|m|pthread|dl|rt)\.so(\.\d)?|ld-linux-.*")


def write_tools(platform: str) -> dict[str, str]:
    """Write the programs that compile for a platform, and return their paths by CMake's names for them."""
    # Zig by its path, since pip hides the packages of the interpreter that it runs on from builds.
    zig = Path(find_spec("ziglang").origin).with_name("zig")
    options = f"-target {TARGETS[platform]} -fno-sanitize=undefined"  # which zig would add
    folder = FOLDER / platform
    folder.mkdir(parents=True, exist_ok=True)
    paths = {}
    for name, command in {"CXX_COMPILER": f"c++ {options}", "AR": "ar", "RANLIB": "ranlib"}.items():
        path = folder / name.lower()
        path.write_text(f'#!/bin/sh\nexec "{zig}" {command} "$@"\n', encoding="utf-8")
        path.chmod(0o755)
        paths[f"CMAKE_{name}"] = str(path)
    return paths


def build(python: str, platform: str, output: Path) -> Path:
    """Build one wheel, and return its path."""
    name = Path(python).name
    raw = FOLDER / platform / name
    shutil.rmtree(raw, ignore_errors=True)
    settings = {
        "build-dir": f"{FOLDER}/{platform}/{name}-objects",
        **{f"cmake.define.{name}": path for name, path in write_tools(platform).items()},
        # Python adds the name of the system that builds, which is another one than that of the wheel.
        "cmake.define.HEDGEROW_MODULE_SUFFIX": ".so",
    }
    command = [python, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(raw), str(ROOT)]
    for name, value in settings.items():
        command += ["-C", f"{name}={value}"]
    subprocess.run(command, check=True, env={**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1"})
    (wheel,) = raw.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        (module,) = (name for name in archive.namelist() if name.endswith(".so"))
        check(archive.read(module), platform)
    tagging = [sys.executable, "-m", "wheel", "tags", "--remove", "--platform-tag", platform, str(wheel)]
    subprocess.run(tagging, check=True, stdout=subprocess.DEVNULL)
    (wheel,) = raw.glob("*.whl")
    return Path(shutil.copy2(wheel, output))


def check(module: bytes, platform: str) -> None:
    """Raise a ValueError unless the module runs wherever wheels of this platform are installed."""
    elf = ELFFile(io.BytesIO(module))
    kind, major, minor, processor = re.fullmatch(r"([a-z]+)_(\d+)_(\d+)_(.+)", platform).groups()
    if PROCESSORS.get(elf.get_machine_arch()) != processor:
        raise ValueError(f"the module is for {elf.get_machine_arch()}, not for {processor}")
    needed = [tag.needed for tag in elf.get_section_by_name(".dynamic").iter_tags("DT_NEEDED")]
    if others := [name for name in needed if not C_LIBRARY.fullmatch(name)]:
        raise ValueError(f"the module needs {', '.join(others)}, which {platform} does not have")
    if (kind == "musllinux") != ("libc.so" in needed):
        raise ValueError(f"the module needs {', '.join(needed)}, which is not the C library of {platform}")
    versions = elf.get_section_by_name(".gnu.version_r")
    names = [aux.name for _, auxes in versions.iter_versions() for aux in auxes] if versions else []
    for name in names:
        found = re.fullmatch(r"GLIBC_(\d+)\.(\d+)(\.\d+)?", name)
        if not found or (int(found[1]), int(found[2])) > (int(major), int(minor)):
            raise ValueError(f"the module needs {name}, which {platform} does not have")


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
