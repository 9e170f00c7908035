"""hedgerow."""
