"""Links from docstrings: a name in backticks is that of a public object, wherever it is documented."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment


def resolve(app: Sphinx, env: BuildEnvironment, node: Any, content: nodes.Element) -> nodes.Element | None:
    """The only public object whose name ends so."""
    if node.get("refdomain") != "py":
        return None
    objects = env.domains.python_domain.objects
    ending = "." + node["reftarget"]
    # Objects are also known by the modules that they are written in, which nobody needs to know.
    found = [name for name, entry in objects.items() if f".{name}".endswith(ending) and not entry.aliased]
    if len(found) != 1:
        return None
    entry = objects[found[0]]
    page = app.builder.get_relative_uri(node["refdoc"], entry.docname)
    return nodes.reference("", "", content, internal=True, refuri=f"{page}#{entry.node_id}")


def defined_elsewhere(app: Sphinx, kind: str, name: str, obj: Any, skip: bool, options: Any) -> bool | None:
    """Leaves out what classes inherit from other packages: their words refer to their own documentation."""
    owner = getattr(obj, "fget", obj)
    module = getattr(owner, "__module__", None)
    return True if module is not None and not module.startswith("hedgerow") else None


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("missing-reference", resolve)
    app.connect("autodoc-skip-member", defined_elsewhere)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
