"""``hedgerow tune``: what is tried, how it is compared, and what is said about it."""
