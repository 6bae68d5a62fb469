"""By what this house reaches people, as whoever serves has set it."""

from __future__ import annotations

from msgspec import Struct

from ostbahn.server.notifications.mail import PostOffice
from ostbahn.server.settings import Settings


class Outlets(Struct, frozen=True):
    public_url: str = ""
    """Where browsers find this house, for links in mails and rooms; without it there are neither."""
    office: PostOffice | None = None
    """None: no mail is sent."""
    let_in: tuple[str, ...] = ()
    """Private networks into which webhooks may lead all the same."""

    @property
    def address(self) -> str:
        return self.public_url.rstrip("/")

    @property
    def mails(self) -> bool:
        return self.office is not None and bool(self.public_url)


def outlets_of(settings: Settings, address: str = "") -> Outlets:
    """address: where the house is found if nothing was said about that."""
    return Outlets(settings.public_url or address, office_of(settings), settings.webhooks_let_in)


def office_of(settings: Settings) -> PostOffice | None:
    mail = settings.mail
    if not mail.host:
        return None
    password = "" if mail.password is None else mail.password.reveal()
    return PostOffice(mail.host, mail.sender, mail.port, mail.security, mail.user, password)
