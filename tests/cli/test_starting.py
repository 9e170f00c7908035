"""Commands load no more than they need, so that they start quickly."""

from __future__ import annotations

import json
import subprocess
import sys
from types import ModuleType

import pytest
import sklearn
from sklearn.utils.fixes import parse_version

import hedgerow.cli
from hedgerow.cli.later import Later, import_later

RUN = """
import json, sys
from hedgerow.cli import main
sys.argv[0] = "hedgerow"
try:
    main()
except SystemExit as error:
    assert not error.code
print(json.dumps([name for name in sys.modules if type(sys.modules[name]).__name__ != "Later"]))
"""


def modules_of(*args: str) -> tuple[str, set[str]]:
    """What a command prints, and what it has imported."""
    done = subprocess.run([sys.executable, "-c", RUN, *args], capture_output=True, text=True, check=True)
    *printed, modules = done.stdout.splitlines()
    return "\n".join(printed), set(json.loads(modules))


def test_the_version_needs_no_application():
    printed, modules = modules_of("--version")
    assert printed == f"hedgerow {hedgerow.__version__}"
    assert not modules & {"typer", "numpy", "sklearn", "hedgerow._core"}


def test_help_needs_no_learner():
    assert not modules_of("--help")[1] & {"sklearn", "scipy", "hedgerow.online"}


@pytest.mark.skipif(
    parse_version(sklearn.__version__) < parse_version("1.7"), reason="scikit-learn 1.6 imports them itself"
)
@pytest.mark.parametrize("command", ["predict", "svm_classify"])
def test_predictions_need_neither_searches_nor_frames(command, questions, hedgerow_command):
    if command == "predict":
        hedgerow_command.good(
            "train", "two.tk", "-o", "model", "--learner", "svm", "--kernel", "sst", "-C", "1"
        )
        expected = hedgerow_command.good("predict", "model", "test2.tk")
        args = ["predict", "model", "test2.tk"]
    else:
        hedgerow_command.good("svm_learn", "-t", "5", "two.tk", "model")
        expected = hedgerow_command.good("svm_classify", "test2.tk", "model", "out")
        args = ["svm_classify", "test2.tk", "model", "out"]
    printed, modules = modules_of(*args)
    assert printed.splitlines() == expected.splitlines()
    unwanted = {
        "pandas",
        "scipy.stats",
        "sklearn.metrics",
        "sklearn.model_selection",
        "hedgerow.model_selection",
    }
    assert not modules & unwanted


def test_what_was_left_for_later_comes_when_it_is_used(tmp_path, monkeypatch):
    (tmp_path / "a_late_module.py").write_text("answer = 42\n")
    monkeypatch.syspath_prepend(tmp_path)
    import_later("a_late_module", "no_such_module")
    assert "no_such_module" not in sys.modules
    import a_late_module

    assert type(a_late_module) is Later
    from a_late_module import answer

    assert answer == 42
    assert type(sys.modules["a_late_module"]) is ModuleType
    assert a_late_module.answer == 42
    del sys.modules["a_late_module"]


class Interrupted(ModuleType):
    """A module in whose class body a signal arrives."""

    def __getattr__(self, name: str) -> object:
        raise RuntimeError("Error calling __set_name__") from KeyboardInterrupt()


def test_an_interruption_while_the_application_is_imported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "hedgerow.cli.app", Interrupted("hedgerow.cli.app"))
    monkeypatch.setattr(sys, "argv", ["hedgerow", "list", "learners"])
    with pytest.raises(SystemExit) as ended:
        hedgerow.cli.main()
    assert ended.value.code == 130
    assert capsys.readouterr().err == "hedgerow: interrupted\n"
