"""Indexes of trees as files to be forged."""

from __future__ import annotations

import copy
import pickle
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hedgerow.kernels import Normalized, PartialTree, SubPath, SubsetTree, SubTree
from hedgerow.neighbors import TreeIndex
from tests.hostile.forgeable import Forgeable, Use
from tests.persistence.kinds import PARSES

INDEXED, ASKED = PARSES[:15], [*PARSES[15:18], PARSES[3], "(unknown)"]


def indexes() -> dict[str, Forgeable]:
    """One of every kind of kernel, with trees that were removed and added."""
    made = {
        "sst": TreeIndex(SubsetTree(decay=0.5), measure="similarity"),
        "sst-distance": TreeIndex(Normalized(SubsetTree())),
        "st": TreeIndex(SubTree(), radius=3.0),
        "pt": TreeIndex(Normalized(PartialTree()), measure="similarity", radius=0.5),
        "subpath": TreeIndex(SubPath(), radius=2.5),
    }
    return {name: Forgeable(_content(index), _uses) for name, index in made.items()}


def _content(index: TreeIndex) -> bytes:
    index.fit(INDEXED[:12]).remove([2, 7])
    index.add(INDEXED[12:])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.index")
        index.save(path)
        return path.read_bytes()


def _uses(path: Path) -> Iterator[Use]:
    index: Any = None

    def load() -> None:
        nonlocal index
        index = TreeIndex.load(path)

    yield "load", load
    yield "repr", lambda: repr(index)
    yield "numbers", lambda: (len(index), index.numbers_, index.n_samples_fit_)
    yield "trees", lambda: index.trees(index.numbers_).to_brackets()
    yield "missing tree", lambda: index.trees([2])
    yield from _searches(index)
    yield "explain a pair", lambda: str(index.explain_pair(int(index.numbers_[0]), ASKED[0]))
    yield "copy", lambda: copy.deepcopy(index).kneighbors(ASKED, 1)
    yield "pickle", lambda: pickle.loads(pickle.dumps(index)).kneighbors(ASKED, 1)
    yield "save", lambda: index.save(path)
    yield "load again", lambda: TreeIndex.load(path)
    yield "add", lambda: index.add(ASKED)
    yield "remove", lambda: index.remove(index.numbers_[:2])
    yield from _searches(index)
    yield "save later", lambda: index.save(path)
    yield "fit", lambda: index.fit(ASKED).kneighbors(ASKED, 1)


def _searches(index: Any) -> Iterator[Use]:
    yield "neighbours", lambda: index.kneighbors(ASKED, 3)
    yield "its own neighbours", lambda: index.kneighbors()
    yield "within a radius", lambda: index.radius_neighbors(ASKED)
    yield "its own within a radius", lambda: index.radius_neighbors()
    yield "graph", lambda: index.kneighbors_graph(ASKED, 2, mode="distance")
