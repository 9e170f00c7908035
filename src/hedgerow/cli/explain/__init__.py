"""``hedgerow explain``."""

from hedgerow.cli.explain.command import explain as explain
