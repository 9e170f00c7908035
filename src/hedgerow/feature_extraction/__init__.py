"""What learners take, made of what users have: vectors of texts and of trees, features of parses, trees of
relations, Records of data frames.
"""

from hedgerow.feature_extraction.fragment_hasher import FragmentHasher
from hedgerow.feature_extraction.parse_features import ParseFeatures
from hedgerow.feature_extraction.records import ToRecords
from hedgerow.feature_extraction.relation_trees import path_enclosed_trees
from hedgerow.feature_extraction.text_hasher import TextHasher

__all__ = ["FragmentHasher", "ParseFeatures", "TextHasher", "ToRecords", "path_enclosed_trees"]
