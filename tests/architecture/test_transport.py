"""Scripts reach the server through one module, `transport.js`, so that this module alone can be exchanged."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "ostbahn"
TRANSPORT = "transport.js"
COMMENT = re.compile(r"/\*.*?\*/|(?:^|(?<=\s))//[^\n]*", re.DOTALL)
REACHES = re.compile(
    r"\b(?:fetch|EventSource|WebSocket|XMLHttpRequest|sendBeacon|requestSubmit)\b"
    r"|\.submit\(|\bwindow\.open\("
    r"|\blocation\.(?:assign|replace|reload)\b|\blocation(?:\.href)?\s*=(?!=)"
    r"|\bsrc\b[\"']?\s*(?:[:,]|=(?!=))"
)
"""What connects, leaves the page, or loads by an address."""


def reaches(script: str) -> list[str]:
    """What a script uses to reach a server, outside its comments."""
    return REACHES.findall(COMMENT.sub("", script))


def scripts() -> list[Path]:
    return sorted(SOURCE.rglob("*.js"))


def test_only_the_transport_reaches_the_server() -> None:
    others = [path for path in scripts() if path.name != TRANSPORT]
    assert len(others) > 30
    found = {path.name: reaches(path.read_text(encoding="utf-8")) for path in others}
    assert {name: uses for name, uses in found.items() if uses} == {}


def test_there_is_one_transport_that_reaches_it() -> None:
    (transport,) = [path for path in scripts() if path.name == TRANSPORT]
    assert {"fetch", "EventSource"} <= set(reaches(transport.read_text(encoding="utf-8")))


@pytest.mark.parametrize(
    "code",
    [
        'await fetch("/api")',
        "const get = window.fetch;",
        'new EventSource("/events")',
        'navigator.sendBeacon("/left")',
        "new XMLHttpRequest()",
        "form.submit();",
        'location.href = "/";',
        'window.location = "/";',
        "window.location.reload();",
        "image.src = path;",
        'image.setAttribute("src", path);',
        'el("img", { src: path })',
    ],
)
def test_a_way_around_it_would_be_found(code: str) -> None:
    assert reaches(code) != []


@pytest.mark.parametrize(
    "code",
    [
        "/** What to fetch( */",
        "x(); // fetch(it) later",
        "this.fetching = 1;",
        "const here = window.location.href;",
        "form.submitted(event)",
    ],
)
def test_words_about_it_are_no_way_around_it(code: str) -> None:
    assert reaches(code) == []
