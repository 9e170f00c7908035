"""The 50 best parses of sentences of the English Web Treebank, for reranking."""

from __future__ import annotations

import os
from typing import Literal

from hedgerow.checks import check_choice
from hedgerow.data import CandidateLists
from hedgerow.io import read_nbest
from hedgerow_papers.datasets.folders import data_file

FORMAT = '{"cands": [[log probability, matched, found and wanted brackets, tree], ...]}'


def load_ewt_nbest(
    folder: str | os.PathLike[str],
    subset: Literal["train", "dev", "test"] = "train",
    *,
    limit: int | None = None,
) -> CandidateLists:
    """Up to 50 parses of each sentence, with their log probabilities and their brackets compared with the true parse.

    3,494 sentences of 5 to 25 words for training, 799 for development and 798 for testing. The set is no part of
    hedgerow; the folder must hold ``ewt_nbest/train.jsonl``, ``dev.jsonl`` and ``test.jsonl``, plain or gzip, one
    sentence a line: ``{"cands": [[log probability, matched, found and wanted brackets, tree], ...]}``

    Parameters
    ----------
    folder : path
        The folder that has ``ewt_nbest`` in it.
    subset : {"train", "dev", "test"}
    limit : int, optional
        Read no more than the first so many sentences.

    Returns
    -------
    lists : CandidateLists
        With trees, base scores (the log probabilities) and brackets, and the F1 of the brackets as grades.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from hedgerow_papers.datasets import load_ewt_nbest
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> (folder / "ewt_nbest").mkdir()
    >>> line = '{"cands": [[-9.5, 1, 2, 2, "(S (NP a) (VP b))"], [-9.7, 2, 2, 2, "(S (VP a) (NP b))"]]}'
    >>> _ = (folder / "ewt_nbest" / "dev.jsonl").write_text(line)
    >>> lists = load_ewt_nbest(folder, "dev")
    >>> lists
    CandidateLists(1 lists, 2 candidates: grades, brackets, base_scores, trees)
    >>> lists.grades
    array([0.5, 1. ])
    """
    check_choice("subset", subset, ("train", "dev", "test"))
    path = data_file(folder, f"ewt_nbest/{subset}.jsonl", f"sentences as lines {FORMAT}")
    return read_nbest(path, limit=limit)
