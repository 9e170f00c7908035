"""Data sets fetched on request: originals downloaded, checked, and turned into the files that loaders read."""

from __future__ import annotations

import hashlib
import os
import tarfile
import zipfile
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

from hedgerow.data.files import writing
from hedgerow.datasets.downloading import OnProgress, download
from hedgerow.datasets.sources import DataFile, DataSet, sources

DOWNLOADS = ".downloads"  # below the data folder


def fetch(
    data_set: str | DataSet,
    folder: str | os.PathLike[str],
    *,
    files: Collection[str] | None = None,
    progress: OnProgress | None = None,
) -> list[Path]:
    """Download a data set from its public addresses, which `sources` lists.

    Files that are in the folder stay as they are. Others are made of downloaded originals: each is checked by its
    SHA-256 where that is known, and so is the file that is made of it; a file appears whole or not at all. A download
    that broke off continues with the next call.

    Parameters
    ----------
    data_set : str or DataSet
        One of `sources` that can be fetched, such as ``"a9a"``, or another one that is described in full.
    folder : path
        The data folder. It is made if there is none, and the set goes to a folder of its own in it.
    files : collection of str, optional
        Only these files, such as ``"a9a/test.libsvm"``. By default all of the set.
    progress : callable, optional
        Called with an address, the bytes that are there, and those that there will be or None.

    Returns
    -------
    paths : list of Path
        The files, gzip where they were fetched.

    Raises
    ------
    ValueError
        If the set cannot be fetched (the message says how it is made), or what came is not what was expected.
    OSError
        Without a network; the message says what to do then.

    Examples
    --------
    >>> from hedgerow.datasets import fetch
    >>> from hedgerow.io import read_svmlight_tk
    >>> _ = fetch("a9a", "data")  # doctest: +SKIP
    >>> X, y = read_svmlight_tk("data/a9a/train.libsvm")  # doctest: +SKIP
    """
    if isinstance(data_set, str):
        known = sources()
        if data_set not in known:
            raise ValueError(f"data_set must be one of {', '.join(known)}, got {data_set!r}")
        data_set = known[data_set]
    wanted = list(data_set.files if files is None else files)
    if unknown := set(wanted) - set(data_set.files):
        raise ValueError(
            f"files: {data_set.name} has {', '.join(data_set.files)}, not {', '.join(sorted(unknown))}"
        )
    missing = [data_set.files[file] for file in wanted if find_file(folder, file) is None]
    if missing and not data_set.originals:
        raise ValueError(data_set.where())
    downloads = Path(folder, DOWNLOADS)
    originals = {key: downloads / f"{data_set.name}.{key}" for file in missing for key in file.originals}
    if missing:
        downloads.mkdir(parents=True, exist_ok=True)
    for key, path in originals.items():
        download(data_set.originals[key], path, progress)
    try:
        for file in missing:
            _write(file, Path(folder), [originals[key] for key in file.originals])
    finally:
        for path in originals.values():
            path.unlink(missing_ok=True)
        with suppress(OSError):  # it holds parts of others, or there never was one
            downloads.rmdir()
    found = (find_file(folder, file) for file in wanted)
    return [path for path in found if path is not None]


def _write(file: DataFile, folder: Path, originals: list[Path]) -> None:
    content = _made(file, originals)
    found = hashlib.sha256(content).hexdigest()
    if file.sha256 is not None and found != file.sha256:
        raise ValueError(
            f"{file.name}: the SHA-256 of what was made is {found}, not {file.sha256}; nothing was written, since the "
            "original is another one than expected"
        )
    target = folder / f"{file.name}.gz"
    target.parent.mkdir(parents=True, exist_ok=True)
    with writing(target) as out:
        out.write(content)


def _made(file: DataFile, originals: list[Path]) -> bytes:
    if file.conversion is None:
        raise ValueError(f"{file.name} is not made of originals")
    try:
        return file.conversion(*(path.read_bytes() for path in originals), **file.options)
    except (ValueError, KeyError, zipfile.BadZipFile, tarfile.TarError) as error:
        raise ValueError(
            f"{file.name} cannot be made: the downloaded file is not the expected one ({error})"
        ) from error


def find_file(folder: str | os.PathLike[str], name: str) -> Path | None:
    """The file ``name`` of the folder, plain or gzip (``name.gz``), if it is there."""
    path = Path(folder, name)
    for candidate in (path, path.with_name(path.name + ".gz")):
        if candidate.is_file():
            return candidate
    return None
