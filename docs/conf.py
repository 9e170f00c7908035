"""How Sphinx builds these pages: `make docs` writes them to build/docs."""

from __future__ import annotations

import sys
from importlib.metadata import version as version_of
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "extensions"))

project = "hedgerow"
author = "The hedgerow developers"
copyright = "The hedgerow developers"
version = release = version_of("hedgerow")

extensions = [
    "myst_nb",  # with MyST's parser
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "command_line",
    "mathml",
    "public_names",
]
html_math_renderer = "mathml"
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
nb_execution_mode = "force"  # tutorials and gallery: what they show is what this build computed
nb_execution_raise_on_error = True
nb_execution_timeout = 300
nb_merge_streams = True
nitpicky = True
smartquotes = False  # -- stays --, as in --kernel

autosummary_generate = True
templates_path = ["templates"]
exclude_patterns = ["templates"]
default_role = "obj"  # `Forest` in a docstring is a link
autodoc_typehints = "none"  # docstrings say more of types than annotations do
autodoc_member_order = "bysource"
numpydoc_show_class_members = False

html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["wide.css"]
html_title = f"hedgerow {version}"
html_show_copyright = False
html_copy_source = False
html_show_sourcelink = False
