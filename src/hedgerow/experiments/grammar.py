"""Weighted context-free grammars of short sentences: probabilities, and machines for several losses."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hedgerow.data import Forest
from hedgerow.datasets import load_wcfg10
from hedgerow.experiments.experiment import Experiment, Layout, Measure, Row, Run, Settings
from hedgerow.experiments.summary import Table
from hedgerow.structured import PCFG, StructuredSVM, WeightedGrammar, bracket_scores

TREEBANKS = {"EWT": "ewt", "PTB": "ptb"}
METHODS = {"PCFG": None, "SVM2": None, "SVM2 slack F1": "slack", "SVM2 margin F1": "margin"}
C, EPSILON = 1.0, 0.01
QUICK = 40
MINUTES = {"EWT": 5.0, "PTB": 0.1}
WANTED_GAIN = 1.5  # points of F1 over the PCFG


@dataclass(frozen=True)
class Treebank:
    train: Forest
    test: Forest


class Grammar(Experiment):
    name = "grammar"
    summary = "parses of short sentences by learned grammars; needs wcfg10"
    permutations = 1
    same_data = False
    rows = tuple(
        Row(f"{treebank} {method}", method, minutes=0.0 if method == "PCFG" else MINUTES[treebank])
        for treebank in TREEBANKS
        for method in METHODS
    )
    layouts = tuple(
        Layout(
            title,
            "grammar",
            (
                Measure("train_acc", "Train: exact", decimals=1),
                Measure("train_prec", "Prec.", decimals=1),
                Measure("train_rec", "Recall", decimals=1),
                Measure("train_f1", "F1", decimals=1),
                Measure("test_acc", "Test: exact", decimals=1),
                Measure("test_prec", "Prec.", decimals=1),
                Measure("test_rec", "Recall", decimals=1),
                Measure("test_f1", "F1", decimals=1),
                Measure("cpu_minutes", "CPU min", decimals=1, compared=False),
                Measure("percent_in_qp", "% QP", decimals=1, compared=False),
                Measure("iterations", "Rounds", decimals=0, compared=False),
                Measure("constraints", "Constraints", decimals=0, compared=False),
            ),
            rows=tuple(f"{treebank} {method}" for method in METHODS),
            first_column="Method",
        )
        for treebank, title in (
            ("EWT", "English Web Treebank, at most 10 tokens, in per cent"),
            ("PTB", "The free part of the Penn Treebank, at most 10 tokens, in per cent"),
        )
    )

    def load(self, settings: Settings) -> Any:
        names = dict.fromkeys(row.name.partition(" ")[0] for row in self.chosen_rows(settings))
        return {name: _load(TREEBANKS[name], settings) for name in names}

    def run(self, data: Any, row: str, permutation: int, settings: Settings) -> Run:
        name, _, method = row.partition(" ")
        treebank = data[name]
        started = time.process_time()
        if method == "PCFG":
            parser: Any = PCFG().fit(treebank.train, treebank.train)
            figures = {}
        else:
            parser = StructuredSVM(
                WeightedGrammar(),
                C,
                slack="quadratic",
                rescaling=METHODS[method],
                solver="n-slack",
                epsilon=EPSILON,
            ).fit(treebank.train, treebank.train)
            busy = parser.argmax_seconds_ + parser.qp_seconds_
            figures = {
                "percent_in_qp": 100 * parser.qp_seconds_ / busy,
                "iterations": parser.n_iter_,
                "constraints": parser.n_constraints_,
            }
        figures["cpu_minutes"] = (time.process_time() - started) / 60
        figures |= _figures("train", parser, treebank.train) | _figures("test", parser, treebank.test)
        return Run(row, permutation, figures)

    def notes(self, settings: Settings) -> list[str]:
        return [
            "The thesis has 4,098 sentences of the Wall Street Journal to learn from and 163 to test with. Here the "
            "English Web Treebank has 4,651 and 1,150, which are less regular, and the free part of the Penn Treebank "
            "359 and 34.",
            f"Input are parts of speech; rules are all of the training trees. C is {C:g} for every sentence, epsilon "
            f"{EPSILON:g}. Sentences that the rules cannot parse get a flat tree.",
            "Brackets leave out TOP and parts of speech; exact: all brackets are right.",
        ]

    def findings(self, tables: Sequence[Table]) -> list[str]:
        found = []
        for name, table in zip(TREEBANKS, tables, strict=True):
            f1 = {row.removeprefix(f"{name} "): value for row, value in table.means("test_f1").items()}
            if "PCFG" not in f1 or len(f1) < 2:
                continue
            gains = {method: value - f1["PCFG"] for method, value in f1.items() if method != "PCFG"}
            words = ", ".join(f"{method} {gain:+.1f}" for method, gain in gains.items())
            best = max(gains.values())
            found.append(
                f"{name}, test F1 against the PCFG's {f1['PCFG']:.1f}: {words} (published: SVM2 +0.2, slack F1 +2.5, "
                f"margin F1 +2.4); {'at least' if best >= WANTED_GAIN else 'less than'} {WANTED_GAIN:g} points."
            )
            if "SVM2" in f1 and len(gains) > 1:
                better = [method for method in gains if method != "SVM2" and f1[method] > f1["SVM2"]]
                found.append(
                    f"{name}: {len(better)} of {len(gains) - 1} machines trained for F1 have a higher test F1 than the "
                    "one trained for 0-1 loss."
                )
        return found


def _load(treebank: Any, settings: Settings) -> Treebank:
    train, test = (
        load_wcfg10(settings.data_folder(), subset, treebank=treebank) for subset in ("train", "test")
    )
    return Treebank(train[:QUICK], test[:QUICK]) if settings.quick else Treebank(train, test)


def _figures(part: str, parser: Any, trees: Forest) -> dict[str, float]:
    scores = bracket_scores(trees, parser.predict(trees))
    return {
        f"{part}_acc": 100 * scores.exact_match,
        f"{part}_prec": 100 * scores.precision,
        f"{part}_rec": 100 * scores.recall,
        f"{part}_f1": 100 * scores.f1,
    }
