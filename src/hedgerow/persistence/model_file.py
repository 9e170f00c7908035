"""The model file: safetensors for the arrays, and a JSON manifest in its metadata.

The metadata ``hedgerow`` are a JSON object with ``format`` and ``format_version``, the ``manifest`` as a text
(the version of hedgerow, the class, its parameters, the description of what was learned, notes saved with it
and, if it is known, what the model was trained on) and ``sha256`` of the manifest and all arrays.
"""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import safetensors
import safetensors.numpy

import hedgerow
from hedgerow.checks import check_choice
from hedgerow.data.errors import FormatError
from hedgerow.data.files import name_of, read_bytes, writing
from hedgerow.feature_extraction import TextHasher
from hedgerow.models.stored import stored_whole
from hedgerow.persistence.packing import pack_arrays, unpack_arrays
from hedgerow.persistence.values import UnknownClass, decode, decode_object, encode, encode_object
from hedgerow.svmlight_tk.model_files import is_svmlight_tk_model

NAME = "hedgerow"
FORMAT = "hedgerow model"
FORMAT_VERSION = 2

_OF_OTHERS = (
    "; skops.io.dump(model, path) saves pipelines of scikit-learn with hedgerow's in them, without pickle "
    "too. Or save the step that is hedgerow's, save(pipeline[-1], path), and create the others again"
)

Arrays = dict[str, np.ndarray[Any, Any]]


def save(
    model: Any,
    path: str | os.PathLike[str],
    *,
    resumable: bool = True,
    dtype: Literal["float64", "float32"] = "float64",
) -> None:
    """Save a fitted model to a file, from which `load` restores it to the last bit.

    A loaded model scores as the saved one and continues learning where that stopped, unless ``resumable=False`` asks
    for a small file. The file is complete or not there at all: until all of it has reached the disk, an older file
    of that name stays as it is.

    Parameters
    ----------
    model : a fitted learner or model of hedgerow
        With labels and parameters that are numbers, texts or other values that JSON or numpy can hold.
    path : path, or "-" for standard output
        gzip when it ends in ``.gz``.
    resumable : bool, default=True
        With False the file holds what predictions need, in as little room as possible: zeros are left out, numbers
        compressed, and structured learners leave out what they would go on from, features without a weight too. The
        loaded model refuses ``partial_fit``.
    dtype : {"float64", "float32"}, default="float64"
        How numbers are rounded with ``resumable=False``; float32 takes half the room, and scores differ from their
        seventh digit on.

    Raises
    ------
    TypeError
        When the model, a parameter or a label is something that a file cannot hold.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import hedgerow
    >>> from hedgerow.online import Perceptron
    >>> path = pathlib.Path(tempfile.mkdtemp(), "words.model")
    >>> hedgerow.save(Perceptron().fit([[0.0, 1.0], [1.0, 0.0]], ["a", "b"]), path)
    >>> hedgerow.load(path).predict([[1.0, 0.1]])
    array(['b'], dtype='<U1')
    """
    check_choice("dtype", dtype, ("float64", "float32"))
    if resumable and dtype != "float64":
        raise ValueError(
            f"dtype={dtype!r} rounds the state that learning continues from; it needs resumable=False"
        )
    write_model(model, path, {}, resumable=resumable, dtype=dtype)


def load(path: str | os.PathLike[str]) -> Any:
    """Load a model saved by `save`.

    Nothing in the file is run or imported, so files of others can be loaded safely.

    Parameters
    ----------
    path : path, or "-" for standard input

    Returns
    -------
    model : the fitted learner or model

    Raises
    ------
    FormatError
        When the file is damaged, cut short, no hedgerow model, or of a newer version.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import hedgerow
    >>> from hedgerow.online import Perceptron
    >>> path = pathlib.Path(tempfile.mkdtemp(), "words.model")
    >>> hedgerow.save(Perceptron().fit([[0.0, 1.0], [1.0, 0.0]], ["a", "b"]), path)
    >>> model = hedgerow.load(path).partial_fit([[0.5, 1.0]], ["a"])  # continues where the saved one stopped
    >>> model.n_seen_
    3
    """
    return read_model(path)[0]


@dataclass(frozen=True)
class ModelFile:
    """What a file holds."""

    model: Any
    notes: dict[str, Any]
    trained_on: dict[str, Any]  # empty where that is not known
    version: str  # of the hedgerow that wrote it


def write_model(
    model: Any,
    path: str | os.PathLike[str],
    notes: dict[str, Any],
    trained_on: dict[str, Any] | None = None,
    resumable: bool = True,
    dtype: str = "float64",
) -> None:
    """`save` with notes, and with what the model was trained on; `read_model_file` gives back both."""
    file_content = model_bytes(model, notes, trained_on, resumable, dtype)
    try:
        with writing(path) as out:
            out.write(file_content)
    except OSError as error:
        if error.filename is None and error.errno is not None:  # a full disk does not say which file
            raise OSError(error.errno, error.strerror, os.fspath(path)) from None
        raise


def model_bytes(
    model: Any,
    notes: dict[str, Any],
    trained_on: dict[str, Any] | None = None,
    resumable: bool = True,
    dtype: str = "float64",
) -> bytes:
    """The content of the file that `write_model` writes."""
    if not hasattr(model, "_to_state"):
        raise TypeError(
            f"only learners and models of hedgerow can be saved, got a {type(model).__name__}"
            + (_OF_OTHERS if hasattr(model, "get_params") else "")
        )
    content = encode_object(model, "model")
    resumable = resumable and not getattr(model, "_final", False)
    small = not resumable and hasattr(model, "_final_state")
    description, arrays = model._final_state() if small else model._to_state()
    packed: dict[str, Any] = {}
    if not resumable:
        arrays, notes_of_arrays = pack_arrays(arrays, dtype)
        packed = {"packed": notes_of_arrays}
    manifest = {
        "hedgerow": hedgerow.__version__,
        **content,
        "description": encode(description, "what was learned"),
        "notes": encode(notes, "notes"),
        **({"trained_on": encode(trained_on, "trained_on")} if trained_on else {}),
        **packed,
    }
    return pack(manifest, arrays)


def read_model(path: str | os.PathLike[str]) -> tuple[Any, dict[str, Any]]:
    """The model and the notes."""
    file = read_model_file(path)
    return file.model, file.notes


def read_model_file(path: str | os.PathLike[str]) -> ModelFile:
    """All that a file holds."""
    return model_file(read_bytes(path), name_of(path))


def model_file(content: bytes, name: str) -> ModelFile:
    """All that is in the content of a file of that name."""
    version, manifest, arrays = unpack(content, name)
    if version < FORMAT_VERSION:
        raise FormatError(
            f"a model of format {version}, which was never released; tools/upgrade_models.py in hedgerow's "
            "repository makes it one that can be loaded",
            path=name,
        )
    writer = str(manifest.get("hedgerow"))[:100]
    part = "parameters"
    try:
        model = decode_object(manifest)
        part = "arrays"
        if "packed" in manifest:
            arrays = unpack_arrays(arrays, manifest["packed"])
        part = "description"
        model._from_state(decode(manifest["description"]), arrays)
        if "packed" in manifest:
            model._final = True
        part = "notes"
        notes, trained_on = decode(manifest["notes"]), decode(manifest.get("trained_on", {}))
        if not isinstance(notes, dict) or not isinstance(trained_on, dict):
            raise ValueError("notes and trained_on must be objects")
        _take_hashing(model, notes.pop("hashing", None))
        return ModelFile(model, notes, trained_on, writer)
    except UnknownClass as error:
        raise FormatError(
            f"it holds a {error}, which hedgerow {hedgerow.__version__} does not know", path=name
        ) from None
    except Exception as error:  # whatever it is that a file makes Python or numpy stumble over
        raise FormatError(
            f"it was written by hedgerow {writer} and does not fit hedgerow {hedgerow.__version__}: "
            f"{_in_words(error, part)}",
            path=name,
        ) from error


def _take_hashing(model: Any, hashing: dict[str, Any] | None) -> None:
    """Files from before models had a vectorizer have in their notes how texts become vectors."""
    if hashing is not None:
        bits, signed = stored_whole(hashing, "bits", 1, 30), hashing["signed"]
        vectorizer = TextHasher(n_features=1 << bits, ngrams=hashing["ngrams"], alternate_sign=signed)
        vectorizer._check_params()
        takers: list[Any] = [model, getattr(model, "problem", None), getattr(model, "problem_", None)]
        for taker in takers:
            if hasattr(taker, "vectorizer"):
                taker.vectorizer = vectorizer
                taker._check_params()


def _in_words(error: Exception, part: str) -> str:
    """What is wrong; errors that hedgerow did not raise itself need to be told where."""
    if isinstance(error, ValueError):
        return str(error)
    if isinstance(error, RecursionError):
        return f"its {part} are nested too deeply"
    return f"its {part}: {'missing ' if isinstance(error, KeyError) else ''}{error or type(error).__name__}"


def pack(manifest: dict[str, Any], arrays: Arrays) -> bytes:
    """The content of a file."""
    text = json.dumps(manifest, allow_nan=False)
    arrays = {name: np.asarray(values, order="C") for name, values in arrays.items()}
    head = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "sha256": _checksum(text, arrays),
        "manifest": text,
    }
    # All under one name: safetensors writes several in any order, but equal models should make equal files.
    return safetensors.numpy.save(arrays, {NAME: json.dumps(head)})


def unpack(content: bytes, name: str) -> tuple[int, dict[str, Any], Arrays]:
    """Format version, manifest and arrays of a file, as they were written."""
    head = _head(content, name)
    damaged = FormatError("the model file is damaged or cut short: its checksum does not fit", path=name)
    version = head.get("format_version")
    if type(version) is not int or version < 1:
        raise damaged
    if version > FORMAT_VERSION:
        raise FormatError(
            f"a newer version of hedgerow wrote this model (format {version}; hedgerow {hedgerow.__version__} "
            f"reads format {FORMAT_VERSION}); please install a newer hedgerow",
            path=name,
        )
    try:
        arrays = safetensors.numpy.load(content)
        if _checksum(head["manifest"], arrays) != head["sha256"]:
            raise damaged
        return version, dict(json.loads(head["manifest"])), arrays
    except (safetensors.SafetensorError, KeyError, ValueError, TypeError, AttributeError, RecursionError):
        raise damaged from None


def _head(content: bytes, name: str) -> dict[str, Any]:
    """What the header of the file says beside the arrays."""
    if is_svmlight_tk_model(content):
        raise FormatError(
            "a model of SVM-light-TK, which hedgerow.svmlight_tk.read_svmlight_tk_model reads, and on the command line "
            "hedgerow svm_classify",
            path=name,
        )
    if not content:
        raise FormatError("the file is empty", path=name)
    length = int.from_bytes(content[:8], "little")
    if content[8:9] != b"{" or length > 1 << 40:
        raise FormatError("not a hedgerow model", path=name)
    if len(content) < 8 + length:
        raise FormatError("the model file is cut short", path=name)
    try:
        metadata = json.loads(content[8 : 8 + length]).get("__metadata__", {})
        head = json.loads(metadata[NAME]) if NAME in metadata else {}
        if head.get("format") == FORMAT:
            return dict(head)
    except (ValueError, TypeError, AttributeError, RecursionError):
        raise FormatError("not a hedgerow model, or a damaged one", path=name) from None
    raise FormatError("a safetensors file, but not a hedgerow model", path=name)


def _checksum(manifest: str, arrays: Arrays) -> str:
    total = hashlib.sha256(manifest.encode())
    for name in sorted(arrays):
        values = arrays[name]
        total.update(f"\0{name}\0{values.dtype.str}\0{values.shape}\0".encode())
        total.update(values.data.cast("B") if values.size else b"")
    return total.hexdigest()
