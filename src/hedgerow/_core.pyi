"""
Native core of hedgerow. Private: use the names that the package exports.
"""

from collections.abc import Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray

class Forest:
    """Labelled ordered trees in flat arrays."""

    def __init__(self) -> None: ...
    def __len__(self) -> int: ...
    @property
    def n_nodes(self) -> int: ...
    @property
    def n_labels(self) -> int: ...
    @property
    def n_productions(self) -> int: ...
    def __eq__(self, arg: object, /) -> bool: ...
    def select(
        self,
        trees: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    ) -> Forest: ...
    @staticmethod
    def concatenate(forests: Sequence[Forest]) -> Forest: ...
    @staticmethod
    def from_postorder(
        labels: Sequence[str],
        label_of_node: Annotated[
            NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        arity: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        tree_sizes: Annotated[
            NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> Forest: ...
    def subtrees_of_root(self, tree: int) -> Forest: ...
    def compact(self) -> Forest: ...
    def labels(self) -> list[str]: ...
    def tree_sizes(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]: ...
    def label_of_node(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...
    def production_of_node(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...
    def arity(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...
    def to_brackets(self, bracket_leaves: bool = False, allow_spaces: bool = False) -> list[str]:
        """
        The trees in brackets. Raises ValueError(label) when the notation cannot express a label.
        """

def parse_trees(
    strings: Sequence[str], collect: bool = False, spaces_in_leaves: bool = False
) -> tuple[Forest, list[tuple[int, int, str]]]:
    """
    Trees from bracketed strings, and (number, column, message) of every bad one.
    """

def read_brackets(
    text: bytes,
    field: int | None,
    layout: str = "auto",
    collect: bool = False,
    spaces_in_leaves: bool = False,
) -> tuple[Forest, list[tuple[int, int, str]]]:
    """
    Trees from the text of a file, and (line, column, message) of every error.
    """

class SvmlightTkReader:
    """Reads SVM-light-TK lines piece by piece."""

    def __init__(
        self, spaces_in_leaves: bool = False, zero_based: bool = False, collect: bool = False
    ) -> None: ...
    def read(self, text: bytes, at: int, max_rows: int, last: bool) -> int:
        """Reads complete lines; returns the place behind the last one."""

    @property
    def rows(self) -> int: ...
    @property
    def stopped(self) -> bool: ...
    @property
    def errors(self) -> list[tuple[int, int, str]]: ...
    def take_rows(
        self,
    ) -> tuple[
        list[str],
        NDArray[numpy.int32],
        list[tuple[str, Forest]],
        list[tuple[str, NDArray[numpy.int64], NDArray[numpy.int32], NDArray[numpy.float64], int]],
        NDArray[numpy.int64],
        NDArray[numpy.int64],
    ]:
        """
        The examples held, then forgotten: distinct labels, label of each row, (name, Forest) columns, (name, indptr, indices, data, width) columns, line of each row, qid of each row.
        """
