"""Texts of two classes: reviews of films, and messages that are spam or not."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from hedgerow.checks import check_whole
from hedgerow_papers.datasets.folders import data_file, read_table

Labels = np.ndarray[Any, np.dtype[np.str_]]


def load_movie_reviews(folder: str | os.PathLike[str]) -> tuple[list[str], Labels]:
    """Reviews of films, and whether they recommend the film.

    The polarity data 2.0 of Pang and Lee (2004): 1,000 reviews of each class, in lower case, with blanks around
    punctuation. They are not part of hedgerow; the folder must hold ``movie_reviews/all.tsv``, plain or gzip, one
    review per line: ``neg<TAB>cv000_29416<TAB>plot : two teen couples ...``

    Parameters
    ----------
    folder : path
        The folder that has ``movie_reviews`` in it.

    Returns
    -------
    texts : list of str
    y : array of str
        ``"neg"`` and ``"pos"``.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from hedgerow_papers.datasets import load_movie_reviews
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> (folder / "movie_reviews").mkdir()
    >>> _ = (folder / "movie_reviews" / "all.tsv").write_text("pos\\tcv000_1\\ta film to see .\\n")
    >>> texts, y = load_movie_reviews(folder)
    >>> texts, y.tolist()
    (['a film to see .'], ['pos'])
    """
    path = data_file(
        folder, "movie_reviews/all.tsv", "reviews of films as lines label, id and text, with tabs between"
    )
    return _labelled(read_table(path, ("label", "id", "text")))


def load_enron_spam(folder: str | os.PathLike[str], part: int = 1) -> tuple[list[str], Labels]:
    """Electronic mail, and whether it is spam.

    Enron-Spam of Metsis, Androutsopoulos and Paliouras (2006): the mail of six people, each with spam from elsewhere;
    1,500 to 4,500 messages of each class. They are not part of hedgerow; the folder must hold
    ``enron_spam/enron1.tsv`` and so on, plain or gzip, one message a line:
    ``ham<TAB>0001.1999-12-10.farmer.ham<TAB>Subject: ...``

    Parameters
    ----------
    folder : path
        The folder that has ``enron_spam`` in it.
    part : int
        Whose mail, 1 to 6.

    Returns
    -------
    texts : list of str
    y : array of str
        ``"ham"`` and ``"spam"``.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from hedgerow_papers.datasets import load_enron_spam
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> (folder / "enron_spam").mkdir()
    >>> _ = (folder / "enron_spam" / "enron2.tsv").write_text("spam\\t1.txt\\tSubject: you have won\\n")
    >>> texts, y = load_enron_spam(folder, part=2)
    >>> texts, y.tolist()
    (['Subject: you have won'], ['spam'])
    """
    check_whole("part", part, at_least=1, at_most=6)
    path = data_file(
        folder, f"enron_spam/enron{part}.tsv", "mail as lines label, file and text, with tabs between"
    )
    return _labelled(read_table(path, ("label", "file", "text")))


def load_sms_spam(folder: str | os.PathLike[str]) -> tuple[list[str], Labels]:
    """Short messages of telephones, and whether they are spam.

    The SMS Spam Collection of Almeida, Hidalgo and Yamakami (2011): 5,574 messages, 13% of them spam. They are no part
    of hedgerow; the folder must hold ``sms_spam/all.tsv``, plain or gzip, one message a line:
    ``ham<TAB>Ok lar... Joking wif u oni...``

    Parameters
    ----------
    folder : path
        The folder that has ``sms_spam`` in it.

    Returns
    -------
    texts : list of str
    y : array of str
        ``"ham"`` and ``"spam"``.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from hedgerow_papers.datasets import load_sms_spam
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> (folder / "sms_spam").mkdir()
    >>> _ = (folder / "sms_spam" / "all.tsv").write_text("ham\\tSee you at 8\\n")
    >>> texts, y = load_sms_spam(folder)
    >>> texts, y.tolist()
    (['See you at 8'], ['ham'])
    """
    path = data_file(folder, "sms_spam/all.tsv", "messages as lines label and text, with a tab between")
    return _labelled(read_table(path, ("label", "text")))


def _labelled(records: list[list[str]]) -> tuple[list[str], Labels]:
    return [record[-1] for record in records], np.array([record[0] for record in records], dtype=str)
