"""Reading and writing files of examples, and model files of SVM-light-TK."""

from hedgerow.io.conll import Sentence, read_conll
from hedgerow.io.ptb import read_ptb
from hedgerow.io.svmlight import iter_svmlight
from hedgerow.io.svmlight_tk import iter_svmlight_tk, read_svmlight_tk
from hedgerow.io.svmlight_tk_model import (
    SvmlightTkModel,
    SvmlightTkParameters,
    read_svmlight_tk_model,
    write_svmlight_tk_model,
)
from hedgerow.io.svmlight_tk_writer import write_svmlight_tk

__all__ = [
    "Sentence",
    "SvmlightTkModel",
    "SvmlightTkParameters",
    "iter_svmlight",
    "iter_svmlight_tk",
    "read_conll",
    "read_ptb",
    "read_svmlight_tk",
    "read_svmlight_tk_model",
    "write_svmlight_tk",
    "write_svmlight_tk_model",
]
