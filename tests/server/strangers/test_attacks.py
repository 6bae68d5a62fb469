"""Every attack that was ever tried on this server, and the tests that hold it off.

The list is checked: a test that is gone, or called otherwise, is missed. Those at the end of this file had no test yet.
"""

from __future__ import annotations

import ast
from asyncio import gather, run
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from litestar.testing import AsyncTestClient
from sqlalchemy import func, select

from ostbahn.server.accounts.people import VisitorRow
from ostbahn.server.accounts.rate_limits import KEYS
from ostbahn.server.web.app import create_app
from ostbahn.server.web.services import Services, create_services
from ostbahn.titles.cz.moravia_board import our_board
from tests.server.network import Seat, open_table
from tests.server.site import alert
from tests.server.tables import now

TESTS = Path(__file__).resolve().parents[2]
MILLION = 'B22 = { nodes = [{ kind = "city", slots = 1000000 }] }'
HERE = "server/strangers/test_attacks.py"

ATTACKS = {
    "many at once while titles are loaded for the first time": (
        "server/test_ready.py::test_nothing_is_left_to_be_loaded_by_a_request",
        "server/test_ready.py::test_servers_stand_clients_at_their_start",
    ),
    "a board with 14 towns in a hex": (
        "server/test_customs.py::test_a_hex_full_of_towns_is_refused_on_the_form",
        "titles/cz/test_moravia_board.py::test_a_fault_is_told_with_its_line",
        "pictures/test_layout.py::test_twice_as_many_towns_do_not_take_a_thousand_times_as_long",
    ),
    "a dotted key of 40 KB, and other tables within tables": (
        "titles/test_files.py::test_tables_within_tables_have_a_depth",
        f"{HERE}::test_a_board_or_deck_of_an_attacker_is_refused_in_words",
    ),
    "a million slots in a city": (
        "titles/cz/test_moravia_board.py::test_a_fault_is_told_with_its_line",
        f"{HERE}::test_a_board_or_deck_of_an_attacker_is_refused_in_words",
    ),
    "a text in a board that is never closed": (
        "titles/test_files.py::test_a_text_that_never_ends_is_looked_at_once",
        f"{HERE}::test_a_board_or_deck_of_an_attacker_is_refused_in_words",
    ),
    "thousands of hexes, pieces of track or cards": (
        "titles/cz/test_moravia_board.py::test_a_board_beyond_all_measure_is_refused",
        "titles/mag/test_deck.py::test_a_fault_of_the_whole_deck_is_told",
    ),
    "a file or a number without end": (
        "titles/test_files.py::test_a_file_has_a_length",
        "titles/test_files.py::test_numbers_have_a_length",
        "server/test_sent.py::test_a_seed_has_a_hundred_digits_at_most",
        "server/test_sent.py::test_every_route_takes_so_much_and_no_more",
    ),
    "thousands of boards, so that the memory fills": (
        "titles/test_files.py::test_boards_of_strangers_do_not_stay_in_memory_for_ever",
        "titles/test_files.py::test_what_else_is_remembered_of_a_title_has_an_end",
    ),
    "a file that takes for ever, all memory, or the process": (
        "server/test_customs.py::test_what_takes_too_long_is_ended_and_not_only_left",
        "server/test_customs.py::test_what_takes_too_much_memory_is_ended",
        "server/test_customs.py::test_an_end_of_the_process_is_told",
        "server/test_customs.py::test_a_process_that_nobody_waits_for_ends_by_itself",
        "server/test_customs.py::test_a_fault_of_ours_is_told_to_the_host_and_not_to_strangers",
    ),
    "more files at once than can be opened": (
        "server/test_customs.py::test_those_who_would_have_to_wait_for_long_are_sent_away",
    ),
    "a save with too many or too long actions": (
        "server/test_sent.py::test_a_save_has_so_many_actions_and_no_more",
        "server/test_sent.py::test_an_action_has_a_length",
    ),
    "a hundred thousand stops for /runs": (
        "server/test_sent.py::test_a_way_has_so_many_places_and_no_more",
        "server/test_sent.py::test_nobody_waits_for_those_who_draw_routes",
    ),
    "bytes that are no UTF-8": (
        "server/test_sent.py::test_a_body_that_is_no_text_is_refused_by_every_route",
        "server/test_sent.py::test_an_address_that_is_no_text_is_refused_by_every_route",
    ),
    "NUL in a text": (
        "server/test_sent.py::test_nul_is_part_of_no_text",
        "server/test_sent.py::test_no_text_with_nul_comes_to_the_database",
    ),
    "a number for which no database has room": (
        "server/test_sent.py::test_a_number_beyond_all_others_is_refused",
        "server/test_sent.py::test_no_number_beyond_all_others_comes_to_the_database",
    ),
    "half a letter, as JSON can write it": (f"{HERE}::test_half_a_letter_is_part_of_no_text",),
    "a form in punycode": ("server/test_sent.py::test_parts_of_a_form_are_in_utf_8_whatever_they_say",),
    "cookies of backslashes": (
        "server/test_sent.py::test_of_cookies_only_ours_are_read",
        "server/test_sent.py::test_cookies_of_others_change_no_page",
    ),
    "megabytes that come back": (
        "server/test_sent.py::test_an_answer_does_not_repeat_what_was_sent",
        "server/test_sent.py::test_a_form_does_not_repeat_more_than_anybody_typed",
        "server/test_app.py::test_too_much_is_told",
    ),
    "a form of a thousand fields": ("server/test_sent.py::test_a_form_has_so_many_fields_and_no_more",),
    "JSON within JSON within JSON": (f"{HERE}::test_what_is_nested_too_deeply_is_refused_by_every_route_of_a_table",),
    "the description of the interface, again and again": (f"{HERE}::test_the_description_is_written_once",),
    "strange origins, and forms of other sites": ("server/test_app.py::test_forms_of_other_sites_are_refused",),
    "an address that one made up (X-Forwarded-For)": (
        "server/test_limits.py::test_what_strangers_say_about_their_address_is_not_believed",
        "server/test_limits.py::test_a_proxy_that_was_named_is_believed",
        "server/test_limits.py::test_a_proxy_is_named_by_its_address",
    ),
    "a cookie planted before somebody logs in": (
        "server/test_app.py::test_the_cookie_is_another_one_after_logging_in",
        "server/test_people.py::test_the_cookie_of_before_is_worth_nothing_after_logging_in",
    ),
    "keys by the thousand": (
        "server/test_limits.py::test_keys_are_tried_only_so_often_and_nobody_with_a_key_is_counted",
        f"{HERE}::test_of_a_thousand_keys_none_opens_anything",
    ),
    "passwords and codes by the thousand": (
        "server/test_limits.py::test_passwords_are_tried_only_so_often",
        "server/test_people_pages.py::test_codes_cannot_be_tried_by_the_thousand",
        "server/test_people.py::test_an_unknown_name_costs_as_much_work_as_a_wrong_password",
    ),
    "games, talk and seats by the thousand": (
        "server/test_limits.py::test_games_are_set_up_only_so_often_however_that_is_done",
        "server/test_limits.py::test_talk_and_seats_have_limits_of_their_own",
        "server/test_limits.py::test_a_household_is_counted_as_one",
    ),
    "a stolen database": (
        "server/test_seals.py::test_a_stolen_database_opens_no_seat",
        "server/test_people.py::test_passwords_are_kept_as_argon2_hashes",
        "server/test_people.py::test_a_browser_is_known_by_its_cookie_and_by_nothing_in_the_database",
    ),
    "a host who acts for others unseen": (
        "server/test_api.py::test_what_the_host_does_is_in_the_log_of_all",
        "server/test_seats.py::test_whoever_plays_a_seat_from_now_on_is_told_to_all_and_kept",
        "server/test_seats.py::test_the_host_does_not_take_back_what_somebody_else_answered_who_had_the_seat",
        "server/test_seals.py::test_the_host_sees_a_link_until_somebody_has_played_with_it",
    ),
    "strangers by the thousand, so that the database fills": (
        f"{HERE}::test_whoever_is_refused_is_not_made_known",
        "server/test_app.py::test_there_is_no_cookie_before_somebody_has_something",
    ),
    "an answer for somebody else's seat": ("server/test_api.py::test_seats_cannot_act_for_each_other",),
    "other files of the machine": ("server/test_app.py::test_nothing_else_is_served",),
    "a database that fails, or is damaged": (
        "server/test_jobs.py::test_a_job_that_fails_waits_longer_each_time_and_a_clock_put_back_does_not_stop_it",
        "server/test_damage.py::test_a_damaged_file_is_told_and_left_as_it_is",
        "server/test_damage.py::test_a_damaged_game_is_told_and_harms_no_other",
    ),
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_the_tests_that_hold_an_attack_off_are_there(attack: str) -> None:
    for named in ATTACKS[attack]:
        file, _, name = named.partition("::")
        tree = ast.parse((TESTS / file).read_text(encoding="utf-8"))
        assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}, named


# Those without a test of their own


@pytest.fixture
def host(net: httpx.Client) -> Seat:
    return open_table(net)["host"]


@pytest.mark.parametrize(
    ("way", "text", "told"),
    [
        ("18CZ moravia board", "a." * 20_000 + "a = 1", "line 1 has 40005 characters"),
        ("18CZ moravia board", our_board().replace("B22 = {}", MILLION), "1 to 4 slots"),
        ("18CZ moravia board", 'name = """' + '\n"' * 20_000, "no TOML file"),
        ("18Mag solo deck", "a." * 20_000 + "a = 1", "line 1 has 40005 characters"),
        ("18Mag solo deck", "[[company_card]]\n" * 3000, "missing required field"),
        ("18Mag solo deck", 'letter = """' + '\n"' * 20_000, "no TOML file"),
    ],
)
def test_a_board_or_deck_of_an_attacker_is_refused_in_words(net: httpx.Client, way: str, text: str, told: str) -> None:
    title, variant, name = way.split()
    form = {"game": f"{title}/{variant}"}
    answer = net.post("/new", data=form, files={name: ("sent.toml", text.encode())})
    assert answer.status_code == 400
    assert told in alert(answer)
    seats = [{"name": each} for each in ("Anna", "Boris")[: 1 if variant == "solo" else 2]]
    answer = net.post("/api/games", json={"title": title, "variant": variant, "seats": seats, name: text})
    assert answer.status_code == 400
    assert told in answer.json()["error"]


def test_half_a_letter_is_part_of_no_text(net: httpx.Client, host: Seat) -> None:
    """JSON can say it, and no database can keep it."""
    for method, path, body in (
        ("POST", host.path("chat"), b'{"text": "\\ud800"}'),
        ("PUT", host.path("note"), b'{"text": "\\udfff\\ud800"}'),
        ("POST", host.path("seat"), b'{"seat": "\\ud800", "who": "here"}'),
        ("POST", host.path("preview"), b'{"action": {"do": "\\ud800"}}'),
        ("POST", host.path("answer"), b'{"version": 0, "action": {"\\ud800": 1}}'),
        ("POST", "/api/games", b'{"title": "18CZ", "seats": [{"name": "\\ud800"}, {"name": "b"}, {"name": "c"}]}'),
    ):
        answer = net.request(method, path, content=body, headers={"Content-Type": "application/json"})
        assert answer.status_code == 400, (path, answer.text)
        assert answer.json()["error"]


def test_whoever_is_refused_is_not_made_known(address: str, inside: Services, host: Seat) -> None:
    """A row in the database for each wrong key, and for each name that will not do, would soon be many."""

    def known() -> int:
        with inside.database.session() as session:
            return session.scalar(select(func.count()).select_from(VisitorRow)) or 0

    before = known()
    with httpx.Client(base_url=address) as stranger:
        assert stranger.get(f"/t/{'A' * 22}").status_code == 404
        assert stranger.get(f"/t/{host.key}?at=x").status_code == 400
        assert stranger.post(f"/t/{host.key}/join", data={"name": "x" * 99, "seat": "p1"}).status_code == 400
        assert not stranger.cookies
    assert known() == before


@pytest.mark.parametrize("depth", [500, 60_000])
def test_what_is_nested_too_deeply_is_refused_by_every_route_of_a_table(
    net: httpx.Client, host: Seat, depth: int
) -> None:
    deep = "[" * depth + "]" * depth
    for path in ("answer", "preview", "runs", "prepared", "chat"):
        within = f'{{"version": 0, "action": {{"do": "run_trains", "runs": {deep}}}, "move": {deep}, "text": 1}}'
        for body in (deep, within):
            answer = net.post(host.path(path), content=body, headers={"Content-Type": "application/json"})
            assert answer.status_code == 400, (path, answer.text)
            assert len(answer.content) < 3000


def test_the_description_is_written_once(net: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """To write YAML takes a tenth of a second, in which nobody else is answered."""
    first = net.get("/schema/openapi.yaml")
    assert "/api/t/{key}/answer" in first.text
    monkeypatch.setattr("litestar.openapi.plugins.yaml.dump", None)
    assert net.get("/schema/openapi.yaml").content == net.get("/schema/openapi.yml").content == first.content


def test_of_a_thousand_keys_none_opens_anything(url: str) -> None:
    """On a server of its own: whoever has tried too many is not answered for a minute, and the other tests are."""
    at_once = 25

    async def tried() -> list[int]:
        async with AsyncTestClient(create_app(create_services(url, now))) as stranger:
            found: list[int] = []
            for first in range(0, 1000, at_once):
                keys = [f"/api/t/{number:022d}" for number in range(first, first + at_once)]
                found += [answer.status_code for answer in await gather(*map(stranger.get, keys))]
            return found

    with ThreadPoolExecutor(1) as pool:  # the browser of other tests may keep a loop running in this thread
        statuses = pool.submit(run, tried()).result()
    assert set(statuses) == {404, 429}
    assert statuses.count(404) < KEYS.rate_limit[1] + at_once
