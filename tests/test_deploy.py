"""Files for hosts: proxies and systemd accept them, and what they say to Ostbahn it understands."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner

from ostbahn.cli.main import app
from ostbahn.server.accounts.people import AccountService
from ostbahn.server.db.database import Database, sqlite_url_in
from ostbahn.server.settings import Secret, Settings, read_settings
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


def filled_in(environ: dict[str, str], **given: str) -> dict[str, str]:
    """As compose replaces `${NAME:-default}` and `${NAME:?what is missing}`."""
    return {
        name: re.sub(r"\$\{(\w+):([-?])(.*?)\}", lambda found: given.get(found[1], found[3]), value)
        for name, value in environ.items()
    }


MAIL = {"MAIL_HOST": "mail.example.org", "MAIL_USER": "games", "MAIL_SENDER": "games@example.org"}


def test_the_compose_file_says_what_ostbahn_understands(tmp_path: Path) -> None:
    environ = filled_in(OSTBAHN["environment"], SITE="games.example.org")
    found = settings_of(environ, tmp_path)
    assert found.public_url == "https://games.example.org"
    assert found.mail.host == "", "without MAIL_HOST there is no mail"
    assert found.workers == 2
    assert found.database_url == f"postgresql://ostbahn:{DIGITS}@database/ostbahn"
    assert found.key_secret == bytes.fromhex(DIGITS)
    (subnet,) = COMPOSE["networks"]["inside"]["ipam"]["config"]
    assert found.trust_proxy == (subnet["subnet"],)
    named = {name.rpartition("/")[2] for key, name in environ.items() if key.endswith("_FILE")}
    assert named == set(OSTBAHN["secrets"]) <= set(COMPOSE["secrets"])
    assert COMPOSE["services"]["proxy"]["environment"]["UPSTREAM"] == "ostbahn:8018"


def test_mail_is_set_in_all_three_forms(tmp_path: Path) -> None:
    compose = settings_of(filled_in(OSTBAHN["environment"], SITE="games.example.org", **MAIL), tmp_path).mail
    assert (compose.host, compose.user, compose.sender) == tuple(MAIL.values())
    file = tmp_path / "ostbahn.toml"
    file.write_text(re.sub(r"(?m)^# (?=\[mail\]|\w+ = )", "", (DEPLOY / "ostbahn.toml").read_text()))
    unit = environment_of("ostbahn.service") | {"OSTBAHN_SETTINGS": str(file)}
    systemd = settings_of(unit, tmp_path).mail
    assert (systemd.host, systemd.user) == ("mail.example.org", "games")
    for mail in (compose, systemd):
        assert (mail.port, mail.security) == (587, "starttls")
        assert mail.password == Secret(DIGITS)


def test_backups_of_containers_reach_the_same_database(tmp_path: Path) -> None:
    backup = COMPOSE["services"]["backup"]
    assert (
        settings_of(backup["environment"], tmp_path).database_url
        == settings_of(filled_in(OSTBAHN["environment"], SITE="games.example.org"), tmp_path).database_url
    )
    assert backup["image"] == OSTBAHN["image"]
    assert set(backup["volumes"]) <= set(OSTBAHN["volumes"])
    named = {name.rpartition("/")[2] for key, name in backup["environment"].items() if key.endswith("_FILE")}
    assert named == set(backup["secrets"])


@pytest.mark.parametrize(
    ("hour", "age", "made"), [("02", None, False), ("03", None, True), ("23", 31, True), ("09", 0, False)]
)
def test_containers_make_one_backup_a_night(tmp_path: Path, hour: str, age: int | None, made: bool) -> None:
    """With programs in the place of `date`, `sleep` (which ends the second time) and `ostbahn`."""
    script = COMPOSE["services"]["backup"]["command"][0].replace("$$", "$").replace("/backups", str(tmp_path))
    file, asleep = tmp_path / "12.backup", tmp_path / "asleep"
    stand_in(tmp_path / "bin" / "date", f"case $1 in +%d) echo 12;; +%H) echo {hour};; esac")
    stand_in(tmp_path / "bin" / "sleep", f'[ ! -e "{asleep}" ] && : > "{asleep}"')
    stand_in(tmp_path / "bin" / "ostbahn", 'echo "$@" > "$3"')
    if age is not None:
        file.write_text("old")
        then = time.time() - age * 86_400
        os.utime(file, (then, then))
    path = f"{tmp_path / 'bin'}:{os.environ['PATH']}"
    subprocess.run(["/bin/sh", "-c", script], env={"PATH": path}, capture_output=True, timeout=60, check=False)
    assert (file.exists() and file.read_text() == f"backup --force {file}\n") == made


def stand_in(program: Path, script: str) -> None:
    program.parent.mkdir(exist_ok=True)
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)


def test_nothing_but_what_the_container_copies_is_sent_to_its_builder(tmp_path: Path) -> None:
    ignored = [line for line in (ROOT / ".dockerignore").read_text().splitlines() if not line.startswith("#")]
    assert ignored[0] == "*"
    allowed = {line.removeprefix("!") for line in ignored if line.startswith("!")}
    copied = {name for line in re.findall(r"^COPY (?!--)(.+) \S+$", CONTAINER, re.MULTILINE) for name in line.split()}
    assert allowed == copied
    for name in copied:  # and that is enough for the package
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copyfile
        copy(ROOT / name, tmp_path / name)
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", "made"]
    done = subprocess.run(build, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", ["deploy/secrets/secret", "deploy/.env", "backups/01.backup"])
def test_what_a_host_keeps_here_gets_into_no_commit(name: str) -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("this is no working copy of git, so there is nothing to commit")
    assert subprocess.run([tool("git"), "check-ignore", "-q", name], cwd=ROOT, check=False).returncode == 0


# The command line under systemd

SYSTEMD_RUN = """
import os, pathlib, subprocess, sys
folder, environ, words, unit = pathlib.Path(sys.argv[1]), {}, [], ""
for word in sys.argv[2:]:
    name, _, value = word.removeprefix("--property=").partition("=")
    if words or not word.startswith("--"):
        words.append(word)
    elif word.startswith("--unit="):
        unit = value
    elif name == "LoadCredential":
        credential, _, path = value.partition(":")
        place = folder / "run" / "credentials" / f"{unit}.service" / credential
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(pathlib.Path(path).read_bytes())
    elif name == "Environment":
        variable, _, text = value.partition("=")
        environ[variable] = text.replace("/run/", f"{folder}/run/")
sys.exit(subprocess.run(words, env=environ | {"COLUMNS": "300"}).returncode)
"""
"""What systemd does with credentials and variables: only its own process runs the command, with nothing else in its
environment."""


def test_the_command_line_reaches_the_database_of_the_service(tmp_path: Path) -> None:
    """The unit's own settings and credentials, as `ostbahn-admin` hands them over, in a real run of the command."""
    (etc := tmp_path / "etc").mkdir()
    for credential in re.findall(r"^LoadCredential=(\w+):", (DEPLOY / "ostbahn.service").read_text(), re.MULTILINE):
        (etc / credential).write_text(f"{DIGITS}\n")
    (etc / "ostbahn.toml").write_text('[mail]\nhost = "127.0.0.1"\nport = 9\nsender = "games@example.org"\n')
    text = (DEPLOY / "ostbahn.service").read_text().replace("/etc/ostbahn", str(etc))
    text = text.replace("/opt/ostbahn/bin/ostbahn", str(Path(sys.executable).with_name("ostbahn")))
    text = text.replace("/var/lib/ostbahn", str(tmp_path / "data"))
    text = re.sub(r".*database_password.*\n", "", text)  # as the docs say for a server without PostgreSQL
    (tmp_path / "unit").write_text(text)
    (tmp_path / "run.py").write_text(SYSTEMD_RUN)
    stand_in(tmp_path / "bin" / "systemctl", f'cat "{tmp_path}/unit"')
    stand_in(tmp_path / "bin" / "systemd-run", f'exec "{sys.executable}" "{tmp_path}/run.py" "{tmp_path}" "$@"')
    database = Database(sqlite_url_in(tmp_path / "data"), secret=bytes.fromhex(DIGITS))
    people = AccountService(database)
    people.register(people.welcome()[1], "Anna", "a long password")
    database.close()
    environ = {"PATH": f"{tmp_path / 'bin'}:/usr/bin:/bin"}

    def admin(*words: str) -> subprocess.CompletedProcess[str]:
        command = [str(DEPLOY / "ostbahn-admin"), *words]
        return subprocess.run(command, env=environ, capture_output=True, text=True, check=False)

    listed = admin("people", "list")
    assert listed.returncode == 0, listed.stderr
    assert "Anna" in listed.stdout
    assert admin("check").returncode == 0
    mailed = admin("check", "mail", "anna@example.org")
    assert (mailed.returncode, "port 9, cannot be used" in mailed.stdout) == (1, True)


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


def environment_of(unit: str) -> dict[str, str]:
    return dict(re.findall(r"^Environment=(\w+)=(.*)$", (DEPLOY / unit).read_text(), re.MULTILINE))


def test_the_units_say_what_ostbahn_understands(tmp_path: Path) -> None:
    for unit in UNITS:
        environ = environment_of(unit)
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
    with served(sqlite_url_in(tmp_path), Settings(public_url="https://games.example.org")) as site:
        here = program.replace("http://127.0.0.1:8018", site.address)
        assert here != program
        assert subprocess.run([sys.executable, "-c", here], check=False).returncode == 0
    assert subprocess.run([sys.executable, "-c", here], capture_output=True, check=False).returncode != 0


def test_alarms_are_about_figures_that_there_are() -> None:
    told = (ROOT / "src/ostbahn/server/ops/prometheus.py").read_text()
    alarms = (DEPLOY / "alarms.yaml").read_text()
    named = set(re.findall(r"ostbahn_\w+", alarms))
    assert named
    assert {name for name in named if f'"{re.sub("_(total|bucket)$", "", name)}"' not in told} == set()
    msgspec.yaml.decode(alarms)
