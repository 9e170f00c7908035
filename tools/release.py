"""Make a release: set the version everywhere, and print the notes of a version.

The version stands in pyproject.toml. Files that need a copy (the package of the papers, CITATION.cff) get it from here:

    python tools/release.py version 0.2.0    # sets it, and dates the section "Unreleased" of CHANGELOG.md
    python tools/release.py notes 0.2.0      # what CHANGELOG.md says of it; without a version, of what comes next
"""

import argparse
import datetime
import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COPIES = {
    "pyproject.toml": re.compile(r'^version = "(.+)"$', re.MULTILINE),
    "papers/pyproject.toml": re.compile(r'^version = "(.+)"$', re.MULTILINE),
    "CITATION.cff": re.compile(r"^version: (.+)$", re.MULTILINE),
}
UNRELEASED = "Unreleased"


def current_version(root: Path = ROOT) -> str:
    """Return the version of pyproject.toml."""
    return str(tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"])


def set_version(version: str, root: Path = ROOT) -> None:
    """Write the version to every file that has it, and date the changes since the last one."""
    if not re.fullmatch(r"\d+\.\d+\.\d+(?:(?:a|b|rc)\d+)?", version):
        raise ValueError(f"a version is like 1.2.3 or 1.2.3rc1, got {version!r}")
    for name, pattern in COPIES.items():
        path = root / name
        text, found = path.read_text(encoding="utf-8"), 0
        text, found = pattern.subn(lambda match: match[0].replace(match[1], version), text, count=1)
        if not found:
            raise ValueError(f"{name} has no version")
        path.write_text(text, encoding="utf-8")
    path = root / "CHANGELOG.md"
    text = path.read_text(encoding="utf-8")
    dated = f"## [{UNRELEASED}]\n\n## [{version}] - {datetime.date.today().isoformat()}\n"
    if f"## [{version}]" in text:
        raise ValueError(f"CHANGELOG.md has a section for {version} already")
    path.write_text(text.replace(f"## [{UNRELEASED}]\n", dated, 1), encoding="utf-8")


def notes(version: str, root: Path = ROOT) -> str:
    """Return what CHANGELOG.md says of a version."""
    text = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    section = re.search(
        rf"^## \[{re.escape(version)}\][^\n]*\n(.*?)(?=^## \[|\Z)", text, re.MULTILINE | re.DOTALL
    )
    if section is None or not section[1].strip():
        known = ", ".join(re.findall(r"^## \[(.+?)\]", text, re.MULTILINE))
        raise ValueError(f"CHANGELOG.md says nothing of {version}; it has {known}")
    return section[1].strip() + "\n"


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description="Set the version, or print the notes of one.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("version").add_argument("version")
    commands.add_parser("notes").add_argument("version", nargs="?", default=UNRELEASED)
    arguments = parser.parse_args()
    try:
        if arguments.command == "version":
            set_version(arguments.version)
        else:
            print(notes(arguments.version), end="")
    except ValueError as error:
        print(f"release.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
