"""Nearest neighbours among trees, exactly, by any tree kernel."""

from hedgerow.neighbors.shared_fragments import SharedFragment
from hedgerow.neighbors.tree_index import TreeIndex

__all__ = ["SharedFragment", "TreeIndex"]
