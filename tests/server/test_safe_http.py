"""Addresses that strangers type must not lead into the server's own networks, in whatever way they are dressed up."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterable, Sequence
from ipaddress import ip_address
from threading import Thread
from types import SimpleNamespace

import pytest

from ostbahn.server.notifications.safe_http import DeliveryFailed, SafeHttpClient, own_addresses
from ostbahn.table.access import Unreadable
from tests.server.receivers import web_server

PUBLIC = "93.184.215.14"
LOCAL_NETWORK = ("127.0.0.0/8",)


def leads_to(*addresses: str) -> SafeHttpClient:
    """The world as it is if every name leads there."""
    return SafeHttpClient(resolve=lambda host, port: addresses, own=frozenset)


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "127.8.8.8",
        "0.0.0.0",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "100.64.0.1",
        "169.254.169.254",
        "224.0.0.1",
        "255.255.255.255",
        "::1",
        "::",
        "fe80::1%eth0",
        "fd00::1",
        "fec0::1",
        "ff02::1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "2002:7f00:1::",
        "2002:a9fe:a9fe::",
        "64:ff9b::a00:1",
        "64:ff9b::7f00:1",
        "64:ff9b::c058:6301",
        "64:ff9b:1::1",
        "64:ff9b:1::5db8:d70e",
        "192.88.99.1",
        "::ffff:192.88.99.1",
        "2002:c058:6301::",
        "192.0.0.9",
        "192.31.196.1",
        "192.52.193.1",
        "192.175.48.1",
        "198.18.0.1",
        "203.0.113.7",
        "240.0.0.1",
        "::127.0.0.1",
        "::5db8:d70e",
        "100::1",
        "100:0:0:1::1",
        "2001:0:5db8:d70e::f5ff:fffe",
        "2001:1::1",
        "2001:3::1",
        "2001:4:112::1",
        "2001:20::1",
        "2001:30::1",
        "2001:db8::1",
        "2620:4f:8000::1",
        "3fff::1",
        "4000::1",
        "5f00::1",
    ],
)
def test_no_name_leads_inside(address: str) -> None:
    with pytest.raises(DeliveryFailed, match="private network"):
        leads_to(address).target("https://hooks.example.org/x")
    with pytest.raises(DeliveryFailed, match="private network"):
        leads_to(PUBLIC, address).target("https://hooks.example.org/x")  # the next connection would take the other


@pytest.mark.parametrize(
    "address",
    [
        PUBLIC,
        f"::ffff:{PUBLIC}",
        f"64:ff9b::{PUBLIC}",
        "192.88.98.255",
        "192.88.100.0",
        "2606:4700::1111",
        "2a00:1450::1",
    ],
)
def test_public_addresses_are_reached(address: str) -> None:
    assert leads_to(address).target("https://hooks.example.org/x").address == address


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/",
        "http://127.0.0.1:8018/api",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[::ffff:7f00:1]/",
        "http://2130706433/",
        "http://0x7f000001/",
        "http://0177.0.0.1/",
        "http://127.1/",
        "http://localhost/",
        "http://localhost./",
        "http://10.0.0.8/",
        "http://169.254.169.254/latest/meta-data/",
    ],
)
def test_no_address_leads_inside(url: str) -> None:
    """As this machine itself reads them."""
    with pytest.raises(DeliveryFailed):
        SafeHttpClient().post(url, b"{}", {})


@pytest.mark.parametrize(
    "url",
    [
        "ftp://example.org/",
        "file:///etc/passwd",
        "gopher://example.org/",
        "https:///x",
        "https://",
        "//example.org/",
        "https://user:password@example.org/",
        "https://example.org:99999/",
        "https://example.org:25/",
        "https://exa mple.org/",
        "https://example.org/\r\nX-Evil: 1",
        "https://exämple.org/",
        "https://example.org/" + "x" * 3000,
    ],
)
def test_what_is_no_address_is_said_so(url: str) -> None:
    with pytest.raises(Unreadable):
        leads_to(PUBLIC).target(url)


def test_the_houses_own_addresses_are_inside_too() -> None:
    own = frozenset({ip_address(PUBLIC)})
    outside = SafeHttpClient(resolve=lambda host, port: [PUBLIC], own=lambda: own)
    with pytest.raises(DeliveryFailed, match="this machine"):
        outside.target("https://games.example.org/")
    assert all(str(address) for address in own_addresses())


def test_a_name_that_changes_its_mind_leads_nowhere_else() -> None:
    """It is looked up once for each sending, and the connection goes to what was checked."""
    asked: list[str] = []

    def resolve(host: str, port: int) -> Sequence[str]:
        asked.append(host)
        return ["127.0.0.2"] if len(asked) == 1 else ["127.0.0.1"]

    with web_server() as web:  # at 127.0.0.1 alone
        outside = SafeHttpClient(("127.0.0.2/32",), resolve=resolve, own=frozenset)
        port = web.url.rpartition(":")[2]
        with pytest.raises(DeliveryFailed, match="cannot be reached"):
            outside.post(f"http://hooks.example.org:{port}/x", b"{}", {})
        assert asked == ["hooks.example.org"]
        with pytest.raises(DeliveryFailed, match="private network"):
            outside.post(f"http://hooks.example.org:{port}/x", b"{}", {})
        assert web.posted.empty()


def test_redirects_are_not_followed() -> None:
    with web_server() as inner, web_server() as web:
        web.answers.append((307, {"Location": f"{inner.url}/secret"}))
        assert SafeHttpClient(LOCAL_NETWORK).post(f"{web.url}/x?y=1", b"{}", {}) == 307
        assert web.posted.get().path == "/x?y=1"
        assert inner.posted.empty()


@pytest.mark.parametrize("drip", [b"", b"HTTP/1.1 200 OK\r\nX-Slow: yes\r\n"], ids=["silent", "dripping"])
def test_who_answers_slowly_is_hung_up_on(drip: bytes) -> None:
    """Byte after byte would never be too late for any one of them."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def speak() -> None:
            line, _ = listener.accept()
            with line:
                for piece in pieces(drip):
                    try:
                        line.sendall(piece)
                    except OSError:
                        return

        Thread(target=speak, daemon=True).start()
        outside = SafeHttpClient(LOCAL_NETWORK, timeout=0.3)
        with pytest.raises(DeliveryFailed, match="cannot be reached"):
            outside.post(f"http://127.0.0.1:{listener.getsockname()[1]}/", b"{}", {})


class SlowHandshake:
    """As `ssl` does it: the socket that it is given is none any more while hands are shaken."""

    def wrap_socket(self, sock: socket.socket, server_hostname: str) -> socket.socket:
        taken = socket.socket(fileno=sock.detach())
        time.sleep(0.3)
        return taken


def test_who_shakes_hands_slowly_is_hung_up_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "ostbahn.server.notifications.safe_http.ssl", SimpleNamespace(create_default_context=SlowHandshake)
    )
    with socket.create_server(("127.0.0.1", 0)) as listener:
        outside = SafeHttpClient(LOCAL_NETWORK, timeout=0.1)
        with pytest.raises(DeliveryFailed, match="it takes too long"):
            outside.post(f"https://127.0.0.1:{listener.getsockname()[1]}/", b"{}", {})
        line, _ = listener.accept()
        with line:
            assert line.recv(100) == b"", "nothing is sent to them when their time is over"


def pieces(drip: bytes) -> Iterable[bytes]:
    """A header that never ends, one letter at a time."""
    yield drip
    for _ in range(200):
        time.sleep(0.02)
        yield b"x" if drip else b""
