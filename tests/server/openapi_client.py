"""A client that knows nothing of Ostbahn but the OpenAPI document: operations by their ids, bodies by their schemas."""

from __future__ import annotations

from functools import cache
from typing import Any

import httpx

from tests.server.contract import Contract


class OpenApiClient:
    """Calls operations by their ids, and sends and takes only what the document describes."""

    def __init__(self, net: httpx.Client, document: dict[str, Any]) -> None:
        self.net = net
        self.contract = Contract(document)
        self._operations = {
            operation["operationId"]: (method, path, operation)
            for path, methods in document["paths"].items()
            for method, operation in methods.items()
        }
        self._body = cache(self._body)  # type: ignore[method-assign]

    def call(self, name: str, body: Any = None, **arguments: object) -> httpx.Response:
        """Call an operation; arguments are its parameters, `If-None-Match` as `if_none_match`."""
        method, path, operation = self._operations[name]
        given: dict[str, dict[str, str]] = {"path": {}, "query": {}, "header": {}, "cookie": {}}
        for parameter in operation.get("parameters", ()):
            value = arguments.pop(parameter["name"].lower().replace("-", "_"), None)
            assert value is not None or not parameter.get("required"), f"{name} needs {parameter['name']}"
            if value is not None:
                given[parameter["in"]][parameter["name"]] = str(value)
        assert not arguments, f"{name} has no parameters {sorted(arguments)}"
        faults = [] if body is None else [fault.message for fault in self._body(name).iter_errors(body)]
        assert not faults, f"{name} takes no such body: {faults[:3]}"
        response = self.net.request(
            method, path.format(**given["path"]), params=given["query"], headers=given["header"], json=body
        )
        self.contract.check(response)
        return response

    def get(self, name: str, body: Any = None, **arguments: object) -> Any:
        """Call an operation that has to succeed, for its result."""
        response = self.call(name, body, **arguments)
        assert response.is_success, f"{name}: {response.status_code} {response.text}"
        return response.json()

    def _body(self, name: str) -> Any:
        operation = self._operations[name][2]
        return self.contract.validator(operation["requestBody"]["content"]["application/json"]["schema"])
