"""Weighted context-free grammars: parsing with rules learned from treebanks."""
