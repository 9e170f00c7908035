"""Data frames of pandas and polars as Records, and kernels on their columns."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from hedgerow import Forest, Records
from hedgerow.feature_extraction import ToRecords
from hedgerow.kernels import RBF, Linear, Normalized, Spectrum, SubsetTree, combined
from hedgerow.online import AROW
from hedgerow.structured import MulticlassSVC
from hedgerow.svm import SVC

COLUMNS = {
    "parse": ["(S (NP a))", "(S (VP b))", "(S (NP c))", "(S (VP a))"],
    "text": ["one two", "three", "one four", "three five"],
    "age": [3, 40, 5, 60],
    "size": [0.5, 1.5, 0.25, 2.0],
    "old": [False, True, False, True],
    "tokens": [["a", "b"], ["c"], ["a"], ["c", "d"]],
}
Y = np.array(["young", "old", "young", "old"])


@pytest.fixture(params=[pd.DataFrame, pl.DataFrame], ids=["pandas", "polars"])
def frame(request):
    return request.param(COLUMNS)


class TestRecords:
    def test_columns_by_type(self, frame):
        records = Records(frame)
        assert records.columns == ("parse", "text", "tokens", "numbers")
        assert records.kinds == {"parse": "text", "text": "text", "tokens": "text", "numbers": "vector"}
        np.testing.assert_array_equal(
            records["numbers"], np.column_stack([COLUMNS[c] for c in ("age", "size", "old")])
        )
        assert records["text"].tolist() == COLUMNS["text"]
        assert records["tokens"].tolist() == [tuple(tokens) for tokens in COLUMNS["tokens"]]

    def test_trees_on_request(self, frame):
        records = Records.from_frame(frame, trees=["parse"], vectors={"body": ["age", "size"]})
        assert records["parse"] == Forest(COLUMNS["parse"])
        assert records["body"].shape == (4, 2)
        assert records["numbers"].shape == (4, 1)  # what is left
        assert Records(frame, more=[[1.0]] * 4)["more"].shape == (4, 1)
        assert Records(frame, trees=["parse"], vectors={"body": ["age", "size"]}) == records

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"trees": "parse"}, "trees must be a list of column names, got 'parse'"),
            ({"trees": Forest(["(S a)"])}, "trees must be a list of column names, got Forest"),
            ({"trees": ["nothing"]}, "no column 'nothing'; the columns are 'parse', 'text',"),
            ({"trees": ["age"]}, "column 'age' holds numbers, not trees"),
            ({"trees": ["text"]}, "item 0, column 1: expected '\\('"),
            ({"vectors": {"v": ["text"]}}, "columns of numbers \\('age', 'size', 'old'\\), got 'text'"),
            ({"vectors": {"text": ["age"]}}, "two columns would have the name 'text'"),
        ],
    )
    def test_errors(self, frame, options, message):
        with pytest.raises((ValueError, TypeError, KeyError), match=message):
            Records.from_frame(frame, **options)
        with pytest.raises((ValueError, TypeError, KeyError), match=message):
            Records(frame, **options)

    def test_missing_values(self):
        for make in (pd.DataFrame, pl.DataFrame):
            with pytest.raises(ValueError, match=r"column 'text' has (None|nan) in row 1, expected a text"):
                Records(make({"text": ["a", None]}))
        with pytest.raises(ValueError, match="'when'"):
            Records(pd.DataFrame({"when": pd.to_datetime(["2020-01-01", "2020-01-02"])}))

    def test_names_that_occur_twice(self):
        frame = pd.DataFrame([[1, 2]], columns=["a", "a"])
        with pytest.raises(ValueError, match="several columns with the name 'a'"):
            Records(frame)


class TestKernels:
    def test_on_a_column_of_a_frame(self, frame):
        kernel = Normalized(SubsetTree()).on("parse") + 0.1 * RBF().on("size") + Spectrum(2).on("text")
        expected = (
            Normalized(SubsetTree())(COLUMNS["parse"])
            + 0.1 * RBF()(np.array(COLUMNS["size"])[:, None])
            + Spectrum(2)(COLUMNS["text"])
        )
        np.testing.assert_allclose(kernel(frame), expected)
        model = SVC(kernel).fit(frame, Y)
        assert model.predict(frame).tolist() == Y.tolist()
        assert model.predict(frame[:1]).tolist() == ["young"]

    def test_a_frame_is_not_a_sequence_of_trees(self, frame):
        for attempt in (Forest, SubsetTree()):
            with pytest.raises(TypeError, match="choose one of its columns"):
                attempt(frame)
        with pytest.raises(KeyError, match="no column 'tree'"):
            SubsetTree().on("tree")(frame)

    def test_all_columns(self, frame):
        records = Records.from_frame(frame, trees=["parse"])
        assert combined(records)(records).shape == (4, 4)


class TestToRecords:
    def test_in_a_pipeline(self, frame):
        step = ToRecords(
            trees=["parse"],
            transformers={
                "words": (CountVectorizer(), "text"),
                "body": (StandardScaler(), ["age", "size"]),
            },
        )
        records = step.fit_transform(frame)
        assert records.kinds == {
            "parse": "tree",
            "tokens": "text",
            "numbers": "vector",
            "words": "vector",
            "body": "vector",
        }
        np.testing.assert_allclose(records["body"].mean(axis=0), 0, atol=1e-12)
        kernel = Normalized(SubsetTree()).on("parse") + Linear().on("words") + Linear().on("body")
        pipeline = make_pipeline(step, SVC(kernel)).fit(frame, Y)
        assert pipeline.predict(frame).tolist() == Y.tolist()
        assert pipeline.predict(frame[1:2]).tolist() == ["old"]

    def test_searches(self):
        frame = pd.concat([pd.DataFrame(COLUMNS)] * 5, ignore_index=True)
        y = np.tile(Y, 5)
        pipeline = make_pipeline(ToRecords(trees=["parse"]), SVC(SubsetTree().on("parse")))
        assert cross_val_score(pipeline, frame, y, cv=2).mean() == 1.0
        search = GridSearchCV(pipeline, {"svc__kernel__kernel__decay": [0.1, 0.4]}, cv=2).fit(frame, y)
        assert search.best_score_ == 1.0

    def test_after_a_column_transformer(self):
        frame = pd.DataFrame(COLUMNS)
        columns = ColumnTransformer(
            [("body", StandardScaler(), ["age", "size"])], remainder="drop", verbose_feature_names_out=False
        )
        columns.set_params(remainder="passthrough")
        columns.set_output(transform="pandas")
        step = ToRecords(trees=["parse"], vectors={"body": ["age", "size"]})
        pipeline = make_pipeline(columns, step, SVC(SubsetTree().on("parse") + Linear().on("body")))
        assert pipeline.fit(frame, Y).predict(frame).tolist() == Y.tolist()

    def test_new_frames_need_the_same_columns(self):
        frame = pd.DataFrame(COLUMNS)
        step = ToRecords(trees=["parse"]).fit(frame)
        more = frame.assign(other=1)[["other", *reversed(frame.columns)]]
        assert step.transform(more) == step.transform(frame)
        with pytest.raises(ValueError, match="no column 'size'"):
            step.transform(frame.drop(columns="size"))
        with pytest.raises(ValueError, match="the columns must hold what they held in fit"):
            step.transform(frame.assign(text=1))
        with pytest.raises(TypeError, match="set_output"):
            step.transform(np.ones((2, 2)))
        with pytest.raises(NotFittedError):
            ToRecords().transform(frame)


class TestColumnsAsInput:
    """Columns of frames, as they are, for kernels and learners."""

    def test_token_lists(self, frame):
        expected = Spectrum(k=1)(COLUMNS["tokens"])
        np.testing.assert_array_equal(Spectrum(k=1)(frame["tokens"]), expected)
        rows = [0, 3]  # of equal length, of which numpy would make a matrix
        chosen = [COLUMNS["tokens"][row] for row in rows]
        np.testing.assert_array_equal(
            Spectrum(k=1)(type(frame["tokens"])(chosen)), expected[np.ix_(rows, rows)]
        )

    def test_lists_as_parquet_files_give_them(self):
        tokens = pd.Series([np.array(tokens, dtype=object) for tokens in COLUMNS["tokens"]])
        np.testing.assert_array_equal(Spectrum(k=1)(tokens), Spectrum(k=1)(COLUMNS["tokens"]))

    def test_brackets_texts_and_labels(self, frame):
        labels = type(frame["text"])(Y.tolist())
        for name, kernel in (("parse", SubsetTree()), ("text", Spectrum(k=2)), ("tokens", Spectrum(k=1))):
            model = SVC(kernel, C=100).fit(frame[name], labels)
            assert model.predict(frame[name]).tolist() == Y.tolist()

    @pytest.mark.parametrize("make", [AROW, lambda: SVC(RBF()), MulticlassSVC])
    def test_feature_names(self, frame, make):
        model = make().fit(frame[["age", "size"]], Y)
        assert model.feature_names_in_.tolist() == ["age", "size"]
        with pytest.raises(ValueError, match="feature names should match"):
            model.predict(frame[["age", "old"]])
