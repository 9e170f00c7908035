"""The registry of data sets: complete, and in keeping with loaders and conversions."""

from __future__ import annotations

import gzip
import hashlib
import inspect
import re

import pytest

from hedgerow import datasets
from hedgerow.datasets import sources
from hedgerow.datasets.conversions import CONVERSIONS
from hedgerow.datasets.folders import find_file

SETS = sources()


def test_every_loader_has_a_source():
    """Docstrings of loaders name the folder that they read."""
    loaders = [name for name in datasets.__all__ if name.startswith("load_") and name != "load_questions"]
    for name in loaders:
        text = inspect.getdoc(getattr(datasets, name))
        folders = re.findall(r"``([a-z]\w+)/", text)
        assert folders, name
        assert set(folders) <= set(SETS), name


@pytest.mark.parametrize("name", SETS)
def test_facts(name):
    data_set = SETS[name]
    assert data_set.name == name
    assert data_set.title
    assert data_set.terms
    assert bool(data_set.originals) != bool(data_set.made_from)
    for original in data_set.originals.values():
        assert original.address.startswith("http")
        assert original.sha256 is None or re.fullmatch("[0-9a-f]{64}", original.sha256)
    for file in data_set.files.values():
        assert file.name.startswith(f"{name}/")
        assert set(file.originals) <= set(data_set.originals)
        assert (file.conversion in CONVERSIONS) == bool(file.originals)
        if file.originals:  # something tells right from wrong
            checked = all(data_set.originals[key].sha256 for key in file.originals)
            assert checked or file.sha256


def test_every_original_and_conversion_is_used():
    for data_set in SETS.values():
        used = {key for file in data_set.files.values() for key in file.originals}
        assert used == set(data_set.originals)
    used = {file.conversion for data_set in SETS.values() for file in data_set.files.values()}
    assert used - {None} == set(CONVERSIONS)


def test_where():
    assert "cannot be fetched: it is made of" in SETS["srl_ewt"].where()
    assert "load_srl_boundaries" in SETS["srl_ewt"].where()
    assert re.fullmatch(r"a9a comes from https://\S+ and 1 more \(terms: .*\)", SETS["a9a"].where())


@pytest.mark.shared_data
def test_checksums_are_those_of_the_reference(data_folder):
    """The reference has parts of the training questions and posts only."""
    for data_set in SETS.values():
        for file in data_set.files.values():
            if file.sha256 is None or file.name == "qc/train.ct.tk":
                continue
            path = find_file(data_folder, file.name)
            content = gzip.decompress(path.read_bytes())
            assert hashlib.sha256(content).hexdigest() == file.sha256, file.name
