"""The Adult data of census forms, as the LIBSVM page has them (a9a)."""

from __future__ import annotations

import os
from typing import Any

from scipy import sparse

from hedgerow.checks import check_choice
from hedgerow.datasets.folders import Subset, data_file
from hedgerow.io import read_svmlight_tk

N_FEATURES = 123


def load_adult(folder: str | os.PathLike[str], subset: Subset = "train") -> tuple[sparse.csr_matrix, Any]:
    """Census forms, and whether the household earns more than 50,000 dollars a year.

    The set a9a: 14 attributes cut into 123 binary features by Platt (1999), with 32,561 examples for training
    and 16,281 for testing, 24% of them positive. It is no part of hedgerow; the folder must hold the files
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
    >>> from hedgerow.datasets import load_adult
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> (folder / "a9a").mkdir()
    >>> _ = (folder / "a9a" / "train.libsvm").write_text("-1 3:1 11:1\\n+1 5:1 122:1\\n")
    >>> X, y = load_adult(folder)
    >>> X.shape, y.tolist()
    ((2, 123), [-1, 1])
    """
    check_choice("subset", subset, ("train", "test"))
    path = data_file(folder, f"a9a/{subset}.libsvm", "the Adult data a9a in LIBSVM's format")
    X, y = read_svmlight_tk(path, n_features=N_FEATURES, labels="int")
    return X, y
