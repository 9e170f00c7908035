"""The kernel that SVM-light-TK's flags describe."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from operator import add

from hedgerow.kernels.base import Kernel
from hedgerow.kernels.combinations import Normalized
from hedgerow.kernels.trees import PartialTree, SubsetTree, SubTree
from hedgerow.kernels.vectors import RBF, Linear, Polynomial, Sigmoid
from hedgerow.registry import DataKind
from hedgerow.svmlight_tk.parameters import SvmlightTkParameters

COMBINATION = 5  # of trees and vectors
LONGEST_CHILD_SEQUENCE = 5  # that SVM-light-TK matches under partial trees


def kernel_for(parameters: SvmlightTkParameters, columns: Sequence[str] = ("tree",)) -> Kernel:
    """The hedgerow kernel for the parameters of SVM-light-TK.

    Several trees, or vectors, are summed over matching positions, each normalised first when ``-N`` says so.
    A missing or empty tree contributes 0. A missing vector is a vector of zeros.

    Parameters
    ----------
    parameters : SvmlightTkParameters
    columns : sequence of names
        The columns of the examples, as `read_svmlight_tk` names them: ``tree``, ``tree_2``, ..., ``vector``, ...

    Raises
    ------
    ValueError
        Names the flag, and says why, when hedgerow has no such kernel.

    Notes
    -----
    ``-F 4`` counts single nodes nowhere; SVM-light-TK takes those of internal nodes off twice, so its values
    differ. ``-W A`` and ``-V A`` (all pairs) are possible for one tree or vector only, where they change nothing.

    Examples
    --------
    >>> from hedgerow.svmlight_tk import SvmlightTkParameters, kernel_for
    >>> kernel_for(SvmlightTkParameters(kernel_type=5))
    Normalized(SubsetTree())
    >>> kernel_for(SvmlightTkParameters(kernel_type=2, gamma=0.5), ["vector"])
    RBF(gamma=0.5)
    """
    trees = [name for name in columns if name.split("_")[0] == "tree"]
    vectors = [name for name in columns if name.split("_")[0] == "vector"]
    several = len(columns) > 1
    if parameters.tree_parameters:
        raise ValueError("-U reads weights from a file tree_kernels.param, which hedgerow does not know")
    if parameters.kernel_type != COMBINATION:
        kernel = _vector_kernel("-t", parameters.kernel_type, parameters)
        _require(vectors, "vector", f"-t {parameters.kernel_type}")
        return kernel.on(vectors[0]) if several else kernel
    combination = parameters.combination
    if combination not in ("T", "V", "+", "*"):
        raise ValueError(f"-C must be T, V, + or *, got {combination!r}")
    if parameters.normalization not in range(4):
        raise ValueError(f"-N must be 0, 1, 2 or 3, got {parameters.normalization}")
    if combination == "T":
        return _tree_part(parameters, trees, several)
    if combination == "V":
        return _vector_part(parameters, vectors, several)
    of_trees = _tree_part(parameters, trees, several)
    of_vectors = _vector_part(parameters, vectors, several)
    if combination == "*":
        return of_vectors * of_trees
    weight = parameters.tree_weight
    if weight == 0:
        return of_vectors
    return of_vectors + (of_trees if weight == 1 else weight * of_trees)


def columns_for(parameters: SvmlightTkParameters, columns: Mapping[str, DataKind]) -> Mapping[str, DataKind]:
    """The columns, with their kinds, that the kernel looks at; all of them if there is none for it."""
    if parameters.kernel_type != COMBINATION:
        vectors = [(name, kind) for name, kind in columns.items() if kind == "vector"]
        return dict(vectors[:1]) or columns
    wanted = {"T": ("tree",), "V": ("vector",)}.get(parameters.combination, ("tree", "vector"))
    return {name: kind for name, kind in columns.items() if kind in wanted} or columns


def check_letters(parameters: SvmlightTkParameters, given: Iterable[str]) -> None:
    """Raise a ValueError for the letter of a parameter that the kernel does not look at."""
    used = _letters(parameters)
    for letter in given:
        if letter in _USERS and letter not in used:
            raise ValueError(f"-{letter} has no effect here; it applies to {_USERS[letter]}")


# What the letters are for, beside -t.
_USERS = {
    **dict.fromkeys("CN", "trees and vectors (-t 5)"),
    **dict.fromkeys("FLW", "trees (-t 5 with -C T, + or *)"),
    "M": "partial trees (-t 5 with -F 3 or 4)",
    "T": "sums (-t 5 with -C +)",
    **dict.fromkeys("SV", "vectors (-t 5 with -C V, + or *)"),
    "d": "polynomial kernels (-t 1, or -S 1)",
    **dict.fromkeys("sr", "polynomial and sigmoid kernels (-t 1 or 3, or -S 1 or 3)"),
    "g": "RBF kernels (-t 2, or -S 2)",
    "u": "kernels of the user's own (-t 4)",
}
_OF_VECTORS = {0: "", 1: "dsr", 2: "g", 3: "sr"}


def _letters(parameters: SvmlightTkParameters) -> str:
    """The letters of the parameters that the kernel looks at."""
    if parameters.kernel_type != COMBINATION:
        return _OF_VECTORS[parameters.kernel_type]
    letters = "CN"
    if parameters.combination != "V":
        letters += "FLWM" if parameters.tree_kernel in (3, 4) else "FLW"
    if parameters.combination != "T":
        letters += "SV" + _OF_VECTORS[parameters.vector_kernel]
    return letters + "T" if parameters.combination == "+" else letters


def _tree_part(parameters: SvmlightTkParameters, columns: list[str], several: bool) -> Kernel:
    _require(columns, "tree", f"-C {parameters.combination}")
    _check_pairing("W", parameters.tree_pairing, columns, "trees")
    decay, mu = parameters.decay, parameters.vertical_decay
    kernels: dict[int, Callable[[], Kernel]] = {
        0: lambda: SubTree(decay=decay),
        1: lambda: SubsetTree(decay=decay),
        2: lambda: SubsetTree(decay=decay, bag_of_words=True),
        3: lambda: PartialTree(decay=decay, vertical_decay=mu, max_length=LONGEST_CHILD_SEQUENCE),
        4: lambda: PartialTree(
            decay=decay, vertical_decay=mu, lexical=False, max_length=LONGEST_CHILD_SEQUENCE
        ),
    }
    if parameters.tree_kernel not in kernels:
        raise ValueError(
            f"-F must be 0 (ST), 1 (SST), 2 (SST-bow), 3 (PT) or 4 (uPT), got {parameters.tree_kernel}"
        )
    return _sum(kernels[parameters.tree_kernel], parameters.normalization & 1, columns, several)


def _vector_part(parameters: SvmlightTkParameters, columns: list[str], several: bool) -> Kernel:
    _require(columns, "vector", f"-C {parameters.combination}")
    _check_pairing("V", parameters.vector_pairing, columns, "vectors")
    return _sum(
        lambda: _vector_kernel("-S", parameters.vector_kernel, parameters),
        parameters.normalization & 2,
        columns,
        several,
    )


def _vector_kernel(flag: str, number: int, parameters: SvmlightTkParameters) -> Kernel:
    kernels: tuple[Kernel, ...] = (
        Linear(),
        Polynomial(degree=parameters.degree, scale=parameters.scale, offset=parameters.offset),
        RBF(gamma=parameters.gamma),
        Sigmoid(scale=parameters.scale, offset=parameters.offset),
    )
    if number in range(len(kernels)):
        return kernels[number]
    if number == 4:
        raise ValueError(
            f"{flag} 4 is a kernel of the user's own: it is written in C and compiled into the program"
        )
    if flag == "-t" and number in (11, 12, 13):
        raise ValueError("-t 11, 12 and 13 re-rank pairs, which hedgerow does not do yet")
    accepted = "0 to 3, or 5" if flag == "-t" else "0 to 3"
    raise ValueError(f"{flag} must be {accepted}, got {number}")


def _sum(make: Callable[[], Kernel], normalize: int, columns: list[str], several: bool) -> Kernel:
    def one() -> Kernel:
        return Normalized(make()) if normalize else make()

    return reduce(add, (one().on(name) for name in columns)) if several else one()


def _require(columns: list[str], what: str, flag: str) -> None:
    if not columns:
        raise ValueError(f"{flag} needs {what}s, but the examples have none")


def _check_pairing(flag: str, pairing: str, columns: list[str], what: str) -> None:
    if pairing not in ("S", "A"):
        raise ValueError(f"-{flag} must be S or A, got {pairing!r}")
    if pairing == "A" and len(columns) > 1:
        raise ValueError(
            f"-{flag} A compares all pairs of {what}; hedgerow compares those at the same place only (-{flag} S), "
            "since its kernels see one column at a time"
        )
