"""What users of CRFsuite get by default: names, chunks and parts of speech, one thread, seconds of CPU time.

`SequenceSVC()` with nothing set, on tuples of words and tags, beside CRFsuite's L-BFGS on the same
feature strings (conll2002, Spanish names, testa; conll2000, English chunks; parts of speech of the English Web Treebank
from words alone). Hedgerow's time has the making of features in it, CRFsuite's has not. CRFsuite takes minutes for each
set; it ends after 100 iterations, as in the tutorials of sklearn-crfsuite, unless told otherwise. Files of models are
compared too, and predictions from them, which include making the features.
"""

from __future__ import annotations

import argparse
import gzip
import re
import tempfile
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
from data import DATA
from rich.console import Console

import hedgerow
from hedgerow.structured import SequenceSVC, Templates, span_scores
from hedgerow_papers.datasets import load_conll2000, load_conll2002_esp

console = Console(highlight=False, soft_wrap=True)
Sentences = list[list[Any]]
Score = Callable[[Any, Any], float]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sets", nargs="+", choices=SETS, default=list(SETS))
    parser.add_argument("--iterations", type=int, default=100, help="of L-BFGS, at most")
    options = parser.parse_args()
    hedgerow.set_n_jobs(1)
    if not DATA.is_dir():
        console.print(f"no data folder at {DATA} (set HEDGEROW_DATA)")
        return
    for name in options.sets:
        X, Y, X_test, Y_test, score = SETS[name]()
        console.print(f"\n[bold]{name}[/]: {len(X):,} sentences to learn from, {len(X_test):,} to test")
        start = process_time()
        model = SequenceSVC(random_state=0).fit(X, Y)
        seconds = process_time() - start
        own = score(Y_test, model.predict(X_test))
        console.print(f"  SequenceSVC()     {seconds:8.1f} s   {own:.2f}")
        show_files(model, X_test)
        if find_spec("pycrfsuite") is None:
            console.print("  CRFsuite (pip install python-crfsuite) is not installed")
            continue
        other, other_seconds, iterations = crfsuite(X, Y, X_test, Y_test, score, options.iterations)
        console.print(f"  CRFsuite, L-BFGS  {other_seconds:8.1f} s   {other:.2f}, {iterations} iterations")
        console.print(
            f"  {seconds / other_seconds:.3f} of its time (at most 0.333 wanted), {own - other:+.2f} points"
        )


def show_files(model: SequenceSVC, X_test: Sentences) -> None:
    """How large its files are, and how long predictions from them take; all predict the same."""
    predicted = model.predict(X_test)
    kinds: dict[str, dict[str, Any]] = {
        "to go on from": {},
        "final": {"resumable": False},
        "final, float32": {"resumable": False, "dtype": "float32"},
    }
    for kind, options in kinds.items():
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "model"
            hedgerow.save(model, str(path), **options)
            size = path.stat().st_size
            loaded = hedgerow.load(str(path))
        times = []
        for _ in range(3):
            start = process_time()
            again = loaded.predict(X_test)
            times.append(process_time() - start)
        differ = sum(a != b for x, y in zip(predicted, again, strict=True) for a, b in zip(x, y, strict=True))
        console.print(
            f"    file {kind:14} {size / 1e6:7.1f} MB, predicts in {min(times):.2f} s, {differ} labels differ"
        )


def crfsuite(
    X: Sentences, Y: Sentences, X_test: Sentences, Y_test: Sentences, score: Score, iterations: int
) -> tuple[float, float, int]:
    import pycrfsuite

    trainer = pycrfsuite.Trainer("lbfgs", {"max_iterations": iterations}, verbose=False)
    for x, y in zip(features(X), Y, strict=True):
        trainer.append(x, y)
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "model")
        start = process_time()
        trainer.train(path)
        seconds = process_time() - start
        tagger = pycrfsuite.Tagger()
        file = Path(path).read_bytes()
        tagger.open_inmemory(file)
        start = process_time()
        found = [tagger.tag(x) for x in features(X_test)]
        console.print(
            f"    CRFsuite's file {len(file) / 1e6:7.1f} MB, predicts in {process_time() - start:.2f} s"
        )
    return score(Y_test, found), seconds, trainer.logparser.last_iteration["num"]


def features(X: Sentences) -> Iterator[list[list[str]]]:
    """Those that hedgerow makes by default."""
    first = X[0][0]
    templates = Templates.for_columns(1 if isinstance(first, str) else len(first))
    return map(templates.features, X)


def names() -> tuple[Any, ...]:
    return *load_conll2002_esp(DATA), *load_conll2002_esp(DATA, "testa"), spans


def chunks() -> tuple[Any, ...]:
    return *load_conll2000(DATA), *load_conll2000(DATA, "test"), spans


def parts_of_speech() -> tuple[Any, ...]:
    return *tagged("train"), *tagged("test"), tokens


def tagged(subset: str) -> tuple[Sentences, Sentences]:
    """Words and parts of speech of the trees."""
    with gzip.open(DATA / "ewt_trees" / f"{subset}.tsv.gz", "rt") as file:
        found = [re.findall(r"\(([^\s()]+) ([^\s()]+)\)", line.split("\t")[1]) for line in file]
    return [[word for _, word in some] for some in found], [[tag for tag, _ in some] for some in found]


def spans(true: Any, predicted: Any) -> float:
    return 100 * float(span_scores(true, predicted).f1)


def tokens(true: Any, predicted: Any) -> float:
    return 100 * float(np.mean(np.concatenate(true) == np.concatenate(predicted)))


SETS = {"conll2002": names, "conll2000": chunks, "ewt": parts_of_speech}

if __name__ == "__main__":
    main()
