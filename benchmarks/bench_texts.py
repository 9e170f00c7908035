"""Texts: vectors beside scikit-learn's, and spam filters in one pass beside scikit-learn's and river's.

First the processor time of `TextHasher` and of ``HashingVectorizer`` on one thread. Then every learner on weights from
the command line, on a stream of messages: the progressive error (each message is predicted before it is learned from),
the processor time of the whole process and the size of the model. scikit-learn's learners get batches of 100 messages,
which are predicted before they are learned from; river's, where it is installed (`make bench-peers`), get one message
at a time.

    python benchmarks/bench_texts.py                # all
    python benchmarks/bench_texts.py sms            # one stream
"""

from __future__ import annotations

import gzip
import os
import pickle
import random
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from time import process_time
from typing import Any

CLASSES = ["ham", "spam"]
BATCH = 100
DATA = Path(os.environ.get("HEDGEROW_DATA", Path(__file__).parents[2] / "shared" / "data"))
# Names of peers, and what makes them, where they are run.
SCIKIT_LEARN: dict[str, Callable[[Any], Any]] = {
    "SGDClassifier (hinge)": lambda linear: linear.SGDClassifier(),
    "SGDClassifier (log loss)": lambda linear: linear.SGDClassifier(loss="log_loss"),
    "SGDClassifier (perceptron)": lambda linear: linear.Perceptron(),
    "SGDClassifier (PA-I)": lambda linear: linear.SGDClassifier(penalty=None, learning_rate="pa1", eta0=1.0),
}
RIVERS: dict[str, Callable[[Any], Any]] = {
    "LogisticRegression": lambda linear: linear.LogisticRegression(),
    "PAClassifier": lambda linear: linear.PAClassifier(),
}


def streams() -> Iterator[tuple[str, list[str]]]:
    """Lines ``label<tab>text``; those of Enron are in random order, since each of its parts has its own time.

    Its second column, the name of the file, ends in the label.
    """
    if "enron" not in sys.argv[1:]:
        yield "SMS", _lines(DATA / "sms_spam" / "all.tsv.gz")
    if "sms" not in sys.argv[1:]:
        mails = [line for path in sorted((DATA / "enron_spam").glob("*.gz")) for line in _lines(path)]
        mails = ["\t".join(line.split("\t")[::2]) for line in mails]
        random.Random(0).shuffle(mails)
        yield "Enron", mails


def _lines(path: Path) -> list[str]:
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
        return list(file)


def main() -> None:
    if not DATA.is_dir():
        print(f"no data folder at {DATA}; set HEDGEROW_DATA")
        return
    for name, lines in streams():
        compare_vectors(name, [line.split("\t", 1)[1] for line in lines[:5000]])
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "stream.tsv")
            path.write_text("".join(lines), encoding="utf-8")
            compare_filters(name, path, len(lines))


def compare_vectors(name: str, texts: list[str]) -> None:
    from sklearn.feature_extraction.text import HashingVectorizer

    from hedgerow.feature_extraction import TextHasher

    print(f"{name}: vectors of {len(texts)} texts, times of the processor on one thread")
    for analyzer, ngrams in (("word", (1, 1)), ("word", (1, 2)), ("char_wb", (2, 4))):
        peers = {
            "scikit-learn": HashingVectorizer(n_features=2**20, analyzer=analyzer, ngram_range=ngrams),
            "hedgerow": TextHasher(analyzer=analyzer, ngrams=ngrams, n_jobs=1),
        }
        times = {peer: min(_time(vectorizer, texts) for _ in range(3)) for peer, vectorizer in peers.items()}
        rates = ", ".join(f"{peer} {len(texts) / seconds:,.0f} a second" for peer, seconds in times.items())
        ratio = times["scikit-learn"] / times["hedgerow"]
        print(f"  {analyzer} {ngrams[0]} to {ngrams[1]}: {rates}; ratio {ratio:.1f}", flush=True)


def _time(vectorizer: Any, texts: list[str]) -> float:
    begin = process_time()
    vectorizer.transform(texts)
    return process_time() - begin


def compare_filters(name: str, path: Path, n: int) -> None:
    from hedgerow import registry

    print(
        f"\n{name}: {n} messages\n\n| learner | mistakes | error | seconds | model |\n|---|---|---|---|---|"
    )
    for learner, row in registry.learners().items():
        if row.on_weights:
            model = path.with_suffix(".model")
            run = f"train {path} -o {model} --format text --classes ham,spam --learner {learner}"
            said, seconds = _run([sys.executable, "-m", "hedgerow", *run.split()])
            error = float(said.strip().splitlines()[-1].split()[1])
            _print(f"`{learner}`", round(error * n), n, seconds, model.stat().st_size)
    for library, module, peers in (("scikit-learn", "sklearn", SCIKIT_LEARN), ("river", "river", RIVERS)):
        for peer in peers if find_spec(module) else ():
            said, seconds = _run([sys.executable, __file__, "--peer", library, peer, str(path)])
            mistakes, size = map(int, said.split()[-2:])
            _print(f"{library}: {peer}", mistakes, n, seconds, size)
    print()


def _print(learner: str, mistakes: int, n: int, seconds: float, size: int) -> None:
    amount = f"{size / 1000:,.0f} kB"
    print(f"| {learner} | {mistakes} | {mistakes / n:.4f} | {seconds:.1f} | {amount} |", flush=True)


def _run(command: list[str]) -> tuple[str, float]:
    """What the process said on both channels, and the seconds of the processor that it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "HEDGEROW_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    ran = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return ran.stdout + ran.stderr, sum(after[:2]) - sum(before[:2])


# -- peers, in processes of their own -----------------------------------------------------------------------------


def peer_scikit_learn(name: str, lines: list[list[str]]) -> tuple[int, Any]:
    from sklearn import linear_model
    from sklearn.feature_extraction.text import HashingVectorizer

    words, model, mistakes = HashingVectorizer(), SCIKIT_LEARN[name](linear_model), 0
    for begin in range(0, len(lines), BATCH):
        labels = [label for label, _ in lines[begin : begin + BATCH]]
        X = words.transform([text for _, text in lines[begin : begin + BATCH]])
        predicted = model.predict(X) if begin else [CLASSES[0]] * len(labels)
        mistakes += sum(a != b for a, b in zip(labels, predicted, strict=True))
        model.partial_fit(X, labels, classes=CLASSES)
    return mistakes, model


def peer_river(name: str, lines: list[list[str]]) -> tuple[int, Any]:
    from river import feature_extraction, linear_model

    model = feature_extraction.BagOfWords(lowercase=True) | RIVERS[name](linear_model)
    mistakes = 0
    for label, text in lines:
        mistakes += bool(model.predict_one(text)) != (label == "spam")
        model.learn_one(text, label == "spam")
    return mistakes, model


if __name__ == "__main__":
    if "--peer" in sys.argv:
        library, name, path = sys.argv[-3:]
        with open(path, encoding="utf-8", newline="\n") as file:
            examples = [line.rstrip("\n").split("\t", 1) for line in file]
        learn = peer_river if library == "river" else peer_scikit_learn
        mistakes, model = learn(name, examples)
        print(mistakes, len(pickle.dumps(model)))
    else:
        main()
