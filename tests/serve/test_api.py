"""The API: shapes, problems that name the field, limits, tokens, several models."""

from __future__ import annotations

import asyncio
import base64
import json
import os

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import hedgerow
from hedgerow import Forest, Records
from hedgerow.kernels import Linear, Normalized, SubsetTree
from hedgerow.online import PassiveAggressive, Perceptron
from hedgerow.serve import Limits, Settings
from hedgerow.serve.app import App
from hedgerow.serve.service import Service
from hedgerow.serve.tokens import Tokens
from hedgerow.structured import PCFG, LabelSequence, Multiclass, StructuredPerceptron, Templates
from hedgerow.svm import SVC
from tests.serve.services import (
    TREES,
    call,
    closed,
    opened,
    replay_of,
    text_model,
    tree_model,
    vector_model,
    vectors,
)


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    folder = tmp_path_factory.mktemp("api")
    service = opened(
        [vector_model(folder / "ab.model")], folder / "data", Settings(queue=2000), Limits(batch=100)
    )
    yield App(service)
    closed(service)


def keyed(key, example, label, **more):
    return {"feedback": [{"key": key, "example": example, "label": label, **more}]}


def test_a_journey(app):
    before = call(app, "GET", "/status").json
    answer = call(app, "POST", "/predict", {"examples": [[0.2, 0.1], {"1": 0.5}]}).json
    assert answer["position"] == before["position"]
    first, second = answer["predictions"]
    assert first.keys() == {"id", "label", "scores", "probabilities"}
    assert (first["label"], second["label"]) == ("a", "b")
    assert first["scores"].keys() == {"a", "b"}
    assert first["probabilities"] is None
    sent = {"feedback": [{"key": "journey", "id": first["id"], "label": "b"}]}
    positions = call(app, "POST", "/feedback?wait=position", sent).json
    assert positions == {"positions": [before["position"] + 1]}
    assert call(app, "POST", "/feedback", sent).json == positions
    after = call(app, "GET", "/status").json
    assert after["position"] == before["position"] + 1
    assert after["examples"] == before["examples"] + 1
    (record,) = call(app, "GET", "/history?limit=1").json["records"]
    assert record["predicted"]["label"] == "a"
    assert record["predicted"]["position"] == before["position"]
    again = call(app, "POST", f"/predict?wait={after['position']}", {"examples": [[0.2, 0.1]]}).json
    assert again["position"] == after["position"]
    header = [("Hedgerow-Wait", str(after["position"]))]
    assert call(app, "POST", "/predict", {"examples": []}, header).json["predictions"] == []


def test_model_at_any_position(app, tmp_path):
    for i, (x, label) in enumerate(vectors(5, 20)):
        call(app, "POST", "/feedback", keyed(f"model{i}", x, label))
    last = call(app, "POST", "/feedback?wait=position", keyed("model-last", [0, 1], "b")).json["positions"][0]
    now = call(app, "GET", "/model")
    assert now.headers["hedgerow-position"] == str(last)
    (tmp_path / "now").write_bytes(now.content)
    scores = call(app, "POST", "/predict", {"examples": [[0.3, 0.4]]}).json["predictions"][0]["scores"]
    assert hedgerow.load(tmp_path / "now").decision_function([[0.3, 0.4]])[0] == scores["b"]
    assert call(app, "GET", f"/model?position={last}").content == now.content
    (tmp_path / "then").write_bytes(call(app, "GET", f"/model?position={last - 9}").content)
    assert hedgerow.load(tmp_path / "then").n_seen_ == hedgerow.load(tmp_path / "now").n_seen_ - 9
    for wrong in (last + 1, -1, "x", 10**20):
        assert call(app, "GET", f"/model?position={wrong}").json["field"] == "position"


def test_explanations(app):
    (one,) = call(app, "POST", "/predict", {"examples": [[1, 2]], "explain": True}).json["predictions"]
    (score,) = one["explanation"]["scores"]
    total = sum(part["contribution"] for part in score["contributions"]) + score["remainder"] + score["bias"]
    assert total == pytest.approx(one["scores"]["b"])


PROBLEMS = [
    ("/predict", b"{", 400, None),
    ("/predict", b"\xff{}", 400, None),
    ("/predict", b'{"examples": ["\\ud800"]}', 400, None),
    ("/predict", b"[" * 100_000, 400, None),
    ("/predict", b'{"examples": [[NaN, 1]]}', 400, None),
    ("/predict", b'{"examples": [[1' + b"0" * 5000 + b", 1]]}", 400, None),
    ("/predict", [], 422, None),
    ("/predict", {}, 422, "examples"),
    ("/predict", {"examples": 3}, 422, "examples"),
    ("/predict", {"examples": [], "explain": 1}, 422, "explain"),
    ("/predict", {"examples": [], "other": 1}, 422, "other"),
    ("/predict", {"examples": [[1, 2], [1]]}, 422, "examples[1]"),
    ("/predict", {"examples": [[1, "x"]]}, 422, "examples[0][1]"),
    ("/predict", {"examples": [[1, True]]}, 422, "examples[0][1]"),
    ("/predict", {"examples": ["text"]}, 422, "examples[0]"),
    ("/predict", {"examples": [None]}, 422, "examples[0]"),
    ("/predict", {"examples": [{"-1": 1}]}, 422, "examples[0]"),
    ("/predict", {"examples": [{"99999999999": 1}]}, 422, "examples[0]"),
    ("/predict", {"examples": [{"1": 1e308, "0": -1e308}, {"0": 10**400}]}, 422, "examples[1].0"),
    ("/predict", {"examples": [[0, 0]] * 101}, 413, "examples"),
    ("/predict?wait=x", {"examples": []}, 422, "wait"),
    ("/predict?wait=999999", {"examples": []}, 422, "wait"),
    ("/feedback", {"feedback": [3]}, 422, "feedback[0]"),
    ("/feedback", keyed("", [1, 2], "a"), 422, "feedback[0].key"),
    ("/feedback", keyed("k" * 201, [1, 2], "a"), 422, "feedback[0].key"),
    ("/feedback", keyed("k\n", [1, 2], "a"), 422, "feedback[0].key"),
    ("/feedback", keyed(7, [1, 2], "a"), 422, "feedback[0].key"),
    ("/feedback", keyed("q", [1, 2], "c"), 422, "feedback[0].label"),
    ("/feedback", keyed("q", [1, 2], ["a"]), 422, "feedback[0].label"),
    ("/feedback", keyed("q", [1, 2], True), 422, "feedback[0].label"),
    ("/feedback", keyed("q", [1, 2, 3], "a"), 422, "feedback[0].example"),
    ("/feedback", keyed("q", [1, 2], "a", id="x"), 422, "feedback[0]"),
    ("/feedback", keyed("q", [1, 2], "a", weight=-1), 422, "feedback[0].weight"),
    ("/feedback", keyed("q", [1, 2], "a", more=1), 422, "feedback[0].more"),
    ("/feedback", {"feedback": [{"key": "q", "example": [1, 2]}]}, 422, "feedback[0].label"),
    ("/feedback", {"feedback": [{"key": "q", "label": "a"}]}, 422, "feedback[0]"),
    ("/feedback", {"feedback": [{"key": "q", "id": "nobody", "label": "a"}]}, 422, "feedback[0].id"),
    ("/feedback", {"feedback": [{"key": "q", "id": 3, "label": "a"}]}, 422, "feedback[0].id"),
    ("/feedback?wait=7", {"feedback": []}, 422, "wait"),
    ("/undo", {"without": ["never"]}, 422, "without[0]"),
    ("/undo", {"to": -1}, 422, "to"),
    ("/undo", {"to": 10**9}, 422, "to"),
    ("/undo", {}, 422, None),
]


@pytest.mark.parametrize(("path", "body", "status", "field"), PROBLEMS)
def test_problems_name_the_field(app, path, body, status, field):
    last = call(app, "GET", "/status").json["committed"]
    reply = call(app, "POST", path, body)
    assert reply.headers["content-type"] == "application/problem+json"
    document = reply.json
    assert (reply.status, document["status"], document.get("field")) == (status, status, field)
    assert document["detail"]
    assert call(app, "GET", "/status").json["committed"] == last


def test_other_problems(app):
    assert call(app, "POST", "/predict", b" " * 1_000_001).status == 413
    assert call(app, "POST", "/undo", b" " * 1_000_001).status == 413
    tree = {"examples": ["(S " * 3_000_000]}
    assert call(app, "POST", "/predict", tree).status == 413
    for method, path, status in (
        ("GET", "/nothing", 404),
        ("GET", "/predict", 405),
        ("POST", "/status", 405),
        ("GET", "/models/zz/status", 404),
        ("POST", "/models/zz/predict", 404),
        ("POST", "/models/../predict", 404),
        ("GET", "/history?limit=0", 422),
        ("GET", "/history?before=x", 422),
    ):
        reply = call(app, method, path, b"{}" if method == "POST" else None)
        assert (reply.status, reply.headers["content-type"]) == (status, "application/problem+json"), path
    assert call(app, "GET", "/healthz").json == {"healthy": True, "failures": {}}
    assert call(app, "GET", "/readyz").json["ready"]


def test_conflicting_keys(app):
    (place,) = call(app, "POST", "/feedback", keyed("conflict", [0.5, 1], "b")).json["positions"]
    for other in ([0.5, 1], "a"), ([0.5, 2], "b"):
        reply = call(app, "POST", "/feedback", keyed("conflict", *other))
        assert (reply.status, reply.json["field"]) == (409, "feedback[0].key")
        assert f"position {place}" in reply.json["detail"]
    assert call(app, "POST", "/feedback", keyed("conflict", [0.5, 1], "b")).json["positions"] == [place]


def test_too_much_waits(app):
    many = [{"key": f"many{i}", "example": [0, 1], "label": "b"} for i in range(100)]
    statuses = set()
    engine = app.service.engines["ab"]
    with engine._learning:  # nothing is learned meanwhile
        for n in range(30):
            body = {"feedback": [{**one, "key": f"{one['key']}-{n}"} for one in many]}
            reply = call(app, "POST", "/feedback", body)
            statuses.add(reply.status)
    assert statuses == {200, 429}
    assert reply.headers["retry-after"] == "1"
    engine.reach(engine.last).result()


def test_pages_of_other_sites(app):
    body = {"examples": []}
    assert call(app, "POST", "/predict", body, [("Origin", "http://evil.example")]).status == 403
    assert call(app, "POST", "/predict", body, [("Origin", "http://testing")]).status == 200


def test_tokens(app):
    tokens = Tokens(["# who", "", "mail predict,feedback m4il", "look predict l00k", "boss admin b055"])
    guarded = App(app.service, tokens)

    def status(token, method, path, body=None):
        return call(guarded, method, path, body, [("Authorization", token)] if token else []).status

    predict, feedback = ("POST", "/predict", {"examples": []}), ("POST", "/feedback", {"feedback": []})
    assert [status(None, *predict), status("Bearer x", *predict), status("Basic !", *predict)] == [
        401,
        401,
        401,
    ]
    assert "Basic" in call(guarded, *predict).headers["www-authenticate"]
    basic = base64.b64encode(b"any:m4il").decode()
    assert [status("Bearer l00k", *predict), status(f"Basic {basic}", *predict)] == [200, 200]
    assert [status("Bearer l00k", *feedback), status("Bearer m4il", *feedback)] == [403, 200]
    assert [status("Bearer m4il", "GET", "/model"), status("Bearer b055", "GET", "/model")] == [403, 200]
    assert status("Bearer m4il", "POST", "/undo", {}) == 403
    assert status("Bearer m4il", "POST", "/models/ab/undo", {}) == 403
    assert status(None, "GET", "/healthz") == 200
    call(guarded, "POST", "/feedback", keyed("who", [1, 2], "a"), [("Authorization", "Bearer m4il")])
    assert (
        call(guarded, "GET", "/history?limit=1", None, [("Authorization", "Bearer m4il")]).json["records"][0][
            "who"
        ]
        == "mail"
    )
    for line in ("only two", "name role token", "a predict, t"):
        with pytest.raises(hedgerow.FormatError, match="a line is NAME ROLES TOKEN"):
            Tokens([line])


def test_the_document_names_every_path(app):
    document = call(app, "GET", "/openapi.json").json
    assert document["openapi"].startswith("3.")
    for path, item in document["paths"].items():
        for method in item.keys() - {"parameters"}:
            reply = call(
                app, method.upper(), path.replace("{name}", "ab"), b"{}" if method == "post" else None
            )
            assert reply.status in (200, 422), (method, path, reply.content)


def test_the_document_can_be_read(app):
    text = call(app, "GET", "/docs").content.decode()
    assert "POST /predict" in text
    assert "GET /metrics" in text


def test_a_body_that_never_comes(app):
    async def receive():
        await asyncio.sleep(60)

    said = []

    async def send(message):
        said.append(message)

    slow = App(Service(app.service.engines, Limits(seconds=0.05)))
    scope = {"type": "http", "method": "POST", "path": "/predict", "query_string": b"", "headers": []}
    asyncio.run(slow(scope, receive, send))
    assert said[0]["status"] == 408
    slow.service.close()


def test_undo(tmp_path):
    service = opened([vector_model(tmp_path / "ab.model")], tmp_path / "data")
    app = App(service)
    for i, (x, label) in enumerate(vectors(1, 20)):
        call(app, "POST", "/feedback?wait=position", keyed(f"k{i}", x, label))
    assert call(app, "POST", "/undo", {"without": ["k3", "k7"]}).json == {
        "erased": 2,
        "revision": 1,
        "position": 20,
    }
    assert call(app, "POST", "/undo", {"without": ["k3"]}).json["field"] == "without[0]"
    assert call(app, "POST", "/undo", {"to": 15}).json == {"erased": 5, "revision": 2, "position": 20}
    assert call(app, "POST", "/feedback?wait=position", keyed("new", [0, 1], "b")).json == {"positions": [21]}
    status = call(app, "GET", "/status").json
    assert (status["position"], status["examples"]) == (21, 2 + 20 - 7 + 1)
    content = call(app, "GET", "/model").content
    assert content == replay_of(service.engines["ab"].storage)
    closed(service)


def test_several_models(tmp_path):
    models = [vector_model(tmp_path / "ab.model"), f"trees={tree_model(tmp_path / 'x.model')}"]
    service = opened(models, tmp_path / "data")
    app = App(service)
    reply = call(app, "POST", "/predict", {"examples": []})
    assert (reply.status, "ab, trees" in reply.json["detail"]) == (404, True)
    for name, example, label in ("ab", [1, 2], "b"), ("trees", TREES[0], "loud"):
        (one,) = call(app, "POST", f"/models/{name}/predict", {"examples": [example]}).json["predictions"]
        assert one["label"] == label
        assert call(app, "POST", f"/models/{name}/feedback", keyed("k", example, label)).json == {
            "positions": [1]
        }
    assert [one["name"] for one in call(app, "GET", "/models").json["models"]] == ["ab", "trees"]
    bad = call(app, "POST", "/models/trees/predict", {"examples": [TREES[0], "(S (NP"]}).json
    assert (bad["field"], "not closed" in bad["detail"]) == ("examples[1]", True)
    big = "(S" + " (N x)" * 100_000 + ")"
    assert call(App(service), "POST", "/models/trees/predict", {"examples": [big]}).json["status"] == 422
    deep = "(S " * 2000 + "x" + ")" * 2000
    assert call(app, "POST", "/models/trees/predict", {"examples": [deep]}).status == 200
    closed(service)


def served(tmp_path, model):
    hedgerow.save(model, tmp_path / "m.model")
    service = opened([tmp_path / "m.model"], tmp_path / "data")
    return service, App(service)


def test_texts(tmp_path):
    text_model(tmp_path / "m.model")
    service = opened([tmp_path / "m.model"], tmp_path / "data")
    app = App(service)
    body = {"examples": ["cheap lunch, é\0"], "explain": True}
    (one,) = call(app, "POST", "/predict", body).json["predictions"]
    model = hedgerow.load(tmp_path / "m.model")
    assert one["scores"]["spam"] == model.decision_function(["cheap lunch, é\0"])[0]
    named = [part["feature"] for score in one["explanation"]["scores"] for part in score["contributions"]]
    assert "cheap" in named
    assert call(app, "POST", "/predict", {"examples": [["cheap"]]}).json["field"] == "examples[0]"
    words = ["cheap", "win", "lunch", "train", "pens", "you", "late"]
    texts = [" ".join(words[(i * k) % 7] for k in range(1, 5)) for i in range(40)]
    many = [
        {"key": f"k{i}", "example": text, "label": ["ham", "spam"][i % 2]} for i, text in enumerate(texts)
    ]
    assert call(app, "POST", "/feedback?wait=position", {"feedback": many}).status == 200
    for text, one in zip(texts, many, strict=True):
        model.partial_fit([text], [one["label"]])
    for one, text in zip(
        call(app, "POST", "/predict", {"examples": texts}).json["predictions"], texts, strict=True
    ):
        assert one["scores"]["spam"] == model.decision_function([text])[0]
    closed(service)


def test_source_code(tmp_path):
    pytest.importorskip("tree_sitter_language_pack")
    trees = Forest.from_source(["x = 1", "f(x)"], "python", identifiers="kind")
    model = PassiveAggressive(Normalized(SubsetTree())).partial_fit(
        trees, ["set", "call"], classes=["call", "set"]
    )
    service, app = served(tmp_path, model)
    code = {"source": "yyy = 2", "language": "python", "identifiers": "kind"}
    (one,) = call(app, "POST", "/predict", {"examples": [code]}).json["predictions"]
    expected = model.decision_function(Forest.from_source(["yyy = 2"], "python", identifiers="kind"))[0]
    assert one["scores"]["set"] == expected
    body = {"feedback": [{"key": "k", "id": one["id"], "label": "set"}]}
    assert call(app, "POST", "/feedback?wait=position", body).status == 200
    # The log has the tree: what a parser makes of code may change.
    assert call(app, "GET", "/history").json["records"][0]["example"].startswith("(module")
    for wrong, field in (
        ({"source": "x"}, "examples[0].language"),
        ({"source": 3, "language": "python"}, "examples[0].source"),
        ({**code, "language": "klingon"}, "examples[0]"),
        ({**code, "unit": "class"}, "examples[0].unit"),
        ({**code, "identifiers": "maybe"}, "examples[0]"),
        ({"language": "python"}, "examples[0]"),
    ):
        reply = call(app, "POST", "/predict", {"examples": [wrong]})
        assert (reply.status, reply.json.get("field")) == (422, field), wrong
    closed(service)


def test_records(tmp_path):
    records = Records(tree=Forest(TREES), words=np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]))
    kernel = Normalized(SubsetTree()).on("tree") + Linear().on("words")
    model = PassiveAggressive(kernel).partial_fit(records, [1, 2, 1], classes=[1, 2])
    service, app = served(tmp_path, model)
    example = {"tree": TREES[0], "words": [1, 0]}
    (one,) = call(app, "POST", "/predict", {"examples": [example]}).json["predictions"]
    assert (one["label"], one["scores"]["2"]) == (1, model.decision_function(records[:1])[0])
    assert (
        call(app, "POST", "/predict", {"examples": [{"tree": "(A b)"}]}).json["field"] == "examples[0].words"
    )
    assert call(app, "POST", "/predict", {"examples": [{**example, "x": 1}]}).json["field"] == "examples[0].x"
    for key, label in ("k1", 2), ("k2", "2"):
        assert call(app, "POST", "/feedback?wait=position", keyed(key, example, label)).status == 200
    assert call(app, "POST", "/feedback", keyed("k3", example, 3)).json["field"] == "feedback[0].label"
    assert call(app, "GET", "/model").content == replay_of(service.engines["m"].storage)
    closed(service)


def test_new_classes(tmp_path):
    service, app = served(tmp_path, Perceptron().partial_fit([[1.0, 0.0]], ["a"], classes="open"))
    assert call(app, "GET", "/status").json["new_labels"]
    assert call(app, "POST", "/feedback?wait=position", keyed("k1", [0, 1], "new")).status == 200
    (one,) = call(app, "POST", "/predict", {"examples": [[0, 1]]}).json["predictions"]
    assert (one["label"], one["scores"].keys()) == ("new", {"a", "new"})
    assert call(app, "POST", "/feedback", keyed("k2", [0, 1], 7)).json["field"] == "feedback[0].label"
    assert call(app, "GET", "/model").content == replay_of(service.engines["m"].storage)
    closed(service)


def test_weights_and_probabilities(tmp_path):
    model = PassiveAggressive(probability="sigmoid", random_state=0)
    X, y = zip(*vectors(3, 40), strict=True)
    service, app = served(tmp_path, model.partial_fit(list(X), list(y), classes=["a", "b"]))
    (one,) = call(app, "POST", "/predict", {"examples": [[1, 0]]}).json["predictions"]
    assert sum(one["probabilities"].values()) == pytest.approx(1)
    assert (
        call(app, "POST", "/feedback?wait=position", keyed("k", [0.5, 0.4], "b", weight=0.25)).status == 200
    )
    model.partial_fit([[0.5, 0.4]], ["b"], sample_weight=[0.25])
    (one,) = call(app, "POST", "/predict", {"examples": [[1, 0]]}).json["predictions"]
    assert one["scores"]["b"] == model.decision_function([[1, 0]])[0]
    closed(service)


def test_models_that_do_not_go_on_learning(tmp_path):
    service, app = served(tmp_path, SVC().fit([[0.0, 1.0], [1.0, 0.0]], ["a", "b"]))
    (one,) = call(app, "POST", "/predict", {"examples": [[0, 1]]}).json["predictions"]
    assert one["label"] == "a"
    reply = call(app, "POST", "/feedback", keyed("k", [0, 1], "a"))
    assert (reply.status, "SVC cannot continue learning" in reply.json["detail"]) == (409, True)
    closed(service)


@pytest.mark.parametrize("labels", ["abc", "ab"])
def test_structured_classes(tmp_path, labels):
    X, y = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]][: len(labels)], list(labels)
    model = StructuredPerceptron(Multiclass()).partial_fit(X, y, classes=list(labels))
    service, app = served(tmp_path, model)
    (one,) = call(app, "POST", "/predict", {"examples": [[0.1, 0.9, 0.2]]}).json["predictions"]
    scores = np.ravel(model.decision_function([[0.1, 0.9, 0.2]]))
    assert one["label"] == model.predict([[0.1, 0.9, 0.2]])[0]
    assert list(one["scores"].values()) == (scores.tolist() if len(labels) > 2 else [-scores[0], scores[0]])
    assert call(app, "POST", "/predict", {"examples": [[0.1]]}).json["field"] == "examples[0]"
    assert call(app, "POST", "/feedback?wait=position", keyed("k", [1, 0, 1], "b")).status == 200
    model.partial_fit([[1.0, 0.0, 1.0]], ["b"])
    (one,) = call(app, "POST", "/predict", {"examples": [[0.1, 0.9, 0.2]]}).json["predictions"]
    scores = np.ravel(model.decision_function([[0.1, 0.9, 0.2]]))
    assert one["scores"]["b"] == (scores[1] if len(labels) > 2 else scores[0])
    closed(service)


def test_what_cannot_be_served(tmp_path):
    trees = ["(S (NP dogs) (VP bark))", "(S (NP cats) (VP sleep))"]
    hedgerow.save(PCFG().fit(Forest(trees), Forest(trees)), tmp_path / "m.model")
    with pytest.raises(ValueError, match="cannot be served yet"):
        opened([tmp_path / "m.model"], tmp_path / "data")


def test_sequences(tmp_path):
    problem = LabelSequence(templates=Templates("names", columns=["word"]))
    X, y = [[("the",), ("dog",)], [("a",), ("cat",), ("sat",)]], [["D", "N"], ["D", "N", "V"]]
    model = StructuredPerceptron(problem).fit(X, y)
    service, app = served(tmp_path, model)
    for example in (["the", "cat"], [["the"], ["cat"]]):
        (one,) = call(app, "POST", "/predict", {"examples": [example]}).json["predictions"]
        assert one["label"] == list(model.predict([[("the",), ("cat",)]])[0])
    assert call(app, "POST", "/predict", {"examples": [["the", 3]]}).json["field"] == "examples[0][1]"
    assert call(app, "POST", "/feedback", keyed("k", ["a", "b"], ["D"])).json["field"] == "feedback[0].label"
    assert (
        call(app, "POST", "/feedback", keyed("k", ["a", "b"], ["D", "X"])).json["field"]
        == "feedback[0].label[1]"
    )
    assert call(app, "POST", "/feedback?wait=position", keyed("k", ["a", "b"], ["D", "V"])).status == 200
    closed(service)


# -- anything at all ----------------------------------------------------------------------------------------

CASES = int(os.environ.get("HEDGEROW_API_CASES", "200"))
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
NAMES = st.sampled_from(["examples", "explain", "feedback", "without", "to", "x"])
ONE = st.fixed_dictionaries(
    {},
    optional={
        name: VALUES | st.sampled_from(["a", "b", [1, 2]])
        for name in ("key", "id", "example", "label", "weight")
    },
)
BODIES = st.dictionaries(NAMES, VALUES | st.lists(VALUES | ONE, max_size=3), max_size=3)


@given(
    st.sampled_from(["GET", "POST", "PUT", "HEAD"]),
    st.sampled_from(
        ["predict", "feedback", "status", "model", "history", "undo", "models", "readyz", "openapi.json"]
    ),
    st.dictionaries(
        st.sampled_from(["wait", "position", "limit", "before", "search"]), st.text(max_size=5), max_size=2
    ),
    BODIES.map(lambda value: json.dumps(value).encode()) | st.binary(max_size=40),
)
@settings(deadline=None, max_examples=CASES, suppress_health_check=list(HealthCheck))
def test_nothing_is_a_fault_of_the_service(app, method, verb, query, body):
    from urllib.parse import urlencode

    reply = call(app, method, f"/{verb}?{urlencode(query)}", body if method != "GET" else None)
    assert reply.status < 500 or reply.status == 503, (reply.status, reply.content)
