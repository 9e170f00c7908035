"""Every file with trees in the reference data reads without error and writes back to the same trees."""

from __future__ import annotations

import gzip
import json

import numpy as np
import pytest

from hedgerow import Forest
from hedgerow.io import read_ptb, read_svmlight_tk, write_svmlight_tk

pytestmark = [pytest.mark.shared_data, pytest.mark.slow]


def files(data_folder, *patterns):
    found = sorted(file for pattern in patterns for file in data_folder.glob(pattern))
    assert found, f"no {patterns} in {data_folder}"
    return found


def check_brackets(forest: Forest) -> None:
    assert len(forest) > 0
    assert Forest(forest.to_brackets()) == forest


def test_svmlight_tk(data_folder, tmp_path):
    for file in files(data_folder, "*/*.tk.gz"):
        X, y = read_svmlight_tk(file)
        assert len(y) > 0
        copy = tmp_path / "copy.tk"
        write_svmlight_tk(copy, X, y)
        again, y_again = read_svmlight_tk(copy)
        assert again == X, file
        np.testing.assert_array_equal(y_again, y)


def test_libsvm(data_folder):
    for file in files(data_folder, "*/*.libsvm.gz"):
        X, y = read_svmlight_tk(file)
        assert X.shape[0] == len(y) > 0
        assert X.nnz > 0


def test_treebanks(data_folder):
    for file in files(data_folder, "*/*.mrg.gz"):
        forest = Forest.read(file)
        check_brackets(forest)
        assert read_ptb(file) == forest


def test_tables_of_trees(data_folder):
    for file in files(data_folder, "ewt_trees/*.tsv.gz", "ptb_sample/*.tsv.gz", "java_ast/*.tsv.gz"):
        check_brackets(Forest.read(file, field=1))


def bracketed_strings(value):
    """All strings in decoded JSON that are trees."""
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, str) and item.startswith("("):
            yield item
        elif isinstance(item, dict):
            stack.extend(item.values())
        elif isinstance(item, list):
            stack.extend(item)


def test_json_lines(data_folder):
    for file in files(data_folder, "ewt_nbest/*.jsonl.gz", "srl_*/sentences.*.jsonl.gz"):
        with gzip.open(file, "rt") as lines:
            check_brackets(Forest([tree for line in lines for tree in bracketed_strings(json.loads(line))]))
