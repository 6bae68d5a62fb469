"""Proxies with the files of deploy/: what they pass on, and what they write down."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path

import pytest

from ostbahn.server.db.database import sqlite_url_in
from ostbahn.server.settings import Settings
from tests.server.fronts import served
from tests.server.network import open_table, until
from tests.server.proxies import Proxy, caddy, free_port, get, nginx

PROXIES: dict[str, Callable[[Path, str], AbstractContextManager[Proxy]]] = {
    "caddy": caddy,
    "caddy with all requests": partial(caddy, all_requests=True),
    "nginx": nginx,
}


@pytest.mark.parametrize("kind", PROXIES)
def test_no_key_stands_in_the_log_of_a_proxy(tmp_path: Path, kind: str) -> None:
    key = "kEy_of-somebodys-seat1"
    with PROXIES[kind](tmp_path, f"127.0.0.1:{free_port()}") as proxy:  # nobody answers there
        for path in (
            f"/t/{key}",
            f"/api/t/{key}/events",
            f"/%74/{key}",
            f"//t/{key}",
            f"/t/{key}?at=3",
            f"/?next=/t/{key}",
        ):
            answer = get(proxy, path, Referer=f"{proxy.address}/t/{key}", Cookie=f"ostbahn={key}", Authorization=key)
            assert answer.status_code in (502, 503)
            assert "tries again by itself" in answer.text
            assert answer.headers["cache-control"] == "no-store"
        until(lambda: kind == "caddy" or "/api/t" in proxy.logs())  # which as it is writes nothing about requests
        assert key not in proxy.logs()


@pytest.mark.parametrize("kind", ["caddy", "nginx"])
def test_a_proxy_passes_on_what_ostbahn_says_while_its_database_is_away(tmp_path: Path, kind: str) -> None:
    with served(sqlite_url_in(tmp_path / "data"), Settings()) as site:
        key = open_table(site.net)["host"].key
        with PROXIES[kind](tmp_path, site.address.removeprefix("http://").rstrip("/")) as proxy:
            assert get(proxy, f"/t/{key}").status_code == 200
            with site.inside.database.engine.begin() as connection:
                connection.exec_driver_sql("ALTER TABLE keys RENAME TO gone")
            answer = get(proxy, f"/t/{key}")
            assert answer.status_code == 503, answer.text
            assert "The database cannot be read or written just now." in answer.text
            assert "This page tries again by itself." in answer.text
            assert get(proxy, "/health/ready").status_code == 404
