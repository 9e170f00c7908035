"""How much one input may cost: limits that readers and kernels share, in native code too."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeAlias

from hedgerow import _core

_VARIABLE = "HEDGEROW_LIMITS"  # such as "pairs=1e12,depth=none"

Limits: TypeAlias = dict[str, int | None]

# A tree that reaches the first takes 160 MB; ten billion steps take from seconds to a minute.
DEFAULTS: Limits = {"nodes": 10_000_000, "depth": 1_000_000, "pairs": 10_000_000_000}
_NAMES = tuple(DEFAULTS)
_NONE = 2**63 - 1


def set_limits(**limits: int | None) -> None:
    """Limit what one input may cost, for the whole process; limits that are not named do not change.

    What would cost more is refused before it takes time: by readers with a `FormatError` that names the line, by
    kernels and models with a ValueError. Set from outside, for the command line: ``HEDGEROW_LIMITS=pairs=1e12``.

    Parameters
    ----------
    nodes : int or None
        Nodes that a tree may have, of a file, a text, nltk or a program; None for no limit. 10 million at first.
    depth : int or None
        Nodes on the way from a tree's root to a leaf. 1 million at first.
    pairs : int or None
        Steps that it may take to compare one tree or string with the others of a kernel matrix or of a model: about
        the pairs of nodes with equal productions (`SubsetTree`) or labels (`PartialTree`), pairs of equal subtrees
        counted once; or the product of two strings' lengths and that of a `Subsequence`. Also the steps that it may
        take to parse one sentence: one for each way to split a part of it, and each rule whose left child was
        found there. 10 billion at first.

    Notes
    -----
    Pickles and model files hold trees that were within the limits when they were made. Labelling a sequence takes time
    and memory in proportion to its length, and to the number of labels to the power of ``order + 1`` and ``order``;
    parsing n words takes 14 n (n + 1) bytes for each symbol of the grammar.

    Examples
    --------
    >>> import hedgerow
    >>> hedgerow.set_limits(depth=3)
    >>> hedgerow.Forest(["(S (NP (N dog)))"])
    Traceback (most recent call last):
    hedgerow.data.errors.FormatError: item 0, column 1: the tree has a depth of 4 or more, more than the limit ...
    >>> hedgerow.set_limits(depth=1_000_000)
    """
    global _current
    for name, limit in limits.items():
        if name not in _NAMES:
            raise TypeError(f"limits are {', '.join(_NAMES)}, got {name}")
        whole = isinstance(limit, int) and not isinstance(limit, bool) and limit > 0
        if limit is not None and not whole:
            raise ValueError(
                f"{name} must be a whole number of at least 1, or None for no limit, got {limit!r}"
            )
    _current = {**_current, **limits}
    _core.set_limits(*(_as_number(_current[name]) for name in _NAMES))


def get_limits() -> Limits:
    """The limits that are set; None where there is none.

    Examples
    --------
    >>> import hedgerow
    >>> hedgerow.get_limits()
    {'nodes': 10000000, 'depth': 1000000, 'pairs': 10000000000}
    """
    return dict(_current)


def harmless() -> int:
    """So many nodes a tree may have whatever its shape."""
    return min(_as_number(_current["nodes"]), _as_number(_current["depth"]))


def excess(arity: Sequence[int]) -> str | None:
    """What is wrong with the size of a tree, given the numbers of children of its nodes in post-order."""
    nodes, depth = _as_number(_current["nodes"]), _as_number(_current["depth"])
    if len(arity) > nodes:
        return _core.beyond_limit(f"the tree has {len(arity)} nodes", "nodes", nodes)
    if len(arity) > depth and (found := _depth(arity)) > depth:
        return _core.beyond_limit(f"the tree has a depth of {found}", "depth", depth)
    return None


def _depth(arity: Sequence[int]) -> int:
    depths: list[int] = []  # of the nodes that have no parent yet
    for n in arity:
        below = max(depths[len(depths) - n :], default=0) if n else 0
        del depths[len(depths) - n :]
        depths.append(below + 1)
    return max(depths, default=0)


def _as_number(limit: int | None) -> int:
    return _NONE if limit is None else min(int(limit), _NONE)


def _from_environment() -> Limits:
    found: Limits = {}
    for part in os.environ.get(_VARIABLE, "").split(","):
        name, _, text = part.strip().partition("=")
        if not part.strip():
            continue
        try:
            found[name] = None if text.strip().lower() == "none" else int(float(text))
        except (ValueError, OverflowError):
            raise ValueError(f"{_VARIABLE} must be like 'pairs=1e12,depth=none', got {part!r}") from None
    return found


_current: Limits = DEFAULTS
set_limits(**_from_environment())
