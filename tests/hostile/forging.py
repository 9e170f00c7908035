"""Forged model files: arrays and manifests changed at random, and signed again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np
from numpy.random import Generator

from hedgerow.persistence.classes import public_classes
from hedgerow.persistence.model_file import Arrays, pack, unpack

WHOLE = (
    -1,
    -2,
    0,
    1,
    2,
    3,
    5,
    7,
    63,
    64,
    1000,
    2**16,
    2**31 - 1,
    2**31,
    -(2**31),
    2**32,
    2**62,
    2**63 - 1,
    -(2**63),
)
REAL = (
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    5e-324,
    1e-300,
    1e155,
    1e300,
    1.7976931348623157e308,
    -1e308,
    np.nan,
    np.inf,
    -np.inf,
)
DTYPES = ("u1", "i1", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "?")


def mersenne() -> dict[str, Any]:
    """The state of numpy's generator, a new one each time: what takes part in a manifest may be changed."""
    return {"$array": [1] * 624, "dtype": "<u4", "shape": [624]}


def forged(content: bytes, random: Generator) -> bytes:
    """A model file that differs from another in one to four places."""
    if content.startswith(b"SVM-light"):
        return forged_text(content, random)
    manifest, arrays = _parts(content)
    for _ in range(random.choice([1, 1, 1, 2, 3, 4])):
        if arrays and random.random() < 0.65:
            _one_of(ARRAY_CHANGES, random)(arrays, random)
        else:
            change_manifest(manifest, random)
    try:
        return pack(manifest, arrays)
    except (ValueError, RecursionError):  # JSON cannot hold what came of it
        return content


def _parts(content: bytes) -> tuple[dict[str, Any], Arrays]:
    text, arrays = _unpacked(content)
    return json.loads(text), dict(arrays)


@cache
def _unpacked(content: bytes) -> tuple[str, Arrays]:
    _, manifest, arrays = unpack(content, "a model")
    return json.dumps(manifest), arrays


def _one_of(choices: Any, random: Generator) -> Any:
    return choices[int(random.integers(len(choices)))]


# -- arrays ---------------------------------------------------------------------------------------------------


def _some_array(arrays: Arrays, random: Generator) -> str:
    # Those with items first: there is little to change in others.
    full = [name for name in arrays if arrays[name].size] or list(arrays)
    return str(_one_of(sorted(full), random))


def _odd_values(array: np.ndarray[Any, Any], random: Generator, n: int) -> list[Any]:
    if array.dtype.kind == "f":
        return [_one_of((*REAL, *array.ravel()[:9]), random) for _ in range(n)]
    near = [int(value) + int(random.integers(-2, 3)) for value in array.ravel()[:9]]
    near += [array.size, array.size - 1, array.size + 1]
    with np.errstate(all="ignore"):
        return [
            np.array(_one_of((*WHOLE, *near), random) % 2**64, dtype=np.uint64).astype(array.dtype)
            for _ in range(n)
        ]


def change_values(arrays: Arrays, random: Generator) -> None:
    """One, a few or all items of an array."""
    name = _some_array(arrays, random)
    array = np.array(arrays[name])
    if not array.size:
        return
    n = int(_one_of((1, 1, 1, 2, 5, array.size), random))
    places = random.integers(array.size, size=n)
    array.ravel()[places] = _odd_values(array, random, 1 if random.random() < 0.3 else n)
    arrays[name] = array


def change_length(arrays: Arrays, random: Generator) -> None:
    name = _some_array(arrays, random)
    items = arrays[name].ravel()
    n = len(items)
    cut = int(random.integers(n + 1))
    arrays[name] = _one_of(
        (
            items[:cut],
            items[cut:],
            items[: max(n - 1, 0)],
            np.delete(items, slice(cut, cut + 1)),
            np.concatenate([items, items]),
            np.concatenate([items, items[:1]]),
            np.insert(items, cut, items[:1]) if n else items,
            items[:0],
            np.resize(items, 5000),
        ),
        random,
    ).copy()


def change_kind(arrays: Arrays, random: Generator) -> None:
    """The type of items, or the shape."""
    name = _some_array(arrays, random)
    array = arrays[name]
    if random.random() < 0.5:
        with np.errstate(all="ignore"):
            arrays[name] = array.astype(_one_of(DTYPES, random))
        return
    shapes: list[Any] = [(-1, 1), (1, -1), (1, 1, -1), (-1,)]
    if array.size == 1:
        shapes.append(())
    if not array.size:
        shapes = [(0, 7), (7, 0), (0, 2**40), (0,)]
    arrays[name] = array.reshape(_one_of(shapes, random))


def change_order(arrays: Arrays, random: Generator) -> None:
    name = _some_array(arrays, random)
    items = arrays[name].ravel().copy()
    arrays[name] = _one_of((np.sort(items), items[::-1].copy(), random.permutation(items)), random)


def swap_arrays(arrays: Arrays, random: Generator) -> None:
    """Two change their places, or one takes that of another as well."""
    one, other = _some_array(arrays, random), _some_array(arrays, random)
    alike = [name for name in sorted(arrays) if arrays[name].dtype == arrays[one].dtype]
    other = str(_one_of(alike, random)) if random.random() < 0.8 else other
    if random.random() < 0.5:
        arrays[one], arrays[other] = arrays[other], arrays[one]
    else:
        arrays[one] = arrays[other].copy()


def flip_bits(arrays: Arrays, random: Generator) -> None:
    name = _some_array(arrays, random)
    raw = bytearray(arrays[name].tobytes())
    if not raw:
        return
    for place in random.integers(len(raw), size=int(_one_of((1, 1, 3), random))):
        raw[place] ^= 1 << int(random.integers(8))
    arrays[name] = np.frombuffer(bytes(raw), dtype=arrays[name].dtype).reshape(arrays[name].shape)


def drop_or_add(arrays: Arrays, random: Generator) -> None:
    if random.random() < 0.7:
        del arrays[_some_array(arrays, random)]
    else:
        arrays["report.trace.unknown"] = np.zeros(3)


ARRAY_CHANGES: tuple[Callable[[Arrays, Generator], None], ...] = (
    *(change_values,) * 6,
    *(change_length,) * 2,
    change_kind,
    *(change_order,) * 2,
    *(swap_arrays,) * 2,
    *(flip_bits,) * 2,
    drop_or_add,
)

# -- manifests ------------------------------------------------------------------------------------------------


def _nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


def _odd(random: Generator) -> Any:
    return _one_of(
        (
            None, True, False, 0, 1, 2, 3, -1, 20, 2**31, 2**63, 10**30, 0.5, 1e308, -1.5, "", "x", "average", "vote",
            [], [1], ["a", "b"], {}, {"a": 1}, _nested(200),
            {"$float": _one_of(("nan", "inf", "-inf", "x"), random)},
            {"$bytes": "00ff"}, {"$tuple": [1, 2]}, {"$pairs": [[1, 2]]}, {"$pairs": [[[1], 2]]}, {"$pairs": 3},
            {"$array": [1, 2], "dtype": "<U1000000000", "shape": [2]},
            {"$array": ["a"], "dtype": "<U1", "shape": [10**12]}, {"$array": [1.5, 2], "dtype": "<f8", "shape": [2]},
            {"$array": [[1], "a"], "dtype": "|O", "shape": [2]}, {"$array": [1], "dtype": "<M8[s]"},
            {"$array": [], "dtype": "<i8", "shape": [0]}, {"$array": [], "dtype": "<i8"},
            {"$random_state": {"$tuple": ["MT19937", mersenne(), 10**6, 0, 0.0]}},
            {"$object": {"class": _one_of(sorted(public_classes()), random), "parameters": {}}},
            {"$object": {"class": "RBF", "parameters": {"gamma": {"$float": "nan"}}}},
            {"$object": {"class": "Polynomial", "parameters": {"degree": 10**9}}},
            {"$object": {"class": "Spectrum", "parameters": {"k": 2**40}}},
        ),
        random,
    )  # fmt: skip


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """All containers with the keys of their items."""
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        yield value, key
        yield from places(value[key])


def change_manifest(manifest: dict[str, Any], random: Generator) -> None:
    found = list(places(manifest))
    # Long lists must not hide what is said once.
    within, key = _one_of(found, random) if random.random() < 0.5 else _one_of(found[:40], random)
    value = within[key]
    way = random.random()
    if way < 0.15:
        del within[key]
    elif way < 0.3 and isinstance(value, list) and value:
        within[key] = _one_of((value + value, value[:-1], value[1:], value[::-1], [value], []), random)
    elif way < 0.5 and type(value) in (int, float):
        within[key] = _one_of(
            (value + 1, value - 1, -value, value * 2, value + 0.5, str(value), *WHOLE), random
        )
    elif way < 0.6 and isinstance(value, str):
        within[key] = _one_of((value + "x", value[:-1], value * 1000, "\0", "\ud800", value.upper()), random)
    elif way < 0.75:
        other, other_key = _one_of(found, random)
        within[key] = json.loads(json.dumps(other[other_key]))
    else:
        within[key] = _odd(random)


# -- texts ----------------------------------------------------------------------------------------------------

WORDS = (
    b"0 -1 1e308 1e400 nan inf 99999999999999999999 2147483647 # |BT| |ET| |BV| |EV| 1: 1:2 4294967296:1 2147483647:1 "
    b"( ) (a b) averaged voted \xff \0 "
).split(b" ")


def forged_text(content: bytes, random: Generator) -> bytes:
    """A model file of SVM-light-TK with words, lines or bytes changed."""
    lines = content.split(b"\n")
    for _ in range(random.choice([1, 1, 2, 4])):
        at = (
            int(random.integers(len(lines)))
            if random.random() < 0.5
            else int(random.integers(min(20, len(lines))))
        )
        words = lines[at].split(b" ")
        word = int(random.integers(len(words)))
        way = int(random.integers(6))
        if way <= 2:
            words[word] = _one_of((*WORDS, words[word] + words[word], words[word] * 300), random)
            lines[at] = b" ".join(words)
        elif way == 3:
            lines[at : at + 1] = _one_of(
                ([], [lines[at]] * 2, [lines[at]] * 500, [lines[-1 - at % 5]]), random
            )
        elif way == 4:
            raw = bytearray(lines[at] or b" ")
            raw[int(random.integers(len(raw)))] = int(random.integers(256))
            lines[at] = bytes(raw)
        else:
            del words[word]
            lines[at] = b" ".join(words)
        lines = lines or [b""]
    return b"\n".join(lines)
