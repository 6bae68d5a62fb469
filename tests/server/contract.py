"""What the server says it answers, held against what it answers: by the OpenAPI document that it serves."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

import httpx
import jsonschema_rs

DOCUMENT: Final = "/schema/openapi.json"
METHODS: Final = ("get", "put", "post", "delete")
JSON: Final = "application/json"
STREAM: Final = "text/event-stream"


class Contract:
    """An OpenAPI document, by which requests are made and responses checked."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.document = document
        self._paths = [
            (re.compile(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(path)) + "/?"), path) for path in document["paths"]
        ]
        self._paths.sort(key=lambda known: known[1].count("{"))  # /prepared/kinds before /prepared/{number}
        self._validator = cache(self._validator)  # type: ignore[method-assign]

    def operation(self, method: str, path: str) -> dict[str, Any] | None:
        """What is described of an address; None if nothing is."""
        for pattern, template in self._paths:
            if pattern.fullmatch(path) and method.lower() in self.document["paths"][template]:
                found: dict[str, Any] = self.document["paths"][template][method.lower()]
                return found
        return None

    def check(self, response: httpx.Response) -> None:
        """Fail where a response is not as described; for HTTPX as a hook."""
        streams = response.headers.get("content-type", "").startswith(STREAM)  # and never ends
        request, body = response.request, b"" if streams else response.read()
        problem = self.problem(request.method, request.url.path, response.status_code, response.headers, body)
        assert not problem, problem

    def problem(self, method: str, path: str, status: int, headers: Mapping[str, str], body: bytes) -> str:
        """What is not as described; empty if nothing is. Names of headers are in small letters."""
        operation = self.operation(method, path)
        if operation is None:
            return ""
        name = operation["operationId"]
        described = operation["responses"].get(str(status))
        if described is None:
            return f"{name} answers {status}, which is not described: {body[:300]!r}"
        missing = [header for header in described.get("headers", ()) if header.lower() not in headers]
        if missing:
            return f"{name} answers {status} without {missing}"
        content = described.get("content")
        if content is None:
            return f"{name} answers {status} with a body, which is not described: {body[:300]!r}" if body else ""
        media_type = headers.get("content-type", "").partition(";")[0]
        if media_type not in content:
            return f"{name} answers {status} as {media_type}, described are {list(content)}"
        if media_type != JSON:
            return ""
        faults = [
            f"{'/'.join(map(str, fault.instance_path))}: {fault.message[:300]}"
            for fault in self._validator(name, str(status)).iter_errors(json.loads(body))
        ]
        return f"{name} answers {status} otherwise than described: {faults[:3]}" if faults else ""

    def _validator(self, name: str, status: str) -> Any:
        (found,) = (
            operation
            for path in self.document["paths"].values()
            for operation in path.values()
            if operation["operationId"] == name
        )
        return self.validator(found["responses"][status]["content"][JSON]["schema"])

    def validator(self, schema: dict[str, Any]) -> Any:
        return jsonschema_rs.Draft202012Validator({"allOf": [schema], "components": self.document["components"]})


def served(net: httpx.Client) -> Contract:
    """The document of a server."""
    return Contract(net.get(DOCUMENT).raise_for_status().json())
