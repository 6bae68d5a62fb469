"""Sends what strangers might, and looks at what comes back: whatever is wrong is a finding, told at the end."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException, HTTPResponse, RemoteDisconnected
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple
from urllib.parse import quote, urlsplit

from tests.programs import started
from tests.server.strangers.watched import LOG, TOOK

MOST_SECONDS: Final = 1.0
"""Of processor time, for any request."""
MOST_MEMORY: Final = 100_000
"""Kilobytes beyond what the processes had before."""
LONGEST_REFUSAL: Final = 3000
"""Bytes of a refusal by the interface: why not, and the text of a rule."""
LONGEST_PAGE: Final = 700_000
"""Bytes of a page that says what is wrong with a form: the form, and the 100,000 letters that somebody typed."""
OURS: Final = re.compile(rb'Traceback \(most recent call last\)|File "/[^"]+", line \d')
KEY: Final = re.compile(r"(?<![\w-])[\w-]{22}(?![\w-])")
SAFE: Final = "/?&=%+:;,.~!$'()*@-_"
COUNTS = {"attempts"}
"""What counts refused requests: those at passwords."""


class Request(NamedTuple):
    """What is sent, and to which route, so that findings can be put together."""

    method: str
    path: str
    route: str
    body: bytes = b""
    headers: Mapping[str, str] = {}

    def told(self) -> str:
        body = self.body if len(self.body) < 400 else self.body[:300] + b" ... " + self.body[-80:]
        return f"{self.method} {self.path[:300]} {dict(self.headers)} {body!r}"


class Answer(NamedTuple):
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def text(self) -> str:
        return self.body.decode(errors="replace")


class Strangers:
    """As many as one likes: each request comes from another address."""

    def __init__(self, address: str, folder: Path, seed: int = 1) -> None:
        self.host = urlsplit(address).netloc
        self.log = folder / LOG
        self.rng = Random(seed)
        self.keys: dict[str, str] = {}
        """All that were ever given out, with one that stands for the table: no refusal may tell one of another table,
        and the log none at all."""
        self.sent: Counter[str] = Counter()
        """By kind of request."""
        self.statuses: Counter[int] = Counter()
        self.writing: Counter[str] = Counter()
        """How often each table of the database was written to, to see that writing is noticed at all."""
        self.findings: dict[tuple[str, str], list[str]] = {}
        self.slowest: list[tuple[float, str]] = []
        self.largest: list[tuple[int, str]] = []
        self.seconds = 0.0
        """Of processor time, for all of them."""
        self._line = HTTPConnection(self.host, timeout=120)

    def send(self, kind: str, request: Request) -> Answer | None:
        """None where there was no answer, which is a finding."""
        self.sent[kind] += 1
        try:
            answer = self._answer(request)
        except (OSError, HTTPException) as fault:
            self._line.close()
            self.find(f"no answer: {fault!r}", request)
            return None
        self.statuses[answer.status] += 1
        self._look_at(request, answer)
        return answer

    def find(self, what: str, request: Request) -> None:
        self.findings.setdefault((what, request.route), []).append(request.told())

    def _answer(self, request: Request) -> Answer:
        address = ".".join(str(self.rng.randrange(1, 255)) for _ in range(4))
        headers = {"X-Forwarded-For": address} | {
            name: value for name, value in request.headers.items() if name.lower() != "accept-encoding"
        }
        body = request.body or (b"" if request.method != "GET" else None)
        try:
            got = self._asked(request, body, headers)
        except (ConnectionError, RemoteDisconnected):  # a server may hang up on a line that was silent for some seconds
            self._line.close()
            got = self._asked(request, body, headers)
        return Answer(got.status, {name.lower(): value for name, value in got.getheaders()}, got.read())

    def _asked(self, request: Request, body: bytes | None, headers: dict[str, str]) -> HTTPResponse:
        self._line.request(request.method, quote(request.path, safe=SAFE), body, headers)
        return self._line.getresponse()

    def _look_at(self, request: Request, answer: Answer) -> None:
        if TOOK not in answer.headers:
            if answer.status != 400:  # what is no HTTP never comes to the application
                self.find("it was answered by nobody", request)
            return
        took = json.loads(answer.headers[TOOK])
        self.writing.update(took["written"])
        self.seconds += took["seconds"]
        self._note(self.slowest, took["seconds"], request)
        self._note(self.largest, took["kilobytes"], request)
        if answer.status >= 500:
            self.find(f"{answer.status}", request)
        if answer.status >= 400:
            self._look_at_refusal(request, answer, took["written"])
        if took["ended"]:
            self.find("a process that opened a file had to be ended", request)
        if took["seconds"] > MOST_SECONDS:
            self.find("it takes too long", request)
        if took["kilobytes"] > MOST_MEMORY:
            self.find("it takes too much memory", request)

    def _look_at_refusal(self, request: Request, answer: Answer, written: Iterable[str]) -> None:
        if changed := set(written) - COUNTS:
            self.find(f"refused, and yet there was written: {', '.join(sorted(changed))}", request)
        if len(answer.body) > (LONGEST_REFUSAL if request.path.startswith("/api/") else LONGEST_PAGE):
            self.find("a refusal too long", request)
        if OURS.search(answer.body):
            self.find("a refusal tells of our code", request)
        own = {self.keys.get(key, "") for key in KEY.findall(request.path)}
        if any(self.keys.get(key, "") not in own for key in KEY.findall(answer.text) if key in self.keys):
            self.find("a refusal tells a key", request)

    @staticmethod
    def _note(most: list[Any], figure: float, request: Request) -> None:
        most.append((round(figure, 4), f"{request.method} {request.route} ({len(request.body):,} bytes)"))
        if len(most) > 1000:
            del_most(most)

    def look_at_log(self) -> None:
        """The log tells of no fault of ours, and of no key."""
        log = self.log.read_text(errors="replace")
        here = Request("", "the log", "the log", log[-3000:].encode())
        if "Traceback" in log or "could not be opened" in log:
            self.find("a fault of ours in the log", here)
        if any(key in log for key in self.keys):
            self.find("a key in the log", here)

    def told(self) -> str:
        """All figures, for people."""
        del_most(self.slowest)
        del_most(self.largest)
        rows = [
            f"{sum(self.sent.values()):,} requests: {dict(self.sent)}",
            f"statuses: {dict(sorted(self.statuses.items()))}",
        ]
        rows += [f"written: {dict(self.writing)}", f"{self.seconds:.0f} s of processor time in all"]
        rows += [f"slowest: {seconds:.3f} s {what}" for seconds, what in self.slowest[:5]]
        rows += [f"largest: {kilobytes / 1000:.1f} MB more, {what}" for kilobytes, what in self.largest[:5]]
        for (what, route), examples in sorted(self.findings.items()):
            rows += [f"FOUND {what}: {route}, {len(examples)} times", *(f"    {each}" for each in examples[:3])]
        return "\n".join(rows)


def del_most(figures: list[Any]) -> None:
    """Leave only the highest."""
    figures.sort(reverse=True)
    del figures[20:]


class Place(NamedTuple):
    """A server, and all that can be asked for there."""

    strangers: Strangers
    routes: list[dict[str, str]]


@contextmanager
def serving(folder: Path, url: str, seed: int = 1) -> Iterator[Place]:
    """A server for strangers, in a process of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    with started([sys.executable, "-m", "tests.server.strangers.watched", str(folder), url], apart=True) as program:
        assert program.stdout is not None
        line = program.stdout.readline()
        assert line, (folder / LOG).read_text()
        told = json.loads(line)
        yield Place(Strangers(told["address"], folder, seed), told["routes"])
