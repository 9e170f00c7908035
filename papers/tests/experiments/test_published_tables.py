"""Published tables that are laid out otherwise in the reference."""

from __future__ import annotations

import json

import pytest

from hedgerow_papers.experiments.published import published_table

pytestmark = pytest.mark.shared_data


@pytest.fixture
def reference(data_folder):
    path = data_folder.parent / "published" / "tables.json"
    if not path.exists():
        pytest.skip(f"no published tables at {path}")
    return json.loads(path.read_text())


def test_taxonomy(reference):
    """There methods are columns."""
    table, own = reference["taxonomy"], published_table("taxonomy").rows
    for row, figures in table["rows"].items():
        measure, _, size = row.removesuffix(" per class").partition(", ")
        for column, figure in zip(table["columns"], figures, strict=True):
            method = column.replace("tree-loss", "tree loss")
            assert own[method][f"{measure.replace(' ', '_')}_{size}"].mean == figure


def test_string_mapping(reference):
    """There deviations are called sd alone."""
    own = published_table("string_mapping").rows
    assert reference["string_mapping"]["rows"] == {
        row: [figures["test_loss"].mean, figures["test_loss"].deviation] for row, figures in own.items()
    }
