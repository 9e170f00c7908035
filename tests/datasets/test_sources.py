"""The registry of data sets: complete, and in keeping with loaders and conversions."""

from __future__ import annotations

import gzip
import hashlib
import re
import subprocess
import sys

import pytest

from hedgerow.datasets import sources
from hedgerow.datasets.conversions import CONVERSIONS
from hedgerow.datasets.fetching import find_file

SETS = sources()


def check_facts(name, data_set):
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
        assert (file.conversion is not None) == bool(file.originals)
        if file.originals:  # something tells right from wrong
            checked = all(data_set.originals[key].sha256 for key in file.originals)
            assert checked or file.sha256
    assert {key for file in data_set.files.values() for key in file.originals} == set(data_set.originals)


def check_checksums(known, data_folder):
    """The reference has parts of the training questions and posts only."""
    for data_set in known.values():
        for file in data_set.files.values():
            if file.sha256 is None or file.name == "qc/train.ct.tk":
                continue
            path = find_file(data_folder, file.name)
            content = gzip.decompress(path.read_bytes())
            assert hashlib.sha256(content).hexdigest() == file.sha256, file.name


def conversions_of(known):
    return {file.conversion for data_set in known.values() for file in data_set.files.values()} - {None}


@pytest.mark.parametrize("name", SETS)
def test_facts(name):
    check_facts(name, SETS[name])


def test_every_conversion_is_used():
    assert conversions_of(SETS) == set(CONVERSIONS.values())


def test_where():
    assert re.fullmatch(r"a9a comes from https://\S+ and 1 more \(terms: .*\)", SETS["a9a"].where())


@pytest.mark.shared_data
def test_checksums_are_those_of_the_reference(data_folder):
    check_checksums(SETS, data_folder)


def test_importing_needs_no_matplotlib():
    program = "import sys, hedgerow.datasets; assert 'matplotlib' not in sys.modules"
    subprocess.run([sys.executable, "-c", program], check=True)
