"""Models of every kind: those of earlier versions score as they did, and a loaded model has what the fitted one had."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import BaseEstimator, clone

import hedgerow
from hedgerow.persistence.classes import public_classes
from hedgerow.svm.machine import KernelMachine
from tests.persistence.commands import COMMANDS, write_files
from tests.persistence.kept_models import FOLDER, OF_COMMANDS, all_answers, predictions, present, read_archive
from tests.persistence.kinds import Kind, kinds

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
KINDS = {f"{group}-{name}": kind for group, members in kinds().items() for name, kind in members.items()}
# What they learn further differs from when these were kept: small budgets of Projectrons have another threshold, and
# bounded Winnows keep other features. Frank-Wolfe on classes rounds otherwise, and stops elsewhere within tol.
GO_ON_DIFFERENTLY = {
    "projectron-budget",
    "mbw-bounded-last",
    "mbw-bounded-average",
    "taxonomy-path-frank-wolfe",
}
archive = cache(read_archive)
VERSIONS = sorted(path.name for path in FOLDER.iterdir())
KEPT = [
    (version, path.stem, name)
    for version in VERSIONS
    for path in sorted((FOLDER / version).glob("*.zip"))
    for name in archive(path)[0]
]


def assert_alike(found: Any, expected: Any, where: str) -> None:
    """But for the last digits of numbers."""
    assert type(found) is type(expected), where
    if isinstance(expected, list):
        assert len(found) == len(expected), where
        for place, (one, other) in enumerate(zip(found, expected, strict=True)):
            assert_alike(one, other, f"{where}[{place}]")
    elif isinstance(expected, dict):
        for name, value in expected.items():
            assert_alike(found[name], value, f"{where} {name}")
    elif isinstance(expected, float):
        assert found == pytest.approx(expected, rel=1e-9, abs=1e-12, nan_ok=True), where
    else:
        assert found == expected, where


def words(text: str) -> list[Any]:
    """Those of a command's output, numbers as such."""
    found: list[Any] = text.split()
    for place, word in enumerate(found):
        with suppress(ValueError):
            found[place] = float(word)
    return found


def named_as_now(answers: list[Any], model: Any) -> list[Any]:
    """What version 1 called the objective of a support vector machine is that of its dual."""
    if not isinstance(model, KernelMachine):
        return answers
    return [{"dual_objective_" if k == "objective_" else k: v for k, v in one.items()} for one in answers]


class TestKept:
    @pytest.mark.parametrize(
        ("version", "group", "name"),
        [(version, group, name) for version, group, name in KEPT if group != OF_COMMANDS],
    )
    def test_scores_are_the_same(self, version, group, name, tmp_path):
        files, expected = archive(FOLDER / version / f"{group}.zip")
        kind = kinds()[group][name]
        (tmp_path / "a.model").write_bytes(present(files[name]))
        model = hedgerow.load(tmp_path / "a.model")
        assert repr(model) == repr(kind.model)
        answers = named_as_now(expected[name], model) if version == "1" else expected[name]
        found = all_answers(model, kind)
        kept = 1 if name in GO_ON_DIFFERENTLY else len(answers)
        assert_alike(found[:kept], answers[:kept], name)

    @pytest.mark.parametrize(
        ("version", "name"), [(version, name) for version, group, name in KEPT if group == OF_COMMANDS]
    )
    def test_the_command_line_predicts_the_same(self, version, name, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        files, expected = archive(FOLDER / version / f"{OF_COMMANDS}.zip")
        write_files(tmp_path)
        Path("a.model").write_bytes(present(files[name]))
        found = predictions("a.model", COMMANDS[name])
        assert_alike(list(map(words, found)), list(map(words, expected[name])), name)

    def test_every_kind_is_kept_in_the_last_version(self):
        """``python -m tests.persistence.kept_models write`` adds what is missing; what the registry has beside the
        listed ones may come with the next version."""
        made = {
            (group, name): kind.listed for group, members in kinds().items() for name, kind in members.items()
        }
        made |= {(OF_COMMANDS, name): True for name in COMMANDS}
        kept = {(group, name) for version, group, name in KEPT if version == VERSIONS[-1]}
        assert kept <= made.keys()
        assert {kind for kind, listed in made.items() if listed} <= kept


def test_every_public_class_is_kept():
    used: set[type[Any]] = set()

    def visit(value: Any) -> None:
        if isinstance(value, BaseEstimator):
            used.add(type(value))
            for parameter in value.get_params(deep=False).values():
                visit(parameter)

    for kind in KINDS.values():
        visit(kind.model)
    without = {"Kernel", "Problem", "OnlineLearner", "ToRecords"}  # they are bases, or hold code of others
    # A problem makes templates of what it is given, and a learner may be given them.
    assert {cls.__name__ for cls in used} >= public_classes().keys() - without - {"Templates"}


def fitted_attributes(model: Any) -> dict[str, Any]:
    found = {}
    for name in dir(model):
        if name.endswith("_") and not name.startswith("_"):
            with suppress(AttributeError, NotImplementedError, ValueError):
                found[name] = getattr(model, name)
    return found


def assert_same_types(one: Any, other: Any, where: str) -> None:
    assert type(one) is type(other), where
    if isinstance(one, np.ndarray):
        assert (one.dtype, one.shape) == (other.dtype, other.shape), where
    elif isinstance(one, list | tuple):
        assert len(one) == len(other), where
        for place, pair in enumerate(zip(one, other, strict=True)):
            assert_same_types(*pair, f"{where}[{place}]")
    elif isinstance(one, BaseEstimator):
        mine, others = fitted_attributes(one), fitted_attributes(other)
        assert mine.keys() == others.keys(), where
        for name, value in mine.items():
            assert_same_types(value, others[name], f"{where}.{name}")


@pytest.mark.parametrize("name", KINDS)
def test_loading_returns_the_types_that_fit_sets(name, tmp_path):
    kind: Kind = KINDS[name]
    model = clone(kind.model).fit(*kind.data.fit)
    hedgerow.save(model, tmp_path / "a.model")
    assert_same_types(hedgerow.load(tmp_path / "a.model"), model, name)
