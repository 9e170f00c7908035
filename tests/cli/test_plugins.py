"""Commands that other packages add."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import EntryPoint

import pytest

from hedgerow.cli import commands


@pytest.fixture
def plugged(monkeypatch, tmp_path):
    """Commands of modules that are written into a folder: ``good`` works, ``broken`` cannot be imported."""
    (tmp_path / "good_plugin.py").write_text(
        'def greet(name: str = "you"):\n    """Greet somebody."""\n    print(f"hello {name}")\n'
    )
    (tmp_path / "broken_plugin.py").write_text("1 / 0\n")
    monkeypatch.syspath_prepend(tmp_path)
    points = {
        "greet": "good_plugin:greet",
        "broken": "broken_plugin:command",
        "lost": "no_such_module:command",
        "train": "broken_plugin:command",
    }
    found = [EntryPoint(name, value, commands.GROUP) for name, value in points.items()]
    monkeypatch.setattr(commands, "entry_points", lambda group: found if group == commands.GROUP else [])
    yield
    for name in ("good_plugin", "broken_plugin"):
        sys.modules.pop(name, None)


@pytest.mark.usefixtures("plugged")
class TestPlugins:
    def test_command(self, hedgerow_command):
        assert hedgerow_command.good("greet", "--name", "trees") == "hello trees\n"
        assert "Greet somebody." in hedgerow_command.good("greet", "-h")

    def test_nothing_is_imported_for_other_commands(self, hedgerow_command):
        hedgerow_command.good("train", "--help")
        assert not {"good_plugin", "broken_plugin"} & sys.modules.keys()

    def test_help_lists_all(self, hedgerow_command):
        listed = hedgerow_command.good("--help")
        assert "good_plugin:greet" in listed
        assert "broken_plugin:command" in listed
        assert not {"good_plugin", "broken_plugin"} & sys.modules.keys()

    def test_broken_ones(self, hedgerow_command):
        said = hedgerow_command.sentence("broken", "a", "--b")
        assert said == "broken_plugin:command cannot be loaded: ZeroDivisionError: division by zero"
        assert "no_such_module" in hedgerow_command.sentence("lost")

    def test_own_commands_come_first(self, hedgerow_command):
        assert "Learn a model" in hedgerow_command.good("train", "--help")

    def test_unknown_command(self, hedgerow_command):
        assert "No such command 'nothing'" in hedgerow_command.sentence("nothing", code=2)
        said = hedgerow_command.sentence("trian", code=2)
        assert "No such command 'trian'; did you mean train?" in said

    def test_choices_stand_in_one_line(self, hedgerow_command):
        assert "Choose from: learners, kernels, problems, formats" in hedgerow_command.sentence(
            "list", code=2
        )


def test_without_papers():
    """hedgerow never imports the package that reruns papers by itself."""
    program = (
        "import sys\nsys.argv[1:] = ['train', '--help']\n"
        "from hedgerow.cli import main\n"
        "try:\n    main()\nfinally:\n    assert not any(name.startswith('hedgerow_papers') for name in sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)
