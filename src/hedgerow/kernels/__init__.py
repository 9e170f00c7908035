"""Kernels: what two items share. Trees, strings, vectors, and their combinations."""

from hedgerow.kernels.base import Kernel as Kernel
from hedgerow.kernels.combinations import Normalized as Normalized
from hedgerow.kernels.combinations import OnColumn as OnColumn
from hedgerow.kernels.combinations import Product as Product
from hedgerow.kernels.combinations import Sum as Sum
from hedgerow.kernels.combinations import Weighted as Weighted
from hedgerow.kernels.defaults import combined as combined
from hedgerow.kernels.expressions import parse_kernel as parse_kernel
from hedgerow.kernels.strings import Mismatch as Mismatch
from hedgerow.kernels.strings import Spectrum as Spectrum
from hedgerow.kernels.strings import Subsequence as Subsequence
from hedgerow.kernels.trees import Fragments as Fragments
from hedgerow.kernels.trees import PartialTree as PartialTree
from hedgerow.kernels.trees import SubPath as SubPath
from hedgerow.kernels.trees import SubsetTree as SubsetTree
from hedgerow.kernels.trees import SubTree as SubTree
from hedgerow.kernels.vectors import RBF as RBF
from hedgerow.kernels.vectors import Linear as Linear
from hedgerow.kernels.vectors import Polynomial as Polynomial
from hedgerow.kernels.vectors import Sigmoid as Sigmoid
from hedgerow.registry import KernelRow, public_names

KERNELS = (
    KernelRow("sst", SubsetTree),
    KernelRow("st", SubTree),
    KernelRow("sst-bow", SubsetTree, bag_of_words=True),
    KernelRow("pt", PartialTree),
    KernelRow("upt", PartialTree, lexical=False),
    KernelRow("subpath", SubPath),
    KernelRow("fragments", Fragments),
    KernelRow("linear", Linear),
    KernelRow("polynomial", Polynomial),
    KernelRow("rbf", RBF),
    KernelRow("sigmoid", Sigmoid),
    KernelRow("spectrum", Spectrum),
    KernelRow("subsequence", Subsequence),
    KernelRow("mismatch", Mismatch),
)

__all__ = public_names(__name__, globals())
