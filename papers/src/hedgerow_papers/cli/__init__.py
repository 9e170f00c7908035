"""The command ``hedgerow reproduce``."""
