"""Test accuracy of the default, `hedgerow.auto`, beside plain features with a LinearSVC whose C is tuned the same way.

Needs the data folder (HEDGEROW_DATA): TREC questions as parse trees and as dependency trees, Adult, SMS spam, SemEval's
relations, programs of POJ-104 (with the extra ``code``). Names on the command line run some of these.
"""

from __future__ import annotations

import gzip
import json
import re
import sys
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
from data import DATA
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.pipeline import Pipeline
from sklearn.svm import LinearSVC

import hedgerow
from hedgerow import Forest
from hedgerow.io import read_svmlight_tk

COSTS = (0.01, 0.1, 1.0, 10.0)
MARKED = re.compile(r"(.*)<e1>(.*)</e1>(.*)<e2>(.*)</e2>(.*)")
TOKEN = re.compile(r"\w+|[^\w\s]")
WORDS, TOKENS = r"\b\w\w+\b", r"\S+"  # of TF-IDF


def coarse(labels: Any) -> Any:
    return np.array([str(label).partition(":")[0] for label in labels])


def lines(name: str) -> Iterator[list[str]]:
    with gzip.open(DATA / name, "rt", encoding="utf-8") as file:
        for line in file:
            yield line.rstrip("\n").split("\t")


def questions(form: str) -> tuple[Any, ...]:
    train, test = (read_svmlight_tk(DATA / "qc" / f"{part}.{form}.tk.gz") for part in ("train", "test"))
    texts = [[row[3] for row in lines(f"qc/{part}.tsv.gz")] for part in ("train", "test")]
    return train[0], coarse(train[1]), test[0], coarse(test[1]), *texts


def adult() -> tuple[Any, ...]:
    X, y = read_svmlight_tk(DATA / "a9a" / "train.libsvm.gz", n_features=123)[:2]
    X_test, y_test = read_svmlight_tk(DATA / "a9a" / "test.libsvm.gz", n_features=123)[:2]
    return X, y, X_test, y_test, X, X_test


def messages() -> tuple[Any, ...]:
    rows = list(lines("sms_spam/all.tsv.gz"))
    texts, y = [row[1] for row in rows], np.array([row[0] for row in rows])
    train, test, y_train, y_test = train_test_split(texts, y, test_size=0.3, stratify=y, random_state=0)
    return train, y_train, test, y_test, train, test


def relations() -> tuple[Any, ...]:
    """Without a parser: what is before, in, between and after the two marked words. Trees have a node for each of these
    parts, with its words below it; plain words begin with its name."""
    found: list[Any] = []
    for part in ("train", "test"):
        rows = list(lines(f"semeval2010_task8/{part}.tsv.gz"))
        parts = [_parts(row[2]) for row in rows]
        words = [" ".join(f"{name}_{word}" for name, own in one.items() for word in own) for one in parts]
        found.append((Forest([_flat_tree(one) for one in parts]), np.array([row[1] for row in rows]), words))
    (X, y, words), (X_test, y_test, words_test) = found
    return X, y, X_test, y_test, words, words_test


def _parts(sentence: str) -> dict[str, list[str]]:
    match = MARKED.match(sentence)
    assert match is not None
    names = ("before", "first", "between", "second", "after")
    return {name: TOKEN.findall(text) for name, text in zip(names, match.groups(), strict=True)}


def _flat_tree(parts: dict[str, list[str]]) -> str:
    """In small letters, as TF-IDF takes words, with brackets as the Penn Treebank has them."""
    written = {"(": "-LRB-", ")": "-RRB-"}
    nodes = (
        f"({name} {' '.join(written.get(word, word.lower()) for word in words)})"
        for name, words in parts.items()
    )
    return f"(sentence {' '.join(nodes)})"


def programs() -> tuple[Any, ...]:
    """Syntax trees; 20 programs of each of 104 problems to learn from, 10 to test."""
    found: list[Any] = []
    for part, n in (("train", 20), ("dev", 10)):
        seen: dict[str, list[str]] = {}
        for problem, source in lines(f"poj104/{part}.tsv.gz"):
            seen.setdefault(problem, []).append(json.loads(source))
        sources = [source for of_problem in seen.values() for source in of_problem[:n]]
        y = np.array([problem for problem, of_problem in seen.items() for _ in of_problem[:n]])
        found.append(
            (Forest.from_source(sources, "cpp"), y, [" ".join(TOKEN.findall(one)) for one in sources])
        )
    (X, y, words), (X_test, y_test, words_test) = found
    return X, y, X_test, y_test, words, words_test


def plain(train: Any, y: Any, test: Any, y_test: Any, pattern: str) -> float:
    """TF-IDF of words where there are texts; C, and sequences of words, by cross-validation."""
    steps = [("machine", LinearSVC())]
    grid: dict[str, Any] = {"machine__C": COSTS}
    if isinstance(train, list):
        steps.insert(0, ("words", TfidfVectorizer(sublinear_tf=True, token_pattern=pattern)))
        grid["words__ngram_range"] = [(1, 1), (1, 2)]
    search = GridSearchCV(Pipeline(steps), grid, cv=3).fit(train, y)
    return float(search.score(test, y_test))


def main() -> None:
    if not DATA.is_dir():
        print(f"no data folder at {DATA} (set HEDGEROW_DATA): nothing to run on")
        return
    sets = {
        "questions (ct)": (lambda: questions("ct"), WORDS),
        "questions (grct)": (lambda: questions("grct"), WORDS),
        "a9a": (adult, WORDS),
        "sms_spam": (messages, WORDS),
        "semeval2010_task8": (relations, TOKENS),
        "poj104": (programs, TOKENS),
    }
    print(f"{'data':18}{'default':>9}{'plain':>9}{'CPU s':>8}  chosen")
    for name in sys.argv[1:] or sets:
        load, pattern = sets[name]
        X, y, X_test, y_test, words, words_test = load()
        started = time.process_time()
        model = hedgerow.auto(X, y)
        seconds = time.process_time() - started
        score, other = model.score(X_test, y_test), plain(words, y, words_test, y_test, pattern)
        what = " ".join(repr(model).split())
        print(f"{name:18}{score:9.4f}{other:9.4f}{seconds:8.1f}  {what}: {model.chosen_}", flush=True)


if __name__ == "__main__":
    main()
