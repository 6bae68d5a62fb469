"""Starting the server from the command line, and ending it."""

from __future__ import annotations

import re
import signal
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest
from typer.testing import CliRunner

from ostbahn.cli.main import app
from ostbahn.kernel.errors import BadSetup
from ostbahn.server.limits import is_loopback
from ostbahn.server.settings import Settings, default_data
from ostbahn.server.web import serving
from tests.programs import started


def test_any_port_that_is_free_is_taken_on_demand() -> None:
    with serving.listening("127.0.0.1", 0) as listener:
        address = serving.address_of("127.0.0.1", listener)
        assert re.fullmatch(r"http://127\.0\.0\.1:[1-9]\d+/", address)


def test_a_port_that_is_taken_is_told_before_anything_else(tmp_path: Path) -> None:
    with serving.listening("127.0.0.1", 0) as listener:
        port = str(listener.getsockname()[1])
        result = CliRunner().invoke(app, ["serve", "--port", port, "--data", str(tmp_path / "data"), "--no-browser"])
    assert result.exit_code == 2
    assert result.stderr.startswith(f"ostbahn: port {port} of 127.0.0.1 cannot be used: ")
    assert not (tmp_path / "data").exists()


def test_addresses_for_people() -> None:
    with serving.listening("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        assert serving.address_of("0.0.0.0", listener) == f"http://127.0.0.1:{port}/"
        assert serving.address_of("::1", listener) == f"http://[::1]:{port}/"
        assert serving.address_of("localhost", listener) == f"http://localhost:{port}/"


def test_who_listens_for_others_is_warned(capsys: pytest.CaptureFixture[str]) -> None:
    serving.tell("http://127.0.0.1:8018/", "/data")
    serving.warn("127.0.0.1")
    told = capsys.readouterr()
    assert told.out == "Ostbahn is at http://127.0.0.1:8018/\nThe games are kept in /data.\nCtrl-C stops it.\n"
    assert told.err == ""
    serving.warn("0.0.0.0")
    assert "Others can reach it too" in capsys.readouterr().err


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.2", "::1", "localhost"])
def test_loopback(host: str) -> None:
    assert is_loopback(host)
    assert not is_loopback("192.168.0.2")
    assert not is_loopback("example.org")


def test_games_lie_where_people_keep_their_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "/somewhere")
    assert default_data() == Path("/somewhere/ostbahn")
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", "/home/ida")
    assert default_data() == Path("/home/ida/.local/share/ostbahn")


@pytest.mark.parametrize(
    ("database", "told"),
    [
        ("sqlite:////nowhere/at/all.sqlite", "unable to open database file"),
        ("postgresql://ida:pa55word@127.0.0.1:1/x", "postgresql://ida:\\*\\*\\*@127.0.0.1:1/x' cannot be used"),
    ],
)
def test_a_database_that_cannot_be_used_is_told_without_its_password(tmp_path: Path, database: str, told: str) -> None:
    with pytest.raises(BadSetup, match=told) as fault:
        serving.serve(Settings(port=0, data=tmp_path, database=database), False)
    assert "pa55word" not in str(fault.value)


@pytest.mark.slow
def test_a_server_starts_answers_and_ends_quietly(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "ostbahn.cli.main",
        "serve",
        "--port",
        "0",
        "--data",
        str(tmp_path),
        "--no-browser",
    ]
    with started(command) as server:
        assert server.stdout is not None
        told = [server.stdout.readline() for _ in range(3)]
        address = told[0].removeprefix("Ostbahn is at ").strip()
        with urlopen(address) as answer:
            assert answer.status == 200
        assert (tmp_path / "ostbahn.sqlite").exists()
        server.send_signal(signal.SIGINT)
        _, complaints = server.communicate()
    assert (server.returncode, complaints) == (0, "")
