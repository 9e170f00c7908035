"""Kernels: what two items share. Trees, strings, vectors, and their combinations."""

from hedgerow.kernels.base import Kernel
from hedgerow.kernels.combinations import Normalized, OnColumn, Product, Sum, Weighted
from hedgerow.kernels.strings import Mismatch, Spectrum, Subsequence
from hedgerow.kernels.trees import PartialTree, SubPath, SubsetTree, SubTree
from hedgerow.kernels.vectors import RBF, Linear, Polynomial, Sigmoid

__all__ = [
    "RBF",
    "Kernel",
    "Linear",
    "Mismatch",
    "Normalized",
    "OnColumn",
    "PartialTree",
    "Polynomial",
    "Product",
    "Sigmoid",
    "Spectrum",
    "SubPath",
    "SubTree",
    "Subsequence",
    "SubsetTree",
    "Sum",
    "Weighted",
]
