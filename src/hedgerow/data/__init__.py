"""What hedgerow learns from: forests of trees, records with named columns, lists of candidates."""

from hedgerow.data.candidate_lists import CandidateLists
from hedgerow.data.converters.source_code import SourceUnit
from hedgerow.data.errors import FormatError
from hedgerow.data.forest import Forest
from hedgerow.data.records import Records
from hedgerow.data.tree import Tree

__all__ = ["CandidateLists", "Forest", "FormatError", "Records", "SourceUnit", "Tree"]
