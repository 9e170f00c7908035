"""Evaluations: what ``hedgerow evaluate --json`` prints, as tables and a table of confusions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow.inspection.drawing import COLOURS, tidy_axes
from hedgerow.models.ranked_tally import margin_range
from hedgerow.report.blocks import Block, Cell, CellTable, Facts, Gallery, Item, Picture, Section, row
from hedgerow.report.figures import new_axes, picture, plain
from hedgerow.report.numbers import listed, ratio, share, whole

EVALUATION = "Evaluation"  # what stands above the title
MOST_CLASSES = 16  # of a table of confusions; more of them are drawn, and the most frequent ones listed
MOST_CONFUSIONS = 20

# What is counted, and figures beside accuracy and F1, by the names that they have in JSON.
COUNTED = ("examples", "sentences", "trees", "lists")
FURTHER = {
    "precision": "Precision",
    "recall": "Recall",
    "exact": "Trees without a fault",
    "sentence_accuracy": "Sentences without a fault",
    "tree_loss": "Mean tree loss",
    "grade": "Mean grade of those chosen",
    "baseline_grade": "Mean grade of first candidates",
    "oracle_grade": "Mean grade of the best ones",
}
# The same of probabilities.
CALIBRATION = {
    "error": "Expected calibration error",
    "log_loss": "Log loss",
    "brier": "Brier score",
}


@dataclass(frozen=True)
class EvaluationItem(Item):
    kind = "evaluation"
    figures: Mapping[str, Any]

    def section(self) -> Section:
        """Figures, then a row a class or kind of span, then confusions."""
        figures = self.figures
        blocks: list[Block] = [Facts(_facts(figures))]
        if "classes" in figures:
            blocks.append(_classes(figures))
        if "calibration" in figures:
            blocks.append(Gallery([_reliability(figures["calibration"])]))
        if figures.get("spans"):
            blocks.append(_spans(figures["spans"]))
        if "k_best" in figures:
            blocks += _ranks(figures["k_best"])
        if "confusion" in figures:
            blocks += _confusions(figures["confusion"])
        return Section(self.name, blocks, kicker=EVALUATION, highlights=_highlights(figures, self.name))


def is_evaluation(content: Mapping[str, Any]) -> bool:
    return {"accuracy", "f1"} <= content.keys()


def _facts(figures: Mapping[str, Any]) -> list[tuple[str, str]]:
    facts = []
    if "model" in figures:
        facts.append(("Model", str(figures["model"])))
    if figures.get("data"):
        facts.append(("On", listed(figures["data"])))
    tokens = "sentences" in figures
    for what in COUNTED:
        if what in figures:
            name = "Tokens" if tokens and what == "examples" else what.capitalize()
            facts.append((name, whole(figures[what])))
    # Of parses the accuracy is the share of trees without a fault, which stands below under its own name.
    if "exact" not in figures:
        facts.append(("Accuracy", ratio(figures["accuracy"])))
    facts.append((_name_of_f1(figures), ratio(figures["f1"])))
    if figures.get("span_f1") is not None:
        facts.append(("F1 of spans", ratio(figures["span_f1"])))
    facts += [(name, ratio(figures[key])) for key, name in FURTHER.items() if key in figures]
    if "calibration" in figures:
        facts += [(name, ratio(figures["calibration"][key])) for key, name in CALIBRATION.items()]
    return facts


def _name_of_f1(figures: Mapping[str, Any]) -> str:
    if "brackets" in figures:
        return "F1 of brackets"
    if "macro" not in figures:
        return "F1"
    if figures["f1"] == figures["macro"]["f1"]:
        return "F1, mean over classes"
    (*_, second) = figures["classes"]  # of two classes the second is the positive one
    return f"F1 of {second}" if figures["classes"][second]["f1"] == figures["f1"] else "F1"


def _highlights(figures: Mapping[str, Any], name: str) -> list[tuple[str, str]]:
    """The one figure that matters most."""
    if figures.get("span_f1") is not None:
        return [(share(figures["span_f1"]), f"F1 of spans, {name}")]
    if "brackets" in figures:
        return [(share(figures["f1"]), f"F1 of brackets, {name}")]
    return [(share(figures["accuracy"]), f"accuracy, {name}")]


def _classes(figures: Mapping[str, Any]) -> CellTable:
    """A row a class, with bars behind F1, and the means."""
    rows = [_class_row(label, values) for label, values in figures["classes"].items()]
    rows.append(
        _class_row("mean over classes", {**figures["macro"], "examples": figures["examples"]}, strong=True)
    )
    what = "Tokens" if "sentences" in figures else "Examples"
    return CellTable(["Class", what, "Precision", "Recall", "F1"], rows, caption="Class by class")


def _class_row(label: str, values: Mapping[str, Any], strong: bool = False) -> list[Cell]:
    return [
        Cell(str(label), strong=strong),
        Cell(whole(values["examples"])),
        Cell(ratio(values["precision"])),
        Cell(ratio(values["recall"])),
        Cell(ratio(values["f1"]), shade=None if strong else values["f1"], strong=strong),
    ]


def _spans(spans: Mapping[str, Any]) -> CellTable:
    counts, ratios = ("true", "predicted", "correct"), ("precision", "recall", "f1")
    rows = [
        row(name, *(whole(values[key]) for key in counts), *(ratio(values[key]) for key in ratios))
        for name, values in spans.items()
    ]
    headings = ["Spans", "True", "Predicted", "Right", "Precision", "Recall", "F1"]
    return CellTable(headings, rows, caption="Spans of tokens, right when both ends and the kind are")


def _ranks(k_best: Mapping[str, Any]) -> list[Block]:
    """Where true outputs stand among the best ones, and how much can be relied on margins."""
    within = [
        [Cell(f"the best {k}" if k > 1 else "the best one"), Cell(ratio(value), shade=value)]
        for k, value in enumerate(k_best["within"], start=1)
    ]
    groups = [
        [
            Cell(margin_range(group)),
            Cell(whole(group["examples"])),
            Cell(ratio(group["accuracy"]), shade=group["accuracy"]),
        ]
        for group in k_best["margins"]
    ]
    return [
        CellTable(
            ["Among", "True outputs"], within, caption="How often the true output is among the best ones"
        ),
        CellTable(
            ["Margin", "Outputs", "Right"],
            groups,
            caption="How often a prediction is right, by how far its score is above the next best",
        ),
    ]


def _reliability(calibration: Mapping[str, Any]) -> Picture:
    """How often the most likely class is right, by its probability; the larger a point, the more examples."""
    bins = calibration["bins"]
    examples = np.asarray(bins["examples"], dtype=np.float64)
    with new_axes() as ax:
        ax.plot([0, 1], [0, 1], color="#888888", linewidth=0.8, zorder=1)
        ax.plot(bins["confidence"], bins["accuracy"], color=COLOURS[0], linewidth=1.6, zorder=2)
        sizes = 12 + 150 * examples / examples.max()
        ax.scatter(bins["confidence"], bins["accuracy"], sizes, color=COLOURS[0], zorder=3)
        tidy_axes(ax)
        ax.set(
            xlim=(0, 1.02), ylim=(0, 1.02), xlabel="Probability of the most likely class", ylabel="Accuracy"
        )
        label = f"Accuracy by probability; the expected calibration error is {ratio(calibration['error'])}"
        return picture(ax, label, "Probabilities: on the diagonal they mean what they say")


# -- confusions -------------------------------------------------------------------------------------------------


def _confusions(confusion: Mapping[str, Any]) -> list[Block]:
    labels = [str(label) for label in confusion["labels"]]
    counts = np.asarray(confusion["counts"], dtype=np.int64).reshape(len(labels), len(labels))
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    if len(labels) <= MOST_CLASSES:
        rows = [
            [Cell(label), *(_count(n, part, i == j) for j, (n, part) in enumerate(zip(*pair, strict=True)))]
            for i, (label, pair) in enumerate(zip(labels, zip(counts, shares, strict=True), strict=True))
        ]
        caption = "Confusions: a row for each true class, a column for each predicted one"
        return [CellTable(["true / predicted", *labels], rows, caption=caption)]
    return [Gallery([_drawn(labels, shares)]), _most_frequent(labels, counts)]


def _count(n: int, part: float, right: bool) -> Cell:
    return Cell(whole(n) if n else "·", shade=float(part) if n else None, strong=right)


def _drawn(labels: list[str], shares: Any) -> Picture:
    """A square for each pair of classes, the darker the larger its share of the true class is."""
    from matplotlib.colors import to_rgb
    from matplotlib.patches import Rectangle

    n = len(labels)
    with new_axes((7.0, 6.6)) as ax:
        colour = to_rgb(COLOURS[0])
        for i, j in zip(*np.nonzero(shares), strict=True):
            ax.add_patch(
                Rectangle((j - 0.5, i - 0.5), 1, 1, facecolor=(*colour, float(shares[i, j])), linewidth=0)
            )
        ax.set(xlim=(-0.5, n - 0.5), ylim=(n - 0.5, -0.5), aspect="equal", xlabel="Predicted", ylabel="True")
        if n <= 60:
            names = list(map(plain, labels))
            ax.set_xticks(range(n), names, rotation=90, fontsize=min(9, 300 / n))
            ax.set_yticks(range(n), names, fontsize=min(9, 300 / n))
        else:
            ax.set_xticks([])
            ax.set_yticks([])
        right = float(np.mean(np.diag(shares)))
        label = f"Confusions of {n} classes; on the mean {share(right)} of a class lie on the diagonal"
        return picture(ax, label, "Confusions: a row for each true class, a column for each predicted one")


def _most_frequent(labels: list[str], counts: Any) -> CellTable:
    wrong = [(int(counts[i, j]), i, j) for i, j in zip(*np.nonzero(counts), strict=True) if i != j]
    wrong.sort(key=lambda entry: (-entry[0], entry[1:]))
    rows = [row(labels[i], labels[j], whole(n)) for n, i, j in wrong[:MOST_CONFUSIONS]]
    caption = f"The {len(rows)} most frequent of {len(wrong)} confusions"
    return CellTable(["True", "Predicted", "Examples"], rows, caption=caption, words=[1])
