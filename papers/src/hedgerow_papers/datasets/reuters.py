"""News of Reuters with their topics."""

from __future__ import annotations

import os

from hedgerow.checks import check_choice
from hedgerow_papers.datasets.folders import Subset, data_file, read_table


def load_reuters(
    folder: str | os.PathLike[str], subset: Subset = "train"
) -> tuple[list[str], list[tuple[str, ...]]]:
    """News stories, and the topics of each.

    Reuters-21578 in the split of Apté, Damerau and Weiss (1994): 9,603 stories for training and 3,299 for testing, one
    in six without a topic. They are not part of hedgerow; the folder must hold ``reuters21578/train.tsv`` and
    ``reuters21578/test.tsv``, plain or gzip, one story a line: ``5<TAB>grain,wheat<TAB>title<TAB>body``, with ``-`` for
    no topic.

    Parameters
    ----------
    folder : path
        The folder that has ``reuters21578`` in it.
    subset : {"train", "test"}

    Returns
    -------
    texts : list of str
        Title and body.
    topics : list of tuples of str

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from hedgerow_papers.datasets import load_reuters
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> (folder / "reuters21578").mkdir()
    >>> lines = "5\\tgrain,wheat\\tPRICES\\tWheat 2.55\\n9\\t-\\tNEWS\\tNothing new.\\n"
    >>> _ = (folder / "reuters21578" / "train.tsv").write_text(lines)
    >>> load_reuters(folder)
    (['PRICES Wheat 2.55', 'NEWS Nothing new.'], [('grain', 'wheat'), ()])
    """
    check_choice("subset", subset, ("train", "test"))
    path = data_file(
        folder,
        f"reuters21578/{subset}.tsv",
        "news as lines number, topics, title and body, with tabs between",
    )
    records = read_table(path, ("number", "topics", "title", "body"))
    texts = [f"{title} {body}" for _, _, title, body in records]
    return texts, [() if topics == "-" else tuple(topics.split(",")) for _, topics, _, _ in records]
