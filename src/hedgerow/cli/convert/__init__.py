"""``hedgerow convert``."""
