"""What every answer carries, how errors are told, and that nothing comes from elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from ostbahn.kernel.errors import Refusal, Refused
from ostbahn.server.db.database import sqlite_url_in
from ostbahn.server.web.fault_pages import Fault, fault_of
from tests.server.site import Client, alert, client, key_in
from tests.static_files import FILES

PAGES = ("/", "/new", "/watch", "/new?game=18Mag/solo", "/import", "/login", "/rules/18CZ", "/nowhere")
OTHERS = ("/api/catalogue", "/api/t/nothing", "/schema/openapi.json", "/static/x/none.css")
NEW = {"game": "18CZ/base", "players": "3"}
NAMESPACES = ("http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink", "http://www.w3.org/1999/xhtml")
"""Names, not addresses: nobody fetches them."""


@pytest.fixture
def browser(url: str) -> Iterator[Client]:
    with client(url) as browser:
        yield browser


@pytest.fixture(scope="module")
def onlooker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """One server for all tests that only look, and so leave nothing behind."""
    with client(sqlite_url_in(tmp_path_factory.mktemp("looked_at"))) as browser:
        yield browser


def release(browser: Client) -> str:
    found = re.search(r"/static/(\w+)/css/main.css", browser.get("/").text)
    assert found
    return found[1]


def addresses_elsewhere(text: str) -> list[str]:
    """What a browser could fetch from another machine."""
    for name in NAMESPACES:
        text = text.replace(name, "")
    return re.findall(r"\bhttps?:/{2}[^\s\"'`)]+|(?:src|href|url|import|from)\W{1,3}//[^\s\"')]+", text)


# What every answer carries


@pytest.mark.parametrize(
    "path", [*PAGES, "/api/catalogue", "/api/t/nothing", "/schema/openapi.json", "/static/x/none.css"]
)
def test_every_answer_carries_the_headers(onlooker: Client, path: str) -> None:
    headers = onlooker.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "script" not in policy, "scripts come from here, and stand in no page"
    assert headers["referrer-policy"] == "same-origin"
    assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("path", PAGES)
def test_no_page_needs_anything_from_elsewhere(onlooker: Client, path: str) -> None:
    text = onlooker.get(path).text
    assert addresses_elsewhere(text) == []
    assert re.findall(r"<script(?![^>]*\bsrc=)|\bon\w+=", text) == [], "the policy would not let it run"


def test_the_table_needs_nothing_from_elsewhere(browser: Client) -> None:
    text = browser.get(f"/t/{key_in(browser.post('/new', data=NEW))}").text
    links = text.replace(f"{str(browser.base_url).rstrip('/')}/t/", "")  # to be sent to friends
    assert addresses_elsewhere(links) == []
    assert re.findall(r"<script(?![^>]*\b(?:src|type=\"application/json\"))", text) == []


@pytest.mark.parametrize("file", FILES)
def test_no_file_needs_anything_from_elsewhere(file: str) -> None:
    assert addresses_elsewhere(FILES[file].read_text(encoding="utf-8")) == []


def test_the_search_for_addresses_finds_some() -> None:
    for text in ('<img src="//cdn.example/x.png">', 'import "https://cdn.example/x.js"', "@import url(//a.example/b)"):
        assert len(addresses_elsewhere(text)) == 1


# Cookies


def test_there_is_no_cookie_before_somebody_has_something(browser: Client) -> None:
    assert all("set-cookie" not in browser.get(path).headers for path in PAGES)
    cookie = browser.post("/new", data=NEW).headers["set-cookie"]
    assert {"HttpOnly", "SameSite=lax", "Path=/", "Max-Age=31536000"} <= set(cookie.split("; "))
    assert "Secure" not in cookie
    assert "set-cookie" not in browser.post("/new", data=NEW).headers, "one is enough"


def test_over_https_the_cookie_stays_there(url: str) -> None:
    with client(url) as browser:
        cookie = browser.post("https://testserver.local/new", data=NEW).headers["set-cookie"]
        assert "Secure" in cookie.split("; ")


def test_the_cookie_is_another_one_after_logging_in(browser: Client) -> None:
    """Whoever planted the first one, or saw it, is not logged in with it."""
    browser.post("/new", data=NEW)
    planted = browser.cookies["ostbahn"]
    who = {"name": "Anna", "password": "Brno-Prerov"}
    for path in ("/register", "/login"):
        before = browser.cookies["ostbahn"]
        cookie = browser.post(path, data=who).headers["set-cookie"]
        assert {"HttpOnly", "SameSite=lax"} <= set(cookie.split("; "))
        assert browser.cookies["ostbahn"] != before
        assert ">Anna</a>" in browser.get("/").text
    for old in (planted, before):
        browser.cookies.set("ostbahn", old, domain="testserver.local")
        assert "Anna" not in browser.get("/").text
    assert "set-cookie" not in browser.post("/login", data=who | {"password": "wrong"}).headers


# Other sites


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Origin": "https://elsewhere.example"},
        {"Origin": "http://testserver.elsewhere.example"},
        {"Origin": "http://testserver.local:8080"},
        {"Origin": "null"},
        {"Origin": "http://["},
        {"Origin": "//[x]"},
    ],
)
def test_forms_of_other_sites_are_refused(onlooker: Client, headers: dict[str, str]) -> None:
    for path in ("/new", "/import", "/login", "/register", "/logout", "/play", "/watch", "/games/x/remove"):
        answer = onlooker.post(path, data=NEW, headers=headers)
        assert (answer.status_code, alert(answer)) == (403, "this form was sent from another site, so nothing was done")
    assert onlooker.get("/", headers=headers).status_code == 200, "links from elsewhere are welcome"


@pytest.mark.parametrize("headers", [{}, {"Sec-Fetch-Site": "same-origin", "Origin": "http://testserver.local"}])
def test_our_own_forms_are_taken(browser: Client, headers: dict[str, str]) -> None:
    assert key_in(browser.post("/new", data=NEW, headers=headers))


# Caches


@pytest.mark.parametrize(
    "path",
    [
        *("/t/{}", "/t/{}/invite", "/t/{}/qr/me", "/t/{}/pictures/tiles", "/t/{}/prepare", "/t/{}/report"),
        *("/api/t/{}", "/api/t/{}/save", "/api/t/{}/links", "/api/t/{}/log", "/api/t/{}/nothing", "/api/t/{}/note"),
        *("/", "/account", "/told", "/lobby", "/t/wrong"),
    ],
)
def test_what_is_behind_a_key_or_a_cookie_is_left_in_no_cache(browser: Client, path: str) -> None:
    key = key_in(browser.post("/new", data=NEW))
    assert browser.get(path.format(key)).headers["cache-control"] == "no-store"


def test_nor_does_the_service_worker_keep_any_of_it(onlooker: Client) -> None:
    worker = onlooker.get("/sw.js")
    assert worker.status_code == 200
    assert not re.search(r"caches|[\"']fetch[\"']|respondWith", worker.text)


# Files and pictures


@pytest.mark.parametrize(
    ("file", "media"),
    [
        ("css/main.css", "text/css; charset=utf-8"),
        ("js/page.js", "text/javascript; charset=utf-8"),
        ("img/icon.svg", "image/svg+xml"),
    ],
)
def test_files_are_kept_for_good_under_the_current_release(onlooker: Client, file: str, media: str) -> None:
    answer = onlooker.get(f"/static/{release(onlooker)}/{file}")
    assert answer.content == FILES[file].read_bytes()
    assert answer.headers["content-type"] == media
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert onlooker.get(f"/static/old/{file}").headers["cache-control"] == "no-cache"


@pytest.mark.parametrize(
    "path",
    ["../app.py", "%2e%2e/app.py", "css/..%2f..%2fapp.py", "css", "", "css/none.css", "%2fetc%2fpasswd", "css//"],
)
def test_nothing_else_is_served(onlooker: Client, path: str) -> None:
    assert onlooker.get(f"/static/x/{path}").status_code == 404


@pytest.mark.parametrize(
    "path",
    [
        "18CZ/base/light/tile/57/2",
        "18CZ/base/light/board",
        "18CZ/base/dark/tile/57",
        "18CZ/moravia/light/upgrades",
        "18Mag/base/colour-blind/aid",
        "18Mag/solo/light/services",
        "18Mag/two_player/light/tiles/all",
    ],
)
def test_pictures_of_a_title(onlooker: Client, path: str) -> None:
    answer = onlooker.get(f"/pictures/{path}", params={"v": release(onlooker)})
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.text.startswith("<svg")
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert onlooker.get(f"/pictures/{path}").headers["cache-control"] == "no-cache"


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("18CZ/base/light/tile/57/9", "rotations"),
        ("18CZ/base/light/tile/none", "none"),
        ("18CZ/base/light/tile", "which tile?"),
        ("18CZ/base/light/process", "there is no picture"),
        ("18CZ/base/light/services", "18Mag only"),
        ("18CZ/base/pink/aid", "there is no theme pink"),
        ("1830/base/light/aid", "there is no 1830"),
        ("18CZ/solo/light/aid", "there is no 18CZ (solo)"),
    ],
)
def test_pictures_that_do_not_exist(onlooker: Client, path: str, told: str) -> None:
    answer = onlooker.get(f"/pictures/{path}")
    assert answer.status_code == 404
    assert told in alert(answer)


# Errors


def test_errors_are_pages_for_people_and_json_for_programs(browser: Client) -> None:
    page = browser.get("/nowhere")
    assert (page.status_code, alert(page)) == (404, "There is nothing at this address.")
    assert page.headers["content-type"].startswith("text/html")
    assert "tried" not in browser.get("/t/nothing").text
    assert browser.get("/t/nothing").status_code == 404
    answer = browser.get("/api/t/nothing")
    assert (answer.status_code, list(answer.json())) == (404, ["error"])
    assert browser.get("/api/nowhere").json() == {"error": "There is nothing at this address."}
    assert browser.post("/").status_code == 405


def test_values_that_do_not_fit_are_named(browser: Client) -> None:
    answer = browser.post("/api/games", json={"title": "18CZ", "seats": "three"})
    assert answer.status_code == 400
    assert "seats" in answer.json()["error"]
    answer = browser.post("/api/games", json={"title": "18CZ", "seats": []})
    assert answer.status_code == 400


def test_a_refusal_has_its_rule_and_the_text_of_it(browser: Client) -> None:
    key = key_in(browser.post("/new", data=NEW | {"who1": "here", "who2": "here", "who3": "here"}))
    sent = {"version": 0, "action": {"do": "lay_tile", "hex": "D4", "tile": "57", "rotation": 2}}
    answer = browser.post(f"/api/t/{key}/answer", json=sent)
    assert answer.status_code == 409
    told = answer.json()
    assert told["rule"] == "18CZ VI/2"
    assert told["rule"] not in told["error"]
    assert told["rule_text"]
    assert fault_of(Refused(Refusal("", "no"))) == Fault("no")


def test_a_fault_of_ours_shows_no_traceback(browser: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("secret of the server")

    monkeypatch.setattr("ostbahn.server.web.pages.game_views", broken)
    answer = browser.get("/")
    assert answer.status_code == 500
    assert "secret" not in answer.text
    assert "fault of Ostbahn itself" in alert(answer)


def test_too_much_is_told(browser: Client) -> None:
    answer = browser.post("/import", data={"text": "x" * 7_000_000})
    assert (answer.status_code, alert(answer)) == (
        413,
        "That was too much: a saved game has at most 5 MB, and everything else far less.",
    )


# The rest


def test_the_interface_describes_itself_without_pages_from_elsewhere(browser: Client) -> None:
    schema = browser.get("/schema/openapi.json").json()
    assert schema["info"]["title"] == "Ostbahn"
    assert "/api/t/{key}/answer" in schema["paths"]
    assert not [path for path in schema["paths"] if not path.startswith("/api/")]
    assert browser.get("/schema/openapi.yaml").status_code == 200
    for page in ("redoc", "swagger", "elements", "rapidoc", "scalar"):
        assert browser.get(f"/schema/{page}").status_code == 404


def test_pages_are_packed(browser: Client) -> None:
    assert browser.get("/rules/18CZ", headers={"Accept-Encoding": "gzip"}).headers["content-encoding"] == "gzip"
    assert "content-encoding" not in browser.get("/rules/18CZ", headers={"Accept-Encoding": "identity"}).headers


@pytest.mark.parametrize(("cookie", "shown"), [("dark", ' data-theme="dark"'), ("auto", ""), ('"><b>', "")])
def test_pages_come_in_the_colours_of_the_cookie(onlooker: Client, cookie: str, shown: str) -> None:
    page = onlooker.get("/", headers={"Cookie": f"theme={cookie}"}).text
    assert f'<html lang="en"{shown}>' in page
