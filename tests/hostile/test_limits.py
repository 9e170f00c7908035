"""What one input may cost is limited, and said before it takes time."""

from __future__ import annotations

import itertools
import json
import os
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

import hedgerow
from hedgerow import Forest, FormatError
from hedgerow.inspection import explain
from hedgerow.io import read_svmlight_tk
from hedgerow.kernels import Linear, Normalized, PartialTree, Subsequence, SubsetTree
from hedgerow.online import Perceptron
from hedgerow.structured import PCFG
from hedgerow.svm import SVC
from tests.hostile.children import each_in_a_child
from tests.interrupting import output_of_interrupted

RAISED = "hedgerow.set_limits or the environment variable HEDGEROW_LIMITS raises it"


@pytest.fixture(autouse=True)
def _limits():
    before = hedgerow.get_limits()
    yield
    hedgerow.set_limits(**before)


def chain(n: int, leaf: str = "b") -> str:
    """Equal nodes, one below the other."""
    return "(A " * n + leaf + ")" * n


def star(n: int) -> str:
    """Equal nodes side by side."""
    return "(S" + " (A b)" * n + ")"


# -- the setting ------------------------------------------------------------------------------------------------


def test_limits_that_are_not_named_stay():
    hedgerow.set_limits(nodes=5, pairs=None)
    hedgerow.set_limits(depth=7)
    assert hedgerow.get_limits() == {"nodes": 5, "depth": 7, "pairs": None}


@pytest.mark.parametrize("wrong", [0, -1, 1.5, True, "many", float("inf")])
def test_wrong_limits(wrong):
    with pytest.raises(ValueError, match="nodes must be a whole number of at least 1, or None for no limit"):
        hedgerow.set_limits(nodes=wrong)


def test_unknown_limits():
    with pytest.raises(TypeError, match="limits are nodes, depth, pairs, got seconds"):
        hedgerow.set_limits(seconds=3)


def in_environment(setting: str, program: str) -> str:
    process = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "HEDGEROW_LIMITS": setting},
        capture_output=True,
        text=True,
    )
    return process.stdout + process.stderr


def test_environment():
    program = "import hedgerow; print(hedgerow.get_limits())"
    found = in_environment("pairs=1e12, depth=none", program)
    assert found == "{'nodes': 10000000, 'depth': None, 'pairs': 1000000000000}\n"
    assert "HEDGEROW_LIMITS must be like 'pairs=1e12,depth=none', got 'pairs'" in in_environment(
        "pairs", program
    )


def test_environment_of_forests():
    """It counts though nobody asks for limits."""
    program = "import hedgerow; hedgerow.Forest(['(a (b c))'])"
    assert f"the tree has 3 nodes or more, more than the limit nodes=2; {RAISED}" in in_environment(
        "nodes=2", program
    )


# -- readers ----------------------------------------------------------------------------------------------------


def test_large_trees_of_files(tmp_path):
    path = tmp_path / "trees"
    path.write_text("(S (A b))\n(S (A b) (A b))\n(S c)\n", encoding="utf-8")
    hedgerow.set_limits(nodes=4)
    with pytest.raises(
        FormatError, match=rf"trees, line 2, column 1: the tree has 5 nodes or more.*; {RAISED}$"
    ):
        Forest.read(path)
    for layout in ("lines", "free"):
        forest, (error,) = Forest.read(path, errors="collect", layout=layout)
        assert forest.to_brackets() == ["(S (A b))", "(S c)"]
        assert error.line == 2
    hedgerow.set_limits(nodes=5)
    assert len(Forest.read(path)) == 3


def test_trees_of_nltk():
    nltk = pytest.importorskip("nltk")
    trees = [nltk.Tree.fromstring(text) for text in ("(S (A b))", chain(4))]
    hedgerow.set_limits(nodes=4)
    with pytest.raises(
        FormatError, match=rf"item 1: the tree has 5 nodes, more than the limit nodes=4; {RAISED}$"
    ):
        Forest(trees)
    with pytest.raises(FormatError, match="item 3: the tree has 5 nodes"):
        Forest(["(a b)", "(a b)", *trees])
    hedgerow.set_limits(nodes=None, depth=4)
    with pytest.raises(FormatError, match="item 1: the tree has a depth of 5, more than the limit depth=4"):
        Forest(trees)
    hedgerow.set_limits(depth=5)
    assert Forest(trees).to_brackets() == ["(S (A b))", chain(4)]


def test_trees_of_programs():
    given = [*"abcd", *"abc"], [0, 1, 1, 1, 0, 0, 2], [4, 3]
    hedgerow.set_limits(depth=3)
    with pytest.raises(FormatError, match="item 0: the tree has a depth of 4, more than the limit depth=3"):
        Forest.from_postorder(*given)
    hedgerow.set_limits(depth=4, nodes=3)
    with pytest.raises(FormatError, match="item 0: the tree has 4 nodes, more than the limit nodes=3"):
        Forest.from_postorder(*given)
    hedgerow.set_limits(nodes=4)
    forest = Forest.from_postorder(*given)
    hedgerow.set_limits(nodes=1)
    assert pickle.loads(pickle.dumps(forest)) == forest


def test_long_sentences():
    tree = "(S (S a) (S a))"
    grammar = PCFG().fit([tree, f"(S {tree} (S a))"], [tree, f"(S {tree} (S a))"])
    hedgerow.set_limits(pairs=10_000)
    assert len(Forest([grammar.predict([["S"] * 20])[0]])) == 1
    words = (
        rf"a sentence of 80 words has taken \d+ steps to parse, more than the limit pairs=10000; {RAISED}$"
    )
    with pytest.raises(ValueError, match=words):
        grammar.predict([["S"] * 80])


def test_deep_trees_of_files(tmp_path):
    path = tmp_path / "trees.tk"
    path.write_text(f"1 |BT| {chain(3)} |ET|\n-1 |BT| {chain(4)} |ET|\n", encoding="utf-8")
    hedgerow.set_limits(depth=4)
    words = rf"trees.tk, line 2, column 9: the tree has a depth of 5 or more, more than the limit depth=4; {RAISED}$"
    with pytest.raises(FormatError, match=words):
        read_svmlight_tk(path)
    with pytest.raises(FormatError, match="item 1, column 1: the tree has a depth of 5 or more"):
        Forest([chain(3), chain(4)])
    hedgerow.set_limits(depth=5)
    assert Forest([chain(3), chain(4)]).n_nodes == 9


@pytest.mark.parametrize("leaf", ["c", "(c)"])
def test_a_leaf_in_brackets_is_as_deep_as_another(leaf):
    hedgerow.set_limits(depth=3)
    assert len(Forest([f"(A (B {leaf}))"])) == 1
    hedgerow.set_limits(depth=2)
    with pytest.raises(FormatError, match="depth of 3"):
        Forest([f"(A (B {leaf}))"])


@pytest.mark.parametrize(
    ("make", "good", "large", "deep"),
    [
        (Forest.from_json, "[1]", "[1, 2, 3, 4]", "[[[1]]]"),
        (Forest.from_xml, "<a><b/></a>", "<a><b/><b/><b/><b/></a>", "<a><b><c><d/></c></b></a>"),
    ],
    ids=["json", "xml"],
)
def test_documents(make, good, large, deep):
    hedgerow.set_limits(nodes=4, depth=3)
    for bad, what in ((large, "the tree has 5 nodes"), (deep, "the tree has a depth of 4")):
        with pytest.raises(FormatError, match=f"item 1.*: {what}, more than the limit"):
            make([good, bad])
        forest, (error,) = make([good, bad, good], errors="collect")
        assert (len(forest), error.item) == (2, 1)


# -- kernels ----------------------------------------------------------------------------------------------------

DEAR = {
    "chain under subset trees": (SubsetTree(), Forest([chain(150_000), chain(150_000, "c")])),
    "normalised": (Normalized(SubsetTree()), Forest([chain(150_000), chain(150_000, "c")])),
    "chain under partial trees": (PartialTree(), Forest([chain(150_000), chain(150_000, "c")])),
    "star under partial trees": (PartialTree(), Forest([star(200_000), star(200_000)])),
    "bounded sequences": (PartialTree(max_length=20_000), Forest([star(30_000), star(30_000)])),
    "strings": (Subsequence(2), ["ab" * 50_000, "ba" * 50_000]),
    "long subsequences": (Subsequence(2000), ["ab" * 2000, "ba" * 2000]),
}


@pytest.mark.parametrize("name", DEAR)
def test_dear_pairs_are_refused_at_once(name):
    """Each would take minutes."""
    kernel, items = DEAR[name]
    uses = (
        lambda: kernel(items),
        lambda: kernel(items[:1], items[1:]),
        lambda: kernel.diag(items),
        lambda: Perceptron(kernel, averaging="average").fit(items, [0, 1]).decision_function(items),
        lambda: SVC(kernel).fit(items, [0, 1]),
    )
    for use in uses:
        with pytest.raises(
            ValueError, match=rf"steps to compare a .* of this size, more than the limit pairs=.*; {RAISED}"
        ):
            use()


def test_a_model_refuses_what_is_too_dear_and_goes_on():
    trees = Forest([chain(40), "(A (B c))"])
    model = SVC(Normalized(SubsetTree())).fit(trees, [0, 1])
    expected = model.decision_function(trees)
    hedgerow.set_limits(pairs=3000)
    for _ in range(2):
        with pytest.raises(ValueError, match="limit pairs=3000"):
            model.decision_function(Forest([chain(100)]))
        np.testing.assert_array_equal(model.decision_function(trees), expected)


def test_equal_subtrees_cost_once():
    """A flat tree has as many pairs of nodes as a chain, but only one subtree."""
    assert Normalized(SubsetTree())(Forest([star(200_000)])) == 1
    few = Forest(["(S " + " ".join(f"(A{i} b)" for i in range(100_000)) + ")"])
    assert np.isfinite(PartialTree()(few)).all()


def test_raising_a_limit():
    trees = Forest([chain(60)])
    hedgerow.set_limits(pairs=1000)
    with pytest.raises(ValueError, match=r"it takes about 3.5e\+03 steps"):
        SubsetTree()(trees)
    hedgerow.set_limits(pairs=3482)
    assert SubsetTree()(trees).shape == (1, 1)


PROGRAM = """
import hedgerow
from hedgerow.kernels import PartialTree, RBF, Subsequence, SubsetTree

hedgerow.set_limits(pairs=None)
hedgerow.set_n_jobs(1)
chain = hedgerow.Forest(["(A " * 200_000 + "b" + ")" * 200_000])
star = hedgerow.Forest(["(S" + " (A b)" * 100_000 + ")"])
print("ready", flush=True)
try:
    CALL
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "call",
    [
        "SubsetTree()(chain)",
        "PartialTree()(chain)",
        "PartialTree()(star)",
        "PartialTree(max_length=50)(star)",
        "Subsequence(4)(['abcd' * 50_000])",
    ],
)
def test_one_pair_can_be_interrupted(call):
    assert output_of_interrupted(PROGRAM.replace("CALL", call), timeout=20) == "interrupted\n"


# -- memory -----------------------------------------------------------------------------------------------------

# How many times the size of a text its reader needs, as docs/api/data.md says.
BRACKETS, JSON, CONLLU = 25, 25, 10
TEXTS = {
    "brackets of small trees": ("brackets", "(a b)\n"),
    "brackets of wide trees": ("brackets", "(a" + " b" * 50_000 + ")\n"),
    "brackets of deep trees": ("brackets", chain(5000) + "\n"),
    "broken lines": ("brackets", "(a\n" + "(b c)\n" * 5000 + ")\n"),
    "trees with vectors": ("svmlight-tk", "1 |BT| (a b) |ET| 1:1\n"),
    "wide trees": ("svmlight-tk", "1 |BT| (a" + " b" * 50_000 + ") |ET|\n"),
    "nothing but labels": ("svmlight-tk", "1\n"),
    "arrays": ("json", json.dumps([1] * 50) + "\n"),
    "long arrays": ("json", json.dumps([1] * 100_000) + "\n"),
    "sentences": ("conllu", "".join(f"{i + 1}\ta\t_\t_\t_\t_\t{i}\t_\t_\t_\n" for i in range(20)) + "\n"),
}
READERS = {
    "brackets": (Forest.read, BRACKETS),
    "svmlight-tk": (read_svmlight_tk, BRACKETS),
    "json": (lambda path: Forest.from_json(path.open(encoding="utf-8")), JSON),
    "conllu": (Forest.from_conllu, CONLLU),
}


def resident(key: str) -> int:
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(key))


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks at /proc")
@pytest.mark.parametrize("name", TEXTS)
def test_memory_of_readers(name, tmp_path):
    kind, part = TEXTS[name]
    read, multiple = READERS[kind]
    path = tmp_path / "file"
    with path.open("w", encoding="utf-8") as file:
        file.writelines(itertools.repeat(part, 12_000_000 // len(part)))
    size = path.stat().st_size

    def peak(_: None) -> float:
        before = resident("VmRSS")
        read(path)
        return (resident("VmHWM") - before) / size

    ((_, found),) = each_in_a_child([None], peak, seconds=60, megabytes=4096)
    assert found < multiple


# -- explanations -----------------------------------------------------------------------------------------------


def test_features_that_nobody_has_take_no_memory():
    """A dot product over a billion columns, of which four are ever used."""
    X = sparse.csr_array(([1.0, 2.0, 1.0, 3.0], ([0, 0, 1, 1], [0, 2**30 - 1, 1, 2**29])), shape=(2, 2**30))
    model = SVC(Linear()).fit(X, ["a", "b"])

    ((_, outcome),) = each_in_a_child([X[:1]], lambda rows: str(explain(model, rows)[0]), 20, 500)
    assert f"feature {2**30 - 1}" in outcome
