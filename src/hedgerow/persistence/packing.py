"""Arrays in little room, for models that have finished learning: zeros left out, numbers compressed.

An array that gets smaller is kept as bytes, with a note ``[type, shape, type in the file, number of nonzeros]``. With
nonzeros, the bytes hold the distances between their places, then their values; without (None), all values.
"""

from __future__ import annotations

import math
import zlib
from typing import Any

import numpy as np

Arrays = dict[str, np.ndarray[Any, Any]]
_KINDS = "biuf"
# A file must not make arrays out of nothing: so many zeros are free, and each byte of the file pays for some more.
_FREE, _PER_BYTE = 1 << 24, 1 << 10


def pack_arrays(arrays: Arrays, dtype: str) -> tuple[Arrays, dict[str, Any]]:
    """What a file holds, and notes for `unpack_arrays`; floats have the type ``dtype`` there."""
    packed, notes = {}, {}
    for name, values in arrays.items():
        packed[name] = values = np.ascontiguousarray(values)
        kept = values.astype(dtype) if values.dtype == np.float64 else values
        flat = kept.ravel()
        places = np.flatnonzero(flat) if kept.dtype.kind == "f" else None
        if places is not None and 2 * len(places) < flat.size < 2**32:
            gaps = np.diff(places, prepend=0).astype("<u4")
            content, n = gaps.tobytes() + flat[places].tobytes(), len(places)
        else:
            content, n = flat.tobytes(), None
        small = np.frombuffer(zlib.compress(content), dtype=np.uint8)
        if small.nbytes < values.nbytes and values.nbytes <= _largest(small) and values.dtype.kind in _KINDS:
            packed[name] = small
            notes[name] = [values.dtype.str, list(values.shape), kept.dtype.str, n]
    return packed, notes


def unpack_arrays(packed: Arrays, notes: dict[str, Any]) -> Arrays:
    """The arrays; a ValueError for bytes that are not what the notes say."""
    return packed | {name: _unpacked(name, packed[name], *note) for name, note in notes.items()}


def _unpacked(name: str, small: Any, dtype: Any, shape: Any, kept: Any, n: Any) -> Any:
    wrong = ValueError(f"{name} is not packed as its note says")
    types = [np.dtype(text) for text in (dtype, kept) if type(text) is str and len(text) <= 4]
    if len(types) < 2 or any(each.kind not in _KINDS for each in types) or small.dtype != np.uint8:
        raise wrong
    if type(shape) is not list or not all(type(length) is int and length >= 0 for length in shape):
        raise wrong
    size = math.prod(shape)
    if size * types[0].itemsize > _largest(small) or (
        n is not None and (type(n) is not int or not 0 <= n <= size)
    ):
        raise wrong
    wanted = size * types[1].itemsize if n is None else n * (4 + types[1].itemsize)
    content = zlib.decompressobj().decompress(small.tobytes(), wanted + 1)
    if len(content) != wanted:
        raise wrong
    if n is None:
        return np.frombuffer(content, types[1]).astype(types[0]).reshape(shape)
    places = np.cumsum(np.frombuffer(content, "<u4", n), dtype=np.int64)
    if n and places[-1] >= size:
        raise wrong
    values = np.zeros(size, types[0])
    values[places] = np.frombuffer(content, types[1], offset=4 * n)
    return values.reshape(shape)


def _largest(small: Any) -> int:
    return _FREE * 8 + _PER_BYTE * int(small.nbytes)
