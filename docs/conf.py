"""How Sphinx builds these pages: `make docs` writes them to build/docs."""

from __future__ import annotations

from importlib.metadata import version as version_of

project = "hedgerow"
author = "The hedgerow developers"
copyright = "The hedgerow developers"
version = release = version_of("hedgerow")

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
]
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
nitpicky = True

autosummary_generate = True
numpydoc_show_class_members = False

html_theme = "furo"
html_title = f"hedgerow {version}"
html_show_copyright = False
html_copy_source = False
html_show_sourcelink = False
