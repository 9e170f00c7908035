"""What the command line said about a training, before any data are read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

from hedgerow import registry
from hedgerow.checks import Bounds, Count
from hedgerow.cli.failures import as_refusal, refused
from hedgerow.io.schema import Schema
from hedgerow.kernels import Kernel, Linear, Normalized
from hedgerow.registry import KernelRow, Learner, ProblemRow

_DEFAULT_KERNELS = {"tree": "sst", "text": "spectrum", "vector": "linear"}  # in this order


@dataclass(frozen=True)
class DataOptions:
    """How files are read, and what of them is used.

    Parameters
    ----------
    format : str or None, default=None
        The format of the files, by default text for kernels of texts, else by file name.
    column : str or None, default=None
        The part of the examples to use, as tree_2 or vector.
    classes : sequence of str or None, default=None
        All labels that will come, so that one pass over the data is enough: for endless input. With --taxonomy also
        leaves or all, those of the taxonomy: what may be predicted, with or without examples.
    features : int or None, default=None
        Width of the vectors, by default the highest feature of the data.
    tokens : bool, default=False
        Symbols of texts are words, not characters.
    hash_bits : int or None, default=None
        Without a kernel, keep 2 to this power weights, whatever features come; by default all features of vectors, 20
        for texts (16 with --problem).
    ngrams : int or None, default=None
        Without a kernel, features of texts are sequences of up to so many words, by default 1.
    spaces_in_leaves : bool, default=False
        Read (N New York) as one leaf, as SVM-light-TK does.
    label_column : int, default=-1
        The column of the labels, from 1, or from -1 backwards.
    comments : str or None, default=None
        Skip lines that begin so.
    stream : bool, default=False
        Learn in pieces as they are read, for data larger than memory.
    """

    format: str | None = None
    column: str | None = None
    classes: Sequence[str] | None = None
    features: Count | None = None
    tokens: bool = False
    hash_bits: Annotated[int, Bounds(at_least=1, at_most=30)] | None = None
    ngrams: Count | None = None
    spaces_in_leaves: bool = False
    label_column: int = -1
    comments: str | None = None
    stream: bool = False

    def __post_init__(self) -> None:
        if self.label_column == 0:
            raise refused("--label-column", "columns are counted from 1, or from -1 backwards")


@dataclass(frozen=True)
class KernelChoice:
    """What was said about the kernel; None was not said."""

    row: KernelRow | None = None
    given: Mapping[str, Any] = field(default_factory=dict)  # its parameters
    normalize: bool | None = None
    column: str | None = None

    @property
    def silent(self) -> bool:
        """Whether nothing was said."""
        return self.row is None and self.normalize is None

    @property
    def for_text(self) -> bool:
        return self.row is not None and self.row.data_kind == "text"

    def check(self) -> None:
        """Raise a ValueError or TypeError for parameters that the kernel refuses."""
        if self.row is not None:
            self.row.make(**self.given)._check_params()

    def make(self, columns: Mapping[str, str]) -> Kernel:
        """The kernel for data with these columns (names to kinds)."""
        if self.column is not None and self.column not in columns:
            raise ValueError(f"--column must be one of {', '.join(columns)}, got {self.column!r}")
        row = self.row or _default_kernel(columns, self.column)
        column = self.column or _only_column(row, columns)
        if columns[column] != row.data_kind:
            raise ValueError(
                f"the kernel {row.name} takes {row.data_kind}s, but the column {column} has {columns[column]}s"
            )
        kernel: Kernel = row.make(**self.given)
        if self.normalize if self.normalize is not None else row.data_kind == "tree":
            kernel = Normalized(kernel)
        kernel._check_params()
        return kernel if len(columns) == 1 else kernel.on(column)


@dataclass(frozen=True)
class Choice:
    """A learner, its kernel, the problem if outputs have structure, and how data are read."""

    learner: Learner
    given: Mapping[str, Any]  # parameters of the learner
    kernel: KernelChoice
    problem: ProblemRow | None
    of_problem: Mapping[str, Any]
    data: DataOptions

    def schema(self) -> Schema:
        """What is known of the examples before they are read; kernels of texts say what the files hold."""
        data = self.data
        text = "text" if self.kernel.for_text else None
        return Schema(data.format or text, data.spaces_in_leaves, data.tokens)

    def make_learner(
        self, kernel: Kernel | None = None, problem: Mapping[str, Any] | None = None, **more: Any
    ) -> Any:
        """The estimator; without a kernel it keeps weights. Structured ones take parameters of the problem."""
        if self.problem is not None:
            return self.problem.make_with(self.learner, self.given, {**self.of_problem, **(problem or {})})
        if self.learner.on_kernels:
            more["kernel"] = kernel
        return self.learner.make(**self.given, **more)

    def check(self) -> None:
        """Raise a BadParameter for parameters that the classes refuse, before the data are read."""
        with as_refusal():
            self.kernel.check()
            weights = self.learner.on_weights and self.kernel.silent
            self.make_learner(None if weights else Linear())._check_params()
            if self.problem is not None:
                self.problem.make(**self.of_problem)._check_params()


def _default_kernel(columns: Mapping[str, str], column: str | None) -> KernelRow:
    kinds = [columns[column]] if column is not None else list(columns.values())
    return registry.kernels()[next(name for kind, name in _DEFAULT_KERNELS.items() if kind in kinds)]


def _only_column(row: KernelRow, columns: Mapping[str, str]) -> str:
    fitting = [column for column, holds in columns.items() if holds == row.data_kind]
    if len(fitting) == 1:
        return fitting[0]
    if not fitting:
        found = " and ".join(sorted({f"{holds}s" for holds in columns.values()}))
        raise ValueError(f"the kernel {row.name} takes {row.data_kind}s, but the data have {found} only")
    raise ValueError(
        f"the data have several columns of {row.data_kind}s; choose one of {', '.join(fitting)} with --column"
    )
