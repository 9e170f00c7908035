"""Facts that stand in several of the project's files agree, and tools of releases do what they say."""

from __future__ import annotations

import ast
import importlib.util
import re
import shutil
import tomllib
from pathlib import Path
from types import ModuleType

import pytest
import yaml

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def tool(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("path", sorted((ROOT / "benchmarks").glob("*.py")), ids=lambda path: path.stem)
def test_benchmarks_import_what_there_is(path: Path) -> None:
    """They are run too seldom to notice that a name has changed."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("hedgerow"):
            module = importlib.import_module(node.module or "")
            for alias in node.names:
                assert hasattr(module, alias.name) or importlib.util.find_spec(f"{node.module}.{alias.name}")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for name in ("pyproject.toml", "papers/pyproject.toml", "CITATION.cff", "CHANGELOG.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def test_one_version() -> None:
    release = tool("release")
    found = {
        name: pattern.search((ROOT / name).read_text(encoding="utf-8"))[1]
        for name, pattern in release.COPIES.items()
    }
    assert set(found.values()) == {release.current_version()}, found


def test_set_version(copy: Path) -> None:
    release = tool("release")
    unreleased = release.notes("Unreleased", copy)
    release.set_version("7.8.9", copy)
    assert release.current_version(copy) == "7.8.9"
    assert "version: 7.8.9\n" in (copy / "CITATION.cff").read_text(encoding="utf-8")
    assert release.notes("7.8.9", copy) == unreleased
    with pytest.raises(ValueError, match=r"says nothing of Unreleased; it has Unreleased, 7\.8\.9"):
        release.notes("Unreleased", copy)
    with pytest.raises(ValueError, match=r"a section for 7\.8\.9 already"):
        release.set_version("7.8.9", copy)
    with pytest.raises(ValueError, match=r"like 1\.2\.3"):
        release.set_version("7.8", copy)


def test_notes_end_where_the_next_version_begins(tmp_path: Path) -> None:
    text = (
        "# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2030-01-02\n\n- b\n\n## [0.1.0] - 2029-01-02\n\n- a\n"
    )
    (tmp_path / "CHANGELOG.md").write_text(text, encoding="utf-8")
    assert tool("release").notes("0.2.0", tmp_path) == "- b\n"
    assert tool("release").notes("0.1.0", tmp_path) == "- a\n"


def test_oldest_requirements() -> None:
    oldest = dict(line.split("==") for line in tool("oldest_requirements").oldest())
    lower = {re.split(r"[\[>]", entry)[0]: entry.split(">=")[1] for entry in PROJECT["dependencies"]}
    assert lower.items() <= oldest.items()
    assert "tree-sitter" in oldest  # of an extra


def test_hooks_have_the_versions_of_the_extra() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    pinned = {
        entry
        for repo in hooks["repos"]
        for hook in repo["hooks"]
        for entry in hook.get("additional_dependencies", ())
    }
    assert pinned
    assert pinned <= set(PROJECT["optional-dependencies"]["lint"])


@pytest.mark.parametrize("path", sorted((ROOT / ".github").rglob("*.yml")), ids=lambda path: path.name)
def test_commands_of_workflows_exist(path: Path) -> None:
    """Targets of make and files that workflows name are there."""
    text = path.read_text(encoding="utf-8")
    assert yaml.safe_load(text)
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert set(re.findall(r"run: make ([a-z-]+)", text)) <= targets
    for file in re.findall(r"python3? (tools/\S+\.py)", text):
        assert (ROOT / file).is_file(), file
