"""Reading class trees and other taxonomies: one link from parent to child per line."""

from __future__ import annotations

import os
from typing import TypeAlias, overload

from hedgerow.data import FormatError
from hedgerow.data.errors import Collect, Collected, OnError, Raise, check_on_error, error_handler
from hedgerow.data.files import name_of, read_text

Parents: TypeAlias = dict[str, tuple[str, ...]]


@overload
def read_taxonomy(path: str | os.PathLike[str], *, errors: Raise = "raise") -> Parents: ...
@overload
def read_taxonomy(path: str | os.PathLike[str], *, errors: Collect) -> Collected[Parents]: ...
def read_taxonomy(path: str | os.PathLike[str], *, errors: OnError = "raise") -> Parents | Collected[Parents]:
    """Read the links of a taxonomy.

    Parameters
    ----------
    path : path, or "-" for standard input
        Plain or gzip. A line is ``parent<TAB>child``; where there are no tabs, the two may be separated by spaces.
        Blank lines are skipped. Whether the links make a tree is for whoever uses them to see.
    errors : {"raise", "collect"}
        Stop at the first bad line, or leave bad lines out and return them as a list of `FormatError`.

    Returns
    -------
    parents : dict from str to tuple of str
        The parents of every class that has some, in the order of the file.
    errors : list of FormatError
        Only with ``errors="collect"``.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from hedgerow.io import read_taxonomy
    >>> path = pathlib.Path(tempfile.mkdtemp(), "classes.tsv")
    >>> _ = path.write_text("ROOT\\tsport\\nsport\\thockey\\nsport\\ttennis\\n")
    >>> read_taxonomy(path)
    {'sport': ('ROOT',), 'hockey': ('sport',), 'tennis': ('sport',)}
    """
    check_on_error(errors)
    problems: list[FormatError] = []
    on_error = problems.append if errors == "collect" else error_handler("raise")
    parents: Parents = {}
    for number, line in enumerate(read_text(path).split("\n"), 1):
        if not line.strip():
            continue
        # Names may hold spaces where tabs part them.
        link = [cell.strip() for cell in line.split("\t")] if "\t" in line else line.split()
        if len(link) != 2 or not all(link):
            wrong = f"expected parent and child with a tab between, found {line.strip()!r}"
        elif link[0] in parents.get(link[1], ()):
            wrong = f"the link from {link[0]} to {link[1]} comes twice"
        else:
            parent, child = link
            parents[child] = (*parents.get(child, ()), parent)
            continue
        on_error(FormatError(wrong, path=name_of(path), line=number))
    return (parents, problems) if errors == "collect" else parents
