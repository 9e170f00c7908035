"""Reading class trees and other taxonomies: a link from parent to child a line."""

from __future__ import annotations

import os

from hedgerow.data import FormatError
from hedgerow.data.files import name_of, read_text


def read_taxonomy(path: str | os.PathLike[str]) -> dict[str, tuple[str, ...]]:
    """Read the links of a taxonomy.

    Parameters
    ----------
    path : path, or "-" for standard input
        Plain or gzip. A line is ``parent<TAB>child``; where there are no tabs, the two may be separated by spaces.
        Blank lines are skipped. Whether the links make a tree is for whoever uses them to see.

    Returns
    -------
    parents : dict from str to tuple of str
        The parents of every class that has some, in the order of the file.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from hedgerow.io import read_taxonomy
    >>> path = pathlib.Path(tempfile.mkdtemp(), "classes.tsv")
    >>> _ = path.write_text("ROOT\\tsport\\nsport\\thockey\\nsport\\ttennis\\n")
    >>> read_taxonomy(path)
    {'sport': ('ROOT',), 'hockey': ('sport',), 'tennis': ('sport',)}
    """
    name = name_of(path)
    parents: dict[str, tuple[str, ...]] = {}
    for number, line in enumerate(read_text(path).split("\n"), 1):
        if not line.strip():
            continue
        # Names may hold spaces where tabs part them.
        link = [cell.strip() for cell in line.split("\t")] if "\t" in line else line.split()
        if len(link) != 2 or not all(link):
            raise FormatError(
                f"expected parent and child with a tab between, found {line.strip()!r}",
                path=name,
                line=number,
            )
        parent, child = link
        if parent in parents.get(child, ()):
            raise FormatError(f"the link from {parent} to {child} comes twice", path=name, line=number)
        parents[child] = (*parents.get(child, ()), parent)
    return parents
