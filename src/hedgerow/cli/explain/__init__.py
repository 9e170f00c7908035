"""``hedgerow explain``."""
