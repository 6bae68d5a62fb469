"""Addresses as a browser wrote them."""

from __future__ import annotations

from ipaddress import ip_address


def is_loopback(host: str) -> bool:
    """Whether it means the very machine on which it is written."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
