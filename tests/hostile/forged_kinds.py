"""Models of every kind as files to be forged, with what is done with them once they are loaded."""

from __future__ import annotations

import copy
import pickle
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import clone

import hedgerow
from hedgerow import Forest, Records
from hedgerow.cli.cluster import ClusterOptions
from hedgerow.cli.scoring import over_files, predicted
from hedgerow.cli.tasks import task_of
from hedgerow.inspection import explain, fragments, weights
from hedgerow.persistence.model_file import FORMAT_VERSION, read_model
from hedgerow.svmlight_tk import (
    SvmlightTkModel,
    SvmlightTkParameters,
    SvmlightTkScorer,
    read_svmlight_tk_model,
    write_svmlight_tk_model,
)
from tests.hostile.forgeable import Forgeable, Use
from tests.hostile.forged_indexes import indexes
from tests.hostile.forged_snapshots import snapshots
from tests.persistence.commands import COMMANDS, write_files
from tests.persistence.kept_models import FOLDER, OF_COMMANDS, read_archive
from tests.persistence.kinds import PARSES, Kind, kinds


def in_folder(folder: Path) -> None:
    """Writes the files that models of the command line read."""
    write_files(folder)


@cache
def forgeables() -> dict[str, Forgeable]:
    """By name. Those of the command line need a folder with its files, see `in_folder`."""
    found = {}
    for group, members in kinds().items():
        files, _ = read_archive(FOLDER / str(FORMAT_VERSION) / f"{group}.zip")
        for name, kind in members.items():
            more = kind.data.more if kind.goes_on else ()
            # Outputs that are strings have their kernel values beside them, which load takes as they are.
            found[f"{group}/{name}"] = Forgeable(
                files.get(name) or _written(kind),
                _uses_of_model(kind.data.new, more),
                not name.startswith("strings"),
            )
    files, _ = read_archive(FOLDER / str(FORMAT_VERSION) / f"{OF_COMMANDS}.zip")
    for name, command in COMMANDS.items():
        found[f"{OF_COMMANDS}/{name}"] = Forgeable(files[name], _uses_by_command(f"new-{command.file}"))
        if served := snapshots(files[name]):
            found[f"snapshots/{name}"] = served
    found |= {f"indexes/{name}": index for name, index in indexes().items()}
    for name, (content, X) in _of_svmlight_tk().items():
        found[f"svmlight-tk/{name}"] = Forgeable(content, _uses_of_svmlight_tk(X))
    return found


def _written(kind: Kind) -> bytes:
    """The file of a kind that is not kept."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.model")
        hedgerow.save(clone(kind.model).fit(*kind.data.fit), path)
        return path.read_bytes()


# -- models of hedgerow -----------------------------------------------------------------------------------------


def _uses_of_model(X: Any, more: Any) -> Callable[[Path], Iterator[Use]]:
    def uses(path: Path) -> Iterator[Use]:
        model: Any = None

        def load() -> None:
            nonlocal model
            model = hedgerow.load(path)

        yield "load", load
        yield "repr", lambda: repr(model)
        for name in dir(type(model)) + sorted(vars(model)):
            if name.endswith("_") and not name.startswith("_"):
                yield name, lambda name=name: getattr(model, name)
        for name in ("predict", "decision_function", "predict_proba", "transform"):
            if hasattr(model, name):
                yield name, lambda name=name: getattr(model, name)(X)
        yield "copy", lambda: copy.deepcopy(model)
        yield "pickle", lambda: pickle.loads(pickle.dumps(model))
        yield "save", lambda: hedgerow.save(model, path)
        yield "load again", lambda: hedgerow.load(path)
        yield "explain", lambda: str(explain(model, X, n_largest=3))
        yield "weights", lambda: str(weights(model, n_largest=3))
        yield "fragments", lambda: str(fragments(model, n_largest=3))
        if not more:
            return
        for time in range(2):
            yield f"partial_fit {time}", lambda: model.partial_fit(*more)
        yield "predict later", lambda: (model.transform if hasattr(model, "transform") else model.predict)(X)
        yield "pickle later", lambda: pickle.loads(pickle.dumps(model))
        yield "save later", lambda: hedgerow.save(model, path)

    return uses


def _uses_by_command(file: str) -> Callable[[Path], Iterator[Use]]:
    def uses(path: Path) -> Iterator[Use]:
        model: Any = None
        task: Any = None

        def load() -> None:
            nonlocal model, task
            model, notes = read_model(path)
            task = task_of(model, notes, str(path))

        yield "load", load
        yield "predict", lambda: list(over_files(predicted, model, task, [file], ClusterOptions(None, None)))

    return uses


# -- models of SVM-light-TK -------------------------------------------------------------------------------------


def _of_svmlight_tk() -> dict[str, tuple[bytes, Any]]:
    trees = Forest(PARSES[:6])
    vectors = sparse.csr_matrix(np.arange(24.0).reshape(6, 4) % 5)
    both = Records(tree=trees, vector=vectors)
    coefficients = np.array([1.0, -0.5, 0.25, -1.0, 0.5, 2.0])
    votes = np.array([1, 2, 5, 6, 7, 9])
    models = {
        "linear": (SvmlightTkParameters(), vectors, {}),
        "polynomial": (SvmlightTkParameters(kernel_type=1), vectors, {}),
        "rbf": (SvmlightTkParameters(kernel_type=2), vectors, {"votes": votes}),
        "trees": (SvmlightTkParameters(kernel_type=5), trees, {"votes": votes, "voting": "voted"}),
        "both": (SvmlightTkParameters(kernel_type=5, combination="+"), both, {}),
    }
    made = {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a")
        for name, (parameters, X, more) in models.items():
            model = SvmlightTkModel(parameters, X, coefficients, threshold=0.25, **more)
            write_svmlight_tk_model(path, model)
            made[name] = (path.read_bytes(), X)
    return made


def _uses_of_svmlight_tk(X: Any) -> Callable[[Path], Iterator[Use]]:
    def uses(path: Path) -> Iterator[Use]:
        scorer: Any = None
        model: Any = None

        def load() -> None:
            nonlocal model, scorer
            model = read_svmlight_tk_model(path)

        def score() -> None:
            nonlocal scorer
            scorer = SvmlightTkScorer(model)
            scorer.decision_function(X)

        yield "load", load
        yield "score", score
        yield "explain", lambda: str(explain(scorer, X, n_largest=3))
        yield "write", lambda: write_svmlight_tk_model(path, model)
        yield "load again", lambda: read_svmlight_tk_model(path)

    return uses
