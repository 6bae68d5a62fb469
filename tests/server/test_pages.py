"""The pages around the table: home, new games, imports, accounts, rules."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from ostbahn.interop import saves
from ostbahn.kits.catalogue import CATALOGUE, new_game
from ostbahn.server.db.encryption import hashed
from ostbahn.server.games.keys import ago
from ostbahn.server.imports.pages import LARGEST_FILE
from ostbahn.server.web.app import preload
from ostbahn.titles.cz.moravia_board import our_board
from ostbahn.titles.cz.title import cz_title
from ostbahn.views.catalogue import EntryView, catalogue_view, rule_text, rule_views
from tests.interop.reference import games
from tests.packages import installing
from tests.server.site import Client, alert, client, key_in, words

ENTRIES = catalogue_view()
THREE = {"game": "18CZ/base", "players": "3", "seat1": "Ida", "seat2": "Jan", "seat3": "Karl"}


@pytest.fixture
def browser(url: str) -> Iterator[Client]:
    with client(url) as browser:
        yield browser


def table(browser: Client, key: str) -> dict[str, object]:
    seen: dict[str, object] = browser.get(f"/api/t/{key}").json()
    return seen


# The catalogue


def test_every_way_to_play_is_shown_with_all_that_can_be_chosen() -> None:
    assert [(entry.title, entry.variant) for entry in ENTRIES] == [(entry.title, entry.variant) for entry in CATALOGUE]
    assert len({entry.name for entry in ENTRIES}) == len(ENTRIES)
    for entry in ENTRIES:
        assert entry.rulings
        for ruling in entry.rulings:
            assert {ruling.default, ruling.site} <= set(ruling.values)
            assert ruling.question.endswith("?")
            assert ruling.explanation


def test_rules_are_found_with_the_rulings_on_them() -> None:
    (rule,) = rule_views("18cz", "VIII.6/5")
    assert rule == rule_views("18CZ", "18CZ VIII.6/5")[0]
    assert [ruling.id for ruling in rule.rulings] == ["marker_price_after_acquisition"]
    assert len(rule_views("18CZ", "")) == len(cz_title().rules)
    assert rule_text("18CZ", "18CZ VIII.6/5") == rule.text == rule_text("18CZ", "VIII.6/5")
    assert rule_text("18CZ", "VIII.99") is None


def test_rules_are_found_with_the_readings_on_them(browser: Client) -> None:
    (rule,) = rule_views("18CZ", "VIII.12/22")
    assert [reading.id for reading in rule.readings] == ["A36"]
    assert [rule.id for rule in rule_views("18CZ", "A10")] == ["III.3/6", "VIII.13/1"]
    (vaclav,) = rule_views("18CZ", "A55")
    assert [ruling.ambiguity for ruling in vaclav.rulings] == ["A55"]
    page = words(browser.get("/rules/18CZ", params={"words": "A36"}))
    assert rule.readings[0].question in page
    assert rule.readings[0].reading in page
    assert rule.readings[0].follows in page


# New games


def test_a_package_that_fails_costs_the_server_its_title_alone(
    url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with installing(tmp_path) as install:
        install("ostbahn-odd", "import not_a_library")
        preload()
        with client(url) as browser:
            page = words(browser.get("/new"))
    assert "1899 (package ostbahn-odd 1.2) cannot be played on this server." in page
    assert "18CZ Bohemia" in page
    assert "No module named 'not_a_library'" in caplog.text


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: f"{entry.title}-{entry.variant}")
def test_each_of_the_six_ways_can_be_begun(browser: Client, entry: EntryView) -> None:
    code = f"{entry.title}/{entry.variant}"
    page = browser.get("/new", params={"game": code})
    assert page.status_code == 200
    assert f'value="{code}" checked' in page.text
    assert all(ruling.question in words(page) for ruling in entry.rulings)
    assert all(option.about in words(page) for option in entry.options)
    assert entry.note in words(page)
    here = {f"who{seat}": "here" for seat in range(1, 7)}
    key = key_in(browser.post("/new", data={"game": code, "seed": "5"} | here))
    seen = table(browser, key)
    assert (seen["role"], seen["number"]) == ("host", 0)
    assert entry.name in words(browser.get("/"))


def test_seats_are_played_here_by_link_or_by_bots(browser: Client) -> None:
    fields = THREE | {"who1": "here", "who2": "link", "who3": "R", "name": "Evening", "order": "given"}
    key = key_in(browser.post("/new", data=fields))
    seats = {seat["name"]: seat for seat in table(browser, key)["seats"]}  # type: ignore[attr-defined]
    assert list(seats) == ["Ida", "Jan", "Karl"]
    assert (seats["Ida"]["mine"], seats["Jan"]["mine"], seats["Karl"]["bot"]) == (True, False, "R")
    links = browser.get(f"/api/t/{key}/links").json()
    assert sorted((link["role"], tuple(link["seats"])) for link in links) == [
        ("host", ("p1",)),
        ("seat", ("p2",)),
        ("spectator", ()),
    ]
    assert "Evening" in words(browser.get("/"))


def test_rulings_and_options_of_the_form_are_those_of_the_game(browser: Client) -> None:
    fields = THREE | {"preset": "18xx.games", "ruling.praha_first_tile": "promotion"}
    key = key_in(browser.post("/new", data=fields))
    rulings = saves.load(browser.get(f"/api/t/{key}/save").content).setup.rulings
    site = new_game("18CZ", ["a", "b", "c"], preset="18xx.games").setup.rulings
    assert rulings == {**site, "praha_first_tile": "promotion"}
    solo = key_in(browser.post("/new", data={"game": "18Mag/solo", "option.difficulty": "easy"}))
    assert saves.load(browser.get(f"/api/t/{solo}/save").content).setup.options["difficulty"] == "easy"


def test_modules_of_the_form_are_those_of_the_game(browser: Client) -> None:
    page = words(browser.get("/new", params={"game": "18Mag/base"}))
    assert all(
        module.name in page and module.about in page
        for entry in ENTRIES
        if entry.variant == "base"
        for module in entry.modules
    )
    fields = {"game": "18Mag/base", "module.supporters": "1", "module.new_major": "1"}
    key = key_in(browser.post("/new", data=fields | {"ruling.sina_fresh_tile": "refused"}))
    setup = saves.load(browser.get(f"/api/t/{key}/save").content).setup
    assert setup.modules == ("new_major", "supporters")
    assert setup.rulings["sina_fresh_tile"] == "refused"
    simple = browser.get("/new", params={"game": "18Mag/base", "module.new_minors_simple": "1"})
    assert "Not together with Simple new minors." in words(simple)
    assert 'name="module.new_minors_challenge" value="1" data-reshapes disabled' in simple.text
    assert "sina_fresh_tile" not in simple.text
    both = {"game": "18Mag/base", "module.new_minors_simple": "1", "module.new_minors_challenge": "1"}
    assert "exclude each other" in words(browser.post("/new", data=both))


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"seat2": "Ida"}, "Two players have the same name."),
        ({"seed": "soon"}, "The seed is a whole number"),
        ({"seed": "²"}, "The seed is a whole number"),
        ({"seed": "99999999999"}, "The seed is a whole number"),
        ({"pace": "-1"}, "The pace is a whole number"),
        ({"who2": "X"}, "There is no bot 'X'"),
        ({"who2": "own.py:Bot"}, "There is no bot"),
        ({"preset": "mine"}, "There is no preset mine"),
        ({"ruling.praha_first_tile": "neither"}, "Ruling praha_first_tile is one of"),
        ({"seat1": "I" * 41}, "Names have at most 40 letters"),
        ({"name": "I" * 81}, "The name of a game is one line of at most 80 letters."),
    ],
)
def test_a_form_tells_what_is_wrong_and_keeps_what_was_typed(browser: Client, wrong: dict[str, str], told: str) -> None:
    answer = browser.post("/new", data=THREE | {"seat3": "Karoline", "who3": "link"} | wrong)
    assert answer.status_code == 400
    assert alert(answer).startswith(told)
    assert 'value="Karoline"' in answer.text
    assert "set-cookie" not in answer.headers
    assert "Traceback" not in answer.text


def test_another_choice_keeps_what_was_typed_so_far(browser: Client) -> None:
    page = browser.get("/new", params=THREE | {"players": "5", "who2": "R", "name": "Evening"})
    assert all(f'value="{name}"' in page.text for name in ("Ida", "Jan", "Karl", "Dora", "Emil", "Evening"))
    assert page.text.count('<option value="5" data-bot selected>') == 3, "good bots sit where nothing was said"
    assert '<option value="R" data-bot selected>' in page.text
    assert 'id="seat6"' not in page.text
    assert 'id="seat2"' not in browser.get("/new", params=THREE | {"game": "18Mag/solo"}).text
    assert browser.get("/new", params={"game": "1830/base"}).status_code == 404


def test_levels_are_offered_first_and_the_strongest_is_chosen(browser: Client) -> None:
    page = browser.get("/new")
    assert '<input type="radio" name="others" value="bots" checked>' in page.text
    assert page.text.index("1 · newcomer") < page.text.index("5 · champion") < page.text.index(">raider<")
    assert page.text.index(">raider<") < page.text.index('<option value="R"')
    by_link = browser.get("/new", params={"who2": "link", "who3": "link"})
    assert '<input type="radio" name="others" value="link" checked>' in by_link.text
    mixed = browser.get("/new", params={"who2": "link", "who3": "raider"})
    assert 'name="others" value="bots">' in mixed.text


def test_seats_that_are_added_are_like_the_others(browser: Client) -> None:
    page = browser.get(
        "/new", params={"players": "4", "others": "bots", "opponent": "2", "who2": "2", "who3": "raider"}
    )
    assert page.text.count('<option value="2" data-bot selected>') == 2
    page = browser.get("/new", params={"players": "4", "others": "link", "opponent": "2"})
    assert page.text.count("data-link selected>") == 3


def test_bots_can_be_watched(browser: Client) -> None:
    page = browser.get("/watch", params={"game": "18Mag/two_player"})
    assert page.text.count('<option value="5" data-bot selected>') == 2, "the strongest"
    assert '<option value="1000" selected>' in page.text


@pytest.mark.slow
def test_a_board_of_ones_own_becomes_part_of_the_game(browser: Client) -> None:
    board = our_board()
    files = {"board": ("board.toml", board.encode(), "application/toml")}
    key = key_in(browser.post("/new", data={"game": "18CZ/moravia"}, files=files))
    assert saves.load(browser.get(f"/api/t/{key}/save").content).setup.board == board
    files = {"board": ("board.toml", b"nonsense", "application/toml")}
    answer = browser.post("/new", data={"game": "18CZ/moravia", "seat1": "Ida"}, files=files)
    assert answer.status_code == 400
    assert alert(answer)
    assert 'value="Ida"' in answer.text
    files = {"board": ("board.toml", b"\xff\xfe", "application/toml")}
    assert "not a text file" in alert(browser.post("/new", data={"game": "18CZ/moravia"}, files=files))


# Imports


@pytest.mark.slow
def test_a_save_is_taken_in_as_a_file_or_as_text(browser: Client) -> None:
    game = new_game("18Mag", ["Ida", "Jan", "Karl"], seed=4)
    for _ in range(5):
        assert game.question is not None
        game.apply(game.question.options[0].action)
    data = saves.dump(game)
    sent = {"file": ("game.json", data, "application/json")}
    first = key_in(browser.post("/import", files=sent, data={"name": "From a file"}))
    second = key_in(browser.post("/import", data={"text": data.decode()}))
    for key in (first, second):
        loaded = saves.load(browser.get(f"/api/t/{key}/save").content)
        assert list(loaded.actions())[:5] == list(game.actions())
    assert "From a file" in words(browser.get("/"))


@pytest.mark.slow
def test_a_game_of_18xx_games_is_taken_in(browser: Client) -> None:
    path = games("18Mag")[0]
    sent = {"file": (path.name, path.read_bytes(), "application/json")}
    key = key_in(browser.post("/import", files=sent))
    seen = table(browser, key)
    assert seen["round"]["over"] is True  # type: ignore[index]
    assert "Finished" in words(browser.get("/"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "Choose a file, or paste what is in it."),
        (b"hello", "This is not JSON: "),
        (b"[]", "This is not an Ostbahn save, but some other JSON."),
        (b"{}", "This is neither an Ostbahn save nor an export of 18xx.games."),
        (b"\xff", "This is not a text file in UTF-8 (byte 1)."),
        (b" " * LARGEST_FILE + b"{}", "This is larger than 5 MB, and no game is."),
    ],
)
def test_other_files_are_not(browser: Client, data: bytes, told: str) -> None:
    answer = browser.post("/import", files={"file": ("x.json", data, "application/json")}, data={"name": "Mine"})
    assert answer.status_code == 400
    assert alert(answer).startswith(told)
    assert 'value="Mine"' in answer.text
    assert "set-cookie" not in answer.headers


@pytest.mark.slow
def test_pasted_text_stays_where_it_was_pasted(browser: Client) -> None:
    answer = browser.post("/import", data={"text": "<b>half a save"})
    assert "&lt;b&gt;half a save" in answer.text


# My games


def test_home_lists_ones_games_and_whose_turn_it_is(browser: Client, url: str) -> None:
    assert "No game yet" in words(browser.get("/"))
    wanted = THREE | {"order": "given", "who1": "link", "who2": "here", "who3": "here"}
    key_in(browser.post("/new", data=wanted | {"name": "Waiting"}))
    key_in(browser.post("/new", data=wanted | {"name": "Mine", "who1": "here", "who2": "link"}))
    key_in(browser.post("/new", data=wanted | {"name": "Later"}))
    home = words(browser.get("/"))
    assert home.index("Mine 18CZ") < home.index("Later 18CZ") < home.index("Waiting 18CZ")
    assert "Your turn: Ida" in home
    assert home.count("Ida’s turn") == 2
    assert "just now" in home


def test_a_game_is_taken_off_the_list_and_put_back(browser: Client) -> None:
    key = key_in(browser.post("/new", data=THREE | {"name": "Evening"}))
    home = browser.get("/")
    assert "Remove “Evening” from your list?" in words(home)
    assert "Removed games" not in words(home)
    assert browser.post(f"/games/{hashed(key)}/remove").headers["location"] == "/#mine"
    home = browser.get("/")
    assert f"/t/{key}" not in home.text
    assert "Removed games 1 Evening" in words(home)
    browser.post(f"/games/{hashed(key)}/put-back")
    assert f"/t/{key}" in browser.get("/").text
    browser.post(f"/games/{hashed(key)}/remove")
    assert browser.get(f"/t/{key}").status_code == 200, "its link goes on working"
    assert "Removed games" not in words(browser.get("/")), "whoever opens it again has it again"


def test_whoever_opens_a_link_finds_the_game_again(browser: Client, url: str) -> None:
    host = key_in(browser.post("/new", data=THREE | {"who2": "link", "name": "Evening"}))
    seat = next(link["key"] for link in browser.get(f"/api/t/{host}/links").json() if link["role"] == "seat")
    with client(url) as other:
        assert "set-cookie" not in other.get("/").headers
        assert other.get(f"/t/{seat}").headers["set-cookie"].startswith("ostbahn=")
        assert "Evening" in words(other.get("/"))


@pytest.mark.parametrize(
    ("span", "told"),
    [
        (timedelta(seconds=-3), "just now"),
        (timedelta(seconds=59), "just now"),
        (timedelta(minutes=1), "1 minute ago"),
        (timedelta(hours=23, minutes=59), "23 hours ago"),
        (timedelta(days=45), "1 month ago"),
        (timedelta(days=800), "2 years ago"),
    ],
)
def test_how_long_ago(span: timedelta, told: str) -> None:
    assert ago(span) == told


# Accounts


def test_an_account_collects_the_games_of_several_browsers(browser: Client, url: str) -> None:
    key_in(browser.post("/new", data=THREE | {"name": "At home"}))
    person = {"name": "Ida", "password": "eisenbahn"}
    assert browser.post("/register", data=person).status_code == 200
    assert "Ida Log out" in words(browser.get("/"))
    assert "At home" in words(browser.get("/"))
    assert 'value="Ida"' in browser.get("/new").text, "who is known need not type his name"
    with client(url) as other:
        key_in(other.post("/new", data=THREE | {"name": "Elsewhere"}))
        assert other.post("/login", data=person).status_code == 303
        home = words(other.get("/"))
        assert "At home" in home
        assert "Elsewhere" in home
    assert "Elsewhere" in words(browser.get("/"))
    browser.post("/logout")
    assert "At home" not in words(browser.get("/"))
    assert "Log in" in words(browser.get("/"))


def test_what_is_wrong_with_an_account_is_told(browser: Client) -> None:
    browser.post("/register", data={"name": "Ida", "password": "eisenbahn"})
    browser.post("/logout")
    wrong = browser.post("/login", data={"name": "Ida", "password": "strassenbahn"})
    assert (wrong.status_code, alert(wrong)) == (403, "Name and password do not fit together.")
    assert 'value="Ida"' in wrong.text
    assert "strassenbahn" not in wrong.text
    nobody = browser.post("/login", data={"name": "Nobody", "password": "strassenbahn"})
    assert alert(nobody) == alert(wrong)
    taken = browser.post("/register", data={"name": "Ida", "password": "strassenbahn"})
    assert (taken.status_code, alert(taken)) == (400, "The name Ida is taken.")
    short = browser.post("/register", data={"name": "Jan", "password": "bahn"})
    assert alert(short) == "A password has 8 to 200 letters."


@pytest.mark.slow
def test_passwords_cannot_be_tried_by_the_thousand(browser: Client) -> None:
    tried = [browser.post("/login", data={}).status_code for _ in range(21)]
    assert tried == [403] * 20 + [429]
    answer = browser.post("/register", data={})
    assert (answer.status_code, alert(answer)) == (429, "Too many attempts; wait a minute.")
    assert browser.get("/").status_code == 200


# Rules


def test_rules_can_be_looked_up(browser: Client) -> None:
    everything = browser.get("/rules/18cz")
    assert all(f'id="{rule}"' in everything.text for rule in cz_title().rules)
    found = words(browser.get("/rules/18CZ", params={"words": "VIII.6/5"}))
    assert cz_title().rules["VIII.6/5"].text in found
    assert "1 rule with “VIII.6/5”" in found
    assert "No rules with “xyzzy”" in words(browser.get("/rules/18Mag", params={"words": "xyzzy"}))
    assert browser.get("/rules/1830").status_code == 404
