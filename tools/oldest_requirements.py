"""Print the oldest versions that pyproject.toml admits of every dependency, as constraints for pip.

`make test-oldest` runs the tests with them, so that a lower bound is one that works.
"""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

PYPROJECT = Path(__file__).resolve().parent.parent / "pyproject.toml"
BOUND = re.compile(r"(?P<name>[\w.-]+)(?:\[[\w,]+\])?>=(?P<version>[\w.]+)(?:,<[\w.]+)?(?P<marker>;.*)?")

# What dependencies and tests depend on, where today's version does not suit those of then.
OF_THEN = ("click==8.2.1", "polars==1.30.0", "pyparsing==3.1.0")


def oldest(extras: tuple[str, ...] = ("nlp", "code", "report", "distributed", "serve")) -> Iterator[str]:
    """Yield constraints ``name==version``, of the dependencies and of these extras."""
    project = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]
    optional = project["optional-dependencies"]
    requirements = [*project["dependencies"], *(entry for extra in extras for entry in optional[extra])]
    for requirement in dict.fromkeys(requirements):
        if bound := BOUND.fullmatch(requirement):
            yield f"{bound['name']}=={bound['version']}{bound['marker'] or ''}"
    yield from OF_THEN


if __name__ == "__main__":
    print(*oldest(), sep="\n")
