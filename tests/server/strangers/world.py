"""What there is to be had at a server: tables with their keys, and whatever its pages lead to.

Nothing here knows a route by heart. Addresses and forms are read off the pages, and what stands in an address where a
route has a name is a value for that name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from random import Random
from typing import Any, Final
from urllib.parse import unquote, urlencode, urlsplit

from tests.server.strangers.golden_files import golden_save
from tests.server.strangers.sending import Answer, Place, Request
from tests.server.tables import NAMES

Json = Any
NAME: Final = re.compile(r"{(\w+)}")
KEPT: Final = 60
"""Values of a kind; the last ones found."""
TABLES: Final = {
    "18CZ-base-3": 400,
    "18Mag-base-3": 250,
    "18CZ-moravia-2": 120,
    "18Mag-solo-1-easy-short": 60,
}
"""Golden games that are taken in, as far as so many answers."""


THINK: Final = ("report", "coach", "figures", "hint", "bot")
"""In addresses for which another process thinks, so that one waits; only the soak does."""


def quick(path: str) -> bool:
    return not any(word in path for word in THINK)


class World:
    """Lives on while strangers do what they like with it; `renew` makes new tables when too much of it is gone."""

    def __init__(self, place: Place) -> None:
        self.strangers = place.strangers
        self.routes = [Request(each["method"], "", each["path"]) for each in place.routes]
        self.values: dict[str, list[str]] = {}
        """By the name of a part of an address."""
        self.forms: dict[str, dict[str, list[str]]] = {}
        """By route, the fields of a form with what may be chosen."""
        self.hosts: list[str] = []
        """Keys of tables in the middle of a game, with all seats."""
        self.cookies: list[str] = []
        self._views: dict[str, Json] = {}
        self._patterns = [(route, _pattern(route.route)) for route in self.routes]

    # What is there

    def renew(self, tables: Mapping[str, int] = TABLES) -> None:
        self.hosts, self._views = [], {}
        for name, most in tables.items():
            self._take_in(name, most)
        self._open_table()
        self._register()
        self._look_around()

    def view(self, key: str) -> Json:
        """The table as it is now, as whoever has the key sees it."""
        if key not in self._views:
            answer = self._get(f"/api/t/{key}")
            self._views[key] = answer.json if answer is not None and answer.status == 200 else {}
        return self._views[key]

    def forget(self, key: str) -> None:
        """Somebody has answered there."""
        self._views.pop(key, None)

    def fill(self, route: str, rng: Random) -> str:
        """The address of a route, with values that lead somewhere."""
        return NAME.sub(lambda name: rng.choice(self.values.get(name[1], [""])) or "x", route)

    # How it comes to be

    def _take_in(self, name: str, most: int) -> None:
        answer = self._post("/import", urlencode({"text": json.dumps(golden_save(name, most))}))
        assert answer.status == 303, answer.text
        key = urlsplit(answer.headers["location"]).path.rpartition("/")[2]
        self._know_key(key, key)
        self.hosts.append(key)
        made = self._sent(f"/api/t/{key}/plans", {"name": "North"})
        if made.status < 300:
            self._know_key(made.json["key"], key)

    def _open_table(self) -> None:
        """With people at other ends of the line, and in the lobby."""
        seats = [{"name": name, "who": "here" if name == NAMES[0] else "link"} for name in NAMES[:4]]
        wanted = {"title": "18CZ", "seats": seats, "listed": True, "watchable": True}
        answer = self._sent("/api/games", wanted)
        for link in answer.json:
            self._know_key(link["key"], answer.json[0]["key"])
            if link["role"] == "host":
                self.hosts.append(link["key"])

    def _register(self) -> None:
        name = f"Anna {self.strangers.rng.randrange(10**9)}"
        answer = self._post("/register", urlencode({"name": name, "password": "Brno-Prerov"}))
        cookie = answer.headers.get("set-cookie", "").partition(";")[0]
        if cookie:
            self.cookies = [*self.cookies[-2:], cookie]

    def _look_around(self) -> None:
        """All pages that need no name, those of some keys, and one step from there."""
        seen = {route.route for route in self.routes if route.method == "GET" and "{" not in route.route}
        for key in self.values["key"][-6:]:
            seen |= {route.route.replace("{key}", key) for route in self.routes if _is_page_of_a_table(route)}
        for path in sorted(seen):
            if quick(path):
                answer = self._get(path, cookie=True)
                if answer is not None and answer.status == 200:
                    self._read(path, answer.text)

    def _read(self, path: str, text: str) -> None:
        reader = Reader(path)
        reader.feed(text)
        for address in reader.addresses:
            for _, pattern in self._patterns:
                if found := pattern.fullmatch(urlsplit(address).path):
                    for name, value in found.groupdict().items():
                        self._know(name, unquote(value))
        for method, address, fields in reader.forms:
            for route, pattern in self._patterns:
                if route.method == method and pattern.fullmatch(urlsplit(address).path):
                    known = self.forms.setdefault(f"{method} {route.route}", {})
                    for name, chosen in fields.items():
                        known[name] = [*dict.fromkeys([*known.get(name, []), *chosen])][:KEPT]

    def _know_key(self, key: str, table: str) -> None:
        """One that belongs to the table to which the other one leads."""
        self._know("key", key)
        self.strangers.keys[key.partition(".")[0]] = table

    def _know(self, name: str, value: str) -> None:
        known = self.values.setdefault(name, [])
        if value in known:
            known.remove(value)
        self.values[name] = [*known, value][-KEPT:]

    def _get(self, path: str, cookie: bool = False) -> Answer | None:
        headers = {"Cookie": self.cookies[-1]} if cookie and self.cookies else {}
        return self.strangers.send("set-up", Request("GET", path, "set-up", headers=headers))

    def _sent(self, path: str, wanted: Json) -> Answer:
        answer = self.strangers.send("set-up", Request("POST", path, "set-up", json.dumps(wanted).encode(), JSON))
        assert answer is not None
        return answer

    def _post(self, path: str, body: str) -> Answer:
        headers = FORM | ({"Cookie": self.cookies[-1]} if self.cookies else {})
        answer = self.strangers.send("set-up", Request("POST", path, "set-up", body.encode(), headers))
        assert answer is not None
        return answer


JSON: Final = {"Content-Type": "application/json"}
FORM: Final = {"Content-Type": "application/x-www-form-urlencoded"}


def _pattern(route: str) -> re.Pattern[str]:
    parts = re.split(r"{(\w+)}", route)  # every second one is a name
    told = [f"(?P<{part}>[^/]+)" if number % 2 else re.escape(part) for number, part in enumerate(parts)]
    return re.compile("".join(told))


def _is_page_of_a_table(route: Request) -> bool:
    return route.method == "GET" and NAME.findall(route.route) == ["key"] and not route.route.startswith("/api")


class Reader(HTMLParser):
    """The addresses and forms of a page."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self.path = path
        self.addresses: list[str] = []
        self.forms: list[tuple[str, str, dict[str, list[str]]]] = []
        self._select = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.addresses += [given[name] for name in ("href", "src", "action", "data-src") if given.get(name)]
        if tag == "form":
            self.forms.append((given.get("method", "get").upper(), given.get("action") or self.path, {}))
        elif self.forms and tag in ("input", "select", "textarea", "button") and given.get("name"):
            self._select = given["name"]
            self._field(given["name"], given.get("value", ""))
        elif self.forms and tag == "option" and self._select:
            self._field(self._select, given.get("value", ""))

    def _field(self, name: str, value: str) -> None:
        self.forms[-1][2].setdefault(name, []).append(value)


def live_fields(world: World) -> Iterator[str]:
    """The names of all fields of all forms."""
    return iter({name for fields in world.forms.values() for name in fields})
