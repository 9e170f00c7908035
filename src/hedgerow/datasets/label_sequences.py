"""Sentences with chunks or names in them, and handwritten words: inputs and labels of one length."""

from __future__ import annotations

import os
from typing import Any, Literal

import numpy as np

from hedgerow.data import FormatError
from hedgerow.datasets.folders import Subset, data_file
from hedgerow.datasets.tables import read_table
from hedgerow.io import Sentence, read_columns
from hedgerow.kernels.checks import check_choice

COLUMNS = 3  # word, tag, label
PIXEL_ROWS, PIXEL_COLUMNS = 16, 8


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


def load_ocr(folder: str | os.PathLike[str], subset: Subset = "train") -> tuple[list[Any], list[list[str]]]:
    """Images of the letters of handwritten words, and the letters.

    Words collected by R. Kassel as Taskar, Guestrin and Koller (2003) use them: 6,877 words of 52,152 letters, of which
    626 are for training. The first letter of each word, a capital, is missing. The set is no part of hedgerow; the
    folder must hold ``ocr/train.tsv`` and ``ocr/test.tsv``, plain or gzip, one word a line: its letters, a tab, and
    for each letter 32 hexadecimal digits, which are 16 rows of 8 pixels.

    Parameters
    ----------
    folder : path
        The folder that has ``ocr`` in it.
    subset : {"train", "test"}

    Returns
    -------
    words : list of float64 arrays of shape (letters, 128)
        Pixels of 16 rows of 8, from the top left; 1 is ink.
    letters : list of lists of str

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from hedgerow.datasets import load_ocr
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> (folder / "ocr").mkdir()
    >>> _ = (folder / "ocr" / "test.tsv").write_text("il\\t" + "10" * 16 + " " + "81" + "80" * 15 + "\\n")
    >>> words, letters = load_ocr(folder, "test")
    >>> words[0].reshape(2, 16, 8)[:, 0], letters
    (array([[0., 0., 0., 1., 0., 0., 0., 0.],
           [1., 0., 0., 0., 0., 0., 0., 1.]]), [['i', 'l']])
    """
    check_choice("subset", subset, ("train", "test"))
    path = data_file(
        folder, f"ocr/{subset}.tsv", "words as lines letters, tab, 32 hexadecimal digits a letter"
    )
    words, letters = [], []
    for number, (word, images) in enumerate(read_table(path, ("letters", "images")), start=1):
        pixels = _pixels(images)
        if pixels is None or len(pixels) != len(word):
            raise FormatError(
                f"expected 32 hexadecimal digits for each of the {len(word)} letters of {word}",
                path=str(path),
                line=number,
            )
        words.append(pixels)
        letters.append(list(word))
    return words, letters


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


def _pixels(images: str) -> Any:
    """Pixels of all images, one row an image; None when they are no images."""
    try:
        codes = [bytes.fromhex(image) for image in images.split()]
    except ValueError:
        return None
    if any(len(code) != PIXEL_ROWS * PIXEL_COLUMNS // 8 for code in codes):
        return None
    rows = np.frombuffer(b"".join(codes), dtype=np.uint8).reshape(len(codes), PIXEL_ROWS)
    return np.unpackbits(rows, axis=1).astype(np.float64)
