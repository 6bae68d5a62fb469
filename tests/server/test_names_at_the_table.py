"""What people are called: guests say it when they sit down, and everybody sees it, also in what is kept of the game."""

from __future__ import annotations

import msgspec
import pytest

from ostbahn.interop import saves
from ostbahn.kernel.errors import BadSetup, OstbahnError, Refused
from ostbahn.server.chat.service import Chat
from ostbahn.server.games.repository import SNAPSHOT_INTERVAL
from ostbahn.server.games.service import MOST_NAMES, GameService
from ostbahn.server.games.services import Proposals
from ostbahn.table.access import Access, NotYours, Stale
from ostbahn.table.table_view import TableView, table_view
from tests.server.tables import another, keys, standing, step, wanted


def seen(game_service: GameService, who: Access, at: int | None = None) -> TableView:
    with game_service.holding(who.game) as room:
        return table_view(room, who, at)


def names(game_service: GameService, who: Access) -> list[str]:
    return [seat.name for seat in seen(game_service, who).seats]


def told(game_service: GameService, who: Access) -> list[str]:
    return [f"{notice.by_name}: {notice.words}" for line in seen(game_service, who).log for notice in line.notices]


@pytest.fixture
def host(game_service: GameService) -> Access:
    return game_service.create_game(wanted("here", "link", "link"))


@pytest.fixture
def guest(game_service: GameService, host: Access) -> Access:
    return keys(game_service, host)["p2"]


def test_a_guest_has_a_name_of_their_own_which_all_see(
    game_service: GameService, url: str, host: Access, guest: Access
) -> None:
    step(game_service, host)
    game_service.name_seat(guest, "p2", "  Petra   Nová ")
    with another(url) as later:
        for each in (game_service, later):
            for reader in keys(each, host).values():
                view = seen(each, reader)
                assert names(each, reader) == ["Anna", "Petra Nová", "Clara"]
                assert [player.name for player in view.players] == ["Anna", "Petra Nová", "Clara"]
                assert told(each, reader) == ["Petra Nová: sits down in the seat of Boris"]
                assert view.question is not None
                assert view.question.decider.name == "Petra Nová"
        assert standing(game_service, host) == standing(later, host)


def test_who_one_is_is_told(game_service: GameService, host: Access, guest: Access) -> None:
    game_service.name_seat(guest, "p2", "Petra")
    found = keys(game_service, host)
    assert [seen(game_service, found[name]).you for name in ("host", "spectator")] == ["You play Anna", "You look on"]
    assert seen(game_service, guest).you == "You play Petra"
    game_service.assign_seat(host, "p3", "here")
    assert seen(game_service, game_service.access(host.key)).you == "You play Anna and Clara"


def test_the_save_and_the_chat_have_the_new_name_and_the_game_is_the_same(
    game_service: GameService, url: str, host: Access, guest: Access
) -> None:
    step(game_service, host)
    before = saves.load(game_service.save_file(host)[1])
    game_service.name_seat(guest, "p2", "Petra")
    after = saves.load(game_service.save_file(host)[1])
    assert after.setup == msgspec.structs.replace(before.setup, players=("Anna", "Petra", "Clara"))
    assert list(after.actions()) == list(before.actions())
    assert after.state.digest == before.state.digest
    talk = Chat(game_service)
    with game_service.holding(host.game) as room:
        talk.post_message(guest, room.game.setup, "hello")
    assert [message.who for message in talk.messages(host.game)] == ["Petra"]


def test_the_game_is_called_by_its_players_unless_it_has_a_name(
    game_service: GameService, host: Access, guest: Access
) -> None:
    game_service.name_seat(guest, "p2", "Petra")
    assert seen(game_service, host).name == "Anna, Petra, Clara"
    named = game_service.create_game(wanted("here", "link", "link", name="Evening"))
    game_service.name_seat(keys(game_service, named)["p2"], "p2", "Petra")
    assert seen(game_service, named).name == "Evening"


def test_a_name_stays_when_answers_are_taken_back_and_in_what_one_looks_back_at(
    game_service: GameService, host: Access, guest: Access
) -> None:
    version = step(game_service, host)
    game_service.name_seat(guest, "p2", "Petra")
    game_service.undo_own_move(host, version)
    assert names(game_service, host) == ["Anna", "Petra", "Clara"]
    step(game_service, host)
    assert [player.name for player in seen(game_service, host, at=0).players] == ["Anna", "Petra", "Clara"]


@pytest.mark.slow
def test_a_name_outlives_a_log_that_can_be_gone_on_with_only_from_a_later_state(
    game_service: GameService, url: str
) -> None:
    host = game_service.create_game(wanted("here", "here", "link"))
    game_service.name_seat(keys(game_service, host)["p3"], "p3", "Petra")
    game_service.assign_seat(host, "p3", "here")
    host = game_service.access(host.key)
    while standing(game_service, host)[0] < SNAPSHOT_INTERVAL + 3:
        step(game_service, host)
    with game_service.database.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE entries SET data = '{}' WHERE version = 5")
    with another(url) as later:
        later.rooms.find_damaged_games()
        assert seen(later, host).damage
        assert names(later, host) == ["Anna", "Boris", "Petra"]
        assert step(later, host)


# Sitting down


def test_whoever_says_their_name_has_sat_down(game_service: GameService, url: str, host: Access, guest: Access) -> None:
    assert [(seat.free, seat.here) for seat in seen(game_service, host).seats] == [
        (False, True),
        (True, False),
        (True, False),
    ]
    game_service.name_seat(guest, "p2", "Boris")
    with another(url) as later:
        assert [seat.free for seat in seen(later, host).seats] == [False, False, True]
        assert keys(later, host)["p2"].used
        assert keys(later, host)["p2"].key == "", "the host could play with it unseen"
        assert told(later, host) == ["Boris: sits down"]


def test_whoever_plays_without_a_word_has_sat_down_too(game_service: GameService, host: Access, guest: Access) -> None:
    step(game_service, host)
    step(game_service, guest)
    assert [seat.free for seat in seen(game_service, host).seats] == [False, False, True]


def test_a_seat_with_a_new_link_waits_again_and_one_with_a_bot_does_not(
    game_service: GameService, host: Access, guest: Access
) -> None:
    game_service.name_seat(guest, "p2", "Petra")
    game_service.assign_seat(host, "p2", "link")
    game_service.assign_seat(host, "p3", "S")
    assert [seat.free for seat in seen(game_service, host).seats] == [False, True, False]


def test_a_name_can_be_corrected_and_the_same_one_is_no_line(
    game_service: GameService, host: Access, guest: Access
) -> None:
    game_service.name_seat(guest, "p2", "Petar")
    guest = game_service.access(guest.key)
    game_service.name_seat(guest, "p2", "Petra")
    version = standing(game_service, host)[0]
    assert game_service.name_seat(guest, "p2", "Petra") == version
    assert told(game_service, host) == ["Petar: sits down in the seat of Boris", "Petra: was called Petar until now"]


def test_a_name_is_not_changed_for_ever(game_service: GameService, host: Access) -> None:
    for number in range(MOST_NAMES):
        game_service.name_seat(host, "p1", f"Anna {number}")
    with pytest.raises(Refused, match="more than"):
        game_service.name_seat(host, "p1", "Anna again")


@pytest.mark.parametrize("name", ["", "  ", "Anna", "x" * 41, "Pe\ttra\0", "Pe\u202etra"])
def test_a_name_that_nobody_can_have_is_refused_and_changes_nothing(
    game_service: GameService, host: Access, guest: Access, name: str
) -> None:
    before = standing(game_service, host)
    with pytest.raises(OstbahnError):
        game_service.name_seat(guest, "p2", name)
    assert standing(game_service, host) == before
    assert names(game_service, host) == ["Anna", "Boris", "Clara"]
    assert game_service.access(guest.key).used is False


def test_nobody_is_called_as_one_whom_the_rules_play(game_service: GameService) -> None:
    host = game_service.create_game(wanted("here", title="18Mag", variant="solo"))
    with pytest.raises(BadSetup, match="István"):
        game_service.name_seat(host, "p1", "István")


def test_nobody_names_others(game_service: GameService, host: Access, guest: Access) -> None:
    for who in (host, guest, keys(game_service, host)["spectator"]):
        with pytest.raises(NotYours):
            game_service.name_seat(who, "p3", "Petra")


# What goes on meanwhile


def test_an_answer_counts_though_somebody_has_sat_down_meanwhile(
    game_service: GameService, host: Access, guest: Access
) -> None:
    with game_service.holding(host.game) as room:
        assert room.game.question is not None
        version, action = room.version, room.game.question.options[0].action
    game_service.name_seat(guest, "p2", "Petra")
    game_service.answer(host, version, action)
    with pytest.raises(Stale):
        game_service.answer(host, version, action)
    with pytest.raises(Stale):
        game_service.answer(host, 99, action)


def test_a_proposal_stands_though_somebody_has_sat_down_meanwhile(
    game_service: GameService, host: Access, guest: Access
) -> None:
    proposals = Proposals(game_service)
    version = step(game_service, host)
    proposals.make(host, version, 0)
    game_service.name_seat(guest, "p2", "Petra")
    proposals.reply(guest, version, True)
    proposals.reply(keys(game_service, host)["p3"], version, True)
    assert standing(game_service, host)[1] == 0
    game_service.assign_seat(host, "p3", "S")
    with game_service.holding(host.game) as room:
        assert proposals.standing(room) is None
