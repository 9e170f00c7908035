"""Schemas: what first examples tell, and that nothing changes afterwards."""

from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest

from hedgerow.data import FormatError, Records
from hedgerow.io.examples import Table
from hedgerow.io.schema import Schema, SchemaBuilder


@pytest.fixture
def read(tmp_path):
    """Tables of lines."""

    def tables(lines, schema=None, name="lines.tk"):
        path = tmp_path / name
        path.write_text("".join(f"{line}\n" for line in lines))
        return list((schema or Schema()).tables(str(path)))

    return tables


def built(tables, schema=None, features=None):
    builder = SchemaBuilder(schema or Schema(), features)
    for table in tables:
        builder.meet(table)
    return builder.build()


def test_a_schema_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        Schema().labels = "int"


def test_first_examples_tell_columns_widths_and_labels(read):
    schema = built(read(["1 |BT| (A b) |ET| 3:1 |EV|", "2 |BT| (A c) |ET| 7:1 |EV|"]))
    assert schema == Schema(
        columns={"tree": "tree", "vector": "vector"}, n_features={"vector": 7}, labels="int"
    )


def test_a_builder_leaves_the_schema_that_it_began_with(read):
    begun = Schema()
    built(read(["1 1:1"]), begun)
    assert begun == Schema()


def test_builders_of_parts_make_the_schema_of_all(read):
    parts = [SchemaBuilder(Schema()) for _ in range(2)]
    parts[0].meet(*read(["1 1:1"]))
    parts[1].meet(*read(["a 5:1"]))
    parts[0].update(parts[1])
    assert parts[0].build() == built(read(["1 1:1", "a 5:1"]))
    assert parts[0].n == 2
    assert parts[0].classes.tolist() == ["1", "a"]


def test_a_settled_column_or_kind_of_label_stays(read):
    schema = built(read(["1 |BT| (A b) |ET| 3:1 |EV|"]), Schema(columns={"vector": "vector"}, labels="word"))
    assert schema.columns == {"vector": "vector"}
    assert schema.labels == "word"


def test_a_width_below_the_data_is_refused(read):
    assert built(read(["1 3:1"]), features=10).n_features == {"vector": 10}
    with pytest.raises(ValueError, match="--features must be at least 3"):
        built(read(["1 3:1"]), features=2)


def test_examples_have_just_the_columns_of_the_schema(read):
    (table,) = read(["1 |BT| (A b) |ET| 3:1 |EV|"])
    both = built([table])
    assert isinstance(both.arranged(table, "-"), Records)
    (trees_alone,) = read(["1 |BT| (A b) |ET|"])
    assert both.arranged(trees_alone, "-")["vector"].shape == (1, 3)
    assert both.only("vector").arranged(table, "-").shape == (1, 3)
    with pytest.raises(ValueError, match="standard input: the examples have the columns tree"):
        both.only("vector").arranged(trees_alone, "-")


def test_features_beyond_the_width_are_kept_or_dropped(read):
    schema = built(read(["1 3:1"]))
    (wide,) = read(["1 2:5 9:1"])
    assert schema.arranged(wide, "-").shape == (1, 9)
    assert schema.arranged(wide, "-", drops_unseen=True).toarray().tolist() == [[0, 5, 0]]


def test_labels_are_what_the_schema_says(read):
    (table,) = read(["1 1:1", "2 1:1", "1 1:1"])
    assert Schema(labels="int").labels_of(table, "-").tolist() == [1, 2, 1]
    assert Schema(labels="word").labels_of(table, "-").tolist() == ["1", "2", "1"]
    (words,) = read(["a 1:1"])
    with pytest.raises(ValueError, match="the label 'a' is not a whole number"):
        Schema(labels="int").labels_of(words, "-")


def test_labels_may_be_missing_where_nobody_needs_them(read):
    (table,) = read(["(A b)", "(A c)"], name="trees.mrg")
    assert table.labels().tolist() == ["", ""]
    with pytest.raises(FormatError, match="standard input: an example has no label"):
        table.require_labels("-")


def test_notes_and_pickles_give_back_the_schema():
    schema = Schema("text", columns={"text": "text"}, labels="float")
    assert Schema.from_notes(schema.notes()) == schema
    assert pickle.loads(pickle.dumps(schema)) == schema


def test_a_schema_without_columns_takes_those_of_the_first_table(read):
    (table,) = read(["1 3:1"])
    settled = Schema(labels="word").or_of(table)
    assert settled == Schema(columns={"vector": "vector"}, n_features={"vector": 3}, labels="word")
    assert replace(settled).or_of(*read(["1 |BT| (A b) |ET|"])) == settled


def test_tables_concatenate_with_the_columns_and_labels_of_all(read):
    tables = [*read(["b 2:1", "a 1:1"]), *read(["c |BT| (A b) |ET|", "a |BT| (A c) |ET|"])]
    joined = Table.concatenate(tables)
    assert joined.labels().tolist() == ["b", "a", "c", "a"]
    assert joined.columns["tree"].to_brackets()[2:] == ["(A b)", "(A c)"]
    np.testing.assert_array_equal(joined.columns["vector"].toarray(), [[0, 1], [1, 0], [0, 0], [0, 0]])
    assert joined.rows(slice(1, 3)).labels().tolist() == ["a", "c"]
