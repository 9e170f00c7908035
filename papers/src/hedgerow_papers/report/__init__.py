"""Reproductions on the page that ``hedgerow report`` writes."""
