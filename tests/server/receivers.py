"""The other ends of all wires, on this machine: a mail server, rooms with webhooks, and a browser's push server."""

from __future__ import annotations

import base64
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Queue
from threading import Thread
from typing import Any, NamedTuple

import http_ece
import msgspec
from aiosmtpd.controller import Controller
from aiosmtpd.handlers import Message as MessageHandler
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from ostbahn.server.notifications.channels import PushKeys, PushSubscription
from ostbahn.server.settings import MailSettings

LOCAL = "127.0.0.1"


class _Letters(MessageHandler):
    def __init__(self) -> None:
        super().__init__()
        self.letters: Queue[Message] = Queue()
        self.refusing = ""

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:  # noqa: N802
        if self.refusing:
            return self.refusing
        envelope.rcpt_tos.append(address)
        return "250 OK"

    def handle_message(self, message: Message) -> None:
        self.letters.put(message)


class MailServer(NamedTuple):
    mail_settings: MailSettings
    handler: _Letters

    @property
    def letters(self) -> Queue[Message]:
        return self.handler.letters


@contextmanager
def mail_server() -> Iterator[MailServer]:
    handler = _Letters()
    with socket.create_server((LOCAL, 0)) as free:  # the controller wants to know its port
        port = free.getsockname()[1]
    controller = Controller(handler, hostname=LOCAL, port=port)
    controller.start()
    try:
        mail_settings = MailSettings(host=LOCAL, sender="Ostbahn <games@example.org>", port=port, security="none")
        yield MailServer(mail_settings, handler)
    finally:
        controller.stop()


class Posted(NamedTuple):
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def told(self) -> Any:
        return msgspec.json.decode(self.body)


class WebServer(NamedTuple):
    url: str
    posted: Queue[Posted]
    answers: list[tuple[int, dict[str, str]]]
    """What it will answer next, each once; else 204."""


@contextmanager
def web_server() -> Iterator[WebServer]:
    posted: Queue[Posted] = Queue()
    answers: list[tuple[int, dict[str, str]]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            posted.put(Posted(self.path, {name.lower(): value for name, value in self.headers.items()}, body))
            status, headers = answers.pop(0) if answers else (204, {})
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            """Requests are no news."""

    server = ThreadingHTTPServer((LOCAL, 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield WebServer(f"http://{LOCAL}:{server.server_port}", posted, answers)
    finally:
        server.shutdown()
        server.server_close()


class Browser:
    """The keys of a browser, by which alone its messages can be read."""

    def __init__(self, endpoint: str) -> None:
        self._private = ec.generate_private_key(ec.SECP256R1())
        self._auth = os.urandom(16)
        point = self._private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.push_subscription = PushSubscription(endpoint, PushKeys(_text(point), _text(self._auth)))

    def read(self, posted: Posted) -> Any:
        plain = http_ece.decrypt(posted.body, private_key=self._private, auth_secret=self._auth, version="aes128gcm")
        return msgspec.json.decode(plain)


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")
