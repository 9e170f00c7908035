"""A local cluster of two worker processes, which the tests of this folder share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("distributed")


@pytest.fixture(scope="session")
def client() -> Iterator[Any]:
    from hedgerow.distributed import connected

    with connected(workers=2) as client:
        yield client
