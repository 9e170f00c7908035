"""X-ray images, and the taxonomy of what they show."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from scipy import sparse

from hedgerow.checks import check_choice
from hedgerow.io import read_svmlight_tk
from hedgerow_papers.datasets.folders import Subset, data_file, read_tree

N_FEATURES = 80


def load_imageclef07(
    folder: str | os.PathLike[str], subset: Subset = "train"
) -> tuple[sparse.csr_matrix, np.ndarray[Any, np.dtype[np.str_]]]:
    """X-ray images, and the code of the part of the body that they show.

    ImageCLEF07A of Dimitrovski, Kocev, Loskovska and Džeroski (2008): 10,000 images for training and 1,006 for
    testing, 80 features (histograms of edges), and a tree of 96 codes, whose 63 leaves are the classes. They are not
    part of hedgerow; the folder must hold ``imageclef07/train.libsvm`` and ``imageclef07/test.libsvm``, plain or gzip,
    one image a line: ``2/1/3 1:7 3:5 ...``

    Parameters
    ----------
    folder : path
        The folder that has ``imageclef07`` in it.
    subset : {"train", "test"}

    Returns
    -------
    X : csr_matrix of shape (n, 80)
    y : array of str
        Codes such as ``"2/1/3"``; `load_imageclef07_taxonomy` has their tree.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from hedgerow_papers.datasets import load_imageclef07
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> (folder / "imageclef07").mkdir()
    >>> _ = (folder / "imageclef07" / "train.libsvm").write_text("2/1/3 1:7 80:5\\n5/0/0 3:1\\n")
    >>> X, y = load_imageclef07(folder)
    >>> X.shape, y.tolist()
    ((2, 80), ['2/1/3', '5/0/0'])
    """
    check_choice("subset", subset, ("train", "test"))
    path = data_file(folder, f"imageclef07/{subset}.libsvm", "X-ray images in LIBSVM's format")
    X, y = read_svmlight_tk(path, n_features=N_FEATURES, labels="word")
    return X, y


def load_imageclef07_taxonomy(folder: str | os.PathLike[str]) -> dict[str, str]:
    """The tree of the codes of `load_imageclef07`: the parent of each code.

    Parameters
    ----------
    folder : path
        The folder that has ``imageclef07/hierarchy.tsv`` in it, plain or gzip, lines ``parent<TAB>code``.

    Returns
    -------
    parents : dict from str to str

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from hedgerow_papers.datasets import load_imageclef07_taxonomy
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> (folder / "imageclef07").mkdir()
    >>> _ = (folder / "imageclef07" / "hierarchy.tsv").write_text("2\\t2/1\\n2/1\\t2/1/3\\n")
    >>> load_imageclef07_taxonomy(folder)
    {'2/1': '2', '2/1/3': '2/1'}
    """
    return read_tree(folder, "imageclef07/hierarchy.tsv")
