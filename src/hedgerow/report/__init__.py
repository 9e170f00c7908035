"""Reports: one HTML page about what was trained, on what, with what, and how well it does.

The page is one file without scripts, which needs no network. Making it needs the extra ``report``.
"""

from hedgerow.report.report import Report, write

__all__ = ["Report", "write"]
