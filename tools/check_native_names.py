"""Check that no name of the native code is defined twice.

Two types or inline functions of one name in one namespace break C++'s one-definition rule: the linker keeps one of
them without a word. Three rules together leave no room for that, and take seconds, where a build with `-flto -Wodr`
takes minutes:

- A folder is a namespace, so names of different folders never meet.
- All headers together compile as one file, where the compiler refuses a second definition.
- A `.cpp` file defines types and inline functions in an unnamed namespace, or as members of what a header declares.
  (Two plain functions of one name the linker refuses.)
"""

import os
import re
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import nanobind

ROOT = Path(__file__).resolve().parent.parent / "cpp"
# Of namespaces alone, by the formatter's layout: members are indented.
DEFINITION = re.compile(r"(?:inline|HEDGEROW_INLINE) |(?:struct|class|enum class|enum|union) \w+ (?!.*;$)")


def misplaced_in(path: Path) -> Iterator[tuple[int, str]]:
    """Yield line numbers with what is wrong there, as to namespaces."""
    folder = path.relative_to(ROOT).parent
    expected = "::".join(("hedgerow", *folder.parts))
    unnamed = False
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if re.match(r"namespace hedgerow\b", line) and line != f"namespace {expected} {{":
            yield number, f"a file of this folder opens namespace {expected}"
        unnamed = line == "namespace {" or (unnamed and line != "}  // namespace")
        if path.suffix == ".cpp" and not unnamed and DEFINITION.match(line):
            yield number, "what only one file uses belongs in an unnamed namespace"


def compile_headers(headers: list[Path]) -> int:
    """Let the compiler look at all headers as one file; return its exit code."""
    includes = [ROOT, sysconfig.get_path("include"), nanobind.include_dir()]
    # Hidden symbols as in the module, since nanobind's are.
    command = [os.environ.get("CXX", "c++"), "-std=c++20", "-fvisibility=hidden", "-fsyntax-only"]
    command += [f"-I{folder}" for folder in includes]
    source = "".join(f'#include "{header.relative_to(ROOT)}"\n' for header in headers)
    return subprocess.run([*command, "-x", "c++", "-"], input=source, text=True, check=False).returncode


def main() -> int:
    """Print what is wrong; return 1 if anything is."""
    files = sorted(path for path in ROOT.rglob("*") if path.suffix in {".hpp", ".cpp"})
    wrong = [f"{path}:{number}: {what}" for path in files for number, what in misplaced_in(path)]
    print(*wrong, sep="\n", end="\n" if wrong else "", file=sys.stderr)
    return 1 if compile_headers([path for path in files if path.suffix == ".hpp"]) or wrong else 0


if __name__ == "__main__":
    sys.exit(main())
