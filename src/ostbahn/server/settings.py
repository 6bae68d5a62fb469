"""What whoever runs a server can set. Where it is said, and which word counts, is in `settings_sources.py`.

docs/hosting.md has a table of all of it, which a test holds to what stands here.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Final, Literal
from urllib.parse import urlsplit

from msgspec import Meta, Struct, field
from sqlalchemy import make_url

from ostbahn.kernel.errors import BadSetup
from ostbahn.server.db.database import FILE, url_in

HTTPS: Final = "https://"


class Secret:
    """A password or a token: whoever prints one by mistake sees nothing."""

    def __init__(self, text: str) -> None:
        self._text = text

    def reveal(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return "Secret(…)"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._text == self._text

    def __hash__(self) -> int:
        return hash(self._text)


def default_data() -> Path:
    """Where a person's games are kept if nothing is said."""
    home = os.environ.get("XDG_DATA_HOME")
    return (Path(home) if home else Path.home() / ".local" / "share") / "ostbahn"


class LogSettings(Struct, frozen=True, kw_only=True):
    """What is told of the server's work, and how."""

    form: Literal["text", "json"] = "text"
    """For people, or for programs: one JSON object a line."""
    level: Literal["debug", "info", "warning", "error"] = "warning"
    """From `info` on there is a line for every request."""


class MailSettings(Struct, frozen=True, kw_only=True):
    """By whom mail is sent; there is none without a host."""

    host: str = ""
    port: Annotated[int, Meta(ge=1, le=65535)] = 587
    security: Literal["starttls", "tls", "none"] = "starttls"
    user: str = ""
    password: Secret | None = None
    sender: str = ""
    """The address that mail comes from."""


class Settings(Struct, frozen=True, kw_only=True):
    host: str = "127.0.0.1"
    """Where to listen."""
    port: Annotated[int, Meta(ge=0, le=65535)] = 8018
    public_url: str = ""
    """Where browsers find the site, if a proxy stands before it."""
    allowed_hosts: tuple[str, ...] = ()
    """Names by which it is called; besides that in `public_url`."""
    trust_proxy: tuple[str, ...] = ()
    """Proxies, or networks of them, that are believed when they say who asks."""
    workers: Annotated[int, Meta(ge=1, le=64)] = 1
    """Processes that answer; more than one needs PostgreSQL."""
    thinkers: Annotated[int, Meta(ge=0, le=64)] | None = None
    """Processes in which bots think; by default as many as cores, two to four."""
    thinkers_back: Annotated[int, Meta(ge=0, le=19)] = 10
    """How far these stand back behind people who answer meanwhile: 0 not at all, 19 as far as there is."""
    limit: Annotated[float, Meta(gt=0, le=86_400)] = 20.0
    """Seconds for a bot's answer."""
    data: Path = field(default_factory=default_data)
    """The folder with the SQLite file, or with the secret of another database."""
    database: str = ""
    """Another database than that in the data folder, without its password."""
    database_password: Secret | None = None
    secret: Secret | None = None
    """With which keys are sealed; by default in a file beside the database."""
    metrics_token: Secret | None = None
    """Whoever sends it is shown /metrics and what is wrong with the server's health."""
    webhooks_let_in: tuple[str, ...] = ()
    """Networks of the host's own that webhooks of people may lead into all the same."""
    log: LogSettings = LogSettings()
    mail: MailSettings = MailSettings()

    @property
    def database_url(self) -> str:
        """With its password: not for people."""
        if not self.database:
            return url_in(self.data)
        url = make_url(self.database)
        if self.database_password is not None:
            url = url.set(password=self.database_password.reveal())
        return url.render_as_string(hide_password=False)

    @property
    def key_secret(self) -> bytes | None:
        """With which keys are sealed, if that was said."""
        return None if self.secret is None else bytes.fromhex(self.secret.reveal())

    @property
    def kept_in(self) -> str:
        """Where games are kept, for people."""
        return make_url(self.database).render_as_string(hide_password=True) if self.database else str(self.data)

    @property
    def https(self) -> bool:
        """Whether all that browsers see of it comes by HTTPS."""
        return self.public_url.startswith(HTTPS)

    @property
    def hosts(self) -> frozenset[str]:
        """Names by which the server lets itself be called, without ports; empty if by any."""
        public = urlsplit(self.public_url).hostname
        return frozenset(name.lower() for name in self.allowed_hosts) | ({public} if public else set())


def check_there(settings: Settings) -> None:
    """Refuse a folder without games, before a database is made in it."""
    if not settings.database and not (settings.data / FILE).exists():
        raise BadSetup(f"there is no {FILE} in {settings.data}; --data FOLDER says where the games are kept")
