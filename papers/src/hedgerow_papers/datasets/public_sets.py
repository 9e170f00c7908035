"""Public data sets of questions, posts, sentences and census forms."""

from __future__ import annotations

import os
from typing import Any, Literal, TypeAlias

import numpy as np
from scipy import sparse

from hedgerow.checks import check_choice
from hedgerow.data import Forest, FormatError
from hedgerow.io import Sentence, read_columns, read_svmlight_tk
from hedgerow_papers.datasets.folders import Subset, data_file, read_table, read_tree

Words: TypeAlias = np.ndarray[Any, np.dtype[np.str_]]
COLUMNS = 3  # of sentences: word, tag, label
ENDINGS = {"constituency": "ct", "grct": "grct", "lct": "lct"}  # of files of trees


def load_question_types(
    folder: str | os.PathLike[str],
    subset: Subset = "train",
    *,
    labels: Literal["coarse", "fine"] = "coarse",
    trees: Literal["constituency", "grct", "lct"] = "constituency",
) -> tuple[Forest, Words]:
    """Parsed questions, and what each asks for.

    The TREC questions of Li and Roth (2002), in 6 coarse and 50 fine classes. They are not part of hedgerow (a small
    set that is: `hedgerow.datasets.load_questions`). The folder must hold ``qc/train.ct.tk`` and ``qc/test.ct.tk``,
    plain or gzip, one question per line: ``DESC:manner |BT| (ROOT (SBARQ ...)) |ET|``; dependency trees are in
    ``qc/train.grct.tk`` and so on.

    Parameters
    ----------
    folder : path
        The folder that has ``qc`` in it.
    subset : {"train", "test"}
    labels : {"coarse", "fine"}
        ABBR, DESC, ENTY, HUM, LOC, NUM, or the fine classes ``DESC:manner`` and so on.
    trees : {"constituency", "grct", "lct"}
        Constituents, or dependency trees centred on grammatical relations or on words.

    Returns
    -------
    trees : Forest
    y : array of str

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from hedgerow_papers.datasets import load_question_types
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> (folder / "qc").mkdir()
    >>> line = "NUM:date |BT| (ROOT (SBARQ (WHADVP (WRB When)) (SQ (VBZ is) (NP (NNP Easter))))) |ET|"
    >>> _ = (folder / "qc" / "test.ct.tk").write_text(line)
    >>> trees, y = load_question_types(folder, "test")
    >>> " ".join(trees[0].leaves()), y.tolist()
    ('When is Easter', ['NUM'])
    >>> load_question_types(folder, "test", labels="fine")[1].tolist()
    ['NUM:date']
    """
    check_choice("subset", subset, ("train", "test"))
    check_choice("labels", labels, ("coarse", "fine"))
    check_choice("trees", trees, tuple(ENDINGS))
    path = data_file(
        folder, f"qc/{subset}.{ENDINGS[trees]}.tk", "questions as lines COARSE:fine |BT| tree |ET|"
    )
    forest, fine = read_svmlight_tk(path, labels="word")
    coarse, colon, _ = np.char.partition(fine, ":").T
    if not np.all(colon == ":"):
        bad = int(np.argmin(colon == ":"))
        raise FormatError(f"the label {fine[bad]} is not of the form COARSE:fine", path=str(path), item=bad)
    return forest, fine if labels == "fine" else coarse


def load_newsgroups(
    folder: str | os.PathLike[str],
    subset: Subset = "train",
    *,
    text: Literal["body", "all"] = "body",
) -> tuple[list[str], Words]:
    """Posts, and the newsgroup of each.

    The 20 newsgroups of Lang (1995), split by date. They are not part of hedgerow; the folder must hold
    ``newsgroups20/train.tsv`` and ``newsgroups20/test.tsv``, plain or gzip, one post a line:
    ``sci.med<TAB>58045<TAB>From: ... Subject: ...<TAB>body``

    Parameters
    ----------
    folder : path
        The folder that has ``newsgroups20`` in it.
    subset : {"train", "test"}
    text : {"body", "all"}
        Without or with the header, whose names and addresses tell a lot about the group.

    Returns
    -------
    texts : list of str
    y : array of str

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from hedgerow_papers.datasets import load_newsgroups
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> (folder / "newsgroups20").mkdir()
    >>> _ = (folder / "newsgroups20" / "test.tsv").write_text("sci.med\\t7\\tFrom: me\\tI have a cold.\\n")
    >>> texts, y = load_newsgroups(folder, "test")
    >>> texts, y.tolist()
    (['I have a cold.'], ['sci.med'])
    >>> load_newsgroups(folder, "test", text="all")[0]
    ['From: me I have a cold.']
    """
    check_choice("subset", subset, ("train", "test"))
    check_choice("text", text, ("body", "all"))
    path = data_file(
        folder,
        f"newsgroups20/{subset}.tsv",
        "posts as lines group, number, header and body, with tabs between",
    )
    records = read_table(path, ("group", "number", "header", "body"))
    texts = [body if text == "body" else f"{header} {body}" for _, _, header, body in records]
    return texts, np.array([group for group, *_ in records], dtype=str)


def load_newsgroups_taxonomy(folder: str | os.PathLike[str]) -> dict[str, str]:
    """The tree of the twenty newsgroups of `load_newsgroups`: the parent of each.

    Parameters
    ----------
    folder : path
        The folder that has ``newsgroups20/hierarchy.tsv`` in it, plain or gzip, lines ``parent<TAB>group``, made from
        the dots in the names of groups.

    Returns
    -------
    parents : dict from str to str

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from hedgerow_papers.datasets import load_newsgroups_taxonomy
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> (folder / "newsgroups20").mkdir()
    >>> _ = (folder / "newsgroups20" / "hierarchy.tsv").write_text("ROOT\\tsci\\nsci\\tsci.med\\n")
    >>> load_newsgroups_taxonomy(folder)
    {'sci': 'ROOT', 'sci.med': 'sci'}
    """
    return read_tree(folder, "newsgroups20/hierarchy.tsv")


def load_conll2000(
    folder: str | os.PathLike[str], subset: Subset = "train"
) -> tuple[list[Sentence], list[list[str]]]:
    """Sentences of the Wall Street Journal, and where their phrases begin and end.

    The shared task of CoNLL-2000 (Tjong Kim Sang and Buchholz): 8,936 sentences for training and 2,012 for testing.
    It is not part of hedgerow; the folder must hold ``conll2000/train.txt`` and ``conll2000/test.txt``, plain or gzip,
    with lines ``word tag label``.

    Parameters
    ----------
    folder : path
        The folder that has ``conll2000`` in it.
    subset : {"train", "test"}

    Returns
    -------
    sentences : list of lists of (word, tag)
    labels : list of lists of str
        ``B-NP`` for the first token of a noun phrase, ``I-NP`` for another one of it, and so on; ``O`` for tokens
        outside.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from hedgerow_papers.datasets import load_conll2000
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> (folder / "conll2000").mkdir()
    >>> _ = (folder / "conll2000" / "train.txt").write_text("The DT B-NP\\npound NN I-NP\\nfell VBD B-VP\\n")
    >>> load_conll2000(folder)
    ([[('The', 'DT'), ('pound', 'NN'), ('fell', 'VBD')]], [['B-NP', 'I-NP', 'B-VP']])
    """
    check_choice("subset", subset, ("train", "test"))
    return _load_columns(folder, f"conll2000/{subset}.txt")


def load_conll2002_esp(
    folder: str | os.PathLike[str], subset: Literal["train", "testa"] = "train"
) -> tuple[list[Sentence], list[list[str]]]:
    """Spanish sentences, and the names in them.

    The shared task of CoNLL-2002 (Tjong Kim Sang): 8,323 sentences for training and 1,915 for development, with
    persons, places, organisations and others. It is not part of hedgerow; the folder must hold
    ``conll2002_esp/train.txt`` and ``conll2002_esp/testa.txt``, plain or gzip, with lines ``word tag label``.

    Parameters
    ----------
    folder : path
        The folder that has ``conll2002_esp`` in it.
    subset : {"train", "testa"}

    Returns
    -------
    sentences, labels : as from `load_conll2000`
        ``B-PER`` for the first token of a person's name.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from hedgerow_papers.datasets import load_conll2002_esp
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> (folder / "conll2002_esp").mkdir()
    >>> _ = (folder / "conll2002_esp" / "testa.txt").write_text("Sao NC B-LOC\\nPaulo VMI I-LOC\\n( Fpa O\\n")
    >>> load_conll2002_esp(folder, "testa")
    ([[('Sao', 'NC'), ('Paulo', 'VMI'), ('(', 'Fpa')]], [['B-LOC', 'I-LOC', 'O']])
    """
    check_choice("subset", subset, ("train", "testa"))
    return _load_columns(folder, f"conll2002_esp/{subset}.txt")


def _load_columns(folder: str | os.PathLike[str], name: str) -> tuple[list[Sentence], list[list[str]]]:
    path = data_file(folder, name, "sentences with lines word tag label and a blank line between two")
    sentences = read_columns(path)
    if sentences and len(sentences[0][0]) != COLUMNS:
        raise FormatError(
            f"expected the {COLUMNS} columns word, tag and label, found {len(sentences[0][0])}",
            path=str(path),
        )
    inputs = [[token[:-1] for token in sentence] for sentence in sentences]
    return inputs, [[token[-1] for token in sentence] for sentence in sentences]


def load_adult(folder: str | os.PathLike[str], subset: Subset = "train") -> tuple[sparse.csr_matrix, Any]:
    """Census forms, and whether the household earns more than 50,000 dollars a year.

    The set a9a: 14 attributes cut into 123 binary features by Platt (1999), with 32,561 examples for training
    and 16,281 for testing, 24% of them positive. It is not part of hedgerow; the folder must hold the files
    ``a9a/train.libsvm`` and ``a9a/test.libsvm``, plain or gzip, one example a line: ``-1 3:1 11:1 14:1 ...``

    Parameters
    ----------
    folder : path
        The folder that has ``a9a`` in it.
    subset : {"train", "test"}

    Returns
    -------
    X : csr_matrix of shape (n, 123)
    y : int64 array of shape (n,)
        1 and -1.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from hedgerow_papers.datasets import load_adult
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> (folder / "a9a").mkdir()
    >>> _ = (folder / "a9a" / "train.libsvm").write_text("-1 3:1 11:1\\n+1 5:1 122:1\\n")
    >>> X, y = load_adult(folder)
    >>> X.shape, y.tolist()
    ((2, 123), [-1, 1])
    """
    check_choice("subset", subset, ("train", "test"))
    path = data_file(folder, f"a9a/{subset}.libsvm", "the Adult data a9a in LIBSVM's format")
    X, y = read_svmlight_tk(path, n_features=123, labels="int")
    return X, y
