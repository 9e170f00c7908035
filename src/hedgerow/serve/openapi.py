"""The OpenAPI document: what requests look like, written once for all models."""

from __future__ import annotations

from typing import Any

from hedgerow.serve.service import LONGEST_KEY, Service

_TEXT: dict[str, Any] = {"type": "string"}
_WHOLE: dict[str, Any] = {"type": "integer", "minimum": 0}
_SCORES: dict[str, Any] = {"type": "object", "additionalProperties": {"type": "number"}}
_LABEL: dict[str, Any] = {
    "description": "a class, or for sequences a list with a label for each token",
    "oneOf": [_TEXT, {"type": "number"}, {"type": "array", "items": _TEXT}],
}
_EXAMPLE: dict[str, Any] = {"description": "whatever the model takes; /status says what that is"}
_PREDICTION: dict[str, Any] = {
    "type": "object",
    "required": ["id", "label", "scores", "probabilities"],
    "properties": {
        "id": {**_TEXT, "description": "by which feedback may name it"},
        "label": _LABEL,
        "scores": _SCORES,
        "probabilities": {"oneOf": [_SCORES, {"type": "null"}]},
        "explanation": {"type": "object", "description": "with explain: what adds up to the scores"},
    },
}
_PROBLEM: dict[str, Any] = {
    "type": "object",
    "required": ["type", "title", "status", "detail"],
    "properties": {"type": _TEXT, "title": _TEXT, "status": _WHOLE, "detail": _TEXT, "field": _TEXT},
}
_OBJECT: dict[str, Any] = {"type": "object"}


def _list_of(items: dict[str, Any], most: int) -> dict[str, Any]:
    return {"type": "array", "maxItems": most, "items": items}


def _object(required: str, **properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "required": required.split(),
        "properties": properties,
        "additionalProperties": False,
    }


def _operation(
    summary: str,
    answer: dict[str, Any],
    *,
    body: dict[str, Any] | None = None,
    query: dict[str, dict[str, Any]] | None = None,
    kind: str = "application/json",
    more: tuple[int, ...] = (),
) -> dict[str, Any]:
    problem = {"content": {"application/problem+json": {"schema": _PROBLEM}}}
    codes = {400, 401, 403, 404, 413, 422, 503, *more} if body else {401, 403, 404, 422, 503, *more}
    return {
        "summary": summary,
        "responses": {
            "200": {"description": "as asked", "content": {kind: {"schema": answer}}},
            **{str(code): {"description": "a problem document", **problem} for code in sorted(codes)},
        },
        **(
            {"requestBody": {"required": True, "content": {"application/json": {"schema": body}}}}
            if body
            else {}
        ),
        "parameters": [
            {"name": name, "in": "query", "required": False, **schema}
            for name, schema in (query or {}).items()
        ],
    }


def described(version: str, service: Service) -> dict[str, Any]:
    """All paths, for the only model and by name."""
    most = service.limits.batch
    wait = {"schema": _WHOLE, "description": "answer when the model has learned up to this position"}
    feedback = _object(
        "key label",
        key={**_TEXT, "minLength": 1, "maxLength": LONGEST_KEY},
        id={**_TEXT, "description": "of a prediction; either this or an example"},
        example=_EXAMPLE,
        label=_LABEL,
        weight={"type": "number", "minimum": 0, "maximum": 1e6},
    )
    operations: dict[str, dict[str, Any]] = {
        "predict": {
            "post": _operation(
                "Predict the labels of examples.",
                _object("position predictions", position=_WHOLE, predictions=_list_of(_PREDICTION, most)),
                body=_object("examples", examples=_list_of(_EXAMPLE, most), explain={"type": "boolean"}),
                query={"wait": wait},
            )
        },
        "feedback": {
            "post": _operation(
                "Give true labels, which are stored when this answers, and learned soon after.",
                _object("positions", positions=_list_of(_WHOLE, most)),
                body=_object("feedback", feedback=_list_of(feedback, most)),
                query={
                    "wait": {
                        "schema": {"enum": ["position"]},
                        "description": "answer when it has been learned",
                    }
                },
                more=(409, 429),
            )
        },
        "status": {"get": _operation("What the model is, takes and knows.", _OBJECT)},
        "model": {
            "get": _operation(
                "The model file.",
                {"type": "string", "format": "binary"},
                query={"position": {"schema": _WHOLE, "description": "of an earlier model"}},
                kind="application/octet-stream",
            )
        },
        "history": {
            "get": _operation(
                "Feedback, the newest first.",
                _OBJECT,
                query={
                    "before": {"schema": _WHOLE},
                    "limit": {"schema": {"type": "integer", "minimum": 1, "maximum": 1000}},
                    "search": {"schema": _TEXT},
                },
            )
        },
        "undo": {
            "post": _operation(
                "Unlearn feedback, and erase it for good.",
                _OBJECT,
                body={"oneOf": [_object("without", without=_list_of(_TEXT, most)), _object("to", to=_WHOLE)]},
            )
        },
    }
    paths: dict[str, Any] = {f"/{verb}": operation for verb, operation in operations.items()}
    name = {"name": "name", "in": "path", "required": True, "schema": {"enum": list(service.engines)}}
    for verb, operation in operations.items():
        paths[f"/models/{{name}}/{verb}"] = {"parameters": [name], **operation}
    for path, summary in (
        ("/healthz", "Whether the service works."),
        ("/readyz", "Whether all models have learned what their logs hold."),
        ("/models", "All models."),
    ):
        paths[path] = {"get": _operation(summary, _OBJECT)}
    text = _operation("Figures for Prometheus.", {"type": "string"}, kind="text/plain")
    paths["/metrics"] = {"get": text}
    return {"openapi": "3.1.0", "info": {"title": "hedgerow", "version": version}, "paths": paths}
