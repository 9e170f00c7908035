"""Models of every kind in the files of one format version, kept with what they say about new examples.

``python -m tests.persistence.kept_models write`` adds those that are missing in the present version, made with the
hedgerow that is installed. ``check VERSION`` says which of a version score otherwise today, to the last bit; tests
allow for rounding, which depends on the processor.
"""

from __future__ import annotations

import io
import json
import sys
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import numpy as np
from scipy import sparse
from typer.testing import CliRunner

import hedgerow
from hedgerow.persistence.model_file import FORMAT_VERSION
from tests.persistence.commands import COMMANDS, Command, write_files
from tests.persistence.kinds import Kind, kinds
from tools.upgrade_models import upgraded

FOLDER = Path(__file__).with_name("models")
OF_COMMANDS = "commands"
METHODS = ("predict", "decision_function", "predict_proba", "transform", "kneighbors")
# What is kept of a model beside its predictions, where it has that.
ATTRIBUTES = (
    "classes_", "coef_", "dual_coef_", "intercept_", "support_", "mistakes_", "n_seen_", "n_support_", "n_iter_",
    "objective_", "dual_objective_", "certificate_", "violation_", "converged_", "features_",
)  # fmt: skip

Answers = dict[str, Any]


def plain(value: Any) -> Any:
    """Numbers, texts and lists, which JSON holds without loss."""
    if sparse.issparse(value):
        return plain(value.toarray())
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


def answers(model: Any, X: Any) -> Answers:
    """What a model says about new examples, and of itself."""
    found = {name: getattr(model, name)(X) for name in METHODS if hasattr(model, name)}
    found |= {name: getattr(model, name) for name in ATTRIBUTES if hasattr(model, name)}
    return {name: plain(value) for name, value in found.items() if not hasattr(value, "get_params")}


def all_answers(model: Any, kind: Kind) -> list[Answers]:
    """As it was fitted, and after it has gone on learning."""
    found = [answers(model, kind.data.new)]
    if kind.goes_on:
        found.append(answers(model.partial_fit(*kind.data.more), kind.data.new))
    return found


def run(*arguments: str) -> str:
    from hedgerow.cli.app import app

    result = CliRunner().invoke(app, list(arguments))
    assert result.exit_code == 0, f"{arguments}: {result.output}"
    return result.stdout


def predictions(model: str, command: Command) -> list[str]:
    """Of the command line, in a folder with its files, likewise."""
    found = [run("predict", model, f"new-{command.file}")]
    if command.goes_on:
        run("train", f"more-{command.file}", "--resume", model, "-o", "later.model")
        found.append(run("predict", "later.model", f"new-{command.file}"))
    return found


# -- archives -------------------------------------------------------------------------------------------------


def present(content: bytes) -> bytes:
    """A model file in the present version."""
    return upgraded(content, "a.model")


def read_archive(path: Path) -> tuple[dict[str, bytes], dict[str, Any]]:
    """The model files by name, and their answers."""
    with ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    expected = json.loads(files.pop("expected.json"))
    return {name.removesuffix(".model"): content for name, content in files.items()}, expected


def write_archive(path: Path, files: dict[str, bytes], expected: dict[str, Any]) -> None:
    content = io.BytesIO()
    with ZipFile(content, "w", ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in {
            **{f"{name}.model": file for name, file in files.items()},
            "expected.json": json.dumps(expected).encode(),
        }.items():
            archive.writestr(ZipInfo(name), data, ZIP_DEFLATED)  # without the time
    path.write_bytes(content.getvalue())


def write(folder: Path) -> None:
    """Those that are there stay as they were written, but for the names of parameters."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch, chdir(scratch):
        write_files(Path())
        for group, members in {**kinds(), OF_COMMANDS: COMMANDS}.items():
            path = folder / f"{group}.zip"
            files, expected = read_archive(path) if path.exists() else ({}, {})
            for name, member in members.items():
                if name in files:
                    files[name] = present(files[name])
                else:
                    expected[name] = _make(member, "a.model")
                    files[name] = Path("a.model").read_bytes()
            write_archive(path, files, expected)


def _make(member: Any, path: str) -> list[Any]:
    if isinstance(member, Command):
        run("train", member.file, "-o", path, *member.options.split())
        return predictions(path, member)
    model = member.model.fit(*member.data.fit)
    hedgerow.save(model, path)
    return all_answers(model, member)


def differences(folder: Path) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as scratch, chdir(scratch):
        write_files(Path())
        for path in sorted(folder.glob("*.zip")):
            files, expected = read_archive(path)
            for name, content in files.items():
                Path("a.model").write_bytes(present(content))
                try:
                    if path.stem == OF_COMMANDS:
                        found: Any = predictions("a.model", COMMANDS[name])
                    else:
                        found = all_answers(hedgerow.load("a.model"), kinds()[path.stem][name])
                except Exception as error:
                    yield f"{path.stem} {name}: {error!r}"
                    continue
                for time, (one, other) in enumerate(zip(found, expected[name], strict=True)):
                    if isinstance(one, str):
                        different = [] if one == other else ["predictions"]
                    else:
                        different = [key for key in other if repr(one.get(key)) != repr(other[key])]
                    if different:
                        yield f"{path.stem} {name}, {('loaded', 'gone on')[time]}: {', '.join(different)}"


if __name__ == "__main__":
    hedgerow.set_n_jobs(1)
    warnings.simplefilter("ignore")
    if sys.argv[1] == "write":
        write(FOLDER / str(FORMAT_VERSION))
    else:
        for line in differences(FOLDER / sys.argv[2]):
            print(line)
