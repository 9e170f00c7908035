"""Journeys: the code of README and documentation runs as it is printed, page by page, each in an empty folder."""

from __future__ import annotations

import importlib
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests import readme_files
from tests.documents import NOT_RUN, Run, blocks, environment
from tests.warm_command import serve

ROOT = Path(__file__).parents[1]
PAGES = sorted((ROOT / "docs").rglob("*.md"))
ABOUT_FILES = (ROOT / "README.md", ROOT / "docs" / "tour.md")  # of users, which are there when they are run
SLOW = ("a-million-trees.md", "choose-a-kernel.md", "code.md", "reports.md")


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


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, marks=[pytest.mark.slow] if page.name in SLOW else [])
        for page in PAGES
        if page not in ABOUT_FILES
    ],
    ids=lambda page: page.relative_to(ROOT).as_posix(),
)
def test_page(page: Path, runner: Run) -> None:
    if page.name == "serve.md" and shutil.which("curl") is None:
        pytest.skip("the page asks the service by curl")
    runner.page(page)


@pytest.mark.slow
@pytest.mark.parametrize("page", ABOUT_FILES, ids=lambda page: page.name)
def test_page_about_files(page: Path, runner: Run) -> None:
    readme_files.write_all()
    runner.page(page)
    assert len(runner.names["y"]) == 300


def test_trees_of_spacy_without_spacy(runner: Run) -> None:
    """The page's function needs tokens with the attributes of spaCy's, nothing more."""
    page = (ROOT / "docs/howto/trees.md").read_text(encoding="utf-8")
    (block,) = (block for block in blocks(page) if block.text.startswith(":caption: spacy_trees.py"))
    runner.file(block)
    dogs = SimpleNamespace(i=7, text="Dogs", lemma_="dog", pos_="NOUN", tag_="NNS", dep_="nsubj")
    bark = SimpleNamespace(i=8, text="bark (", lemma_="", pos_="VERB", tag_="", dep_="ROOT")
    dogs.head = bark.head = bark
    forest_of = importlib.import_module("spacy_trees").forest_of
    trees = forest_of([SimpleNamespace(sents=[[dogs, bark]])])
    assert str(trees[0]) == "(SYNT##ROOT (SYNT##nsubj (POS##NNS LEX##dog::n)) (POS##VERB LEX##bark_-LRB-::v))"


def test_what_is_not_run() -> None:
    """Hardly anything, and whoever adds a block that is not run has to say so here as well."""
    left_out = [
        (path.name, block.text.split()[1])
        for path in [ROOT / "README.md", *PAGES]
        for block in blocks(path.read_text(encoding="utf-8"))
        if NOT_RUN in block.before
    ]
    assert left_out == [
        ("README.md", "pip"),
        ("README.md", "make"),
        ("operations.md", "hedgerow"),
        ("operations.md", "sqlite3"),
        ("installation.md", "pip"),
        ("installation.md", "make"),
        ("quickstart.md", "pip"),
        ("tour.md", "hedgerow"),
    ]


@pytest.mark.parametrize(
    ("page", "complaint"),
    [
        ("```python\nprint(1)\n```\n\n```text\n2\n```\n", "line 6 shows"),
        ("```python\nx = 1\n```\n\n```python\nraise ValueError(f'x is {x}')\n```\n", "x is 1"),
        ("```console\n$ false\n```\n", "exit code 1"),
        ("```console\n$ false | cat\n```\n", "exit code 1"),
        ("```console\n$ hedgerow train nothing.tk -o a.model\n```\n", "nothing.tk"),
        ("```console\n$ echo a\nb\n$ echo c\nc\n```\n", "line 2 shows"),
        ("```console\necho a\n```\n", "begins with"),
        ("```bash\necho a\n```\n", "'bash' are not known"),
    ],
)
def test_faults_are_found(page: str, complaint: str, runner: Run) -> None:
    path = Path("page.md")
    path.write_text(page, encoding="utf-8")
    with pytest.raises((AssertionError, ValueError), match=complaint):
        runner.page(path)


def test_what_pages_may_hold(runner: Run) -> None:
    path = Path("page.md")
    path.write_text(
        "```{code-block} python\n:caption: folder/one.py\n\nprint(1)\n```\n"
        "```console\n$ python folder/one.py\n1\n$ echo a \\\n    b\na ...\n```\n"
        "```python\nprint(open('folder/one.py').read(), 0.12)\n```\n\n```text\nprint(1)\n0.1...\n```\n"
        "Only shown:\n\n```text\nLABEL tree\n```\n"
        "Elsewhere:\n\n<!-- not run by the tests: they have no such\nthing -->\n\n```console\n$ false\n```\n",
        encoding="utf-8",
    )
    runner.page(path)
