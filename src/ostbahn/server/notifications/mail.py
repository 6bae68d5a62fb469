"""Mail by SMTP."""

from __future__ import annotations

import re
import smtplib
import socket
import ssl
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, make_msgid
from typing import TYPE_CHECKING, Final, Literal

from msgspec import Struct

from ostbahn.server.games.service import Clock
from ostbahn.server.notifications.safe_http import NotSent
from ostbahn.table.access import Unreadable

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer as Buffer

PATIENCE: Final = 20.0
LONGEST: Final = 254
"""Letters of an address, as the standard has it."""
ADDRESS: Final = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.)+[A-Za-z0-9-]{2,63}")
FOR_GOOD: Final = range(550, 560)
"""Answers by which a mail server says that it will never take this."""
WHOLE_LINES: Final = SMTP.clone(max_line_length=900)
"""A link that is broken over two lines leads nowhere."""


class PostOffice(Struct, frozen=True):
    """The mail server by which this house sends, as whoever serves has set it."""

    host: str
    sender: str
    port: int = 587
    security: Literal["none", "starttls", "tls"] = "starttls"
    user: str = ""
    password: str = ""

    def __repr__(self) -> str:
        return f"PostOffice({self.host}:{self.port})"  # the password gets into no log


class Mail(Struct, frozen=True):
    to: str
    subject: str
    text: str
    end: str = ""
    """The address at which somebody ends such mail, if they can."""


def checked(address: str) -> str:
    """A mail address, as far as one can tell without writing to it."""
    address = address.strip()
    if len(address) > LONGEST or ADDRESS.fullmatch(address) is None or ".." in address:
        raise Unreadable("this is no mail address; one looks like anna@example.org")
    return address


def mailbox_of(address: str) -> str:
    """Where mail to an address arrives: what stands behind a plus sign is for its owner to sort by."""
    local, _, domain = address.casefold().rpartition("@")
    return f"{local.partition('+')[0] or local}@{domain}"


def domains_of(address: str) -> list[str]:
    """The domain of an address and those above it, but for the topmost: a stranger may invent names below one."""
    parts = address.casefold().rpartition("@")[2].split(".")
    return [".".join(parts[begin:]) for begin in range(len(parts) - 1)]


def written(mail: Mail, office: PostOffice, clock: Clock) -> EmailMessage:
    """With its end in the text and where mail programs look for it."""
    message = EmailMessage(WHOLE_LINES)
    message["From"] = office.sender
    message["To"] = mail.to
    message["Subject"] = " ".join(mail.subject.split())
    message["Date"] = format_datetime(clock())
    message["Message-ID"] = make_msgid(domain=office.sender.rpartition("@")[2].strip("> ") or None)
    message["Auto-Submitted"] = "auto-generated"
    if mail.end:
        message["List-Unsubscribe"] = f"<{mail.end}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    message.set_content(f"{mail.text}\n\n-- \nNo more mail from here: {mail.end}\n" if mail.end else f"{mail.text}\n")
    return message


def send(mail: Mail, office: PostOffice, clock: Clock) -> str:
    """Hand it to the mail server; returns what that answered."""
    message = written(mail, office, clock)
    try:
        with _line(office) as line:
            if office.security == "starttls":
                line.starttls(context=ssl.create_default_context())
            if office.user:
                line.login(office.user, office.password)
            line.send_message(message)
            code, said = line.answered
            return f"{code} {_text(said, mail)}"
    except smtplib.SMTPRecipientsRefused as fault:
        ((code, said),) = fault.recipients.values()
        why = f"the mail server refuses this address: {code} {_text(said, mail)}"
        raise NotSent(why, f"address refused, status {code}", code in FOR_GOOD) from None
    except smtplib.SMTPResponseException as fault:
        why = f"{_refused(fault)}: {fault.smtp_code} {_text(fault.smtp_error, mail)}"
        raise NotSent(why, f"{_refused(fault)}, status {fault.smtp_code}") from None
    except (smtplib.SMTPException, OSError) as fault:
        why = f"the mail server {office.host}, port {office.port}, cannot be used: {_reason(fault)}"
        raise NotSent(why, type(fault).__name__) from None


class _MailLine(smtplib.SMTP):
    """Remembers what the server said to the mail itself."""

    answered: tuple[int, bytes] = (0, b"")

    def data(self, msg: Buffer | str) -> tuple[int, bytes]:
        self.answered = super().data(msg)
        return self.answered


class _TlsMailLine(_MailLine, smtplib.SMTP_SSL):
    """The same, encrypted from the first byte."""


def _line(office: PostOffice) -> _MailLine:
    if office.security == "tls":
        return _TlsMailLine(office.host, office.port, timeout=PATIENCE, context=ssl.create_default_context())
    return _MailLine(office.host, office.port, timeout=PATIENCE)


def _refused(fault: smtplib.SMTPResponseException) -> str:
    if isinstance(fault, smtplib.SMTPAuthenticationError):
        return "the mail server refuses the user name or the password"
    if isinstance(fault, smtplib.SMTPSenderRefused):
        return "the mail server refuses the sender"
    return "the mail server refuses the mail"


def _reason(fault: Exception) -> str:
    """Why a mail server cannot be used, in words."""
    if isinstance(fault, TimeoutError):
        return f"it did not answer within {PATIENCE:g} seconds"
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


def _text(said: bytes | str, mail: Mail) -> str:
    """What a mail server said, without the address that it was about."""
    text = said.decode("utf-8", "replace") if isinstance(said, bytes) else said
    return re.sub(re.escape(mail.to), "…", " ".join(text.split()), flags=re.IGNORECASE)[:200]
