"""Sentences with chunks or names in them: inputs and labels of one length."""

from __future__ import annotations

import os
from typing import Literal

from hedgerow.checks import check_choice
from hedgerow.data import FormatError
from hedgerow.datasets.folders import Subset, data_file
from hedgerow.io import Sentence, read_columns

COLUMNS = 3  # word, tag, label


def load_conll2000(
    folder: str | os.PathLike[str], subset: Subset = "train"
) -> tuple[list[Sentence], list[list[str]]]:
    """Sentences of the Wall Street Journal, and where their phrases begin and end.

    The shared task of CoNLL-2000 (Tjong Kim Sang and Buchholz): 8,936 sentences for training and 2,012 for testing.
    It is no part of hedgerow; the folder must hold ``conll2000/train.txt`` and ``conll2000/test.txt``, plain or gzip,
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
    >>> from hedgerow.datasets import load_conll2000
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
    persons, places, organisations and others. It is no part of hedgerow; the folder must hold
    ``conll2002_esp/train.txt`` and ``conll2002_esp/testa.txt``, plain or gzip, with lines ``word tag label``.

    Parameters
    ----------
    folder : path
        The folder that has ``conll2002_esp`` in it.
    subset : {"train", "testa"}

    Returns
    -------
    sentences : list of lists of (word, tag)
    labels : list of lists of str
        ``B-PER`` for the first token of a person's name, ``I-PER`` for another one of it, and so on; ``O`` for
        tokens outside.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from hedgerow.datasets import load_conll2002_esp
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
