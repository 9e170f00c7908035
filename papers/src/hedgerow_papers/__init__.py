"""Published experiments rerun with hedgerow, and the command ``hedgerow reproduce`` that runs them."""
