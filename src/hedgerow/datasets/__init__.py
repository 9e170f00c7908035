"""Data that ships with hedgerow."""

from hedgerow.datasets.questions import load_questions

__all__ = ["load_questions"]
