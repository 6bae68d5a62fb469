"""Settings of a server: options of a command count before the environment, and that before a TOML file.

What is unknown or wrong is refused, with its place. Secrets stand neither on command lines nor in the settings file:
they have files of their own (`..._file`), or come by the environment. docs/hosting.md lists all settings.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Any, Final, Literal, NamedTuple, cast, get_args, get_origin
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta, Struct, field
from sqlalchemy import URL, make_url
from sqlalchemy.exc import SQLAlchemyError

from ostbahn.kernel.errors import BadSetup
from ostbahn.server.db.database import FILE, sqlite_url_in
from ostbahn.server.db.encryption import SECRET

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
    home = os.environ.get("XDG_DATA_HOME")
    return (Path(home) if home else Path.home() / ".local" / "share") / "ostbahn"


class LogSettings(Struct, frozen=True, kw_only=True):
    """What is told of the server's work, and how."""

    form: Literal["text", "json"] = "text"  # for people, or for programs: one JSON object a line
    level: Literal["debug", "info", "warning", "error"] = "warning"
    """From `info` on there is a line for every request."""


class MailSettings(Struct, frozen=True, kw_only=True):
    """By whom mail is sent; there is none without a host."""

    host: str = ""
    port: Annotated[int, Meta(ge=1, le=65535)] = 587
    security: Literal["starttls", "tls", "none"] = "starttls"
    user: str = ""
    password: Secret | None = None
    sender: str = ""  # the address that mail comes from


class Settings(Struct, frozen=True, kw_only=True):
    host: str = "127.0.0.1"  # where to listen
    port: Annotated[int, Meta(ge=0, le=65535)] = 8018
    public_url: str = ""  # where browsers find the site, if a proxy stands before it
    allowed_hosts: tuple[str, ...] = ()  # names by which it is called; besides that in `public_url`
    trust_proxy: tuple[str, ...] = ()  # proxies, or networks of them, that are believed when they say who asks
    workers: Annotated[int, Meta(ge=1, le=64)] = 1  # processes that answer; more than one needs PostgreSQL
    thinkers: Annotated[int, Meta(ge=0, le=64)] | None = None
    """Processes in which bots think; by default as many as cores, two to four."""
    thinkers_back: Annotated[int, Meta(ge=0, le=19)] = 10
    """How far these stand back behind people who answer meanwhile: 0 not at all, 19 as far as there is."""
    limit: Annotated[float, Meta(gt=0, le=86_400)] = 20.0  # seconds for a bot's answer
    data: Path = field(default_factory=default_data)
    """The folder with the SQLite file, or with the secret of another database."""
    database: str = ""  # another database than that in the data folder, without its password
    database_password: Secret | None = None
    secret: Secret | None = None  # with which keys are sealed; by default in a file beside the database
    metrics_token: Secret | None = None
    """Whoever sends it is shown /metrics and what is wrong with the server's health."""
    webhooks_let_in: tuple[str, ...] = ()
    """Networks of the host's own that webhooks of people may lead into all the same."""
    log: LogSettings = LogSettings()
    mail: MailSettings = MailSettings()

    @property
    def database_url(self) -> str:
        """With its password, so not for people."""
        if not self.database:
            return sqlite_url_in(self.data)
        url = make_url(self.database)
        if self.database_password is not None:
            url = url.set(password=self.database_password.reveal())
        return url.render_as_string(hide_password=False)

    @property
    def key_secret(self) -> bytes | None:
        """The secret that encrypts keys, if it was set."""
        return None if self.secret is None else bytes.fromhex(self.secret.reveal())

    @property
    def kept_in(self) -> str:
        return make_url(self.database).render_as_string(hide_password=True) if self.database else str(self.data)

    @property
    def https(self) -> bool:
        """Whether browsers reach all of it by HTTPS."""
        return self.public_url.startswith(HTTPS)

    @property
    def hosts(self) -> frozenset[str]:
        """Names of the server, without ports; empty if it answers to any."""
        public = urlsplit(self.public_url).hostname
        return frozenset(name.lower() for name in self.allowed_hosts) | ({public} if public else set())


def check_there(settings: Settings) -> None:
    """Refuse a folder without games, before a database is made in it."""
    if not settings.database and not (settings.data / FILE).exists():
        raise BadSetup(f"there is no {FILE} in {settings.data}; --data FOLDER says where the games are kept")


PREFIX: Final = "OSTBAHN_"
SETTINGS_FILE: Final = "OSTBAHN_SETTINGS"  # the variable that names the settings file
OTHERS: Final = ("OSTBAHN_TRACEBACK", "OSTBAHN_SOAK")  # variables that set nothing of a server
OF_FILE: Final = "_file"
LONGEST_FILE: Final = 100_000
SHORTEST_TOKEN: Final = 16
NOT_ON_COMMAND_LINES: Final = (
    "every program of this machine can read a password on a command line; put it into ${0}, or into a file that"
    " ${0}_FILE names"
)


class Setting(NamedTuple):
    value: object
    where: str


def _fields(of: type[Struct], before: str = "") -> Iterator[tuple[str, Any]]:
    """All settings by their names in the file, with their types."""
    for each in msgspec.structs.fields(of):
        if isinstance(each.type, type) and issubclass(each.type, Struct):
            yield from _fields(each.type, f"{before}{each.name}.")
        else:
            yield f"{before}{each.name}", each.type


KINDS: Final[Mapping[str, Any]] = dict(_fields(Settings))
SECRETS: Final = frozenset(name for name, kind in KINDS.items() if Secret in get_args(kind))


def variable(name: str) -> str:
    """The environment variable of a setting."""
    return f"{PREFIX}{name.replace('.', '_').upper()}"


def read_settings(options: Mapping[str, object], environ: Mapping[str, str], file: Path | None = None) -> Settings:
    """All settings. options: of a command, None and empty lists say nothing; file: unless the environment names it."""
    if file is None and environ.get(SETTINGS_FILE):
        file = Path(environ[SETTINGS_FILE])
    told = {} if file is None else _from_file(file)
    told |= _from_environment(environ)
    told |= _from_options(options)
    _check(told)
    nested: dict[str, Any] = {}
    for name, given in told.items():
        section, _, last = name.rpartition(".")
        (nested.setdefault(section, {}) if section else nested)[last] = given.value
    return msgspec.convert(nested, Settings, dec_hook=_as_is_or_path)


def _from_file(file: Path) -> dict[str, Setting]:
    try:
        with file.open("rb") as stream:
            text = stream.read(LONGEST_FILE + 1)
        if len(text) > LONGEST_FILE:
            raise BadSetup(f"{file} is no settings file: it has more than {LONGEST_FILE} bytes")
        found = tomllib.loads(text.decode())
    except OSError as fault:
        raise BadSetup(f"the settings file {file} cannot be read: {fault.strerror}") from None
    except UnicodeDecodeError:
        raise BadSetup(f"{file} is no settings file: it is not text in UTF-8") from None
    except tomllib.TOMLDecodeError as fault:
        raise BadSetup(f"{file} is no settings file: {fault}") from None
    return dict(_of_file(file, found))


def _of_file(file: Path, found: Mapping[str, object]) -> Iterator[tuple[str, Setting]]:
    for name, value in _flat(found):
        where = f"{file}: {name}"
        secret = name.removesuffix(OF_FILE)
        if name in SECRETS:
            raise BadSetup(f"{where} is a secret, which does not stand here: name a file with {name}{OF_FILE}")
        if secret in SECRETS and name != secret:
            yield secret, _from_secret_file(file.parent, value, where)
            continue
        _check_known(name, where, [*KINDS.keys() - SECRETS, *(f"{each}{OF_FILE}" for each in SECRETS)])
        given = Setting(_converted(value, KINDS[name], where, strict=True), where)
        if name == "data":
            given = Setting(file.parent / Path(str(given.value)), where)
        if name == "database" and _url(given).password is not None:
            raise BadSetup(f"{where} has a password in it: name a file that has it with database_password{OF_FILE}")
        yield name, given


def _flat(found: Mapping[str, object], before: str = "") -> Iterator[tuple[str, object]]:
    sections = {name.partition(".")[0] for name in KINDS if "." in name}
    for name, value in found.items():
        if isinstance(value, dict) and not before and name in sections:
            yield from _flat(value, f"{name}.")
        else:
            yield f"{before}{name}", value


def _from_environment(environ: Mapping[str, str]) -> dict[str, Setting]:
    names = {variable(name): name for name in KINDS}
    files = {f"{variable(name)}{OF_FILE.upper()}": name for name in SECRETS}
    told: dict[str, Setting] = {}
    for each, text in environ.items():
        if not each.startswith(PREFIX) or each == SETTINGS_FILE or each.startswith(OTHERS) or not text:
            continue
        where = f"${each}"
        _check_known(each, where, [*names, *files])
        name = names.get(each) or files[each]
        if name in told:
            raise BadSetup(f"{where} and {told[name].where} say the same; leave one of them out")
        if each in files:
            told[name] = _from_secret_file(Path(), text, where)
        else:
            told[name] = Setting(_converted(text, KINDS[name], where, strict=False), where)
    return told


def _from_options(options: Mapping[str, object]) -> dict[str, Setting]:
    told: dict[str, Setting] = {}
    for name, value in options.items():
        if value is None or value == []:
            continue
        where = f"--{name.removesuffix('.form').replace('_', '-')}"
        told[name] = Setting(_converted(value, KINDS[name], where, strict=True), where)
    if "database" in told and _url(told["database"]).password is not None:
        raise BadSetup(f"--database has a password in it: {NOT_ON_COMMAND_LINES.format(variable('database_password'))}")
    return told


def _from_secret_file(folder: Path, value: object, where: str) -> Setting:
    if not isinstance(value, str):
        raise BadSetup(f"{where} takes the name of a file")
    try:
        text = (folder / value).read_text(encoding="utf-8")
    except (OSError, ValueError) as fault:
        raise BadSetup(f"{where}: the file cannot be read: {getattr(fault, 'strerror', '') or 'no text'}") from None
    if not text.strip() or "\0" in text or len(text) > LONGEST_FILE:
        raise BadSetup(f"{where}: there is no secret in that file, which should hold nothing else")
    return Setting(Secret(text.strip()), where)


def _check_known(name: str, where: str, names: list[str]) -> None:
    if name not in names:
        near = get_close_matches(name, names, 1)
        raise BadSetup(f"{where} is no setting" + (f"; is {near[0]} meant?" if near else ""))


def _converted(value: object, kind: Any, where: str, strict: bool) -> object:
    if Secret in get_args(kind):
        return Secret(str(value))
    if get_origin(kind) is tuple and isinstance(value, str):
        value = [part.strip() for part in value.split(",") if part.strip()]
    try:
        return cast(object, msgspec.convert(value, kind, strict=strict, dec_hook=_as_is_or_path))
    except msgspec.ValidationError:
        raise BadSetup(f"{where} takes {_told(kind)}") from None


def _as_is_or_path(kind: type, value: Any) -> Any:
    if isinstance(value, kind):
        return value
    if not isinstance(value, str) or not value or "\0" in value:
        raise ValueError("no path")
    return kind(value).expanduser()


def _told(kind: Any) -> str:
    """What a setting takes."""
    if get_origin(kind) is Literal:
        return f"one of {', '.join(get_args(kind))}"
    if get_origin(kind) is tuple:
        return "a list of texts"
    if get_origin(kind) is Annotated:
        plain, bounds = get_args(kind)
        lowest = f" from {bounds.ge} to" if bounds.gt is None else f" above {bounds.gt} and up to"
        return f"{_told(plain)}{lowest} {bounds.le}"
    if (parts := get_args(kind)) and type(None) in parts:
        return _told(parts[0])
    return {int: "a whole number", float: "a number", Path: "the name of a folder"}.get(kind, "a text")


def _check(told: Mapping[str, Setting]) -> None:
    if "public_url" in told:
        _check_public(*told["public_url"])
    for name in ("trust_proxy", "webhooks_let_in"):
        if name in told:
            _check_networks(*told[name])
    if "database" in told:
        _url(told["database"])
    if "database_password" in told and "database" not in told:
        raise BadSetup(f"{told['database_password'].where} says a password, but no `database` is named")
    words = {name: given.value.reveal() for name, given in told.items() if isinstance(given.value, Secret)}
    if len(words.get("metrics_token", SHORTEST_TOKEN * "?")) < SHORTEST_TOKEN:
        where, need = told["metrics_token"].where, f"at least {SHORTEST_TOKEN} letters"
        raise BadSetup(f"{where}: a token needs {need}, or somebody finds it by trying")
    if "secret" in words and not SECRET.fullmatch(words["secret"]):
        raise BadSetup(f"{told['secret'].where}: the secret of keys has 64 digits and letters from a to f")
    if "mail.host" in told and "mail.sender" not in told:
        raise BadSetup(f"{told['mail.host'].where} says who sends mail, but not from whom: mail.sender is missing")


def _check_public(value: object, where: str) -> None:
    try:
        parts = urlsplit(str(value))
        plain = parts.scheme in ("http", "https") and parts.hostname and not parts.username
        whole = plain and parts.path in ("", "/") and not parts.query and not parts.fragment and parts.port != 0
    except ValueError:
        whole = False
    if not whole:
        raise BadSetup(f"{where} takes the address of the site and nothing behind it, as https://games.example.org")


def _check_networks(value: Any, where: str) -> None:
    """What is no address would never be recognised, and `*` would believe everybody."""
    try:
        for network in value:
            ip_network(network)
    except ValueError as fault:
        raise BadSetup(f"{where} takes an address or a network, as 127.0.0.1 or 10.0.0.0/8: {fault}") from None


def _url(given: Setting) -> URL:
    try:
        return make_url(str(given.value))
    except (SQLAlchemyError, ValueError):
        raise BadSetup(
            f"{given.where} is no address of a database, as postgresql://ostbahn@localhost/ostbahn"
        ) from None
