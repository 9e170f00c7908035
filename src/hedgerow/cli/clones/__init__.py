"""``hedgerow clones``: functions of a code base that are alike."""
