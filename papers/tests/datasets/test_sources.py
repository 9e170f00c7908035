"""The registry of data sets: complete, and in keeping with loaders, experiments and conversions."""

from __future__ import annotations

import inspect
import re

import pytest

from hedgerow import datasets as library
from hedgerow.datasets import fetch
from hedgerow_papers import datasets
from hedgerow_papers.datasets.conversions import CONVERSIONS
from hedgerow_papers.experiments import EXPERIMENTS, Settings
from tests.datasets.test_sources import check_checksums, check_facts, conversions_of

SETS = datasets.sources()
OWN = {name: data_set for name, data_set in SETS.items() if name not in library.sources()}


def test_every_file_that_experiments_read_is_known():
    known = {file for data_set in SETS.values() for file in data_set.files}
    for experiment in EXPERIMENTS.values():
        assert set(experiment.needed_files(Settings(rows=("*",)))) <= known


def test_every_loader_has_a_source():
    for name in datasets.__all__:
        if name.startswith("load_"):  # its docstring names the folder that it reads
            folders = re.findall(r"``([a-z]\w+)/", inspect.getdoc(getattr(datasets, name)))
            assert folders, name
            assert set(folders) <= set(SETS), name


@pytest.mark.parametrize("name", OWN)
def test_facts(name):
    check_facts(name, OWN[name])


def test_every_conversion_is_used():
    assert conversions_of(OWN) == set(CONVERSIONS.values())


def test_sets_that_cannot_be_fetched(tmp_path):
    assert "cannot be fetched: it is made of" in SETS["srl_ewt"].where()
    assert "load_srl_boundaries" in SETS["srl_ewt"].where()
    with pytest.raises(ValueError, match="ewt_nbest cannot be fetched: it is made by the first stage"):
        fetch(SETS["ewt_nbest"], tmp_path)


@pytest.mark.shared_data
def test_checksums_are_those_of_the_reference(data_folder):
    check_checksums(OWN, data_folder)
