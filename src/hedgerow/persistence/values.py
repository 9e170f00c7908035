"""Values of parameters and descriptions as JSON, and back without loss.

JSON's own types stand for themselves. Everything else is an object with one key that starts with ``$``.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from hedgerow.models.stored import ARRAY_KINDS, stored_dtype
from hedgerow.persistence.classes import is_public, public_class


def encode(value: Any, where: str) -> Any:
    """The value as JSON; a TypeError names ``where`` it is when a file cannot hold it."""
    if value is None or type(value) in (bool, int, str):
        return value
    if type(value) is float:
        return value if math.isfinite(value) else {"$float": str(value)}
    if type(value) is bytes:
        return {"$bytes": value.hex()}
    if type(value) is list:
        return [encode(item, f"{where}[{i}]") for i, item in enumerate(value)]
    if type(value) is tuple:
        return {"$tuple": encode(list(value), where)}
    if type(value) is dict:
        return _encode_dict(value, where)
    if isinstance(value, np.ndarray | np.generic):
        return _encode_array(value, where)
    if isinstance(value, np.random.RandomState):
        return {"$random_state": encode(value.get_state(legacy=True), where)}
    if hasattr(value, "get_params"):
        return {"$object": encode_object(value, where)}
    raise TypeError(
        f"{where} is a {type(value).__name__}, which a model file cannot hold; it takes numbers, texts, None, "
        "lists, tuples, dicts, numpy arrays and hedgerow's own kernels (pickle can save more)"
    )


def encode_object(value: Any, where: str) -> dict[str, Any]:
    """Class and parameters of one of hedgerow's own objects."""
    if not is_public(value):
        raise TypeError(
            f"{where} is a {type(value).__name__} of {type(value).__module__}; a model file holds classes of "
            "hedgerow only, since loading must not import others (pickle can save it)"
        )
    parameters = value.get_params(deep=False)
    return {
        "class": type(value).__name__,
        "parameters": {name: encode(item, f"{where}.{name}") for name, item in parameters.items()},
    }


def _encode_dict(value: dict[Any, Any], where: str) -> Any:
    if all(type(key) is str and not key.startswith("$") for key in value):
        return {key: encode(item, f"{where}[{key!r}]") for key, item in value.items()}
    return {
        "$pairs": [
            [encode(key, f"a key of {where}"), encode(item, f"{where}[{key!r}]")]
            for key, item in value.items()
        ]
    }


def _encode_array(value: Any, where: str) -> Any:
    kind = value.dtype.kind
    if kind not in ARRAY_KINDS or (kind == "f" and value.dtype.itemsize > 8):
        raise TypeError(f"{where} has the type {value.dtype}, which a model file cannot hold")
    plain = value.view(np.int64) if kind in "Mm" else value  # dates and durations count some unit
    items = plain.ravel().tolist() if isinstance(value, np.ndarray) else [plain.item()]
    encoded = {"$array": encode(items, where), "dtype": value.dtype.str}
    return {**encoded, "shape": list(value.shape)} if isinstance(value, np.ndarray) else encoded


def decode(value: Any) -> Any:
    """What `encode` was given; a ValueError when that cannot be."""
    if isinstance(value, list):
        return [decode(item) for item in value]
    if not isinstance(value, dict):
        return value
    tag = next((key for key in value if key.startswith("$")), None)
    if tag is None:
        return {key: decode(item) for key, item in value.items()}
    content = value[tag]
    if tag == "$float":
        return float(content)
    if tag == "$bytes":
        return bytes.fromhex(content)
    if tag == "$tuple":
        return tuple(decode(content))
    if tag == "$pairs":
        return {decode(key): decode(item) for key, item in content}
    if tag == "$array":
        items = decode(content)
        return _decode_array(items, stored_dtype(value["dtype"], items), value.get("shape"))
    if tag == "$random_state":
        return _decode_random_state(*decode(content))
    if tag == "$object":
        return decode_object(content)
    raise ValueError(f"unknown kind of value {tag}")


def decode_object(content: Any) -> Any:
    """A new object of a public class with its parameters."""
    if not isinstance(content, dict) or not isinstance(content.get("parameters"), dict):
        raise ValueError("an object must have a class and parameters")
    name = content.get("class")
    found = public_class(name) if isinstance(name, str) else None
    if found is None:
        raise UnknownClass(name)
    return found(**{key: decode(item) for key, item in content["parameters"].items()})


class UnknownClass(ValueError):
    """A class that is not among the public ones."""


def _decode_random_state(kind: Any, key: Any, position: Any, *rest: Any) -> np.random.RandomState:
    # numpy would read beyond the key.
    if type(position) is not int or not 0 <= position <= 624:
        raise ValueError("the position of a random state is out of range")
    state = np.random.RandomState()
    state.set_state((kind, key, position, *rest))
    return state


def _decode_array(items: list[Any], dtype: np.dtype[Any], shape: list[int] | None) -> Any:
    if dtype.kind == "O":
        array = np.empty(len(items), dtype=object)
        for i, item in enumerate(items):  # numpy would take lists apart
            array[i] = item
    elif dtype.kind in "Mm":
        array = np.array(items, dtype=np.int64).view(dtype)
    else:
        array = np.array(items, dtype=dtype)
    return array.reshape(shape) if shape is not None else array[0]
