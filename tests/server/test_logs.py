"""The log of a whole session, faults included, has none of the secrets that were used in it."""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Iterator

import httpx
import pytest
from sqlalchemy.exc import IntegrityError

from ostbahn.bots.worker_pool import WorkFailed
from ostbahn.server.ops.logs import fault_text, set_up_logs, trace_text
from ostbahn.server.settings import LogSettings, Settings
from tests.server.fronts import Served, served
from tests.server.network import open_table

PASSWORD, NAME, QUERY = "dampflok-und-tender", "Žofie-Marie", "a-query-of-mine"


@pytest.fixture(autouse=True)
def _own_logs() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:], root.level = handlers, level


def session(site: Served, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Somebody plays, logs in, and meets faults everywhere; returns all that nobody else should know."""
    net = site.net
    seats = open_table(net, "here", "link", "here")
    secrets = {seat.key for seat in seats.values()} | {PASSWORD, NAME, QUERY, "127.0.0.1"}
    host = seats["host"]
    host.answer()
    net.get(f"/t/{host.key}", params={"at": QUERY})
    net.get(f"/t/{host.key}x", params={"q": QUERY})
    net.post("/register", data={"name": NAME, "password": PASSWORD})
    secrets |= set(net.cookies.values())

    def fail(*given: object, **named: object) -> None:
        try:
            int(f"{PASSWORD} {NAME} {host.key}")
        except ValueError as fault:
            fault.add_note(NAME)
            raise KeyError(NAME, PASSWORD, host.key, given) from fault

    monkeypatch.setattr(site.inside.game_service, "holding", fail)
    net.get(host.path(""), params={"q": QUERY})
    monkeypatch.undo()
    monkeypatch.setattr(site.inside.people, "log_in", fail)
    net.post("/login", data={"name": NAME, "password": PASSWORD})
    monkeypatch.undo()
    with site.inside.database.engine.begin() as connection:
        connection.exec_driver_sql("DROP TABLE messages")
    net.post(host.path("chat"), json={"text": f"{PASSWORD} {NAME}"})
    logging.getLogger("asyncio").error("Task exception was never retrieved\nfuture: %s", f"<Task exception={PASSWORD}>")
    logging.getLogger("uvicorn.error").warning("cannot answer %s", f"/t/{host.key}?q")
    logging.getLogger("ostbahn.server.games.live").warning("no hint: %s", ValueError(NAME))
    return secrets


@pytest.mark.parametrize("form", ["text", "json"])
def test_no_secret_is_in_the_log_of_a_whole_session(
    url: str, form: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(log=LogSettings(form=form, level="debug"))  # type: ignore[arg-type]
    set_up_logs(settings.log)
    with served(url, settings) as site:
        secrets = session(site, monkeypatch)
    told = capfd.readouterr().err
    assert [secret for secret in secrets if secret in told] == []
    for expected in ("GET", "/t/{key", "KeyError", "ValueError", "OperationalError", "SQLITE_ERROR", "no hint"):
        assert expected in told
    assert "test_logs.py" in told, "it is told where a fault happened"
    if form == "json":
        lines = [json.loads(line) for line in told.splitlines()]
        requests = [line for line in lines if line["logger"] == "ostbahn.requests"]
        assert {"time", "level", "message", "method", "route", "status", "milliseconds", "request"} <= set(requests[0])
        assert {line["status"] for line in requests} >= {200, 404, 500}
        assert sum("fault" in line for line in lines) == 3


def test_a_fault_is_told_with_its_kind_its_place_and_harmless_words() -> None:
    taken = sqlite3.IntegrityError(f"UNIQUE constraint failed: {NAME}")
    taken.sqlite_errorname = "SQLITE_CONSTRAINT_UNIQUE"
    assert fault_text(IntegrityError("INSERT", {}, taken)) == "IntegrityError: IntegrityError SQLITE_CONSTRAINT_UNIQUE"
    assert fault_text(OSError(28, "No space left on device", NAME)) == "OSError: No space left on device"
    group = ExceptionGroup(NAME, [KeyError(NAME), OSError(5, "Input/output error")])
    assert fault_text(group) == "ExceptionGroup\n\nwith:\n\nKeyError\n\nwith:\n\nOSError: Input/output error"
    fault = KeyError(NAME)
    fault.__cause__ = ExceptionGroup(NAME, [fault, OSError(5, "Input/output error")])
    assert fault_text(fault) == "ExceptionGroup\n\nwith:\n\nOSError: Input/output error\n\nwhich came of:\n\nKeyError"
    trace = f'Traceback (most recent call last):\n  File "a.py", line 7, in do\n    do()\nKeyError: {NAME}\nx {NAME}\n'
    assert trace_text(trace) == 'Traceback (most recent call last):\n  File "a.py", line 7, in do\n    do()\nKeyError'
    assert fault_text(WorkFailed("KeyError", trace)).endswith("do()\nKeyError")


def test_without_more_words_a_server_is_quiet(url: str, capfd: pytest.CaptureFixture[str]) -> None:
    set_up_logs(LogSettings())
    with served(url, Settings()) as site:
        assert httpx.get(site.address).status_code == 200
    assert capfd.readouterr().err == ""
