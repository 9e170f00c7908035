"""A small model of every kind: each learner, kernel and problem, with data to fit, to go on with and to score.

Listed are kinds with parameters of their own; what else the registry has is found there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from hedgerow import Forest, Records, online, registry, structured, svm
from hedgerow.data import CandidateLists
from hedgerow.feature_extraction import FragmentHasher, ParseFeatures, TextHasher
from hedgerow.feature_selection import ExtremalFeatureSelection
from hedgerow.kernels import (
    RBF,
    Fragments,
    Kernel,
    Linear,
    Mismatch,
    Normalized,
    PartialTree,
    Polynomial,
    Sigmoid,
    Spectrum,
    SubPath,
    Subsequence,
    SubsetTree,
    SubTree,
)
from hedgerow.neighbors import TreeIndex
from hedgerow.parameters import parameters_of
from tests.kernels.test_contract import ITEMS, NEEDED
from tests.structured.test_contract import EXAMPLES

Part = tuple[Any, ...]  # inputs and outputs


@dataclass(frozen=True)
class Data:
    """Examples in three parts: to fit, to go on with, and to score."""

    fit: Part
    more: Part
    new: Any

    @classmethod
    def of(cls, X: Any, y: Any, n: int = 14) -> Data:
        return cls((X[:n], y[:n]), (X[n : n + 6], y[n : n + 6]), X[n + 6 :])


@dataclass(frozen=True)
class Kind:
    """How to make a model, and the data that it learns from."""

    model: Any  # not fitted
    data: Data
    goes_on: bool = False  # by partial_fit
    listed: bool = True  # or found in the registry


# -- data -----------------------------------------------------------------------------------------------------

_random = np.random.default_rng(18)
_N = 24
_VECTORS = np.where(_random.random((_N, 6)) < 0.6, _random.exponential(size=(_N, 6)), 0).round(3)
_NUMBERS = ((_VECTORS - _VECTORS.mean(axis=0)) @ _random.normal(size=(6, 3))).argmax(axis=1)
THREE = np.array(["blue", "green", "red"])[_NUMBERS]
TWO = np.where(_NUMBERS == 0, -1, 1)
_WORDS = {"D": ["the", "a"], "N": ["cat", "dog", "fish", "tree"], "V": ["sees", "eats"], "A": ["old", "red"]}


def _word(tag: str) -> str:
    return str(_random.choice(_WORDS[tag]))


def _noun_phrase() -> list[tuple[str, str]]:
    tags = [["D", "N"], ["D", "A", "N"], ["N"]][int(_random.integers(3))]
    return [(_word(tag), tag) for tag in tags]


def _phrase_text(phrase: list[tuple[str, str]]) -> str:
    return "(NP " + " ".join(f"({tag} {word})" for word, tag in phrase) + ")"


_SENTENCES = [(_noun_phrase(), _word("V"), _noun_phrase()) for _ in range(_N)]
PARSES = [f"(S {_phrase_text(a)} (VP (V {verb}) {_phrase_text(b)}))" for a, verb, b in _SENTENCES]
TOKENS = [[*a, (verb, "V"), *b] for a, verb, b in _SENTENCES]
CHUNKS = [
    [f"{'I' if place else 'B'}-NP" for place, _ in enumerate(a)]
    + ["O"]
    + [f"{'I' if place else 'B'}-NP" for place, _ in enumerate(b)]
    for a, _, b in _SENTENCES
]
TREES = Forest(PARSES)
STRINGS = [" ".join(word for word, _ in tokens) for tokens in TOKENS]
PLURALS = [a[-1][0] + "s" for a, _, _ in _SENTENCES]
RECORDS = Records(tree=TREES, vector=_VECTORS, text=STRINGS)

DENSE, SPARSE = Data.of(_VECTORS, THREE), Data.of(sparse.csr_matrix(_VECTORS), THREE)
PAIRS = Data.of(sparse.csr_matrix(_VECTORS), TWO)  # of two classes
ON_TREES, ON_STRINGS = Data.of(TREES, TWO), Data.of(STRINGS, TWO)
ON_RECORDS = Data.of(RECORDS, TWO)
_GRAM = RBF(0.5)(_VECTORS)
ON_GRAM = Data((_GRAM[:14, :14], TWO[:14]), (), _GRAM[20:, :14])
SEQUENCES = Data.of([[word for word, _ in tokens] for tokens in TOKENS], CHUNKS)
COLUMNS = Data.of(TOKENS, CHUNKS)
ON_PARSES = Data(
    (PARSES[:14], PARSES[:14]),
    (PARSES[14:20], PARSES[14:20]),
    [[tag for _, tag in tokens] for tokens in TOKENS[20:]],
)
ON_WORDS = Data((PARSES[:14], PARSES[:14]), (), STRINGS[20:])
PLURAL_FORMS = Data.of(STRINGS, PLURALS)
HIERARCHY = {"blue": "cold", "green": "cold", "red": "warm", "cold": "colour", "warm": "colour"}


def _lists(begin: int, n: int, *, trees: bool = False) -> CandidateLists:
    grades = np.tile([0.2, 0.9, 0.5], n)
    rows = slice(begin, begin + 3 * n)
    features = None if trees else sparse.csr_matrix(_VECTORS[rows])
    return CandidateLists(
        [3] * n,
        features=features,
        grades=grades,
        base_scores=-np.arange(3.0 * n),
        trees=TREES[rows] if trees else None,
    )


def _of_lists(*outputs: Any, trees: bool = False) -> Data:
    """The oracles of lists are their outputs; a Reranker takes none."""
    fit, more, new = (_lists(begin, n, trees=trees) for begin, n in ((0, 4), (12, 2), (18, 2)))
    return Data((fit, *outputs), (more, *outputs), new)


# -- models ---------------------------------------------------------------------------------------------------


def _on_weights() -> Iterator[tuple[str, Any]]:
    """Learners of weights, with every way to average."""
    plain = (None, "average", "vote")
    normalized = (*plain, "normalized")
    made: list[tuple[str, Callable[..., Any], tuple[str | None, ...], dict[str, Any]]] = [
        ("perceptron", online.Perceptron, normalized, {}),
        ("perceptron-bias", online.Perceptron, normalized, {"bias": True}),
        ("pa", online.PassiveAggressive, plain, {"variant": "PA"}),
        ("pa-i", online.PassiveAggressive, normalized, {"C": 0.5, "dynamic": True}),
        ("pa-ii", online.PassiveAggressive, plain, {"variant": "PA-II"}),
        ("romma", online.ROMMA, normalized, {}),
        ("romma-aggressive", online.ROMMA, plain, {"aggressive": True}),
        ("arow", online.AROW, plain, {"bias": True}),
        ("scw-i", online.SCW, plain, {"bias": True}),
        ("scw-ii", online.SCW, plain, {"variant": "SCW-II", "C": 0.5}),
        ("ftrl", online.FTRL, plain, {"l1": 0.05, "l2": 0.1, "bias": True}),
        ("fobos", online.FOBOS, plain, {"l1": 0.01, "l2": 0.3, "bias": True}),
        ("fobos-mistakes", online.FOBOS, plain, {"loss": "logistic", "update": "mistakes", "l1": 0.01}),
        ("truncated-gradient", online.TruncatedGradient, plain, {"l1": 0.05, "bias": True}),
        (
            "truncated-gradient-threshold",
            online.TruncatedGradient,
            plain,
            {"l1": 0.05, "learning_rate": 0.5, "schedule": "decaying", "truncate_every": 3, "threshold": 0.3},
        ),
        ("rda", online.RDA, plain, {"l1": 0.01, "l2": 0.1, "bias": True}),
        ("vrda", online.RDA, plain, {"update": "mistakes", "l1": 0.01}),
        ("adagrad-rda", online.RDA, plain, {"adaptive": True, "l1": 0.01, "learning_rate": 0.5}),
        ("winnow", online.PositiveWinnow, plain, {}),
        ("regret-winnow", online.RegretWinnow, plain, {"decay": 0.6, "update": "all"}),
        ("bw", online.BalancedWinnow, plain, {}),
        ("mbw", online.ModifiedBalancedWinnow, plain, {"margin": 0.4}),
        ("mbw-bounded", online.ModifiedBalancedWinnow, (None, "average"), {"max_features": 2}),
    ]
    for name, kind, ways, parameters in made:
        for averaging in ways:
            yield f"{name}-{averaging or 'last'}", kind(averaging=averaging, **parameters)
    yield "perceptron-half-life", online.Perceptron(averaging="average", half_life=4.0)
    yield (
        "vrda-correct",
        online.RDA(l2=0.2, learning_rate=None, update="mistakes", averaging="vote", counting="correct"),
    )
    yield "perceptron-folded", online.Perceptron(n_features=4)
    yield "pa-trace", online.PassiveAggressive(trace_every=3, averaging="average")
    yield "rda-trace", online.RDA(trace_every=3, averaging="average")
    yield "arow-pairs", online.AROW(multiclass="one-vs-one")
    yield "arow-codes", online.AROW(multiclass="codes", random_state=3)
    yield "arow-direct", online.AROW(multiclass="direct", averaging="average", bias=True)
    yield "pa-direct", online.PassiveAggressive(multiclass="direct", dynamic=True)
    yield "arow-sigmoid", online.AROW(probability="sigmoid")
    yield "selection", ExtremalFeatureSelection(k=3)


def _on_kernels() -> Iterator[tuple[str, Any]]:
    """Learners of expansions."""
    kernel = RBF(0.5)
    for averaging in (None, "average", "vote", "normalized"):
        way = averaging or "last"
        yield f"perceptron-{way}", online.Perceptron(kernel, averaging=averaging)
        yield f"pa-{way}", online.PassiveAggressive(kernel, averaging=averaging, variant="PA-II")
        yield f"romma-{way}", online.ROMMA(kernel, averaging=averaging)
        yield f"forgetron-{way}", online.Forgetron(kernel, budget=5, averaging=averaging)
        yield f"projectron++-{way}", online.ProjectronPlusPlus(kernel, eta=0.3, averaging=averaging)
    yield "perceptron-bias", online.Perceptron(kernel, bias=True, averaging="average")
    yield "pa-i", online.PassiveAggressive(kernel, C=0.3, dynamic=True, trace_every=4)
    yield "romma-aggressive", online.ROMMA(kernel, aggressive=True)
    yield "stoptron", online.Stoptron(kernel, budget=4)
    yield "random-budget", online.RandomBudgetPerceptron(kernel, budget=4, random_state=2)
    yield "forgetron-basic", online.Forgetron(kernel, budget=5, shrinking="basic")
    yield "forgetron-greedy", online.Forgetron(kernel, budget=5, shrinking="greedy")
    yield "projectron", online.Projectron(kernel, eta=0.3)
    yield "projectron-budget", online.Projectron(kernel, budget=5)
    yield "forgetful-projectron", online.ForgetfulProjectron(kernel, budget=5)
    yield "ahpatron", online.Ahpatron(kernel, budget=6)
    yield "codes", online.Perceptron(kernel, multiclass="codes", random_state=3)
    yield "direct", online.Perceptron(kernel, multiclass="direct", bias=True, averaging="average")
    yield "pairs-of-classes", online.Perceptron(kernel, multiclass="one-vs-one")
    yield "single", online.Perceptron(kernel, precision="single")


def _of_kernels() -> Iterator[tuple[str, Kernel, Data]]:
    yield "linear", Linear(), PAIRS
    yield "linear-dense", Linear(), Data.of(_VECTORS, TWO)
    yield "rbf", RBF(0.3), PAIRS
    yield "polynomial", Polynomial(2, 0.5, 1.0), PAIRS
    yield "sigmoid", Sigmoid(0.1, 0.2), PAIRS
    yield "normalized-polynomial", Normalized(Polynomial(3)), Data.of(_VECTORS, TWO)
    yield "sst", Normalized(SubsetTree(0.3)), ON_TREES
    yield "sst-plain", SubsetTree(), ON_TREES
    yield "sst-bow", Normalized(SubsetTree(bag_of_words=True)), ON_TREES
    yield "st", Normalized(SubTree()), ON_TREES
    yield "pt", Normalized(PartialTree()), ON_TREES
    yield "upt", Normalized(PartialTree(lexical=False, max_length=3, terminal_factor=0.5)), ON_TREES
    yield "subpath", Normalized(SubPath()), ON_TREES
    yield "fragments", Normalized(Fragments(subtrees=2)), ON_TREES
    yield "spectrum", Normalized(Spectrum(2)), ON_STRINGS
    yield "subsequence", Normalized(Subsequence(2)), ON_STRINGS
    yield "mismatch", Normalized(Mismatch(2, 1, "abcdefghijklmnopqrstuvwxyz ")), ON_STRINGS
    yield "sum", 0.5 * Normalized(SubsetTree()).on("tree") + 0.25 * RBF(0.5).on("vector"), ON_RECORDS
    yield "product", Normalized(Spectrum(2)).on("text") * Polynomial(2).on("vector"), ON_RECORDS
    yield (
        "nested",
        Normalized(PartialTree().on("tree") + 2.0 * (Linear().on("vector") * Spectrum(1).on("text"))),
        ON_RECORDS,
    )


def _machines() -> Iterator[tuple[str, Any, Data]]:
    yield "svc", svm.SVC(RBF(0.5), C=2.0), DENSE
    yield "svc-two", svm.SVC(Normalized(SubsetTree()), cost_factor="balanced", max_iter=1000), ON_TREES
    yield "svc-linear", svm.SVC(loss="squared-hinge", bias=False), SPARSE
    yield "svc-precomputed", svm.SVC("precomputed", class_weight="balanced"), ON_GRAM
    yield "svc-records", svm.SVC(ON_SUM, class_weight={-1: 2.0}), ON_RECORDS
    yield "svc-isotonic", svm.SVC(RBF(0.5), probability="isotonic"), DENSE
    yield "svc-sigmoid", svm.SVC(Normalized(SubsetTree()), probability="sigmoid"), ON_TREES
    yield "cutting-plane", svm.CuttingPlaneSVC(RBF(0.5), tol=1e-2, max_iter=200), DENSE
    yield "cutting-plane-linear", svm.CuttingPlaneSVC(C=0.5), SPARSE
    for sampling in ("uniform", "importance"):
        model = svm.CuttingPlaneSVC(
            Normalized(SubsetTree()), sampling=sampling, sample_size=8, tol=0.05, random_state=1
        )
        yield f"cutting-plane-{sampling}", model, ON_TREES


ON_SUM = Normalized(SubsetTree()).on("tree") + RBF(0.5).on("vector")


def _problems() -> Iterator[tuple[str, Callable[[], Any], Data]]:
    of = structured
    yield "multiclass", lambda: of.Multiclass(), SPARSE
    yield "multiclass-cost", lambda: of.Multiclass(loss=1.0 - np.eye(3)), DENSE
    yield "multiclass-kernel", lambda: of.Multiclass(RBF(0.5)), DENSE
    yield "taxonomy", lambda: of.Taxonomy(HIERARCHY), SPARSE
    yield (
        "taxonomy-path",
        lambda: of.Taxonomy(HIERARCHY, node_weights="normalized", loss="path", classes="leaves"),
        DENSE,
    )
    texts = {"blue": "cold water", "green": "cold grass", "red": "warm fire"}
    yield "output-features", lambda: of.OutputFeatures(texts), SPARSE
    yield (
        "output-similarity",
        lambda: of.OutputFeatures(texts, similarity=Normalized(Spectrum(2)), kernel=RBF(0.5)),
        DENSE,
    )
    yield "sequence", lambda: of.LabelSequence(templates=None), SEQUENCES
    yield (
        "sequence-order",
        lambda: of.LabelSequence(
            order=2, window=1, templates=None, boundaries=True, loss="mean", constraints="bio"
        ),
        SEQUENCES,
    )
    yield "sequence-templates", lambda: of.LabelSequence(templates=["word[0]", "tag[-1] tag[0]"]), COLUMNS
    yield "sequence-kernel", lambda: of.LabelSequence(templates=None, kernel=Polynomial(2)), SEQUENCES
    yield "grammar", lambda: of.WeightedGrammar(), ON_PARSES
    yield (
        "grammar-words",
        lambda: of.WeightedGrammar(input="words", markov="all", min_word_count=1, loss="zero-one"),
        ON_WORDS,
    )
    yield (
        "grammar-spans",
        lambda: of.WeightedGrammar(
            span_features=["length", "before:tag+first:word", "last:ending", "inside:shape+after:tag"]
        ),
        ON_PARSES,
    )
    yield "reranking", lambda: of.Reranking(), _of_lists(None)
    yield (
        "reranking-parses",
        lambda: of.Reranking(transformer=ParseFeatures(min_lists=1)),
        _of_lists(None, trees=True),
    )
    yield (
        "reranking-kernel",
        lambda: of.Reranking(kernel=Normalized(SubsetTree())),
        _of_lists(None, trees=True),
    )
    yield "strings", lambda: of.StringMapping(Normalized(Spectrum(2)), Normalized(Spectrum(1))), PLURAL_FORMS
    yield "strings-edit", lambda: of.StringMapping(loss="edit"), PLURAL_FORMS


# Problems that keep training items cannot go on with others.
_KEEPS_ITEMS = ("-kernel", "similarity", "strings", "grammar-words")


def _structured() -> Iterator[tuple[str, Kind]]:
    of = structured
    for name, problem, data in _problems():
        goes_on = not any(part in name for part in _KEEPS_ITEMS)
        machines = {
            "perceptron": of.StructuredPerceptron(problem(), epochs=2),
            "averaged": of.StructuredPerceptron(problem(), averaging="average", dual=True, variant="PA-I"),
            "one-slack": of.StructuredSVM(problem(), solver="one-slack"),
            "n-slack": of.StructuredSVM(problem(), solver="n-slack", slack="quadratic", tol=0.1),
            "frank-wolfe": of.StructuredSVM(problem(), solver="frank-wolfe", max_iter=5, random_state=0),
        }
        for machine, model in machines.items():
            online_too = machine in ("perceptron", "averaged", "frank-wolfe")
            yield f"{name}-{machine}", Kind(model, data, goes_on and online_too)
    yield (
        "sequence-svc",
        Kind(
            of.SequenceSVC(0.5, templates=None, tol=0.01, solver="frank-wolfe", random_state=0),
            SEQUENCES,
            True,
        ),
    )
    yield "taxonomy-svc", Kind(of.TaxonomySVC(HIERARCHY, solver="frank-wolfe", random_state=0), SPARSE, True)
    yield "grammar-svc", Kind(of.GrammarSVC(1.0, solver="n-slack"), ON_PARSES)
    yield "pcfg", Kind(of.PCFG(), ON_PARSES)
    # Coefficients of pairs of an input and an output; older files have those of all outputs' coordinates.
    pairs = of.StringMapping(Normalized(Spectrum(2)), Normalized(Spectrum(1)))
    yield "string-pairs", Kind(of.StructuredSVM(pairs, 2.0), PLURAL_FORMS)
    yield (
        "unaveraged",
        Kind(
            of.StructuredSVM(of.Multiclass(), solver="frank-wolfe", averaging=None, random_state=0),
            SPARSE,
            True,
        ),
    )


def _rerankers() -> Iterator[tuple[str, Any, Data]]:
    yield "perceptron", online.Reranker(online.Perceptron(averaging="average"), trace_every=2), _of_lists()
    yield "vrda", online.Reranker(online.RDA(update="mistakes", l1=0.01), loss="grade"), _of_lists()
    yield "mbw", online.Reranker(online.AROW(), epochs=2), _of_lists()
    yield "parses", online.Reranker(online.Perceptron(), ParseFeatures(min_lists=1)), _of_lists(trees=True)


def _on_texts() -> Iterator[tuple[str, Kind]]:
    small = TextHasher(n_features=64, ngrams=2)
    counts = TextHasher(n_features=64, counts="tf-idf", norm="none", alternate_sign=False)
    data, of_three = ON_STRINGS, Data.of(STRINGS, THREE)
    yield "hasher", Kind(counts, data)
    yield "pa", Kind(online.PassiveAggressive(vectorizer=small, averaging="average"), data, True)
    yield (
        "arow-characters",
        Kind(online.AROW(vectorizer=TextHasher(64, "char", (1, 3), counts="log")), of_three, True),
    )
    yield "mbw-tf-idf", Kind(online.ModifiedBalancedWinnow(vectorizer=counts), of_three, True)
    yield (
        "perceptron-tf-idf",
        Kind(online.Perceptron(vectorizer=counts, averaging="vote", bias=True), data, True),
    )
    problem = structured.Multiclass(vectorizer=small)
    yield "multiclass", Kind(structured.StructuredPerceptron(problem), of_three, True)


def _found(known: set[type[Any]]) -> Iterator[tuple[str, str, Any, Data]]:
    """What the registry has beside these classes, as it is: with the group that it belongs to."""
    for name, kernel in registry.kernels().items():
        if kernel.cls not in known:
            learner = online.Perceptron(kernel.make(**NEEDED.get(name, {})), averaging="average")
            yield "kernels", name, learner, Data.of(ITEMS[kernel.data_kind][0], TWO[:16], 8)
    for name, row in registry.problems().items():
        problem, X, y = EXAMPLES[name][0]
        of_problem, given = Data((X, y), (), X), problem.get_params(deep=False)
        if row.cls not in known:
            yield "structured", name, structured.StructuredSVM(problem), of_problem
        if row.machine is not None and row.machine not in known:
            its = parameters_of(row.machine).keys()
            machine = row.machine(**{key: value for key, value in given.items() if key in its})
            yield "structured", f"{name}-machine", machine, of_problem
        for learner in registry.learners().values():
            if learner.cls in known or not row.takes(learner):
                continue
            if learner.structured:
                own = {"problem": problem} if "problem" in learner.parameters else {}
                yield "structured", f"{name}-{learner.name}", learner.make(**own), of_problem
            else:
                yield "rerankers", f"{name}-{learner.name}", row.online(learner.make()), Data((X,), (), X)
    for name, learner in registry.learners().items():
        if learner.cls in known or learner.structured:
            continue
        if learner.on_weights:
            yield "weights", name, learner.make(), SPARSE
        if learner.on_kernels:
            few = {"budget": 5} if "budget" in learner.parameters else {}
            group = "machines" if learner.batch else "expansions"
            yield group, name, learner.make(kernel=RBF(0.5), **few), DENSE


def kinds() -> dict[str, dict[str, Kind]]:
    """By group and name; models of a group are kept in one archive."""
    groups = {
        "weights": {name: Kind(model, SPARSE, True) for name, model in _on_weights()},
        "expansions": {name: Kind(model, DENSE, True) for name, model in _on_kernels()},
        "kernels": {
            name: Kind(online.Perceptron(kernel, averaging="average"), data, True)
            for name, kernel, data in _of_kernels()
        },
        "machines": {name: Kind(model, data) for name, model, data in _machines()},
        "rerankers": {name: Kind(model, data, True) for name, model, data in _rerankers()},
        "structured": dict(_structured()),
        "trees": {
            "hasher": Kind(FragmentHasher(n_features=64, paths=2, counts="log"), ON_TREES),
            "index": Kind(TreeIndex(Normalized(SubsetTree()), measure="similarity"), ON_TREES),
        },
        "texts": dict(_on_texts()),
    }
    models = [kind.model for members in groups.values() for kind in members.values()]
    known = {type(value) for model in models for value in (model, *model.get_params().values())}
    for group, name, model, data in _found(known):
        goes_on = group in ("weights", "expansions", "kernels")
        groups[group][name] = Kind(model, data, goes_on, listed=False)
    return groups
