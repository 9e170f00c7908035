"""The files of users that README speaks of, small."""

from __future__ import annotations

import gzip
from importlib.resources import files
from pathlib import Path

from hedgerow.datasets import load_questions
from hedgerow.io import write_svmlight_tk

BRACKETS = "( (S (NP (D the) (N dog))\n     (VP (V barks))) )\n"
CHUNKS = "The DT B-NP\ndog NN I-NP\nbarks VBZ O\n\nCats NNS B-NP\nsleep VBP O\n\n"
MAIL = "ham\tsee you at nine\nspam\twin a prize now\n"
MINE = """\
question (SQ (VBZ Is) (NP (PRP it)) (ADJP (JJ cold)))
question (SQ (VBZ Does) (NP (NNP Mary)) (VP (VB sing)))
statement (S (NP (PRP It)) (VP (VBZ is) (ADJP (JJ cold))))
statement (S (NP (NNP Mary)) (VP (VBZ sings)))
"""
NEWS = "hockey 1:1 3:0.5\ntennis 2:1 3:0.5\nphysics 4:1\n"
TAXONOMY = "all\tsport\nall\tscience\nsport\thockey\nsport\ttennis\nscience\tphysics\n"


def write_all() -> None:
    """Write them to the current folder."""
    Path("questions.tk").write_bytes(files("hedgerow.datasets").joinpath("questions.tk").read_bytes())
    trees, y = load_questions()
    write_svmlight_tk("test.tk", trees[:20], y[:20])
    write_svmlight_tk("new.tk", trees[20:30], y[20:30])
    write_svmlight_tk("huge.tk.gz", trees, [1 if label == "NUM" else -1 for label in y])
    Path("wsj.mrg").write_text("".join(f"{tree}\n" for tree in trees.to_brackets()[:40]), encoding="utf-8")
    for name, text in {
        "mine.txt": MINE,
        "treebank.mrg": BRACKETS,
        "src/app/main.py": "print('hello')\n",
        "src/tools/count.py": "n = 1\n",
        "chunks.txt": CHUNKS * 5,
        "test.txt": CHUNKS,
        "new.txt": "The DT\ncat NN\nbarks VBZ\n",
        "today.tsv": MAIL * 5,
        "news.svm": NEWS * 5,
        "parents.tsv": TAXONOMY,
    }.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text, encoding="utf-8")
    for name, text in {"mail.tsv.gz": MAIL * 20, "huge.txt.gz": CHUNKS * 20}.items():
        Path(name).write_bytes(gzip.compress(text.encode()))
