"""Reading and writing files of examples."""

from hedgerow.io.classes import read_taxonomy
from hedgerow.io.columns import Sentence, iter_columns, read_columns, read_conll, write_columns
from hedgerow.io.formats import FORMATS as FORMATS
from hedgerow.io.nbest import read_nbest
from hedgerow.io.ptb import read_ptb
from hedgerow.io.svmlight import iter_svmlight
from hedgerow.io.svmlight_tk import iter_svmlight_tk, read_svmlight_tk
from hedgerow.io.svmlight_tk_writer import write_svmlight_tk

__all__ = [
    "Sentence",
    "iter_columns",
    "iter_svmlight",
    "iter_svmlight_tk",
    "read_columns",
    "read_conll",
    "read_nbest",
    "read_ptb",
    "read_svmlight_tk",
    "read_taxonomy",
    "write_columns",
    "write_svmlight_tk",
]
