"""What the interface says of itself, as YAML too: written once, since that takes as long as a hundred answers."""

from __future__ import annotations

from typing import Any

from litestar import Request
from litestar.openapi.plugins import YamlRenderPlugin


class KeptYaml(YamlRenderPlugin):
    def __init__(self) -> None:
        super().__init__()
        self._written = b""

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        self._written = self._written or super().render(request, openapi_schema)
        return self._written
