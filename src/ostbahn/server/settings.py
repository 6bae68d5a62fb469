"""Settings of a server: command line options override environment variables, which override a TOML file.

Unknown or bad settings are refused, with their place. Secrets are allowed neither on command lines nor in the settings
file: they come from files of their own (`..._file`) or from the environment. docs/hosting.md lists all settings.
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
    """A password or token, whose `repr` does not reveal it."""

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
    """The format and level of the server's log."""

    form: Literal["text", "json"] = "text"  # for people, or for programs: one JSON object a line
    level: Literal["debug", "info", "warning", "error"] = "warning"  # `info` and `debug` log every request


class MailSettings(Struct, frozen=True, kw_only=True):
    """The mail server; without a host, no mail is sent."""

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
    allowed_hosts: tuple[str, ...] = ()  # accepted host names, besides that of `public_url`
    trust_proxy: tuple[str, ...] = ()  # trusted proxies, or their networks, whose forwarded addresses count
    workers: Annotated[int, Meta(ge=1, le=64)] = 1  # processes that serve requests; more than one needs PostgreSQL
    thinkers: Annotated[int, Meta(ge=0, le=64)] | None = None
    """Processes for bots; by default as many as cores, but two to four."""
    thinkers_back: Annotated[int, Meta(ge=0, le=19)] = 10  # their niceness: 0 normal, 19 lowest priority
    limit: Annotated[float, Meta(gt=0, le=86_400)] = 20.0  # seconds for a bot's answer
    data: Path = field(default_factory=default_data)  # with the SQLite file, or the secret of another database
    database: str = ""  # the URL of another database than the one in the data folder, without its password
    database_password: Secret | None = None
    secret: Secret | None = None  # encrypts keys; by default it is read from the file of `secret_file`
    metrics_token: Secret | None = None  # grants access to /metrics and to details of the server's health
    webhooks_let_in: tuple[str, ...] = ()  # private networks that webhooks may reach nevertheless
    log: LogSettings = LogSettings()
    mail: MailSettings = MailSettings()

    @property
    def database_url(self) -> str:
        """The URL of the database with its password, which must not be shown."""
        if not self.database:
            return sqlite_url_in(self.data)
        url = make_url(self.database)
        if self.database_password is not None:
            url = url.set(password=self.database_password.reveal())
        return url.render_as_string(hide_password=False)

    @property
    def key_secret(self) -> bytes | None:
        """The secret that encrypts keys, if it is set."""
        return None if self.secret is None else bytes.fromhex(self.secret.reveal())

    @property
    def kept_in(self) -> str:
        return make_url(self.database).render_as_string(hide_password=True) if self.database else str(self.data)

    @property
    def https(self) -> bool:
        """Whether the public site uses HTTPS."""
        return self.public_url.startswith(HTTPS)

    @property
    def hosts(self) -> frozenset[str]:
        """The accepted host names, without ports; empty if any is accepted."""
        public = urlsplit(self.public_url).hostname
        return frozenset(name.lower() for name in self.allowed_hosts) | ({public} if public else set())


def check_there(settings: Settings) -> None:
    """Refuse a data folder without a database, before one is created in it."""
    if not settings.database and not (settings.data / FILE).exists():
        raise BadSetup(f"there is no {FILE} in {settings.data}; --data FOLDER says where the games are kept")


PREFIX: Final = "OSTBAHN_"
SETTINGS_FILE: Final = "OSTBAHN_SETTINGS"  # the variable that names the settings file
OTHERS: Final = ("OSTBAHN_TRACEBACK", "OSTBAHN_SOAK")  # variables that are not settings of a server
OF_FILE: Final = "_file"
LONGEST_FILE: Final = 100_000
SHORTEST_TOKEN: Final = 16
NOT_ON_COMMAND_LINES: Final = (
    "every program of this machine can read a password on a command line; put it into ${0}, or into a file that"
    " ${0}_FILE names"
)


class Setting(NamedTuple):
    """A value, and the place that sets it, for messages."""

    value: object
    where: str


def _setting_types(section: type[Struct], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """All settings by their dotted names, with their types."""
    for setting in msgspec.structs.fields(section):
        if isinstance(setting.type, type) and issubclass(setting.type, Struct):
            yield from _setting_types(setting.type, f"{prefix}{setting.name}.")
        else:
            yield f"{prefix}{setting.name}", setting.type


KINDS: Final[Mapping[str, Any]] = dict(_setting_types(Settings))
SECRETS: Final = frozenset(name for name, kind in KINDS.items() if Secret in get_args(kind))


def variable(name: str) -> str:
    """The environment variable of a setting."""
    return f"{PREFIX}{name.replace('.', '_').upper()}"


def read_settings(options: Mapping[str, object], environ: Mapping[str, str], file: Path | None = None) -> Settings:
    """All settings. options: of a command (None and []: not set); file: by default named by the environment."""
    if file is None and environ.get(SETTINGS_FILE):
        file = Path(environ[SETTINGS_FILE])
    settings = {} if file is None else _from_file(file)
    settings |= _from_environment(environ)
    settings |= _from_options(options)
    _check(settings)
    nested: dict[str, Any] = {}
    for name, setting in settings.items():
        section, _, last = name.rpartition(".")
        (nested.setdefault(section, {}) if section else nested)[last] = setting.value
    return msgspec.convert(nested, Settings, dec_hook=_as_is_or_path)


def _from_file(file: Path) -> dict[str, Setting]:
    try:
        with file.open("rb") as stream:
            text = stream.read(LONGEST_FILE + 1)
        if len(text) > LONGEST_FILE:
            raise BadSetup(f"{file} is no settings file: it has more than {LONGEST_FILE} bytes")
        tables = tomllib.loads(text.decode())
    except OSError as fault:
        raise BadSetup(f"the settings file {file} cannot be read: {fault.strerror}") from None
    except UnicodeDecodeError:
        raise BadSetup(f"{file} is no settings file: it is not text in UTF-8") from None
    except tomllib.TOMLDecodeError as fault:
        raise BadSetup(f"{file} is no settings file: {fault}") from None
    return dict(_settings_in(file, tables))


def _settings_in(file: Path, tables: Mapping[str, object]) -> Iterator[tuple[str, Setting]]:
    for name, value in _flattened(tables):
        where = f"{file}: {name}"
        secret = name.removesuffix(OF_FILE)
        if name in SECRETS:
            raise BadSetup(f"{where} is a secret, which does not stand here: name a file with {name}{OF_FILE}")
        if secret in SECRETS and name != secret:
            yield secret, _from_secret_file(file.parent, value, where)
            continue
        _check_known(name, where, [*KINDS.keys() - SECRETS, *(f"{secret_name}{OF_FILE}" for secret_name in SECRETS)])
        setting = Setting(_converted(value, KINDS[name], where, strict=True), where)
        if name == "data":
            setting = Setting(file.parent / Path(str(setting.value)), where)
        if name == "database" and _url(setting).password is not None:
            raise BadSetup(f"{where} has a password in it: name a file that has it with database_password{OF_FILE}")
        yield name, setting


def _flattened(table: Mapping[str, object], prefix: str = "") -> Iterator[tuple[str, object]]:
    """The values of a TOML table by their dotted names."""
    sections = {name.partition(".")[0] for name in KINDS if "." in name}
    for name, value in table.items():
        if isinstance(value, dict) and not prefix and name in sections:
            yield from _flattened(value, f"{name}.")
        else:
            yield f"{prefix}{name}", value


def _from_environment(environ: Mapping[str, str]) -> dict[str, Setting]:
    names = {variable(name): name for name in KINDS}
    files = {f"{variable(name)}{OF_FILE.upper()}": name for name in SECRETS}
    settings: dict[str, Setting] = {}
    for variable_name, text in environ.items():
        is_other = not variable_name.startswith(PREFIX) or variable_name.startswith(OTHERS)
        if is_other or variable_name == SETTINGS_FILE or not text:
            continue
        where = f"${variable_name}"
        _check_known(variable_name, where, [*names, *files])
        name = names.get(variable_name) or files[variable_name]
        if name in settings:
            raise BadSetup(f"{where} and {settings[name].where} say the same; leave one of them out")
        if variable_name in files:
            settings[name] = _from_secret_file(Path(), text, where)
        else:
            settings[name] = Setting(_converted(text, KINDS[name], where, strict=False), where)
    return settings


def _from_options(options: Mapping[str, object]) -> dict[str, Setting]:
    settings: dict[str, Setting] = {}
    for name, value in options.items():
        if value is None or value == []:
            continue
        where = f"--{name.removesuffix('.form').replace('_', '-')}"
        settings[name] = Setting(_converted(value, KINDS[name], where, strict=True), where)
    if "database" in settings and _url(settings["database"]).password is not None:
        raise BadSetup(f"--database has a password in it: {NOT_ON_COMMAND_LINES.format(variable('database_password'))}")
    return settings


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
        raise BadSetup(f"{where} takes {_type_words(kind)}") from None


def _as_is_or_path(kind: type, value: Any) -> Any:
    if isinstance(value, kind):
        return value
    if not isinstance(value, str) or not value or "\0" in value:
        raise ValueError("no path")
    return kind(value).expanduser()


def _type_words(kind: Any) -> str:
    """The type of a setting in words."""
    if get_origin(kind) is Literal:
        return f"one of {', '.join(get_args(kind))}"
    if get_origin(kind) is tuple:
        return "a list of texts"
    if get_origin(kind) is Annotated:
        plain, bounds = get_args(kind)
        lowest = f" from {bounds.ge} to" if bounds.gt is None else f" above {bounds.gt} and up to"
        return f"{_type_words(plain)}{lowest} {bounds.le}"
    if (parts := get_args(kind)) and type(None) in parts:
        return _type_words(parts[0])
    return {int: "a whole number", float: "a number", Path: "the name of a folder"}.get(kind, "a text")


def _check(settings: Mapping[str, Setting]) -> None:
    """Refuse bad values, and combinations of settings that cannot work."""
    if "public_url" in settings:
        _check_public_url(*settings["public_url"])
    for name in ("trust_proxy", "webhooks_let_in"):
        if name in settings:
            _check_networks(*settings[name])
    if "database" in settings:
        _url(settings["database"])
    if "database_password" in settings and "database" not in settings:
        raise BadSetup(f"{settings['database_password'].where} says a password, but no `database` is named")
    secrets = {name: setting.value.reveal() for name, setting in settings.items() if isinstance(setting.value, Secret)}
    if len(secrets.get("metrics_token", SHORTEST_TOKEN * "?")) < SHORTEST_TOKEN:
        where, need = settings["metrics_token"].where, f"at least {SHORTEST_TOKEN} letters"
        raise BadSetup(f"{where}: a token needs {need}, or somebody finds it by trying")
    if "secret" in secrets and not SECRET.fullmatch(secrets["secret"]):
        raise BadSetup(f"{settings['secret'].where}: the secret of keys has 64 digits and letters from a to f")
    if "mail.host" in settings and "mail.sender" not in settings:
        raise BadSetup(f"{settings['mail.host'].where} says who sends mail, but not from whom: mail.sender is missing")


def _check_public_url(value: object, where: str) -> None:
    try:
        parts = urlsplit(str(value))
        has_host_only = parts.scheme in ("http", "https") and parts.hostname and not parts.username
        is_root = parts.path in ("", "/") and not parts.query and not parts.fragment and parts.port != 0
        is_valid = has_host_only and is_root
    except ValueError:
        is_valid = False
    if not is_valid:
        raise BadSetup(f"{where} takes the address of the site and nothing behind it, as https://games.example.org")


def _check_networks(value: Any, where: str) -> None:
    """Refuse entries that are not addresses: they would never match, and `*` would trust everyone."""
    try:
        for network in value:
            ip_network(network)
    except ValueError as fault:
        raise BadSetup(f"{where} takes an address or a network, as 127.0.0.1 or 10.0.0.0/8: {fault}") from None


def _url(setting: Setting) -> URL:
    try:
        return make_url(str(setting.value))
    except (SQLAlchemyError, ValueError):
        where = setting.where
        raise BadSetup(f"{where} is no address of a database, as postgresql://ostbahn@localhost/ostbahn") from None
