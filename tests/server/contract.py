"""What the server says it answers, held against what it answers: by the OpenAPI document that it serves."""

from __future__ import annotations

import re
from functools import cache
from typing import Any, Final

import httpx
import jsonschema_rs

DOCUMENT: Final = "/schema/openapi.json"
METHODS: Final = ("get", "put", "post", "delete")


class Contract:
    """An OpenAPI document, by which requests are made and responses checked."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.document = document
        self._paths = [
            (re.compile(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(path)) + "/?"), path) for path in document["paths"]
        ]
        self._paths.sort(key=lambda known: known[1].count("{"))  # /prepared/kinds before /prepared/{number}
        self._validator = cache(self._validator)  # type: ignore[method-assign]
        self.checked: set[tuple[str, str]] = set()
        """The operations, each with a status, that were seen."""

    def operation(self, method: str, path: str) -> dict[str, Any] | None:
        """What is described of an address; None if nothing is."""
        for pattern, template in self._paths:
            if pattern.fullmatch(path) and method.lower() in self.document["paths"][template]:
                found: dict[str, Any] = self.document["paths"][template][method.lower()]
                return found
        return None

    def check(self, response: httpx.Response) -> None:
        """Fail where a response is not as described; for HTTPX as a hook."""
        request = response.request
        operation = self.operation(request.method, request.url.path)
        if operation is None:
            return
        name, status = operation["operationId"], str(response.status_code)
        described = operation["responses"].get(status)
        assert described is not None, f"{name} answers {status}, which is not described: {response.read()[:300]!r}"
        self.checked.add((name, status))
        for header in described.get("headers", ()):
            assert header in response.headers, f"{name} answers {status} without {header}"
        content = described.get("content")
        media_type = response.headers.get("content-type", "").partition(";")[0]
        if media_type == "text/event-stream":
            assert content is not None, name
            assert media_type in content, name
            return  # it never ends
        body = response.read()
        if content is None:
            assert not body, f"{name} answers {status} with a body, which is not described: {body[:300]!r}"
            return
        assert media_type in content, f"{name} answers {status} as {media_type}, described are {list(content)}"
        if media_type == "application/json":
            self.validate(response.json(), name, status)

    def validate(self, value: Any, name: str, status: str) -> None:
        faults = [
            f"{'/'.join(map(str, fault.instance_path))}: {fault.message[:300]}"
            for fault in self._validator(name, status).iter_errors(value)
        ]
        assert not faults, f"{name} answers {status} otherwise than described: {faults[:3]}"

    def _validator(self, name: str, status: str) -> Any:
        (found,) = (
            operation
            for path in self.document["paths"].values()
            for operation in path.values()
            if operation["operationId"] == name
        )
        return self.validator(found["responses"][status]["content"]["application/json"]["schema"])

    def validator(self, schema: dict[str, Any]) -> Any:
        return jsonschema_rs.Draft202012Validator({"allOf": [schema], "components": self.document["components"]})


def served(net: httpx.Client) -> Contract:
    """The document of a server."""
    return Contract(net.get(DOCUMENT).raise_for_status().json())
