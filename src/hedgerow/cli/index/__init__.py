"""``hedgerow index``: the functions of code bases, and those most similar to others."""
