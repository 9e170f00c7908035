"""Kernels: what two items share. Trees, strings, vectors, and their combinations."""

from hedgerow.kernels.base import Kernel, Normalized, OnColumn, Product, Sum, Weighted
from hedgerow.kernels.trees import PartialTree, SubPath, SubsetTree, SubTree

__all__ = [
    "Kernel",
    "Normalized",
    "OnColumn",
    "PartialTree",
    "Product",
    "SubPath",
    "SubTree",
    "SubsetTree",
    "Sum",
    "Weighted",
]
