"""Running commands, and data for them."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from scipy import sparse
from typer.testing import CliRunner

from hedgerow.cli.app import app
from hedgerow.datasets import load_questions
from hedgerow.io import write_svmlight_tk


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty working folder, into which tests write files by name."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def hedgerow_command():
    """Runs a command: ``.run`` gives the result, ``.good`` its output, ``.sentence`` how it failed."""

    def run(*args, stdin=None):
        return CliRunner().invoke(app, list(map(str, args)), input=stdin)

    def good(*args, stdin=None):
        result = run(*args, stdin=stdin)
        assert result.exit_code == 0, result.output
        assert result.stderr == ""
        return result.stdout

    def sentence(*args, code=1, stdin=None):
        """The one line on standard error of a command that fails and writes nothing to standard output."""
        result = run(*args, stdin=stdin)
        assert result.exit_code == code, result.output
        assert result.stdout == ""
        (line,) = result.stderr.splitlines()
        assert line.startswith("hedgerow: ")
        return line.removeprefix("hedgerow: ")

    return SimpleNamespace(run=run, good=good, sentence=sentence)


@pytest.fixture
def questions(folder):
    """Questions of two classes, of six, and for tests: two.tk, six.tk, test.tk."""
    trees, y = load_questions()
    write_svmlight_tk("six.tk", trees[:240], y[:240])
    write_svmlight_tk("test.tk", trees[240:], y[240:])
    write_svmlight_tk("two.tk", trees[:240], np.where(y[:240] == "NUM", 1, -1))
    write_svmlight_tk("test2.tk", trees[240:], np.where(y[240:] == "NUM", 1, -1))
    return SimpleNamespace(trees=trees, y=y, folder=folder)


@pytest.fixture
def points(folder):
    """Two noisy classes of sparse vectors: points.svm."""
    rng = np.random.default_rng(0)
    y = rng.choice([-1, 1], 200)
    X = rng.normal(size=(200, 6)) + 0.7 * y[:, None]
    X[rng.random(X.shape) < 0.3] = 0
    X = sparse.csr_matrix(X)
    write_svmlight_tk("points.svm", X, y)
    return SimpleNamespace(X=X, y=y, folder=folder)
