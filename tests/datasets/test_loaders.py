"""Loaders of data in a local folder: what they read, and what they say when files are missing."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys

import numpy as np
import pytest

from hedgerow import FormatError
from hedgerow.datasets import load_adult, load_ewt_nbest, load_question_types, load_srl_boundaries

LOADERS = [
    (load_adult, "a9a/train.libsvm", "LIBSVM"),
    (load_ewt_nbest, "ewt_nbest/train.jsonl", "cands"),
    (load_question_types, "qc/train.ct.tk", "COARSE:fine"),
    (load_srl_boundaries, "srl_ewt/train.tk", r"\+1 \|BT\| tree \|ET\|"),
]


def write(folder, name, text):
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())


@pytest.mark.parametrize(("load", "name", "content"), LOADERS)
class TestFailures:
    def test_missing_file(self, load, name, content, tmp_path):
        with pytest.raises(FileNotFoundError, match=content) as caught:
            load(tmp_path)
        assert caught.value.filename == str(tmp_path / name)

    def test_missing_folder(self, load, name, content, tmp_path):
        with pytest.raises(FileNotFoundError, match=f"no such data folder; expected {name} in it") as caught:
            load(tmp_path / "nowhere")
        assert caught.value.filename == str(tmp_path / "nowhere")

    def test_unknown_subset(self, load, name, content, tmp_path):
        with pytest.raises(ValueError, match=r"subset must be one of 'train', .*'test', got 'all'"):
            load(tmp_path, "all")


@pytest.mark.parametrize("ending", ["", ".gz"])
def test_adult_has_all_columns_in_both_subsets(tmp_path, ending):
    write(tmp_path, f"a9a/train.libsvm{ending}", "-1 3:1 11:1\n+1 123:1\n")
    write(tmp_path, f"a9a/test.libsvm{ending}", "+1 1:1\n")
    X, y = load_adult(tmp_path)
    np.testing.assert_array_equal(X.nonzero(), [[0, 0, 1], [2, 10, 122]])
    assert y.tolist() == [-1, 1]
    assert load_adult(tmp_path, "test")[0].shape == (1, 123)


def test_question_types(tmp_path):
    write(tmp_path, "qc/train.ct.tk.gz", "DESC:manner |BT| (S how) |ET|\nABBR:exp |BT| (S what) |ET|\n")
    write(tmp_path, "qc/train.lct.tk", "DESC:manner |BT| (how S) |ET|\nABBR:exp |BT| (what S) |ET|\n")
    trees, y = load_question_types(tmp_path)
    assert (trees.to_brackets(), y.tolist()) == (["(S how)", "(S what)"], ["DESC", "ABBR"])
    trees, y = load_question_types(tmp_path, labels="fine", trees="lct")
    assert (trees.to_brackets(), y.tolist()) == (["(how S)", "(what S)"], ["DESC:manner", "ABBR:exp"])
    with pytest.raises(ValueError, match="labels must be one of 'coarse', 'fine', got 'all'"):
        load_question_types(tmp_path, labels="all")
    with pytest.raises(ValueError, match="trees must be one of 'constituency', 'grct', 'lct', got 'ct'"):
        load_question_types(tmp_path, trees="ct")


def test_question_without_a_fine_label(tmp_path):
    write(tmp_path, "qc/test.ct.tk", "DESC:manner |BT| (S how) |ET|\nDESC |BT| (S what) |ET|\n")
    with pytest.raises(FormatError, match="item 1: the label DESC is not of the form COARSE:fine"):
        load_question_types(tmp_path, "test")


def test_srl_boundaries_stop_at_the_limit(tmp_path):
    lines = [f"{'+1' if i % 3 else '-1'} |BT| (S (N w{i})) |ET|\n" for i in range(10)]
    write(tmp_path, "srl_ewt/train.tk.gz", "".join(lines))
    trees, y = load_srl_boundaries(tmp_path)
    for limit in (1, 4, 10, 99):
        part, y_part = load_srl_boundaries(tmp_path, limit=limit)
        assert part.to_brackets() == trees.to_brackets()[:limit]
        np.testing.assert_array_equal(y_part, y[:limit])
    with pytest.raises(ValueError, match="limit must be at least 1 or None, got 0"):
        load_srl_boundaries(tmp_path, limit=0)


def nbest_line(*candidates):
    return json.dumps({"id": "a:0", "gold": "(S a)", "cands": candidates}) + "\n"


@pytest.mark.parametrize("ending", ["", ".gz"])
def test_ewt_nbest(tmp_path, ending):
    first = nbest_line([-1.5, 1, 2, 2, "(S (A a))"], [-2, 2, 2, 2, "(S (B a))"])
    second = nbest_line([-3, 0, 0, 0, "(S a)"])
    write(tmp_path, f"ewt_nbest/test.jsonl{ending}", first + second)
    lists = load_ewt_nbest(tmp_path, "test")
    assert lists.lengths.tolist() == [2, 1]
    assert lists.base_scores.tolist() == [-1.5, -2, -3]
    assert lists.grades.tolist() == [0.5, 1, 1]
    assert lists.brackets.tolist() == [[1, 2, 2], [2, 2, 2], [0, 0, 0]]
    assert lists.trees.to_brackets() == ["(S (A a))", "(S (B a))", "(S a)"]
    assert len(load_ewt_nbest(tmp_path, "test", limit=1)) == 1
    with pytest.raises(ValueError, match="limit must be at least 1 or None, got 0"):
        load_ewt_nbest(tmp_path, "test", limit=0)


@pytest.mark.parametrize("bad", ["{}", "[1]", "{", nbest_line([1, 2, 3]), nbest_line([-1, 1, 1, 1, 7])])
def test_ewt_nbest_says_which_line_is_bad(tmp_path, bad):
    write(tmp_path, "ewt_nbest/dev.jsonl", nbest_line([-3, 0, 0, 0, "(S a)"]) + bad)
    with pytest.raises(FormatError, match=r'dev.jsonl, line 2: expected \{"cands"'):
        load_ewt_nbest(tmp_path, "dev")


def test_importing_needs_no_matplotlib():
    program = "import sys, hedgerow.datasets; assert 'matplotlib' not in sys.modules"
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.shared_data
class TestSharedData:
    @pytest.mark.parametrize(("subset", "size", "positive"), [("train", 32561, 7841), ("test", 16281, 3846)])
    def test_adult(self, data_folder, subset, size, positive):
        X, y = load_adult(data_folder, subset)
        assert (X.shape, int(np.sum(y == 1))) == ((size, 123), positive)

    def test_question_types(self, data_folder):
        coarse = load_question_types(data_folder, "test")[1]
        assert dict(zip(*np.unique(coarse, return_counts=True), strict=True)) == {
            "ABBR": 9,
            "DESC": 138,
            "ENTY": 94,
            "HUM": 65,
            "LOC": 81,
            "NUM": 113,
        }
        for trees in ("constituency", "grct", "lct"):
            forest, fine = load_question_types(data_folder, labels="fine", trees=trees)
            assert (len(forest), len(fine), len(set(fine))) == (4795, 4795, 50)

    def test_srl_boundaries(self, data_folder):
        trees, y = load_srl_boundaries(data_folder, "test")
        assert len(trees) == len(y) == 109931
        assert 0.06 < np.mean(y == 1) < 0.08
