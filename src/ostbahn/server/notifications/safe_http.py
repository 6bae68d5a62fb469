"""POST to URLs that users typed, safe from server-side request forgery.

Each request resolves the name, checks all its addresses, connects to a checked one, and follows no redirect.
"""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from http.client import HTTPConnection, HTTPException
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from threading import Timer
from typing import Final, NamedTuple
from urllib.parse import SplitResult, urlsplit

from ostbahn.table.access import Unreadable

LONGEST_URL: Final = 2000
TIMEOUT: Final = 8.0  # seconds for the whole exchange
MOST_READ: Final = 4096  # bytes of an answer
PORTS: Final = {"http": 80, "https": 443}
PRIVILEGED: Final = 1024  # below this only the ports of HTTP are allowed
NAT64: Final = IPv6Network("64:ff9b::/96")
UNICAST: Final = IPv6Network("2000::/3")
"""The only IPv6 range with public addresses."""

Address = IPv4Address | IPv6Address
IpNetwork = IPv4Network | IPv6Network

SPECIAL_PURPOSE: Final[Mapping[str, str]] = {
    "0.0.0.0/8": "this network",
    "10.0.0.0/8": "private",
    "100.64.0.0/10": "shared by a provider's customers",
    "127.0.0.0/8": "this machine",
    "169.254.0.0/16": "link-local, and clouds' metadata",
    "172.16.0.0/12": "private",
    "192.0.0.0/24": "protocol assignments",
    "192.0.2.0/24": "documentation",
    "192.31.196.0/24": "AS112, which answers for private addresses",
    "192.52.193.0/24": "multicast tunnels (AMT)",
    "192.88.99.0/24": "6to4 relays, given up",
    "192.168.0.0/16": "private",
    "192.175.48.0/24": "AS112",
    "198.18.0.0/15": "benchmarks",
    "198.51.100.0/24": "documentation",
    "203.0.113.0/24": "documentation",
    "224.0.0.0/4": "multicast",
    "240.0.0.0/4": "reserved, and broadcast",
    "2001::/23": "protocol assignments, among them Teredo, which wraps IPv4",
    "2001:db8::/32": "documentation",
    "2002::/16": "6to4, which wraps IPv4",
    "2620:4f:8000::/48": "AS112",
    "3fff::/20": "documentation",
}
"""From the IANA registries of special-purpose addresses. Python's own list is incomplete and varies by version."""
SPECIAL_NETWORKS: Final[tuple[IpNetwork, ...]] = tuple(ip_network(network) for network in SPECIAL_PURPOSE)

Resolver = Callable[[str, int], Iterable[str]]


class DeliveryFailed(Exception):
    """A message did not arrive. The text tells its recipient why; `cause` is for the log and has no names."""

    def __init__(self, why: str, cause: str, is_permanent: bool = False) -> None:
        super().__init__(why)
        self.cause = cause
        self.is_permanent = is_permanent


class PinnedTarget(NamedTuple):
    """A URL and the checked IP address to connect to."""

    parts: SplitResult
    port: int
    address: str


def resolve_addresses(host: str, port: int) -> list[str]:
    return [str(entry[4][0]) for entry in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]


def own_addresses() -> frozenset[Address]:
    """The addresses of this machine, as far as it knows them."""
    addresses: set[str] = set()
    with suppress(OSError):
        addresses |= {str(entry[4][0]) for entry in socket.getaddrinfo(socket.gethostname(), None)}
    for family, target in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((target, 9))  # sends nothing, but picks the local address of the route
            addresses.add(str(probe.getsockname()[0]))
    return frozenset(ip_address(address.partition("%")[0]) for address in addresses)


class SafeHttpClient:
    def __init__(
        self,
        allowed_networks: Sequence[str] = (),
        resolve: Resolver = resolve_addresses,
        own: Callable[[], frozenset[Address]] = own_addresses,
        timeout: float = TIMEOUT,
    ) -> None:
        """`allowed_networks` are private networks that may be reached."""
        self._allowed: tuple[IpNetwork, ...] = tuple(ip_network(network) for network in allowed_networks)
        self._resolve = resolve
        self._own = own
        self._timeout = timeout

    def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> int:
        """Send a request; return the status of the answer."""
        target = self.target(url)
        try:
            return self._exchange(target, body, headers)
        except (OSError, HTTPException) as fault:
            why = f"{target.parts.hostname} cannot be reached ({_cause_in_words(fault)})"
            raise DeliveryFailed(why, type(fault).__name__) from None

    def target(self, url: str) -> PinnedTarget:
        """Resolve a URL; refuse private and local addresses."""
        parts, port = read_address(url)
        host = parts.hostname or ""
        try:
            addresses = list(self._resolve(host, port))
        except (OSError, UnicodeError):
            raise DeliveryFailed(f"the name {host} is not known at the moment", "unknown name") from None
        own = self._own()
        if not addresses or not all(self._may_reach(ip_address(text.partition("%")[0]), own) for text in addresses):
            why = f"{host} leads to this machine or into a private network; nothing is sent there"
            raise DeliveryFailed(why, "private network")
        return PinnedTarget(parts, port, addresses[0])

    def _may_reach(self, address: Address, own: frozenset[Address]) -> bool:
        address = _embedded_ipv4(address)
        return _is_in(address, self._allowed) or (_is_public(address) and address not in own)

    def _exchange(self, target: PinnedTarget, body: bytes, headers: Mapping[str, str]) -> int:
        """Send a request; return the status of the answer."""
        connection = _PinnedConnection(target, self._timeout)
        # a limit for the whole exchange: socket timeouts restart with each byte
        deadline = Timer(self._timeout, connection.cut)
        deadline.daemon = True
        deadline.start()
        try:
            path = target.parts.path or "/"
            query = f"?{target.parts.query}" if target.parts.query else ""
            connection.request("POST", path + query, body, {**headers, "Connection": "close"})
            answer = connection.getresponse()
            answer.read(MOST_READ)
            if connection.was_cut:
                raise TimeoutError("it takes too long")
            return answer.status
        finally:
            deadline.cancel()
            connection.close()


class _PinnedConnection(HTTPConnection):
    """A connection to the checked IP address, with the typed name for TLS and the Host header."""

    def __init__(self, target: PinnedTarget, timeout: float) -> None:
        super().__init__(target.parts.hostname or "", target.port, timeout=timeout)
        self._target = target
        self.was_cut = False
        """Whether the answer may be truncated."""

    def connect(self) -> None:
        self.sock = socket.create_connection((self._target.address, self._target.port), self.timeout)
        if self._target.parts.scheme == "https":
            safe = ssl.create_default_context()
            self.sock = safe.wrap_socket(self.sock, server_hostname=self._target.parts.hostname)
        if self.was_cut:  # during the handshake there was no socket to cut
            raise TimeoutError("it takes too long")

    def cut(self) -> None:
        self.was_cut = True
        if self.sock is not None:
            with suppress(OSError):
                self.sock.shutdown(socket.SHUT_RDWR)


def read_address(url: str) -> tuple[SplitResult, int]:
    """Return the parts and the port of a webhook URL; refuse an invalid one."""
    refuse = partial(Unreadable, "this is no address of a webhook; one begins with https:// and the name of its server")
    if len(url) > LONGEST_URL or not url.isascii() or not url.isprintable() or " " in url:
        raise refuse()
    try:
        parts = urlsplit(url)
        port = parts.port or PORTS[parts.scheme]
    except (ValueError, KeyError):
        raise refuse() from None
    if not parts.hostname or parts.username is not None or parts.password is not None:
        raise refuse()
    if port not in PORTS.values() and port < PRIVILEGED:
        raise Unreadable(f"nothing is sent to port {port}; webhooks are at 443, 80 or above {PRIVILEGED}")
    return parts, port


def _embedded_ipv4(address: Address) -> Address:
    """The IPv4 address inside an IPv4-mapped or NAT64 address; other addresses unchanged."""
    if isinstance(address, IPv4Address):
        return address
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    return IPv4Address(int(address) & 0xFFFF_FFFF) if address in NAT64 else address


def _is_public(address: Address) -> bool:
    unicast = isinstance(address, IPv4Address) or address in UNICAST
    return unicast and address.is_global and not _is_in(address, SPECIAL_NETWORKS)


def _is_in(address: Address, networks: Iterable[IpNetwork]) -> bool:
    return any(address in network for network in networks)


def _cause_in_words(fault: Exception) -> str:
    return getattr(fault, "strerror", None) or str(fault).partition("\n")[0] or type(fault).__name__
