"""The extensions of Sphinx in docs/extensions, on a site of one page."""

from __future__ import annotations

import html
import re
import subprocess
import sys
from pathlib import Path

import pytest
import typer.main

from hedgerow.cli.app import app

pytest.importorskip("myst_parser")
pytestmark = pytest.mark.slow

EXTENSIONS = Path(__file__).parents[1] / "docs" / "extensions"
CONFIGURATION = f"""
import sys

sys.path.insert(0, {str(EXTENSIONS)!r})
extensions = ["myst_parser", "sphinx.ext.autodoc", "numpydoc", "command_line", "mathml", "public_names"]
myst_enable_extensions = ["dollarmath"]
html_math_renderer = "mathml"
html_theme = "basic"
numpydoc_show_class_members = False
autodoc_typehints = "none"
default_role = "obj"
nitpicky = True
smartquotes = False
"""
PAGE = """
# Page

Inside, $f'(x) = \\frac{1}{2} x$, and

$$
\\sum_i \\beta_i K(s_i, x)
$$

{formula}

```{eval-rst}
.. autoclass:: hedgerow.kernels.SubsetTree
   :members:
   :inherited-members:

See `SubsetTree` {word}.
```

```{command-line}
```
"""


def build(folder: Path, page: str) -> tuple[str, str]:
    """The page as HTML, and the warnings."""
    source = folder / "source"
    source.mkdir()
    (source / "conf.py").write_text(CONFIGURATION, encoding="utf-8")
    (source / "index.md").write_text(page, encoding="utf-8")
    command = [sys.executable, "-m", "sphinx", "--quiet", str(source), str(folder / "built")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return (folder / "built" / "index.html").read_text(encoding="utf-8"), done.stderr


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> str:
    page = PAGE.replace("{formula}", "").replace("{word}", "")
    text, warnings = build(tmp_path_factory.mktemp("site"), page)
    missing = set(re.findall(r"target not found: (\S+)", warnings))
    assert missing == {"Records"}, warnings  # of Kernel.on, and on no page here
    return text


def test_formulas_need_no_script(built: str) -> None:
    assert re.search(r"<msup>\s*<mi>f</mi>\s*<mi>′</mi>\s*</msup>", built)
    assert re.search(r'<div class="math"><math[^>]*display="block"', built)
    assert not re.search(r"<(script|link)[^>]*(src|href)=.https?:", built)


def test_names_are_links(built: str) -> None:
    assert re.search(r'See <a class="[^"]*" href="#hedgerow.kernels.SubsetTree"', built)


def test_members_of_other_packages_are_left_out(built: str) -> None:
    assert 'id="hedgerow.kernels.SubsetTree.diag"' in built
    assert 'id="hedgerow.kernels.SubsetTree.get_params"' not in built


def test_all_commands_and_options(built: str) -> None:
    words = html.unescape(re.sub(r"<[^>]+>", "", built))
    group = typer.main.get_command(app)
    context = group.context_class(group)
    for name in group.list_commands(context):  # type: ignore[attr-defined]
        command = group.get_command(context, name).load([])  # type: ignore[attr-defined]
        assert f'id="hedgerow-{name.replace("_", "-")}"' in built
        for parameter in command.params:
            for option in parameter.opts if parameter.param_type_name == "option" else []:
                assert option in words, f"{name} {option}"
    for panel in ("Learner pa", "Kernel pt", "Problem taxonomy", "Data"):
        assert panel in words
    assert "Multiplies C for the positive examples" in words
    assert "--no-normalize" in words


def test_what_is_wrong_is_a_warning(tmp_path: Path) -> None:
    page = PAGE.replace("{formula}", "$\\unheard{x}$").replace("{word}", "and `NoSuchKernel`")
    _, warnings = build(tmp_path, page)
    assert "unheard" in warnings
    assert "target not found: NoSuchKernel" in warnings
