"""Talking at the table, and private notes."""

from __future__ import annotations

import pytest

from ostbahn.kits.catalogue import new_game
from ostbahn.server.chat.service import LONGEST_MESSAGE, LONGEST_NOTE, Chat
from ostbahn.server.games.new_table import NewSeat, NewTable
from ostbahn.server.games.service import GameService
from ostbahn.server.ops.moderation import REMOVED, Moderation
from ostbahn.table.access import Unreadable
from ostbahn.table.slots import Slots
from ostbahn.table.table_view import table_view
from tests.server.tables import NAMES, keys, people_on, wanted

SETUP = new_game("18CZ", NAMES[:3]).setup


@pytest.fixture
def talk(game_service: GameService) -> Chat:
    return Chat(game_service)


def test_everybody_speaks_under_his_name(game_service: GameService, talk: Chat) -> None:
    found = keys(game_service, game_service.create_game(wanted("here", "link", "here")))
    nobody = keys(game_service, game_service.create_game(wanted("link", "link", "link")))["host"]
    for who in (found["host"], found["p2"], found["spectator"]):
        talk.post_message(who, SETUP, " <b>hello</b> ")
    talk.post_message(nobody, SETUP, "?")
    said = talk.messages(found["host"].game)
    assert [(line.who, line.text) for line in said] == [
        ("Anna & Clara", "<b>hello</b>"),
        ("Boris", "<b>hello</b>"),
        ("Spectator", "<b>hello</b>"),
    ]
    assert [line.who for line in talk.messages(nobody.game)] == ["Host"]


def test_the_last_lines_come_oldest_first(game_service: GameService, talk: Chat) -> None:
    host = game_service.create_game(wanted())
    for number in range(8):
        talk.post_message(host, SETUP, str(number))
    assert [line.text for line in talk.messages(host.game, limit=3)] == ["5", "6", "7"]
    fifth = talk.messages(host.game)[4]
    assert [line.text for line in talk.messages(host.game, after=fifth.id)] == ["5", "6", "7"]


@pytest.mark.parametrize("text", ["", "  \n ", "x" * (LONGEST_MESSAGE + 1)])
def test_empty_and_endless_messages_are_refused(game_service: GameService, talk: Chat, text: str) -> None:
    host = game_service.create_game(wanted())
    with pytest.raises(Unreadable):
        talk.post_message(host, SETUP, text)
    assert talk.messages(host.game) == []


def test_whoever_speaks_for_many_has_a_name_that_fits_the_archive(game_service: GameService, talk: Chat) -> None:
    seats = tuple(NewSeat(letter * 40) for letter in "ABCDEF")
    host = game_service.create_game(NewTable(title="18CZ", seats=seats))
    with game_service.holding(host.game) as room:
        talk.post_message(host, room.game.setup, "we")
    assert len(talk.messages(host.game)[0].who) <= 80


def test_notes_belong_to_a_key(game_service: GameService, talk: Chat) -> None:
    found = keys(game_service, game_service.create_game(wanted("here", "link", "link")))
    assert talk.note(found["p2"]) == ""
    talk.save_note(found["p2"], "buy BCB")
    talk.save_note(found["p2"], "sell BCB\n")
    assert talk.note(found["p2"]) == "sell BCB\n"
    assert [talk.note(found[name]) for name in ("host", "p3", "spectator")] == ["", "", ""]
    with pytest.raises(Unreadable):
        talk.save_note(found["p2"], "x" * (LONGEST_NOTE + 1))
    assert talk.note(found["p2"]) == "sell BCB\n"


def test_a_line_that_was_removed_is_gone_from_the_next_look_at_the_table(game_service: GameService, talk: Chat) -> None:
    host = game_service.create_game(wanted())
    talk.post_message(host, SETUP, "rude words")

    def shown() -> list[str]:
        with game_service.holding(host.game) as room:
            view = table_view(room, host, slots=Slots(messages=tuple(talk.messages(host.game))))
            return ["".join(part.text for part in line.parts) for line in view.messages]

    assert shown() == ["rude words"]
    Moderation(game_service, people_on(game_service.database)).remove_message(talk.messages(host.game)[0].id)
    assert shown() == [REMOVED]
