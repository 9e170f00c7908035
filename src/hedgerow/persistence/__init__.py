"""Saving and loading models: one file, without pickle."""

from hedgerow.persistence.model_file import load, save

__all__ = ["load", "save"]
