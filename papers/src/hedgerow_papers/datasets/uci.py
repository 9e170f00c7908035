"""Small sets of the UCI repository, encoded as Carvalho and Cohen (2006) encode them.

A nominal attribute becomes one binary feature for each of its values; examples with missing values (``?``) are left
out. Numbers stay as they are, however large.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.preprocessing import OneHotEncoder

from hedgerow.data import FormatError
from hedgerow.io import read_svmlight_tk
from hedgerow_papers.datasets.folders import data_file, read_table

Examples = tuple[sparse.csr_matrix, np.ndarray[Any, np.dtype[np.str_]]]

VOTES = tuple(f"vote {i}" for i in range(1, 17))
CREDIT = tuple(f"A{i}" for i in range(1, 16))
CREDIT_NUMBERS = ("A2", "A3", "A8", "A11", "A14", "A15")
CELLS = (
    "clump thickness",
    "uniformity of size",
    "uniformity of shape",
    "adhesion",
    "epithelial size",
    "bare nuclei",
    "bland chromatin",
    "normal nucleoli",
    "mitoses",
)
NURSERY = ("parents", "nursery", "form", "children", "housing", "finance", "social", "health")
ADS_FEATURES = 1558


def load_house_votes(folder: str | os.PathLike[str]) -> Examples:
    """Sixteen votes of members of Congress in 1984, and their party.

    A vote is 1 for yes and 0 otherwise, so no example is left out: 435, of which 267 are democrats. The set is no part
    of hedgerow; the folder must hold ``uci/house_votes_84.csv``, plain or gzip: ``republican,n,y,n,?,...``

    Parameters
    ----------
    folder : path
        The folder that has ``uci`` in it.

    Returns
    -------
    X : csr_matrix of shape (n, 16)
    y : array of str
        ``"democrat"`` and ``"republican"``.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from hedgerow_papers.datasets import load_house_votes
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> (folder / "uci").mkdir()
    >>> _ = (folder / "uci" / "house_votes_84.csv").write_text("democrat,y,n,?" + 13 * ",y" + "\\n")
    >>> X, y = load_house_votes(folder)
    >>> X.nnz, y.tolist()
    (14, ['democrat'])
    """
    _, records = _table(folder, "house_votes_84", ("party", *VOTES))
    votes = np.array([record[1:] for record in records], dtype=str)
    return sparse.csr_matrix((votes == "y").astype(np.float64)), _column(records, 0)


def load_credit(folder: str | os.PathLike[str]) -> Examples:
    """Applications for credit, and whether they were granted (``crx``, Japanese credit screening).

    Nine nominal attributes and six numbers: 653 examples without missing values, 46 features. The set is no part of
    hedgerow; the folder must hold ``uci/crx.csv``, plain or gzip: ``b,30.83,0,u,g,w,v,1.25,t,t,01,f,g,00202,0,+``

    Parameters
    ----------
    folder : path
        The folder that has ``uci`` in it.

    Returns
    -------
    X : csr_matrix of shape (n, features)
        The numbers come last.
    y : array of str
        ``"+"`` and ``"-"``.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from hedgerow_papers.datasets import load_credit
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> (folder / "uci").mkdir()
    >>> lines = "b,30.83,0,u,g,w,v,1.25,t,t,01,f,g,00202,0,+\\na,?,1,u,g,w,v,1.25,t,t,01,f,g,00202,0,-\\n"
    >>> _ = (folder / "uci" / "crx.csv").write_text(lines)
    >>> X, y = load_credit(folder)
    >>> X.toarray()[:, 9:].tolist(), y.tolist()
    ([[30.83, 0.0, 1.25, 1.0, 202.0, 0.0]], ['+'])
    """
    path, records = _table(folder, "crx", (*CREDIT, "class"))
    complete = [record for record in records if "?" not in record]
    numbers = [CREDIT.index(name) for name in CREDIT_NUMBERS]
    nominal = [i for i in range(len(CREDIT)) if i not in numbers]
    try:
        values = np.array([[float(record[i]) for i in numbers] for record in complete])
    except ValueError as error:
        raise FormatError(f"{', '.join(CREDIT_NUMBERS)} must be numbers: {error}", path=str(path)) from None
    X = sparse.hstack([_binary(complete, nominal), sparse.csr_matrix(values)], format="csr")
    return X, _column(complete, -1)


def load_breast_cancer_wisconsin(folder: str | os.PathLike[str]) -> Examples:
    """Cells under the microscope, and whether the tumour is malignant.

    Nine properties graded from 1 to 10, each grade a feature: 683 examples without missing values, 89 features. The set
    is not part of hedgerow; the folder must hold ``uci/breast_cancer_wisconsin.csv``, plain or gzip:
    ``1000025,5,1,1,1,2,1,3,1,1,2``, which ends in 2 (benign) or 4 (malignant).

    Parameters
    ----------
    folder : path
        The folder that has ``uci`` in it.

    Returns
    -------
    X : csr_matrix of shape (n, features)
    y : array of str
        ``"benign"`` and ``"malignant"``.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from hedgerow_papers.datasets import load_breast_cancer_wisconsin
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> (folder / "uci").mkdir()
    >>> lines = "1,5,1,1,1,2,1,3,1,1,2\\n2,5,1,1,1,2,?,3,1,1,2\\n3,8,9,9,1,2,7,3,1,1,4\\n"
    >>> _ = (folder / "uci" / "breast_cancer_wisconsin.csv").write_text(lines)
    >>> X, y = load_breast_cancer_wisconsin(folder)
    >>> X.shape, X.nnz, y.tolist()
    ((2, 13), 18, ['benign', 'malignant'])
    """
    path, records = _table(folder, "breast_cancer_wisconsin", ("id", *CELLS, "class"))
    complete = [record for record in records if "?" not in record]
    names = {"2": "benign", "4": "malignant"}
    for record in complete:
        if record[-1] not in names:
            raise FormatError(f"the class must be 2 or 4, got {record[-1]!r}", path=str(path))
    X = _binary(complete, list(range(1, 1 + len(CELLS))))
    return X, np.array([names[record[-1]] for record in complete], dtype=str)


def load_nursery(folder: str | os.PathLike[str]) -> Examples:
    """Applications for a nursery school, and how they were ranked.

    Eight nominal attributes, all combinations of their values: 12,960 examples, 27 features. The set is no part of
    hedgerow; the folder must hold ``uci/nursery.csv``, plain or gzip:
    ``usual,proper,complete,1,convenient,convenient,nonprob,priority,priority``

    Parameters
    ----------
    folder : path
        The folder that has ``uci`` in it.

    Returns
    -------
    X : csr_matrix of shape (n, features)
    y : array of str
        ``"not_recom"``, ``"priority"``, ``"recommend"``, ``"spec_prior"`` and ``"very_recom"``.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from hedgerow_papers.datasets import load_nursery
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> (folder / "uci").mkdir()
    >>> start = "usual,proper,complete,1,convenient,convenient,nonprob"
    >>> lines = f"{start},priority,priority\\n{start},not_recom,not_recom\\n"
    >>> _ = (folder / "uci" / "nursery.csv").write_text(lines)
    >>> X, y = load_nursery(folder)
    >>> X.shape, y.tolist()
    ((2, 9), ['priority', 'not_recom'])
    """
    _, records = _table(folder, "nursery", (*NURSERY, "class"))
    return _binary(records, list(range(len(NURSERY)))), _column(records, -1)


def load_internet_ads(folder: str | os.PathLike[str]) -> tuple[sparse.csr_matrix, Any]:
    """Pictures in web pages, and whether they are advertisements; a part of the set.

    1,558 features, nearly all binary (words of addresses and captions), the first three the size of the picture;
    missing values count as 0. Of its 3,279 examples public copies have 998: all 459 advertisements and the first 539
    others. The set is not part of hedgerow; the folder must hold ``uci/internet_ads_partial.libsvm``, plain or gzip,
    one example per line: ``+1 1:125 2:125 3:1.0 4:1 96:1 ...``

    Parameters
    ----------
    folder : path
        The folder that has ``uci`` in it.

    Returns
    -------
    X : csr_matrix of shape (n, 1558)
    y : int64 array of shape (n,)
        1 for advertisements, -1 for the others.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from hedgerow_papers.datasets import load_internet_ads
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> (folder / "uci").mkdir()
    >>> _ = (folder / "uci" / "internet_ads_partial.libsvm").write_text("+1 1:125 96:1\\n-1 1:33 4:1\\n")
    >>> X, y = load_internet_ads(folder)
    >>> X.shape, y.tolist()
    ((2, 1558), [1, -1])
    """
    path = data_file(folder, "uci/internet_ads_partial.libsvm", "Internet advertisements in LIBSVM's format")
    X, y = read_svmlight_tk(path, n_features=ADS_FEATURES, labels="int")
    return X, y


def _table(
    folder: str | os.PathLike[str], name: str, columns: tuple[str, ...]
) -> tuple[Path, list[list[str]]]:
    path = data_file(folder, f"uci/{name}.csv", f"the columns {', '.join(columns)}, with commas between")
    return path, read_table(path, columns, separator=",")


def _column(records: list[list[str]], i: int) -> np.ndarray[Any, np.dtype[np.str_]]:
    return np.array([record[i] for record in records], dtype=str)


def _binary(records: list[list[str]], columns: list[int]) -> sparse.csr_matrix:
    """A feature for each value of each column, in the order of columns and values."""
    values = np.array([[record[i] for i in columns] for record in records], dtype=str)
    return sparse.csr_matrix(OneHotEncoder(dtype=np.float64).fit_transform(values))
