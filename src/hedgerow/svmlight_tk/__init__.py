"""Compatibility with SVM-light-TK: its model files, the kernels that its flags describe, and its flags.

The format of its examples is one of `hedgerow.io`; ``hedgerow svm_learn`` and ``svm_classify`` take its command lines.
"""

from hedgerow.svmlight_tk.conversion import from_svmlight_tk, to_svmlight_tk
from hedgerow.svmlight_tk.kernel import kernel_for
from hedgerow.svmlight_tk.model import SvmlightTkModel
from hedgerow.svmlight_tk.model_files import read_svmlight_tk_model, write_svmlight_tk_model
from hedgerow.svmlight_tk.parameters import SvmlightTkParameters
from hedgerow.svmlight_tk.scorer import SvmlightTkScorer

__all__ = [
    "SvmlightTkModel",
    "SvmlightTkParameters",
    "SvmlightTkScorer",
    "from_svmlight_tk",
    "kernel_for",
    "read_svmlight_tk_model",
    "to_svmlight_tk",
    "write_svmlight_tk_model",
]
