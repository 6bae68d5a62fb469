"""Send notifications by mail (SMTP), webhook and Web Push (VAPID). The large push libraries load on first use."""

from __future__ import annotations

import base64
import re
import smtplib
import socket
import ssl
from collections.abc import Callable, Mapping
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, make_msgid
from functools import cached_property
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from ostbahn.server.games.service import Clock
from ostbahn.server.notifications.safe_http import LONGEST_URL, DeliveryFailed, SafeHttpClient, read_address
from ostbahn.server.settings import MailSettings, Settings
from ostbahn.table.access import Unreadable

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer as Buffer

TIMEOUT: Final = 20.0
LONGEST_ADDRESS: Final = 254  # by RFC 5321
ADDRESS_PATTERN: Final = re.compile(
    r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.)+[A-Za-z0-9-]{2,63}"
)
MAIL_REFUSED_PERMANENTLY: Final = range(550, 560)
LONG_LINE_POLICY: Final = SMTP.clone(max_line_length=900)  # folding would break long links


class Mail(Struct, frozen=True):
    to: str
    subject: str
    text: str
    unsubscribe_url: str = ""


def checked_address(address: str) -> str:
    """Strip a mail address; refuse an invalid one."""
    address = address.strip()
    if len(address) > LONGEST_ADDRESS or ADDRESS_PATTERN.fullmatch(address) is None or ".." in address:
        raise Unreadable("this is no mail address; one looks like anna@example.org")
    return address


def mailbox_of(address: str) -> str:
    """A mail address in lower case without its `+tag`: the same mailbox under other spellings."""
    local, _, domain = address.casefold().rpartition("@")
    return f"{local.partition('+')[0] or local}@{domain}"


def domains_of(address: str) -> list[str]:
    """The domain of an address and its parents up to the top level, as its owner can make up any subdomain."""
    parts = address.casefold().rpartition("@")[2].split(".")
    return [".".join(parts[begin:]) for begin in range(len(parts) - 1)]


def email_message(mail: Mail, mail_settings: MailSettings, clock: Clock) -> EmailMessage:
    """Build a MIME message with the unsubscribe link in text and headers."""
    message = EmailMessage(LONG_LINE_POLICY)
    message["From"] = mail_settings.sender
    message["To"] = mail.to
    message["Subject"] = " ".join(mail.subject.split())
    message["Date"] = format_datetime(clock())
    message["Message-ID"] = make_msgid(domain=mail_settings.sender.rpartition("@")[2].strip("> ") or None)
    message["Auto-Submitted"] = "auto-generated"
    if mail.unsubscribe_url:
        message["List-Unsubscribe"] = f"<{mail.unsubscribe_url}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    footer = f"\n\n-- \nNo more mail from here: {mail.unsubscribe_url}" if mail.unsubscribe_url else ""
    message.set_content(f"{mail.text}{footer}\n")
    return message


def send_mail(mail: Mail, mail_settings: MailSettings, clock: Clock) -> str:
    """Hand a mail to the mail server; return the server's answer."""
    message = email_message(mail, mail_settings, clock)
    try:
        with _connect(mail_settings) as connection:
            if mail_settings.security == "starttls":
                connection.starttls(context=ssl.create_default_context())
            if mail_settings.user:
                password = "" if mail_settings.password is None else mail_settings.password.reveal()
                connection.login(mail_settings.user, password)
            connection.send_message(message)
            code, answer = connection.answered
            return f"{code} {_without_address(answer, mail)}"
    except smtplib.SMTPRecipientsRefused as fault:
        ((code, answer),) = fault.recipients.values()
        why = f"the mail server refuses this address: {code} {_without_address(answer, mail)}"
        raise DeliveryFailed(why, f"address refused, status {code}", code in MAIL_REFUSED_PERMANENTLY) from None
    except smtplib.SMTPResponseException as fault:
        why = f"{_refusal_in_words(fault)}: {fault.smtp_code} {_without_address(fault.smtp_error, mail)}"
        raise DeliveryFailed(why, f"{_refusal_in_words(fault)}, status {fault.smtp_code}") from None
    except (smtplib.SMTPException, OSError) as fault:
        server = f"the mail server {mail_settings.host}, port {mail_settings.port}"
        raise DeliveryFailed(f"{server}, cannot be used: {_cause_in_words(fault)}", type(fault).__name__) from None


class _RecordingSMTP(smtplib.SMTP):
    """An SMTP connection that keeps the server's answer to the DATA command."""

    answered: tuple[int, bytes] = (0, b"")

    def data(self, msg: Buffer | str) -> tuple[int, bytes]:
        self.answered = super().data(msg)
        return self.answered


class _RecordingTlsSMTP(_RecordingSMTP, smtplib.SMTP_SSL):
    """The same with implicit TLS."""


def _connect(mail_settings: MailSettings) -> _RecordingSMTP:
    host, port = mail_settings.host, mail_settings.port
    if mail_settings.security == "tls":
        return _RecordingTlsSMTP(host, port, timeout=TIMEOUT, context=ssl.create_default_context())
    return _RecordingSMTP(host, port, timeout=TIMEOUT)


def _refusal_in_words(fault: smtplib.SMTPResponseException) -> str:
    if isinstance(fault, smtplib.SMTPAuthenticationError):
        return "the mail server refuses the user name or the password"
    if isinstance(fault, smtplib.SMTPSenderRefused):
        return "the mail server refuses the sender"
    return "the mail server refuses the mail"


def _cause_in_words(fault: Exception) -> str:
    if isinstance(fault, TimeoutError):
        return f"it did not answer within {TIMEOUT:g} seconds"
    if isinstance(fault, ConnectionRefusedError):
        return "nothing listens there"
    if isinstance(fault, socket.gaierror):
        return "its name is not known"
    if isinstance(fault, ssl.SSLCertVerificationError):
        return f"its certificate is not valid ({fault.verify_message})"
    if isinstance(fault, ssl.SSLError):
        return "it does not speak TLS as the settings say; look at its port and `mail.security`"
    if isinstance(fault, OSError) and fault.strerror:
        return fault.strerror
    return str(fault).partition("\n")[0].rstrip(".") or type(fault).__name__


def _without_address(answer: bytes | str, mail: Mail) -> str:
    """A mail server's answer without the recipient's address."""
    text = answer.decode("utf-8", "replace") if isinstance(answer, bytes) else answer
    return re.sub(re.escape(mail.to), "…", " ".join(text.split()), flags=re.IGNORECASE)[:200]


ACCEPTED: Final = range(200, 300)
REDIRECT: Final = range(300, 400)
WEBHOOK_GONE: Final = (401, 403, 404, 410)

DISCORD_MARKUP: Final = re.compile(r"([\\`*_~|<>\[\]()#])")

WebhookPayload = Mapping[str, str]
"""Fields: `event`, `text`, `address` of the table, `game`, `player`."""


def _discord_payload(payload: WebhookPayload) -> Any:
    """Escape the text and disable mentions: players' names must not ping people or become markup."""
    text = DISCORD_MARKUP.sub(r"\\\1", payload["text"])
    return {"content": f"{text}\n<{payload['address']}>", "allowed_mentions": {"parse": []}}


def _slack_payload(payload: WebhookPayload) -> Any:
    text = payload["text"].replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return {"text": f"{text} <{payload['address']}>"}


PAYLOAD_FORMATS: Final[Mapping[str, Callable[[WebhookPayload], Any]]] = {
    "discord": _discord_payload,
    "slack": _slack_payload,
    "json": dict,
}


def send_webhook(http_client: SafeHttpClient, url: str, shape: str, payload: WebhookPayload) -> None:
    body = msgspec.json.encode(PAYLOAD_FORMATS[shape](payload))
    status = http_client.post(url, body, {"Content-Type": "application/json", "User-Agent": "Ostbahn"})
    if status in REDIRECT:
        why = "the webhook has moved: it answered with a redirect, which is not followed"
        raise DeliveryFailed(why, f"status {status}")
    if status in WEBHOOK_GONE:
        raise DeliveryFailed(f"the webhook does not exist any more ({status})", f"status {status}", is_permanent=True)
    if status not in ACCEPTED:
        raise DeliveryFailed(f"the webhook answered {status}", f"status {status}")


P256_ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
PUSH_LIFETIME: Final = 24 * 60 * 60  # seconds for which push services keep a message for an offline browser
SIGNATURE_LIFETIME: Final = 12 * 60 * 60
PUSH_GONE: Final = (404, 410)
LONGEST_KEY: Final = 200


class PushKeys(Struct, frozen=True):
    """The browser's public key and secret, with which messages are encrypted."""

    p256dh: str
    auth: str


class PushSubscription(Struct, frozen=True):
    """The browser's `PushSubscription` as JSON."""

    endpoint: str
    keys: PushKeys


class VapidSigner:
    """Signs push messages with this server's key."""

    def __init__(self, seed: bytes, contact: str) -> None:
        """`seed`: 48 bytes derived from the server secret, so no key file is needed."""
        self._private_key = int.from_bytes(seed, "big") % (P256_ORDER - 1) + 1
        self._contact = contact

    @cached_property
    def _vapid(self) -> Any:
        from cryptography.hazmat.primitives.asymmetric import ec
        from py_vapid import Vapid02

        return Vapid02(ec.derive_private_key(self._private_key, ec.SECP256R1()))

    @cached_property
    def public(self) -> str:
        """The public key for browsers; empty if the libraries are missing."""
        if not is_push_available():
            return ""
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

        point = self._vapid.public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return base64.urlsafe_b64encode(point).decode().rstrip("=")

    def headers(self, endpoint: str, now: int) -> dict[str, str]:
        parts = urlsplit(endpoint)
        claims = {"aud": f"{parts.scheme}://{parts.netloc}", "sub": self._contact, "exp": now + SIGNATURE_LIFETIME}
        headers: dict[str, str] = self._vapid.sign(claims)
        return headers


def is_push_available() -> bool:
    return find_spec("pywebpush") is not None


def check_push_subscription(push_subscription: PushSubscription) -> None:
    """Refuse an unusable subscription: anyone can post one."""
    if not is_push_available():
        raise Unreadable("no push messages are sent from here: whoever runs this server has not set that up")
    read_address(push_subscription.endpoint)
    keys = push_subscription.keys
    if len(push_subscription.endpoint) > LONGEST_URL or max(len(keys.p256dh), len(keys.auth)) > LONGEST_KEY:
        raise Unreadable("this is no subscription of a browser")
    try:
        _encrypted(push_subscription, b"{}")
    except Exception:  # the libraries raise anything over invalid keys
        raise Unreadable("this is no subscription of a browser: its keys cannot be used") from None


def _encrypted(push_subscription: PushSubscription, data: bytes) -> bytes:
    from pywebpush import WebPusher

    body: bytes = WebPusher(msgspec.to_builtins(push_subscription)).encode(data, content_encoding="aes128gcm")["body"]
    return body


def send_push(
    http_client: SafeHttpClient,
    signer: VapidSigner,
    push_subscription: PushSubscription,
    message: Mapping[str, str],
    now: int,
) -> None:
    body = _encrypted(push_subscription, msgspec.json.encode(message))
    headers = {
        **signer.headers(push_subscription.endpoint, now),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(PUSH_LIFETIME),
        "Urgency": "high",
    }
    status = http_client.post(push_subscription.endpoint, body, headers)
    if status in PUSH_GONE:
        raise DeliveryFailed("this browser takes no messages any more", f"status {status}", is_permanent=True)
    if status not in ACCEPTED:
        raise DeliveryFailed(f"the server of this browser answered {status}", f"status {status}")


class NotificationConfig(Struct, frozen=True):
    public_url: str = ""
    """This server's address for links in mails and chat rooms; without it neither is sent."""
    mail_settings: MailSettings | None = None
    allowed_networks: tuple[str, ...] = ()
    """Private networks that webhooks may reach."""

    @property
    def address(self) -> str:
        return self.public_url.rstrip("/")

    @property
    def can_mail(self) -> bool:
        return self.mail_settings is not None and bool(self.public_url)


def notification_config_of(settings: Settings, address: str = "") -> NotificationConfig:
    """Read the settings; `address` stands in for a missing public URL."""
    return NotificationConfig(settings.public_url or address, mail_settings_of(settings), settings.webhooks_let_in)


def mail_settings_of(settings: Settings) -> MailSettings | None:
    return settings.mail if settings.mail.host else None
