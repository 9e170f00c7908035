"""Files of sentences."""

from __future__ import annotations

import pytest

from hedgerow.io import write_columns
from tests.cli.structured.sentences import sentences


@pytest.fixture
def chunks(folder):
    """Sentences in columns: train.txt and test.txt."""
    train, test = sentences(40), sentences(15, seed=1)
    write_columns("train.txt", train)
    write_columns("test.txt", test)
    return train, test
