"""Somebody takes all that is kept of them along, or goes: what is left, and what is not."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import msgspec
import pytest
from sqlalchemy import select

from ostbahn.server.accounts.people import AccountRow, AccountService, Subscription, VisitorRow, owner_of
from ostbahn.server.chat.service import Chat, MessageRow
from ostbahn.server.clocks.clock import SeenRow
from ostbahn.server.clocks.service import Holidays, LastSeen
from ostbahn.server.games.keys import MyGames
from ostbahn.server.games.listeners import Notification
from ostbahn.server.games.repository import damaged_games
from ostbahn.server.games.results import rate_anew
from ostbahn.server.games.service import GameService
from ostbahn.server.games.services import Proposals
from ostbahn.server.games.tables import GameRow, ResultRow
from ostbahn.server.jobs.queue import enqueue
from ostbahn.server.notifications.service import FAN_OUT_JOB
from ostbahn.server.notifications.subscriptions import Subscriptions
from ostbahn.server.ops.backups import METADATA
from ostbahn.server.ops.personal_data import PersonalData, owned_rows
from ostbahn.server.plans.service import Plans
from ostbahn.server.programmed.service import ProgrammedMoveRow
from ostbahn.server.tournaments.service import NewTournament, Programme, Tournaments
from ostbahn.table.access import NotHere, NotYours
from ostbahn.table.table_view import notice_views
from tests.server.endings import person, played
from tests.server.tables import another, game_service_on, keys, now, people_on, standing, step, wanted

WORD = "eisenbahn"


@pytest.fixture
def people(game_service: GameService) -> AccountService:
    return people_on(game_service.database)


@pytest.fixture
def personal_data(game_service: GameService, people: AccountService) -> PersonalData:
    return PersonalData(game_service, people)


def everything(game_service: GameService) -> str:
    """All that stands in the database, as text."""
    with game_service.database.session() as session:
        return "\n".join(
            repr(tuple(row)) for table in METADATA.sorted_tables for row in session.execute(select(table)).all()
        )


def test_all_that_is_kept_of_somebody_is_exported_without_secrets(
    game_service: GameService, people: AccountService, personal_data: PersonalData
) -> None:
    ottilie, ben = person(people, "Ottilie"), person(people, "Ben")
    table = played(game_service, people, ottilie, ben)
    own = table.seats["p1"]
    talk, plans = Chat(game_service), Plans(game_service)
    with game_service.holding(table.game) as room:
        setup = room.game.setup
    talk.post_message(own, setup, "well played")
    talk.post_message(table.seats["p2"], setup, "by myself")
    talk.save_note(own, "buy the last train")
    plans.create(own, "What if")
    plans.close()
    with pytest.raises(NotYours):
        personal_data.export(ottilie, "wrong word")
    sent = personal_data.export(ottilie, WORD)
    told: dict[str, Any] = json.loads(sent)
    assert told["account"]["name"] == "Ottilie"
    assert [game["game"] for game in told["games"]] == [table.game]
    assert all(line["by"] == "p1" for line in told["games"][0]["log"])
    assert [row["seat"] for row in told["results"]] == ["p1"]
    assert [row["text"] for row in told["messages"]] == ["well played"]
    assert [row["text"] for row in told["notes"]] == ["buy the last train"]
    assert len(told["plans"]) == len(told["visitors"]) == len(told["keepings"]) == 1
    assert own.key.encode() not in sent
    assert own.hash.encode() not in sent
    with game_service.database.session() as session:
        account = session.scalars(select(AccountRow).where(AccountRow.name == "Ottilie")).one()
        for secret in (account.password, account.recovery, account.person):
            assert secret.encode() not in sent


def test_of_a_deleted_account_only_nameless_seats_are_left(
    game_service: GameService, people: AccountService, personal_data: PersonalData, url: str
) -> None:
    ottilie, ben = person(people, "Ottilie"), person(people, "Ben")
    host = game_service.create_game(wanted("here", "link", "link"))
    found = keys(game_service, host)
    MyGames(people.database).keep(ottilie, found["p2"])
    MyGames(people.database).keep(ben, host)
    game_service.name_seat(found["p2"], "p2", "Otti")
    game_service.name_seat(found["p2"], "p2", "Ottilie")
    step(game_service, host)
    step(game_service, found["p2"])
    plans, talk = Plans(game_service), Chat(game_service)
    board = plans.create(host, "What if")
    with game_service.holding(host.game) as room:
        setup = room.game.setup
    talk.post_message(found["p2"], setup, "a secret of mine")
    talk.post_message(host, setup, "what others said")
    talk.save_note(found["p2"], "a note of mine")
    plans.create(found["p2"], "a plan of mine")
    before = standing(game_service, host)
    beside = game_service_on(game_service.database)  # another worker, which has read the game before
    standing(beside, host)
    with pytest.raises(NotYours):
        personal_data.delete(ottilie, "wrong word")
    personal_data.delete(ottilie, WORD)
    left = everything(game_service)
    for gone in ("Ottilie", "ottilie", "Otti", "a secret of mine", "a note of mine", "a plan of mine"):
        assert gone not in left, gone
    assert "what others said" in left
    with another(url) as later:
        for worker in (game_service, beside, later):
            with worker.holding(host.game) as room:
                assert room.game.setup.players == ("Anna", "Somebody", "Clara")
                assert (room.number, room.game.state.digest) == before[1:]
                assert room.damage == ""
                told = [view.words for views in notice_views(room).values() for view in views]
                assert told == ["sits down"]
    with game_service.database.session() as session:
        assert list(damaged_games(session)) == []
    with game_service.holding(board.game) as room:
        assert room.game.setup.players == ("Anna", "Somebody", "Clara")
    plans.close()
    with pytest.raises(NotHere):
        people.account_id("Ottilie")
    assert game_service.access(found["p2"].key).seats == ("p2",), "the link to the seat works on"
    people.register(None, "Ottilie", WORD)


def test_several_who_are_gone_are_still_told_apart(
    game_service: GameService, people: AccountService, personal_data: PersonalData
) -> None:
    host = game_service.create_game(wanted("here", "link", "link"))
    found = keys(game_service, host)
    for seat in ("p2", "p3"):
        one = person(people, f"Guest {seat}")
        MyGames(people.database).keep(one, found[seat])
        personal_data.delete(one, WORD)
    with game_service.holding(host.game) as room:
        assert room.game.setup.players == ("Anna", "Somebody", "Somebody 2")
    with game_service.database.session() as session:
        assert session.scalars(select(GameRow.name)).all() == ["Anna, Somebody, Somebody 2"]


def test_ratings_of_others_stay_when_somebody_goes(
    game_service: GameService, people: AccountService, personal_data: PersonalData
) -> None:
    anna, ben, clara = (person(people, name) for name in ("Anna", "Ben", "Clara"))
    played(game_service, people, anna, ben)
    played(game_service, people, ben, clara)

    def ratings() -> list[tuple[float | None, float | None]]:
        wanted = select(ResultRow.mu, ResultRow.sigma).order_by(ResultRow.number, ResultRow.seat)
        with game_service.database.session() as session:
            return [(mu, sigma) for mu, sigma in session.execute(wanted)]

    before = ratings()
    personal_data.delete(ben, WORD)
    assert ratings() == before
    with game_service.database.session() as session:
        assert rate_anew(session) == 2
    assert ratings() == before
    with game_service.database.session() as session:
        assert session.scalars(select(VisitorRow).where(VisitorRow.account == ben.account)).all() == []


def test_ways_to_reach_somebody_are_taken_along_and_go_with_them(
    game_service: GameService, people: AccountService, personal_data: PersonalData
) -> None:
    ottilie, ben = person(people, "Ottilie"), person(people, "Ben")
    own, other = owner_of(ottilie), owner_of(ben)
    table = played(game_service, people, ottilie, ben)
    subscriptions = Subscriptions(game_service.database, now)
    monday = now().date() + timedelta(days=1)  # wherever it is tomorrow already
    for owner, name in ((own, "ottilie"), (other, "ben")):
        with game_service.database.session() as session:
            subscriptions.add_mail(session, owner, f"{name}@example.org")
        subscriptions.add_webhook(owner, f"https://rooms.example.org/hidden-{name}", "json")
        subscriptions.set_for_game(owner, table.game, True)
        subscriptions.save(owner, Subscription(zone="Europe/Prague", digest_hour=7))
        Holidays(game_service.database, now).add(owner, monday, monday)
    with game_service.database.session() as session:
        keys_of_browser = json.dumps({"p256dh": "BrowsersKey", "auth": "BrowsersSecret"})
        subscriptions._add(session, own, "push", "https://push.example.org/hidden", "9", keys_of_browser)
    LastSeen(game_service.database, now).note(table.seats["p1"])

    told: dict[str, Any] = json.loads(personal_data.export(ottilie, WORD))
    channels = {each["kind"]: each["address"] for each in told["wires"]}
    assert channels == {"mail": "ottilie@example.org", "webhook": "rooms.example.org", "push": "push.example.org"}
    assert told["wishes"][0]["zone"] == "Europe/Prague"
    assert told["bells"] == [{"game": table.game, "rings": True}]
    assert len(told["holidays"]) == 1
    assert [(each["game"], each["seat"]) for each in told["seen"]] == [(table.game, "p1")]
    assert "hidden" not in json.dumps(told)
    assert "Browsers" not in json.dumps(told)

    personal_data.delete(ottilie, WORD)
    left = everything(game_service)
    assert "ottilie" not in left.casefold()
    assert "hidden-ben" in left
    with game_service.database.session() as session:
        assert all(not rows for rows in owned_rows(session, own).values())
        assert all(len(rows) >= 1 for rows in owned_rows(session, other).values())
        assert session.scalars(select(SeenRow)).all() == []


def test_the_name_of_somebody_who_is_gone_stands_in_no_sentence_any_more(
    game_service: GameService, people: AccountService, personal_data: PersonalData, url: str
) -> None:
    ottilie, ben = person(people, "Ottilie"), person(people, "Ben")
    host = game_service.create_game(wanted("here", "link", "link", name="Evening with Ottilie and others"))
    found = keys(game_service, host)
    MyGames(people.database).keep(ottilie, found["p2"])
    MyGames(people.database).keep(ben, host)
    game_service.name_seat(found["p2"], "p2", "Ottilie")
    game_service.name_seat(found["p3"], "p3", "Clara")
    for who in (host, found["p2"], found["p3"]):
        step(game_service, who)
    proposals = Proposals(game_service)
    version = proposals.make(host, standing(game_service, host)[0], 1)
    for who in (found["p2"], found["p3"]):
        version = proposals.reply(who, version, agree=True)
    Plans(game_service).create(host, "What Ottilie does")
    with game_service.holding(host.game) as room:
        setup = room.game.setup
        assert [view.note for views in notice_views(room).values() for view in views][-1] == "Ottilie and Clara agreed."
    Chat(game_service).post_message(host, setup, "@Ottilie, your turn")
    tournaments = Tournaments(game_service)
    programme = Programme(title="18CZ", variant="base")
    tournaments.create(ottilie, NewTournament(name="Ottilie's Cup", programme=programme, size=3, rounds=1))
    assert everything(game_service).count("Ottilie") > 5
    personal_data.delete(ottilie, WORD)
    assert "Ottilie" not in everything(game_service)
    with another(url) as later, later.holding(host.game) as room:
        assert room.damage == ""
        assert room.name == "Evening with Somebody and others"
        told = [view.note for views in notice_views(room).values() for view in views if view.note]
        assert told == ["Somebody and Clara agreed."]
        assert [line.text for line in Chat(later).messages(host.game)] == ["@Somebody, your turn"]
    with game_service.database.session() as session:
        assert list(damaged_games(session)) == []


def test_what_is_still_to_be_told_to_others_names_nobody_who_is_gone(
    game_service: GameService, people: AccountService, personal_data: PersonalData
) -> None:
    ottilie = person(people, "Ottilie")
    host = game_service.create_game(wanted("here", "link", "link"))
    guest = keys(game_service, host)["p2"]
    MyGames(people.database).keep(ottilie, guest)
    game_service.name_seat(guest, "p2", "Ottilie")
    notification = Notification("vote", host.game, "p1", "time-1", "Ottilie would like this: the clocks stand still.")
    with game_service.database.session() as session:
        enqueue(
            session, FAN_OUT_JOB, notification.name, data=msgspec.json.encode(notification).decode(), game=host.game
        )
        moved = ProgrammedMoveRow(
            game=host.game, seat="p1", data="{}", number=0, stamp=0, ended="Ottilie bought it", done=False
        )
        session.add(moved)
        session.add(MessageRow(game=host.game, who="Anna & Ottilie", text="hello", at=now(), hash=host.hash))
    personal_data.delete(ottilie, WORD)
    left = everything(game_service)
    assert "Ottilie" not in left
    for text in ("Somebody would like this", "Somebody bought it", "Anna & Somebody"):
        assert text in left
