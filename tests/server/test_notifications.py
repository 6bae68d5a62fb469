"""Notifications that nobody at the table triggers for themselves: a game begins, a seat is lost, nothing arrives."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

import msgspec
import pytest

from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import new_game
from ostbahn.server.accounts.people import Subscription, Visitor, owner_of
from ostbahn.server.bots.service import play_bot_turn
from ostbahn.server.clocks.votes import Motion
from ostbahn.server.notifications.channels import Mail, send_mail
from ostbahn.server.notifications.safe_http import DeliveryFailed
from ostbahn.server.notifications.service import SETTLING_TIME, schedule_digest
from ostbahn.server.settings import MailSettings, Secret
from ostbahn.server.tournaments.service import NewTournament, Programme
from ostbahn.table.access import Access
from ostbahn.table.room import HERE, LINK
from ostbahn.table.slots import DAY, TableClock
from tests.server.loops import run
from tests.server.receivers import mail_server, web_server
from tests.server.tables import NAMES, keys, now, step, wanted
from tests.server.test_notification_delivery import Town, pass_on, texts, two_people

HOUR_EACH = TableClock(kind="move", seconds=3600)


@pytest.fixture
def town(url: str) -> Iterator[Town]:
    with mail_server() as mail, web_server() as web:
        made = Town(url, mail, web)
        yield made
        run(made.runner.close())
        made.services.game_service.seated_bots.close()
        made.services.database.close()


def reachable(town: Town, who: Access, name: str) -> Visitor:
    """Somebody who has a key among their games and wants mail."""
    visitor = town.person(who)
    town.mail_wire(visitor, f"{name}@example.org")
    town.subscribe(visitor)
    return visitor


def letters(town: Town) -> list[tuple[str, str]]:
    """To whom mail was sent since, and about what."""
    town.time += SETTLING_TIME
    town.work()
    found = []
    while not town.mail.letters.empty():
        letter = town.mail.letters.get()
        found.append((str(letter["To"]).partition("@")[0], str(letter["Subject"]).partition(":")[0]))
    return sorted(found)


# Whoever is to move when a game begins


def test_the_first_to_move_is_notified_when_all_seats_are_taken(town: Town) -> None:
    game_service = town.services.game_service
    found = keys(game_service, game_service.create_game(wanted("here", "link", "link")))
    reachable(town, found["host"], "anna")
    assert letters(town) == [], "others are awaited"
    game_service.name_seat(found["p2"], "p2", "Boris")
    assert letters(town) == []
    game_service.name_seat(found["p3"], "p3", "Clara")
    assert letters(town) == [("anna", "Your turn")]
    assert letters(town) == []


def test_the_last_to_sit_down_is_notified_where_it_is_their_turn(town: Town) -> None:
    """Their key is among their games only after they have sat down, as with tables in the lobby."""
    game_service = town.services.game_service
    host = game_service.create_game(msgspec.structs.replace(wanted("link", "here", "R"), listed=True))
    reachable(town, host, "boris")
    seat = town.services.lobby.join(host.game, "Anna")
    town.work()
    reachable(town, seat, "anna")
    assert letters(town) == [("anna", "Your turn")]


def test_whoever_looks_at_the_table_when_it_begins_is_not_notified(town: Town) -> None:
    game_service = town.services.game_service
    reachable(town, game_service.create_game(wanted("here", "R", "R")), "anna")
    town.there = {"p1"}
    assert letters(town) == []


def test_the_host_is_notified_of_a_game_that_begins_without_them(town: Town) -> None:
    game_service = town.services.game_service
    reachable(town, game_service.create_game(wanted("here", "R", "R")), "anna")
    assert letters(town) == [("anna", "Your turn")]


def test_the_host_is_notified_where_bots_have_moved_before_their_key_is_kept(town: Town) -> None:
    game_service = town.services.game_service
    host = game_service.create_game(wanted("R", "here", "R"))
    while play_bot_turn(game_service, host.game):
        pass
    town.work()
    reachable(town, host, "boris")
    assert letters(town) == [("boris", "Your turn")]


def test_an_imported_game_continues_with_a_notification(town: Town) -> None:
    game_service = town.services.game_service
    game: Game = new_game("18CZ", NAMES[:3], seed=3)
    reachable(town, game_service.import_game(game), "anna")
    assert letters(town) == [("anna", "Your turn")]


def test_a_table_begins_when_a_bot_takes_its_last_free_seat(town: Town) -> None:
    game_service = town.services.game_service
    new = msgspec.structs.replace(wanted("here", "link", "link"), clock=HOUR_EACH)
    found = keys(game_service, game_service.create_game(new))
    reachable(town, found["host"], "anna")
    game_service.name_seat(found["p2"], "p2", "Boris")
    game_service.assign_seat(found["host"], "p3", "R")
    assert letters(town) == [("anna", "Your turn")]
    town.time += timedelta(minutes=31)
    assert letters(town) == [("anna", "Your time")], "the clock runs"


def test_the_first_to_move_at_each_table_of_a_round_is_notified(town: Town) -> None:
    people, tournaments = town.services.people, town.services.tournaments
    entrants = []
    for name in ("Anna", "Boris", "Clara"):
        _, visitor = people.welcome()
        account = people.visitor(people.register(visitor, name, "a long password").cookie)
        assert account is not None
        town.mail_wire(account, f"{name.lower()}@example.org")
        town.subscribe(account)
        entrants.append(account)
    programme = Programme(title="18CZ", variant="base")
    number = tournaments.create(entrants[0], NewTournament(name="Cup", programme=programme, size=3, rounds=1, seed=1))
    for account in entrants:
        tournaments.enter(account, number)
    tournaments.begin_round(entrants[0], number)
    (letter,) = letters(town)
    assert letter[1] == "Your turn"


def test_a_new_person_whose_turn_it_is_is_notified(town: Town) -> None:
    found, _ = two_people(town)
    pass_on(town, found["host"])
    assert letters(town) == [("boris", "Your turn")]
    game_service = town.services.game_service
    game_service.assign_seat(found["host"], "p2", LINK)
    assert letters(town) == [("boris", "You lost your seat")]
    new = keys(game_service, found["host"])["p2"]
    reachable(town, new, "dora")
    game_service.name_seat(new, "p2", "Dora")
    assert letters(town) == [("dora", "Your turn")]


# Bots that take a turn, or a seat


def timed(town: Town, clock: TableClock) -> tuple[dict[str, Access], Visitor]:
    """Boris is to move, and has been notified of it."""
    game_service = town.services.game_service
    found = keys(
        game_service, game_service.create_game(msgspec.structs.replace(wanted("here", "link", "R"), clock=clock))
    )
    boris = reachable(town, found["p2"], "boris")
    game_service.name_seat(found["p2"], "p2", "Boris")
    pass_on(town, found["host"])
    town.work()
    texts(town.mail.letters)
    return found, boris


def ended(town: Town) -> list[str]:
    town.work()
    return [text.partition(" You play")[0] for text in texts(town.mail.letters)]


def test_a_bot_that_takes_a_turn_is_told_to_whoever_lost_it(town: Town) -> None:
    timed(town, TableClock(kind="move", seconds=60, end="bot_once"))
    town.time += timedelta(seconds=61)
    assert ended(town) == ["Your time was over, so a bot took your turn."]
    town.time += timedelta(seconds=61)
    assert ended(town) == []


def test_a_seat_that_the_clock_gives_to_a_bot_is_told_to_whoever_lost_it(town: Town) -> None:
    timed(town, TableClock(kind="move", seconds=60, end="bot_stays"))
    town.time += timedelta(seconds=61)
    assert ended(town) == ["Your time was over, so a bot plays for you from now on."]


def test_a_clock_that_only_notifies_still_does(town: Town) -> None:
    timed(town, TableClock(kind="move", seconds=60))
    town.time += timedelta(seconds=61)
    assert ended(town) == ["Your time is over."]


def test_a_clock_that_runs_out_after_a_holiday_is_told(town: Town) -> None:
    _, boris = timed(town, TableClock(kind="days", seconds=DAY, end="bot_stays"))
    town.clocks.holidays.add(owner_of(boris), date(2026, 7, 2), date(2026, 7, 5))
    town.time += timedelta(days=1, hours=1)
    assert not any("bot" in text for text in ended(town)), "the clock stands still"
    town.time += timedelta(days=4)
    assert "Your time was over, so a bot plays for you from now on." in ended(town)


def test_a_seat_that_others_vote_away_is_told_to_whoever_lost_it(town: Town) -> None:
    game_service, votes = town.services.game_service, town.clocks.votes
    found = keys(game_service, game_service.create_game(wanted("here", "link", "link")))
    reachable(town, found["p2"], "boris")
    votes.propose(found["host"], Motion(what="bot", seat="p2"))
    assert ended(town) == []
    assert votes.reply(found["p3"], 1, True)
    assert ended(town) == ["The other players agreed that a bot plays for you from now on."]


@pytest.mark.parametrize(
    ("who", "words"),
    [
        ("R", "The host gave your seat to a bot."),
        (HERE, "The host took over your seat."),
        (LINK, "The host offers your seat to somebody else."),
    ],
)
def test_a_seat_that_the_host_gives_away_is_told_to_whoever_lost_it(town: Town, who: str, words: str) -> None:
    found, _ = two_people(town)
    reachable(town, found["host"], "anna")
    texts(town.mail.letters)
    town.services.game_service.assign_seat(found["host"], "p2", who)
    assert ended(town) == [words], "and the host knows"
    town.services.game_service.assign_seat(found["host"], "p1", "R")
    assert ended(town) == []


def test_who_does_not_want_to_hear_of_their_time_is_not_told_of_their_seat(town: Town) -> None:
    found, boris = two_people(town)
    town.subscribe(boris, events=("turn",))
    town.services.game_service.assign_seat(found["host"], "p2", "R")
    assert ended(town) == []


# Messages that do not arrive


def figure(town: Town, channel: str, outcome: str) -> float:
    """How many there were, as the metrics have it."""
    shown = town.services.metrics.exposition()
    assert shown is not None
    name = f'ostbahn_notifications_total{{channel="{channel}",outcome="{outcome}"}} '
    return sum(float(line.removeprefix(name)) for line in shown[1].decode().splitlines() if line.startswith(name))


def test_a_failing_webhook_is_shown_at_once_and_until_a_message_arrives(town: Town) -> None:
    found, boris = two_people(town)
    town.notifications.subscriptions.add_webhook(owner_of(boris), f"{town.web.url}/room", "json")
    town.web.answers.append((500, {}))
    failed_at = town.time
    pass_on(town, found["host"])
    town.work()
    mail, webhook = town.notifications.subscriptions.channels(owner_of(boris))
    assert (webhook.trouble, webhook.failed_at) == ("the webhook answered 500", failed_at)
    assert webhook.next_try == failed_at + timedelta(seconds=5)
    assert (mail.trouble, mail.failed_at) == ("", None)
    town.time += timedelta(seconds=5)
    town.work()
    mail, webhook = town.notifications.subscriptions.channels(owner_of(boris))
    assert (webhook.trouble, webhook.failed_at, webhook.next_try) == ("", None, None)
    assert (figure(town, "webhook", "failed"), figure(town, "webhook", "sent")) == (1, 1)
    assert (figure(town, "mail", "failed"), figure(town, "mail", "sent")) == (0, 1)


def test_a_message_that_is_not_needed_any_more_does_not_hide_a_failure(town: Town) -> None:
    found, boris = two_people(town)
    town.notifications.subscriptions.add_webhook(owner_of(boris), f"{town.web.url}/room", "json")
    town.web.answers.append((500, {}))
    pass_on(town, found["host"])
    town.work()
    game_service = town.services.game_service
    while game_service.game_copy(found["p2"].game).question.decider == "p2":  # type: ignore[union-attr]
        step(game_service, found["p2"])
    town.time += timedelta(seconds=5)
    town.work()
    assert town.pending() == []
    assert town.notifications.subscriptions.channels(owner_of(boris))[1].trouble == "the webhook answered 500"


def test_failing_mail_is_logged_now_and_then_without_addresses(town: Town, caplog: pytest.LogCaptureFixture) -> None:
    found, boris = two_people(town)
    town.mail.handler.refusing = "451 <boris@example.org> come back later"
    pass_on(town, found["host"])
    for _ in range(20):
        town.work()
        town.time += timedelta(minutes=1)
    lines = [record.getMessage() for record in caplog.records if "notification" in record.getMessage()]
    assert lines[0] == "a notification by mail could not be sent (address refused, status 451)"
    assert lines[1].startswith(lines[0])
    assert "more failed like this" in lines[1]
    assert len(lines) == 2, "within twenty minutes"
    assert "boris" not in caplog.text.lower()
    (channel,) = town.notifications.subscriptions.channels(owner_of(boris))
    assert channel.trouble == "the mail server refuses this address: 451 <…> come back later"
    assert figure(town, "mail", "failed") > 2


def test_a_daily_mail_that_fails_is_shown_and_counted(town: Town) -> None:
    found, boris = two_people(town)
    subscription = Subscription(events=(), digest_hour=13)
    town.notifications.subscriptions.save(owner_of(boris), subscription)
    with town.services.database.session() as session:
        schedule_digest(session, owner_of(boris), subscription, town.time)
    pass_on(town, found["host"])
    town.mail.handler.refusing = "451 come back later"
    town.time += timedelta(hours=1)
    town.work()
    (channel,) = town.notifications.subscriptions.channels(owner_of(boris))
    assert (channel.failed_at, figure(town, "mail", "failed")) == (town.time, 1)
    town.mail.handler.refusing = ""
    town.time += timedelta(minutes=1)
    town.work()
    (channel,) = town.notifications.subscriptions.channels(owner_of(boris))
    assert (channel.trouble, channel.failed_at, figure(town, "mail", "sent")) == ("", None, 1)


def test_what_is_given_up_is_counted(town: Town) -> None:
    found, boris = two_people(town)
    town.mail.handler.refusing = "550 no such user here"
    pass_on(town, found["host"])
    town.work()
    (channel,) = town.notifications.subscriptions.channels(owner_of(boris))
    assert (channel.failed_at, channel.next_try) == (town.time, None)
    assert (figure(town, "mail", "failed"), figure(town, "mail", "given_up")) == (1, 1)


@pytest.mark.parametrize(
    ("mail_settings", "words"),
    [
        (
            MailSettings(host="127.0.0.1", sender="a@example.org", port=9),
            "9, cannot be used: nothing listens there",
        ),
        (MailSettings(host="mail.invalid", sender="a@example.org"), "cannot be used: its name is not known"),
    ],
)
def test_why_a_mail_server_cannot_be_used_is_said_in_words(mail_settings: MailSettings, words: str) -> None:
    with pytest.raises(DeliveryFailed, match=words):
        send_mail(Mail("boris@example.org", "Hello", "Hello."), mail_settings, now)


def test_a_mail_server_without_what_the_settings_want_is_told_in_words(town: Town) -> None:
    mail_settings = town.mail.mail_settings
    for changed, words in (
        (msgspec.structs.replace(mail_settings, security="starttls"), "STARTTLS extension not supported"),
        (msgspec.structs.replace(mail_settings, security="tls"), "does not speak TLS"),
        (msgspec.structs.replace(mail_settings, user="games", password=Secret("secret")), "AUTH"),
    ):
        with pytest.raises(DeliveryFailed, match=words) as caught:
            send_mail(Mail("boris@example.org", "Hello", "Hello."), changed, now)
        assert "secret" not in str(caught.value)
