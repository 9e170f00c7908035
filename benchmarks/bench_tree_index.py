"""Nearest functions by tree kernels on java_clones: how many are known clones, and how long a query takes.

For every type of clone, precision at 5 (of at most as many as are known) and mean average precision among the 50
nearest; clones of other types are left out of the ranking. Beside the kernels, TF-IDF over tokens, and a hybrid: the
mean of its cosine and the kernel's value for the 50 nearest of either. The truth is known to be incomplete, so figures
compare methods with each other. Times are processor time of one thread: a query for ten neighbours, and to build the
index; beside them, how many trees a query is compared with exactly.

`--functions N` keeps N functions, clones of the queries first (default 10,000; 0: all), `--queries N` asks for so many.
Trees have names but no keywords and operators, 290 nodes on average; without names (`--identifiers drop`) 140.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import defaultdict
from time import process_time
from typing import Any

import numpy as np
from data import DATA
from rich.console import Console
from rich.table import Table
from sklearn.feature_extraction.text import TfidfVectorizer

from hedgerow import Forest, set_n_jobs
from hedgerow.kernels import parse_kernel
from hedgerow.neighbors import TreeIndex

KERNELS = ("st", "sst(decay=0.4)", "sst(decay=0.1)", "pt", "subpath")
HYBRIDS = ("sst(decay=0.1)", "pt")
NEAREST = 50
TYPES = ("T1", "T2", "VST3", "ST3")
console = Console(highlight=False, soft_wrap=True, width=150)

Truth = dict[int, dict[str, set[int]]]  # of a query, by type, the numbers of its clones


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--functions", type=int, default=10_000)
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument("--identifiers", choices=("keep", "kind", "drop"), default="keep")
    options = parser.parse_args()
    if not (DATA / "java_clones").is_dir():
        console.print(f"no java_clones at {DATA} (set HEDGEROW_DATA): nothing to run on")
        return
    sources, trees, truth = read(options.functions, options.queries, options.identifiers)
    queries = list(truth)
    nodes = trees._native.n_nodes / len(trees)
    console.print(f"{len(trees):,} functions of {nodes:.0f} nodes, {len(queries)} queries, one thread")
    set_n_jobs(1)
    table = Table(
        "", *(f"{kind} {what}" for kind in TYPES for what in ("P@5", "MAP")), "ms", "compared", "fit s"
    )
    words, word_scores, ms = tokens(sources, queries)
    add(table, "TF-IDF", words, truth, f"{ms:.2f}")
    for name in KERNELS:
        ranking, *numbers = nearest(name, trees, queries)
        add(table, name, ranking, truth, *(f"{number:.2f}" for number in numbers))
        if name in HYBRIDS:
            add(table, f"TF-IDF + {name}", hybrid(name, trees, queries, words, word_scores, ranking), truth)
    console.print(table)


def add(table: Table, name: str, ranking: list[list[int]], truth: Truth, *numbers: str) -> None:
    row = (name, *quality(ranking, truth), *numbers)
    console.print(*row)
    table.add_row(*row, *[""] * (len(table.columns) - len(row)))


def read(n: int, n_queries: int, identifiers: Any = "keep") -> tuple[list[str], Forest, Truth]:
    """Sources and trees of some functions, and the clones of the queries among them."""
    with gzip.open(DATA / "java_clones" / "functions.tsv.gz", "rt", newline="\n") as lines:
        code = {name: json.loads(text) for name, text in (line.rstrip("\n").split("\t", 1) for line in lines)}
    clones: dict[str, list[tuple[str, str]]] = defaultdict(list)
    with gzip.open(DATA / "java_clones" / "clones.tsv.gz", "rt") as lines:
        for a, b, kind in (line.split() for line in lines):
            clones[a].append((b, kind))
            clones[b].append((a, kind))
    rng = np.random.default_rng(0)
    by_kind = [sorted(a for a, found in clones.items() if any(k == kind for _, k in found)) for kind in TYPES]
    asked = {
        str(name) for names in by_kind for name in rng.choice(names, n_queries // len(TYPES), replace=False)
    }
    wanted = asked | {other for name in asked for other, _ in clones[name]}
    rest = [str(name) for name in rng.permutation(sorted(code.keys() - wanted))]
    names = sorted(wanted) + rest[: max(n - len(wanted), 0) if n else None]
    wrapped = [f"class A {{\n{code[name]}\n}}" for name in names]
    forest, units = Forest.from_source(
        wrapped, "java", unit="function", tokens=False, identifiers=identifiers, return_units=True
    )
    first = {unit.source: place for place, unit in reversed(list(enumerate(units)))}
    kept = sorted(first)  # a few sources are no function
    number = {names[source]: i for i, source in enumerate(kept)}
    truth: Truth = {}
    for name in sorted(asked & number.keys()):
        found: dict[str, set[int]] = defaultdict(set)
        for other, kind in clones[name]:
            if other in number:
                found[kind].add(number[other])
        truth[number[name]] = found
    return [code[names[i]] for i in kept], forest[np.array([first[i] for i in kept])], truth


def tokens(sources: list[str], queries: list[int]) -> tuple[list[list[int]], Any, float]:
    """The nearest by TF-IDF, all similarities, and milliseconds for ten neighbours."""
    vectors = TfidfVectorizer(token_pattern=r"\w+|[^\w\s]", lowercase=False, sublinear_tf=True).fit_transform(
        sources
    )
    by_word = vectors.T.tocsr()
    scores = np.empty((len(queries), len(sources)), dtype=np.float32)
    start = process_time()
    for row, query in zip(scores, queries, strict=True):
        row[:] = (vectors[query] @ by_word).toarray()[0]
        np.argpartition(-row, 10)
    ms = 1e3 * (process_time() - start) / len(queries)
    scores[np.arange(len(queries)), queries] = -1
    return [np.argsort(-row, kind="stable")[:NEAREST].tolist() for row in scores], scores, ms


def nearest(name: str, trees: Forest, queries: list[int]) -> tuple[list[list[int]], float, float, float]:
    """The nearest; milliseconds for ten neighbours, trees compared for that, and seconds to fit."""
    kernel = parse_kernel(name)
    start = process_time()
    index = TreeIndex(kernel, measure="similarity").fit(trees)
    fitted = process_time() - start
    asked = trees[np.array(queries)]
    start = process_time()
    compared = index._find(asked, 10, -np.inf, np.inf).compared / len(queries)
    ten = 1e3 * (process_time() - start) / len(queries)
    found = index.kneighbors(asked, NEAREST + 1, return_distance=False).tolist()
    without = [[i for i in row if i != query][:NEAREST] for row, query in zip(found, queries, strict=True)]
    return without, ten, compared, fitted


def hybrid(
    name: str,
    trees: Forest,
    queries: list[int],
    words: list[list[int]],
    scores: Any,
    ranking: list[list[int]],
) -> list[list[int]]:
    kernel = parse_kernel(name)
    both = []
    for i, (one, other) in enumerate(zip(words, ranking, strict=True)):
        candidates = sorted({*one, *other})
        values = kernel(trees[np.array([queries[i]])], trees[np.array(candidates)])[0] + scores[i, candidates]
        both.append([candidates[k] for k in np.argsort(-values, kind="stable")[:NEAREST]])
    return both


def quality(ranking: list[list[int]], truth: Truth) -> list[str]:
    cells = []
    for kind in TYPES:
        precisions, averages = [], []
        for row, found in zip(ranking, truth.values(), strict=True):
            wanted = found.get(kind, set())
            if not wanted:
                continue
            others = set().union(*found.values()) - wanted
            hits = np.array([i in wanted for i in row if i not in others], dtype=float)
            precisions.append(hits[:5].sum() / min(5, len(wanted)))
            at_hits = np.cumsum(hits) / np.arange(1, len(hits) + 1)
            averages.append((at_hits * hits).sum() / min(len(wanted), NEAREST))
        cells += [f"{np.mean(precisions):.3f}", f"{np.mean(averages):.3f}"]
    return cells


if __name__ == "__main__":
    main()
