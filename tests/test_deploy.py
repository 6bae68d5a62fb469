"""Files for hosts: proxies and systemd accept them, and what they say to Ostbahn it understands."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner

from ostbahn.cli.main import app
from ostbahn.server.settings import Settings
from ostbahn.server.settings_sources import read_settings
from ostbahn.server.store.archive import url_in
from tests.server.fronts import served

ROOT = Path(__file__).resolve().parents[1]
DEPLOY = ROOT / "deploy"
COMPOSE: dict[str, Any] = msgspec.yaml.decode((DEPLOY / "compose.yaml").read_bytes())
OSTBAHN = COMPOSE["services"]["ostbahn"]
CONTAINER = (DEPLOY / "Containerfile").read_text()
UNITS = sorted(path.name for path in DEPLOY.glob("*.service"))
DIGITS = "0123456789abcdef" * 4


def tool(name: str) -> str:
    """A program of the system; what needs it is left out where it is missing, and where all must be tried, fails."""
    found = shutil.which(name) or shutil.which(name, path="/usr/sbin:/sbin")
    if found is None and os.environ.get("CI") == "true":
        pytest.fail(f"{name} is not installed")
    return found or pytest.skip(f"{name} is not installed, so its file in deploy/ was not tried")


def run(*command: str, **environ: str) -> None:
    done = subprocess.run(command, env=os.environ | environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "warn" not in done.stderr.lower(), done.stderr


# Proxies and systemd


def test_caddy_takes_its_file(tmp_path: Path) -> None:
    assert COMPOSE["services"]["proxy"]["environment"].keys() == {"SITE", "UPSTREAM"}
    environ = {"SITE": "games.example.org", "UPSTREAM": "ostbahn:8018", "HOME": str(tmp_path)}
    command = (tool("caddy"), "validate", "--adapter", "caddyfile", "--config", str(DEPLOY / "Caddyfile"))
    done = subprocess.run(command, env=os.environ | environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "not formatted" not in done.stderr


def test_nginx_takes_its_file(tmp_path: Path) -> None:
    openssl, nginx = tool("openssl"), tool("nginx")
    key, certificate = tmp_path / "key", tmp_path / "certificate"
    subject = ("-subj", "/CN=games.example.org", "-keyout", str(key), "-out", str(certificate))
    subprocess.run(
        [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", *subject], capture_output=True, check=True
    )
    site = (DEPLOY / "nginx.conf").read_text()
    site = re.sub(r"ssl_certificate .*", f"ssl_certificate {certificate};", site)
    site = re.sub(r"ssl_certificate_key .*", f"ssl_certificate_key {key};", site)
    site = site.replace("/var/log/nginx/ostbahn.log", str(tmp_path / "errors"))
    site = re.sub(r"listen (\[::\]:)?(80|443)", lambda found: f"listen {found[1] or ''}{18000 + int(found[2])}", site)
    whole = tmp_path / "nginx.conf"
    whole.write_text(
        f"pid {tmp_path}/pid;\nerror_log stderr;\nevents {{}}\nhttp {{\naccess_log off;\n"
        + "".join(f"{each}_temp_path {tmp_path};\n" for each in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        + f"{site}\n}}\n"
    )
    run(nginx, "-t", "-q", "-e", "stderr", "-c", str(whole))


@pytest.mark.parametrize("unit", [*UNITS, "ostbahn-backup.timer"])
def test_systemd_takes_its_units(unit: str, tmp_path: Path) -> None:
    for path in DEPLOY.glob("ostbahn*"):  # the program is not where the unit says, but it is one
        text = path.read_text().replace("/opt/ostbahn/bin/ostbahn serve", f"{shutil.which('true')} serve")
        (tmp_path / path.name).write_text(text)
    done = subprocess.run(
        [tool("systemd-analyze"), "verify", "--man=no", str(tmp_path / unit)],
        env=os.environ | {"SYSTEMD_UNIT_PATH": f"{tmp_path}:"},
        capture_output=True,
        text=True,
        check=False,
    )
    ours = [line for line in done.stderr.splitlines() if "ostbahn" in line]
    assert (done.returncode, ours) == (0, [])


# What they say to Ostbahn


def settings_of(environ: dict[str, str], tmp_path: Path) -> Settings:
    """Settings by an environment, with a secret in each file that it names."""
    (tmp_path / "secret").write_text(f"{DIGITS}\n")
    files = {name: str(tmp_path / "secret") for name in environ if name.endswith("_FILE")}
    given = {name: value for name, value in environ.items() if name.startswith("OSTBAHN_")}
    return read_settings({}, given | files)


def test_the_compose_file_says_what_ostbahn_understands(tmp_path: Path) -> None:
    environ = OSTBAHN["environment"] | {"OSTBAHN_PUBLIC_URL": "https://games.example.org"}
    found = settings_of(environ, tmp_path)
    assert found.https
    assert found.workers == 2
    assert found.database_url == f"postgresql://ostbahn:{DIGITS}@database/ostbahn"
    assert found.key_secret == bytes.fromhex(DIGITS)
    (subnet,) = COMPOSE["networks"]["inside"]["ipam"]["config"]
    assert found.trust_proxy == (subnet["subnet"],)
    named = {name.rpartition("/")[2] for key, name in environ.items() if key.endswith("_FILE")}
    assert named == set(OSTBAHN["secrets"]) <= set(COMPOSE["secrets"])
    assert COMPOSE["services"]["proxy"]["environment"]["UPSTREAM"] == "ostbahn:8018"


def test_the_parts_of_the_compose_file_know_each_other() -> None:
    for service in COMPOSE["services"].values():
        assert set(service["networks"]) <= set(COMPOSE["networks"])
        assert set(service.get("depends_on", {})) <= set(COMPOSE["services"])
        volumes = {volume.partition(":")[0] for volume in service["volumes"]}
        assert {each for each in volumes if not each.startswith(".")} <= set(COMPOSE["volumes"])
    assert (DEPLOY / OSTBAHN["build"]["context"] / OSTBAHN["build"]["dockerfile"]).resolve() == DEPLOY / "Containerfile"


def test_the_container_says_what_ostbahn_understands(tmp_path: Path) -> None:
    environ = dict(re.findall(r"(OSTBAHN_\w+)=([^\s\\]+)", CONTAINER))
    found = settings_of(environ, tmp_path)
    assert (found.host, found.log.form, found.log.level) == ("0.0.0.0", "json", "info")
    assert f"VOLUME {found.data}" in CONTAINER
    assert f"EXPOSE {found.port}" in CONTAINER
    for copied in re.findall(r"^COPY (?!--)(.+) \S+$", CONTAINER, re.MULTILINE):
        assert all((ROOT / name).exists() for name in copied.split())


def test_the_units_say_what_ostbahn_understands(tmp_path: Path) -> None:
    for unit in UNITS:
        environ = dict(re.findall(r"^Environment=(\w+)=(.*)$", (DEPLOY / unit).read_text(), re.MULTILINE))
        credentials = re.findall(r"^LoadCredential=(\w+):", (DEPLOY / unit).read_text(), re.MULTILINE)
        named = [value for name, value in environ.items() if name.endswith("_FILE")]
        assert named == [f"%d/{each}" for each in credentials]
        environ.pop("OSTBAHN_SETTINGS", None)
        settings_of({"OSTBAHN_DATABASE": "postgresql://ostbahn@localhost/ostbahn", **environ}, tmp_path)
    found = read_settings({}, {}, DEPLOY / "ostbahn.toml")
    assert (found.https, found.workers, found.log.form) == (True, 2, "json")


def commands() -> list[list[str]]:
    units = [re.findall(r"/opt/ostbahn/bin/ostbahn (.*?)(?:'|$)", (DEPLOY / unit).read_text(), re.M) for unit in UNITS]
    container = re.findall(r"^CMD \[(.*)\]", CONTAINER, re.MULTILINE)[0].replace('"', "").split(", ")
    return [OSTBAHN["command"], container, *(shlex.split(line) for found in units for line in found)]


@pytest.mark.parametrize("command", commands(), ids=" ".join)
def test_their_commands_are_those_of_the_command_line(command: list[str]) -> None:
    done = CliRunner().invoke(app, [command[0], "--help"], env={"COLUMNS": "200"})
    assert done.exit_code == 0
    for option in command[1:]:
        assert not option.startswith("--") or option in done.output


def test_their_healthchecks_know_a_server_that_works(tmp_path: Path) -> None:
    program = OSTBAHN["healthcheck"]["test"][-1]
    assert program in CONTAINER
    with served(url_in(tmp_path), Settings(public_url="https://games.example.org")) as site:
        here = program.replace("http://127.0.0.1:8018", site.address)
        assert here != program
        assert subprocess.run([sys.executable, "-c", here], check=False).returncode == 0
    assert subprocess.run([sys.executable, "-c", here], capture_output=True, check=False).returncode != 0


def test_alarms_are_about_figures_that_there_are() -> None:
    told = (ROOT / "src/ostbahn/server/upkeep/prometheus.py").read_text()
    alarms = (DEPLOY / "alarms.yaml").read_text()
    named = set(re.findall(r"ostbahn_\w+", alarms))
    assert named
    assert {name for name in named if f'"{re.sub("_(total|bucket)$", "", name)}"' not in told} == set()
    msgspec.yaml.decode(alarms)
