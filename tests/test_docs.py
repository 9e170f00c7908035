"""Journeys: the code of README and documentation runs as it is printed, page by page, each in an empty folder."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import readme_files
from tests.documents import Run, environment
from tests.warm_command import serve

ROOT = Path(__file__).parents[1]
PAGES = sorted((ROOT / "docs").rglob("*.md"))


@pytest.fixture(scope="module")
def commands(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("bin")
    with serve(folder):
        yield folder


@pytest.fixture
def runner(commands: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    return Run(environment(commands, Path(sys.executable).parent))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_page(page: Path, runner: Run) -> None:
    runner.page(page)


def test_readme(runner: Run) -> None:
    readme_files.write_all()
    runner.page(ROOT / "README.md")
    assert (len(runner.names["y"]), len(runner.names["good"]), runner.names["errors"]) == (300, 1, [])


def test_hardly_anything_is_not_run() -> None:
    """A block that is not run says so; whoever adds one has to add it here as well."""
    left_out = {
        path.name: [block.text for block in blocks(path.read_text(encoding="utf-8")) if block.not_run]
        for path in [ROOT / "README.md", *PAGES]
    }
