"""Where the data sets that loaders read are to be had: addresses, checksums and terms."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from hedgerow.datasets.conversions import CONVERSIONS, Conversion


@dataclass(frozen=True)
class Original:
    """A public file. Size and SHA-256 are None where they are not known."""

    address: str
    bytes: int | None = None
    sha256: str | None = None


@dataclass(frozen=True)
class DataFile:
    """A file of the data folder, and how it is made of originals.

    The checksum is that of its content, not of its gzip file, and None where it is not known.
    """

    name: str
    originals: tuple[str, ...] = ()
    conversion: Conversion | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    sha256: str | None = None


@dataclass(frozen=True)
class DataSet:
    """A data set that is not part of hedgerow.

    Attributes
    ----------
    name : str
        Also that of its folder.
    title, terms : str
        What it is, and under which terms it is published.
    originals : mapping from str to Original
        The public files that it is made of, by a short name. Without any it cannot be fetched.
    files : mapping from str to DataFile
        What the loaders read, by the name in the data folder, where they may be plain or gzip.
    made_from : str
        How a set that cannot be fetched is made.

    Examples
    --------
    >>> from hedgerow.datasets import sources
    >>> list(sources()["qc"].files)
    ['qc/train.ct.tk', 'qc/test.ct.tk']
    """

    name: str
    title: str
    terms: str
    originals: Mapping[str, Original]
    files: Mapping[str, DataFile]
    made_from: str = ""

    def where(self) -> str:
        """From where it would be fetched, or how it is made, in words."""
        if not self.originals:
            return f"{self.name} cannot be fetched: it is {self.made_from}"
        addresses = [original.address for original in self.originals.values()]
        more = f" and {len(addresses) - 1} more" if len(addresses) > 1 else ""
        return f"{self.name} comes from {addresses[0]}{more} (terms: {self.terms})"


def sources() -> dict[str, DataSet]:
    """The data sets that the loaders read, and where to get them.

    Returns
    -------
    sets : dict from str to DataSet
        By name. `fetch` gets those that have originals.

    Examples
    --------
    >>> from hedgerow.datasets import sources
    >>> sources()["a9a"].title
    'Adult census forms as the LIBSVM page has them'
    >>> [original.bytes for original in sources()["a9a"].originals.values()]
    [2329875, 1164628]
    >>> print(sources()["newsgroups20"].where())
    newsgroups20 comes from https://ndownloader.figshare.com/files/5975967 (terms: none stated)
    """
    return dict(_sources())


@cache
def _sources() -> dict[str, DataSet]:
    return read_sources("hedgerow.datasets", CONVERSIONS)


def read_sources(package: str, conversions: Mapping[str, Conversion]) -> dict[str, DataSet]:
    """The data sets that ``sources.json`` of a package describes."""
    text = files(package).joinpath("sources.json").read_text(encoding="utf-8")
    return {name: _data_set(name, facts, conversions) for name, facts in json.loads(text).items()}


def _data_set(name: str, facts: Mapping[str, Any], conversions: Mapping[str, Conversion]) -> DataSet:
    return DataSet(
        name,
        facts["title"],
        facts["terms"],
        {key: Original(**original) for key, original in facts["originals"].items()},
        {
            file: DataFile(
                file,
                tuple(made["from"]),
                conversions[made["by"]] if made["from"] else None,
                made.get("options", {}),
                made["sha256"],
            )
            for file, made in facts["files"].items()
        },
        facts.get("made_from", ""),
    )
