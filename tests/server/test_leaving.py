"""Somebody takes all that is kept of them along, or goes: what is left, and what is not."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import msgspec
import pytest
from sqlalchemy import select

from ostbahn.server.accounts.people import AccountRow, People, VisitorRow, Wish, owner_of
from ostbahn.server.chat.service import MessageRow, Talk
from ostbahn.server.clocks.clock import SeenRow
from ostbahn.server.clocks.service import Holidays, LastSeen
from ostbahn.server.games.keys import MyGames
from ostbahn.server.games.listeners import Telling
from ostbahn.server.games.repository import survey
from ostbahn.server.games.results import rate_anew
from ostbahn.server.games.service import House
from ostbahn.server.games.services import Proposals
from ostbahn.server.games.tables import GameRow, ResultRow
from ostbahn.server.jobs.queue import want
from ostbahn.server.notifications.service import TELL
from ostbahn.server.notifications.subscriptions import Wishes
from ostbahn.server.ops.backups import METADATA
from ostbahn.server.ops.leaving import Leaving, owned_rows
from ostbahn.server.plans.service import Plans
from ostbahn.server.programmed.service import PreparedRow
from ostbahn.server.tournaments.service import NewTournament, Programme, Tournaments
from ostbahn.table.access import NotHere, NotYours
from ostbahn.table.table_view import notice_views
from tests.server.endings import person, played
from tests.server.tables import another, house_on, keys, now, people_on, standing, step, wanted

WORD = "eisenbahn"


@pytest.fixture
def people(house: House) -> People:
    return people_on(house.archive)


@pytest.fixture
def leaving(house: House, people: People) -> Leaving:
    return Leaving(house, people)


def everything(house: House) -> str:
    """All that stands in the database, as text."""
    with house.archive.session() as session:
        return "\n".join(
            repr(tuple(row)) for table in METADATA.sorted_tables for row in session.execute(select(table)).all()
        )


def test_all_that_is_kept_of_somebody_is_exported_without_secrets(
    house: House, people: People, leaving: Leaving
) -> None:
    ottilie, ben = person(people, "Ottilie"), person(people, "Ben")
    table = played(house, people, ottilie, ben)
    own = table.seats["p1"]
    talk, plans = Talk(house), Plans(house)
    with house.holding(table.game) as room:
        setup = room.game.setup
    talk.say(own, setup, "well played")
    talk.say(table.seats["p2"], setup, "by myself")
    talk.keep_note(own, "buy the last train")
    plans.make(own, "What if")
    plans.close()
    with pytest.raises(NotYours):
        leaving.export(ottilie, "wrong word")
    sent = leaving.export(ottilie, WORD)
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
    with house.archive.session() as session:
        account = session.scalars(select(AccountRow).where(AccountRow.name == "Ottilie")).one()
        for secret in (account.password, account.recovery, account.person):
            assert secret.encode() not in sent


def test_of_a_deleted_account_only_nameless_seats_are_left(
    house: House, people: People, leaving: Leaving, url: str
) -> None:
    ottilie, ben = person(people, "Ottilie"), person(people, "Ben")
    host = house.open(wanted("here", "link", "link"))
    found = keys(house, host)
    MyGames(people.archive).keep(ottilie, found["p2"])
    MyGames(people.archive).keep(ben, host)
    house.name_seat(found["p2"], "p2", "Otti")
    house.name_seat(found["p2"], "p2", "Ottilie")
    step(house, host)
    step(house, found["p2"])
    plans, talk = Plans(house), Talk(house)
    board = plans.make(host, "What if")
    with house.holding(host.game) as room:
        setup = room.game.setup
    talk.say(found["p2"], setup, "a secret of mine")
    talk.say(host, setup, "what others said")
    talk.keep_note(found["p2"], "a note of mine")
    plans.make(found["p2"], "a plan of mine")
    before = standing(house, host)
    beside = house_on(house.archive)  # another worker, which has read the game before
    standing(beside, host)
    with pytest.raises(NotYours):
        leaving.delete(ottilie, "wrong word")
    leaving.delete(ottilie, WORD)
    left = everything(house)
    for gone in ("Ottilie", "ottilie", "Otti", "a secret of mine", "a note of mine", "a plan of mine"):
        assert gone not in left, gone
    assert "what others said" in left
    with another(url) as later:
        for worker in (house, beside, later):
            with worker.holding(host.game) as room:
                assert room.game.setup.players == ("Anna", "Somebody", "Clara")
                assert (room.number, room.game.state.digest) == before[1:]
                assert room.damage == ""
                told = [view.words for views in notice_views(room).values() for view in views]
                assert told == ["sits down"]
    with house.archive.session() as session:
        assert list(survey(session)) == []
    with house.holding(board.game) as room:
        assert room.game.setup.players == ("Anna", "Somebody", "Clara")
    plans.close()
    with pytest.raises(NotHere):
        people.number_of("Ottilie")
    assert house.access(found["p2"].key).seats == ("p2",), "the link to the seat works on"
    people.register(None, "Ottilie", WORD)


def test_several_who_are_gone_are_still_told_apart(house: House, people: People, leaving: Leaving) -> None:
    host = house.open(wanted("here", "link", "link"))
    found = keys(house, host)
    for seat in ("p2", "p3"):
        one = person(people, f"Guest {seat}")
        MyGames(people.archive).keep(one, found[seat])
        leaving.delete(one, WORD)
    with house.holding(host.game) as room:
        assert room.game.setup.players == ("Anna", "Somebody", "Somebody 2")
    with house.archive.session() as session:
        assert session.scalars(select(GameRow.name)).all() == ["Anna, Somebody, Somebody 2"]


def test_ratings_of_others_stay_when_somebody_goes(house: House, people: People, leaving: Leaving) -> None:
    anna, ben, clara = (person(people, name) for name in ("Anna", "Ben", "Clara"))
    played(house, people, anna, ben)
    played(house, people, ben, clara)

    def ratings() -> list[tuple[float | None, float | None]]:
        wanted = select(ResultRow.mu, ResultRow.sigma).order_by(ResultRow.number, ResultRow.seat)
        with house.archive.session() as session:
            return [(mu, sigma) for mu, sigma in session.execute(wanted)]

    before = ratings()
    leaving.delete(ben, WORD)
    assert ratings() == before
    with house.archive.session() as session:
        assert rate_anew(session) == 2
    assert ratings() == before
    with house.archive.session() as session:
        assert session.scalars(select(VisitorRow).where(VisitorRow.account == ben.account)).all() == []


def test_ways_to_reach_somebody_are_taken_along_and_go_with_them(
    house: House, people: People, leaving: Leaving
) -> None:
    ottilie, ben = person(people, "Ottilie"), person(people, "Ben")
    own, other = owner_of(ottilie), owner_of(ben)
    table = played(house, people, ottilie, ben)
    wishes = Wishes(house.archive, now)
    monday = now().date() + timedelta(days=1)  # wherever it is tomorrow already
    for owner, name in ((own, "ottilie"), (other, "ben")):
        with house.archive.session() as session:
            wishes.add_mail(session, owner, f"{name}@example.org")
        wishes.add_webhook(owner, f"https://rooms.example.org/hidden-{name}", "json")
        wishes.ring(owner, table.game, True)
        wishes.keep(owner, Wish(zone="Europe/Prague", digest_hour=7))
        Holidays(house.archive, now).take(owner, monday, monday)
    with house.archive.session() as session:
        keys_of_browser = json.dumps({"p256dh": "BrowsersKey", "auth": "BrowsersSecret"})
        wishes._add(session, own, "push", "https://push.example.org/hidden", "9", keys_of_browser)
    LastSeen(house.archive, now).note(table.seats["p1"])

    told: dict[str, Any] = json.loads(leaving.export(ottilie, WORD))
    wires = {each["kind"]: each["address"] for each in told["wires"]}
    assert wires == {"mail": "ottilie@example.org", "webhook": "rooms.example.org", "push": "push.example.org"}
    assert told["wishes"][0]["zone"] == "Europe/Prague"
    assert told["bells"] == [{"game": table.game, "rings": True}]
    assert len(told["holidays"]) == 1
    assert [(each["game"], each["seat"]) for each in told["seen"]] == [(table.game, "p1")]
    assert "hidden" not in json.dumps(told)
    assert "Browsers" not in json.dumps(told)

    leaving.delete(ottilie, WORD)
    left = everything(house)
    assert "ottilie" not in left.casefold()
    assert "hidden-ben" in left
    with house.archive.session() as session:
        assert all(not rows for rows in owned_rows(session, own).values())
        assert all(len(rows) >= 1 for rows in owned_rows(session, other).values())
        assert session.scalars(select(SeenRow)).all() == []


def test_the_name_of_somebody_who_is_gone_stands_in_no_sentence_any_more(
    house: House, people: People, leaving: Leaving, url: str
) -> None:
    ottilie, ben = person(people, "Ottilie"), person(people, "Ben")
    host = house.open(wanted("here", "link", "link", name="Evening with Ottilie and others"))
    found = keys(house, host)
    MyGames(people.archive).keep(ottilie, found["p2"])
    MyGames(people.archive).keep(ben, host)
    house.name_seat(found["p2"], "p2", "Ottilie")
    house.name_seat(found["p3"], "p3", "Clara")
    for who in (host, found["p2"], found["p3"]):
        step(house, who)
    proposals = Proposals(house)
    version = proposals.make(host, standing(house, host)[0], 1)
    for who in (found["p2"], found["p3"]):
        version = proposals.reply(who, version, agree=True)
    Plans(house).make(host, "What Ottilie does")
    with house.holding(host.game) as room:
        setup = room.game.setup
        assert [view.note for views in notice_views(room).values() for view in views][-1] == "Ottilie and Clara agreed."
    Talk(house).say(host, setup, "@Ottilie, your turn")
    tournaments = Tournaments(house)
    programme = Programme(title="18CZ", variant="base")
    tournaments.make(ottilie, NewTournament(name="Ottilie's Cup", programme=programme, size=3, rounds=1))
    assert everything(house).count("Ottilie") > 5
    leaving.delete(ottilie, WORD)
    assert "Ottilie" not in everything(house)
    with another(url) as later, later.holding(host.game) as room:
        assert room.damage == ""
        assert room.name == "Evening with Somebody and others"
        told = [view.note for views in notice_views(room).values() for view in views if view.note]
        assert told == ["Somebody and Clara agreed."]
        assert [line.text for line in Talk(later).messages(host.game)] == ["@Somebody, your turn"]
    with house.archive.session() as session:
        assert list(survey(session)) == []


def test_what_is_still_to_be_told_to_others_names_nobody_who_is_gone(
    house: House, people: People, leaving: Leaving
) -> None:
    ottilie = person(people, "Ottilie")
    host = house.open(wanted("here", "link", "link"))
    guest = keys(house, host)["p2"]
    MyGames(people.archive).keep(ottilie, guest)
    house.name_seat(guest, "p2", "Ottilie")
    telling = Telling("vote", host.game, "p1", "time-1", "Ottilie would like this: the clocks stand still.")
    with house.archive.session() as session:
        want(session, TELL, telling.name, data=msgspec.json.encode(telling).decode(), game=host.game)
        moved = PreparedRow(
            game=host.game, seat="p1", data="{}", number=0, stamp=0, ended="Ottilie bought it", done=False
        )
        session.add(moved)
        session.add(MessageRow(game=host.game, who="Anna & Ottilie", text="hello", at=now(), hash=host.hash))
    leaving.delete(ottilie, WORD)
    left = everything(house)
    assert "Ottilie" not in left
    for text in ("Somebody would like this", "Somebody bought it", "Anna & Somebody"):
        assert text in left
