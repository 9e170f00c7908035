from __future__ import annotations

import pytest

from tests.serve.postgres import Postgres, why_not


@pytest.fixture(scope="session")
def postgres():
    if reason := why_not():
        pytest.skip(reason)
    server = Postgres()
    yield server
    server.close()
