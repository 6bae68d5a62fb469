"""Settings: where they are said, which word counts, and what is refused."""

from __future__ import annotations

import pickle
import re
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner

from ostbahn.cli.main import app
from ostbahn.kernel.errors import BadSetup
from ostbahn.server.settings import KINDS, SECRETS, Secret, Settings, read_settings, variable

HOSTING = Path(__file__).resolve().parents[2] / "docs" / "hosting.md"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "ostbahn.toml"


def test_an_option_counts_before_the_environment_and_that_before_the_file(file: Path) -> None:
    file.write_text('port = 1001\nhost = "10.0.0.1"\nlimit = 7\n[mail]\nhost = "mx"\nsender = "o@example.org"\n')
    environ = {"OSTBAHN_PORT": "1002", "OSTBAHN_HOST": "10.0.0.2", "OSTBAHN_MAIL_PORT": "25", "HOME": "/root"}
    found = read_settings({"port": 1003, "data": None, "trust_proxy": []}, environ, file)
    assert (found.port, found.host, found.limit) == (1003, "10.0.0.2", 7)
    assert (found.mail.host, found.mail.port, found.mail.sender) == ("mx", 25, "o@example.org")


def test_the_environment_may_name_the_file_and_lists(file: Path) -> None:
    file.write_text('data = "games"\n[log]\nform = "json"\n')
    environ = {"OSTBAHN_SETTINGS": str(file), "OSTBAHN_TRUST_PROXY": "127.0.0.1, 10.0.0.0/8", "OSTBAHN_LIMIT": ""}
    found = read_settings({}, environ)
    assert found.log.form == "json"
    assert found.trust_proxy == ("127.0.0.1", "10.0.0.0/8")
    assert found.data == file.parent / "games", "a file means folders beside itself"


WRONG = [
    ("prot = 1", "prot is no setting; is port meant?"),
    ('port = "8018"', "port takes a whole number from 0 to 65535"),
    ("port = 65536", "port takes a whole number from 0 to 65535"),
    ("limit = 0", "limit takes a number above 0 and up to 86400"),
    ('[log]\nform = "xml"', "log.form takes one of text, json"),
    ("[mail]\nhots = 1", "mail.hots is no setting; is mail.host meant?"),
    ("mail = 3", "mail is no setting"),
    ('[mail]\nhost = "mx"', "mail.host says who sends mail, but not from whom: mail.sender is missing"),
    ('metrics_token = "sesame-open-yourself"', "metrics_token is a secret, which does not stand here"),
    ('metrics_token_file = "nowhere"', "metrics_token_file: the file cannot be read: No such file or directory"),
    ('database = "postgresql://o:sesame@db/o"', "database has a password in it: name a file"),
    ('database = "what?"', "database is no address of a database"),
    ('public_url = "games.example.org"', "public_url takes the address of the site"),
    ('public_url = "https://games.example.org/ostbahn"', "public_url takes the address of the site"),
    ('trust_proxy = ["*"]', "trust_proxy takes an address or a network"),
    ('trust_proxy = "127.0.0.1"\nport =', "is no settings file: Invalid value"),
]


@pytest.mark.parametrize(("text", "told"), WRONG)
def test_what_is_wrong_in_a_file_is_told_with_its_place(file: Path, text: str, told: str) -> None:
    file.write_text(text)
    with pytest.raises(BadSetup) as fault:
        read_settings({}, {}, file)
    assert str(fault.value).startswith(str(file))
    assert told in str(fault.value)
    assert "sesame" not in str(fault.value)


@pytest.mark.parametrize(
    ("environ", "told"),
    [
        ({"OSTBAHN_PROT": "1"}, "$OSTBAHN_PROT is no setting; is OSTBAHN_PORT meant?"),
        ({"OSTBAHN_PORT": "many"}, "$OSTBAHN_PORT takes a whole number from 0 to 65535"),
        ({"OSTBAHN_SETTINGS": "/nowhere/at.all"}, "the settings file /nowhere/at.all cannot be read: No such file"),
        ({"OSTBAHN_METRICS_TOKEN": "sesame"}, "$OSTBAHN_METRICS_TOKEN: a token needs at least 16 letters"),
        ({"OSTBAHN_DATABASE_PASSWORD": "sesame"}, "says a password, but no `database` is named"),
        ({"OSTBAHN_SECRET": "s", "OSTBAHN_SECRET_FILE": "f"}, "say the same; leave one of them out"),
    ],
)
def test_what_is_wrong_in_the_environment_is_told_by_its_variable(environ: dict[str, str], told: str) -> None:
    with pytest.raises(BadSetup) as fault:
        read_settings({}, environ)
    assert told in str(fault.value)
    assert "sesame" not in str(fault.value)


def test_secrets_come_by_files_and_the_environment_and_are_never_shown(tmp_path: Path, file: Path) -> None:
    (tmp_path / "password").write_text("sesame\n")
    file.write_text('database = "postgresql+psycopg://o@db/o"\ndatabase_password_file = "password"\n')
    found = read_settings({}, {"OSTBAHN_METRICS_TOKEN": "sesame-open-yourself"}, file)
    assert found.database_password == Secret("sesame")
    assert found.database_url == "postgresql+psycopg://o:sesame@db/o"
    assert pickle.loads(pickle.dumps(found)) == found, "workers are handed it"
    assert "sesame" not in f"{found!r} {found.kept_in}"


@pytest.mark.parametrize("command", ["serve", "people list", "backup there", "restore there", "check"])
def test_a_password_on_a_command_line_is_refused_with_what_to_do(command: str) -> None:
    done = CliRunner().invoke(app, [*command.split(), "--database", "postgresql://o:sesame@localhost/o"])
    assert done.exit_code == 2
    assert "$OSTBAHN_DATABASE_PASSWORD" in done.stderr
    assert "sesame" not in done.output


def test_all_that_can_be_set_stands_in_the_docs_with_its_default() -> None:
    rows = re.findall(r"^\| `([\w.]+)` \| `(\w+)` \| ([^|]*) \|", HOSTING.read_text(encoding="utf-8"), re.MULTILINE)
    told = {name: (environment, default.strip("` ")) for name, environment, default in rows}
    assert list(told) == [f"{name}_file" if name in SECRETS else name for name in KINDS]
    defaults = _defaults(Settings())
    for name, (environment, default) in told.items():
        assert environment == variable(name)
        if name not in ("data", "thinkers") and not name.endswith("_file"):
            assert default == defaults[name], name


def _defaults(settings: Settings) -> dict[str, str]:
    plain = msgspec.to_builtins(settings, enc_hook=str)
    flat = {**plain, **{f"{part}.{name}": value for part in ("log", "mail") for name, value in plain[part].items()}}
    return {
        name: "" if value in ("", [], (), None) else f"{value:g}" if isinstance(value, float) else str(value)
        for name, value in flat.items()
    }
