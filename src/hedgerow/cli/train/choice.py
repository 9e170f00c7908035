"""What the command line said about a training, before any data are read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any

from hedgerow.checks import Bounds, Count
from hedgerow.cli.derived import option_name
from hedgerow.cli.failures import as_refusal, complain, refused
from hedgerow.cli.train.columns import placed, used_columns
from hedgerow.feature_extraction import TextHasher
from hedgerow.io.schema import Schema
from hedgerow.kernels import Kernel, Linear
from hedgerow.kernels.defaults import default_kernel
from hedgerow.kernels.expressions import Expression
from hedgerow.parameters import parameters_of
from hedgerow.registry import DataKind, KernelRow, Learner, ProblemRow

# Parameters of a TextHasher that are options; the learner says whether signs alternate.
WORDS = ("analyzer", "ngrams", "lowercase", "counts", "norm")


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
        for texts (16 with --problem). With trees, learners that could have a kernel keep weights of hashed fragments
        instead; those without kernels always do, with 20.
    words : mapping, default={}
        What was said of how texts become vectors: parameters of a `TextHasher`.
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
    words: Mapping[str, Any] = field(default_factory=dict)
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

    row: KernelRow | None = None  # by its name, or an expression
    given: Mapping[str, Any] = field(default_factory=dict)  # its parameters
    normalize: bool | None = None
    column: str | None = None
    combines: bool = False  # whether all columns count, with the default kernel where the row's does not fit

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
            self.row.kernel(**self.given)._check_params()

    def make(self, columns: Mapping[str, DataKind]) -> Kernel:
        """The kernel for data with these columns."""
        if self.column is not None and self.column not in columns:
            raise ValueError(f"--column must be one of {', '.join(columns)}, got {self.column!r}")
        if self.sums(columns):
            return self.said(columns).make(columns)
        row = self.row or default_kernel(columns[self.column or next(iter(columns))])
        kernel = placed(row.kernel(self.normalize, **self.given), columns, self.column)
        kernel._check_params()
        return kernel

    def sums(self, columns: Mapping[str, DataKind]) -> bool:
        """Whether the kernel is a sum over all columns, since nothing else was said."""
        return self.combines or (self.row is None and self.column is None and len(columns) > 1)

    def said(self, columns: Mapping[str, DataKind]) -> KernelChoice:
        """The same in words, where it is a sum over all columns: one normalised kernel for each, as `combined` has."""
        if not self.sums(columns):
            return self
        terms = []
        for name, kind in columns.items():
            kernel = default_kernel(kind).name
            if self.row is not None and self.row.data_kind == kind:
                values = ", ".join(f"{parameter}={value!r}" for parameter, value in self.given.items())
                kernel = f"{self.row.name}({values})" if values else self.row.name
            terms.append(f"{kernel if self.normalize is False else f'normalized({kernel})'} on {name}")
        return KernelChoice(Expression(" + ".join(terms)), normalize=self.normalize)


def remark(choices: Sequence[KernelChoice], columns: Mapping[str, DataKind]) -> None:
    """One line about the columns that kernels look at, where the command line does not say it."""
    if len(columns) == 1 or any(choice.column is not None for choice in choices):
        return
    if choices[0].sums(columns):
        complain(f"all columns are used, as with {_option(choices[0], columns)}")
        return
    used = set[str]().union(*(used_columns(choice.make(columns), columns) for choice in choices))
    unused = [name for name in columns if name not in used]
    warn_unused(unused, f"{_option(KernelChoice(), columns)} would use all")


def _option(choice: KernelChoice, columns: Mapping[str, DataKind]) -> str:
    said = choice.said(columns).row
    return f'--kernel "{said.name}"' if said is not None else ""


def warn_unused(names: Sequence[str], why: str) -> None:
    """One line about columns that nothing looks at."""
    if names:
        which = f"column {names[0]} is" if len(names) == 1 else f"columns {', '.join(names)} are"
        complain(f"warning: the {which} not used; {why}")


@dataclass(frozen=True)
class Choice:
    """A learner, its kernel, the problem if outputs have structure, and how data are read."""

    learner: Learner
    given: Mapping[str, Any]  # parameters of the learner
    kernel: KernelChoice
    problem: ProblemRow | None
    of_problem: Mapping[str, Any]
    data: DataOptions
    features: Mapping[str, Any] = field(default_factory=dict)  # parameters of what makes features of examples
    searched: bool = False  # no learner was named: the rest is to be found

    def schema(self) -> Schema:
        """What is known of the examples before they are read; kernels of texts say what the files hold."""
        data = self.data
        text = "text" if self.kernel.for_text else None
        return Schema(data.format or text, data.spaces_in_leaves, data.tokens)

    @property
    def estimator(self) -> Any:
        """The class that learns."""
        return self.learner.cls if self.problem is None else self.problem.estimator(self.learner)

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
            TextHasher(**self.data.words)._check_params()
            weights = self.learner.on_weights and self.kernel.silent
            self.make_learner(None if weights else Linear())._check_params()
            if self.problem is not None:
                self.problem.make(**self.of_problem)._check_params()
        if "random_state" in self.given and (needed := self._random_with()):
            raise refused("--seed", f"nothing is random without {' or '.join(needed)}")

    def seeded(self, seed: int) -> Choice:
        """With this seed, where anything is random."""
        takes_seed = "random_state" in parameters_of(self.estimator) and not self._random_with()
        return replace(self, given={**self.given, "random_state": seed}) if takes_seed else self

    def _random_with(self) -> list[str]:
        """Options of which one would make something random; none where something is."""
        defaults, needed = parameters_of(self.estimator), self.estimator._random_with
        if any(self.given.get(name, defaults[name].default) in values for name, values in needed.items()):
            return []
        return [
            option_name(name) if values == (True,) else f"{option_name(name)} {' or '.join(values)}"
            for name, values in needed.items()
        ]
