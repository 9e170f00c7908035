"""
Native core of hedgerow. Private: use the names that the package exports.
"""

from collections.abc import Callable, Sequence
from typing import Annotated, overload

import numpy
from numpy.typing import NDArray

class Stopper:
    """
    Stops native calls inside its with statement, in any thread, as Ctrl-C does.
    """

    def __init__(self) -> None: ...
    def stop(self) -> None: ...
    def __enter__(self) -> None: ...
    def __exit__(self, type: object | None, value: object | None, traceback: object | None) -> None: ...

def set_limits(nodes: int, depth: int, pairs: int) -> None: ...
def beyond_limit(what: str, name: str, limit: int) -> str: ...

class Entrance:
    """Holds a lock inside a with statement."""

    def __enter__(self) -> None: ...
    def __exit__(self, type: object | None, value: object | None, traceback: object | None) -> None: ...

def new_lock() -> tuple[Entrance, Entrance]:
    """
    A lock's entrances for reading, which many threads may do, and for writing, which one may.
    """

class FeatureTable:
    """Items described by explicit sparse features."""

    @overload
    def gram(
        self,
        n_left: int | None,
        out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu")],
        threads: int,
    ) -> None:
        """
        Fills `out` with kernel values of the first n_left rows with the others; None: of all with each other.
        """

    @overload
    def gram(
        self,
        n_left: int | None,
        out: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order="C", device="cpu")],
        threads: int,
    ) -> None: ...
    def diagonal(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...
    def rows(self) -> tuple:
        """Begins of rows, and their features."""

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

class Items:
    """Examples as expansions take them."""

    def __len__(self) -> int: ...
    def select(
        self,
        numbers: Annotated[
            NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> Items:
        """Copies of some of the items, in the given order."""

class TreeItems(Items):
    def __init__(self, arg: Forest, /) -> None: ...
    @property
    def forest(self) -> Forest: ...

class DenseItems(Items):
    def __init__(
        self,
        rows: Annotated[
            NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)
        ],
    ) -> None: ...
    @property
    def rows(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), writable=False)]: ...

class PairItems(Items):
    def __init__(self, left: Items, right: Items) -> None: ...
    @property
    def left(self) -> Items: ...
    @property
    def right(self) -> Items: ...

class KernelModel:
    """Supports in slots under one kernel, with columns of weights."""

    def empty(self, columns: int) -> KernelModel:
        """An empty model of the same kernel."""

    @property
    def columns(self) -> int: ...
    @property
    def slots(self) -> int: ...
    def put(self, slot: int, items: Items, item: int) -> None:
        """Makes an item a support in a free slot, or in the next."""

    def put_all(
        self,
        items: Items,
        slots: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    ) -> None:
        """Makes items supports in free slots, or in the next ones."""

    def add_weights(
        self,
        slots: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        column: int,
        deltas: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> None: ...
    def add_weight(self, slot: int, column: int, delta: float) -> None: ...
    def scale_weights(self, column: int, factor: float) -> None: ...
    def erase(self, slot: int) -> None: ...
    def scores(self, items: Items) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """One item at a time, as while learning; row-major."""

    def rows(self, items: Items) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """One item at a time, as while learning; row-major."""

    def self_kernels(self, items: Items) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...
    def support_scores(self, slot: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...
    def support_row(self, slot: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...
    def support_self_kernel(self, slot: int) -> float: ...
    def supports(
        self,
        slots: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    ) -> Items: ...
    def score_batch(
        self, items: Items, threads: int
    ) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """Row-major."""

    def row_batch(self, items: Items, threads: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """Row-major."""

    def self_kernel_batch(
        self, items: Items, threads: int
    ) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...
    def freeze(self, single: bool) -> None: ...
    def save(self) -> dict: ...
    def load(self, columns: int, arrays: dict) -> KernelModel:
        """A model of the same kernel with what `save` gave."""

class PythonItems(Items):
    """Items of a kernel that is written in Python."""

    def __init__(self, batch: object) -> None: ...
    @property
    def batch(self) -> object: ...

class CallbackModel(KernelModel):
    def __init__(self, kernel: object) -> None: ...

class WeightedModel(KernelModel):
    def __init__(self, model: KernelModel, weight: float) -> None: ...

class NormalizedModel(KernelModel):
    def __init__(self, model: KernelModel) -> None: ...

class SumModel(KernelModel):
    def __init__(self, left: KernelModel, right: KernelModel) -> None: ...

class ProductModel(KernelModel):
    def __init__(self, left: KernelModel, right: KernelModel) -> None: ...

class SequenceItems(Items):
    def __init__(
        self,
        symbols: Annotated[
            NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        begin: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
        tokens: Sequence[bytes] | None,
    ) -> None:
        """Symbols are code points, or numbers of tokens where these are given."""

    @property
    def symbols(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...
    @property
    def begin(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]: ...
    @property
    def tokens(self) -> list[bytes] | None: ...

def subtree_model(decay: float, normalized: bool) -> KernelModel: ...
def path_model(decay: float, normalized: bool) -> KernelModel: ...
def short_fragment_model(sizes: ShortFragments, normalized: bool) -> KernelModel: ...
def kmer_model(
    k: int,
    weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    max_entries: int,
    normalized: bool,
) -> KernelModel: ...
def subsequence_model(length: int, decay: float, scale: float, normalized: bool) -> KernelModel: ...

class SubsetTreeModel(KernelModel):
    def __init__(self, kernel: SubsetTree, normalized: bool) -> None:
        """With one column."""

class PartialTreeModel(KernelModel):
    def __init__(self, kernel: PartialTree, normalized: bool) -> None:
        """With one column."""

class TreeIndex:
    @overload
    def __init__(self, kernel: SubsetTree, ranking: str) -> None: ...
    @overload
    def __init__(self, kernel: PartialTree, ranking: str) -> None: ...
    @overload
    def __init__(self, decay: float, ranking: str) -> None:
        """Of complete subtrees."""

    def __len__(self) -> int: ...
    @property
    def slots(self) -> int:
        """One more than the largest number of a tree so far."""

    def add(self, trees: Items, threads: int) -> None: ...
    def remove(
        self,
        numbers: Annotated[
            NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> None: ...
    def numbers(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]: ...
    def trees(
        self,
        numbers: Annotated[
            NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> Items: ...
    def neighbors(self, trees: Items, most: int, least: float, radius: float, threads: int) -> tuple:
        """
        Neighbours with at most so many, a least score, and a radius: where those of each tree begin, their numbers and scores, the trees' self-kernels, and how many pairs were compared.
        """

    def neighbors_of(
        self,
        numbers: Annotated[
            NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        most: int,
        least: float,
        radius: float,
        threads: int,
    ) -> tuple:
        """
        Neighbours with at most so many, a least score, and a radius: where those of each tree begin, their numbers and scores, the trees' self-kernels, and how many pairs were compared.
        """

    def save(self) -> dict: ...
    def load(self, arrays: dict, threads: int) -> None:
        """Into an empty index."""

class SparseItems(Items):
    """Rows of a CSR matrix; `is_canonical` must hold."""

    def __init__(
        self,
        indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
        indices: Annotated[
            NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        data: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
        width: int,
    ) -> None: ...
    @property
    def indptr(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]: ...
    @property
    def indices(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]: ...
    @property
    def data(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]: ...
    @property
    def width(self) -> int: ...

def is_canonical(
    begin: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    index: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    value: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    width: int,
) -> bool:
    """
    Whether sparse rows have increasing indices below the width and finite values.
    """

class GramItems(Items):
    """Rows of kernel values with the examples of a fit."""

    @overload
    def __init__(
        self,
        rows: Annotated[
            NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)
        ],
    ) -> None:
        """A square matrix may be that of the examples."""

    @overload
    def __init__(
        self,
        rows: Annotated[
            NDArray[numpy.float32], dict(shape=(None, None), order="C", device="cpu", writable=False)
        ],
    ) -> None: ...

class PrecomputedModel(KernelModel):
    def __init__(self) -> None: ...

class LinearModel(KernelModel):
    def __init__(self, normalized: bool) -> None: ...

class PolynomialModel(KernelModel):
    def __init__(self, degree: float, scale: float, offset: float, normalized: bool) -> None: ...

class RBFModel(KernelModel):
    def __init__(self, gamma: float) -> None: ...

class SigmoidModel(KernelModel):
    def __init__(self, scale: float, offset: float) -> None: ...

def exponentials(
    values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu")],
) -> None:
    """exp, in place."""

def kmer_features(
    symbols: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    begin: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    k: int,
    weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    max_entries: int,
) -> FeatureTable:
    """
    Counts of the k-mers of sequences, with wildcards when there is more than one weight.
    """

@overload
def subsequences(
    symbols: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    begin: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    n_left: int,
    symmetric: bool,
    length: int,
    decay: float,
    scale: float,
    threads: int,
    out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu")],
) -> None:
    """Sums over common subsequences of decay^gaps, times scale."""

@overload
def subsequences(
    symbols: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    begin: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    n_left: int,
    symmetric: bool,
    length: int,
    decay: float,
    scale: float,
    threads: int,
    out: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order="C", device="cpu")],
) -> None: ...
def subsequences_diagonal(
    symbols: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    begin: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    length: int,
    decay: float,
    scale: float,
    threads: int,
) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...
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

def is_number(text: str, whole: bool = False) -> bool:
    """
    Whether the text is a finite decimal number, or a whole one of 64 bits.
    """

def scan_labels(text: bytes) -> list[bytes]:
    """The distinct labels of whole SVM-light-TK lines."""

class SvmlightTkReader:
    """Reads SVM-light-TK lines piece by piece."""

    def __init__(
        self,
        spaces_in_leaves: bool = False,
        zero_based: bool = False,
        collect: bool = False,
        n_features: int = 2147483647,
    ) -> None: ...
    def declare_column(self, name: str, holds_trees: bool) -> None: ...
    def fix_columns(self, hint: str) -> None:
        """
        Lines with other columns are errors from here on; the hint ends their message.
        """

    def fix_labels(self, whole: bool, hint: str) -> None:
        """
        Other labels than numbers are errors from here on; the hint ends their message.
        """

    def read(self, text: bytes, at: int, max_rows: int, last: bool) -> int:
        """Reads complete lines; returns the place behind the last one."""

    @property
    def rows(self) -> int: ...
    @property
    def stopped(self) -> bool: ...
    @property
    def columns(self) -> list[tuple[str, bool]]:
        """
        (name, holds trees) of the columns, in the order in which the text first shows them.
        """

    @property
    def errors(self) -> list[tuple[int, int, str]]: ...
    def take_errors(self) -> list[tuple[int, int, str]]:
        """The errors so far, then forgotten."""

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

class TextMemory:
    """In how many texts columns occur, and the words of some columns."""

    def __init__(self, bits: int, counts_documents: bool, room: int) -> None: ...
    @property
    def documents(self) -> int: ...
    @property
    def full(self) -> bool: ...
    def keep(
        self,
        columns: Annotated[
            NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> None:
        """Forget the words of other columns."""

    def frequencies(self) -> tuple:
        """Columns that occur, and in how many texts."""

    def set_documents(
        self,
        documents: int,
        columns: Annotated[
            NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        counts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    ) -> None: ...
    def words(self) -> list[tuple[int, int, str, bool]]:
        """Column, hash, word and whether there are more, for each word."""

    def add_word(self, column: int, hash: int, text: str, more: bool) -> None: ...

class TextHashing:
    """How texts become sparse vectors."""

    def __init__(
        self,
        bits: int,
        analyzer: str,
        shortest: int,
        longest: int,
        lowercase: bool,
        alternate_sign: bool,
        counts: str,
        norm: str,
    ) -> None: ...
    def vectors(self, texts: list, memory: TextMemory | None, threads: int) -> tuple:
        """Begins, columns and values of sparse rows."""

    def learn(self, texts: list, memory: TextMemory) -> tuple:
        """
        The same, of each text as the memory stood before it, which then has it.
        """

    def count(self, texts: list, memory: TextMemory, times: int) -> None:
        """Count the documents of columns, or take them back."""

    def names(self, text: str) -> list[tuple[int, bool, str]]:
        """
        Columns of the text, whether they count negatively, and what is in them.
        """

class SubsetTree:
    def __init__(self, decay: float, bag_of_words: bool) -> None: ...
    @overload
    def gram(
        self,
        left: Forest,
        right: Forest | None,
        out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu")],
        normalized: bool,
        threads: int,
    ) -> bool:
        """
        Fills `out` with kernel values; right None: of left with itself. Returns whether all are finite.
        """

    @overload
    def gram(
        self,
        left: Forest,
        right: Forest | None,
        out: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order="C", device="cpu")],
        normalized: bool,
        threads: int,
    ) -> bool: ...
    def pairwise(
        self,
        left: Forest,
        right: Forest | None,
        out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu")],
    ) -> None:
        """The same, un-normalised, pair by pair in one thread."""

    def diagonal(
        self, forest: Forest, normalized: bool, threads: int
    ) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """Self-kernels."""

class PartialTree:
    def __init__(
        self,
        decay: float,
        vertical_decay: float,
        lexical: bool,
        max_length: int | None,
        terminal_factor: float,
    ) -> None: ...
    @overload
    def gram(
        self,
        left: Forest,
        right: Forest | None,
        out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu")],
        normalized: bool,
        threads: int,
    ) -> bool:
        """
        Fills `out` with kernel values; right None: of left with itself. Returns whether all are finite.
        """

    @overload
    def gram(
        self,
        left: Forest,
        right: Forest | None,
        out: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order="C", device="cpu")],
        normalized: bool,
        threads: int,
    ) -> bool: ...
    def pairwise(
        self,
        left: Forest,
        right: Forest | None,
        out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu")],
    ) -> None:
        """The same, un-normalised, pair by pair in one thread."""

    def diagonal(
        self, forest: Forest, normalized: bool, threads: int
    ) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """Self-kernels."""

class ShortFragments:
    def __init__(self, subtrees: int, paths: int, leaves: int, siblings: bool) -> None: ...
    def features(self, left: Forest, right: Forest | None) -> FeatureTable: ...
    def names(self, forest: Forest, tree: int) -> list[str]:
        """The fragments of a tree in words, in the order of its row of features."""

def subtree_features(left: Forest, right: Forest | None, decay: float) -> FeatureTable: ...
def path_features(left: Forest, right: Forest | None, decay: float) -> FeatureTable: ...
@overload
def dense_rbf(
    left: Annotated[
        NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)
    ],
    right: Annotated[
        NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)
    ],
    symmetric: bool,
    gamma: float,
    threads: int,
    out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu")],
) -> None:
    """exp(-gamma |x - z|^2) of all pairs of rows."""

@overload
def dense_rbf(
    left: Annotated[
        NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)
    ],
    right: Annotated[
        NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)
    ],
    symmetric: bool,
    gamma: float,
    threads: int,
    out: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order="C", device="cpu")],
) -> None: ...

class SparseRows:
    """Rows of a sparse matrix, for those of X and then those of Y."""

    def __init__(
        self,
        row_begin: Annotated[
            NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        index: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        value: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        width: int,
    ) -> None: ...
    def dots(
        self,
        n_left: int,
        symmetric: bool,
        threads: int,
        out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu")],
    ) -> None:
        """Dot products."""

    def rbf(
        self,
        n_left: int,
        symmetric: bool,
        gamma: float,
        threads: int,
        out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu")],
    ) -> None:
        """exp(-gamma |x - z|^2)."""

class FragmentHashing:
    """How trees become sparse vectors of fragments."""

    def __init__(
        self,
        bits: int,
        subtrees: int,
        paths: int,
        leaves: int,
        productions: bool,
        siblings: bool,
        alternate_sign: bool,
        counts: str,
        norm: str,
    ) -> None: ...
    def vectors(self, forest: Forest, threads: int) -> tuple:
        """Begins, columns and values of sparse rows."""

    def names(self, forest: Forest, tree: int) -> list[tuple[int, bool, int, int, str]]:
        """
        Columns of a tree's fragments, whether they count negatively, first and last nodes, what they are.
        """

    def behind(
        self,
        columns: Annotated[
            NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        forest: Forest,
    ) -> list[tuple[int, bool, int, str]]:
        """
        Fragments of a forest that have these columns: column, whether they count negatively, trees, what.
        """

def varying_parse_features(
    forest: Forest,
    begins: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    least: int,
    threads: int,
) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]:
    """
    Hashes of the features whose counts vary within at least so many lists, in order.
    """

def parse_feature_rows(
    forest: Forest,
    begins: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    hashes: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    base: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    threads: int,
) -> tuple:
    """
    Begins, columns and values of sparse rows: column 0 for the base, then one for each hash.
    """

def shared_parse_feature_rows(
    forest: Forest,
    begins: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    bits: int,
    base: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    threads: int,
) -> tuple:
    """As parse_feature_rows, with 2**bits columns that features share."""

def parse_feature_names(
    forest: Forest,
    hashes: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)],
) -> list[str]:
    """Empty for features that no tree has."""

class KernelRule:
    pass

def kernel_rule(name: str, parameters: dict) -> KernelRule: ...
def kernel_rules() -> list[str]:
    """Names of the rules that there are."""

def python_rule(rules: list) -> KernelRule: ...

class Function:
    """
    The function f that a rule learns, at the current example x. Slots name its supports. Valid only while the rule learns.
    """

    @property
    def score(self) -> float:
        """f(x), bias included."""

    @property
    def self_kernel(self) -> float:
        """K(x, x)."""

    @property
    def squared_norm(self) -> float:
        """Of f without its bias."""

    @property
    def bias(self) -> float: ...
    @property
    def supports(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """Slots of the supports, oldest first."""

    @property
    def coefficients(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """Coefficients of the supports, oldest first."""

    @property
    def row(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """K(s, x) for the supports s, oldest first."""

    def add(self, coefficient: float) -> None:
        """f += coefficient * K(x, .)"""

    def scale(self, factor: float) -> None:
        """f *= factor, but for the bias."""

    def add_bias(self, delta: float) -> None: ...
    def value_at(self, slot: int) -> float:
        """f at a support, without the bias."""

    def remove(self, slot: int) -> None:
        """Removes a support from f."""

class Expansion:
    """Functions with common supports."""

    def __init__(self, kernel: KernelModel, functions: int) -> None: ...
    def add_supports(
        self,
        items: Items,
        coefficients: Annotated[
            NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)
        ],
        numbers: Annotated[
            NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> None: ...
    def set_bias(self, function: int, bias: float) -> None: ...
    def decisions(
        self, items: Items, threads: int, single: bool
    ) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """Row-major."""

    @property
    def functions(self) -> int: ...
    @property
    def support_count(self) -> int: ...
    def supports(self) -> Items:
        """Items, in order of arrival."""

    def support_numbers(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]: ...
    def coefficients(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """Function by function, of the functions that predict."""

    def biases(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...
    def squared_norms(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """Of the last predictors."""

    def save(self) -> dict: ...
    def load(self, arrays: dict) -> None: ...

class Learner:
    """Passes over examples."""

    def learn(
        self,
        items: Items,
        labels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        weights: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ]
        | None,
        orders: Sequence[
            Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)]
        ],
        foreseen: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu")]
        | None = None,
        foresees_votes: bool = False,
        after_pass: Callable[[int], None] | None = None,
    ) -> None:
        """
        One pass for each order, or one in the given order without any. The scores of an example before it is learned from, as `decisions` gives them, go to `foreseen`, unless its weight is 0; instead of votes on weights, which take quadratic time, those of the last predictor, unless `foresees_votes`. `after_pass` is called after each order, with the number of examples seen; it must not use this learner. Examples that come again in one call are the same ones.
        """

    def decisions(
        self, items: Items, threads: int, single: bool
    ) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """Row-major."""

    @property
    def seen(self) -> int: ...
    @property
    def mistakes(self) -> int: ...
    @property
    def updates(self) -> int: ...
    def rearrange(
        self,
        codes: Annotated[
            NDArray[numpy.int8], dict(shape=(None, None), order="C", device="cpu", writable=False)
        ],
        decoding: str,
        origins: Annotated[
            NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> None:
        """
        Class k, with its function, becomes what class origins[k] was; -1: a new one.
        """

    def trace(self) -> dict: ...
    def save(self) -> dict: ...
    def load(self, arrays: dict) -> None: ...

class KernelLearner(Learner):
    """Passes of a rule on expansions."""

    def __init__(
        self,
        kernel: KernelModel,
        rule: KernelRule,
        codes: Annotated[
            NDArray[numpy.int8], dict(shape=(None, None), order="C", device="cpu", writable=False)
        ],
        decoding: str,
        averaging: str | None,
        trace_every: int,
        counting: str = "examples",
    ) -> None: ...
    @property
    def expansion(self) -> Expansion: ...
    @property
    def condition(self) -> float: ...

class LinearRule:
    """A learner of one linear function."""

def linear_rule(name: str, averaging: str | None, parameters: dict) -> LinearRule: ...
def linear_rules() -> list[str]:
    """Names of the rules that there are."""

def rule_on_weights(rule: KernelRule, averaging: str | None, largest_scale: float = 1e30) -> LinearRule:
    """
    Beyond the largest scale, the common factor of all weights is multiplied into them.
    """

class LinearLearner(Learner):
    """Passes of a learner of weights."""

    def __init__(
        self,
        rule: LinearRule,
        codes: Annotated[
            NDArray[numpy.int8], dict(shape=(None, None), order="C", device="cpu", writable=False)
        ],
        decoding: str,
        trace_every: int,
        counting: str = "examples",
        half_life: float = float("inf"),
    ) -> None: ...
    @property
    def width(self) -> int:
        """Of the widest batch so far."""

    def nonzeros(self, function: int) -> tuple:
        """Features and weights of the function that predicts."""

    def nonzero_count(self, function: int) -> int: ...
    def intercept(self, function: int) -> float: ...
    def prune(self, k: int, top: float) -> None:
        """Keeps k features of each function."""

    @property
    def mixing_of_cells(self) -> dict[str, str]:
        """Coordinates of cells, and how shards mix each: mean, sum, max, first."""

    @property
    def mixing_of_numbers(self) -> dict[str, str]: ...
    def numbers(self) -> dict:
        """Of functions, by name."""

    def change_since(self, start: LinearLearner) -> tuple:
        """
        Keys of cells, function * 2**32 + feature, and what was added to their coordinates.
        """

    def mix(
        self,
        keys: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
        coordinates: Sequence[
            Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)]
        ],
        numbers: dict,
        width: int,
    ) -> None:
        """Makes this learner, with which all shards began, their mixture."""

    def set_counts(self, seen: int, mistakes: int) -> None: ...
    def begin_average(self) -> None:
        """Of the predictors so far none counts for the average."""

def fold_rows(
    begin: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    index: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    value: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    width: int,
) -> tuple:
    """
    Sparse rows with every feature j in column j modulo the width, a power of two.
    """

def winnow_weights(learner: LinearLearner, function: int) -> tuple:
    """
    Features in the model of a Winnow, and the two weights of each in the last predictor.
    """

def extremal_features(
    features: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    k: int,
    top: float,
) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
    """
    Places of the k features with the largest scores and, for the share 1 - top of them, the smallest.
    """

class CandidateItems(Items):
    """Lists of candidates, each with its oracle."""

    def __init__(
        self,
        candidates: Items,
        begins: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
        oracles: Annotated[
            NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        rivals: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)],
    ) -> None: ...

class RankingLearner(LinearLearner):
    """Passes over candidate lists, whose labels are all 1."""

    def __init__(
        self, rule: LinearRule, trace_every: int, counting: str = "examples", half_life: float = float("inf")
    ) -> None: ...

class SvmKernel:
    """The kernel matrix of the examples of a support vector machine."""

    @overload
    @staticmethod
    def from_gram(
        gram: Annotated[
            NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)
        ],
    ) -> SvmKernel:
        """A matrix in memory, which is not copied."""

    @overload
    @staticmethod
    def from_gram(
        gram: Annotated[
            NDArray[numpy.float32], dict(shape=(None, None), order="C", device="cpu", writable=False)
        ],
    ) -> SvmKernel: ...
    @staticmethod
    def from_items(model: KernelModel, items: Items, cache_bytes: int, single: bool) -> SvmKernel:
        """
        Rows are computed when they are needed, and kept in the cache, in single precision if wanted.
        """

    @property
    def size(self) -> int: ...
    @property
    def evaluations(self) -> int:
        """Kernel values computed so far."""

    def diagonal(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

class SvmSolution:
    """What a support vector machine has found."""

    @property
    def coefficients(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """One for each example, with the sign of its label."""

    @property
    def bias(self) -> float: ...
    @property
    def objective(self) -> float:
        """Of the dual, which is maximised."""

    @property
    def primal(self) -> float: ...
    @property
    def gap(self) -> float: ...
    @property
    def violation(self) -> float:
        """Of the optimality conditions."""

    @property
    def iterations(self) -> int: ...
    @property
    def converged(self) -> bool:
        """Whether the violation is within the tolerance."""

    @property
    def interrupted(self) -> bool: ...

def solve_svm(
    kernel: SvmKernel,
    y: Annotated[NDArray[numpy.int8], dict(shape=(None,), order="C", device="cpu", writable=False)],
    upper: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    bias: bool,
    squared: bool,
    tol: float,
    max_iter: int,
    shrinking: bool,
    start: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    | None,
    threads: int,
    watch: Callable[[int, float], None] | None = None,
) -> SvmSolution:
    """
    A support vector machine, by SMO. `watch` is told the number of iterations and the violation, ten times a second.
    """

class HingeLosses:
    """
    The losses costs_i max(0, 1 - y_i f(x_i)) of functions, given by their values.
    """

    def __init__(
        self,
        y: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
        costs: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> None: ...
    def sum(
        self,
        values: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> float: ...
    def within_margin(
        self,
        values: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> Annotated[NDArray[numpy.bool_], dict(shape=(None,))]:
        """Whether each example costs something and y f(x) <= 1."""

    def sum_over(
        self,
        members: Annotated[
            NDArray[numpy.bool_], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        values: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> float:
        """The sum of costs_i (1 - y_i f(x_i)) over the members."""

    def best_step(
        self,
        curvature: float,
        slope: float,
        start: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        end: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    ) -> float:
        """
        The step s >= 0 with the least 1/2 curvature s^2 + slope s + sum of losses of start + s (end - start).
        """

def combine(
    functions: Sequence[
        Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    ],
    multipliers: Sequence[float],
    n: int,
) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """
    The sum of functions, given by their values at n examples, times their multipliers.
    """

class Oracle:
    """A structured problem, bound to its training examples."""

    @staticmethod
    def from_callbacks(examples: int, features: Callable, find: Callable) -> Oracle:
        """
        A problem in Python: features() says how many there are; find(example, weights, search, root) gives (indices, values, loss, correct).
        """

    def weighted(
        self,
        weights: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> Oracle:
        """
        The same problem, the constraints of whose examples are multiplied by these weights.
        """

    @property
    def n_examples(self) -> int: ...
    @property
    def n_features(self) -> int: ...
    def find(
        self,
        example: int,
        weights: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        search: str,
        root: bool = False,
    ) -> tuple:
        """
        The output asked for: (indices, values, loss, correct) of its difference to the true output. search: 'best', 'best_wrong', 'margin' or 'slack'.
        """

class Space:
    """Where joint features live, which says what their products are."""

    @staticmethod
    def plain() -> Space: ...
    @staticmethod
    def kernel(kernel: SvmKernel, plain_coordinates: int, output_features: int) -> Space: ...
    @property
    def is_plain(self) -> bool: ...
    def image(
        self,
        coordinates: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """The scores that oracles see in place of weights."""

class StructuredPerceptron:
    """A structured perceptron, or passive-aggressive learner."""

    def __init__(self, space: Space, size: int, update: str, C: float, dual: bool) -> None: ...
    def move_to(self, space: Space, size: int) -> None:
        """Go on in a space with further coordinates."""

    def move_back(self, size: int) -> None:
        """
        Back to as many coordinates as there were, when nothing was learned since.
        """

    def resume(
        self,
        coordinates: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        late: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
        seen: int,
    ) -> None:
        """Go on where another learner stopped."""

    def start(
        self,
        indices: Annotated[
            NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        values: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> None:
        """Begin with these weights, in place of zeros."""

    def learn(
        self,
        oracle: Oracle,
        order: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
        offset: int = 0,
    ) -> None:
        """One pass over these examples."""

    @property
    def n_coordinates(self) -> int: ...
    def coordinates(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...
    def average(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...
    def late(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...
    def at(self, indices: NDArray[numpy.int32]) -> tuple[NDArray[numpy.float64], NDArray[numpy.float64]]:
        """Some of the coordinates, and of what is late."""

    @property
    def seen(self) -> int: ...
    @property
    def mistakes(self) -> int: ...
    @mistakes.setter
    def mistakes(self, arg: int, /) -> None: ...
    @property
    def updates(self) -> int: ...
    @updates.setter
    def updates(self, arg: int, /) -> None: ...
    @property
    def loss(self) -> float: ...
    @loss.setter
    def loss(self, arg: float, /) -> None: ...
    def dual_counts(self) -> tuple:
        """
        (coefficients, examples, begins, indices, values) of the candidates that made updates.
        """

    def resume_dual(
        self,
        coefficients: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        examples: Annotated[
            NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        begins: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
        indices: Annotated[
            NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        values: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> None:
        """Go on with what `dual_counts` gave."""

class FrankWolfe:
    """Block-coordinate Frank-Wolfe for structured SVMs."""

    def __init__(
        self,
        oracle: Oracle,
        space: Space,
        C: float,
        search: str,
        averaging: bool,
        patience: int,
        seed: int,
        remainder: float = 0.01,
    ) -> None: ...
    def resume(
        self,
        coordinates: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        late: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
        visits: int,
        height: float,
    ) -> None:
        """Go on where another one stopped."""

    def visit(
        self,
        order: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
        threads: int,
    ) -> None:
        """Visit these examples, each once."""

    def visit_by_gap(self, count: int, threads: int) -> None:
        """Visit so many examples, drawn by their gaps."""

    def revisit(
        self,
        order: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
        threads: int = 1,
    ) -> float:
        """
        Visit these examples without the oracle; gives the gap over the constraints that they have.
        """

    def measure(self, threads: int) -> tuple[float, float, float]:
        """Primal and dual objective, and the gap of these examples."""

    def measure_average(self, threads: int) -> float:
        """Primal objective of the average."""

    @property
    def remembered_gap(self) -> float: ...
    @property
    def dual(self) -> float: ...
    @property
    def visits(self) -> int: ...
    @property
    def constraints(self) -> int: ...
    @property
    def height(self) -> float: ...
    @property
    def oracle_seconds(self) -> float: ...
    def coordinates(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...
    def average(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...
    def late(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

class FeatureNames:
    """Names of features of tokens, numbered as they come."""

    def __init__(self) -> None: ...
    def __len__(self) -> int: ...
    def names(self, begin: int = 0) -> list[bytes]:
        """The names from a number on, in UTF-8."""

    def read(
        self, sequences: object, grow: bool
    ) -> tuple[
        NDArray[numpy.int64], NDArray[numpy.int64], NDArray[numpy.int32], NDArray[numpy.float64] | None
    ]:
        """
        Features of tokens that are strings, lists of strings or dicts: begins of sequences and of tokens, features, and values unless all are 1.
        """

    def apply_templates(
        self,
        sequence_begin: NDArray[numpy.int64],
        views: list[tuple[NDArray[numpy.int32], list[bytes]]],
        templates: list[tuple[bytes, list[tuple[int, int]]]],
        grow: bool,
    ) -> tuple[NDArray[numpy.int64], NDArray[numpy.int32], NDArray[numpy.float64] | None]:
        """
        Features from views (numbers of texts by token, texts) and templates (name, (view, offset)s).
        """

    def save(self) -> dict: ...
    def load(self, arg: dict, /) -> None: ...
    def __getstate__(self) -> dict: ...
    def __setstate__(self, arg: dict, /) -> None: ...

def with_neighbours(
    row_begin: NDArray[numpy.int64],
    feature: NDArray[numpy.int32],
    value: NDArray[numpy.float64] | None,
    sequence_begin: NDArray[numpy.int64],
    radius: int,
) -> tuple[NDArray[numpy.int64], NDArray[numpy.int32], NDArray[numpy.float64] | None]:
    """Rows of features with those of the neighbours."""

def distinct_rows(
    row_begin: NDArray[numpy.int64], feature: NDArray[numpy.int32], value: NDArray[numpy.float64] | None
) -> tuple[NDArray[numpy.int32], NDArray[numpy.int64]]:
    """
    Equal rows get equal numbers: the number of each row, and the first row of each number.
    """

class Chain:
    """Which features of labels there are, and where their weights stand."""

    def __init__(
        self,
        labels: int,
        order: int,
        scale: float,
        boundaries: bool,
        bias: bool,
        allowed: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)]
        | None,
    ) -> None: ...
    @property
    def labels(self) -> int: ...
    @property
    def plain(self) -> int:
        """The number of weights of labels, before those of features."""

    @property
    def start_begin(self) -> int: ...
    @property
    def stop_begin(self) -> int: ...
    @property
    def bias_begin(self) -> int: ...
    def moves_begin(self, m: int) -> int:
        """Where moves from m labels to one begin."""

    def decode(
        self,
        tokens: TokenSequences,
        weights: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        threads: int,
    ) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """The best labels of all tokens."""

    def decode_k(
        self, tokens: TokenSequences, weights: NDArray[numpy.float64], k: int, threads: int
    ) -> tuple[NDArray[numpy.int64], NDArray[numpy.float64], NDArray[numpy.int32]]:
        """
        The k best labels of each sequence: how many there are, their scores, and labels one after the other.
        """

    def max_marginals(
        self,
        tokens: TokenSequences,
        weights: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        threads: int,
    ) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """
        For each token and label the highest score of all outputs with the label there.
        """

    def joint_features(
        self, tokens: TokenSequences, sequence: int, labels: NDArray[numpy.int32]
    ) -> tuple[NDArray[numpy.int32], NDArray[numpy.float64]]:
        """Psi of one sequence with labels."""

class TokenSequences:
    """Sequences of tokens with the places of their weights."""

    def __init__(
        self,
        sequence_begin: Annotated[
            NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        row_begin: Annotated[
            NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        start: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        value: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)]
        | None,
        wide: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)]
        | None,
        labels: int,
        threads: int,
    ) -> None: ...
    def __len__(self) -> int: ...
    @property
    def n_tokens(self) -> int: ...

def sequence_oracle(
    chain: Chain,
    tokens: TokenSequences,
    labels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    features: int,
    loss: str,
    table: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    | None,
    prefixes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)]
    | None,
    types: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)]
    | None,
    constrained: bool,
) -> Oracle:
    """
    Sequences with their true labels, for solvers. Prefixes of labels: 0 O, 1 B, 2 I, 3 E, 4 S.
    """

class SpanFeatures:
    """Joint features of nodes and the words that they span."""

    def __init__(
        self,
        parts: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        part_begin: Annotated[
            NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        forms: int,
    ) -> None:
        """
        Templates of parts: place (0 begin, 1 end, 2 length, 3 inside), offset and form of the token.
        """

    def meet(
        self,
        grammar: Grammar,
        words: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        word_begin: Annotated[
            NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        forms: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        kinds: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        ids: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        step_begin: Annotated[
            NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        feature: int,
    ) -> int:
        """
        Number what the nodes of these trees have that is new, from a feature on: the next free number.
        """

    def known(self) -> tuple[int, int]:
        """
        How many attributes and pairs there are: what `take_back` goes back to.
        """

    def take_back(self, attributes: int, pairs: int) -> None:
        """Forget what was met since then, without further memory."""

    def of_tree(
        self,
        grammar: Grammar,
        words: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        forms: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        kinds: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        ids: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    ) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """The features of the nodes of a tree, as often as it has them."""

    @property
    def n_features(self) -> int: ...
    def state(self) -> tuple:
        """
        Attributes: templates, what they saw and where that begins. Pairs: attributes, classes, features.
        """

    def assign(
        self,
        templates: Annotated[
            NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        values: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        value_begin: Annotated[
            NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        attributes: Annotated[
            NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        classes: Annotated[
            NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        features: Annotated[
            NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> None:
        """Take up what `state` gave."""

class Grammar:
    """A context-free grammar with one derivation for every tree."""

    def __init__(
        self,
        labels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        rules: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        chains: tuple,
        root_chains: tuple,
        word_tags: Annotated[
            NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        word_features: Annotated[
            NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        word_begin: Annotated[
            NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        features: int,
    ) -> None:
        """
        labels: of every symbol, -1 for none. rules: parent, left, right, feature, and so on. chains: bases, tops, labels and their beginnings, features and their beginnings, classes and their beginnings. Words: tags and features of every kind.
        """

    def look_at_spans(
        self,
        classes: Annotated[
            NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        features: SpanFeatures,
    ) -> None:
        """Let nodes score by what they span: the class of every symbol, or -1."""

    @property
    def n_features(self) -> int: ...
    def parse(
        self,
        weights: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        words: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        word_begin: Annotated[
            NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        forms: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        beam: float,
        threads: int,
    ) -> tuple:
        """
        Derivations of the best trees: kinds and ids of steps (0 word, 1 rule, 2 chain, 3 root chain), and where each begins. No steps where there is no tree.
        """

    def parse_k(
        self,
        weights: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        words: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        word_begin: Annotated[
            NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        forms: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        k: int,
        beam: float,
        threads: int,
    ) -> tuple:
        """
        The same of the k best trees of each sentence, and how many these are, and their scores.
        """

    def bind(
        self,
        loss: str,
        costs: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        words: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        word_begin: Annotated[
            NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        forms: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        kinds: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        ids: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        step_begin: Annotated[
            NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> Oracle:
        """An oracle for sentences and the derivations of their trees."""

class ClassAscent:
    """The dual of Crammer and Singer's machine, example by example."""

    def __init__(
        self,
        inputs: SparseItems,
        outputs: int,
        truths: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        losses: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ]
        | None,
        weights: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ]
        | None,
        C: float,
        unit_margins: bool,
        averaging: bool,
    ) -> None:
        """
        unit_margins: the margin is 1 for all wrong outputs, whatever their losses.
        """

    def visit(
        self,
        order: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
        above: float,
    ) -> int:
        """
        Visit those of these examples whose gap was above this; returns how many.
        """

    def measure(self, threads: int) -> tuple[float, float, float]:
        """Primal and dual objective, and their gap."""

    def measure_average(self, threads: int) -> float:
        """Primal objective of the average."""

    @property
    def remembered_gap(self) -> float: ...
    @property
    def dual(self) -> float: ...
    @property
    def visits(self) -> int: ...
    @property
    def constraints(self) -> int: ...
    @property
    def height(self) -> float: ...
    @property
    def oracle_seconds(self) -> float: ...
    def coordinates(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...
    def average(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...
    def late(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

def class_oracle(
    inputs: SparseItems,
    output_features: SparseItems | None,
    outputs: int,
    truths: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    losses: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    | None,
    every: bool = False,
) -> Oracle:
    """
    Classification, where every output is possible. output_features: a row for each output; None for their identities. losses: a matrix, row-major, by true and other output; None for 0-1 loss. every: slacks of their own for all wrong outputs.
    """

def listed_class_oracle(
    inputs: SparseItems,
    output_features: SparseItems | None,
    outputs: int,
    begins: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    listed: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    losses: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    truths: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
) -> Oracle:
    """
    Classification, where each example has a list of possible outputs; truths are places in these lists.
    """

def list_oracle(
    candidates: SparseItems,
    begins: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    truths: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    losses: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
) -> Oracle:
    """
    Lists of candidates with features of their own; truths are rows of the candidates.
    """

def edit_distances(
    begins: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    symbols: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    threads: int,
) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """Between all strings; string i is symbols[begins[i]:begins[i + 1]]."""

class PairReview:
    """What a look at the scores of examples has found."""

    @property
    def busy(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]:
        """Examples that got constraints."""

    @property
    def violation(self) -> float:
        """The largest over a slack."""

    @property
    def slack_cost(self) -> float:
        """Of these examples."""

class PairSets:
    """
    Working sets of constraints where the joint kernel is K(x, x') L(y, y').
    """

    def __init__(
        self,
        kernel: SvmKernel,
        gram: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
        outputs: int,
        truths: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        lists: tuple[
            Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
            Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        ]
        | None,
        losses: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ]
        | None,
        scales: Sequence[float],
        weights: Sequence[float],
        search: str,
        root: bool,
        slack: str,
        C: float,
    ) -> None:
        """
        gram: L, row by row. lists: begins and listed outputs, where each example has its own. scales: of losses that are 1 - L, normalised.
        """

    def sums(
        self,
        examples: Annotated[
            NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """Row by row what L multiplies to the scores of all outputs."""

    def review(
        self,
        examples: Annotated[
            NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        scores: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        tol: float,
        most: int,
        threads: int,
    ) -> PairReview:
        """Add outputs that are violated by more than slack and tol."""

    def sweep(
        self,
        order: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
        tolerance: float,
    ) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]:
        """Optimise these examples in turn; returns those that moved."""

    def forget(self, idle: int) -> None:
        """Forget constraints without a multiplier in so many visits."""

    @property
    def n_constraints(self) -> int: ...
    def measure(self) -> tuple[float, float]:
        """The squared norm of the weights, and the dual objective."""

    def coefficients(self) -> tuple[NDArray[numpy.int64], NDArray[numpy.int32], NDArray[numpy.float64]]:
        """Example, output and value of each coefficient that is not 0."""

    def supports(self) -> tuple[NDArray[numpy.int64], NDArray[numpy.float64], NDArray[numpy.float64]]:
        """
        Examples, multipliers and losses of the constraints that have a multiplier.
        """

class NSlackPass:
    """What happened in a pass over the examples."""

    @property
    def busy(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]:
        """Examples that got a constraint."""

    @property
    def violation(self) -> float:
        """The largest over a slack."""

    @property
    def slack_cost(self) -> float:
        """
        Of all examples; when nothing was added, the slacks' part of the objective.
        """

    @property
    def argmax_seconds(self) -> float: ...
    @property
    def qp_seconds(self) -> float: ...

class NSlack:
    """
    The n-slack algorithm: working sets of constraints, filled pass by pass.
    """

    def __init__(
        self, oracle: Oracle, space: Space, search: str, root: bool, slack: str, C: float
    ) -> None: ...
    def visit(
        self,
        examples: Annotated[
            NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        tol: float,
        qp_tol: float,
        share: float,
        chunk: int,
        full: bool,
        threads: int,
    ) -> NSlackPass:
        """
        Search outputs of these examples, and add those that violate their constraints.
        """

    def optimise(self, qp_tol: float, verify: bool, threads: int) -> bool:
        """
        Optimise all multipliers until slopes have been no more than this apart, or, to verify, are; returns whether any moved.
        """

    def forget(self, idle: int) -> None:
        """Forget constraints without a multiplier in this many optimisations."""

    @property
    def gave_up(self) -> bool: ...
    @property
    def n_constraints(self) -> int: ...
    @property
    def dual_objective(self) -> float: ...
    @property
    def squared_norm(self) -> float: ...
    @property
    def coordinates(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...
    def constraints(self, example: int) -> list:
        """
        (indices, values, offset, multiplier) of all constraints of an example.
        """

    def supports(self) -> tuple[NDArray[numpy.int64], NDArray[numpy.float64], NDArray[numpy.float64]]:
        """
        Examples, multipliers and losses of the constraints that have a multiplier.
        """

class Cut:
    """The most violated constraints of all examples, added up."""

    def __init__(
        self,
        indices: Annotated[
            NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        values: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        offset: float,
        height: float,
    ) -> None: ...
    @property
    def indices(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...
    @property
    def values(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...
    @property
    def offset(self) -> float: ...
    @property
    def height(self) -> float:
        """The sum of slacks at the weights that it was made for."""

class CutSet:
    """Cuts with what they have to do with each other."""

    def __init__(self, space: Space, size: int) -> None: ...
    def __len__(self) -> int: ...
    def add(self, cut: Cut, threads: int = 1) -> list[float]:
        """Returns the products with all cuts before, and with itself."""

    def combine(
        self,
        multipliers: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        threads: int = 1,
    ) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """The sum of cuts times multipliers."""

    def keep(
        self,
        kept: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", device="cpu", writable=False)],
    ) -> None:
        """Keep those that are marked."""

class CutMaker:
    """Makes cuts, and keeps the outputs that it found last."""

    def __init__(self, oracle: Oracle, search: str, root: bool, cache_size: int) -> None: ...
    def from_oracle(
        self,
        scores: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        threads: int,
    ) -> Cut:
        """The highest cut there is."""

    def from_cache(
        self,
        scores: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        threads: int,
    ) -> Cut:
        """The highest one over outputs that are known already."""

class CollapsedForest:
    """Distinct subtrees, as fragments are searched for in them."""

    def __init__(self, forest: Forest, vocabulary: CollapsedForest | None = None) -> None:
        """`vocabulary`: the model, for an example."""

    def of_node(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """The distinct subtree of each node, in post-order."""

    def __len__(self) -> int: ...

class PartialTreeGrowth:
    """Bounds for the search of partial tree fragments."""

    def __init__(self, trees: CollapsedForest, kernel: PartialTree) -> None: ...

def subset_tree_fragments(
    model: CollapsedForest,
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    kernel: SubsetTree,
    example: CollapsedForest | None,
    counts: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    | None,
    k: int,
    signs: Sequence[int],
    limit: int,
) -> tuple: ...
def subtree_fragments(
    model: CollapsedForest,
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    decay: float,
    example: CollapsedForest | None,
    counts: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    | None,
    k: int,
    signs: Sequence[int],
    limit: int,
) -> tuple: ...
def partial_tree_fragments(
    model: CollapsedForest,
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    kernel: PartialTree,
    example: CollapsedForest | None,
    counts: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    | None,
    k: int,
    signs: Sequence[int],
    limit: int,
    growth: PartialTreeGrowth,
    example_growth: PartialTreeGrowth | None,
) -> tuple: ...
def subset_tree_node_values(
    model: CollapsedForest,
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    kernel: SubsetTree,
    example: CollapsedForest,
) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...
def subtree_node_values(
    model: CollapsedForest,
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    decay: float,
    example: CollapsedForest,
) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...
def partial_tree_node_values(
    model: CollapsedForest,
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    kernel: PartialTree,
    example: CollapsedForest,
) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...
