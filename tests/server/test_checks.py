"""`ostbahn check` finds what is wrong, and says so."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import create_engine, text
from typer.testing import CliRunner, Result

from ostbahn.cli.main import app
from ostbahn.server.db.database import Database
from ostbahn.server.notifications.subscriptions import ChannelRow
from ostbahn.server.ops.checks import check
from ostbahn.server.settings import MailSettings, Settings
from tests.server.receivers import MailServer, mail_server
from tests.server.tables import game_service_on, step, wanted


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """A server with a game of which a state was kept."""
    found = Settings(data=tmp_path_factory.mktemp("data"))
    database = Database(found.database_url)
    game_service = game_service_on(database)
    host = game_service.create_game(wanted())
    for _ in range(110):
        step(game_service, host)
    database.close()
    assert list(check(found, deep=True)) == []
    return found


@pytest.fixture
def settings(whole: Settings, tmp_path: Path) -> Settings:
    """A copy of it, to be harmed."""
    return Settings(data=shutil.copytree(whole.data, tmp_path / "data"))


@pytest.mark.parametrize(
    ("harm", "told"),
    [
        ("UPDATE entries SET data = '{}' WHERE version = 7", "line 7 of its log is missing, or not as it was written"),
        ("DELETE FROM entries WHERE version = 9", "line 9 of its log is missing, or not as it was written"),
        ("UPDATE games SET setup = '{}'", "its set-up cannot be read"),
        ("DELETE FROM seats WHERE seat = 'p2'", "its seats are not those of its set-up"),
        ("UPDATE keys SET game = 'nowhere'", "rows of keys belong to games that are not there (by game)"),
        ("UPDATE snapshots SET digest = '0000000000000000'", "the state kept at line"),
        ("UPDATE games SET turn = 'p9'", "its log leads elsewhere than lists of games say"),
        ("DROP TABLE notes", "there is no table notes"),
        ("UPDATE alembic_version SET version_num = '0006'", "the tables are those of version 0006"),
    ],
)
def test_what_is_wrong_is_found_and_told(settings: Settings, harm: str, told: str) -> None:
    engine = create_engine(settings.database_url)
    with engine.begin() as connection:
        connection.execute(text(harm))
    engine.dispose()
    done = CliRunner().invoke(app, ["check", "--deep", "--data", str(settings.data)], env={"COLUMNS": "300"})
    assert done.exit_code == 1
    assert told in " ".join(done.output.split())


def test_mail_and_webhooks_that_fail_are_noted(settings: Settings) -> None:
    database, moment = Database(settings.database_url), datetime(2026, 7, 1, 12, 30, tzinfo=UTC)
    with database.session() as session:
        for number, (kind, trouble, at) in enumerate(
            [
                ("mail", "the mail server refuses the mail", moment),
                ("mail", "the mail server hangs up", moment - timedelta(days=1)),
                ("mail", "an old fault", None),
                ("mail", "", None),
                ("webhook", "the webhook answered 500", moment),
                ("push", "", None),
            ]
        ):
            fields = {"kind": kind, "trouble": trouble, "failed_at": at, "made": moment, "confirmed": True}
            session.add(ChannelRow(owner="v1", address=f"{number}@example.org", digest=str(number), data="", **fields))
    database.close()
    assert [(finding.kind, finding.text) for finding in check(settings)] == [
        (
            "note",
            "mail does not arrive at 3 of 4 addresses; the last failure, at 2026-07-01 12:30 UTC: the mail server"
            " refuses the mail",
        ),
        (
            "note",
            "what is posted to webhooks does not arrive at 1 of 1 addresses; the last failure, at 2026-07-01 12:30 UTC:"
            " the webhook answered 500",
        ),
    ]


def test_mail_without_links_is_noted(settings: Settings) -> None:
    lame = msgspec.structs.replace(settings, mail=MailSettings(host="mail.example.org", sender="games@example.org"))
    assert ["public_url" in finding.text for finding in check(lame)] == [True]


# A test mail


def mailing(server: MailServer, *address: str) -> Result:
    mail_settings = server.mail_settings
    environ = {
        "OSTBAHN_MAIL_HOST": mail_settings.host,
        "OSTBAHN_MAIL_PORT": str(mail_settings.port),
        "OSTBAHN_MAIL_SECURITY": mail_settings.security,
        "OSTBAHN_MAIL_SENDER": mail_settings.sender,
        "COLUMNS": "300",
    }
    return CliRunner().invoke(app, ["check", "mail", *address], env=environ)


def test_a_test_mail_is_sent_and_the_answer_shown() -> None:
    with mail_server() as server:
        done = mailing(server, "anna@example.org")
        letter = server.letters.get(timeout=60)
    assert done.exit_code == 0, done.output
    assert "took the mail. It answered: 250" in done.output
    assert (letter["To"], letter["Subject"]) == ("anna@example.org", "Test mail from Ostbahn")
    assert letter["List-Unsubscribe"] is None


def test_a_test_mail_that_is_refused_says_so() -> None:
    with mail_server() as server:
        server.handler.refusing = "550 no such user here"
        done = mailing(server, "anna@example.org")
    assert done.exit_code == 1
    assert "the test mail was not sent: the mail server refuses this address: 550 no such user here" in done.output


def test_a_test_mail_without_a_mail_server_says_what_to_set() -> None:
    done = CliRunner().invoke(app, ["check", "mail", "anna@example.org"], env={"COLUMNS": "300"})
    assert done.exit_code == 1
    assert "Set mail.host and mail.sender" in done.output


def test_a_test_mail_reads_the_settings_file_wherever_it_is_named(tmp_path: Path) -> None:
    file = tmp_path / "ostbahn.toml"
    file.write_text('[mail]\nhost = "127.0.0.1"\nport = 9\nsender = "games@example.org"\n')
    for arguments in (
        ["check", "mail", "a@example.org", "--settings", str(file)],
        ["check", "--settings", str(file), "mail", "a@example.org"],
    ):
        done = CliRunner().invoke(app, arguments, env={"COLUMNS": "300"})
        assert done.exit_code == 1
        assert "port 9, cannot be used: nothing listens there" in done.output
