"""Kernels: what two items share. Trees, strings, vectors, and their combinations."""

from hedgerow.kernels.base import Kernel, Normalized, OnColumn, Product, Sum, Weighted

__all__ = ["Kernel", "Normalized", "OnColumn", "Product", "Sum", "Weighted"]
