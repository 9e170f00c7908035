"""What hedgerow learns from: forests of trees, records with named columns, and how to make them."""

from hedgerow.data.errors import FormatError
from hedgerow.data.forest import Forest
from hedgerow.data.records import Records
from hedgerow.data.tree import Tree

__all__ = ["Forest", "FormatError", "Records", "Tree"]
