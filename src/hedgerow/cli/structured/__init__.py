"""Structured outputs on the command line: one file a kind of problem, and what train, predict and evaluate do."""
