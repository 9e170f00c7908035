"""Model files of hedgerow as those of SVM-light-TK, and back."""

from __future__ import annotations

import os

from hedgerow.cli.failures import refused
from hedgerow.cli.paths import check_output
from hedgerow.cli.rescue import whole_or_not
from hedgerow.data.files import name_of, reading

_OF_SVMLIGHT_TK = b"SVM-light Version "


def is_model(path: str) -> bool:
    """Whether the file is a model of either kind."""
    if not os.path.isfile(path):
        return False
    start = _start_of(path)
    if start.startswith(_OF_SVMLIGHT_TK):
        return True
    # A header of safetensors: its length, which texts such as "class A {" would make terabytes, then JSON.
    return start[8:9] == b"{" and int.from_bytes(start[:8], "little") < 1 << 40


def convert_model(path: str, output: str, target: str | None, spaces_in_leaves: bool) -> None:
    """Writes the model in the other format."""
    # Imported here: scikit-learn takes a second to load, which files of examples need not wait for.
    from hedgerow.persistence.model_file import read_model, write_model
    from hedgerow.svmlight_tk import (
        from_svmlight_tk,
        read_svmlight_tk_model,
        to_svmlight_tk,
        write_svmlight_tk_model,
    )

    theirs = _start_of(path).startswith(_OF_SVMLIGHT_TK)
    wanted = "hedgerow" if theirs else "svmlight-tk"
    if target != wanted:
        raise refused("--to", f"{name_of(path)} is a model, which can be converted --to {wanted}")
    check_output(output, [path])
    with whole_or_not(output):
        if theirs:
            model = read_svmlight_tk_model(path, spaces_in_leaves=spaces_in_leaves)
            write_model(from_svmlight_tk(model), output, {})
        else:
            write_svmlight_tk_model(
                output, to_svmlight_tk(read_model(path)[0]), spaces_in_leaves=spaces_in_leaves
            )


def _start_of(path: str) -> bytes:
    with reading(path) as file:
        return bytes(file.read(100))
