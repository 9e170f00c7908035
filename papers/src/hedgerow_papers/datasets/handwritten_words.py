"""Handwritten words: images of letters, and the letters."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from hedgerow.checks import check_choice
from hedgerow.data import FormatError
from hedgerow_papers.datasets.folders import Subset, data_file, read_table

PIXEL_ROWS, PIXEL_COLUMNS = 16, 8


def load_ocr(folder: str | os.PathLike[str], subset: Subset = "train") -> tuple[list[Any], list[list[str]]]:
    """Images of the letters of handwritten words, and the letters.

    Words collected by R. Kassel as Taskar, Guestrin and Koller (2003) use them: 6,877 words of 52,152 letters, of which
    626 are for training. The first letter of each word, a capital, is missing. The set is not part of hedgerow; the
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
    >>> from hedgerow_papers.datasets import load_ocr
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
