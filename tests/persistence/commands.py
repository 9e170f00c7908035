"""Models that the command line writes, with what they remember of the data's form: files, options, predictions."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tests.persistence.kinds import CHUNKS, PARSES, STRINGS, THREE, TOKENS, TWO

_TREE = "{label} |BT| {tree} |ET| 1:{one} 7:2 |EV|"


def _trees(labels: list[str]) -> list[str]:
    return [
        _TREE.format(label=label, tree=PARSES[i], one=len(TOKENS[i]) / 10) for i, label in enumerate(labels)
    ]


def _vectors(labels: list[str]) -> list[str]:
    return [f"{label} 1:0.{len(TOKENS[i])} {3 + i % 4}:1.5 9:0.{i + 1}" for i, label in enumerate(labels)]


def _sentences() -> list[str]:
    return [
        "".join(f"{word} {tag} {chunk}\n" for (word, tag), chunk in zip(tokens, chunks, strict=True))
        for tokens, chunks in zip(TOKENS, CHUNKS, strict=True)
    ]


_three, _two = THREE.tolist(), [str(label) for label in TWO]
_LISTS = [
    f"{grade} qid:{i // 3} 1:{len(TOKENS[i])} {2 + i % 3}:1"
    for i, grade in enumerate([0.2, 0.9, 0.5] * (len(TOKENS) // 3))
]
# Examples by the name of the file that has them, and how many are learned from at first.
FILES = {
    "trees.tk": _trees(_two),
    "three.tk": _trees(_three),
    "brackets.mrg": [f"{label} {tree}" for label, tree in zip(_three, PARSES, strict=True)],
    "text.tsv": [f"{label}\t{text}" for label, text in zip(_three, STRINGS, strict=True)],
    "vectors.svm": _vectors(_three),
    "two.svm": _vectors(_two),
    "sentences.txt": _sentences(),
    "parses.mrg": PARSES,
    "lists.svm": _LISTS,
}
N = 15
TAXONOMY = "colour\tcold\ncolour\twarm\ncold\tblue\ncold\tgreen\nwarm\tred\n"


@dataclass(frozen=True)
class Command:
    file: str
    options: str = ""
    goes_on: bool = True  # with --resume


COMMANDS = {
    "trees": Command("trees.tk", "--averaging average"),
    "three-classes": Command("three.tk", "--learner pa -C 0.5 --kernel pt"),
    "column": Command("trees.tk", "--learner forgetron --budget 5 --kernel rbf --gamma 0.5"),
    "brackets": Command("brackets.mrg", "--learner perceptron --kernel subpath"),
    "texts": Command("text.tsv", "--format text --learner mbw --ngrams 2"),
    "hashed": Command("text.tsv", "--format text --learner pa --hash-bits 10"),
    "strings": Command("text.tsv", "--format text --kernel spectrum"),
    "vectors": Command("vectors.svm", "--learner vrda --l1 0.001 --averaging average"),
    "vectors-arow": Command("two.svm", "--learner arow --trace trace.csv --trace-every 3"),
    "classes": Command("two.svm", "--learner pa --classes=-1,1"),
    "svm": Command("trees.tk", "--learner svm -C 3", goes_on=False),
    "cutting-plane": Command("vectors.svm", "--learner cutting-plane", goes_on=False),
    "sequence": Command("sentences.txt", "--problem sequence", goes_on=False),
    "sequence-perceptron": Command(
        "sentences.txt", "--problem sequence --learner structured-perceptron --averaging average"
    ),
    "grammar": Command("parses.mrg", "--problem grammar", goes_on=False),
    "taxonomy": Command("vectors.svm", "--problem taxonomy --taxonomy taxonomy.tsv", goes_on=False),
    "multiclass": Command("three.tk", "--problem multiclass --kernel sst", goes_on=False),
    "reranking": Command("lists.svm", "--problem reranking", goes_on=False),
}


def write_files(folder: Path) -> None:
    """For each file: what is learned from, what comes later, and what predictions are made for."""
    (folder / "taxonomy.tsv").write_text(TAXONOMY)
    for name, examples in FILES.items():
        for part, some in (("", examples[:N]), ("more-", examples[N:21]), ("new-", examples[21:])):
            (folder / f"{part}{name}").write_text("".join(f"{example}\n" for example in some))
