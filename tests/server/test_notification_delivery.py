"""Being told: once per turn, by every wire that somebody wants, and by none that they do not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.message import Message
from queue import Empty, Queue
from typing import Any

import pytest
from py_vapid import Vapid02
from sqlalchemy import select, update

from ostbahn.server.accounts.people import Subscription, Visitor, owner_of
from ostbahn.server.bots import service as bot_turns
from ostbahn.server.bots.service import play_bot_turn
from ostbahn.server.games.tables import TurnChangeRow
from ostbahn.server.jobs.queue import JobRow, Jobs
from ostbahn.server.jobs.runner import JobRunner, JobWorkers
from ostbahn.server.notifications.channels import PAYLOAD_FORMATS, NotificationConfig
from ostbahn.server.notifications.delivery import Delivery, enqueue_delivery
from ostbahn.server.notifications.safe_http import SafeHttpClient
from ostbahn.server.notifications.service import next_digest_at, schedule_digest
from ostbahn.server.notifications.subscriptions import ChannelRow
from ostbahn.server.web.services import Services, create_services
from ostbahn.table.access import Access, NotHere
from tests.server.loops import run
from tests.server.postgres import data_of
from tests.server.receivers import Browser, MailServer, WebServer, mail_server, web_server
from tests.server.tables import first_answer, keys, step, wanted

ADDRESS = "https://games.example.org"


class Town:
    """A server whose clock can be set, with mail and webhooks, and people who play there."""

    def __init__(self, url: str, mail: MailServer, web: WebServer) -> None:
        self.url, self.mail, self.web = url, mail, web
        self.time = datetime(2026, 7, 1, 12, tzinfo=UTC)
        notification_config = NotificationConfig(ADDRESS, mail.mail_settings, ("127.0.0.0/8",))
        self.services: Services = create_services(
            url, lambda: self.time, data=data_of(url), notification_config=notification_config
        )
        self.clocks, self.notifications = self.services.clocks, self.services.notifications
        self.runner: JobRunner = self.services.runner
        self.there: set[str] = set()
        self.notifications.dispatcher.seats_present = lambda game: self.there

    def person(self, who: Access) -> Visitor:
        _, visitor = self.services.people.welcome()
        self.services.my_games.keep(visitor, who)
        return visitor

    def hands(self) -> list[tuple[str, JobWorkers]]:
        return [(kind, hands) for kind, hands in self.runner._workers.items() if kind != bot_turns.BOT_JOB]

    def work(self) -> None:
        """Do all that is due, as the runner does; but bots answer only where a test says so."""
        while any(self.runner._do_one(kind, hands.handler) for kind, hands in self.hands()):
            pass

    def mail_wire(self, visitor: Visitor, address: str) -> int:
        with self.services.database.session() as session:
            channel = self.notifications.subscriptions.add_mail(session, owner_of(visitor), address)
            session.execute(update(ChannelRow).where(ChannelRow.id == channel).values(confirmed=True))
        return channel

    def subscribe(self, visitor: Visitor, **fields: Any) -> None:
        self.notifications.subscriptions.save(owner_of(visitor), Subscription(**({"every_game": True} | fields)))

    def pending(self) -> list[str]:
        with self.services.database.session() as session:
            return list(session.scalars(select(JobRow.name).where(JobRow.kind != bot_turns.BOT_JOB)))

    def trouble(self, channel: int) -> str:
        with self.services.database.session() as session:
            return session.get_one(ChannelRow, channel).trouble


@pytest.fixture
def town(url: str) -> Iterator[Town]:
    with mail_server() as mail, web_server() as web:
        made = Town(url, mail, web)
        yield made
        run(made.runner.close())
        made.services.game_service.seated_bots.close()
        made.services.database.close()


def texts(letters: Queue[Message]) -> list[str]:
    found = []
    while True:
        try:
            found.append(str(letters.get_nowait().get_payload(decode=True), "utf-8"))  # type: ignore[arg-type]
        except Empty:
            return found


def two_people(town: Town) -> tuple[dict[str, Access], Visitor]:
    """Anna at the host's key, whose turn it is, and Boris by link, who wants mail."""
    game_service = town.services.game_service
    host = game_service.create_game(wanted("here", "link", "R"))
    found = keys(game_service, host)
    boris = town.person(found["p2"])
    town.mail_wire(boris, "boris@example.org")
    town.subscribe(boris)
    return found, boris


def pass_on(town: Town, who: Access) -> None:
    """Anna answers until Boris is asked."""
    game_service = town.services.game_service
    for _ in range(20):
        with game_service.holding(who.game) as room:
            if room.turn == "p2":
                return
            if room.turn == "p3":
                play_bot_turn(game_service, who.game)
                continue
        step(game_service, who)
    raise AssertionError("it is never the turn of Boris")


def test_a_turn_is_told_once_with_the_link_of_ones_own_seat(town: Town) -> None:
    found, _ = two_people(town)
    pass_on(town, found["host"])
    town.work()
    (letter,) = texts(town.mail.letters)
    assert f"{ADDRESS}/t/{found['p2'].key}" in letter
    assert found["host"].key not in letter
    assert "You play Boris" in letter
    # taken back and given again it is the same turn
    game_service = town.services.game_service
    with game_service.holding(found["host"].game) as room:
        version = room.version
    game_service.undo_own_move(found["host"], version)
    pass_on(town, found["host"])
    town.work()
    assert texts(town.mail.letters) == []
    # and so it is for a server that has been opened anew
    with_another = create_services(town.url, lambda: town.time, data=data_of(town.url))
    with with_another.game_service.holding(found["host"].game) as room:
        version = room.version
    with_another.game_service.undo_own_move(found["host"], version)
    pass_on(town, found["host"])
    with_another.database.close()
    town.work()
    assert texts(town.mail.letters) == []
    # the next turn is another one
    while town.services.game_service.game_copy(found["p2"].game).question.decider == "p2":  # type: ignore[union-attr]
        step(game_service, found["p2"])
    pass_on(town, found["host"])
    town.work()
    assert len(texts(town.mail.letters)) == 1


def test_a_turn_is_told_once_whichever_worker_sees_it(town: Town) -> None:
    """What a room remembers of turns is worth nothing once another worker has gone on with the game."""
    found, _ = two_people(town)
    other = create_services(town.url, lambda: town.time, data=data_of(town.url))
    game_services = (town.services.game_service, other.game_service)
    told = 0
    for number in range(6):
        here, there = game_services[number % 2], game_services[1 - number % 2]
        while (asked := here.game_copy(found["host"].game).question.decider) != "p2":  # type: ignore[union-attr]
            if asked == "p3":
                play_bot_turn(there, found["host"].game)
            else:
                step(here, found["host"])
        town.work()
        told += len(texts(town.mail.letters))
        assert told == number + 1
        while there.game_copy(found["p2"].game).question.decider == "p2":  # type: ignore[union-attr]
            step(there, found["p2"])
    with town.services.database.session() as session:
        turns = select(TurnChangeRow.turn).where(TurnChangeRow.seat == "p2").order_by(TurnChangeRow.version)
        assert list(session.scalars(turns)) == [1, 2, 3, 4, 5, 6]
    other.database.close()


def test_nobody_is_told_who_does_not_want_it(town: Town) -> None:
    found, boris = two_people(town)
    owner, game = owner_of(boris), found["host"].game

    def told(number: int) -> int:
        """How many letters come of a turn like any other."""
        game_service = town.services.game_service
        pass_on(town, found["host"])
        town.work()
        while town.services.game_service.game_copy(game).question.decider == "p2":  # type: ignore[union-attr]
            step(game_service, found["p2"])
        return len(texts(town.mail.letters))

    assert told(1) == 1
    town.subscribe(boris, events=("over",))
    assert told(2) == 0
    town.subscribe(boris)
    town.notifications.subscriptions.set_for_game(owner, game, False)
    assert told(3) == 0
    town.subscribe(boris, every_game=False)
    town.notifications.subscriptions.set_for_game(owner, game, True)
    assert told(4) == 1
    town.there = {"p2"}
    assert told(5) == 0
    town.subscribe(boris, when_there=True)
    assert told(6) == 1


def test_a_turn_that_is_over_is_not_told(town: Town) -> None:
    found, _ = two_people(town)
    pass_on(town, found["host"])
    game_service = town.services.game_service
    while town.services.game_service.game_copy(found["p2"].game).question.decider == "p2":  # type: ignore[union-attr]
        step(game_service, found["p2"])
    town.work()
    assert texts(town.mail.letters) == []


def test_an_address_is_told_nothing_before_its_owner_has_agreed(town: Town) -> None:
    found, boris = two_people(town)
    owner = owner_of(boris)
    with town.services.database.session() as session:
        channel = town.notifications.subscriptions.add_mail(session, owner, "second@example.org")
        made = session.get_one(ChannelRow, channel).made
        enqueue_delivery(session, "mail", "confirm", Delivery(channel, town.time, made=made))
    town.work()
    (asking,) = texts(town.mail.letters)
    assert found["p2"].key not in asking
    pass_on(town, found["host"])
    town.work()
    assert len(texts(town.mail.letters)) == 1, "only the first address"
    token = re.search(r"/told/confirm/(\S+)", asking)
    assert token
    with pytest.raises(NotHere):
        town.notifications.subscriptions.confirm(f"{channel + 1}-{token[1].partition('-')[2]}")
    with pytest.raises(NotHere):
        town.notifications.subscriptions.remove_by_token(token[1])
    town.notifications.subscriptions.confirm(token[1])
    game_service = town.services.game_service
    while game_service.game_copy(found["p2"].game).question.decider == "p2":  # type: ignore[union-attr]
        step(game_service, found["p2"])
    pass_on(town, found["host"])
    town.work()
    letters = []
    while not town.mail.letters.empty():
        letters.append(town.mail.letters.get())
    assert {letter["To"] for letter in letters} == {"boris@example.org", "second@example.org"}
    for letter in letters:  # each ends by its own link
        end = re.search(r"/told/end/([\w-]+)", str(letter["List-Unsubscribe"]))
        assert end
        town.notifications.subscriptions.remove_by_token(end[1])
    assert town.notifications.subscriptions.channels(owner) == []


def asked(town: Town, owner: str, address: str) -> str:
    """The link in the letter that asks whether an address is somebody's."""
    with town.services.database.session() as session:
        channel = session.get_one(ChannelRow, town.notifications.subscriptions.add_mail(session, owner, address))
        enqueue_delivery(session, "mail", f"confirm/{channel.id}", Delivery(channel.id, town.time, made=channel.made))
    town.work()
    found = re.search(r"/told/confirm/(\S+)", texts(town.mail.letters)[-1])
    assert found
    return found[1]


def test_a_link_is_for_the_address_that_it_was_sent_to(town: Town) -> None:
    """SQLite gives the number of a wire that is gone to the next one."""
    _, mallory = town.services.people.welcome()
    owner = owner_of(mallory)
    own = asked(town, owner, "mallory@example.org")
    (channel,) = town.notifications.subscriptions.channels(owner)
    town.notifications.subscriptions.remove(owner, channel.id)
    town.time += timedelta(seconds=1)
    asked(town, owner, "victim@example.org")
    with pytest.raises(NotHere):
        town.notifications.subscriptions.confirm(own)
    assert not any(each.confirmed for each in town.notifications.subscriptions.channels(owner))


def test_what_was_for_a_wire_that_is_gone_is_told_to_nobody_else(town: Town) -> None:
    found, boris = two_people(town)
    (channel,) = town.notifications.subscriptions.channels(owner_of(boris))
    pass_on(town, found["host"])
    hands = dict(town.hands())
    assert town.runner._do_one("tell", hands["tell"].handler)  # the letter is on its way
    town.notifications.subscriptions.remove(owner_of(boris), channel.id)
    town.time += timedelta(seconds=1)
    _, carol = town.services.people.welcome()
    town.mail_wire(carol, "carol@example.org")
    town.work()
    assert texts(town.mail.letters) == []


def test_rooms_where_others_read_get_no_key(town: Town) -> None:
    found, boris = two_people(town)
    for shape in ("discord", "slack", "json"):
        town.notifications.subscriptions.add_webhook(owner_of(boris), f"{town.web.url}/{shape}?token=1", shape)
    pass_on(town, found["host"])
    town.work()
    posted = [town.web.posted.get(timeout=5) for _ in range(3)]
    told = {each.path.partition("?")[0]: each.told for each in posted}
    assert set(told["/slack"]) == {"text"}
    assert told["/discord"]["allowed_mentions"] == {"parse": []}
    assert told["/json"]["address"] == f"{ADDRESS}/g/{found['p2'].game}"
    for each in posted:
        assert b"Boris" in each.body
        assert all(key.key.encode() not in each.body for key in found.values())


def test_names_are_no_links_and_call_nobody() -> None:
    told = {
        "text": "[x](https://evil.example) @everyone <!channel> & **B**",
        "address": "https://games.example.org/g/1",
    }
    discord, slack = PAYLOAD_FORMATS["discord"](told), PAYLOAD_FORMATS["slack"](told)
    assert "[x](" not in discord["content"]
    assert "**" not in discord["content"]
    assert discord["allowed_mentions"] == {"parse": []}
    assert slack["text"].count("<") == 1, "only the address of the table"


def test_push_messages_are_read_by_that_browser_alone(town: Town) -> None:
    found, boris = two_people(town)
    browser, stranger = Browser(f"{town.web.url}/push/1"), Browser(f"{town.web.url}/push/1")
    town.notifications.subscriptions.add_push(owner_of(boris), browser.push_subscription)
    pass_on(town, found["host"])
    town.work()
    posted = town.web.posted.get(timeout=5)
    assert browser.read(posted)["path"] == f"/t/{found['p2'].key}"
    with pytest.raises(Exception):  # noqa: B017, PT011 - whatever the library says of a wrong key
        stranger.read(posted)
    assert Vapid02.verify(posted.headers["authorization"])
    assert town.notifications.dispatcher.signer.public in posted.headers["authorization"]
    # a browser that is gone is forgotten
    town.web.answers.append((410, {}))
    game_service = town.services.game_service
    while game_service.game_copy(found["p2"].game).question.decider == "p2":  # type: ignore[union-attr]
        step(game_service, found["p2"])
    pass_on(town, found["host"])
    town.work()
    assert [channel.kind for channel in town.notifications.subscriptions.channels(owner_of(boris))] == ["mail"]


def test_what_does_not_arrive_is_tried_again_for_a_day(town: Town) -> None:
    found, boris = two_people(town)
    channel = town.notifications.subscriptions.add_webhook(owner_of(boris), f"{town.web.url}/room", "json")
    town.web.answers.extend([(500, {})] * 3)
    pass_on(town, found["host"])
    town.work()
    assert town.web.posted.qsize() == 1
    for pause in (5, 10, 20):
        town.time += timedelta(seconds=pause - 1)
        town.work()
        tried = town.web.posted.qsize()
        town.time += timedelta(seconds=1)
        town.work()
        assert town.web.posted.qsize() == tried + 1
    assert town.pending() == []
    assert town.trouble(channel) == ""
    game_service = town.services.game_service
    while game_service.game_copy(found["p2"].game).question.decider == "p2":  # type: ignore[union-attr]
        step(game_service, found["p2"])
    pass_on(town, found["host"])
    town.web.answers.extend([(500, {})] * 100)
    for _ in range(60):
        town.work()
        town.time += timedelta(minutes=40)
    assert "answered 500" in town.trouble(channel)
    assert town.pending() == []


def test_what_a_mail_server_refuses_for_good_is_told_on_the_page(town: Town) -> None:
    found, boris = two_people(town)
    town.mail.handler.refusing = "550 no such user here"
    pass_on(town, found["host"])
    town.work()
    (channel,) = town.notifications.subscriptions.channels(owner_of(boris))
    assert "no such user here" in channel.trouble
    assert town.pending() == []


def test_mentions_and_proposals_are_told(town: Town) -> None:
    found, boris = two_people(town)
    town.subscribe(boris, events=("mention", "vote"))
    game_service, setup = town.services.game_service, town.services.game_service.game_copy(found["p2"].game).setup
    town.services.chat.post_message(found["host"], setup, "@Borislav, @anna: hello")
    town.work()
    assert texts(town.mail.letters) == []
    for _ in range(2):
        town.services.chat.post_message(found["host"], setup, "Your turn, @boris!")
        town.work()
    (letter,) = texts(town.mail.letters)
    assert "Anna mentioned you" in letter
    version = step(game_service, found["host"])
    town.services.proposals.make(found["host"], version, 0)
    town.work()
    (letter,) = texts(town.mail.letters)
    assert "would like to go back to move 0" in letter


def test_the_daily_mail_says_where_one_is_asked(town: Town) -> None:
    found, boris = two_people(town)
    subscription = Subscription(events=(), zone="Europe/Prague", digest_hour=7)
    town.notifications.subscriptions.save(owner_of(boris), subscription)
    with town.services.database.session() as session:
        schedule_digest(session, owner_of(boris), subscription, town.time)
    pass_on(town, found["host"])
    town.time = datetime(2026, 7, 2, 4, 59, tzinfo=UTC)
    town.work()
    assert texts(town.mail.letters) == []
    town.time += timedelta(minutes=1)
    town.work()
    (letter,) = texts(town.mail.letters)
    assert "you are asked since 17 hours" in letter
    assert f"{ADDRESS}/t/{found['p2'].key}" in letter
    town.work()
    assert texts(town.mail.letters) == []
    assert town.pending() == [f"digest/{owner_of(boris)}"]
    game_service = town.services.game_service
    while game_service.game_copy(found["p2"].game).question.decider == "p2":  # type: ignore[union-attr]
        step(game_service, found["p2"])
    town.time += timedelta(days=1)
    town.work()
    assert texts(town.mail.letters) == [], "nobody asks them anything"


def test_an_hour_is_that_of_the_clocks_there() -> None:
    winter = datetime(2026, 10, 25, 12, tzinfo=UTC)  # the night before, clocks were put back
    assert next_digest_at(7, "Europe/Prague", winter) == datetime(2026, 10, 26, 6, tzinfo=UTC)
    assert next_digest_at(7, "Europe/Prague", winter - timedelta(days=1)) == datetime(2026, 10, 25, 6, tzinfo=UTC)


def test_a_new_account_goes_on_with_what_was_wanted_without_one(town: Town) -> None:
    found, boris = two_people(town)
    town.notifications.subscriptions.set_for_game(owner_of(boris), found["p2"].game, True)
    entered = town.services.people.register(boris, "Boris", "a long password")
    account = town.services.people.visitor(entered.cookie)
    assert account is not None
    assert [channel.address for channel in town.notifications.subscriptions.channels(owner_of(account))] == [
        "boris@example.org"
    ]
    assert town.notifications.subscriptions.get(owner_of(account)).every_game
    pass_on(town, found["host"])
    town.work()
    assert len(texts(town.mail.letters)) == 1


def test_a_new_account_goes_on_getting_the_daily_mail(town: Town) -> None:
    found, boris = two_people(town)
    subscription = Subscription(events=(), digest_hour=7)
    town.notifications.subscriptions.save(owner_of(boris), subscription)
    with town.services.database.session() as session:
        schedule_digest(session, owner_of(boris), subscription, town.time)
    pass_on(town, found["host"])
    town.services.people.register(boris, "Boris", "a long password")
    for _ in range(2):
        town.time += timedelta(days=1)
        town.work()
        assert len(texts(town.mail.letters)) == 1


def test_two_workers_tell_a_turn_once(town: Town) -> None:
    found, _ = two_people(town)
    pass_on(town, found["host"])
    jobs = Jobs(town.services.database)
    with jobs.claim(["tell"], town.time) as job:
        assert job is not None
        town.notifications.dispatcher.fan_out(job)
        with pytest.raises(Exception, match="done that already"):
            town.notifications.dispatcher.fan_out(job)
    town.work()
    assert len(texts(town.mail.letters)) == 1


def test_a_planning_board_tells_nobody(town: Town) -> None:
    found, _ = two_people(town)
    board = town.services.plans.create(found["host"], "North", None)
    with town.services.game_service.holding(board.game) as room:
        version, action = room.version, first_answer(room.game)
    town.services.game_service.answer(board, version, action)
    assert town.pending() == []


def test_nobodys_outside_is_reached_without_leave(url: str) -> None:
    """As a server is set up if nothing is said."""
    plain = SafeHttpClient()
    with web_server() as web, pytest.raises(Exception, match="private network"):
        plain.post(f"{web.url}/room", b"{}", {})
    assert web.posted.empty()
