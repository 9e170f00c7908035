"""What becomes of parameters of earlier versions."""

from __future__ import annotations

from typing import Any

import pytest

from hedgerow.kernels import Linear
from hedgerow.online import Forgetron
from hedgerow.persistence.upgrade import upgrade
from hedgerow.persistence.values import decode_object


def upgraded(name: str, **parameters: Any) -> Any:
    manifest = {"class": name, "parameters": parameters, "description": {}}
    upgrade(1, manifest, {})
    return decode_object(manifest)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (("Forgetron", {"kernel": None, "budget": 3}), Forgetron(Linear(), budget=3)),
    ],
)
def test_parameters_of_version_1(old, new):
    name, parameters = old
    assert repr(upgraded(name, **parameters)) == repr(new)
