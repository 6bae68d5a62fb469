"""Names that readers would take for one another: refused for new accounts and at one table, kept where they are."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from ostbahn.kernel.errors import BadSetup
from ostbahn.server.accounts.people import AccountRow, AccountService
from ostbahn.server.db.database import Database
from ostbahn.server.games.service import GameService
from ostbahn.server.lobby.service import Lobby, LobbyListing
from ostbahn.server.lookalikes import skeleton
from ostbahn.server.ops.moderation import Moderation
from ostbahn.table.access import Unreadable
from tests.server.site import client
from tests.server.tables import keys, people_on, wanted

PASSWORD = "Brno-Prerov"
LIKE_ANNA = {
    "a Cyrillic letter": "Аnna",
    "Greek letters alone": "ΑΝΝΑ",
    "full-width letters": "Ａｎｎａ",
    "mathematical letters": "𝐀nna",
    "a final dot": "Anna.",
    "an apostrophe": "Anna'",
    "a blank": "An na",
    "a letter that shows nothing": "Anna\u3164",
    "a zero-width blank": "An\u200bna",
    "a soft hyphen": "An\u00adna",
    "a word joiner": "Anna\u2060",
    "small capitals": "ᴀnna",
}


@pytest.fixture
def people(database: Database) -> AccountService:
    return people_on(database)


@pytest.mark.parametrize("name", LIKE_ANNA.values(), ids=LIKE_ANNA)
def test_nobody_registers_a_name_that_looks_like_another(people: AccountService, name: str) -> None:
    people.register(None, "Anna", PASSWORD)
    with pytest.raises(Unreadable):
        people.register(None, name, PASSWORD)


@pytest.mark.parametrize(
    ("name", "like"), [("Сосо", "Coco"), ("Ida", "lda"), ("Ida", "1da"), ("Anna  Nová", "Anna Nová"), ("Otto", "0tt0")]
)
def test_look_alikes_of_one_alphabet_or_of_digits_are_refused_too(people: AccountService, name: str, like: str) -> None:
    people.register(None, name, PASSWORD)
    with pytest.raises(Unreadable, match="taken"):
        people.register(None, like, PASSWORD)


@pytest.mark.parametrize(
    "name",
    ["Somebody", "somebody 2", "Sоmebody", "Traveller 3", "TRAVELLER", "Traveller-3", "Václav", "Vaclav", "István"],
)
def test_names_that_the_server_gives_are_nobodys(people: AccountService, name: str) -> None:
    with pytest.raises(Unreadable):
        people.register(None, name, PASSWORD)


def test_names_that_are_different_are_taken_in_any_alphabet(people: AccountService) -> None:
    for name in (
        "Anna",
        "Hanna",
        "Jiří",
        "Jiri",
        "Пётр",
        "Γιώργος",
        "李小龙",
        "ひろし",
        "O'Neill",
        "Anna 2",
        "Mr. Fox",
    ):
        people.register(None, name, PASSWORD)
        assert people.log_in(None, name, PASSWORD)


def test_an_account_is_found_however_its_name_is_typed(people: AccountService) -> None:
    people.register(None, "Anna  Nová ", PASSWORD)
    for name in ("anna nová", "Anna   Nová", "Ａnna Nová"):
        assert people.log_in(None, name, PASSWORD)


def test_accounts_of_before_keep_their_names_and_log_in(people: AccountService) -> None:
    people.register(None, "Anna", PASSWORD)
    people.register(None, "Boris", PASSWORD)
    with people.database.session() as session:
        row = session.scalars(select(AccountRow).where(AccountRow.name == "Boris")).one()
        row.name, row.known_as, row.skeleton = "Аnna.", "Аnna.".casefold(), None
    assert people.log_in(None, "Аnna.", PASSWORD)
    assert people.log_in(None, "Anna", PASSWORD)


# At tables


@pytest.mark.parametrize("name", ["Аnna", "ANNA", "Anna.", "Ann\u3164a", "Somebody", "Václav"])
def test_a_guest_is_not_called_like_another_at_the_table(game_service: GameService, name: str) -> None:
    host = game_service.create_game(wanted("here", "link", "link"))
    with pytest.raises(BadSetup):
        game_service.name_seat(keys(game_service, host)["p2"], "p2", name)
    Lobby(game_service).set_listing(host, LobbyListing(listed=True, watchable=False))
    with pytest.raises(BadSetup):
        Lobby(game_service).join(host.game, name)
    assert game_service.name_seat(keys(game_service, host)["p2"], "p2", "Hanna")


def test_nobody_sets_a_table_up_with_names_that_look_alike(url: str) -> None:
    with client(url) as browser:
        seats = [{"name": name, "who": "here"} for name in ("Anna", "ANNA", "Clara")]
        answer = browser.post("/api/games", json={"title": "18CZ", "seats": seats})
        assert (answer.status_code, "look alike" in answer.json()["error"]) == (400, True)
        browser.post("/register", data={"name": "ANNA", "password": PASSWORD})
        assert browser.post("/play", data={"game": "18CZ/base"}).status_code == 303, "no bot is called like them"


# Names that were removed


def test_a_name_is_removed_though_somebody_is_called_as_its_owner_shall_be(game_service: GameService) -> None:
    people = people_on(game_service.database)
    people.register(None, "Rude", PASSWORD)
    people.register(None, "Boris", PASSWORD)
    number, _ = people.account_id("Rude")
    with game_service.database.session() as session:  # as anybody could until names of the server were refused
        row = session.scalars(select(AccountRow).where(AccountRow.name == "Boris")).one()
        row.name, row.known_as = f"Traveller {number}", f"traveller {number}"
    other = Moderation(game_service, people).remove_account_name("Rude")
    assert other.startswith("Traveller ")
    assert people.log_in(None, other, PASSWORD)
    assert people.log_in(None, f"Traveller {number}", PASSWORD)
    assert len({people.account_id(name)[0] for name in (other, f"Traveller {number}")}) == 2


@pytest.mark.parametrize("name", ["Anna\ufe0f", "An\u034fna", "Anna\u180b", "Anna\U000e0100", "Ꭺnna", "Aɴɴa", "Annɑ"])
def test_marks_that_show_nothing_and_rare_letters_make_no_other_name_at_a_table(
    game_service: GameService, name: str
) -> None:
    host = game_service.create_game(wanted("here", "link", "link"))
    with pytest.raises(BadSetup):
        game_service.name_seat(keys(game_service, host)["p2"], "p2", name)


def test_two_letters_that_look_like_one_are_read_as_that() -> None:
    assert skeleton("VVillow Marsh") == skeleton("Willow Marsh")
